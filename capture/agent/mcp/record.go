package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// asked is the call as it is kept: the params of tools/call, {"name":…,"arguments":…}, with
// the arguments as they came. Withheld is what is typed, which may be a password, what
// has names that the tool does not know, and arguments that are no JSON object.
// Steps are kept as package step keeps them, so they are not the received bytes.
func (c *call) asked() turn.Payload {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"name":%q,"arguments":`, c.tool.name) // a name of ours: letters and _
	wire := true
	raw := bytes.TrimSpace(c.raw)
	names, values, err := members(raw)
	switch {
	case len(raw) == 0:
		b.WriteString("{}")
	case err != nil:
		b.WriteString(`"[redacted: no arguments]"`)
	default:
		for i, n := range names {
			b.WriteByte("{,"[min(i, 1)])
			key, _ := json.Marshal(n) // a string
			b.Write(key)
			b.WriteByte(':')
			switch {
			case n == "steps" && c.tool.name == runSteps:
				wire = false
				b.Write(c.typedSteps())
			case c.tool.withholds(n), n == "key" && isCharacter(values[i]), n == "expect" && tellsValue(values[i]):
				b.WriteString(`"[redacted: typed]"`)
			default:
				b.Write(values[i])
			}
		}
		if len(names) == 0 {
			b.WriteByte('{')
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	body, spans := redact.Body(b.Bytes(), c.redactor)
	return turn.Payload{
		Dialect: dialect, Way: turn.Request, Media: "application/json", Bytes: body, Wire: wire, Redacted: spans,
	}
}

// isCharacter reports whether a key is one that types: a part of what a person would type.
func isCharacter(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil && utf8.RuneCountInString(s) == 1
}

// tellsValue reports whether an expectation contains the value that a field shall have, which
// is what was typed into it.
func tellsValue(expect json.RawMessage) bool {
	names, values, err := members(expect)
	if err != nil {
		return false
	}
	for i, n := range names {
		if n == "value" || values[i][0] == '{' && tellsValue(values[i]) {
			return true
		}
	}
	return false
}

// typedSteps are the steps of run_steps without what they type.
func (c *call) typedSteps() json.RawMessage {
	withheld := json.RawMessage(`"[redacted: steps that could not be read]"`)
	if c.command == nil {
		return withheld
	}
	raw, err := c.command.Redacted()
	var of struct{ Steps json.RawMessage }
	if err != nil || json.Unmarshal(raw, &of) != nil {
		return withheld
	}
	return of.Steps
}

// steps is what the turn records as requested: the tool, its arguments as they are
// kept, and the resulting steps, as those of a run.
func (c *call) steps() (json.RawMessage, error) {
	var out struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Tab       string          `json:"tab,omitempty"`
		Steps     json.RawMessage `json:"steps,omitempty"`
	}
	if err := json.Unmarshal(c.asked().Bytes, &out); err != nil {
		return nil, fmt.Errorf("reading the call that is kept: %w", err)
	}
	out.Tool = c.tool.name
	if c.command != nil {
		raw, err := c.command.Redacted()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, &out); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	return redact.JSON(b, c.redactor)
}

// action describes in one line what was done, for the list of turns.
func (c *call) action() string {
	if c.plan == nil || c.plan.ref == "" {
		return c.tool.name
	}
	if n := element.Number(string(c.plan.ref)); n > 0 {
		return fmt.Sprintf("%s @e%d", c.tool.name, n)
	}
	return c.tool.name + " " + string(c.plan.ref)
}

// members are the names and values of a JSON object, in their order.
func members(raw json.RawMessage) (names []string, values []json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if first, err := dec.Token(); err != nil || first != json.Delim('{') {
		return nil, nil, errors.New("it is not a JSON object")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, nil, err
		}
		names, values = append(names, name.(string)), append(values, v) // a key is a string, or Token would have failed
	}
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("something follows the object")
	}
	return names, values, nil
}
