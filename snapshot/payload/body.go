package payload

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/tokens"
)

// body is a JSON text in the making, with the sections that have been written.
type body struct {
	out      []byte
	sections []Section
	trimmed  []string
	counter  *tokens.Counter // nil: estimate
	how      string          // how counter's numbers came about
}

// tokens counts or estimates the tokens of a section's text and says which.
func (b *body) tokens(s string) (n int, how string) {
	if b.counter == nil {
		return tokens.Quarter(s), HowEstimated
	}
	return b.counter.Count(s), b.how
}

// raw appends JSON as it is.
func (b *body) raw(s string) *body {
	b.out = append(b.out, s...)
	return b
}

// str appends a string.
func (b *body) str(s string) *body {
	b.out = dump.AppendJSON(b.out, s)
	return b
}

func (b *body) number(n int) *body {
	b.out = strconv.AppendInt(b.out, int64(n), 10)
	return b
}

func (b *body) boolean(v bool) *body {
	b.out = strconv.AppendBool(b.out, v)
	return b
}

// text appends a string that is a section.
func (b *body) text(section, s string) *body {
	start := len(b.out)
	b.str(s)
	n, how := b.tokens(s)
	b.sections = append(b.sections, Section{section, start, len(b.out), utf8.RuneCountInString(s), n, how})
	return b
}

// json appends a JSON value that is a section.
func (b *body) json(section string, v []byte) *body {
	start := len(b.out)
	b.out = append(b.out, v...)
	n, how := b.tokens(string(v))
	b.sections = append(b.sections, Section{section, start, len(b.out), utf8.RuneCount(v), n, how})
	return b
}

// image appends a picture as a string, after the prefix of a data URL if there is one.
func (b *body) image(prefix string, img []byte) *body {
	start := len(b.out)
	b.raw(`"` + prefix)
	b.out = base64.StdEncoding.AppendEncode(b.out, img)
	b.raw(`"`)
	b.sections = append(b.sections, Section{"image", start, len(b.out), base64.StdEncoding.EncodedLen(len(img)), 0, HowImage})
	return b
}

// list writes the parts between brackets; each part is written where it stands.
func (b *body) list(parts ...func()) *body {
	b.raw("[")
	for i, p := range parts {
		if i > 0 {
			b.raw(",")
		}
		p()
	}
	return b.raw("]")
}
