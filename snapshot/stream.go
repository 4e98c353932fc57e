package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// WriteJSON writes the capture as json.Marshal spells it, element by element, so that a very
// large one is never in memory as a text (B-14). The errors are those of the writer, and of
// encoding/json for numbers that JSON does not have.
func (c *Capture) WriteJSON(w io.Writer) error {
	if c.Nodes == nil {
		return writeJSON(w, c)
	}
	rest := *c
	rest.Nodes = []Node{}
	frame, err := json.Marshal(&rest)
	if err != nil {
		return err
	}
	// No text of the page spells this: its quotes are escaped.
	before, after, ok := bytes.Cut(frame, []byte(`"nodes":[]`))
	if !ok {
		return errors.New("the capture's list of elements has no place in its JSON")
	}
	if _, err := w.Write(before); err != nil {
		return err
	}
	if _, err := io.WriteString(w, `"nodes":[`); err != nil {
		return err
	}
	for i := range c.Nodes {
		if i > 0 {
			if _, err := io.WriteString(w, ","); err != nil {
				return err
			}
		}
		if err := writeJSON(w, &c.Nodes[i]); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(w, "]"); err != nil {
		return err
	}
	_, err = w.Write(after)
	return err
}

func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
