package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/refscope/refscope/capture/step/param"
)

// Draft is the text of a person for an open tab: a command, a list of steps, or
// one step alone.
type Draft struct {
	Command *Command // nil where Err is not
	// Input is the command as [Parse] was given it, with the tab.
	Input []byte
	// Err is what is wrong, of type [*Error]; Line and Column are its position, from 1 and
	// in characters, 0 if unknown.
	Err          error
	Line, Column int
	// Unfinished: all of it is right so far, and it only ends too early.
	Unfinished bool
}

// ReadDraft reads what a person wrote; target is the id of the tab that it is for. A
// draft that names a tab is an error: it would not run where the person looks.
func ReadDraft(text []byte, target string) Draft {
	var d Draft
	fail := func(err error, at int) Draft {
		d.Err = err
		if at >= 0 {
			d.Line, d.Column = whereIs(text, at)
		}
		return d
	}
	body := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if len(body) == 0 || len(body) > MaxInput {
		_, err := Parse(body)
		return fail(err, -1)
	}
	var raw json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			at := int(min(max(s.Offset-1, 0), int64(len(text))))
			d.Unfinished = s.Offset >= int64(len(text)) && s.Error() == "unexpected end of JSON input"
			return fail(&Error{Type: TypeParse, Err: fmt.Errorf("this is not JSON: %w", err)}, at)
		}
		return fail(&Error{Type: TypeParse, Err: err}, -1)
	}
	var values map[string]json.RawMessage
	steps := body
	switch param.Shape(body) {
	case "array":
	case "object":
		_, v, err := param.Members(body)
		if err != nil {
			return fail(&Error{Type: TypeParse, Err: err}, -1)
		}
		if values = v; values["steps"] == nil {
			steps, values = bytes.Join([][]byte{[]byte("["), body, []byte("]")}, nil), nil
		} else {
			steps = values["steps"]
		}
	default:
		return fail(invalid(0, "want a step such as {\"click\":\"#id\"}, or {\"steps\":[…]}, not %s",
			param.Article(param.Shape(body))), 0)
	}
	if values["tab"] != nil {
		return fail(invalid(0, "the steps run in the tab of the window: leave tab out"),
			bytes.Index(text, []byte(`"tab"`)))
	}
	if values == nil {
		values = map[string]json.RawMessage{}
	}
	name, err := json.Marshal(target)
	if err != nil {
		return fail(&Error{Type: TypeParse, Err: err}, -1)
	}
	values["tab"], values["steps"] = name, steps
	if d.Input, err = json.Marshal(values); err != nil {
		return fail(&Error{Type: TypeParse, Err: err}, -1)
	}
	if d.Command, err = Parse(d.Input); err == nil {
		return d
	}
	d.Command = nil
	if e, ok := errors.AsType[*Error](err); ok && e.Step > 0 {
		return fail(err, stepAt(text, e.Step))
	}
	return fail(err, -1)
}

// stepAt is the offset in bytes of the n-th step, counted from 1; -1 if unknown.
func stepAt(text []byte, n int) int {
	d := json.NewDecoder(bytes.NewReader(text))
	t, err := d.Token()
	if err != nil {
		return -1
	}
	if t == json.Delim('{') {
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return -1
			}
			if key == "steps" {
				if t, err = d.Token(); err != nil {
					return -1
				}
				break
			}
			var skipped json.RawMessage
			if d.Decode(&skipped) != nil {
				return -1
			}
		}
		if t != json.Delim('[') { // one step alone
			return bytes.IndexByte(text, '{')
		}
	}
	for i := 1; i < n && d.More(); i++ {
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return -1
		}
	}
	at := int(d.InputOffset())
	for at < len(text) && bytes.IndexByte([]byte(" \t\r\n,"), text[at]) >= 0 {
		at++
	}
	return at
}

// whereIs is line and column of a byte, from 1 and in characters.
func whereIs(text []byte, at int) (line, column int) {
	before := text[:min(max(at, 0), len(text))]
	line = bytes.Count(before, []byte("\n")) + 1
	return line, len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:]))) + 1
}

// Types reports whether a step of the command may put a text into the page.
func (c *Command) Types() bool {
	return slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Def.Scripts || s.Def.TakesSecrets() })
}
