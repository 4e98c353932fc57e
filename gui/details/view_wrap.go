package details

import (
	"strings"
	"unicode/utf8"
)

// maxRunes bounds a value and maxLines its lines, whatever the view-model says.
const (
	maxRunes = 1200
	maxLines = 12
)

// wrap breaks a text into lines no wider than width, at blanks where there are
// any and within words that are wider than a line. width and measure are in the
// same unit. What does not fit into lines ends in "…". There is always a line.
func wrap(text string, width float32, lines int, measure func(string) float32) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && measure(line+" "+word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			out = append(out, line)
		}
		for measure(word) > width {
			n := fitting(word, width, measure)
			if n >= len(word) {
				break
			}
			out = append(out, word[:n])
			word = word[n:]
			if len(out) > lines {
				break
			}
		}
		line = word
		if len(out) > lines {
			break
		}
	}
	out = append(out, line)
	if len(out) > lines {
		out = out[:lines]
		out[lines-1] = cut(out[lines-1]+" …", width, measure)
	}
	return out
}

// fitting is how many bytes of the start of s fit into width, at least one rune.
func fitting(s string, width float32, measure func(string) float32) int {
	starts := make([]int, 0, len(s))
	for i := range s {
		starts = append(starts, i)
	}
	starts = append(starts, len(s))
	lo, hi := 1, len(starts)-1 // runes; lo fits or has to
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if measure(s[:starts[mid]]) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if len(starts) == 1 {
		return 0
	}
	return starts[lo]
}

// cut shortens a text to a width; what is cut ends in "…".
func cut(text string, width float32, measure func(string) float32) string {
	if measure(text) <= width {
		return text
	}
	const dots = "…"
	text = strings.TrimSuffix(text, dots)
	if text == "" {
		return dots
	}
	n := fitting(text, width-measure(dots), measure)
	if _, size := utf8.DecodeRuneInString(text); n <= size && measure(text[:n]+dots) > width {
		return dots
	}
	return strings.TrimRight(text[:n], " ") + dots
}
