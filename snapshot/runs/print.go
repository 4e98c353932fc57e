package runs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Word is what a row says in one word or a few: its cause, "same", or that one run alone has the turn; with a comma
// and "repeat" or "retry" where the agent did it again.
func (r *Row) Word() string {
	word := string(r.Cause)
	switch {
	case word != "":
	case r.A > 0 && r.B > 0:
		word = "same"
	default:
		word = "in one run only"
	}
	if r.Again != "" {
		word += ", " + r.Again
	}
	return word
}

// Place names the turns of a row.
func (r *Row) Place() string {
	switch {
	case r.A == 0:
		return fmt.Sprintf("turn %d of the second run", r.B)
	case r.B == 0:
		return fmt.Sprintf("turn %d of the first run", r.A)
	}
	return fmt.Sprintf("turn %d of the first run, turn %d of the second", r.A, r.B)
}

// fields are those of a comparison.
type fields Comparison

// parting is the first divergence as a script asks for it.
type parting struct {
	A     int    `json:"a"` // the turn of the first run
	B     int    `json:"b"` // the turn of the second run
	Cause Cause  `json:"cause"`
	Why   string `json:"why"` // what differs, a sentence
}

// document is a comparison as it is written.
type document struct {
	fields
	Pairs      [][2]int `json:"pairs"` // turns of the first run with those of the second that they were compared with
	Divergence parting  `json:"divergence"`
}

// Document is the type of what a comparison is written as, for its schema.
func Document() reflect.Type { return reflect.TypeFor[document]() }

// MarshalJSON adds what a script asks for first: the turns side by side, 0 for none, and the first divergence, whose
// cause is "none" where the runs are equal.
func (c *Comparison) MarshalJSON() ([]byte, error) {
	out := document{fields(*c), make([][2]int, len(c.Rows)), parting{Cause: "none"}}
	for i, r := range c.Rows {
		out.Pairs[i] = [2]int{r.A, r.B}
	}
	if d := c.Divergence(); d != nil {
		out.Divergence = parting{d.A, d.B, d.Cause, strings.Join(d.Details, "; ")}
	}
	return json.Marshal(out)
}

// Text is the comparison for people, the runs by these names; without all, equal turns are left out.
func (c *Comparison) Text(a, b string, all bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s (%s) beside %s (%s)\n", text.Line(a), text.Count(c.TurnsA, "turn", "turns"),
		text.Line(b), text.Count(c.TurnsB, "turn", "turns"))
	for i, l := range []*Label{c.LabelA, c.LabelB} {
		if l != nil {
			fmt.Fprintf(&out, "%s is labelled %s\n", text.Line([]string{a, b}[i]),
				text.Line(strings.TrimSpace(l.Label+" "+l.Note)))
		}
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&out, "note: %s\n", n)
	}
	d := c.Divergence()
	if d != nil {
		fmt.Fprintf(&out, "First divergence, %s: %s\n", d.Place(), d.Cause)
	}
	fmt.Fprintln(&out, c.Verdict())
	if d != nil {
		for _, line := range d.Details {
			fmt.Fprintf(&out, "  %s\n", line)
		}
	}
	header := "\nTurn by turn, the later ones perhaps as its consequence:\n"
	for i := range c.Rows {
		r := &c.Rows[i]
		if !all && r.Cause == "" && r.A > 0 && r.B > 0 {
			continue
		}
		fmt.Fprintf(&out, "%s  %4s  %4s  %s\n", header, number(r.A), number(r.B), r.Word())
		header = ""
	}
	return out.String()
}

// number is the number of a turn, "-" for none.
func number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
