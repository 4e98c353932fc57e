package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
)

// draft is the dialect of JSON Schema that all of them are in.
const draft = "https://json-schema.org/draft/2020-12/schema"

// schemas are the files of docs/schemas by their names.
func schemas() (map[string][]byte, error) {
	session, oneTurn := turn.Documents()
	files := map[string][]byte{}
	for _, d := range []struct {
		name, title string
		of          reflect.Type
	}{
		{"capture", "A capture, " + snapshot.Schema, reflect.TypeFor[snapshot.Capture]()},
		{"manifest", "The manifest of a marked picture, refscope.marks/1", reflect.TypeFor[overlay.Manifest]()},
		{"session", "session.json of a session folder, refscope.session/1", session},
		{"turn", "turn.json of a turn in a session folder", oneTurn},
		{"findings", "A report of refscopectl audit --json, " + audit.Schema, reflect.TypeFor[audit.Report]()},
		{"sent", "A line of refscopectl audit --as-sent --json, " + audit.SentSchema, reflect.TypeFor[inspect.SentAudit]()},
		{"sentdiff", "What refscopectl diff --as-sent --json prints, refscope.sentdiff/1", reflect.TypeFor[inspect.SentDiff]()},
		{"doctor", "A report of refscopectl doctor --json, " + doctor.Schema, reflect.TypeFor[doctor.Report]()},
	} {
		s, err := jsonschema.ForType(d.of, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[json.RawMessage](): {},
		}})
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", d.name, err)
		}
		open(s)
		if err := add(files, d.name, d.title, s); err != nil {
			return nil, err
		}
	}
	return files, add(files, "steps", "A command of refscopectl run", stepsSchema())
}

func add(files map[string][]byte, name, title string, s *jsonschema.Schema) error {
	s.Schema, s.Title = draft, title
	body, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("schema of %s: %w", name, err)
	}
	files[name+".schema.json"] = append(body, '\n')
	return nil
}

// open permits members that the schema does not know: later versions add some.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	open(s.Items)
	open(s.AdditionalProperties)
	for _, p := range s.Properties {
		open(p)
	}
	for _, p := range s.PrefixItems {
		open(p)
	}
	for _, p := range s.Defs {
		open(p)
	}
}

// stepsSchema is the schema of a command, from the declared parameters. What a step takes beside an object, such as a
// selector alone, and the members that are names of the page's, such as fill's selectors, are checked by the program.
func stepsSchema() *jsonschema.Schema {
	one := &jsonschema.Schema{Type: "object", Description: "one step: an action, and beside it optional and timeout",
		Properties: map[string]*jsonschema.Schema{
			"optional": {Type: "boolean"}, "timeout": {Type: "number", Description: "ms"},
		}, PropertyOrder: []string{"optional", "timeout"}}
	for _, d := range step.Table() {
		p := &jsonschema.Schema{Description: d.Summary, Properties: map[string]*jsonschema.Schema{}}
		for _, f := range d.Forms {
			if v := json.RawMessage(f.Example()); json.Valid(v) {
				var example any
				if json.Unmarshal(v, &example) == nil {
					p.Examples = append(p.Examples, example)
				}
			}
		}
		for _, m := range d.Params() {
			p.Properties[m.Name] = parameter(m)
			p.PropertyOrder = append(p.PropertyOrder, m.Name)
		}
		one.Properties[d.Name] = p
		one.PropertyOrder = append(one.PropertyOrder, d.Name)
	}
	least := 1
	return &jsonschema.Schema{Type: "object", Required: []string{"steps"}, Properties: map[string]*jsonschema.Schema{
		"tab":         {Type: "string", Description: "the alias of the tab, such as t1"},
		"timeout":     {Type: "number", Description: "ms for each step that names none"},
		"stopOnError": {Type: "boolean", Description: "false runs the steps after one that failed too"},
		"steps":       {Type: "array", MinItems: &least, Items: one},
	}, PropertyOrder: []string{"tab", "timeout", "stopOnError", "steps"}}
}

// parameter is the schema of one parameter. The declared types are in words.
func parameter(m param.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: m.What, WriteOnly: m.Secret}
	switch m.Type {
	case "string", "number": // an object may be written short, as true or a text
		s.Type = m.Type
	case "whole number":
		s.Type = "integer"
	case "true or false":
		s.Type = "boolean"
	case "list":
		s.Type = "array"
	case "string or number":
		s.Types = []string{"string", "number"}
	}
	if s.Type == "string" {
		for _, c := range m.Choices {
			s.Enum = append(s.Enum, c)
		}
	}
	return s
}
