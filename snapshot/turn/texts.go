package turn

import (
	"bytes"
	"context"
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

// TextReader reads what turns say, for searches: a fifth of the time that [Store.Load] takes, as pictures stay on the
// disk and of a page only its words are decoded. It is for one goroutine, and quickest where turns follow one another.
type TextReader struct {
	store *Store
	parts partReader
}

// TextReader returns a reader of the session's texts.
func (s *Store) TextReader() *TextReader { return &TextReader{store: s, parts: partReader{fs: s.fs}} }

// Read calls drawn with each text, name and value of an element that is drawn on the turn's page, and returns the
// contents of its payloads. What is damaged has no text.
func (r *TextReader) Read(ctx context.Context, n int, drawn func(string)) ([][]byte, error) {
	t, err := r.store.openTurn(ctx, n)
	if err != nil {
		return nil, err
	}
	var payloads [][]byte
	for _, p := range t.Parts {
		if p.Role != roleCapture && p.Role != rolePayload {
			continue
		}
		content, err := r.parts.read(p.SHA256, p.Size, p.limit())
		switch {
		case err != nil:
			continue
		case p.Role == rolePayload:
			payloads = append(payloads, content)
			continue
		}
		if err := drawnTexts(content, drawn); err != nil {
			return nil, &DamagedError{[]Damage{partDamage(n, p, err)}}
		}
	}
	return payloads, nil
}

// drawnTexts calls each with the words of a stored capture's drawn elements: what [decodeCapture] would find, without
// its boxes and styles.
func drawnTexts(capture []byte, each func(string)) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(capture), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	return members(d, func(name string) error {
		if name != "nodes" || d.PeekKind() != '[' {
			return d.SkipValue()
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() == '{' {
			var node snapshot.Node
			err := members(d, func(name string) error {
				var into *string
				switch name {
				case "text":
					into = &node.Text
				case "name":
					into = &node.Name
				case "value":
					into = &node.Value
				case "verdict":
					into = (*string)(&node.Verdict)
				}
				if into == nil || d.PeekKind() != '"' {
					return d.SkipValue()
				}
				t, err := d.ReadToken()
				*into = t.String()
				return err
			})
			if err != nil {
				return err
			}
			if !node.Verdict.Rendered() {
				continue
			}
			for k, s := range [...]string{node.Text, node.Name, node.Value} {
				if s != "" && (k == 0 || s != node.Text) {
					each(s)
				}
			}
		}
		_, err := d.ReadToken()
		return err
	})
}

// members reads an object; read takes each member's value.
func members(d *jsontext.Decoder, read func(name string) error) error {
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return errors.Join(err, io.ErrUnexpectedEOF)
	}
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err == nil {
			err = read(t.String())
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
