package param

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Param is one declared parameter, for help, completion and documentation.
type Param struct {
	Name string
	// Type is string, number, whole number, true or false, list or object.
	Type     string
	What     string
	Default  string   // as JSON or plain text, "" for none
	Bounds   string   // in words, "" for none
	Choices  []string // nil for any value
	Required bool
	Missing  string // the error's remark where a required one is missing, "" for none
	Secret   bool
	Finds    string // how it names an element: the tag finds; "" for one that names none
}

// Of lists the parameters that a struct declares, in their order.
func Of(t reflect.Type) []Param {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []Param
	s := specOf(t)
	for i := range s.fields {
		f := &s.fields[i]
		if f.name == "" {
			continue
		}
		out = append(out, Param{
			Name: f.name, Type: typeName(f.typ), What: f.tag.Get("what"), Default: f.tag.Get("default"),
			Bounds:  f.bounds(),
			Choices: f.choices(), Required: f.has("required"), Missing: f.tag.Get("required"), Secret: f.has("secret"),
			Finds: f.tag.Get("finds"),
		})
	}
	return out
}

// Shapes lists the JSON shapes that a struct's parameters may have beside an object of them: string, number, true,
// null, array, and object or map, one with other names: object where all objects are read so, map where no name is a
// parameter. A type whose own method reads it gives object.
func Shapes(t reflect.Type) []string {
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return []string{"object"}
	}
	s := specOf(t)
	out := slices.Clone(s.shapes)
	for i := range s.fields {
		if form := s.fields[i].tag.Get("form"); form != "" {
			out = append(out, strings.Split(form, ",")...)
		}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[Shorthand]()) {
		out = append(out, "string", "number")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Locator is a parameter that names an element, wherever in the parameters it is.
type Locator struct {
	// Path are the names from the outermost parameter to this one; "" is an entry of a list, or of a map whose keys
	// the writer chooses.
	Path []string
	Param
}

// Locators lists the parameters of a struct that name elements, also those inside other parameters.
func Locators(t reflect.Type) []Locator {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Slice {
		return below("", Locators(t.Elem()))
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	own := reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
	if values, ok := t.FieldByName("Values"); ok && own {
		return below("", Locators(values.Type.Elem())) // a Map
	}
	var out []Locator
	s := specOf(t)
	declared := Of(t)
	for i := range s.fields {
		f := &s.fields[i]
		inner := Locators(f.typ)
		if f.name != "" {
			inner = below(f.name, inner)
		}
		out = append(out, inner...)
		at := slices.IndexFunc(declared, func(p Param) bool { return p.Name == f.name })
		if at >= 0 && declared[at].Finds != "" {
			out = append(out, Locator{[]string{f.name}, declared[at]})
		}
	}
	return out
}

// below puts a name before the paths.
func below(name string, list []Locator) []Locator {
	for i := range list {
		list[i].Path = append([]string{name}, list[i].Path...)
	}
	return list
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return "string or number"
	case t == reflect.TypeFor[json.RawMessage](), reflect.PointerTo(t).Implements(reflect.TypeFor[Shorthand]()):
		return "any"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list"
	}
	return "object"
}

// Secret reports whether a struct declares a secret parameter, itself or inside another.
func Secret(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && slices.ContainsFunc(specOf(t).fields, func(f field) bool {
		return f.has("secret") || Secret(f.typ)
	})
}

// Veil is given parameters without the values that are declared secret: a text is replaced
// by how long it is. In parameters that hold secrets, what is not declared is veiled too; of
// those that are declared secret:"character" only a single character is, a key that types.
func Veil(t reflect.Type, raw json.RawMessage) json.RawMessage {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !Secret(t) {
		return raw
	}
	shape := Shape(raw)
	if t.Kind() == reflect.Slice && shape == "array" {
		return veilList(raw, func(e json.RawMessage) json.RawMessage { return Veil(t.Elem(), e) })
	}
	if t.Kind() != reflect.Struct {
		return veilAll(raw)
	}
	s := specOf(t)
	names, values, err := Members(raw)
	if err != nil {
		f := s.form(shape)
		switch {
		case f == nil && (shape == "bool" || shape == "null"):
			return raw
		case f == nil || f.has("secret"):
			return veilAs(f, raw)
		}
		return Veil(f.typ, raw)
	}
	return veilObject(names, func(n string) json.RawMessage {
		switch f := s.field(n); {
		case f == nil || f.has("secret"):
			return veilAs(f, values[n])
		default:
			return Veil(f.typ, values[n])
		}
	})
}

// veilAs veils a value as its field is declared; nil for one that is not.
func veilAs(f *field, raw json.RawMessage) json.RawMessage {
	var s string
	if f != nil && f.tag.Get("secret") == "character" && json.Unmarshal(raw, &s) == nil &&
		utf8.RuneCountInString(s) != 1 {
		return raw
	}
	return veilAll(raw)
}

func veilAll(raw json.RawMessage) json.RawMessage {
	switch Shape(raw) {
	case "array":
		return veilList(raw, veilAll)
	case "object":
		names, values, err := Members(raw)
		if err != nil {
			return json.RawMessage(`"[withheld]"`)
		}
		return veilObject(names, func(n string) json.RawMessage { return veilAll(values[n]) })
	case "string":
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return json.RawMessage(`"[withheld]"`)
		}
		return fmt.Appendf(nil, `"[%d characters]"`, utf8.RuneCountInString(s))
	case "number":
		return fmt.Appendf(nil, `"[%d characters]"`, len(bytes.TrimSpace(raw)))
	}
	return raw
}

func veilList(raw json.RawMessage, one func(json.RawMessage) json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return json.RawMessage(`"[withheld]"`)
	}
	for i := range list {
		list[i] = one(list[i])
	}
	return append(append([]byte{'['}, bytes.Join(bytesOf(list), []byte{','})...), ']')
}

func veilObject(names []string, value func(string) json.RawMessage) json.RawMessage {
	members := make([]json.RawMessage, len(names))
	for i, n := range names {
		key, err := json.Marshal(n)
		if err != nil {
			return json.RawMessage(`"[withheld]"`) // a string is always written
		}
		members[i] = append(append(key, ':'), value(n)...)
	}
	return append(append([]byte{'{'}, bytes.Join(bytesOf(members), []byte{','})...), '}')
}

func bytesOf(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}
