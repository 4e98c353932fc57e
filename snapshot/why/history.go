package why

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Kinds of an [Event].
const (
	firstSeen  = "first-seen"
	renamed    = "renamed"
	roleChange = "role"
	moved      = "moved"    // into another numbered element
	replaces   = "replaces" // it took the place of another number
	replaced   = "replaced" // another number took its place
	lastSeen   = "last-seen"
	damaged    = "damaged" // lines of the ledger are lost
)

// Event is one thing that a session's ledger knows about a ref number.
type Event struct {
	Turn int    `json:"turn"` // the turn that it happened in
	Kind string `json:"kind"` // what happened to the element
	Text string `json:"text"` // a sentence
	// Ref is the other number that the sentence is about, 0 for none.
	Ref int `json:"ref,omitempty"`
}

// History is the ledger's history of a number, in the order of turns: first seen,
// renamed, moved, replaced by which (N-1). It is nil for a number that was not given out
// and for 0. lastSeen is there where the session continued without the element. The last event of a damaged ledger
// warns that there may have been others.
func History(l *turn.Ledger, ref int) []Event {
	if ref == 0 {
		return nil
	}
	out := known(l, ref)
	if n := l.Lost(); n > 0 {
		out = append(out, Event{Turn: l.NextTurn() - 1, Kind: damaged,
			Text: fmt.Sprintf("The session's ledger is damaged in %s: this history may lack events.",
				text.Count(n, "place", "places"))})
	}
	return out
}

// known is the ledger's record of a number.
func known(l *turn.Ledger, ref int) []Event {
	en, ok := l.Entry(ref)
	if !ok {
		return nil
	}
	what := line(en.Tag)
	if en.Role != "" && en.Role != en.Tag {
		what = line(en.Role)
	}
	first := Event{Turn: en.First, Kind: firstSeen, Text: fmt.Sprintf("First seen in turn %d as %s %s.", en.First, what,
		quoted(en.Name))}
	if en.Name == "" {
		first.Text = fmt.Sprintf("First seen in turn %d as %s without a name.", en.First, what)
	}
	out := []Event{first}
	if en.Replaces > 0 {
		out = append(out, Event{en.First, replaces, fmt.Sprintf("It took the place of [%d].", en.Replaces),
			en.Replaces})
	}
	for _, c := range en.Changes {
		ev := Event{Turn: c.Turn}
		switch c.What {
		case "name":
			ev.Kind, ev.Text = renamed, fmt.Sprintf("Renamed in turn %d from %s to %s.", c.Turn,
				quoted(c.Old), quoted(c.New))
		case "role":
			ev.Kind, ev.Text = roleChange, fmt.Sprintf("Its role became %s in turn %d; it was %s.", word(c.New), c.Turn,
				word(c.Old))
		default:
			ev.Kind, ev.Text = moved, fmt.Sprintf("Moved in turn %d from %s to %s.", c.Turn,
				inside(c.Old), inside(c.New))
		}
		out = append(out, ev)
	}
	if en.ReplacedBy > 0 {
		at := en.Last + 1
		if by, ok := l.Entry(en.ReplacedBy); ok {
			at = by.First
		}
		out = append(out, Event{at, replaced, fmt.Sprintf("Replaced in turn %d by [%d].", at, en.ReplacedBy),
			en.ReplacedBy})
	} else if en.Last+1 < l.NextTurn() {
		out = append(out, Event{Turn: en.Last, Kind: lastSeen, Text: fmt.Sprintf("Last seen in turn %d.", en.Last)})
	}
	slices.SortStableFunc(out, func(a, b Event) int { return cmp.Compare(a.Turn, b.Turn) })
	return out
}

func quoted(s string) string { return text.QuoteLine(line(s)) }

func word(s string) string { return cmp.Or(line(s), "none") }

func inside(ref string) string {
	if ref == "" || ref == "0" {
		return "the page"
	}
	return "[" + line(ref) + "]"
}
