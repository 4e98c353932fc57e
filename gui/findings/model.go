// Package findings is the side Findings: where an agent's view and a person's differ, and
// what an agent should beware of. An audit of the turn in view comes in; a list of cards goes
// out. Start with [Room], [Audited] and [ViewOf].
package findings

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// Model is the audit of one turn.
type Model struct {
	// Turn and Personal are what was requested.
	Turn *core.Turn
	// ahead: the report was requested before anybody opened the side, for the badge of its tab,
	// and is not compared with the turn before yet.
	ahead bool
	// Personal looks for personal data too.
	Personal bool
	Filter   Filter
	// Open are the groups of findings that are shown one by one.
	Open []Group
	// Report is nil until it is there, and if there is none; Problem is the reason.
	Report *audit.Report
	// Changes are what appeared and went away since the turn before, From; nil where
	// there is none.
	Changes *audit.Changes
	From    int
	Problem *core.Problem
	// Request are the doctor's findings on the request of the turn, nil until they are there.
	Request *doctor.Report
	// Sent is what a person sees beside what the model was told, nil until it is known.
	Sent *audit.Sent
	// Rows are the report as a list.
	Rows *core.Rows
}

// Filter selects which findings are listed; all are counted.
type Filter int

const (
	Serious    Filter = iota // errors and warnings
	ErrorsOnly               // errors
	All                      // notes too
)

// filters are the choices, in their order.
func filters() []Filter { return []Filter{Serious, ErrorsOnly, All} }

// String is the filter's title.
func (f Filter) String() string {
	return [...]string{"Errors and warnings", "Errors only", "All findings"}[f]
}

func (f Filter) has(s audit.Severity) bool {
	return f == All || s == audit.Error || f == Serious && s == audit.Warning
}

// Group names findings of one rule and weight, or the misses of a format.
type Group struct {
	Rule     string
	Severity audit.Severity
}

type (
	// RunAudit audits a turn and compares it with the one before, From, 0 for none; Known is
	// that one where it is ready. [Audited] answers.
	RunAudit struct {
		Turn     *core.Turn
		From     int
		Known    *core.Turn
		Personal bool
	}
	// AuditAhead audits the turn in view once a person has stayed at it, so that the tab has
	// its badge and the side opens at once.
	AuditAhead struct{ RunAudit }
	// Audited answers [RunAudit]. Asked.From is 0 where nothing is compared yet.
	Audited struct {
		Asked   RunAudit
		Report  *audit.Report
		Changes *audit.Changes
		Problem *core.Problem
	}
	// filtered lists other findings.
	filtered struct{ Filter Filter }
	// opened shows the findings of a group one by one, or no longer.
	opened struct{ Group Group }
)

func (m Audited) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Turn != m.Asked.Turn || Of(s).Personal != m.Asked.Personal {
		return s, nil // another one is in view by now
	}
	if m.Asked.From == 0 && Of(s).From > 0 {
		return s, nil // what was requested ahead came after what a person asked for
	}
	model := edit(&s)
	model.Report, model.Changes, model.From, model.Problem = m.Report, m.Changes, m.Asked.From, m.Problem
	if m.Report != nil {
		s.Judged(m.Asked.Turn.N, m.Report.Errors)
	}
	return listed(s), nil
}

func (m filtered) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Filter = m.Filter
	return listed(s), nil
}

func (m opened) Apply(s core.State) (core.State, []core.Effect) {
	open := slices.Clone(Of(s).Open)
	if i := slices.Index(open, m.Group); i >= 0 {
		open = slices.Delete(open, i, i+1)
	} else {
		open = append(open, m.Group)
	}
	edit(&s).Open = open
	return listed(s), nil
}

// personalToggled looks for personal data too, or no longer.
func personalToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		*edit(&s) = Model{Personal: !Of(s).Personal, Filter: Of(s).Filter}
		if s.Side != Side {
			return s, nil
		}
		return fill(s)
	})
}

// listed makes the rows of the report.
func listed(s core.State) core.State {
	edit(&s).Rows = nil
	if m := Of(s); m.Report != nil {
		edit(&s).Rows = core.NewRows(rowsOf(&m))
	}
	return s
}

// fill asks for the audit of the turn in view where there is another one.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || Of(s).Turn == s.Current && !Of(s).ahead {
		return s, nil
	}
	if Of(s).Turn == s.Current {
		edit(&s).ahead = false // what is there already stays in view
		return s, audits(s)
	}
	*edit(&s) = Model{Turn: s.Current, Personal: Of(s).Personal, Filter: Of(s).Filter, Open: Of(s).Open}
	return s, audits(s)
}

// audits requests the audit of the turn in view.
func audits(s core.State) []core.Effect {
	from := s.ComparedWith()
	if from.Session != "" { // of the turns of another session only the one that is there already
		if from.N = 0; s.Previous != nil {
			from.N = s.Previous.N
		}
	}
	return []core.Effect{RunAudit{Turn: s.Current, From: from.N, Known: s.Previous, Personal: Of(s).Personal}}
}

// fillRequest takes the findings on the request of the turn once they are there.
func fillRequest(s core.State) (core.State, []core.Effect) {
	if r := sentrequest.Of(s); r.Turn == Of(s).Turn && (r.Report != Of(s).Request || r.Audit != Of(s).Sent) {
		edit(&s).Request, edit(&s).Sent = r.Report, r.Audit
		return listed(s), nil
	}
	return s, nil
}

// Errors are the findings of the page and of the request of the turn in view that are errors; counted: those of the
// page are known.
func Errors(s core.State) (n int, counted bool) {
	m := Of(s)
	if m.Turn != s.Current {
		return 0, false
	}
	n, _, _ = m.counts()
	return n, m.Report != nil
}

// counts are the numbers of findings of the page and of the request.
func (m *Model) counts() (errors, warnings, notes int) {
	if r := m.Report; r != nil {
		errors, warnings, notes = r.Errors, r.Warnings, r.Notes
	}
	if r := m.Request; r != nil {
		errors, warnings, notes = errors+r.Errors, warnings+r.Warnings, notes+r.Notes
	}
	return errors, warnings, notes
}

// fillAhead takes what is there and asks for what is likely to be wanted.
func fillAhead(s core.State) (core.State, []core.Effect) {
	s, first := fillRequest(s)
	s, then := foresee(s)
	return s, append(first, then...)
}

// maxAhead is how many elements a page may have to be audited before anybody asks.
const maxAhead = 40_000

// foresee asks for the audit of the turn in view while another side is, after the text.
func foresee(s core.State) (core.State, []core.Effect) {
	t := s.Current
	if t == nil || Of(s).Turn == t || s.Side == Side || len(t.Capture.Nodes) > maxAhead ||
		s.Side == core.SideText && s.Doc(s.Format) == nil {
		return s, nil
	}
	*edit(&s) = Model{Turn: t, ahead: true, Personal: Of(s).Personal, Filter: Of(s).Filter, Open: Of(s).Open}
	return s, []core.Effect{AuditAhead{RunAudit{Turn: t, Personal: Of(s).Personal}}}
}

// badges count the errors and the warnings of the turn in view.
func badges(s core.State) []core.StatusItem {
	m := Of(s)
	if m.Report == nil || m.Turn != s.Current {
		return nil
	}
	errors, warnings, _ := m.counts()
	return append(core.Badge(errors, core.ToneBad), core.Badge(warnings, core.ToneNormal)...)
}

// VM is the content of the side. Compare with [VM.Equal].
type VM struct {
	List     core.ListVM
	Counts   []core.StatusItem
	Filter   Filter
	Personal bool
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.List == o.List && v.Filter == o.Filter && v.Personal == o.Personal && slices.Equal(v.Counts, o.Counts)
}

// ViewOf returns the content of the side.
func ViewOf(s core.State) VM {
	p := Of(s)
	v := VM{Filter: p.Filter, Personal: p.Personal, List: s.List()}
	if p.Report != nil {
		v.Counts = countItems(p.counts())
		if _, covered := why.Overlay(p.Turn.Capture); covered { // its card is no finding of a rule
			v.Counts = append(v.Counts, core.StatusItem{Text: "1 overlay", Tone: core.ToneWarn})
		}
	}
	errors, warnings, notes := p.counts()
	switch {
	case s.Current == nil, !s.Paged() && errors+warnings+notes == 0:
		v.List.Empty = s.EmptySentence(
			"What could mislead an agent, and what it misses, appears here after the first capture.")
		return v
	case p.Problem != nil:
		v.List.Empty = p.Problem.Sentence
	case p.Rows == nil:
		v.List.Empty = "Auditing the page…"
	default:
		v.List.Rows = p.Rows
	}
	v.List = find.LitRows(s, v.List)
	return v
}

// countItems are the numbers of findings, those that weigh most first.
func countItems(errors, warnings, notes int) []core.StatusItem {
	item := func(n int, one, many string, tone core.Tone) core.StatusItem {
		if n == 0 {
			tone = core.ToneMuted
		}
		return core.StatusItem{Text: text.Count(n, one, many), Tone: tone}
	}
	return []core.StatusItem{item(errors, "error", "errors", core.ToneBad), item(warnings, "warning", "warnings",
		core.ToneWarn),
		item(notes, "note", "notes", core.ToneNormal)}
}

func commands(core.State) []core.Command {
	const m = "Tools"
	on := func(s core.State) bool { return s.Side == Side }
	var list []core.Command
	for i, f := range filters() {
		list = append(list, core.Command{ID: filterID(f), Title: "Findings: " + f.String(), Menu: m, Gap: i == 0,
			Enabled: on,
			Checked: func(s core.State) bool { return Of(s).Filter == f }, Msg: core.Send(filtered{f})})
	}
	return append(list, core.Command{ID: cmdPersonal, Title: "Findings: include personal data", Menu: m,
		Enabled: core.Always,
		Checked: func(s core.State) bool { return Of(s).Personal }, Msg: core.Send(personalToggled())})
}

func filterID(f Filter) string {
	return [...]string{"findings.serious", "findings.errors", "findings.all"}[f]
}

// Room is the side of findings.
func Room() core.Room {
	return core.Room{Name: "findings", Commands: commands, AfterUpdate: fillAhead,
		Side: &core.SideRow{Side: Side, Title: "Findings", Command: "side.audit", Does: "what could mislead an agent",
			Key: "A", Place: 2, Badges: badges, AfterUpdate: fill,
			Text: func(s core.State) (*dump.Document, *core.LineTones) { return Of(s).Rows.Text() }}}
}

// Side is where the agent's view and a person's differ (rows N-3, N-8, N-10).
const Side core.Side = "audit"

// cmdPersonal includes personal data.
const cmdPersonal = "audit.personal"

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
