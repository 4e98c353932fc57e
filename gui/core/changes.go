package core

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// FormatChanges names the text of the Changes tab: the report of package diff, one
// line for each element (row U-8). No capture renders to it.
const FormatChanges dump.Format = "changes"

// TurnChange is how a turn differs from the one before it, in figures of elements.
type TurnChange struct {
	From int // number of the turn before
	// Added, Removed and Changed are elements; Moved are those that only lie
	// elsewhere, Renumbered those that only have another number, as after a reload.
	// Page counts facts of the page, frames and overlays.
	Added, Removed, Changed, Moved, Renumbered, Page int
	Navigated                                        bool
}

// None reports whether nothing differs.
func (c TurnChange) None() bool {
	return c.Added+c.Removed+c.Changed+c.Moved+c.Renumbered+c.Page == 0 && !c.Navigated
}

// Short is the difference in a few signs: "+6 −2 ~3", "other page", "same".
func (c TurnChange) Short() string {
	switch {
	case c.Navigated:
		return "other page"
	case c.None():
		return "same"
	}
	var parts []string
	for _, p := range []struct {
		sign string
		n    int
	}{{"+", c.Added}, {"−", c.Removed}, {"~", c.Changed}} {
		if p.n > 0 {
			parts = append(parts, p.sign+text.Thousands(p.n))
		}
	}
	if len(parts) == 0 && c.Moved > 0 {
		return text.Thousands(c.Moved) + " moved"
	}
	if len(parts) == 0 && c.Page > 0 {
		return "page facts"
	}
	if len(parts) == 0 {
		return "new numbers"
	}
	return strings.Join(parts, " ")
}

// CountChanges counts the elements of a difference.
func CountChanges(from int, d *diff.Diff) TurnChange {
	c := TurnChange{From: from, Navigated: d.Navigated, Page: len(d.Page) + len(d.Frames) + len(d.Overlays)}
	for i := 0; i < len(d.Changes); {
		first := &d.Changes[i]
		moved, changed := false, false
		for ; i < len(d.Changes) && d.Changes[i].Before == first.Before && d.Changes[i].After == first.After; i++ {
			switch d.Changes[i].Kind {
			case diff.Moved, diff.Viewport, diff.Scrolled, diff.Resized:
				moved = true
			case diff.Replaced:
			default:
				changed = true
			}
		}
		switch {
		case first.Kind == diff.Added:
			c.Added++
		case first.Kind == diff.Removed:
			c.Removed++
		case changed:
			c.Changed++
		case moved:
			c.Moved++
		default:
			c.Renumbered++
		}
	}
	return c
}

// Changes are the differences of a turn from the one before it, made ready for the
// window. They are immutable and made away from the main goroutine.
type Changes struct {
	N     int // the turn
	Count TurnChange
	// Doc has a line for each element, about the element of the turn, or of the turn
	// before where it was removed: then the line's node is −1.
	Doc   *dump.Document
	Tones *LineTones
	// Groups are the texts of what changed in one way, those that have lines, in the
	// order of [ChangeGroups].
	Groups []ChangeLines
	// Problem is why the two could not be compared.
	Problem *Problem
}

// NewChanges compares two turns.
func NewChanges(before, after *Turn) *Changes {
	d := diff.Captures(before.Capture, after.Capture, diff.Options{})
	c := &Changes{N: after.N, Count: CountChanges(before.N, d)}
	lines := d.ReportLines()
	c.Doc, c.Tones = changeText(lines)
	c.Groups = groupChanges(lines)
	return c
}

// changeText writes lines of a report with their index.
func changeText(lines []diff.ReportLine) (*dump.Document, *LineTones) {
	doc, tones := &dump.Document{Format: FormatChanges}, &LineTones{ByLine: map[int]Tone{}}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := dump.Line{Start: b.Len(), End: b.Len() + len(l.Text), Node: -1}
		switch {
		case l.After != nil && (l.After.Ref > 0 || l.Before == nil):
			line.Node, line.Ref = l.After.Node, l.After.Ref
		case l.Before != nil: // gone, or there without being kept
			line.Ref = l.Before.Ref
		}
		for _, n := range l.Named {
			span := dump.Span{Line: i, Start: line.Start + n.Start, End: line.Start + n.End, Node: n.Element.Node}
			if n.Element.Ref > 0 {
				tones.cells = append(tones.cells, Cell{span, n.Element.Ref})
			}
		}
		switch {
		case strings.HasPrefix(l.Text, "+ "):
			tones.Set(i, ToneGood)
		case strings.HasPrefix(l.Text, "- "):
			tones.Set(i, ToneBad)
		}
		b.WriteString(l.Text)
		doc.Lines = append(doc.Lines, line)
	}
	doc.Text = b.String()
	return doc, tones
}

// compare asks for the difference of the shown turn from the one before it, and for
// that turn's picture. known is the turn that was in view until now.
func (s State) compare(known *Turn) (State, []Effect) {
	s.Before, s.Changes, s.Back = nil, nil, false
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskCompare {
			var more []Effect
			s, more = s.CancelTask(t.ID)
			effects = append(effects, more...)
		}
	}
	from := s.TurnBefore(s.Shown.N)
	if from == 0 {
		return s, effects
	}
	if known != nil && known.N != from {
		known = nil
	}
	id := s.StartTask(TaskCompare, "Comparing with turn "+text.Thousands(from))
	return s, append(effects, Compare{Task: id, Turn: s.Shown, From: from, Known: known, Session: s.Session.Opened})
}

// TurnBefore is the number of the turn before n in the list, 0 for none.
func (s State) TurnBefore(n int) int {
	from := 0
	for _, r := range s.Session.Turns {
		if r.N < n {
			from = max(from, r.N)
		}
	}
	return from
}

func (s State) compared(m Compared) (State, []Effect) {
	t, ok := s.FinishTask(m.Task)
	if !ok || t.Stopping || s.Shown == nil || s.Shown.N != m.Changes.N {
		return s, nil
	}
	s.Before, s.Changes = m.Before, m.Changes
	if m.Changes.Problem == nil {
		s.EditRow(m.Changes.N, func(r *TurnRow) { r.Change = &m.Changes.Count })
	}
	return s.Each(func(r Room) func(State) (State, []Effect) { return r.Compared })
}

// survey changes one row of the list of turns.
func (s *State) EditRow(n int, change func(*TurnRow)) {
	rows := slices.Clone(s.Session.Turns)
	if i, ok := slices.BinarySearchFunc(rows, n, ByNumber); ok {
		change(&rows[i])
	}
	s.Session.Turns = rows
}

// ToggleBack changes between the picture of the turn and that of the turn before.
func (s State) ToggleBack(on bool) State {
	s.Back = on && s.Before != nil
	return s
}

// ChangeGroup is one way in which elements change, as the chips of the Changes side
// name it. "" is all of them.
type ChangeGroup string

// changeGroups says which kinds of package diff a group holds.
var changeGroups = []struct {
	group ChangeGroup
	kinds []diff.Kind
}{
	{"added", []diff.Kind{diff.Added}},
	{"removed", []diff.Kind{diff.Removed}},
	{"renamed", []diff.Kind{diff.Renamed, diff.Role, diff.Text}},
	{"value", []diff.Kind{diff.Value}},
	{"state", []diff.Kind{diff.State, diff.Attr}},
	{"covered", []diff.Kind{diff.Covered, diff.Uncovered}},
	{"moved", []diff.Kind{diff.Moved, diff.Resized, diff.Viewport, diff.Scrolled}},
	{"renumbered", []diff.Kind{diff.Replaced}},
	{"page", nil}, // lines about the page, frames and overlays
}

// ChangeLines is the text of one group of changes.
type ChangeLines struct {
	Group ChangeGroup
	Lines int // elements and groups of elements that it tells of
	Doc   *dump.Document
	Tones *LineTones
}

// groupChanges makes the texts of the groups. A line about an element that changed in
// several ways stands in each of their groups. The first line, the address, and the
// last, the sentence, are in none.
func groupChanges(lines []diff.ReportLine) []ChangeLines {
	var out []ChangeLines
	if len(lines) < 3 {
		return nil
	}
	for _, g := range changeGroups {
		var own []diff.ReportLine
		for _, l := range lines[1 : len(lines)-1] {
			page := len(l.Kinds) == 0
			if page && g.kinds == nil || slices.ContainsFunc(l.Kinds, func(k diff.Kind) bool { return slices.Contains(g.kinds, k) }) {
				own = append(own, l)
			}
		}
		if len(own) > 0 {
			c := ChangeLines{Group: g.group, Lines: len(own)}
			c.Doc, c.Tones = changeText(own)
			out = append(out, c)
		}
	}
	return out
}

// Words says a difference in words.
func (c TurnChange) Words() string {
	if c.None() {
		return "nothing changed"
	}
	var parts []string
	if c.Navigated {
		parts = append(parts, "another page")
	}
	for _, p := range []struct {
		n    int
		word string
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Changed, "changed"}, {c.Moved, "moved"}, {c.Renumbered, "renumbered"}} {
		if p.n > 0 {
			parts = append(parts, text.Thousands(p.n)+" "+p.word)
		}
	}
	if c.Page > 0 {
		parts = append(parts, text.Count(c.Page, "fact of the page", "facts of the page"))
	}
	return strings.Join(parts, ", ")
}

// column is a document that is being written.
type column struct {
	text  strings.Builder
	Doc   *dump.Document
	tones *LineTones
}

// Add writes a line about the element of another document's line, from is −1 for none.
func (c *column) Add(text string, of *dump.Document, from int, tone Tone) {
	if len(c.Doc.Lines) > 0 {
		c.text.WriteByte('\n')
	}
	l := dump.Line{Start: c.text.Len(), Node: -1}
	if from >= 0 && from < len(of.Lines) {
		l.Ref = of.Lines[from].Ref
	}
	c.text.WriteString(text)
	l.End = c.text.Len()
	if tone != ToneNormal {
		c.tones.Set(len(c.Doc.Lines), tone)
	}
	c.Doc.Lines = append(c.Doc.Lines, l)
}

func (c *column) Done() (*dump.Document, *LineTones) {
	c.Doc.Text = c.text.String()
	return c.Doc, c.tones
}

func NewColumn() *column {
	return &column{Doc: &dump.Document{Format: FormatChanges}, tones: &LineTones{ByLine: map[int]Tone{}}}
}

// FindingChange is how many findings of the audit appeared since the turn before, and how
// many went away: errors and warnings only, so that the list of turns stays calm.
type FindingChange struct{ Appeared, Gone int }

// CountFindings counts the errors and warnings of a difference between two audits.
func CountFindings(c *audit.Changes) FindingChange {
	count := func(list []audit.Finding) (n int) {
		for _, f := range list {
			if f.Severity != audit.Note {
				n++
			}
		}
		return n
	}
	return FindingChange{count(c.Appeared), count(c.Gone)}
}

// Changed reports whether a turn differs from the one before, as far as that is known.
func (r TurnRow) Changed() bool {
	return r.Change != nil && !r.Change.None() || r.Findings != FindingChange{}
}

// FindingsCompared says how the findings of a turn differ from those of the turn before.
type FindingsCompared struct {
	Session, N int // the number of the session's opening, and of the turn
	FindingChange
}

func (m FindingsCompared) Apply(s State) (State, []Effect) {
	if m.Session == s.Session.Opened {
		s.EditRow(m.N, func(r *TurnRow) { r.Findings = m.FindingChange })
	}
	return s, nil
}
