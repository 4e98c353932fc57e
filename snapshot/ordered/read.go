package ordered

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Errors of [Read]. A text that is no JSON gives the decoder's own error.
var (
	ErrEmpty  = errors.New("the text is empty")
	ErrObject = errors.New("the text is no object")
	ErrMore   = errors.New("something follows the object")
)

// TwiceError is a name that an object has twice: which of the two counts, nobody can tell.
type TwiceError struct{ Name string }

func (e *TwiceError) Error() string { return fmt.Sprintf("%q is given twice", e.Name) }

// Object is an object as it is written.
type Object struct {
	Names  []string // in order
	Values map[string]json.RawMessage
}

// Read takes a text apart that is one JSON object and nothing else. Where it fails, the
// object has the members before the fault.
func Read(data []byte) (Object, error) {
	o := Object{Values: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(data))
	first, err := d.Token()
	switch {
	case errors.Is(err, io.EOF):
		return o, ErrEmpty
	case err != nil:
		return o, err
	case first != json.Delim('{'):
		return o, ErrObject
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return o, err
		}
		name, _ := key.(string) // the decoder takes nothing else for a key
		if _, twice := o.Values[name]; twice {
			return o, &TwiceError{name}
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return o, err
		}
		o.Names = append(o.Names, name)
		o.Values[name] = value
	}
	if _, err := d.Token(); err != nil {
		return o, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return o, ErrMore
	}
	return o, nil
}
