// Package compare is the room Compare runs: the session in view beside a second one. It shows
// where the two parted and why, each turn beside its turn of the other run, and of the row in
// view both pictures and both texts.
//
// [asked] opens the dialog, which lists sessions; [Chosen] names the second one. The [Engine]
// compares (package runs has the rules), and the row of the first divergence comes into view.
// Start with [Room] and [viewOf]. The second session is only read.
package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog is the comparison of two runs.
const Dialog core.Dialog = "compare"

// CmdCompare opens it.
const CmdCompare = "compare.runs"

// Shows is which texts of two turns are beside each other.
type Shows int

const (
	// Page is the text format in view.
	Page Shows = iota
	// Given is what the model was given.
	Given
	// Done is what was asked for, what came of it, and what the model answered.
	Done
)

// shows are the choices, in their order.
func shows() []Shows { return []Shows{Page, Given, Done} }

// String is the title of a choice.
func (w Shows) String() string {
	return [...]string{"Page", "Given to the model", "Answer and result"}[w]
}

// Model is the state of the room.
type Model struct {
	// Listed: Rows are the sessions to choose from.
	Listed bool
	Rows   []sessions.Row
	// Name is the second session, "" while it is being chosen; Busy: it is being compared.
	Name string
	Busy bool
	// Seq numbers the comparisons, so that an answer that comes late is left out.
	Seq     int
	Problem *core.Problem
	// First and Second are the turns of the two sessions, in the order of their numbers.
	First, Second []core.TurnRow
	Result        *runs.Comparison
	// Labels are those of the two runs, nil for none.
	Labels [2]*runs.Label
	// Causes are the differences as a list.
	Causes *core.Rows
	// At is the row in view, Shows its texts in view, and Pair what they are, nil until it is made.
	At    int
	Shows Shows
	Pair  *Pair
}

// Pair are the two turns of one row made ready; either may be nil. It is immutable.
type Pair struct {
	At     int
	Shows  Shows
	Format dump.Format
	Turns  [2]*core.Turn
	Docs   [2]*dump.Document
	Tones  [2]*core.LineTones
	// Same: the texts do not differ.
	Same    bool
	Problem *core.Problem
}

// Engine reads a second session.
type Engine interface {
	sessions.Engine
	// CompareRuns compares the session in use with another one, which is read until the next
	// comparison. It returns that session with its turns.
	CompareRuns(ctx context.Context, name string) (core.Session, *runs.Comparison, error)
	// LoadSecond reads a turn of the second session.
	LoadSecond(ctx context.Context, n int) (*core.Recorded, error)
	// LabelRun labels the session in use, or the second one; see [turn.Labels].
	LabelRun(ctx context.Context, second bool, label, note string) (*runs.Label, error)
}

type (
	// Chosen names the second session.
	Chosen struct{ Name string }
	// RowChosen brings a row into view.
	RowChosen struct{ At int }
	// Opened leaves the dialog for the turn of the first run that is in view.
	Opened struct{}
)

// list lists the sessions to choose from; listed answers it.
type list struct{}

// compare compares the session in use with another one. [compared] answers.
type compare struct {
	Seq  int
	Name string
}

// LabelRun labels a run. [labelled] answers.
type LabelRun struct {
	Seq, Run    int
	Label, Note string
}

// loadPair makes the turns of a row ready. [pairLoaded] answers.
type loadPair struct {
	Seq, At, A, B int
	Shows         Shows
	Format        dump.Format
}

// asked opens the dialog.
func asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog = Dialog
		if Of(s).Result != nil || Of(s).Busy {
			return s, nil
		}
		return s, []core.Effect{list{}}
	})
}

// otherAsked goes back to the list of sessions.
func otherAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		m := edit(&s)
		*m = Model{Seq: m.Seq + 1}
		return s, []core.Effect{list{}}
	})
}

func listed(rows []sessions.Row, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		model.Listed, model.Rows, model.Problem = true, rows, problem
		return s, nil
	})
}

func (m Chosen) Apply(s core.State) (core.State, []core.Effect) {
	if s.Dialog != Dialog || m.Name == "" {
		return s, nil
	}
	model := edit(&s)
	if !s.Session.Kept {
		model.Problem = &core.Problem{Sentence: "The session in view is in memory only; it cannot be compared.",
			Hint: "Open a session first."}
		return s, nil
	}
	*model = Model{Seq: model.Seq + 1, Name: m.Name, Busy: true}
	return s, []core.Effect{compare{model.Seq, m.Name}}
}

// compared answers [compare].
func compared(seq int, other core.Session, result *runs.Comparison, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		if seq != model.Seq {
			return s, nil
		}
		model.Busy = false
		if problem != nil {
			model.Name, model.Problem = "", problem
			return s, []core.Effect{list{}}
		}
		model.Labels = [2]*runs.Label{result.LabelA, result.LabelB}
		model.Result, model.First, model.Second = result, s.Session.Turns, other.Turns
		if other.Name != "" {
			model.Name = other.Name
		}
		return shown(s, max(0, result.First))
	})
}

func (m RowChosen) Apply(s core.State) (core.State, []core.Effect) { return shown(s, m.At) }

// firstAsked brings the first divergence into view.
func firstAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if r := Of(s).Result; r != nil && r.First >= 0 {
			return shown(s, r.First)
		}
		return s, nil
	})
}

// showsChosen changes which texts are in view.
func showsChosen(shows Shows) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Shows = shows
		return ask(s)
	})
}

// labelChosen labels one of the runs, from 0.
func labelChosen(run int, label, note string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if Of(s).Result == nil {
			return s, nil
		}
		return s, []core.Effect{LabelRun{Of(s).Seq, run, label, strings.TrimSpace(note)}}
	})
}

// labelled answers [LabelRun].
func labelled(seq, run int, label *runs.Label, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		model := edit(&s)
		switch {
		case seq != model.Seq:
		case problem != nil:
			model.Problem = problem
		default:
			model.Labels[run], model.Problem = label, nil
		}
		return s, nil
	})
}

func (Opened) Apply(s core.State) (core.State, []core.Effect) {
	row := rowAt(Of(s))
	if row == nil || row.A == 0 {
		return s, nil
	}
	s.CloseDialog(Dialog)
	return core.TurnChosen{N: row.A}.Apply(s)
}

// shown brings a row into view, with the texts that its cause is about.
func shown(s core.State, at int) (core.State, []core.Effect) {
	m := edit(&s)
	if m.Result == nil || at < 0 || at >= len(m.Result.Rows) {
		return s, nil
	}
	m.At = at
	switch m.Result.Rows[at].Cause {
	case runs.Page:
		m.Shows = Page
	case runs.Payload:
		m.Shows = Given
	case runs.Answer, runs.Actuation:
		m.Shows = Done
	}
	m.Causes = causes(m)
	return ask(s)
}

// ask asks for the row in view where it is not there.
func ask(s core.State) (core.State, []core.Effect) {
	m := Of(s)
	row := rowAt(m)
	if row == nil || m.Pair != nil && m.Pair.At == m.At && m.Pair.Shows == m.Shows && m.Pair.Format == s.Format {
		return s, nil
	}
	edit(&s).Pair = nil
	return s, []core.Effect{loadPair{m.Seq, m.At, row.A, row.B, m.Shows, s.Format}}
}

// pairLoaded answers [loadPair].
func pairLoaded(seq int, pair *Pair) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if now := Of(s); seq == now.Seq && pair.At == now.At && pair.Shows == now.Shows && pair.Format == s.Format {
			edit(&s).Pair = pair
		}
		return s, nil
	})
}

// rowAt is the row in view, nil for none.
func rowAt(m Model) *runs.Row {
	if m.Result == nil || m.At >= len(m.Result.Rows) {
		return nil
	}
	return &m.Result.Rows[m.At]
}

// Do implements [core.Work].
func (list) Do(ctx context.Context, w *core.Worker) core.Msg {
	rows, err := core.EngineOf[Engine](w).Sessions(ctx)
	return listed(rows, w.Problem("sessions", err))
}

// Do implements [core.Work].
func (e compare) Do(ctx context.Context, w *core.Worker) core.Msg {
	other, c, err := core.EngineOf[Engine](w).CompareRuns(ctx, e.Name)
	return compared(e.Seq, other, c, w.Problem("compare", err))
}

// Do implements [core.Work].
func (e LabelRun) Do(ctx context.Context, w *core.Worker) core.Msg {
	l, err := core.EngineOf[Engine](w).LabelRun(ctx, e.Run == 1, e.Label, e.Note)
	return labelled(e.Seq, e.Run, l, w.Problem("label", err))
}

// Pause implements [core.LatestWork].
func (loadPair) Pause() time.Duration { return 60 * time.Millisecond }

// Do implements [core.Work].
func (e loadPair) Do(ctx context.Context, w *core.Worker) core.Msg {
	p := &Pair{At: e.At, Shows: e.Shows, Format: e.Format}
	engine := core.EngineOf[Engine](w)
	for i, side := range []struct {
		n    int
		load func(context.Context, int) (*core.Recorded, error)
	}{{e.A, w.Engine.Load}, {e.B, engine.LoadSecond}} {
		if side.n == 0 {
			continue
		}
		err := p.load(ctx, i, side.n, side.load)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			p.Problem = w.Problem("compare", fmt.Errorf("turn %d cannot be shown: %w", side.n, err))
			return pairLoaded(e.Seq, p)
		}
	}
	if p.Docs[0] != nil && p.Docs[1] != nil {
		t := changes.TextsOf(e.A, e.B, p.Docs[0], p.Docs[1])
		if p.Same = t.Unified == nil; !p.Same {
			p.Docs = [2]*dump.Document{t.Left, t.Right}
			p.Tones = [2]*core.LineTones{t.LeftTones, t.RightTones}
		}
	}
	return pairLoaded(e.Seq, p)
}

// load makes one turn ready.
func (p *Pair) load(
	ctx context.Context, i, n int, load func(context.Context, int) (*core.Recorded, error),
) (err error) {
	rec, err := load(ctx, n)
	if err != nil {
		return err
	}
	if p.Turns[i], err = rec.Ready(); err != nil {
		return err
	}
	if p.Shows == Page {
		p.Docs[i], err = format.Render(rec.Capture, p.Format, format.Options{})
		return err
	}
	given, answered := runs.Texts(rec.Payloads)
	if p.Shows == Done {
		given = doneText(p.Turns[i], answered)
	}
	p.Docs[i] = core.PlainDoc("runs", text.Visible(given))
	return nil
}

// doneText is what was asked for in a turn, what came of it, and what the model answered.
func doneText(t *core.Turn, answered string) string {
	out := ""
	add := func(title, words string) {
		if words != "" {
			out += "-- " + title + "\n" + words + "\n"
		}
	}
	add("steps", t.StepsText)
	if t.Answered != nil {
		result := string(t.Answered.Body)
		if t.Answered.Pretty != nil {
			result = t.Answered.Pretty.Text
		}
		add("result", result)
	}
	add("answered by the model", answered)
	return out
}

func commands(core.State) []core.Command {
	return []core.Command{{ID: CmdCompare, Title: "Compare runs…", Menu: "Tools", Enabled: core.Always,
		Checked: func(s core.State) bool { return s.Dialog == Dialog }, Msg: core.Send(asked())}}
}

// Room is the room of two runs beside each other.
func Room() core.Room {
	return core.Room{Name: "compare", Commands: commands,
		SessionClosed: func(s core.State) (core.State, []core.Effect) {
			m := edit(&s)
			*m = Model{Seq: m.Seq + 1}
			return s, nil
		}}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

// rowOf is the row of a turn, nil where it is not listed.
func rowOf(rows []core.TurnRow, n int) *core.TurnRow {
	if i := slices.IndexFunc(rows, func(r core.TurnRow) bool { return r.N == n }); i >= 0 {
		return &rows[i]
	}
	return nil
}
