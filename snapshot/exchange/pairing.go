package exchange

import (
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/turn"
)

// Pairing is which page a request belongs to, and by what evidence.
type Pairing struct {
	Paired bool `json:"paired"`
	// Score is that of the page, 0 to 1; where nothing is paired that of the nearest one.
	Score    float64    `json:"score"`
	Evidence []Evidence `json:"evidence,omitempty"`
	Why      string     `json:"why,omitempty"` // nothing is paired
	// Moment is when the page was captured: "" as the request came, else as package turn names it. Age is how much
	// older than the request the page is, ms.
	Moment string  `json:"moment,omitempty"`
	Age    float64 `json:"age,omitempty"`
	// Place is which part of the page's picture the newest picture of the request shows, in its
	// px; nil where that was not found.
	Place *likeness.Place `json:"place,omitempty"`
}

// Sentence is the outcome in a few words: the score of the page, or why there is none.
func (p Pairing) Sentence() string {
	if !p.Paired {
		return "no matching page: " + p.Why
	}
	out := fmt.Sprintf("page matched, score %.2f", p.Score)
	if p.Moment == turn.BeforeRequest {
		out += fmt.Sprintf(", captured %.1f s before the request", p.Age/1000)
	}
	return out
}

// Evidence is one reason for a pairing.
type Evidence struct {
	Kind  string  `json:"kind"`  // picture, text, ids, list, address or title
	Score float64 `json:"score"` // 0 to 1 of what this kind can show
	What  string  `json:"what"`  // a sentence
}

// Lack is the sentence among those of [turn.Record.Lacks] that says why no page belongs to the request.
func (p Pairing) Lack() string { return "no page is paired with the request: " + p.Why }

// PairingOf is which page a turn's request belongs to, nil where that is not known. It reads [turn.Record.Exchange].
func PairingOf(stored []byte) *Pairing {
	var e struct{ Pairing *Pairing }
	if len(stored) == 0 || json.Unmarshal(stored, &e) != nil {
		return nil
	}
	return e.Pairing
}
