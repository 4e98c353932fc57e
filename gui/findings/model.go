// Package findings is the side Audit: where an agent's view and a person's differ, and what an
// agent should beware of.
package findings

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Format names the text of the Audit side. No capture renders to it.
const Format dump.Format = "audit"

// Model is the audit of one turn.
type Model struct {
	// Turn and Personal are what was asked for.
	Turn *core.Turn
	// Personal looks for personal data too.
	Personal bool
	// Hide are the severities that are not listed.
	Hide Severities
	// Report is nil until it is there, and where Problem says why there is none.
	Report *audit.Report
	// Changes are what appeared and went away since the turn before, From; nil where
	// there is none.
	Changes *audit.Changes
	From    int
	Problem *core.Problem
	// Doc is the report as text, with the lines of elements; Tones tints it.
	Doc   *dump.Document
	Tones *core.LineTones
}

// Severities says which severities are not listed; they are counted all the same.
type Severities struct{ Errors, Warnings, Notes bool }

func (h Severities) has(s audit.Severity) bool {
	switch s {
	case audit.Error:
		return h.Errors
	case audit.Warning:
		return h.Warnings
	}
	return h.Notes
}

// RunAudit audits a turn and compares it with the one before, From, 0 for none; Known is
// that one where it is ready. [Audited] answers.
type RunAudit struct {
	Turn     *core.Turn
	From     int
	Known    *core.Turn
	Personal bool
}

// Audited answers [RunAudit].
type Audited struct {
	Turn     *core.Turn
	Personal bool
	Report   *audit.Report
	Changes  *audit.Changes
	From     int
	Problem  *core.Problem
}

func (m Audited) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Turn != m.Turn || Of(s).Personal != m.Personal {
		return s, nil // another one is in view by now
	}
	model := edit(&s)
	model.Report, model.Changes, model.From, model.Problem = m.Report, m.Changes, m.From, m.Problem
	return write(s), nil
}

// AuditShown lists a severity, or no longer.
type AuditShown struct{ Hide Severities }

func (m AuditShown) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Hide = m.Hide
	return write(s), nil
}

// PersonalToggled looks for personal data too, or no longer.
type PersonalToggled struct{}

func (PersonalToggled) Apply(s core.State) (core.State, []core.Effect) {
	*edit(&s) = Model{Personal: !Of(s).Personal, Hide: Of(s).Hide}
	if s.Side != Side {
		return s, nil
	}
	return fill(s)
}

// fillAudit asks for the audit of the turn in view where there is another one.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Shown == nil || Of(s).Turn == s.Shown {
		return s, nil
	}
	*edit(&s) = Model{Turn: s.Shown, Personal: Of(s).Personal, Hide: Of(s).Hide}
	return s, []core.Effect{RunAudit{Turn: s.Shown, From: s.TurnBefore(s.Shown.N), Known: s.Before, Personal: Of(s).Personal}}
}

// badges count the errors and the warnings of the turn in view.
func badges(s core.State) []core.StatusItem {
	r := Of(s).Report
	if r == nil || Of(s).Turn != s.Shown {
		return nil
	}
	return append(core.Badge(r.Errors, core.ToneBad), core.Badge(r.Warnings, core.ToneNormal)...)
}

// writeAudit makes the text of the report.
func write(s core.State) core.State {
	r := Of(s).Report
	if r == nil {
		model := edit(&s)
		model.Doc, model.Tones = nil, nil
		return s
	}
	w := writer{tones: &core.LineTones{ByLine: map[int]core.Tone{}}, doc: &dump.Document{Format: Format}}
	w.line(-1, 0, core.ToneNormal, "%s · %s · %s in %s", text.Count(r.Errors, "error", "errors"), text.Count(r.Warnings, "warning", "warnings"),
		text.Count(r.Notes, "note", "notes"), text.Count(r.Elements, "element", "elements"))
	w.changes(Of(s))
	w.coverage(r)
	w.findings(r, Of(s).Hide)
	w.misses(r)
	w.doc.Text = w.b.String()
	model := edit(&s)
	model.Doc, model.Tones = w.doc, w.tones
	return s
}

// writer writes the report line by line. Page text in it is one line and in quotes;
// package audit sees to that, and Plain to what could still steer a screen.
type writer struct {
	b     strings.Builder
	doc   *dump.Document
	tones *core.LineTones
}

func (w *writer) line(node, ref int, tone core.Tone, format string, args ...any) {
	if len(w.doc.Lines) > 0 {
		w.b.WriteByte('\n')
	}
	text := fmt.Sprintf(format, args...)
	start := w.b.Len()
	w.b.WriteString(text)
	if tone != core.ToneNormal {
		w.tones.Set(len(w.doc.Lines), tone)
	}
	w.doc.Lines = append(w.doc.Lines, dump.Line{Start: start, End: w.b.Len(), Node: node, Ref: ref})
}

func (w *writer) changes(p Model) {
	c := p.Changes
	switch {
	case c == nil:
		return
	case c.Empty():
		w.line(-1, 0, core.ToneNormal, "the same findings as in turn %d", p.From)
		return
	}
	w.line(-1, 0, core.ToneNormal, "since turn %d: %s, %d gone", p.From, text.Count(len(c.Appeared), "finding appeared", "findings appeared"), len(c.Gone))
	for _, f := range c.Appeared {
		w.line(f.Node, f.Ref, severityTone(f.Severity), "+ %s: %s", f.Severity, text.Line(f.Sentence))
	}
	for _, f := range c.Gone {
		w.line(-1, f.Ref, core.ToneGood, "- %s: %s", f.Severity, text.Line(f.Sentence))
	}
}

func (w *writer) coverage(r *audit.Report) {
	w.line(-1, 0, core.ToneNormal, "")
	w.line(-1, 0, core.ToneNormal, "What a person sees in the window, and a format has:")
	for _, c := range r.Coverage {
		tone := core.ToneNormal
		if c.Unexplained > 0 {
			tone = core.ToneWarn
		}
		w.line(-1, 0, tone, "%-9s text %s · controls %s · pictures %s", c.Format, CoverShare(c.Text), CoverShare(c.Controls), CoverShare(c.Pictures))
		w.line(-1, 0, core.ToneMuted, "          and of the whole page, text %s", CoverShare(c.Page))
	}
}

// CoverShare is a share in words: "98.2 % of 1,204".
func CoverShare(s audit.Share) string {
	if s.Seen == 0 {
		return "none there"
	}
	if s.Has == s.Seen {
		return "all " + text.Thousands(s.Seen)
	}
	return fmt.Sprintf("%.1f %% of %s", 100*float64(s.Has)/float64(s.Seen), text.Thousands(s.Seen))
}

func severityTone(s audit.Severity) core.Tone {
	switch s {
	case audit.Error:
		return core.ToneBad
	case audit.Warning:
		return core.ToneWarn
	}
	return core.ToneNormal
}

func (w *writer) findings(r *audit.Report, hide Severities) {
	rule, action := "", ""
	end := func() {
		if action != "" {
			w.line(-1, 0, core.ToneNormal, "    → %s", action)
		}
	}
	var severity audit.Severity
	for i, f := range r.Findings {
		if hide.has(f.Severity) {
			continue
		}
		if f.Rule != rule || f.Severity != severity {
			end()
			rule, severity, action = f.Rule, f.Severity, f.Action
			title := f.Rule
			if about, ok := audit.RuleByID(f.Rule); ok {
				title = about.Title
			}
			w.line(-1, 0, core.ToneNormal, "")
			w.line(-1, 0, severityTone(f.Severity), "%s  %s  (%s)", strings.ToUpper(string(f.Severity)), title, f.Rule)
		}
		w.line(f.Node, f.Ref, core.ToneNormal, "  %d. %s", i+1, text.Line(f.Sentence))
		if f.Evidence != "" && !strings.Contains(f.Sentence, f.Evidence) {
			w.line(f.Node, f.Ref, core.ToneNormal, "       “%s”", text.Cut(text.Line(f.Evidence), 400))
		}
	}
	end()
}

func (w *writer) misses(r *audit.Report) {
	for _, c := range r.Coverage {
		if len(c.Misses) == 0 {
			continue
		}
		w.line(-1, 0, core.ToneNormal, "")
		w.line(-1, 0, core.ToneNormal, "In view and not in %s: %s", c.Format, text.Thousands(c.Missed))
		for _, m := range c.Misses {
			tone := core.ToneNormal
			if m.Reason == "" {
				tone = core.ToneWarn
			}
			w.line(m.Node, m.Ref, tone, "  %s “%s”: %s", m.Kind, text.Cut(text.Line(m.Text), 120), text.Line(m.Explanation))
		}
	}
}

// AuditText is what the Audit side shows.
func Text(s core.State) core.DumpVM {
	v := core.DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	switch p := Of(s); {
	case s.Shown == nil:
		v.Empty = s.EmptySentence("What could mislead an agent, and what it misses, appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.Empty = p.Problem.Sentence
	case p.Doc == nil:
		v.Empty = "Auditing the page…"
	default:
		v.Doc, v.Tones = p.Doc, p.Tones
	}
	v.Version = 1_000_000 + s.Shown.N
	return v
}

// BarVM are the switches over the text of the Audit side.
type BarVM struct {
	Errors, Warnings, Notes string // what they say
	Hide                    Severities
	Personal                bool
}

// AuditBar is what the switches show.
func Bar(s core.State) BarVM {
	v := BarVM{"Errors", "Warnings", "Notes", Of(s).Hide, Of(s).Personal}
	if r := Of(s).Report; r != nil {
		v.Errors, v.Warnings, v.Notes = fmt.Sprintf("Errors %d", r.Errors), fmt.Sprintf("Warnings %d", r.Warnings), fmt.Sprintf("Notes %d", r.Notes)
	}
	return v
}

func commands(core.State) []core.Command {
	const m = "Tools"
	on := func(s core.State) bool { return s.Side == Side }
	list := func(id, title string, flip func(h *Severities), hidden func(Severities) bool) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Enabled: on, Checked: func(s core.State) bool { return !hidden(Of(s).Hide) },
			Msg: func(s core.State) core.Msg { h := Of(s).Hide; flip(&h); return AuditShown{h} }}
	}
	return []core.Command{
		list(CmdErrors, "List errors of the audit", func(h *Severities) { h.Errors = !h.Errors }, func(h Severities) bool { return h.Errors }),
		list(CmdWarnings, "List warnings of the audit", func(h *Severities) { h.Warnings = !h.Warnings }, func(h Severities) bool { return h.Warnings }),
		list(CmdNotes, "List notes of the audit", func(h *Severities) { h.Notes = !h.Notes }, func(h Severities) bool { return h.Notes }),
		{ID: CmdPersonal, Title: "Look for personal data too", Menu: m, Enabled: core.Always,
			Checked: func(s core.State) bool { return Of(s).Personal }, Msg: core.Send(PersonalToggled{})},
	}
}

// Room is the side of findings.
func Room() core.Room {
	return core.Room{Name: "findings", Commands: commands,
		Side: &core.SideRow{Side: Side, Title: "Findings", Command: "side.audit", Does: "Where an agent's view and a person's differ", Key: "A", Place: 7, Badges: badges, Fill: fill}}
}

// Side is where the agent's view and a person's differ (rows N-3, N-8, N-10).
const Side core.Side = "audit"

const CmdErrors = "audit.errors"

const CmdWarnings = "audit.warnings"

const CmdNotes = "audit.notes"

const CmdPersonal = "audit.personal"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
