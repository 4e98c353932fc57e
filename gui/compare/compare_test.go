package compare_test

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/compare"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/turn"
)

// engine is two runs that part at their second turn.
type engine struct {
	core.Engine
	fails error
}

func (engine) Sessions(context.Context) ([]sessions.Row, error) {
	return []sessions.Row{{Name: "failed", Path: "/home/failed", Turns: 3}, {Name: "broken", Why: "cannot be read"}}, nil
}

func (e engine) CompareRuns(_ context.Context, name string) (core.Session, *runs.Comparison, error) {
	return core.Session{Name: name, Turns: []core.TurnRow{{N: 1, Action: "goto"}, {N: 2, Action: "click Pay\u202e"}, {N: 3}}},
		&runs.Comparison{Schema: runs.Schema, TurnsA: 1, TurnsB: 3, First: 1, Rows: []runs.Row{{A: 1, B: 1},
			{B: 2, Cause: runs.Answer, Details: []string{"click Buy → click Pay"}}, {B: 3}}}, e.fails
}

func (engine) Load(_ context.Context, n int) (*core.Recorded, error) {
	c := coretest.Checkout()
	return &core.Recorded{Record: turn.Record{N: n, Capture: c, Picture: coretest.Picture(c), Steps: []byte(`{"steps":[{"goto":"a"}]}`),
		Payloads: []turn.Payload{{Dialect: "openai-chat", Way: "request", Wire: true,
			Bytes: []byte(`{"model":"m","messages":[{"role":"user","content":"buy a kettle"}]}`)}}}}, nil
}

func (engine) LoadSecond(_ context.Context, n int) (*core.Recorded, error) {
	rec, _ := engine{}.Load(context.Background(), n)
	if n == 3 { // a request without a page
		rec.Capture, rec.Picture = &snapshot.Capture{}, nil
	}
	rec.Payloads[0].Bytes = []byte(`{"model":"m","messages":[{"role":"user","content":"buy a pot"}]}`)
	return rec, nil
}

func (engine) LabelRun(_ context.Context, second bool, label, note string) (*runs.Label, error) {
	if !second {
		return nil, errors.New("it is read only")
	}
	return &runs.Label{Label: label, Note: note}, nil
}

// run does the effects of a step, and what comes of them.
func run(t *testing.T, e core.Engine, s core.State, msgs ...core.Msg) core.State {
	t.Helper()
	for _, m := range msgs {
		next, effects := apptest.Step(s, m)
		s = next
		for _, effect := range effects {
			if work, ok := effect.(core.Work); ok {
				if answer := work.Do(t.Context(), coretest.Worker(e)); answer != nil {
					s = run(t, e, s, answer)
				}
			}
		}
	}
	return s
}

// listing is an engine that lists those sessions.
type listing struct {
	engine
	rows []sessions.Row
}

func (l listing) Sessions(context.Context) ([]sessions.Row, error) { return l.rows, nil }

// TestNoOtherSession: that is said only where none is listed, and one that is listed alone is a choice.
func TestNoOtherSession(t *testing.T) {
	other := sessions.Row{Name: "other", Path: "/home/other"}
	for name, rows := range map[string][]sessions.Row{
		"none": {}, "one": {other}, "two": {other, other}, "one unreadable": {{Name: "broken", Why: "cannot be read"}},
	} {
		v := compare.ViewOf(run(t, listing{rows: rows}, apptest.Captured(t), compare.Asked()))
		require.True(t, v.Choosing)
		require.Equal(t, len(v.Sessions) == 0, v.Empty != "", name)
	}
}

func TestTwoRunsBesideEachOther(t *testing.T) {
	s := run(t, engine{}, apptest.Captured(t), compare.Asked())
	v := compare.ViewOf(s)
	require.True(t, v.Choosing)
	require.Len(t, v.Sessions, 1, "a session that cannot be opened is no choice")

	s = run(t, engine{}, s, compare.Chosen{Name: "failed"})
	v = compare.ViewOf(s)
	require.False(t, v.Choosing)
	require.Equal(t, 1, v.At, "the first divergence is in view")
	require.Equal(t, (&runs.Row{Cause: runs.Answer}).Sentence()+".", v.Verdict)
	require.Equal(t, "same", v.Ties[0].Word)
	require.Contains(t, v.Ties[1].B, "click Pay")
	require.NotContains(t, v.Ties[1].B, "\u202e")
	require.Empty(t, v.Ties[1].A)
	require.Equal(t, compare.Done, v.Shows, "the texts are those that the cause is about")
	require.Contains(t, v.Heads[0], "has no turn here")
	require.Contains(t, v.Texts[1].Doc.Text, "goto")
	require.Len(t, v.Causes.Rows.List, 1)
	require.Contains(t, v.Causes.Rows.List[0].Title, "First divergence. Turn 2 of the second run: answer")
	require.Contains(t, v.Causes.Rows.List[0].Body, "click Buy → click Pay")

	none := compare.ViewOf(run(t, engine{}, s, compare.RowChosen{At: 2}))
	require.Equal(t, "failed, turn 3: no page", none.Heads[1], "its picture's place is not left empty without a word")

	// Another row, and what the model was given: the lines that differ are beside each other.
	s = run(t, engine{}, s, compare.RowChosen{At: 0}, compare.ShowsChosen(compare.Given))
	v = compare.ViewOf(s)
	require.Contains(t, v.Texts[0].Doc.Text, "- buy a kettle")
	require.Contains(t, v.Texts[1].Doc.Text, "+ buy a pot")
	require.Equal(t, 1, v.Texts[0].Tones.Len())
	require.NotNil(t, v.Pair.Turns[0].Image)
	require.NotNil(t, v.Pair.Turns[1].Image)
	s = run(t, engine{}, s, compare.ShowsChosen(compare.Page))
	require.True(t, compare.Of(s).Pair.Same)

	s = run(t, engine{}, s, compare.FirstAsked())
	require.Equal(t, 1, compare.ViewOf(s).At)
	s = run(t, engine{}, s, compare.RowChosen{At: 0}, compare.Opened{})
	require.Empty(t, s.Dialog)

	// Both runs can be labelled.
	s = run(t, engine{}, s, compare.LabelChosen(0, "answer", ""))
	require.Equal(t, []string{"It is read only."}, compare.ViewOf(s).Notes)
	s = run(t, engine{}, s, compare.LabelChosen(1, "flaky", " now and\nthen "))
	require.Equal(t, [2]string{"", "label: flaky now and then"}, compare.ViewOf(s).Labels)
	require.Empty(t, compare.ViewOf(s).Notes)

	// The comparison is still there; another session is another comparison.
	s = run(t, engine{}, s, compare.Asked())
	require.NotNil(t, compare.Of(s).Result)
	s = run(t, engine{}, s, compare.OtherAsked())
	require.True(t, compare.ViewOf(s).Choosing)
	s = run(t, engine{fails: errors.New("it is no session")}, s, compare.Chosen{Name: "nothing"})
	require.True(t, compare.ViewOf(s).Choosing)
}

func TestTheDialogShowsBothRuns(t *testing.T) {
	test.NewTempApp(t)
	s := run(t, engine{}, apptest.Captured(t), compare.Asked())
	var sent []core.Msg
	w := &parts.Window{State: func() core.State { return s }, Send: func(m core.Msg) { sent = append(sent, m) }}
	v := compare.New(w)
	win := test.NewTempWindow(t, v.Object())
	win.Resize(fyne.NewSize(1200, 700))
	v.Show(s)
	v.Focus().TypedRune('f')
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []core.Msg{compare.Chosen{Name: "failed"}}, sent)
	s = run(t, engine{}, s, sent[0])
	v.Show(s)
	words := 0
	for _, o := range test.LaidOutObjects(v.Object()) {
		if l, ok := o.(*widget.Label); ok && l.Text == "in one run only" {
			words++
			require.GreaterOrEqual(t, l.Size().Width, widget.NewLabel(l.Text).MinSize().Width, "no word of it is cut")
		}
	}
	require.Equal(t, 1, words)
	sent = nil
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	v.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	require.Equal(t, []core.Msg{compare.RowChosen{At: 0}, compare.Opened{}, core.Escaped{}}, sent)
}
