// Package ordered writes JSON objects whose members keep their order.
// Agents read JSON as text, so what comes first matters, and so does each byte.
//
// [Writer] builds a text member by member and sets the commas. Strings are those of
// [text.AppendJSON]: hostile characters are escapes, which a decoder turns back.
package ordered

import (
	"math"
	"strconv"

	"github.com/refscope/refscope/snapshot/text"
)

// Writer is a JSON text in the making. The zero value is an empty one. Methods append
// and return the writer, so that calls can be chained. A key that is "" appends a value
// without a name: an element of an array, or the whole text.
type Writer struct{ Out []byte }

// Make is a writer with room for that many bytes.
func Make(size int) *Writer { return &Writer{make([]byte, 0, size)} }

// Key appends a comma where a value is before it, and the name; the caller appends the
// value to Out. Keys are words of ours: they are not escaped.
func (w *Writer) Key(key string) *Writer {
	if n := len(w.Out); n > 0 {
		switch w.Out[n-1] {
		case '{', '[', ',', ':', '\n':
		default:
			w.Out = append(w.Out, ',')
		}
	}
	if key != "" {
		w.Out = append(append(append(w.Out, '"'), key...), '"', ':')
	}
	return w
}

// Open begins an object ('{') or an array ('[').
func (w *Writer) Open(key string, bracket byte) *Writer {
	w.Key(key)
	w.Out = append(w.Out, bracket)
	return w
}

// Close ends objects and arrays, one for each bracket: "]}".
func (w *Writer) Close(brackets string) *Writer {
	w.Out = append(w.Out, brackets...)
	return w
}

// String appends a string.
func (w *Writer) String(key, s string) *Writer {
	w.Key(key)
	w.Out = text.AppendJSON(w.Out, s)
	return w
}

// Optional appends a string, nothing where it is "".
func (w *Writer) Optional(key, s string) *Writer {
	if s == "" {
		return w
	}
	return w.String(key, s)
}

// OrNull appends a string, null where it is "".
func (w *Writer) OrNull(key, s string) *Writer {
	if s == "" {
		return w.Raw(key, "null")
	}
	return w.String(key, s)
}

// Strings appends an array of strings, nothing where it is empty.
func (w *Writer) Strings(key string, list []string) *Writer {
	if len(list) == 0 {
		return w
	}
	return w.List(key, list)
}

// List appends an array of strings.
func (w *Writer) List(key string, list []string) *Writer {
	w.Open(key, '[')
	for _, s := range list {
		w.String("", s)
	}
	return w.Close("]")
}

// Int appends a whole number.
func (w *Writer) Int(key string, n int) *Writer {
	w.Key(key)
	w.Out = strconv.AppendInt(w.Out, int64(n), 10)
	return w
}

// Positive appends a whole number above 0, nothing for another one.
func (w *Writer) Positive(key string, n int) *Writer {
	if n <= 0 {
		return w
	}
	return w.Int(key, n)
}

// Ints appends an array of whole numbers.
func (w *Writer) Ints(key string, list ...int) *Writer {
	w.Open(key, '[')
	for _, n := range list {
		w.Int("", n)
	}
	return w.Close("]")
}

// Hundredths appends an array of numbers rounded to hundredths; a number that is broken
// or beyond a thousand million is 0.
func (w *Writer) Hundredths(key string, list ...float64) *Writer {
	w.Open(key, '[')
	for _, v := range list {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			v = 0
		}
		w.Key("")
		w.Out = strconv.AppendFloat(w.Out, math.Round(v*100)/100, 'f', -1, 64)
	}
	return w.Close("]")
}

// Bool appends true or false.
func (w *Writer) Bool(key string, v bool) *Writer {
	w.Key(key)
	w.Out = strconv.AppendBool(w.Out, v)
	return w
}

// True appends true where it holds, nothing where it does not.
func (w *Writer) True(key string, v bool) *Writer {
	if !v {
		return w
	}
	return w.Bool(key, true)
}

// Raw appends a value that is JSON already.
func (w *Writer) Raw(key, json string) *Writer {
	w.Key(key)
	w.Out = append(w.Out, json...)
	return w
}
