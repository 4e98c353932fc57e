package report

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
)

// changes is what became different since an earlier turn.
type changes struct {
	Since     int
	Sentence  string
	Navigated bool
	Empty     bool
	Words     string // for those who do not know the kinds
	Lines     []changeLine
	Left      int // lines that are not shown
}

// changeMax is how many lines of a difference a report shows.
const changeMax = 500

// changeLine is one line of [diff.Diff.Report].
type changeLine struct{ Class, Text string }

func compare(before, after *snapshot.Capture, since int) *changes {
	d := diff.Captures(before, after, diff.Options{})
	out := &changes{Since: since, Sentence: d.Sentence(), Navigated: d.Navigated, Empty: d.Empty()}
	out.Words = changeWords(d)
	lines := strings.Split(d.Report(), "\n")
	lines = lines[1 : len(lines)-1] // the address and the sentence stand elsewhere
	if out.Left = len(lines) - changeMax; out.Left > 0 {
		lines = lines[:changeMax]
	}
	for _, l := range lines {
		class := "fact"
		if sign, _, ok := strings.Cut(l, " "); ok {
			switch sign {
			case "-":
				class = "gone"
			case "+":
				class = "new"
			case "~":
				class = "changed"
			case ">":
				class = "group"
			}
		}
		out.Lines = append(out.Lines, changeLine{class, l})
	}
	return out
}

// changeWords are what came, went and changed, as the end of a sentence.
func changeWords(d *diff.Diff) string {
	came, went, anew := d.Counts[diff.Added], d.Counts[diff.Removed], d.Counts[diff.Replaced]
	changed := map[*diff.Element]bool{} // by the side before, which all changes of an element share
	for i := range d.Changes {
		switch c := &d.Changes[i]; c.Kind {
		case diff.Added, diff.Removed, diff.Replaced:
		default:
			changed[c.Before] = true
		}
	}
	if came+went+len(changed) == 0 && anew > 0 {
		return fmt.Sprintf("the page was drawn anew: it reads the same, and %s new numbers.",
			many(anew, "element has", "elements have"))
	}
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, many(n, "element "+word, "elements "+word))
		}
	}
	add(came, "came")
	add(went, "went")
	add(len(changed), "changed")
	if len(parts) == 0 {
		return "no element changed, but facts of the page did."
	}
	return strings.Join(parts, ", ") + "."
}
