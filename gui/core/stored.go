package core

import "github.com/refscope/refscope/snapshot/text"

// Stored is a payload that is stored with a turn: bytes that crossed the wire, exact
// outside the redacted parts (row P-3).
type Stored struct {
	Dialect, Model string
	// Way is "request" or "answer".
	Way   string
	Media string
	Bytes []byte
	// Wire: it crossed the wire; else it is what would have.
	Wire     bool
	Redacted []Redaction
}

// Title is a stored payload in a few words.
func (p Stored) Title() string {
	how := "stored"
	if p.Wire {
		how = "sent"
		if p.Way == "answer" {
			how = "received"
		}
	}
	return how + ": " + text.Cut(text.Line(p.Dialect), 24) + " " + text.Cut(text.Line(p.Way), 10)
}

// PayloadChoice says which payload is wanted.
type PayloadChoice struct {
	// Stored is the place in the turn's stored payloads, from 1; 0 derives one with
	// the other fields.
	Stored  int
	Dialect string
	// Mode is agent-interact's domMode, "" for its default; Model the name of the
	// model, "" for none.
	Mode, Model string
}
