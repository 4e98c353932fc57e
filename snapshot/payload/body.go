package payload

import (
	"encoding/base64"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokens"
)

// body is a JSON text in the making, with the sections that have been written.
type body struct {
	out      []byte
	sections []Section
	trimmed  []string
	counter  *tokens.Counter // nil: estimate
	how      string          // how counter's numbers came about
	rule     ImageRule
}

// section records what was written since start as a section; text is its decoded text.
func (b *body) section(name string, start int, text string) *body {
	n, how := tokens.Quarter, HowEstimated
	if b.counter != nil {
		n, how = b.counter.Count, b.how
	}
	b.sections = append(b.sections, Section{
		Name: name, Start: start, End: len(b.out), Bytes: len(b.out) - start,
		Chars: utf8.RuneCountInString(text), Tokens: n(text), TokensHow: how,
	})
	return b
}

// raw appends JSON as it is.
func (b *body) raw(s string) *body {
	b.out = append(b.out, s...)
	return b
}

// str appends a string.
func (b *body) str(s string) *body {
	b.out = text.AppendJSON(b.out, s)
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
	return b.str(s).section(section, start, s)
}

// json appends a JSON value that is a section.
func (b *body) json(section string, v []byte) *body {
	return b.value(section, func() { b.out = append(b.out, v...) })
}

// value makes a section of the JSON value that write appends.
func (b *body) value(section string, write func()) *body {
	start := len(b.out)
	write()
	return b.section(section, start, string(b.out[start:]))
}

// field appends a member with a string that is a section of the member's name; nothing
// where the string is empty.
func (b *body) field(key, s string) *body {
	if s == "" {
		return b
	}
	return b.raw(`,"`+key+`":`).text(key, s)
}

// optional appends a member with a string, where there is one.
func (b *body) optional(key, s string) *body {
	if s != "" {
		b.raw(`,"` + key + `":`).str(s)
	}
	return b
}

// flag appends a member with true or false, where it is known.
func (b *body) flag(key string, v *bool) *body {
	if v != nil {
		b.raw(`,"` + key + `":`).boolean(*v)
	}
	return b
}

// image appends a picture as a string, after the prefix of a data URL if there is one.
func (b *body) image(prefix string, p *picture) *body {
	start := len(b.out)
	b.raw(`"` + prefix)
	b.out = base64.StdEncoding.AppendEncode(b.out, p.data)
	b.raw(`"`)
	s := Section{
		Name: "image", Start: start, End: len(b.out), Bytes: len(b.out) - start,
		Chars: base64.StdEncoding.EncodedLen(len(p.data)), TokensHow: HowImage, Width: p.width, Height: p.height,
	}
	if b.rule.Tokens > 0 {
		if s.Tokens, s.TokensHow = b.rule.Tokens, b.rule.How; s.TokensHow == "" {
			s.TokensHow = "by the image rules of " + b.rule.Model
		}
	}
	b.sections = append(b.sections, s)
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
