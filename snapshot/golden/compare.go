package golden

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
)

// Text is one text made of a capture: a dump, the marks of the picture, the audit.
type Text struct {
	Name string // "dddk", "marks", "audit"
	Text string
}

// Side is one of the two sides: the capture, normalised and on the second side aligned,
// with the texts made of it.
type Side struct {
	Capture *snapshot.Capture
	Texts   []Text
}

// TextDiff is the difference of one text, line by line.
type TextDiff struct {
	Name string `json:"name"` // the format's name
	Gone int    `json:"gone"` // lines of the accepted text that are not there
	New  int    `json:"new"`  // how many lines came
	// Why describes why there is nothing to compare: the text was not accepted.
	Why   string      `json:"why,omitempty"`
	Edits []diff.Edit `json:"-"`
}

// Comparison is how a page differs from what was accepted.
type Comparison struct {
	Diff  *diff.Diff `json:"diff"`
	Texts []TextDiff `json:"texts"` // those that differ
}

// Compare holds two sides against each other. move is as for [Align].
func Compare(accepted, now *Side, move float64) *Comparison {
	c := &Comparison{Diff: diff.Captures(apart(accepted.Capture, "accepted"), apart(now.Capture, "now"),
		diff.Options{Move: move})}
	// That two runs are two sessions and two documents is not news here.
	c.Diff.Notes = slices.DeleteFunc(c.Diff.Notes, func(s string) bool {
		return strings.HasPrefix(s,
			"the captures have separate numberings")
	})
	c.Diff.Frames = slices.DeleteFunc(c.Diff.Frames, func(f diff.FrameChange) bool { return f.Kind == "reloaded" })
	was := map[string]string{}
	for _, t := range accepted.Texts {
		was[t.Name] = t.Text
	}
	for _, t := range now.Texts {
		old, ok := was[t.Name]
		delete(was, t.Name)
		switch {
		case !ok:
			c.Texts = append(c.Texts, TextDiff{Name: t.Name, Why: "it was not accepted: accept the page again"})
		case old != t.Text:
			d := TextDiff{Name: t.Name, Edits: diff.Lines(old, t.Text)}
			for _, e := range d.Edits {
				switch e.Op {
				case diff.Gone:
					d.Gone++
				case diff.New:
					d.New++
				}
			}
			c.Texts = append(c.Texts, d)
		}
	}
	for _, t := range accepted.Texts {
		if _, left := was[t.Name]; left {
			c.Texts = append(c.Texts, TextDiff{Name: t.Name,
				Why: "it was accepted, and the list does not ask for it now"})
		}
	}
	return c
}

// Same reports whether nothing differs.
func (c *Comparison) Same() bool { return c.Diff.Empty() && len(c.Texts) == 0 }

// Sentence is the difference in one line.
func (c *Comparison) Sentence() string {
	if c.Same() {
		return "as accepted"
	}
	var parts []string
	if !c.Diff.Empty() {
		parts = append(parts, strings.TrimSuffix(c.Diff.Sentence(), "."))
	}
	for _, t := range c.Texts {
		if t.Why != "" {
			parts = append(parts, t.Name+": "+t.Why)
			continue
		}
		lines := "lines"
		if t.Gone == 1 {
			lines = "line"
		}
		parts = append(parts, fmt.Sprintf("%s: %d %s gone, %d new", t.Name, t.Gone, lines, t.New))
	}
	return strings.Join(parts, "; ")
}

// Report is the difference for people: the lines of [diff.Diff.Report] without the
// address, then each text as a unified diff, without a newline at the end. Page text
// cannot forge a line of it.
func (c *Comparison) Report() string {
	var b strings.Builder
	if !c.Diff.Empty() {
		_, rest, _ := strings.Cut(c.Diff.Report(), "\n")
		b.WriteString(rest)
		b.WriteByte('\n')
	}
	for _, t := range c.Texts {
		if t.Why != "" {
			fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Why)
			continue
		}
		b.WriteString(diff.Unified(t.Edits, "accepted/"+t.Name, "now/"+t.Name, 2, false))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
