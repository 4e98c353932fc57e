package script

import "fmt"

// unbalanced describes which quote or bracket of a script has no partner, "" for none. It is
// used only for scripts that the browser cannot parse, so a slash may be mistaken for a
// division: the result is a hint and no more.
func unbalanced(source string) string {
	type mark struct {
		r  rune
		at int
	}
	partner := map[rune]rune{')': '(', ']': '[', '}': '{'}
	var open []mark
	runes := []rune(source)
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; c {
		case '"', '\'', '`':
			from := i
			for i++; i < len(runes) && runes[i] != c; i++ {
				if runes[i] == '\\' {
					i++
				}
			}
			if i >= len(runes) {
				return fmt.Sprintf("the %c at character %d is never closed", c, from+1)
			}
		case '(', '[', '{':
			open = append(open, mark{c, i})
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1].r != partner[c] {
				return fmt.Sprintf("the %c at character %d closes nothing", c, i+1)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		m := open[len(open)-1]
		return fmt.Sprintf("the %c at character %d is never closed", m.r, m.at+1)
	}
	return ""
}
