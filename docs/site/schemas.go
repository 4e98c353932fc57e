package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/turn"
)

// draft is the dialect of JSON Schema that all of them are in.
const draft = "https://json-schema.org/draft/2020-12/schema"

// base is where the schemas can be fetched from, so that each has an address of its own.
const base = "https://raw.githubusercontent.com/refscope/refscope/main/docs/schemas/"

// schemas are the files of docs/schemas by their names.
func schemas() (map[string][]byte, error) {
	session, oneTurn := turn.Documents()
	files := map[string][]byte{}
	for _, d := range []struct {
		name, title string
		of          reflect.Type
		version     string // what the document says of itself
	}{
		{"capture", "A capture", reflect.TypeFor[snapshot.Capture](), snapshot.Schema},
		{"manifest", "The manifest of a marked picture", reflect.TypeFor[overlay.Manifest](), "refscope.marks/1"},
		{"session", "session.json of a session folder", session, "refscope.session/1"},
		{"turn", "turn.json of a turn in a session folder", oneTurn, ""},
		{"findings", "A report of refscopectl audit --json", reflect.TypeFor[audit.Report](), audit.Schema},
		{"sent", "A line of refscopectl audit --as-sent --json", reflect.TypeFor[inspect.SentAudit](),
			audit.SentSchema},
		{"sentdiff", "What refscopectl diff --as-sent --json prints", reflect.TypeFor[inspect.SentDiff](),
			"refscope.sentdiff/1"},
		{"doctor", "A report of refscopectl doctor --json", reflect.TypeFor[doctor.Report](), doctor.Schema},
	} {
		s, err := jsonschema.ForType(d.of, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[json.RawMessage](): {},
		}})
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", d.name, err)
		}
		open(s)
		title := d.title
		if d.version != "" {
			if err := isVersion(s, d.version); err != nil {
				return nil, fmt.Errorf("schema of %s: %w", d.name, err)
			}
			title += ", " + d.version
		}
		if err := add(files, d.name, title, s); err != nil {
			return nil, err
		}
	}
	return files, add(files, "steps", "A command of refscopectl run", stepsSchema())
}

// isVersion holds the member of a document that says its version to its one value.
func isVersion(s *jsonschema.Schema, version string) error {
	p := cmp.Or(s.Properties["schema"], s.Properties["format"])
	if p == nil {
		return errors.New("no member says the version")
	}
	var v any = version
	p.Const, p.Description = &v, "the version of this shape; members are added to it and none is taken away"
	return nil
}

func add(files map[string][]byte, name, title string, s *jsonschema.Schema) error {
	s.Schema, s.ID, s.Title = draft, base+name+".schema.json", title
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
			"optional": {Type: "boolean", Description: "go on where it fails"},
			"timeout":  {Type: "number", Description: "ms"},
		}, PropertyOrder: []string{"optional", "timeout"}, AdditionalProperties: nothing()}
	hooks := reflect.TypeFor[script.Hooks]()
	for f := range hooks.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		one.Properties[name] = &jsonschema.Schema{Type: "string", Description: f.Tag.Get("what")}
		one.PropertyOrder = append(one.PropertyOrder, name)
	}
	for _, d := range step.Table() {
		p := &jsonschema.Schema{Description: d.Summary}
		object := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
		for _, f := range d.Forms {
			if v := json.RawMessage(f.Example()); json.Valid(v) {
				var example any
				if json.Unmarshal(v, &example) == nil {
					p.Examples = append(p.Examples, example)
				}
			}
		}
		for _, m := range d.Params() {
			object.Properties[m.Name] = parameter(m)
			object.PropertyOrder = append(object.PropertyOrder, m.Name)
		}
		p.AnyOf = []*jsonschema.Schema{object}
		for _, short := range []string{"string", "number", "boolean", "null", "array"} {
			p.AnyOf = append(p.AnyOf, &jsonschema.Schema{Type: short})
		}
		one.Properties[d.Name] = p
		one.PropertyOrder = append(one.PropertyOrder, d.Name)
		one.OneOf = append(one.OneOf, &jsonschema.Schema{Type: "object", Required: []string{d.Name},
			Properties: map[string]*jsonschema.Schema{d.Name: {}}}) // validators that are strict want what is required named
	}
	least := 1
	return &jsonschema.Schema{Type: "object", Required: []string{"steps"}, Properties: map[string]*jsonschema.Schema{
		"tab":         {Type: "string", Description: "the alias of the tab, such as t1"},
		"timeout":     {Type: "number", Description: "ms for each step that names none"},
		"stopOnError": {Type: "boolean", Description: "false runs the steps after one that failed too"},
		"steps":       {Type: "array", MinItems: &least, Items: one},
	}, PropertyOrder: []string{"tab", "timeout", "stopOnError", "steps"}, AdditionalProperties: nothing()}
}

// nothing is the schema that no value fits.
func nothing() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

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
		s.AnyOf = []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}
	}
	if s.Type == "string" {
		for _, c := range m.Choices {
			s.Enum = append(s.Enum, c)
		}
	}
	return s
}
