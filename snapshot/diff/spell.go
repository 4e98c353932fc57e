package diff

import (
	"math"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// capWords is how many characters of a page's string a report quotes. The
// difference itself has it whole.
const capWords = 160

// quote puts a page's string between quotes on one line: white space collapsed, cut,
// what cannot be seen spelled out as in JSON. Page text can neither end the quotes
// nor the line.
func quote(s string) string {
	s = text.CollapseSpace(s)
	short, was := text.CutCount(s, capWords)
	q := text.Quote(short)
	if was > 0 {
		q += " (" + strconv.Itoa(was) + " characters)"
	}
	return q
}

// spell is a change's From or To in words: strings quoted, a pair as "x, y", nil as
// "none".
func spell(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case [2]float64:
		return whole(v[0]) + ", " + whole(v[1])
	}
	return "?"
}

// whole is a length in whole CSS px.
func whole(v float64) string { return strconv.FormatFloat(math.Round(v)+0, 'f', 0, 64) }

// title names an element in a report: number, role or tag, name or text.
func (e *Element) title() string {
	if e == nil {
		return "an element"
	}
	var b strings.Builder
	if e.Ref > 0 {
		b.WriteString("[" + strconv.Itoa(e.Ref) + "] ")
	}
	b.WriteString(e.kind())
	switch {
	case e.Name != "":
		b.WriteString(" " + quote(e.Name))
	case e.Text != "":
		b.WriteString(" " + quote(e.Text))
	}
	return b.String()
}

// kind is the role, else the tag. Either comes from the page, so what is no plain
// word is quoted.
func (e *Element) kind() string {
	s := snapshot.KindOf(e.Role, e.Tag)
	if plainWord(strings.Trim(s, "<>")) {
		return s
	}
	return quote(s)
}

func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 40
}
