package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// schemaOf is the JSON Schema (2020-12) of the arguments that are read into In; the SDK checks what clients send
// against it. Package jsonschema reads the tags json (omitempty: it may be left out) and jsonschema (what it is,
// for the model). These are read here:
//
//	about    what it is, on a blank field above it, where a line has no room for jsonschema
//	enum     what a string may be, with commas between; "formats" are the text formats
//	min, max of a number
//	default  as JSON
//	steps    it is a list of steps: each is named, with what it does
//	secret   it is what a person would type, so it may be a secret and no turn has it: writeOnly
func schemaOf[In any]() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[element.Text]():    {Types: []string{"integer", "string"}},
		reflect.TypeFor[json.RawMessage](): {Type: "object"},
	}})
	if err != nil {
		return nil, err
	}
	for _, f := range fieldsOf(reflect.TypeFor[In]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil {
			continue
		}
		if len(p.Types) == 2 && p.Types[0] == "null" { // a missing list is left out
			p.Type, p.Types = p.Types[1], nil
		}
		if about := f.Tag.Get("about"); about != "" {
			p.Description = about
		}
		for _, e := range enumOf(f.Tag.Get("enum")) {
			p.Enum = append(p.Enum, e)
		}
		if p.Minimum, err = bound(f.Tag.Get("min")); err != nil {
			return nil, err
		}
		if p.Maximum, err = bound(f.Tag.Get("max")); err != nil {
			return nil, err
		}
		if d := f.Tag.Get("default"); d != "" {
			p.Default = json.RawMessage(d)
		}
		if f.Tag.Get("steps") != "" {
			p.Items = oneStep()
		}
		p.WriteOnly = f.Tag.Get("secret") != ""
	}
	return s, nil
}

// fieldsOf are the fields of a struct of arguments, and of those embedded in it. The tags of a blank field are those of
// the field below it too, where one line has no room for them.
func fieldsOf(t reflect.Type) (out []reflect.StructField) {
	var above reflect.StructTag
	for f := range t.Fields() {
		switch {
		case f.Name == "_":
			above = f.Tag + " "
		case f.Anonymous:
			out = append(out, fieldsOf(f.Type)...)
		default:
			f.Tag, above = above+f.Tag, ""
			out = append(out, f)
		}
	}
	return out
}

// oneStep is the schema of a step: what each is called and does. What it takes, and which one was meant by a wrong
// name, is said by the error of one that is wrong; the whole schema is a resource.
func oneStep() *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{}}
	for _, d := range step.Table() {
		s.Properties[d.Name] = &jsonschema.Schema{Description: d.Summary}
		s.PropertyOrder = append(s.PropertyOrder, d.Name)
	}
	return s
}

func enumOf(tag string) []string {
	if tag != "formats" {
		return strings.FieldsFunc(tag, func(r rune) bool { return r == ',' })
	}
	var out []string
	for _, f := range format.Names() {
		out = append(out, string(f))
	}
	return out
}

func bound(tag string) (*float64, error) {
	if tag == "" {
		return nil, nil
	}
	n, err := strconv.ParseFloat(tag, 64)
	return &n, err
}

// The parts of the SDK's sentence about arguments that are not what the schema wants.
var (
	wrongPlace = regexp.MustCompile(
		`^validating "arguments": (?:validating root: )?(?:validating /properties/([^/:]+)[^:]*: )?`)
	wrongType = regexp.MustCompile(`^type: (?s:.*) has type "(\w+)", want `)
)

// explain describes what is wrong with the arguments of a call, from the SDK's error: which parameter, and what is
// allowed. Values are not repeated, for they may be secrets.
func (t *tool) explain(sentence string) string {
	m := wrongPlace.FindStringSubmatch(sentence)
	if m == nil {
		return t.name + ": the arguments cannot be read: want a JSON object"
	}
	why := sentence[len(m[0]):]
	switch p := t.schema.Properties[m[1]]; {
	case p != nil:
		s := fmt.Sprintf("%s: parameter %q: want %s", t.name, m[1], wanted(p))
		if kind := wrongType.FindStringSubmatch(why); kind != nil {
			s += ", not " + kind[1]
		}
		return s
	case strings.HasPrefix(why, "unmarshaling "):
		return t.name + ": the arguments are no JSON object"
	}
	why = strings.TrimPrefix(why, "required: ")
	return text.Cut(text.Line(fmt.Sprintf("%s: %s: it takes %s", t.name, why, t.takes())), 1000)
}

// wanted describes the allowed values of a parameter.
func wanted(p *jsonschema.Schema) string {
	switch {
	case len(p.Enum) > 0:
		return "one of " + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(p.Enum), "[]")), ", ")
	case p.Minimum != nil && p.Maximum != nil:
		return fmt.Sprintf("%s from %.0f to %.0f", p.Type, *p.Minimum, *p.Maximum)
	case p.Type == "":
		return strings.Join(p.Types, " or ")
	}
	return p.Type
}

// takes names the parameters, those that must be there first.
func (t *tool) takes() string {
	var must, may []string
	for _, name := range t.schema.PropertyOrder {
		if slices.Contains(t.schema.Required, name) {
			must = append(must, name)
		} else {
			may = append(may, name+" (optional)")
		}
	}
	if len(must)+len(may) == 0 {
		return "none"
	}
	return strings.Join(append(must, may...), ", ")
}

// withholds reports whether a turn does not keep an argument: what is typed, and what the tool does not know.
func (t *tool) withholds(name string) bool {
	p := t.schema.Properties[name]
	return p == nil || p.WriteOnly
}
