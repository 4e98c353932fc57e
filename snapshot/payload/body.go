package payload

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/ordered"
	"github.com/refscope/refscope/snapshot/tokens"
)

// body is a JSON text in the making, with the sections that have been written.
type body struct {
	ordered.Writer
	sections []Section
	trimmed  []string
	counter  *tokens.Counter // nil: estimate
	how      string          // how counter's numbers came about
	rule     ImageRule
}

// section records what was written since start as a section; text is its decoded text.
func (b *body) section(name string, start int, text string) {
	n, how := tokens.Quarter, HowEstimated
	if b.counter != nil {
		n, how = b.counter.Count, b.how
	}
	b.sections = append(b.sections, Section{
		Name: name, Start: start, End: len(b.Out), Bytes: len(b.Out) - start,
		Chars: utf8.RuneCountInString(text), Tokens: n(text), TokensHow: how,
	})
}

// text appends a string that is a section.
func (b *body) text(key, section, s string) {
	start := len(b.Key(key).Out)
	b.String("", s)
	b.section(section, start, s)
}

// field appends a string that is a section of its key's name; nothing where it is "".
func (b *body) field(key, s string) {
	if s != "" {
		b.text(key, key, s)
	}
}

// value appends the value that write appends, as a section of its key's name.
func (b *body) value(key string, write func()) {
	start := len(b.Key(key).Out)
	write()
	b.section(key, start, string(b.Out[start:]))
}

// object appends an object that is a section of its key's name; members appends its members.
func (b *body) object(key string, members func()) {
	b.value(key, func() {
		b.Open("", '{')
		members()
		b.Close("}")
	})
}

// flag appends true or false, where it is known.
func (b *body) flag(key string, v *bool) {
	if v != nil {
		b.Bool(key, *v)
	}
}

// image appends a picture as a string, after the prefix of a data URL if there is one.
func (b *body) image(key, prefix string, p *picture) {
	start := len(b.Key(key).Out)
	b.Out = append(append(b.Out, '"'), prefix...)
	b.Out = append(base64.StdEncoding.AppendEncode(b.Out, p.data), '"')
	s := Section{
		Name: "image", Start: start, End: len(b.Out), Bytes: len(b.Out) - start,
		Chars: base64.StdEncoding.EncodedLen(len(p.data)), TokensHow: HowImage, Width: p.width, Height: p.height,
	}
	if b.rule.Tokens > 0 {
		if s.Tokens, s.TokensHow = b.rule.Tokens, b.rule.How; s.TokensHow == "" {
			s.TokensHow = "by the image rules of " + b.rule.Model
		}
	}
	b.sections = append(b.sections, s)
}
