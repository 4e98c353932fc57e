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

// Schema is the JSON Schema (2020-12) of a command, from the declared parameters. What the rules between parameters
// refuse is checked by the program.
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
		if !slices.Contains(d.Shapes(), "object") { // else its members are names of the writer's
			object.AdditionalProperties = nothing()
		}
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
		for _, shape := range d.Shapes() {
			if shape != "object" {
				p.AnyOf = append(p.AnyOf, short(shape, object.PropertyOrder))
			}
		}
		one.Properties[d.Name] = p
		one.PropertyOrder = append(one.PropertyOrder, d.Name)
		one.OneOf = append(one.OneOf, &jsonschema.Schema{Type: "object", Required: []string{d.Name},
			Properties: map[string]*jsonschema.Schema{d.Name: {}}}) // strict validators want what is required named
	}
	least := 1
	return &jsonschema.Schema{Type: "object", Required: []string{"steps"}, Properties: map[string]*jsonschema.Schema{
		"tab":         {Type: "string", Description: "the alias of the tab, such as t1"},
		"timeout":     {Type: "number", Description: "ms for each step that names none"},
		"stopOnError": {Type: "boolean", Description: "false runs the steps after one that failed too"},
		"steps":       {Type: "array", MinItems: &least, Items: one, Description: "what is done, in turn"},
	}, PropertyOrder: []string{"tab", "timeout", "stopOnError", "steps"}, AdditionalProperties: nothing()}
}

// short is the schema of parameters in another shape than an object of them, whose names are given.
func short(shape string, names []string) *jsonschema.Schema {
	switch shape {
	case "true":
		return &jsonschema.Schema{Type: "boolean", Enum: []any{true}}
	case "map":
		var own []any
		for _, name := range names {
			own = append(own, name)
		}
		return &jsonschema.Schema{Type: "object",
			PropertyNames: &jsonschema.Schema{Not: &jsonschema.Schema{Enum: own}}}
	}
	return &jsonschema.Schema{Type: shape}
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
