package payload

import (
	"encoding/json"
	"fmt"
)

// Section is a named part of a body: one JSON value.
type Section struct {
	// Name is the kind of the part: system, history, query, dump, environment (dddk's last
	// message, the page), legend, image, model; in a dialect whose fields have names, the
	// field's. [Structure] is what is between.
	Name      string `json:"name"`
	Start     int    `json:"start"` // byte offset in Body; the quotes of a string are inside
	End       int    `json:"end"`   // byte offset behind it
	Bytes     int    `json:"bytes"` // End - Start: as it is in the body
	Chars     int    `json:"chars"` // characters of the decoded text, base64 as it is
	Tokens    int    `json:"tokens"`
	TokensHow string `json:"tokensHow"` // how Tokens came about
	// Width and Height are a picture's size in image px.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
}

// Structure is the name of the parts of a body that are no section: the braces, keys and
// fixed words of the dialect.
const Structure = "structure"

// The values of Section.TokensHow; a picture's may also be ImageRule.How. With
// Input.Counter, the bodies of OpenAI are counted; for the others the same count is the
// best estimate there is, because their tokenizers are not public or their model is not
// known (P-4).
const (
	HowEstimated = "estimate: characters / 4"
	HowCounted   = "counted: o200k_base"
	HowBorrowed  = "estimate: counted with o200k_base, which is not this model's own"
	HowImage     = "not counted: depends on the model's rules for images"
	HowStructure = "not counted: each vendor makes tokens of its own of the structure"
)

// Value is the section as it is in the body: a JSON value.
func (p *Payload) Value(s Section) []byte { return p.Body[s.Start:s.End] }

// Text is the section without the spelling of JSON: the text of a string, any other value
// as it is.
func (p *Payload) Text(s Section) (string, error) {
	v := p.Value(s)
	if len(v) == 0 || v[0] != '"' {
		return string(v), nil
	}
	var text string
	if err := json.Unmarshal(v, &text); err != nil {
		return "", fmt.Errorf("section %s of payload %s: %w", s.Name, p.Dialect, err)
	}
	return text, nil
}

// Parts are the sections with the structure between them: they tile the body, each byte
// of it in exactly one part.
func (p *Payload) Parts() []Section {
	out := make([]Section, 0, 2*len(p.Sections)+1)
	at := 0
	gap := func(to int) {
		if to > at {
			out = append(out, Section{Name: Structure, Start: at, End: to, Bytes: to - at, Chars: to - at,
				TokensHow: HowStructure})
		}
	}
	for _, s := range p.Sections {
		gap(s.Start)
		out = append(out, s)
		at = s.End
	}
	gap(len(p.Body))
	return out
}

// Tokens is the cost of all sections together. Exact is false where any of them is an
// estimate or was not counted. What the vendor adds for each message, the structure, is
// never in it.
func (p *Payload) Tokens() (n int, exact bool) {
	exact = len(p.Sections) > 0
	for _, s := range p.Sections {
		n += s.Tokens
		exact = exact && s.TokensHow == HowCounted
	}
	return n, exact
}
