package core

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
)

// FormatAudit names the text of the Audit side. No capture renders to it.
const FormatAudit dump.Format = "audit"

// AuditPane is the audit of one turn.
type AuditPane struct {
	// Turn and Personal are what was asked for.
	Turn *Turn
	// Personal looks for personal data too.
	Personal bool
	// Hide are the severities that are not listed.
	Hide AuditHide
	// Report is nil until it is there, and where Problem says why there is none.
	Report *audit.Report
	// Changes are what appeared and went away since the turn before, From; nil where
	// there is none.
	Changes *audit.Changes
	From    int
	Problem *Problem
	// Doc is the report as text, with the lines of elements; Tones tints it.
	Doc   *dump.Document
	Tones *LineTones
}

// AuditHide says which severities are not listed; they are counted all the same.
type AuditHide struct{ Errors, Warnings, Notes bool }

func (h AuditHide) has(s audit.Severity) bool {
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
	Turn     *Turn
	From     int
	Known    *Turn
	Personal bool
}

// Audited answers [RunAudit].
type Audited struct {
	Turn     *Turn
	Personal bool
	Report   *audit.Report
	Changes  *audit.Changes
	From     int
	Problem  *Problem
}

func (m Audited) Apply(s State) (State, []Effect) {
	if s.Audit.Turn != m.Turn || s.Audit.Personal != m.Personal {
		return s, nil // another one is in view by now
	}
	s.Audit.Report, s.Audit.Changes, s.Audit.From, s.Audit.Problem = m.Report, m.Changes, m.From, m.Problem
	return s.writeAudit(), nil
}

// AuditShown lists a severity, or no longer.
type AuditShown struct{ Hide AuditHide }

func (m AuditShown) Apply(s State) (State, []Effect) {
	s.Audit.Hide = m.Hide
	return s.writeAudit(), nil
}

// PersonalToggled looks for personal data too, or no longer.
type PersonalToggled struct{}

func (PersonalToggled) Apply(s State) (State, []Effect) {
	s.Audit = AuditPane{Personal: !s.Audit.Personal, Hide: s.Audit.Hide}
	if s.Side != SideAudit {
		return s, nil
	}
	return s.fillAudit()
}

// fillAudit asks for the audit of the turn in view where there is another one.
func (s State) fillAudit() (State, []Effect) {
	if s.Shown == nil || s.Audit.Turn == s.Shown {
		return s, nil
	}
	s.Audit = AuditPane{Turn: s.Shown, Personal: s.Audit.Personal, Hide: s.Audit.Hide}
	return s, []Effect{RunAudit{Turn: s.Shown, From: s.turnBefore(s.Shown.N), Known: s.Before, Personal: s.Audit.Personal}}
}

// auditTag says the worst of the report on its tab.
func (s State) auditTag() string {
	r := s.Audit.Report
	if r == nil || s.Audit.Turn != s.Shown {
		return ""
	}
	switch {
	case r.Errors > 0:
		return "· " + Plural(r.Errors, "error", "errors")
	case r.Warnings > 0:
		return "· " + Plural(r.Warnings, "warning", "warnings")
	}
	return "· clean"
}

// writeAudit makes the text of the report.
func (s State) writeAudit() State {
	r := s.Audit.Report
	if r == nil {
		s.Audit.Doc, s.Audit.Tones = nil, nil
		return s
	}
	w := auditWriter{tones: &LineTones{byLine: map[int]Tone{}}, doc: &dump.Document{Format: FormatAudit}}
	w.line(-1, 0, ToneNormal, "%s · %s · %s in %s", Plural(r.Errors, "error", "errors"), Plural(r.Warnings, "warning", "warnings"),
		Plural(r.Notes, "note", "notes"), Plural(r.Elements, "element", "elements"))
	w.changes(s.Audit)
	w.coverage(r)
	w.findings(r, s.Audit.Hide)
	w.misses(r)
	w.doc.Text = w.b.String()
	s.Audit.Doc, s.Audit.Tones = w.doc, w.tones
	return s
}

// auditWriter writes the report line by line. Page text in it is one line and in quotes;
// package audit sees to that, and Plain to what could still steer a screen.
type auditWriter struct {
	b     strings.Builder
	doc   *dump.Document
	tones *LineTones
}

func (w *auditWriter) line(node, ref int, tone Tone, format string, args ...any) {
	if len(w.doc.Lines) > 0 {
		w.b.WriteByte('\n')
	}
	text := fmt.Sprintf(format, args...)
	start := w.b.Len()
	w.b.WriteString(text)
	if tone != ToneNormal {
		w.tones.set(len(w.doc.Lines), tone)
	}
	w.doc.Lines = append(w.doc.Lines, dump.Line{Start: start, End: w.b.Len(), Node: node, Ref: ref})
}

func (w *auditWriter) changes(p AuditPane) {
	c := p.Changes
	switch {
	case c == nil:
		return
	case c.Empty():
		w.line(-1, 0, ToneNormal, "the same findings as in turn %d", p.From)
		return
	}
	w.line(-1, 0, ToneNormal, "since turn %d: %s, %d gone", p.From, Plural(len(c.Appeared), "finding appeared", "findings appeared"), len(c.Gone))
	for _, f := range c.Appeared {
		w.line(f.Node, f.Ref, severityTone(f.Severity), "+ %s: %s", f.Severity, Plain(f.Sentence, 0))
	}
	for _, f := range c.Gone {
		w.line(-1, f.Ref, ToneGood, "- %s: %s", f.Severity, Plain(f.Sentence, 0))
	}
}

func (w *auditWriter) coverage(r *audit.Report) {
	w.line(-1, 0, ToneNormal, "")
	w.line(-1, 0, ToneNormal, "What a person sees in the window, and a format has:")
	for _, c := range r.Coverage {
		tone := ToneNormal
		if c.Unexplained > 0 {
			tone = ToneWarn
		}
		w.line(-1, 0, tone, "%-9s text %s · controls %s · pictures %s", c.Format, coverShare(c.Text), coverShare(c.Controls), coverShare(c.Pictures))
		w.line(-1, 0, ToneMuted, "          and of the whole page, text %s", coverShare(c.Page))
	}
}

// coverShare is a share in words: "98.2 % of 1,204".
func coverShare(s audit.Share) string {
	if s.Seen == 0 {
		return "none there"
	}
	if s.Has == s.Seen {
		return "all " + Thousands(s.Seen)
	}
	return fmt.Sprintf("%.1f %% of %s", 100*float64(s.Has)/float64(s.Seen), Thousands(s.Seen))
}

func severityTone(s audit.Severity) Tone {
	switch s {
	case audit.Error:
		return ToneBad
	case audit.Warning:
		return ToneWarn
	}
	return ToneNormal
}

func (w *auditWriter) findings(r *audit.Report, hide AuditHide) {
	rule, action := "", ""
	end := func() {
		if action != "" {
			w.line(-1, 0, ToneNormal, "    → %s", action)
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
			w.line(-1, 0, ToneNormal, "")
			w.line(-1, 0, severityTone(f.Severity), "%s  %s  (%s)", strings.ToUpper(string(f.Severity)), title, f.Rule)
		}
		w.line(f.Node, f.Ref, ToneNormal, "  %d. %s", i+1, Plain(f.Sentence, 0))
		if f.Evidence != "" && !strings.Contains(f.Sentence, f.Evidence) {
			w.line(f.Node, f.Ref, ToneNormal, "       “%s”", Plain(f.Evidence, 400))
		}
	}
	end()
}

func (w *auditWriter) misses(r *audit.Report) {
	for _, c := range r.Coverage {
		if len(c.Misses) == 0 {
			continue
		}
		w.line(-1, 0, ToneNormal, "")
		w.line(-1, 0, ToneNormal, "In view and not in %s: %s", c.Format, Thousands(c.Missed))
		for _, m := range c.Misses {
			tone := ToneNormal
			if m.Reason == "" {
				tone = ToneWarn
			}
			w.line(m.Node, m.Ref, tone, "  %s “%s”: %s", m.Kind, Plain(m.Text, 120), Plain(m.Explanation, 0))
		}
	}
}

// AuditText is what the Audit side shows.
func (s State) AuditText() DumpVM {
	v := DumpVM{Selected: s.Selected.Ref, Hover: s.Hover.Ref}
	switch p := s.Audit; {
	case s.Shown == nil:
		v.Empty = s.emptySentence("What could mislead an agent, and what it misses, appears here after the first capture.")
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

// AuditTools are the switches over the text of the Audit side.
type AuditTools struct {
	Errors, Warnings, Notes string // what they say
	Hide                    AuditHide
	Personal                bool
}

// AuditBar is what the switches show.
func (s State) AuditBar() AuditTools {
	v := AuditTools{"Errors", "Warnings", "Notes", s.Audit.Hide, s.Audit.Personal}
	if r := s.Audit.Report; r != nil {
		v.Errors, v.Warnings, v.Notes = fmt.Sprintf("Errors %d", r.Errors), fmt.Sprintf("Warnings %d", r.Warnings), fmt.Sprintf("Notes %d", r.Notes)
	}
	return v
}

func auditCommands(State) []Command {
	const m = "Tools"
	on := func(s State) bool { return s.Side == SideAudit }
	list := func(id, title string, flip func(h *AuditHide), hidden func(AuditHide) bool) Command {
		return Command{ID: id, Title: title, Menu: m, Enabled: on, Checked: func(s State) bool { return !hidden(s.Audit.Hide) },
			Msg: func(s State) Msg { h := s.Audit.Hide; flip(&h); return AuditShown{h} }}
	}
	return []Command{
		list(CmdAuditErrors, "List errors of the audit", func(h *AuditHide) { h.Errors = !h.Errors }, func(h AuditHide) bool { return h.Errors }),
		list(CmdAuditWarnings, "List warnings of the audit", func(h *AuditHide) { h.Warnings = !h.Warnings }, func(h AuditHide) bool { return h.Warnings }),
		list(CmdAuditNotes, "List notes of the audit", func(h *AuditHide) { h.Notes = !h.Notes }, func(h AuditHide) bool { return h.Notes }),
		{ID: CmdAuditPersonal, Title: "Look for personal data too", Menu: m, Enabled: always,
			Checked: func(s State) bool { return s.Audit.Personal }, Msg: send(PersonalToggled{})},
	}
}

// auditRoom is the side of findings.
func auditRoom() Room {
	return Room{Name: "findings", Commands: auditCommands,
		Side: &SideRow{Side: SideAudit, Title: "Audit", Command: "side.audit", Does: "Where an agent's view and a person's differ", Key: "A", Place: 7, Tag: State.auditTag, Fill: State.fillAudit}}
}

// SideAudit is where the agent's view and a person's differ (rows N-3, N-8, N-10).
const SideAudit Side = "audit"

const CmdAuditErrors = "audit.errors"

const CmdAuditWarnings = "audit.warnings"

const CmdAuditNotes = "audit.notes"

const CmdAuditPersonal = "audit.personal"
