package turn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/refscope/refscope/snapshot"
)

// Numbers are the turns that the session has, in order.
func (s *Store) Numbers() ([]int, error) {
	all, err := s.turnNumbers()
	if err != nil {
		return nil, fmt.Errorf("session %s cannot be read: %w", s.fs, err)
	}
	return all, nil
}

// TextReader reads what turns say, for searches, in a tenth of the time that [Store.Load] takes: pictures stay on the
// disk, of a page only its words are decoded, and a payload that was just read is not read again. It is for one
// goroutine, and quickest where turns follow one another.
type TextReader struct {
	store    *Store
	parts    partReader
	payloads map[string][]byte // content by hash
	held     int               // bytes in payloads
}

// maxHeld bounds the payloads that a reader remembers, in bytes.
const maxHeld = 8 << 20

// TextReader returns a reader of the session's texts.
func (s *Store) TextReader() *TextReader { return &TextReader{store: s, parts: partReader{fs: s.fs}} }

// Parts are the parts of a turn that say something: its page, and its payloads in order. Equal parts have the same
// SHA256, in all turns.
func (r *TextReader) Parts(ctx context.Context, n int) (page Part, payloads []Part, err error) {
	if err := ctx.Err(); err != nil {
		return page, nil, err
	}
	t, err := r.store.readParts(n)
	if err != nil {
		return page, nil, &DamagedError{[]Damage{turnDamage(n, err)}}
	}
	for _, p := range t.parts() {
		switch p.Role {
		case roleCapture:
			page = p
		case rolePayload:
			payloads = append(payloads, p)
		}
	}
	return page, payloads, nil
}

// Drawn calls each with every text, name and value of an element that is drawn on a page.
func (r *TextReader) Drawn(page Part, each func(string)) error {
	content, err := r.parts.read(page.SHA256, page.Size, maxCapture)
	if err != nil {
		return err
	}
	return drawnTexts(content, each)
}

// Payload is the content of a payload, which the caller does not change.
func (r *TextReader) Payload(p Part) ([]byte, error) {
	if content, ok := r.payloads[p.SHA256]; ok {
		return content, nil
	}
	content, err := r.parts.read(p.SHA256, p.Size, maxPayloadBytes)
	if err != nil {
		return nil, err
	}
	if r.payloads == nil || r.held+len(content) > maxHeld {
		r.payloads, r.held = map[string][]byte{}, 0
	}
	r.payloads[p.SHA256], r.held = content, r.held+len(content)
	return content, nil
}

// readParts reads of a turn.json what it says of the parts.
func (s *Store) readParts(n int) (*turnDoc, error) {
	b, err := readFile(s.fs, turnDir(n)+"/"+turnFile, 0, maxText)
	if err != nil {
		return nil, err
	}
	if err := checkSeal(b); err != nil {
		return nil, err
	}
	t, walk := &turnDoc{}, walker{b: b}
	err = walk.object(func(name []byte) error {
		from := walk.at
		if err := walk.skip(); err != nil {
			return err
		}
		switch value := b[from:walk.at]; string(name) {
		case `"n"`:
			return json.Unmarshal(value, &t.N)
		case `"format"`:
			return json.Unmarshal(value, &t.Format)
		case `"parts"`:
			return json.Unmarshal(value, &t.Parts)
		}
		return nil
	})
	if err == nil {
		err = checkFormat(t.Format, turnFormat)
	}
	if err == nil && t.N != n {
		err = fmt.Errorf("it is that of turn %d", t.N)
	}
	if err == nil {
		err = t.check()
	}
	return t, err
}

// drawnTexts calls each with the words of a stored capture's drawn elements: what [decodeCapture] would find, without
// its boxes and styles.
func drawnTexts(capture []byte, each func(string)) error {
	w := walker{b: capture}
	return w.object(func(name []byte) error {
		if string(name) != `"nodes"` || w.peek() != '[' {
			return w.skip()
		}
		return w.array(func() error {
			var node snapshot.Node
			err := w.object(func(name []byte) error {
				var into *string
				switch string(name) {
				case `"text"`:
					into = &node.Text
				case `"name"`:
					into = &node.Name
				case `"value"`:
					into = &node.Value
				case `"verdict"`:
					into = (*string)(&node.Verdict)
				}
				if into == nil || w.peek() != '"' {
					return w.skip()
				}
				quoted, err := w.quoted()
				*into = Unquoted(quoted)
				return err
			})
			if err != nil || !node.Verdict.Rendered() {
				return err
			}
			for k, s := range [...]string{node.Text, node.Name, node.Value} {
				if s != "" && (k == 0 || s != node.Text) {
					each(s)
				}
			}
			return nil
		})
	})
}

// Strings calls each with every string of a JSON text, in its quotes, see [Unquoted].
func Strings(b []byte, each func(quoted []byte)) {
	w := walker{b: b}
	for {
		i := bytes.IndexByte(b[w.at:], '"')
		if i < 0 {
			return
		}
		w.at += i
		quoted, err := w.quoted()
		if err != nil {
			return
		}
		each(quoted)
	}
}

// Unquoted is a string of a JSON text without its quotes and escapes.
func Unquoted(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	b, _ := jsontext.AppendUnquote(nil, quoted) // what stands before an escape that is none counts
	return string(b)
}

// walker walks through JSON whose hash or checksum was compared, without looking at what is passed: several times as
// fast as a reader that proves each number to be one.
type walker struct {
	b  []byte
	at int
}

// peek is the next byte that is no white space; 0 at the end.
func (w *walker) peek() byte {
	for ; w.at < len(w.b); w.at++ {
		switch c := w.b[w.at]; c {
		case ' ', '\n', '\r', '\t':
		default:
			return c
		}
	}
	return 0
}

// quoted passes a string, and returns it in its quotes.
func (w *walker) quoted() ([]byte, error) {
	if w.peek() != '"' {
		return nil, errWalk
	}
	for i := w.at + 1; ; i++ {
		k := bytes.IndexByte(w.b[i:], '"')
		if k < 0 {
			w.at = len(w.b)
			return nil, io.ErrUnexpectedEOF
		}
		i += k
		escapes := 0
		for i-escapes-1 > w.at && w.b[i-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			quoted := w.b[w.at : i+1]
			w.at = i + 1
			return quoted, nil
		}
	}
}

// skip passes a value.
func (w *walker) skip() error {
	w.peek()
	for depth := 0; w.at < len(w.b); {
		switch w.b[w.at] {
		case '"':
			if _, err := w.quoted(); err != nil {
				return err
			}
			if depth == 0 {
				return nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 { // the end of what holds a number
				return nil
			}
			if depth == 0 {
				w.at++
				return nil
			}
		case ',':
			if depth == 0 {
				return nil
			}
		}
		w.at++
	}
	return io.ErrUnexpectedEOF
}

// object passes an object; value passes each member's value and is given its name, in quotes.
func (w *walker) object(value func(name []byte) error) error {
	return w.each('{', '}', func() error {
		name, err := w.quoted()
		if err != nil {
			return err
		}
		if w.peek() != ':' {
			return errWalk
		}
		w.at++
		return value(name)
	})
}

// array passes an array; value passes each of its values.
func (w *walker) array(value func() error) error { return w.each('[', ']', value) }

// each passes what stands between two brackets, with commas between.
func (w *walker) each(open, end byte, one func() error) error {
	if w.peek() != open {
		return errWalk
	}
	w.at++
	for more := false; ; more = true {
		switch w.peek() {
		case end:
			w.at++
			return nil
		case ',':
			if !more {
				return errWalk
			}
			w.at++
		default:
			if more {
				return errWalk
			}
		}
		from := w.at
		if err := one(); err != nil {
			return err
		}
		if w.at == from {
			return errWalk
		}
	}
}

// errWalk: the bytes are no JSON, or have another value where one was expected.
var errWalk = errors.New("it is not JSON of the kind that was expected")
