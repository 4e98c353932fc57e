package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// FormatChanges names the texts of two turns, compared line by line. No capture renders to it.
const FormatChanges dump.Format = "changes"

// TurnChange is how a turn differs from the one before it, in figures of elements.
type TurnChange struct {
	From int // number of the turn before
	// Added, Removed and Changed are elements; Moved are those that lie elsewhere, Resized those that have another
	// size, Renumbered those that have another number, as after a reload, whatever else of them changed.
	// Page counts facts of the page, frames and overlays.
	Added, Removed, Changed, Moved, Resized, Renumbered, Page int
	Navigated                                                 bool
}

// None reports whether nothing differs.
func (c TurnChange) None() bool {
	return c.Added+c.Removed+c.Changed+c.Moved+c.Resized+c.Renumbered+c.Page == 0 && !c.Navigated
}

// Short is the difference in a few signs: "+6 –2 ~3", "other page", "same".
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
	}{{"+", c.Added}, {"–", c.Removed}, {"~", c.Changed}} {
		if p.n > 0 {
			parts = append(parts, p.sign+text.Thousands(p.n))
		}
	}
	if len(parts) == 0 && c.Moved > 0 {
		return text.Thousands(c.Moved) + " moved"
	}
	if len(parts) == 0 && c.Resized > 0 {
		return text.Thousands(c.Resized) + " resized"
	}
	if len(parts) == 0 && c.Page > 0 {
		return "page only"
	}
	if len(parts) == 0 {
		return "new numbers"
	}
	return strings.Join(parts, " ")
}

// countChanges counts the elements of a difference.
func countChanges(from int, d *diff.Diff) TurnChange {
	c := TurnChange{From: from, Navigated: d.Navigated, Page: len(d.Page) + len(d.Frames) + len(d.Overlays)}
	for i := 0; i < len(d.Changes); {
		first := &d.Changes[i]
		moved, resized, changed, renumbered := false, false, false, false
		for ; i < len(d.Changes) && d.Changes[i].Before == first.Before && d.Changes[i].After == first.After; i++ {
			switch k := d.Changes[i].Kind; {
			case slices.Contains(places, k):
				moved = true
			case k == diff.Resized:
				resized = true
			case k == diff.Replaced:
				renumbered = true
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
		}
		if moved {
			c.Moved++
		}
		if resized {
			c.Resized++
		}
		if renumbered {
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
	// Rows are all of it, by what became of an element. Groups are what changed in one way,
	// those that have rows, in the order of the chips.
	Rows   *Rows
	Groups []ChangeRows
	// Problem is why the two could not be compared.
	Problem *Problem
}

// NewChanges compares two turns.
func NewChanges(before, after *Turn) *Changes {
	d := diff.Captures(before.Capture, after.Capture, diff.Options{})
	c := &Changes{N: after.N, Count: countChanges(before.N, d)}
	lines := d.ReportLines()
	c.Rows, c.Groups = NewRows(changeRows(lines, true)), groupChanges(d, lines)
	return c
}

// changeSections are the headings of changes, by the sign of a report's line, and those of what only lies elsewhere or
// has another size.
var changeSections = []struct {
	sign, title, lead string
	tone              Tone
}{{"", "Page", "", ToneNormal}, {"+", "Added", "+", ToneGood}, {"-", "Removed", "–", ToneBad}, {
	"~", "Changed", "~", ToneWarn}, {onlyMoved, "Moved", "", ToneNormal}, {
	onlyResized, "Resized", "", ToneNormal}, {">", "Changed alike", "", ToneNormal}}

// onlyMoved and onlyResized stand for the sign of a line about elements that only lie elsewhere, see [places], or only
// have another size.
const (
	onlyMoved   = "moved"
	onlyResized = "resized"
)

// places are the kinds of change that leave an element what it is, elsewhere.
var places = []diff.Kind{diff.Moved, diff.Viewport, diff.Scrolled}

// sectionOf is the sign of the heading that a line is under.
func sectionOf(l *diff.ReportLine) string {
	elsewhere := func(k diff.Kind) bool { return slices.Contains(places, k) }
	other := func(k diff.Kind) bool { return k != diff.Resized && !elsewhere(k) }
	switch {
	case len(l.Kinds) == 0 || slices.ContainsFunc(l.Kinds, other):
		return l.Sign
	case slices.ContainsFunc(l.Kinds, elsewhere):
		return onlyMoved
	}
	return onlyResized
}

// changeRows are lines of a report as rows under their headings. whole: the first line is the
// address and the last one the sentence, which the head of the side has.
func changeRows(lines []diff.ReportLine, whole bool) []Row {
	if whole {
		if len(lines) < 3 {
			return nil
		}
		lines = lines[1 : len(lines)-1]
	}
	var rows []Row
	for _, section := range changeSections {
		head, count := len(rows), 0
		for i := range lines {
			if sectionOf(&lines[i]) != section.sign {
				continue
			}
			if len(rows) == head {
				rows = append(rows, Row{Kind: RowHead, Title: section.title, Tone: section.tone})
			}
			rows, count = append(rows, changeRow(&lines[i], section.lead, section.tone)),
				count+max(lines[i].Elements, 1)
		}
		if len(rows) > head {
			rows[head].Cells = []string{text.Thousands(count)}
		}
	}
	return rows
}

func changeRow(l *diff.ReportLine, lead string, tone Tone) Row {
	r := Row{Lead: lead, Tone: tone, Title: l.Words}
	node := -1
	switch {
	case l.After != nil && (l.After.Ref > 0 || l.Before == nil):
		node, r.Ref = l.After.Node, l.After.Ref
	case l.Before != nil: // gone, or there without being kept
		r.Ref = l.Before.Ref
	}
	r.Node = node + 1
	if e := cmp.Or(l.Before, l.After); e != nil && l.Sign != "" {
		r.Title = why.Describe(&snapshot.Node{Role: e.Role, Tag: e.Tag, Name: cmp.Or(e.Name, e.Text)})
		r.Body = l.Words
	}
	if r.Ref > 0 || node >= 0 {
		r.Pick = ChangePicked{Node: node, Ref: r.Ref}
	}
	for k := 0; k < len(l.Named); k++ {
		if k == 0 {
			r.Title = strings.TrimRight(l.Words, ": ")
		}
		was, chip := l.Named[k], RowChip{}
		// An element with another number is named by both.
		if k+1 < len(l.Named) && strings.TrimSpace(l.Text[was.End:l.Named[k+1].Start]) == "→" {
			chip.Text = "was " + strconv.Itoa(was.Element.Ref)
			k++
		}
		chip.Ref = l.Named[k].Element.Ref
		chip.Msg = ChangePicked{Node: -1, Ref: chip.Ref}
		r.Chips = append(r.Chips, chip)
	}
	if more := l.Elements - len(r.Chips); len(r.Chips) > 0 && more > 0 {
		r.Chips = append(r.Chips, RowChip{Text: text.Thousands(more) + " more"})
	}
	return r
}

// ChangePicked: a row about an element was chosen. One that is gone is shown in the picture
// of the turn before, any other in that of the turn.
type ChangePicked struct{ Node, Ref int }

func (m ChangePicked) Apply(s State) (State, []Effect) {
	if m.Ref == 0 {
		return NodePicked{Node: m.Node, Source: PaneDump}.Apply(s)
	}
	s.Selected = s.SelectionOf(m.Ref, PaneDump)
	if s.Selected.Some() {
		s = s.toggleBack(s.Selected.Node < 0)
	}
	return s, nil
}

// compare asks for the difference of the shown turn from the one before it, and for
// that turn's picture. known is the turn that was in view until now.
func (s State) compare(known *Turn) (State, []Effect) {
	s.Previous, s.Changes, s.ShowPrevious = nil, nil, false
	var effects []Effect
	for _, t := range s.Tasks {
		if t.Kind == TaskCompare {
			var more []Effect
			s, more = s.cancelTask(t.ID)
			effects = append(effects, more...)
		}
	}
	from := s.ComparedWith()
	switch {
	case from.N == 0:
		return s, effects
	case from.Session != "":
		known = nil
	case known != nil && known.N != from.N:
		known = s.ready(from.N)
	}
	id := s.StartTask(TaskCompare, "Comparing with "+from.String())
	return s, append(effects, Compare{Task: id, Turn: s.Current, From: from.N, Session: from.Session, Known: known})
}

// Base is what turns are compared with in the place of the turn before each: turn N of the session in view or, where
// Session names one, of another. The zero value is the turn before.
type Base struct {
	Session string
	N       int
}

// String names the turn for people.
func (b Base) String() string {
	if b.Session == "" {
		return "turn " + text.Thousands(b.N)
	}
	return "turn " + text.Thousands(b.N) + " of " + text.Cut(text.Line(b.Session), 40)
}

// ComparedWith is what the turn in view is compared with; its N is 0 for nothing.
func (s State) ComparedWith() Base {
	if b := s.Base; b.N > 0 && (b.Session != "" || b.N != s.Current.N) {
		return b
	}
	return Base{N: s.TurnBefore(s.Current.N)}
}

// BaseChosen compares the turn in view, and those after it, with another turn; the zero value with the one before
// each again.
type BaseChosen struct{ Base Base }

// Apply implements [Msg].
func (m BaseChosen) Apply(s State) (State, []Effect) {
	if s.Current == nil || s.Base == m.Base {
		return s, nil
	}
	s.Base = m.Base
	return s.compare(nil)
}

// Others reads turns of sessions that are not in use.
type Others interface {
	// LoadFrom reads a turn of another session, by its name, folder or file.
	LoadFrom(ctx context.Context, session string, n int) (*Recorded, error)
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

// TakenBefore is when the turn before turn n was taken, the zero time where there is none.
func (s State) TakenBefore(n int) time.Time {
	if from := s.TurnBefore(n); from > 0 {
		for _, r := range s.Session.Turns {
			if r.N == from {
				return r.Taken
			}
		}
	}
	return time.Time{}
}

func (s State) compared(m Compared) (State, []Effect) {
	t, ok := s.FinishTask(m.Task)
	if !ok || t.Stopping || s.Current == nil || s.Current.N != m.Changes.N {
		return s, nil
	}
	s.Previous, s.Changes = m.Before, m.Changes
	if m.Changes.Problem == nil && s.Base.N == 0 {
		s.editRow(m.Changes.N, func(r *TurnRow) {
			if m.Before == nil || s.Current.Unseen(&m.Before.Recorded) == "" {
				r.Change = &m.Changes.Count
			}
			if m.Before != nil {
				r.Errors = s.Current.errorsSince(m.Before)
			}
		})
	}
	s, effects := s.Each(func(r Room) func(State) (State, []Effect) { return r.Compared })
	if m.Before != nil && s.Base.N == 0 && comparable(m.Before.Capture, s.Current.Capture, maxFindings) {
		effects = append(effects, compareFindings{s.Session.Opened, m.Before, s.Current})
	}
	return s, append(effects, s.prepare()...)
}

// Judged takes over how many findings of a turn are errors, once its audit is there.
func (s *State) Judged(n, wrong int) { s.editRow(n, func(r *TurnRow) { r.Wrong = wrong }) }

// editRow changes one row of the list of turns.
func (s *State) editRow(n int, change func(*TurnRow)) {
	rows := slices.Clone(s.Session.Turns)
	if i, ok := slices.BinarySearchFunc(rows, n, ByNumber); ok {
		change(&rows[i])
	}
	s.Session.Turns = rows
}

// toggleBack changes between the picture of the turn and that of the turn before.
func (s State) toggleBack(on bool) State {
	s.ShowPrevious = on && s.Previous != nil
	return s
}

// ChangeGroup is one way in which elements change, as the chips of the Changes side
// name it. "" is all of them.
type ChangeGroup string

// changeGroups lists the kinds of package diff in each group.
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
	{"moved", places},
	{"resized", []diff.Kind{diff.Resized}},
	{"renumbered", []diff.Kind{diff.Replaced}},
	{"page", nil}, // lines about the page, frames and overlays
}

// ChangeRows are the rows of one group of changes.
type ChangeRows struct {
	Group ChangeGroup
	Count int // elements in it, or changes of the page
	Rows  *Rows
}

// groupChanges makes the rows of the groups, each with how many elements are in it: one that two lines are about is
// one. A line about an element that changed in several ways is in each of their groups. The first line, the address,
// and the last, the sentence, are in none.
func groupChanges(d *diff.Diff, lines []diff.ReportLine) []ChangeRows {
	var out []ChangeRows
	if len(lines) < 3 {
		return nil
	}
	for _, g := range changeGroups {
		var own []diff.ReportLine
		type pair struct{ before, after *diff.Element }
		elements := map[pair]bool{}
		for i := range d.Changes {
			if c := &d.Changes[i]; slices.Contains(g.kinds, c.Kind) {
				elements[pair{c.Before, c.After}] = true
			}
		}
		count := len(elements)
		for _, l := range lines[1 : len(lines)-1] {
			page := len(l.Kinds) == 0
			if page && g.kinds == nil || slices.ContainsFunc(l.Kinds, func(k diff.Kind) bool {
				return slices.Contains(g.kinds, k)
			}) {
				own = append(own, l)
				if page {
					count++
				}
			}
		}
		if len(own) > 0 {
			out = append(out, ChangeRows{g.group, count, NewRows(changeRows(own, false))})
		}
	}
	return out
}

// Words describes a difference in words.
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
	}{{c.Added, "added"}, {c.Removed, "removed"}, {c.Changed, "changed"}, {c.Moved, "moved"}, {
		c.Resized, "resized"}, {c.Renumbered, "renumbered"}} {
		if p.n > 0 {
			parts = append(parts, text.Thousands(p.n)+" "+p.word)
		}
	}
	if c.Page > 0 {
		parts = append(parts, text.Count(c.Page, "page property", "page properties"))
	}
	return strings.Join(parts, ", ")
}

// column is a document that is being written.
type column struct {
	text  strings.Builder
	Doc   *dump.Document
	tones *LineTones
}

// Add writes a line about the element of another document's line, from is –1 for none.
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

// NewColumn begins a document of changes.
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

// Changed reports whether a turn differs from the one before, if that is known.
func (r TurnRow) Changed() bool {
	return r.Change != nil && !r.Change.None() || r.Findings != FindingChange{}
}

// FindingsCompared describes how the findings of a turn differ from those of the turn before.
type FindingsCompared struct {
	Session, N int // the number of the session's opening, and of the turn
	// Wrong is how many findings of the turn are errors.
	Wrong int
	FindingChange
}

func (m FindingsCompared) Apply(s State) (State, []Effect) {
	if m.Session == s.Session.Opened {
		s.editRow(m.N, func(r *TurnRow) { r.Findings, r.Wrong, r.Known = m.FindingChange, m.Wrong, true })
	}
	return s, nil
}

// Compare finds what changed from turn From to Turn and makes From ready. Known is From
// where it is ready already. [Compared] answers.
type Compare struct {
	Task  int
	Turn  *Turn
	From  int
	Known *Turn
	// Session is that of From where it is another one.
	Session string
}

// Number implements [Numbered].
func (e Compare) Number() int { return e.Task }

// Do implements [Work].
func (e Compare) Do(ctx context.Context, w *Worker) Msg {
	before, err := e.Known, error(nil)
	switch {
	case before != nil:
	case e.Session == "":
		before, err = w.ready(ctx, e.From)
	default:
		var rec *Recorded
		if rec, err = EngineOf[Others](w).LoadFrom(ctx, e.Session, e.From); err == nil {
			before, err = rec.Ready()
		}
	}
	if err != nil {
		err = fmt.Errorf("turn %d cannot be compared with %s: %w", e.Turn.N, Base{e.Session, e.From}, err)
		return Compared{Task: e.Task, Changes: &Changes{N: e.Turn.N, Problem: w.Problem("turn before", err)}}
	}
	return Compared{Task: e.Task, Before: before, Changes: NewChanges(before, e.Turn)}
}

// How many elements a page may have for its findings to be compared for the list of turns: that
// of the turn in view, and that of any row. The side has no such limit.
const (
	maxFindings       = 20_000
	maxSurveyFindings = 5_000
)

// compareFindings compares the findings of the turn in view with those of the one before, for
// the list of turns, once a person has stayed at it. [FindingsCompared] answers.
type compareFindings struct {
	Session       int // the number of its opening
	Before, After *Turn
}

// Pause implements [LatestWork]: what a person asked for comes first.
func (compareFindings) Pause() time.Duration { return time.Second }

// Do implements [Work].
func (e compareFindings) Do(ctx context.Context, w *Worker) Msg {
	return findingsChange(w, e.Session, e.After.N, e.Before.Audit, e.After.Audit)
}

// comparable reports whether the findings of two turns are compared: they show one page, which
// is not too large.
func comparable(before, after *snapshot.Capture, most int) bool {
	return before.URL == after.URL && max(len(before.Nodes), len(after.Nodes)) <= most
}

// findingsChange counts the errors of an audit and compares it with one before, which may give nil: then it is not
// compared. It returns nil where one cannot be made.
func findingsChange(w *Worker, session, n int, before, after func() (*audit.Report, error)) Msg {
	report, err := after()
	was, wasErr := before()
	if err = errors.Join(err, wasErr); err != nil {
		w.Log.Debug("no findings", "turn", n, "error", err)
		return nil
	}
	m := FindingsCompared{Session: session, N: n, Wrong: report.Errors}
	if was != nil {
		m.FindingChange = CountFindings(audit.Diff(was, report))
	}
	return m
}
