package payload

import "strings"

// Looking for JSON members, JSON objects and form fields in text that may hold anything
// else. No quote or brace is trusted to have a partner: a stray one costs what follows it
// nothing. All of them take time in proportion to the text.

// member is a name and its value, byte offsets without the quotes.
type member struct{ key, value [2]int }

// maxName is how long the name of a field may be, in bytes.
const maxName = 100

// maxObject is how far an object without objects in it is followed, in bytes. Nodes and
// steps are shorter.
const maxObject = 4096

// eachMember calls see with each member whose value is a string.
func eachMember(s string, see func(member)) {
	for at := strings.IndexByte(s, '"'); at >= 0; {
		var m member
		next := at + 1
		end := quoteEnd(s, at)
		if end > 0 {
			next = end - 1 // its closing quote may open a string
			if open := valueAt(s, end); open > 0 && end-at-2 <= maxName && end-at > 2 {
				if close := quoteEnd(s, open); close > 0 {
					m = member{[2]int{at + 1, end - 1}, [2]int{open + 1, close - 1}}
					see(m)
					next = close
				}
			}
		}
		i := strings.IndexByte(s[next:], '"')
		if i < 0 || end < 0 {
			return
		}
		at = next + i
	}
}

// quoteEnd is the offset behind the string that begins at open, -1 where none ends.
func quoteEnd(s string, open int) int {
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// valueAt is where the string begins that is the value of a key that ends at end, 0 for
// none.
func valueAt(s string, end int) int {
	i := skipSpace(s, end)
	if i >= len(s) || s[i] != ':' {
		return 0
	}
	if i = skipSpace(s, i+1); i >= len(s) || s[i] != '"' {
		return 0
	}
	return i
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// eachObject calls see with each JSON object that has no object in it.
func eachObject(s string, see func(from, to int)) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '{')
		if i < 0 {
			return
		}
		from := at + i
		at = from + 1
		limit := s[:min(len(s), from+maxObject)]
		for k := from + 1; k > 0 && k < len(limit); {
			switch limit[k] {
			case '"':
				k = quoteEnd(limit, k)
				continue
			case '{':
				k = -1
				continue
			case '}':
				see(from, k+1)
				k = -1
				continue
			}
			k++
		}
	}
}

// eachFormField calls see with each name=value of a form, at the start or after &. After
// white space it would be an attribute.
func eachFormField(s string, see func(member)) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '=')
		if i < 0 {
			return
		}
		eq := at + i
		at = eq + 1
		from := eq
		for from > 0 && eq-from <= maxName && isFormName(s[from-1]) {
			from--
		}
		to := eq + 1
		for to < len(s) && strings.IndexByte("& \t\r\n\"'<>\\", s[to]) < 0 {
			to++
		}
		if from < eq && to > eq+1 && (from == 0 || s[from-1] == '&') {
			see(member{[2]int{from, eq}, [2]int{eq + 1, to}})
			at = to
		}
	}
}

func isFormName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.-[]", c) >= 0
}
