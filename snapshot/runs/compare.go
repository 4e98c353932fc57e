package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Schema names the JSON form of a [Comparison].
const Schema = "refscope.compare/1"

// Cause is why two runs parted.
type Cause string

// The causes, in the order in which one leads to the next.
const (
	// Answer: the agent decided something else, though it was given the same.
	Answer Cause = "answer"
	// Actuation: the same was asked for, with another result.
	Actuation Cause = "actuation"
	// Page: the same was done, and the page is another one.
	Page Cause = "page"
	// Payload: the page is the same, or none was recorded, and the model was given something else.
	Payload Cause = "payload"
)

// Row is one place of the two runs: a turn of either, or of one of them.
type Row struct {
	A     int    `json:"a,omitempty"`     // number of the turn in the first run, 0 for none
	B     int    `json:"b,omitempty"`     // the turn of the second run, 0 for none
	Again string `json:"again,omitempty"` // "repeat" or "retry", see [tie]
	// Cause is the first thing that differs, "" for equal turns. Only the first divergence is
	// a cause of the others; what follows may be its consequence.
	Cause Cause `json:"cause,omitempty"`
	// NoPage: a page was not recorded with both turns, so that their pages are not compared.
	NoPage bool `json:"noPage,omitempty"`
	// Details are the differences, in lines that are safe to print.
	Details []string `json:"details,omitempty"`
}

// Sentence is the cause in a sentence without its full stop.
func (r *Row) Sentence() string {
	switch r.Cause {
	case Answer:
		return "The agent answered differently to the same input"
	case Actuation:
		return "The same action had a different result"
	case Page:
		return "The same action led to a different page"
	case Payload:
		if r.NoPage {
			return "The model was given different input; no page was recorded to compare"
		}
		return "The model was given different input for the same page"
	}
	return ""
}

// Comparison is how two runs relate.
type Comparison struct {
	Schema string `json:"schema"`
	TurnsA int    `json:"turnsA"` // how many turns the first run has
	TurnsB int    `json:"turnsB"` // how many turns the second run has
	// LabelA and LabelB are those of the runs, set by who reads the sessions; nil for none.
	LabelA *Label `json:"labelA,omitempty"`
	LabelB *Label `json:"labelB,omitempty"`
	// First is the index in Rows of the first divergence, -1 where there is none.
	First int   `json:"first"`
	Rows  []Row `json:"rows"`
	// Notes are reservations in words, such as turns that could not be read.
	Notes []string `json:"notes,omitempty"`
}

// Divergence is the first row that differs; nil for equal runs.
func (c *Comparison) Divergence() *Row {
	if c.First < 0 {
		return nil
	}
	return &c.Rows[c.First]
}

// Verdict is the comparison in a sentence: the cause of the first divergence, or that there is none.
func (c *Comparison) Verdict() string {
	if d := c.Divergence(); d != nil {
		return d.Sentence() + "."
	}
	return "The runs do not diverge."
}

// Compare compares two runs that one [Reader] read. Pages and payloads of turns that may
// differ are read again from their sessions.
func Compare(ctx context.Context, a, b []*Turn) (*Comparison, error) {
	out := &Comparison{Schema: Schema, TurnsA: len(a), TurnsB: len(b), First: -1}
	var set []string // turns with their differences that come of settings
	for _, t := range align(a, b) {
		row := Row{Again: t.Again}
		var err error
		switch {
		case t.A < 0:
			row.B = b[t.B].N
			row.Cause, row.Details = onlyOne(b[t.B], "second", t.Again)
		case t.B < 0:
			row.A = a[t.A].N
			row.Cause, row.Details = onlyOne(a[t.A], "first", t.Again)
		default:
			row.A, row.B = a[t.A].N, b[t.B].N
			row.NoPage = a[t.A].page.none || b[t.B].page.none
			var settings []string
			row.Cause, row.Details, settings, err = pair(ctx, a[t.A], b[t.B])
			if len(settings) > 0 {
				set = append(set, row.Place()+": "+strings.Join(settings, "; "))
			}
		}
		if err != nil {
			return nil, err
		}
		if row.Cause != "" && out.First < 0 {
			out.First = len(out.Rows)
		}
		out.Rows = append(out.Rows, row)
	}
	if len(set) > 0 {
		more := ""
		if n := len(set) - 1; n > 0 {
			more = " (and likewise in " + text.Count(n, "more pair", "more pairs") + " of turns)"
		}
		out.Notes = append(out.Notes, "pages were captured with other settings, which is no difference of the pages: "+
			set[0]+more)
	}
	return out, nil
}

// onlyOne describes a turn that only one run has. One that only looked is no divergence.
func onlyOne(t *Turn, which, again string) (Cause, []string) {
	did, what := t.Asked, "did"
	if len(did) == 0 { // a request whose answer was carried out elsewhere
		did, what = t.Answered, "answered:"
	}
	acts := func(s string) bool { return !looks.MatchString(s) && !strings.HasPrefix(s, failed) }
	if !slices.ContainsFunc(did, acts) {
		return "", []string{"only the " + which + " run looked at the page here"}
	}
	if again != "" {
		what = "repeated:"
	}
	return Answer, []string{fmt.Sprintf("only the %s run %s %s", which, what, short(did))}
}

func short(list []string) string { return text.Line(text.Cut(strings.Join(list, "; "), 300)) }

// pair is the first thing that differs between two turns that belong together, and what differs between their pages
// by how they were captured.
func pair(ctx context.Context, a, b *Turn) (cause Cause, details, settings []string, err error) {
	if p, q := &a.page, &b.page; p.width > 0 && q.width > 0 && (p.width != q.width || p.height != q.height) {
		settings = []string{fmt.Sprintf("viewport %gx%g → %gx%g", p.width, p.height, q.width, q.height)}
	}
	if !slices.Equal(a.Asked, b.Asked) {
		return Answer, listDifference(a.Asked, b.Asked, a.Asked, b.Asked), settings, nil
	}
	if !slices.Equal(a.Result, b.Result) {
		return Actuation, listDifference(a.Result, b.Result, a.Result, b.Result), settings, nil
	}
	samePage := a.page.none || b.page.none ||
		a.page.address == b.page.address && slices.Equal(a.page.lines, b.page.lines)
	if samePage && a.given == b.given {
		cause, details = answers(a, b)
		return cause, details, settings, nil
	}
	x, err := a.load(ctx)
	if err != nil {
		return "", nil, nil, fmt.Errorf("the first run: %w", err)
	}
	y, err := b.load(ctx)
	if err != nil {
		return "", nil, nil, fmt.Errorf("the second run: %w", err)
	}
	if !samePage {
		lines, set := pageDifference(x.Capture, y.Capture)
		if settings = append(settings, set...); len(lines) > 0 {
			return Page, lines, settings, nil
		}
	}
	if a.given != b.given {
		if lines := payloadDifference(x, y, a.page.adverts, b.page.adverts); len(lines) > 0 {
			return Payload, lines, settings, nil
		}
	}
	cause, details = answers(a, b)
	return cause, details, settings, nil
}

func answers(a, b *Turn) (Cause, []string) {
	if !slices.Equal(a.Answered, b.Answered) {
		return Answer, listDifference(a.Answered, b.Answered, a.shown, b.shown)
	}
	return "", nil
}

// listDifference are the lines that differ, side by side, as they are shown.
func listDifference(a, b, shownA, shownB []string) []string {
	var out []string
	for i := range max(len(a), len(b)) {
		if i < len(a) && i < len(b) && a[i] == b[i] || len(out) == mostLines {
			continue
		}
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = text.Line(text.Cut(shownA[i], 200))
		}
		if i < len(b) {
			y = text.Line(text.Cut(shownB[i], 200))
		}
		out = append(out, x+" → "+y)
	}
	return out
}
