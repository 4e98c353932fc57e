package redact

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A withheld text is in a capture, and so in all that is made of it, as
//
//	mark = "[redacted" [ ": " reason ] "]"      ; a format that cuts it ends it with "…"
//
// which is the same in every spelling that a body can have: JSON, HTML and YAML escape
// none of it. What is a mark already is never changed again. A page can write a mark
// itself; then a span is listed that hides nothing, unless the reason holds a secret:
// such a mark is replaced as a whole.

// Span is a stretch of a body that does not hold what was there.
type Span struct {
	Start int    `json:"start"` // byte offset
	End   int    `json:"end"`   // byte offset behind it
	Why   string `json:"why"`   // what was withheld: password, token, card; withheld where unknown
	// Before: the mark was in the body before anything was withheld from it. It is not kept.
	Before bool `json:"-"`
}

const markBegin = "[redacted"

var markPattern = regexp.MustCompile(`\[redacted(?:: ([^\[\]"\\<>\n…]{1,60}))?(?:\]|…)`)

// Marks are the marks in a body, in order.
func Marks(body []byte) []Span {
	if !bytes.Contains(body, []byte(markBegin)) {
		return nil
	}
	var out []Span
	for _, m := range markPattern.FindAllSubmatchIndex(body, -1) {
		s := Span{Start: m[0], End: m[1], Why: "withheld"}
		if m[2] >= 0 {
			s.Why = string(body[m[2]:m[3]])
		}
		out = append(out, s)
	}
	return out
}

// IsMark reports whether a text begins as a mark does: its value is withheld.
func IsMark(s string) bool { return strings.HasPrefix(s, markBegin) }

// Mark is the mark for a reason such as "password"; of the reason, what a mark can hold.
func Mark(why string) string {
	why = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, why))
	if why == "" {
		return markPlain
	}
	return "[redacted: " + why[:min(len(why), 60)] + "]"
}

// reason is the reason in a mark of ours.
func reason(mark string) string {
	for _, m := range Marks([]byte(mark)) {
		return m.Why
	}
	return "withheld"
}

// commonReason reports whether a reason is one that Refscope itself gives, and so holds
// no secret whatever the secret is: "password" is a password too.
func commonReason(why string) bool {
	return slices.Contains([]string{"withheld", "password", "token", "card", "key", "field", "profile", "one-time code",
		"code", "typed", "not looked at", "no arguments"}, why)
}

// stretch is a part of a text that a mark takes the place of.
type stretch struct {
	start, end int
	put        string // the mark
	forged     bool   // the part is a mark that holds a secret
}

// join puts stretches in order and makes one of those that overlap; the mark is that of
// the one which begins first, and of these the longest.
func join(all []stretch) []stretch {
	slices.SortStableFunc(all, func(a, b stretch) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []stretch
	for _, f := range all {
		if n := len(out); n > 0 && f.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, f.end)
			continue
		}
		if f.end > f.start {
			out = append(out, f)
		}
	}
	return out
}

// spare leaves out of joined stretches what must stay, which is in order and does not
// overlap.
func spare(all []stretch, stay []Span) []stretch {
	if len(stay) == 0 {
		return all
	}
	var out []stretch
	m := 0
	for _, f := range all {
		for m > 0 && stay[m-1].End > f.start {
			m--
		}
		for ; m < len(stay) && stay[m].Start < f.end; m++ {
			if stay[m].End <= f.start {
				continue
			}
			if stay[m].Start > f.start {
				out = append(out, stretch{start: f.start, end: stay[m].Start, put: f.put})
			}
			f.start = max(f.start, stay[m].End)
		}
		if f.end > f.start {
			out = append(out, f)
		}
	}
	return out
}

// genuine are the marks in a text that no forged stretch takes.
func genuine(marks []Span, found []stretch) []Span {
	var forged []stretch
	for _, f := range found {
		if f.forged {
			forged = append(forged, f)
		}
	}
	if len(forged) == 0 {
		return marks
	}
	return slices.DeleteFunc(marks, func(m Span) bool {
		return slices.ContainsFunc(forged, func(f stretch) bool { return f.start < m.End && m.Start < f.end })
	})
}
