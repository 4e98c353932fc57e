package batch

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/audit"
)

// opened is a state with the table of a batch of n pages: page 2 failed, page 3 is not as accepted, page 4 has no turns.
func opened(n int) core.State {
	s := core.New([]core.Room{Room()}, core.Prefs{}, "", image.Pt(1280, 720), nil, nil, nil)
	s, _ = Found{"/out/night"}.Apply(s)
	b := &report.Batch{Dir: "/out/night", Name: "night", Do: "turn; audit", Missing: 1}
	for i := 1; i <= n; i++ {
		r := report.BatchRow{Key: fmt.Sprint("page-", i), Place: i, Label: fmt.Sprintf("https://shop.example/%d", n-i),
			Title: fmt.Sprint("Page ", i), Outcome: "ok", Seconds: float64(i * 7 % 50),
			Findings: &audit.Tally{Errors: i % 3, Warnings: i % 5}, Weight: i%3*1_000_000 + i%5*1000,
			Session: fmt.Sprintf("/out/night/pages/page-%d/session", i)}
		switch i {
		case 2:
			r.Outcome, r.Error, r.Failed, r.Rank, r.Session = "http 429", "the server answered 429", true, 2, ""
			r.Findings, r.Weight = nil, 0
		case 3:
			r.Change, r.Changed, r.Differs = "changed", "a button is gone", true
		case 4:
			r.Session = ""
		}
		b.Rows = append(b.Rows, r)
	}
	s, _ = readDone("/out/night", b, nil).Apply(s)
	return s
}

func apply(s core.State, messages ...core.Msg) core.State {
	for _, m := range messages {
		s, _ = m.Apply(s)
	}
	return s
}

// places are the pages in the table, in its order.
func places(s core.State) []string {
	var out []string
	if rows := viewOf(s).List.Rows; rows != nil {
		for _, r := range rows.List[1:] {
			out = append(out, r.Lead)
		}
	}
	return out
}

func TestTableSortsAndFilters(t *testing.T) {
	for _, tt := range []struct {
		name string
		msgs []core.Msg
		want string
	}{
		{"the list's order", nil, "1 2 3 4 5 6"},
		{"by name", []core.Msg{sorted{columnPage}}, "6 5 4 3 2 1"},
		{"by name, turned round", []core.Msg{sorted{columnPage}, sorted{columnPage}}, "1 2 3 4 5 6"},
		{"the third time gives the list's order", []core.Msg{sorted{columnErrors}, sorted{columnErrors}, sorted{columnErrors}},
			"1 2 3 4 5 6"},
		{"what failed first", []core.Msg{sorted{columnOutcome}}, "2 1 3 4 5 6"},
		{"errors, then warnings", []core.Msg{sorted{columnErrors}}, "5 4 1 3 6 2"},
		{"warnings", []core.Msg{sorted{columnWarnings}}, "4 3 1 6 5 2"},
		{"what changed first", []core.Msg{sorted{columnChange}}, "3 1 2 4 5 6"},
		{"the slowest first", []core.Msg{sorted{columnSeconds}}, "6 5 4 3 2 1"},
		{"a cause", []core.Msg{filtered{"429"}}, "2"},
		{"all words, in any case", []core.Msg{filtered{"PAGE gone"}}, "3"},
		{"a filter, sorted", []core.Msg{filtered{"shop"}, sorted{columnSeconds}}, "6 5 4 3 2 1"},
		{"nothing fits", []core.Msg{filtered{"zebra"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := apply(opened(6), tt.msgs...)
			require.Equal(t, tt.want, strings.Join(places(s), " "))
			if tt.want == "" {
				require.Equal(t, "No page fits the filter.", viewOf(s).List.Empty)
			}
		})
	}
}

func TestARowTellsHowItsPageEnded(t *testing.T) {
	rows := viewOf(opened(6)).List.Rows.List
	require.Equal(t, []string{"http 429", "", "", "", "14.0"}, rows[2].Cells)
	require.Equal(t, "the server answered 429", rows[2].Body)
	require.Equal(t, core.ToneBad, rows[2].Tone)
	require.Equal(t, []string{"ok", "0", "3", "changed", "21.0"}, rows[3].Cells)
	require.Equal(t, "a button is gone", rows[3].Body)
	require.Equal(t, "Page 3", rows[3].Aside)
	var facts []string
	for _, f := range viewOf(apply(opened(6), filtered{"gone"})).Facts {
		facts = append(facts, f.Text)
	}
	require.Equal(t, []string{"1 of 6 pages", "1 failed", "1 not as accepted", "1 not done", "13 errors and warnings"}, facts)
}

func TestAPageOpensItsTurns(t *testing.T) {
	s, effects := chosen(5).Apply(opened(6))
	require.Equal(t, core.DialogNone, s.Dialog)
	open := effects[0].(core.OpenSession)
	require.Equal(t, "/out/night/pages/page-5/session", open.Name)
	s, _ = core.SessionOpened{Task: open.Task, Other: true, Session: core.Session{Path: open.Name}}.Apply(s)
	require.Equal(t, open.Name, s.Session.Path)
	require.Equal(t, [core.MaxRecent]string{"/out/night"}, s.Recent, "a page is found by its batch")
	s, _ = core.SessionOpened{Other: true, Session: core.Session{Path: "/out/nightly"}}.Apply(s)
	require.Equal(t, [core.MaxRecent]string{"/out/nightly", "/out/night"}, s.Recent)

	for place, want := range map[int]string{2: "Page 2 has no turns: it failed (http 429).",
		4: "Page 4 has no turns: its batch recorded none. Run it with --do turn."} {
		s, effects := chosen(place).Apply(opened(6))
		require.Empty(t, effects)
		require.Equal(t, Dialog, s.Dialog, "the table stays")
		facts := viewOf(s).Facts
		require.Equal(t, want, facts[len(facts)-1].Text)
	}
}

// The table comes back as it was left, and is read again; another folder begins anew.
func TestTheTableComesBack(t *testing.T) {
	s := apply(opened(6), filtered{"shop"}, sorted{columnSeconds})
	s, _ = chosen(5).Apply(s)
	command := Room().Commands(s)[0]
	require.True(t, command.Enabled(s))
	s, effects := command.Msg(s).Apply(s)
	require.Equal(t, Dialog, s.Dialog)
	require.Equal(t, []core.Effect{read{"/out/night"}}, effects)
	require.Equal(t, "6 5 4 3 2 1", strings.Join(places(s), " "))
	s = apply(s, readDone("/out/other", &report.Batch{}, nil))
	require.Len(t, places(s), 6, "the answer for another folder comes too late")

	s = apply(s, Found{"/out/other"})
	require.Empty(t, places(s))
	require.Equal(t, "Reading the batch…", viewOf(s).List.Empty)
	require.Equal(t, [2]string{"/out/other", "/out/night"}, [2]string(s.Recent[:2]))
	s = apply(s, readDone("/out/other", nil, &core.Problem{Sentence: "It is damaged."}))
	require.Equal(t, "It is damaged.", viewOf(s).List.Empty)
	require.NotPanics(t, func() { chosen(1).Apply(s) }, "a click on a row that was there before")
}

// bench is the table in a window, with what it sent.
type bench struct {
	state core.State
	view  *View
	win   fyne.Window
	asked map[string]bool // pictures
	open  []string        // sessions
}

func newBench(t testing.TB, n int) *bench {
	test.NewTempApp(t)
	b := &bench{state: opened(n), asked: map[string]bool{}}
	w := &parts.Window{State: func() core.State { return b.state }}
	w.Send = func(m core.Msg) {
		var effects []core.Effect
		b.state, effects = m.Apply(b.state)
		for _, e := range effects {
			switch e := e.(type) {
			case readPictures:
				for _, key := range e.Keys {
					b.asked[key] = true
				}
			case core.OpenSession:
				b.open = append(b.open, e.Name)
			}
		}
		if b.view != nil {
			b.view.Show(b.state)
		}
	}
	view := New(w)
	b.win = test.NewTempWindow(t, view.Object())
	w.Canvas = b.win.Canvas()
	b.win.Resize(fyne.NewSize(1100, 640))
	b.view = view
	view.Show(b.state)
	return b
}

// Of thousands of rows those in view are drawn and ask for their pictures; the keyboard alone filters, chooses and opens.
func TestThousandsOfRows(t *testing.T) {
	b := newBench(t, 5000)
	require.NotEmpty(t, b.asked)
	require.Less(t, len(b.asked), 40)
	b.state, _ = picturesRead("/out/night", map[string]image.Image{"page-1": image.NewRGBA(image.Rect(0, 0, 160, 90)),
		"page-2": nil}).Apply(b.state)
	clear(b.asked)
	b.view.Show(b.state)
	require.NotContains(t, b.asked, "page-1")
	require.NotContains(t, b.asked, "page-2", "it has none")
	require.Contains(t, b.asked, "page-3", "it is still to come")

	b.win.Canvas().Focus(b.view.filter)
	test.Type(b.view.filter, "shop.example/499")
	require.Len(t, places(b.state), 11) // 499 and 4990 to 4999
	b.view.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	require.Equal(t, fyne.Focusable(b.view.list), b.win.Canvas().Focused())
	b.view.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	b.view.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []string{"/out/night/pages/page-4501/session"}, b.open)
}

func TestEnterInTheFilterOpensTheFirstPage(t *testing.T) {
	b := newBench(t, 20)
	b.win.Canvas().Focus(b.view.filter)
	test.Type(b.view.filter, "shop.example/3")
	b.view.filter.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	require.Equal(t, []string{"/out/night/pages/page-17/session"}, b.open)
}

func BenchmarkScroll(b *testing.B) {
	bench := newBench(b, 5000)
	for b.Loop() {
		bench.view.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
}

func BenchmarkFilter(b *testing.B) {
	bench := newBench(b, 5000)
	i := 0
	for b.Loop() {
		i++
		bench.view.filter.OnChanged([]string{"shop", "example"}[i%2])
	}
}
