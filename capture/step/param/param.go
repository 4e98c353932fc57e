// Package param reads the parameters of steps from their declaration. A step declares its
// parameters once, as the fields of a struct; decoding, defaults, bounds, choices, help,
// completion and the redaction of what was typed all come from there.
//
// Start with [Decode], which reads parameters into a struct, [Of], which lists what a
// struct declares, and [Veil], which takes the secret values out of given parameters.
//
// # Tags
//
//	json      the parameter's name
//	what      one line for help
//	form      parameters of this JSON shape (string, number, true, null, array, map) are short
//	          for this one; "map" is an object of which no key is a parameter; null sets a
//	          bool. Several shapes are separated by commas. On a blank field: the shape alone is allowed.
//	default   the value where none is given, as text
//	min, max  bounds of a number, both allowed; over is a lower bound that is not allowed
//	unit      the unit of the number, for messages
//	choices   the allowed values, separated by commas; a field whose type has the method
//	          Choices lists them itself. With fold, capital letters do not matter.
//	required  the parameter must be there; the tag's text, if any, describes what to give
//	secret    the value may be a password: it never appears in answers, turns or logs;
//	          secret:"character" is so of one character only, a key that types
//	finds     the parameter names an element, or several where it is a list, in the present frame: by selector (CSS,
//	          or a ref), css, ref, text, label, role, words (a text of the page), or keys: those of its map are
//	          selectors or refs
//	item      what an entry of the list is called in errors; they are numbered from 1, or as given by from
//	next      on a blank field: its other tags are those of the field below too, where one line has no room for them
//	want      on a blank field: what the parameters may be, for errors
//	noun      on a blank field: what a member is called in errors, "parameter" if absent
//
// Embedded structs add their parameters. After the tags, a struct's own method CheckParams
// is called, that of embedded structs first: it holds the rules between parameters.
package param

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Form is one way to write a step's parameters, with an example that runs.
type Form [2]string

// Example is the parameters as JSON.
func (f Form) Example() string { return f[0] }

// What is one line about them.
func (f Form) What() string { return f[1] }

// Checker is a struct with rules between its parameters.
type Checker interface{ CheckParams() error }

// Shorthand is a struct that can be written as a string or number alone.
type Shorthand interface{ ReadShort(s string) }

// Map is an object whose keys are chosen by the writer, in their order.
type Map[T any] struct {
	Keys   []string
	Values []T
}

// UnmarshalJSON reads an object.
func (m *Map[T]) UnmarshalJSON(b []byte) error {
	names, values, err := Members(b)
	if err != nil {
		return err
	}
	m.Keys, m.Values = names, make([]T, len(names))
	for i, n := range names {
		if err := decode(reflect.ValueOf(&m.Values[i]).Elem(), values[n], &field{}); err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
	}
	return nil
}

// field is one declared parameter.
type field struct {
	name  string // "" where it is only a form
	index []int
	typ   reflect.Type
	tag   reflect.StructTag
}

func (f *field) has(tag string) bool { _, ok := f.tag.Lookup(tag); return ok }

// spec is the parsed declaration of a struct.
type spec struct {
	fields   []field
	embedded [][]int
	shapes   []string // allowed alone, without a field
	want     string
	noun     string
}

func specOf(t reflect.Type) *spec {
	s := &spec{noun: "parameter"}
	s.add(t, nil)
	return s
}

func (s *spec) add(t reflect.Type, at []int) {
	var above reflect.StructTag
	for i := range t.NumField() {
		f := t.Field(i)
		f.Tag, above = above+f.Tag, ""
		index := append(slices.Clone(at), i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch _, next := f.Tag.Lookup("next"); {
		case f.Name == "_" && next:
			above = f.Tag + " "
		case f.Name == "_":
			if shape, ok := f.Tag.Lookup("form"); ok {
				s.shapes = append(s.shapes, strings.Split(shape, ",")...)
			}
			if want, ok := f.Tag.Lookup("want"); ok {
				s.want = want
			}
			if noun, ok := f.Tag.Lookup("noun"); ok {
				s.noun = noun
			}
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			s.embedded = append(s.embedded, index)
			s.add(f.Type, index)
		case !f.IsExported():
		case name == "-" || name == "":
			if _, ok := f.Tag.Lookup("form"); ok {
				s.fields = append(s.fields, field{"", index, f.Type, f.Tag})
			}
		default:
			s.fields = append(s.fields, field{name, index, f.Type, f.Tag})
		}
	}
}

func (s *spec) names() []string {
	var out []string
	for _, f := range s.fields {
		if f.name != "" {
			out = append(out, f.name)
		}
	}
	return out
}

// field is the parameter of a name. Capital letters matter only between two names that
// differ in nothing else.
func (s *spec) field(name string) *field {
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.name != "" && f.name == name })
	if i < 0 {
		i = slices.IndexFunc(s.fields, func(f field) bool { return f.name != "" && strings.EqualFold(f.name, name) })
	}
	if i < 0 {
		return nil
	}
	return &s.fields[i]
}

// form is the parameter that a value of this shape is short for.
func (s *spec) form(shape string) *field {
	for i := range s.fields {
		if slices.Contains(strings.Split(s.fields[i].tag.Get("form"), ","), shape) {
			return &s.fields[i]
		}
	}
	return nil
}

// Decode reads parameters into a struct, strictly: an unknown member, a wrong type and a
// value out of bounds are errors that name what was expected.
func Decode(raw json.RawMessage, into any) error {
	return decode(reflect.ValueOf(into).Elem(), bytes.TrimSpace(raw), &field{})
}

func decode(v reflect.Value, raw json.RawMessage, f *field) error {
	shape := Shape(raw)
	if v.Kind() == reflect.Pointer {
		if shape == "null" {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return decode(v.Elem(), raw, f)
	}
	if u, ok := v.Addr().Interface().(json.Unmarshaler); ok {
		return u.UnmarshalJSON(raw)
	}
	if v.Kind() == reflect.Struct {
		return decodeStruct(v, raw)
	}
	if shape == "null" {
		return nil
	}
	wrong := ErrShape(raw, kindName(v.Type()))
	switch v.Kind() {
	case reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return wrong
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, e := range list {
			if err := decode(v.Index(i), e, &field{}); err != nil {
				if item := f.tag.Get("item"); item != "" {
					if f.tag.Get("from") != "0" {
						i++
					}
					return fmt.Errorf("%s %d: %w", item, i, err)
				}
				return err
			}
		}
		return nil
	case reflect.Int:
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if shape == "number" && err != nil {
			return fmt.Errorf("want a whole number, not %s", raw)
		}
		if shape != "number" {
			return wrong
		}
		v.SetInt(n)
		return nil
	}
	if json.Unmarshal(raw, v.Addr().Interface()) != nil {
		return wrong
	}
	return nil
}

func decodeStruct(v reflect.Value, raw json.RawMessage) error {
	s := specOf(v.Type())
	for i := range s.fields {
		if f := &s.fields[i]; f.has("default") {
			if err := setText(v.FieldByIndex(f.index), f.tag.Get("default")); err != nil {
				return fmt.Errorf("the default of %s: %w", f.name, err)
			}
		}
	}
	given, err := s.read(v, raw)
	if err != nil {
		return err
	}
	for i := range s.fields {
		f := &s.fields[i]
		if err := f.check(v.FieldByIndex(f.index), slices.Contains(given, f.name)); err != nil {
			return err
		}
	}
	for _, index := range slices.Backward(s.embedded) { // what is embedded deeper first
		if c, ok := addressable(v.FieldByIndex(index)).(Checker); ok {
			if err := c.CheckParams(); err != nil {
				return err
			}
		}
	}
	if c, ok := addressable(v).(Checker); ok {
		return c.CheckParams()
	}
	return nil
}

// addressable is a pointer to a value, nil for one in a struct whose name is not exported
// and which reflection may not return.
func addressable(v reflect.Value) any {
	if !v.CanAddr() || !v.Addr().CanInterface() {
		return nil
	}
	return v.Addr().Interface()
}

// read assigns the values to the fields; given are the names of those that were present.
func (s *spec) read(v reflect.Value, raw json.RawMessage) (given []string, err error) {
	shape := Shape(raw)
	if shape == "bool" && string(raw) == "true" && slices.Contains(s.shapes, "true") {
		return nil, nil
	}
	if shape == "null" {
		if f := s.form("null"); f != nil {
			v.FieldByIndex(f.index).SetBool(true)
			return nil, nil
		}
	}
	if f := s.form(shape); f != nil || string(raw) == "true" && s.form("true") != nil {
		if f == nil {
			f = s.form("true")
		}
		return []string{f.name}, decode(v.FieldByIndex(f.index), raw, f)
	}
	if shape == "string" || shape == "number" {
		if short, ok := addressable(v).(Shorthand); ok {
			text := string(raw)
			if shape == "string" && json.Unmarshal(raw, &text) != nil {
				return nil, ErrShape(raw, "a string")
			}
			short.ReadShort(text)
			return nil, nil
		}
	}
	if shape != "object" {
		if s.want != "" {
			return nil, ErrShape(raw, s.want)
		}
		return nil, ErrShape(raw, "an object")
	}
	names, values, err := Members(raw)
	if err != nil {
		return nil, err
	}
	if f := s.form("map"); f != nil && !slices.ContainsFunc(names, func(n string) bool { return s.field(n) != nil }) {
		return []string{f.name}, decode(v.FieldByIndex(f.index), raw, f)
	}
	for _, n := range names {
		f := s.field(n)
		if f == nil {
			return nil, Unknown(s.noun, n, s.names())
		}
		if slices.Contains(given, f.name) {
			return nil, errTwice(n)
		}
		if err := decode(v.FieldByIndex(f.index), values[n], f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if Shape(values[n]) != "null" {
			given = append(given, f.name)
		}
	}
	return given, nil
}

func setText(v reflect.Value, s string) error {
	if v.Kind() == reflect.String {
		v.SetString(s)
		return nil
	}
	return json.Unmarshal([]byte(s), v.Addr().Interface())
}

// check holds a value against its declaration.
func (f *field) check(v reflect.Value, given bool) error {
	if hint, required := f.tag.Lookup("required"); required && v.IsZero() {
		if hint != "" {
			hint = ": " + hint
		}
		return fmt.Errorf("%s is missing%s", f.name, hint)
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !given || !v.IsValid() {
		return nil
	}
	switch v.Kind() {
	case reflect.Int:
		return f.checkNumber(float64(v.Int()))
	case reflect.Float64:
		return f.checkNumber(v.Float())
	case reflect.String:
		list := f.choices()
		if len(list) == 0 || v.Len() == 0 {
			return nil
		}
		i := slices.IndexFunc(list, func(s string) bool {
			return s == v.String() || f.has("fold") && strings.EqualFold(s, v.String())
		})
		if i < 0 {
			return Unknown(f.name, v.String(), list)
		}
		v.SetString(list[i])
	}
	return nil
}

func (f *field) choices() []string {
	if list := f.tag.Get("choices"); list != "" {
		return strings.Split(list, ",")
	}
	if c, ok := reflect.Zero(f.typ).Interface().(interface{ Choices() []string }); ok {
		return c.Choices()
	}
	return nil
}

func (f *field) checkNumber(n float64) error {
	for tag, holds := range map[string]func(bound float64) bool{
		"min":  func(b float64) bool { return n >= b },
		"max":  func(b float64) bool { return n <= b },
		"over": func(b float64) bool { return n > b },
	} {
		if text, ok := f.tag.Lookup(tag); ok {
			b, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("the bound of %s: %w", f.name, err)
			}
			if !holds(b) {
				return fmt.Errorf("%s: %g: want %s", f.name, n, f.bounds())
			}
		}
	}
	return nil
}

// bounds describes in words which numbers are allowed, "" for all.
func (f *field) bounds() string {
	unit := ""
	if u := f.tag.Get("unit"); u != "" {
		unit = " " + u
	}
	low, hasLow := f.tag.Lookup("min")
	high, hasHigh := f.tag.Lookup("max")
	over, hasOver := f.tag.Lookup("over")
	switch {
	case hasLow && hasHigh:
		return low + " to " + high + unit
	case hasLow:
		return low + unit + " or more"
	case hasOver && hasHigh:
		return "more than " + over + " and at most " + high + unit
	case hasOver:
		return "more than " + over + unit
	case hasHigh:
		return "at most " + high + unit
	}
	return ""
}

// unknownError is a name that nobody knows, and what would have been one.
type unknownError struct {
	what, name string
	known      []string
}

// Unknown is the error of a name that is not among those that there are.
func Unknown(what, name string, known []string) error { return &unknownError{what, name, known} }

func (e *unknownError) Error() string {
	s := fmt.Sprintf("unknown %s %q", e.what, e.name)
	if near := text.Nearest(e.name, e.known); near != "" {
		return fmt.Sprintf("%s: did you mean %q?", s, near)
	}
	if len(e.known) == 0 {
		return s
	}
	return fmt.Sprintf("%s: choose from %s", s, strings.Join(e.known, ", "))
}

// ErrShape is the error of a value of a kind that is not taken.
func ErrShape(raw json.RawMessage, want string) error {
	return errors.New("want " + want + ", not " + Article(Shape(raw)))
}

// Article names a JSON shape for a person.
func Article(shape string) string {
	switch shape {
	case "bool":
		return "true or false"
	case "object", "array":
		return "an " + shape
	}
	return "a " + shape
}

// kindName names a type for a person.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	case reflect.Struct:
		return "an object"
	}
	return "something else"
}

// Shape is the kind of a JSON value: object, array, string, number, bool, null.
func Shape(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "null"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// Members are the members of an object in their order. A member that is given twice is an
// error: it is unclear which one is meant.
func Members(raw json.RawMessage) ([]string, map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, ErrShape(raw, "an object")
	}
	var names []string
	values := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		name, _ := t.(string) // a key is a string, or Token would have failed
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, nil, err
		}
		if _, ok := values[name]; ok {
			return nil, nil, errTwice(name)
		}
		names, values[name] = append(names, name), v
	}
	return names, values, nil
}

func errTwice(name string) error { return fmt.Errorf("%q is given twice", name) }

// Set takes over a value that is given.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Count is how many of several parameters are given.
func Count(given ...bool) int {
	n := 0
	for _, is := range given {
		if is {
			n++
		}
	}
	return n
}
