package runs

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Texts are what a turn's payloads hold, for people: what the model was given, each section
// under its name, and what it answered. Pictures are their kind and size. They are whole, with
// times, ids and numbers, and not made harmless.
func Texts(payloads []turn.Payload) (given, answered string) {
	var in, out strings.Builder
	for i := range payloads {
		p := &payloads[i]
		if !isGiven(p) {
			out.WriteString(answerText(p) + "\n")
			continue
		}
		for _, s := range sections(p) {
			in.WriteString("── " + s.label + "\n" + s.text + "\n")
		}
	}
	return strings.TrimSuffix(in.String(), "\n"), strings.TrimSuffix(out.String(), "\n")
}

// answerText is what a model answered: its words and its calls, or else the payload, indented
// where it is JSON.
func answerText(p *turn.Payload) string {
	var a *wire.Answer
	if slices.Contains(wire.Models(), p.Dialect) {
		a, _ = wire.ReadAnswer(p.Dialect, p.Bytes) // what cannot be read is shown as it is
	}
	if a != nil {
		var lines []string
		for _, s := range []string{a.Error, a.Text} {
			if s != "" {
				lines = append(lines, s)
			}
		}
		for _, c := range a.Calls {
			lines = append(lines, c.Name+" "+string(c.Arguments))
		}
		return strings.Join(lines, "\n")
	}
	var b bytes.Buffer
	if json.Indent(&b, p.Bytes, "", "  ") == nil {
		return b.String()
	}
	return string(p.Bytes)
}
