package step

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
)

// decode reads the parameters of an action into a struct, strictly: an unknown member
// or a wrong type is an error that says what was expected.
func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		return nil
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return fmt.Errorf("want %s, not %s", worded(kind.Type), article(kind.Value))
		}
		// Embedded structs are no members of their own.
		field := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]
		return fmt.Errorf("%s: want %s, not %s", field, worded(kind.Type), article(kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name = strings.Trim(name, `"`)
		return unknown("parameter", name, members(reflect.TypeOf(into).Elem()))
	}
	return err
}

// decodePath reads the parameters of a step that writes a file: true, its path, or an
// object with the path among its members.
func decodePath(raw json.RawMessage, path *string, object any) error {
	switch shape(raw) {
	case "bool":
		if string(raw) != "true" {
			return errShape(raw, "true, a path or an object")
		}
		return nil
	case "string":
		if err := decode(raw, path); err != nil {
			return err
		}
		if *path == "" {
			return errors.New("the path is empty")
		}
		return nil
	}
	return decode(raw, object)
}

// members are the JSON names of a struct, those of embedded structs too.
func members(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

// unknown is the error of a name that is not among those that there are.
func unknown(what, name string, known []string) error {
	return &unknownError{what, name, known}
}

// unknownError is a name that nobody knows, and what would have been one.
type unknownError struct {
	what, name string
	known      []string
}

func (e *unknownError) Error() string {
	s := fmt.Sprintf("there is no %s %q", e.what, e.name)
	if near := action.Nearest(e.name, e.known); near != "" {
		return fmt.Sprintf("%s: did you mean %q?", s, near)
	}
	if len(e.known) == 0 {
		return s
	}
	return fmt.Sprintf("%s: choose from %s", s, strings.Join(e.known, ", "))
}

// worded names a type for a person.
func worded(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "something else"
}

func article(kind string) string {
	kind, _, _ = strings.Cut(kind, " ")
	switch kind {
	case "bool":
		return "true or false"
	case "object", "array":
		return "an " + kind
	}
	return "a " + kind
}

// shape is the kind of a JSON value: object, array, string, number, bool, null.
func shape(raw json.RawMessage) string {
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

// keys are the members of an object in their order. A member that stands there twice
// is an error: which one would run, nobody could tell.
func keys(raw json.RawMessage) ([]string, map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("want an object, not %s", article(shape(raw)))
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
		if slices.Contains(names, name) {
			return nil, nil, fmt.Errorf("%q stands there twice", name)
		}
		names, values[name] = append(names, name), v
	}
	return names, values, nil
}
