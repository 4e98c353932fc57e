package payload

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// Secret is a text that must not be stored: the value of a password field, a code.
type Secret struct {
	Value string // UTF-8
	// Why is what the mark says, a word such as password; "" says no more than that
	// something was withheld.
	Why string
}

// shortSecret is how many characters a secret has at most to be taken out only where it
// stands as a word of its own: 7 is in half of all numbers.
const shortSecret = 3

// Redact is the door of wire bytes to the disk (P-3): the bytes of a request or an answer
// as they crossed the wire, without the secrets, and where these stood.
//
// Taken out are the given secrets, which are the values that were withheld from the
// capture; what the rules find by its looks, card numbers with their Luhn digit among them
// (nil for no rules); and the values of fields that hold secrets by their name or kind (see
// fields.go). Each is found as it is and in the spellings of layers.go, also one in
// another. It stands as a mark then: "[redacted: password]". Outside of the spans every
// byte is as it was. A body that is JSON stays JSON: a number with a secret in it becomes a
// string, and its span has the quotes in it. Marks that stood there before are in the
// list too. Redacting twice changes nothing more, unless a mark has made a word of a
// secret of a few characters.
//
// The error of too little is worse than that of too much: a secret of one or two
// characters is taken out wherever it is a word. The body is not changed; it must be
// smaller than 2 GiB. The cost is that of a few passes for each layer, at most 16.
func Redact(body []byte, rules *snapshot.Redactor, secrets ...Secret) ([]byte, []Span) {
	fields := newFieldFinder()
	var all []found
	for _, s := range secrets { // in what is taken for a picture too
		mark := markOf(s.Why)
		eachOccurrence(string(body), s.Value, func(from, to int) { all = append(all, found{from, to, mark}) })
	}
	eachLayer(body, func(l layer) {
		take := func(from, to int, put string) {
			if a, b := int(l.at[from]), int(l.at[to]); b > a {
				all = append(all, found{a, b, put})
			}
		}
		for _, s := range secrets {
			mark := markOf(s.Why)
			eachOccurrence(l.text, s.Value, func(from, to int) { take(from, to, mark) })
		}
		if rules != nil {
			for _, f := range rules.Find(l.text) {
				take(f.Start, beforeQuote(l.text, f.Start, f.End), f.Put)
			}
		}
		for _, f := range fields.find(l.text) {
			take(f.start, f.end, f.put)
		}
	})
	all = join(all)
	if json.Valid(body) {
		all = intoLiterals(body, all)
	}
	all = join(spare(all, marks(body)))
	out := make([]byte, 0, len(body)+16*len(all))
	var spans []Span
	reasons := map[string]string{}
	done := 0
	for _, f := range all {
		out = append(out, body[done:f.start]...)
		if _, ok := reasons[f.put]; !ok {
			for _, m := range marks([]byte(f.put)) {
				reasons[f.put] = m.Why
			}
		}
		spans = append(spans, Span{len(out), len(out) + len(f.put), reasons[f.put]})
		out = append(out, f.put...)
		done = f.end
	}
	out = append(out, body[done:]...)
	return out, withMarks(spans, marks(out))
}

// withMarks adds the marks that lie in none of the spans.
func withMarks(spans, marks []Span) []Span {
	out := make([]Span, 0, len(marks))
	for _, m := range marks {
		for len(spans) > 0 && spans[0].End <= m.Start {
			out, spans = append(out, spans[0]), spans[1:]
		}
		if len(spans) == 0 || m.End <= spans[0].Start {
			out = append(out, m)
		}
	}
	return append(out, spans...)
}

// beforeQuote is the end of a match without the backslashes before a quote: they are the
// spelling of the text around it.
func beforeQuote(s string, from, to int) int {
	if to < len(s) && (s[to] == '"' || s[to] == '\'') {
		for to > from && s[to-1] == '\\' {
			to--
		}
	}
	return to
}

// found is a secret in a text.
type found struct {
	start, end int
	put        string // what goes in its place
}

// markOf is the mark for a reason; of the reason, what a mark can hold.
func markOf(why string) string {
	why = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return -1
	}, why))
	if why == "" {
		return "[redacted]"
	}
	return "[redacted: " + why[:min(len(why), 60)] + "]"
}

// eachOccurrence finds a secret in a text.
func eachOccurrence(text, secret string, see func(from, to int)) {
	if secret == "" {
		return
	}
	short := utf8.RuneCountInString(secret) <= shortSecret
	for at := 0; ; {
		i := strings.Index(text[at:], secret)
		if i < 0 {
			return
		}
		from, to := at+i, at+i+len(secret)
		if !short || !wordBefore(text[:from]) && !wordAfter(text[to:]) {
			see(from, to)
		}
		at = to
	}
}

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// join puts stretches in order and makes one of those that overlap or touch; the mark is
// the first one's.
func join(all []found) []found {
	slices.SortStableFunc(all, func(a, b found) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	var out []found
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

// spare leaves out what is a mark already.
func spare(all []found, marks []Span) []found {
	var out []found
	m := 0
	for _, f := range all {
		for m > 0 && marks[m-1].End > f.start {
			m--
		}
		for ; m < len(marks) && marks[m].Start < f.end; m++ {
			if marks[m].End <= f.start {
				continue
			}
			if marks[m].Start > f.start {
				out = append(out, found{f.start, marks[m].Start, f.put})
			}
			f.start = max(f.start, marks[m].End)
		}
		if f.end > f.start {
			out = append(out, f)
		}
	}
	return out
}

// intoLiterals fits stretches of a JSON text into its strings and numbers: of one that
// goes beyond a string, the part in each; a number as a whole, as a string. What stands
// in neither is no secret.
func intoLiterals(body []byte, all []found) []found {
	var out []found
	i := 0
	for at := 0; at < len(body) && i < len(all); {
		start, end, number := at, at+1, false
		switch c := body[at]; {
		case c == '"':
			end = stringEnd(body, at)
			start, at = at+1, end
			end--
		case c == '-' || c >= '0' && c <= '9':
			for end < len(body) && strings.IndexByte("+-.eE0123456789", body[end]) >= 0 {
				end++
			}
			at, number = end, true
		default:
			at++
			continue
		}
		for i < len(all) && all[i].end <= start {
			i++
		}
		walk := start // where a character of the string begins
		for k := i; k < len(all) && all[k].start < end; k++ {
			f := all[k]
			if number {
				out = append(out, found{start, end, `"` + f.put + `"`})
				break
			}
			from := nextChar(body, walk, max(f.start, start))
			walk = from
			to := from
			for limit := min(f.end, end); walk < limit; {
				if walk = nextChar(body, walk, walk+1); walk <= limit {
					to = walk
				}
			}
			if to > from {
				out = append(out, found{from, to, f.put})
			}
		}
	}
	return out
}

// nextChar is where the first character of a JSON string begins at or after at; walk is
// where one begins before. Half an escape is no character, and what is found in half of
// one is found whole in another layer.
func nextChar(body []byte, walk, at int) int {
	for walk < at {
		switch {
		case body[walk] == '\\' && walk+1 < len(body) && body[walk+1] == 'u':
			walk += 6
		case body[walk] == '\\':
			walk += 2
		default:
			walk++
		}
	}
	return walk
}
