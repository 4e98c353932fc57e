package payload

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
)

// Payload is one body: a request, or the answer of a tool.
type Payload struct {
	Dialect string
	Body    []byte
	SHA256  string // of Body, hexadecimal
	// Sections are in the order of the body and do not overlap; see [Payload.Parts].
	Sections []Section
	// Redacted are the places of the body that do not hold what the page held.
	Redacted []redact.Span
	// Trimmed describes what a token limit took out.
	Trimmed []string
}

// dialect is how a body is made.
type dialect struct {
	name  string
	build func(*body, Input) error
	// own: the page is written in a format of the dialect's own, so that no other can be
	// requested.
	own bool
	// picture: with this input the body has the picture; nil for never.
	picture func(Input) bool
	// openAI: tokens are o200k_base's.
	openAI bool
	// takes are the inputs that the body depends on, see [Takes].
	takes string
}

func dialects() []dialect {
	always := func(Input) bool { return true }
	const vendor = "model query system dump no-image compat"
	return []dialect{
		{name: "agent-interact", build: agentInteract, own: true, picture: agentPicture,
			takes: "query mode no-image compat"},
		{name: "dddk", build: dddk, takes: "query system dump max-prompt-tokens compat"},
		{name: "domtool", build: domtool, own: true, takes: "compat"},
		{name: "wraith", build: wraith, own: true, takes: "compat"},
		{name: "cdp-skill", build: cdpSkill, own: true, takes: "before tab screenshot full-snapshot compat"},
		{name: "openai-chat", build: openAIChat, picture: always, openAI: true, takes: vendor + " detail"},
		{name: "openai-responses", build: openAIResponses, picture: always, openAI: true, takes: vendor + " detail"},
		{name: "anthropic", build: anthropic, picture: always, takes: vendor + " max-tokens"},
		{name: "gemini", build: gemini, picture: always, takes: vendor + " detail"}, // its model is in the address
		{name: "qwen", build: qwen, picture: always, takes: vendor},
	}
}

// Takes lists the inputs that a body of the dialect depends on, by the names that the command line has for them: model,
// query, system, mode, dump, detail, max-prompt-tokens, max-tokens, no-image, compat, and of cdp-skill's answer before,
// tab, screenshot, full-snapshot. A door refuses the others: they would change nothing.
func Takes(name string) []string { return strings.Fields(dialectOf(name).takes) }

// Dialects lists the dialects that [Build] knows.
func Dialects() []string {
	var names []string
	for _, d := range dialects() {
		names = append(names, d.name)
	}
	return names
}

// dialectOf is the dialect with that name, the zero one where there is none.
func dialectOf(name string) dialect {
	for _, d := range dialects() {
		if d.name == name {
			return d
		}
	}
	return dialect{}
}

// WantsPicture reports whether the body that Build would make of the input has a
// picture, so that none is drawn for nothing. It looks at the mode and the switches, not
// at the pictures.
func WantsPicture(name string, in Input) bool {
	d := dialectOf(name)
	return !in.NoImage && d.picture != nil && d.picture(in)
}

// Build makes the body in that dialect. Errors name the dialect and describe what is
// wrong with the input; an unknown dialect is an error that names the known ones.
func Build(name string, in Input) (*Payload, error) {
	d := dialectOf(name)
	switch {
	case d.build == nil:
		return nil, fmt.Errorf("payload dialect %q is not there; there are: %s", name, strings.Join(Dialects(), ", "))
	case in.Capture == nil:
		return nil, fmt.Errorf("payload %s: turn %d has no capture", name, in.Turn)
	case d.own && in.Dump != "":
		return nil, fmt.Errorf("payload %s: dump format %q cannot be chosen: the dialect has its own", name, in.Dump)
	case d.own && in.Sent != "":
		return nil, fmt.Errorf("payload %s: the text as it was sent cannot be chosen: the dialect has its own", name)
	}
	in.Model = cmp.Or(in.Model, DefaultModel)
	if in.Dump == "" {
		in.Dump = format.DDDK
	}
	in.Detail = cmp.Or(in.Detail, in.ImageRule.Detail)
	in.DumpOptions.Compat = in.DumpOptions.Compat || in.Compat
	b := &body{counter: in.Counter, how: HowBorrowed, rule: in.ImageRule}
	if d.openAI {
		b.how = HowCounted
	}
	if err := d.build(b, in); err != nil {
		return nil, fmt.Errorf("payload %s: %w", name, err)
	}
	p := &Payload{Dialect: name, Body: b.Out, SHA256: fmt.Sprintf("%x", sha256.Sum256(b.Out)), Sections: b.sections,
		Trimmed: b.trimmed}
	p.Redacted = redactedIn(p, in.Capture)
	return p, nil
}

// Dump is the text format that a stored body of the dialect has; "" where neither the dialect
// nor the body determines it.
func Dump(name string, stored []byte) dump.Format {
	switch name {
	case "dddk":
		return format.DDDK
	case "domtool":
		return format.DomTool
	case "wraith":
		return format.Wraith
	case "cdp-skill":
		return format.Aria
	case "agent-interact":
		switch f := dump.Format(domMode(stored)); f {
		case format.Semantic, format.Skeleton, format.Full:
			return f
		case format.Hybrid: // its request has the skeleton, and a picture
			return format.Skeleton
		}
	}
	return ""
}

// domMode is the mode of an agent-interact request, "" where it has none. It reads no further
// than that: a picture may follow.
func domMode(request []byte) string {
	d := json.NewDecoder(bytes.NewReader(request))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return ""
		}
		if key == "domMode" {
			var mode string
			_ = json.Unmarshal(value, &mode) // what is no string is no mode
			return mode
		}
	}
	return ""
}

// page is what every vendor's body contains about the page.
type page struct {
	system string // the host's prompt and the legend of the dump
	dump   string
	legend string   // of the marks, empty without a marked picture
	image  *picture // nil for none
}

// sentLegend stands in the place of a format's legend where the text is the agent's own.
const sentLegend = "The text lists the elements of a web page as the agent reads it, each with its id."

func pageOf(in Input) (page, error) {
	p := page{dump: in.Sent, system: sentLegend}
	if in.Sent == "" {
		d, err := format.Render(in.Capture, in.Dump, in.DumpOptions)
		if err != nil {
			return page{}, err
		}
		p = page{dump: d.Text, system: format.Legend(in.Dump, in.DumpOptions)}
	}
	if in.System != "" {
		p.system = in.System + "\n\n" + p.system
	}
	var err error
	p.image, err = pictureOf(in)
	if err == nil && p.image != nil && len(in.Marked) > 0 {
		p.legend = in.Legend
	}
	return p, err
}
