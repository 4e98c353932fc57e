package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// kind is what a parameter takes, by JSON Schema's words.
type kind string

const (
	integer kind = "integer"
	text    kind = "string"
	boolean kind = "boolean"
	object  kind = "object"
	list    kind = "array" // of objects
)

// param is one parameter of a tool. The schema that clients see and the check of what
// they send come from it.
type param struct {
	name     string
	kind     kind
	what     string // for the model that reads the schema
	required bool
	enum     []string
	min, max int // of integers, where max is not 0
	// typed: it is what a person would type, so it may be a secret, and no turn has it.
	typed bool
}

// want says in words what the parameter takes.
func (p *param) want() string {
	switch {
	case len(p.enum) > 0:
		return "one of " + strings.Join(p.enum, ", ")
	case p.kind == integer && p.max != 0:
		return fmt.Sprintf("a whole number from %d to %d", p.min, p.max)
	case p.kind == integer:
		return "a whole number"
	case p.kind == text:
		return "a string"
	case p.kind == boolean:
		return "true or false"
	case p.kind == list:
		return "a list of objects"
	}
	return "an object"
}

// args are the arguments of a call that were found to be what the tool takes.
type args map[string]any

func (a args) str(name string) string { s, _ := a[name].(string); return s }
func (a args) num(name string) int    { n, _ := a[name].(int); return n }
func (a args) is(name string) bool    { b, _ := a[name].(bool); return b }
func (a args) has(name string) bool   { _, ok := a[name]; return ok }

// or is a boolean, or what it is where it was not given.
func (a args) or(name string, otherwise bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return otherwise
}

// ArgumentError: an argument of a call is not what the tool takes.
type ArgumentError struct {
	Tool  string
	Param string // "" for the arguments as a whole
	Why   string
}

func (e *ArgumentError) Error() string {
	if e.Param == "" {
		return e.Tool + ": " + e.Why
	}
	return fmt.Sprintf("%s: parameter %q: %s", e.Tool, e.Param, e.Why)
}

// read checks the arguments of a call.
func (t *tool) read(raw json.RawMessage) (args, error) {
	out := args{}
	wrong := func(param, format string, v ...any) error {
		return &ArgumentError{t.name, param, fmt.Sprintf(format, v...)}
	}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	names, values, err := members(raw)
	if err != nil {
		return nil, wrong("", "the arguments are no JSON object: %v", err)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, wrong(name, "it is given twice")
		}
		k := slices.IndexFunc(t.params, func(p param) bool { return p.name == name })
		if k < 0 {
			return nil, wrong(name, "there is no such parameter: %s takes %s", t.name, t.takes())
		}
		p := &t.params[k]
		v, err := p.read(values[i])
		if err != nil {
			return nil, wrong(name, "want %s, not %s", p.want(), err)
		}
		out[name] = v
	}
	for _, p := range t.params {
		if p.required && !out.has(p.name) {
			return nil, wrong(p.name, "it is missing: give %s (%s)", p.want(), p.what)
		}
	}
	return out, nil
}

// takes names the parameters, those that must be there first.
func (t *tool) takes() string {
	if len(t.params) == 0 {
		return "none"
	}
	var must, may []string
	for _, p := range t.params {
		if p.required {
			must = append(must, p.name)
		} else {
			may = append(may, p.name+" (optional)")
		}
	}
	return strings.Join(append(must, may...), ", ")
}

// read is the value, and else, as an error, what the value is.
func (p *param) read(raw json.RawMessage) (any, error) {
	switch p.kind {
	case integer:
		var n float64
		if raw[0] == '"' || json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
			return nil, errors.New(brief(raw))
		}
		if p.max != 0 && (n < float64(p.min) || n > float64(p.max)) {
			return nil, errors.New(brief(raw))
		}
		return int(n), nil
	case text:
		var s string
		if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
			return nil, errors.New(brief(raw))
		}
		if len(p.enum) > 0 && !slices.Contains(p.enum, s) {
			return nil, errors.New(brief(raw))
		}
		return s, nil
	case boolean:
		var b bool
		if raw[0] == 'n' || json.Unmarshal(raw, &b) != nil {
			return nil, errors.New(brief(raw))
		}
		return b, nil
	case list:
		var l []map[string]json.RawMessage
		if raw[0] != '[' || json.Unmarshal(raw, &l) != nil {
			return nil, errors.New(brief(raw))
		}
		return raw, nil
	}
	if raw[0] != '{' {
		return nil, errors.New(brief(raw))
	}
	return raw, nil
}

// brief is a JSON value as an error may show it: not what may be a secret, nor what is long.
func brief(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil && len(s) <= 40 {
			return "the string " + strconv.QuoteToGraphic(s)
		}
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	if len(raw) > 40 {
		return "a number"
	}
	return string(raw)
}

// members are the names and values of a JSON object, in their order.
func members(raw json.RawMessage) (names []string, values []json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	first, err := dec.Token()
	if err != nil {
		return nil, nil, err
	}
	if first != json.Delim('{') {
		return nil, nil, errors.New("it is " + brief(raw))
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		s, ok := name.(string)
		var v json.RawMessage
		if !ok {
			return nil, nil, errors.New("a name is missing")
		}
		if err := dec.Decode(&v); err != nil {
			return nil, nil, err
		}
		names, values = append(names, s), append(values, v)
	}
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("something stands behind the object")
	}
	return names, values, nil
}

// schema is the tool's input as JSON Schema (2020-12).
func (t *tool) schema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range t.params {
		s := map[string]any{"type": string(p.kind), "description": p.what}
		if len(p.enum) > 0 {
			s["enum"] = p.enum
		}
		if p.kind == integer && p.max != 0 {
			s["minimum"], s["maximum"] = p.min, p.max
		}
		if p.kind == list {
			s["items"] = map[string]any{"type": "object"}
		}
		properties[p.name] = s
		if p.required {
			required = append(required, p.name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
