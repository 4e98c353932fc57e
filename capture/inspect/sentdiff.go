package inspect

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// SentDiff is what differs between what the models of two turns were told in the agents' own texts. The agent's numbers
// do not count as a difference: some agents give new ones with each text.
type SentDiff struct {
	Schema  string                `json:"schema"`
	A       string                `json:"a"`       // the first turn, as it was named
	B       string                `json:"b"`       // the second turn, as it was named
	Formats [2]observation.Format `json:"formats"` // what the texts of the two turns are written in
	Lines   []SentChange          `json:"lines"`
	Same    int                   `json:"same"` // lines that are in both
	// Renumbered counts those of them whose number is another one.
	Renumbered int `json:"renumbered"`

	edits []diff.Edit
}

// SentChange is a line that came or went.
type SentChange struct {
	Change string `json:"change"`        // told, or no longer told
	Line   int    `json:"line"`          // of its text, from 1
	Ref    string `json:"ref,omitempty"` // the agent's own number of its element, "" for none
	Text   string `json:"text"`          // the line
	// Node is the element's index in the capture of its turn, -1 where it is not known.
	Node int `json:"node"`
}

const sentDiffSchema = "refscope.sentdiff/1"

// DiffSent compares what the models of two turns were told.
func DiffSent(a, b *Sent) *SentDiff {
	out := &SentDiff{Schema: sentDiffSchema, A: target.Clean(a.Name), B: target.Clean(b.Name),
		Formats: [2]observation.Format{a.Text.Format, b.Text.Format}, Lines: []SentChange{}}
	was, now := a.byLine(), b.byLine()
	linesA, linesB := strings.Split(a.Text.Body(), "\n"), strings.Split(b.Text.Body(), "\n")
	out.edits = diff.Lines(unnumbered(linesA, was), unnumbered(linesB, now))
	for i := range out.edits {
		e := &out.edits[i]
		e.Pair, e.Marks = -1, nil // of the lines without their numbers
		change := func(what string, at int, lines []string, of map[int]observation.Line) {
			e.Line = lines[at]
			c := SentChange{Change: what, Line: at + 1, Text: text.CollapseSpace(text.StartBytes(e.Line, 4000)),
				Node: -1}
			if l, ok := of[at]; ok {
				c.Ref, c.Node = text.Line(l.Ref), l.Node
			}
			out.Lines = append(out.Lines, c)
		}
		switch e.Op {
		case diff.Gone:
			change("no longer told", e.A, linesA, was)
		case diff.New:
			change("told", e.B, linesB, now)
		default:
			e.Line = linesB[e.B]
			out.Same++
			if was[e.A].Ref != now[e.B].Ref {
				out.Renumbered++
			}
		}
	}
	return out
}

// byLine are the lines of the text by their place from 0, where an element begins.
func (s *Sent) byLine() map[int]observation.Line {
	out := map[int]observation.Line{}
	for _, l := range s.Text.Lines {
		if _, taken := out[l.First-1]; !taken {
			out[l.First-1] = l
		}
	}
	return out
}

// unnumbered are the lines of a text without the agent's own numbers.
func unnumbered(lines []string, of map[int]observation.Line) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if l, ok := of[i]; ok && l.Ref != "" {
			line = strings.Replace(line, l.Ref, "", 1)
		}
		out[i] = line
	}
	return strings.Join(out, "\n")
}

// Differs reports whether a line came or went.
func (d *SentDiff) Differs() bool { return len(d.Lines) > 0 }

// Unified is the difference for people, with so many lines around each change, below 0 with all.
func (d *SentDiff) Unified(context int) string {
	if !d.Differs() {
		return ""
	}
	return diff.Unified(d.edits, d.A, d.B, context, false)
}

// Text is the difference with three lines around each change.
func (d *SentDiff) Text() string { return d.Unified(3) }

// Summary says how much differs.
func (d *SentDiff) Summary() string {
	return fmt.Sprintf("%s came or went, %d are in both, %d of them with another number",
		text.Count(len(d.Lines), "line", "lines"), d.Same, d.Renumbered)
}
