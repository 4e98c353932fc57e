package step

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/script"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// Schema is the JSON Schema (2020-12) of a command, from the declared parameters. What a step takes beside an object,
// such as a selector alone, and the members that are names of the page's, such as fill's selectors, are checked by the
// program.
func Schema() *jsonschema.Schema {
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
	for _, d := range Table() {
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

// SchemaOf is the schema of what one step takes, nil for a step that there is not.
func SchemaOf(name string) *jsonschema.Schema {
	if !slices.ContainsFunc(Table(), func(d stepdef.StepDef) bool { return d.Name == name }) {
		return nil
	}
	return Schema().Properties["steps"].Items.Properties[name]
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
