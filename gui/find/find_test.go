package find_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// rendered has the text of the shown turn in view.
func rendered(t *testing.T) core.State {
	t.Helper()
	s := apptest.Captured(t)
	d, err := format.Render(s.Current.Capture, format.DDDK, format.Options{})
	require.NoError(t, err)
	s, _ = apptest.Step(s, core.Rendered{Turn: 1, Doc: core.NewDoc(s.Current.Capture, d, func(string) int { return 0 })})
	return s
}

// looked asks for something and answers.
func looked(t *testing.T, s core.State, q find.Query) core.State {
	t.Helper()
	s, effects := apptest.Step(s, find.Asked(), find.Typed{Query: q})
	e := apptest.Last[find.Find](effects)
	require.NotNil(t, e.Doc)
	f, err := find.Search(context.Background(), e)
	require.NoError(t, err)
	s, _ = apptest.Step(s, find.Searched{Seq: e.Seq, Found: f})
	return s
}

// matched are the matched stretches of text.
func matched(f *core.Found, d *dump.Document) (out []string) {
	for _, m := range f.Matches {
		switch {
		case m.Line < 0:
			out = append(out, "absent")
		case m.Start == m.End:
			out = append(out, "line "+strings.TrimSpace(d.Text[d.Lines[m.Line].Start:d.Lines[m.Line].End]))
		default:
			out = append(out, d.Text[d.Lines[m.Line].Start+m.Start:d.Lines[m.Line].Start+m.End])
		}
	}
	return out
}

func TestSearch(t *testing.T) {
	s := rendered(t)
	doc := s.Doc("dddk").Doc
	for _, tt := range []struct {
		name  string
		query find.Query
		want  []string
		boxes int
	}{
		{"a text, without case", find.Query{Text: "demo"}, []string{"Demo", "Demo"}, 1},
		{"with case", find.Query{Text: "demo", Case: true}, nil, 0},
		{"signs mean themselves", find.Query{Text: "[2]"}, []string{"[2]"}, 1},
		{"an expression", find.Query{Text: `\[\d\]<b`, Regexp: true}, []string{"[2]<b"}, 1},
		{"what matches nothing is no match", find.Query{Text: "z*", Regexp: true}, nil, 0},
		{"elements by role", find.Query{Text: "role=button"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"by selector", find.Query{Text: "css=button, h1"},
			[]string{"line [1]<h1>Demo</h1>", "line [2]<button>Buy</button>"}, 2},
		{"by number", find.Query{Text: "#2"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"by class", find.Query{Text: ".buy"}, nil, 0},
		{"by XPath", find.Query{Text: "//button"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"by role and words", find.Query{Text: "role=button Buy"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"a number that is not there", find.Query{Text: "#99"}, nil, 0},
		{"a role not typed yet", find.Query{Text: "role="}, nil, 0},
		{"a # that begins no number", find.Query{Text: "#x"}, nil, 0},
		{"in an expression they are text", find.Query{Text: "role=button", Regexp: true}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := find.Search(context.Background(), find.Find{Turn: s.Current, Doc: doc, Query: tt.query})
			require.NoError(t, err)
			require.Equal(t, tt.want, matched(f, doc))
			require.Len(t, f.Boxes.Boxes, tt.boxes)
		})
	}
	for text, want := range map[string]string{
		"//a[text()='x']":         "cannot be looked for in a recording",
		"(":                       "this is not a regular expression: missing closing ) in “(”",
		"css=a[":                  "this cannot be looked for",
		strings.Repeat("x", 1001): "at most 1000 bytes can be looked for",
	} {
		_, err := find.Search(context.Background(), find.Find{Turn: s.Current, Doc: doc,
			Query: find.Query{Text: text, Regexp: text == "("}})
		require.ErrorContains(t, err, want)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := find.Search(gone, find.Find{Doc: doc, Query: find.Query{Text: "x"}})
	require.ErrorIs(t, err, context.Canceled)
}

func TestSearchIsBounded(t *testing.T) {
	d := &dump.Document{Text: strings.Repeat("a", 3*find.MaxMatches)}
	d.Lines = []dump.Line{{End: len(d.Text), Node: -1}}
	f, err := find.Search(context.Background(), find.Find{Doc: d, Query: find.Query{Text: "a"}})
	require.NoError(t, err)
	require.Len(t, f.Matches, find.MaxMatches)
	require.True(t, f.More)
	require.Equal(t, "1 of more than 10,000", f.Say(0))
}

func TestReducedText(t *testing.T) {
	d := &dump.Document{}
	tones := &core.LineTones{ByLine: map[int]core.Tone{}}
	for i := range 20 {
		start := len(d.Text)
		d.Text += "line"
		if i == 5 || i == 8 || i == 19 {
			d.Text += " hit"
			tones.Set(i, core.ToneBad)
		}
		d.Lines = append(d.Lines, dump.Line{Start: start, End: len(d.Text), Node: -1})
	}
	f, err := find.Search(context.Background(), find.Find{Doc: d, Tones: tones, Query: find.Query{Text: "hit"}})
	require.NoError(t, err)
	require.Equal(t, []int{3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19}, f.Filtered.Numbers, "two lines before and after each")
	require.Equal(t, []int{2, 5, 10}, f.Filtered.Line)
	require.Equal(t, []int{2, 5, 10}, f.Filtered.Lines)
	require.Len(t, f.Doc.Lines, 11)
	require.Equal(t, core.ToneBad, f.Tones.Of(2))
	require.Equal(t, 3, f.Lines)
	require.Equal(t, 17, f.Filtered.Number(8))
	require.Equal(t, 8, f.Filtered.Place(12), "what was left out: the next that was not")
	require.Equal(t, 10, f.Filtered.Place(99))
	require.Equal(t, 12, f.Text.Place(12))
	var none *core.FoundText
	require.Equal(t, 7, none.Number(7))
	require.Equal(t, 7, none.Place(7))
	require.True(t, (*core.FoundBoxes)(nil).Box(0).Empty())
}

func TestFindLightsTextAndPicture(t *testing.T) {
	s := looked(t, rendered(t), find.Query{Text: "css=button, h1"})
	require.Equal(t, "1 of 2 · 2 boxes", find.ViewOf(s).Count)
	require.Same(t, find.Of(s).Found.Text, text.ViewOf(s).Find)
	require.Same(t, find.Of(s).Found.Boxes, picture.ViewOf(s).Found)
	require.Equal(t, 0, picture.ViewOf(s).FoundAt)

	t.Run("steps go round", func(t *testing.T) {
		for _, tt := range []struct{ by, want int }{{1, 1}, {1, 0}, {-1, 1}} {
			s, _ = apptest.Step(s, find.Stepped{By: tt.by})
			require.Equal(t, tt.want, find.Of(s).At)
		}
	})
	t.Run("Matches only", func(t *testing.T) {
		s, effects := apptest.Step(s, find.Filtered())
		require.Empty(t, effects, "it is there already")
		require.Same(t, find.Of(s).Found.Doc, text.ViewOf(s).Doc)
		s, _ = apptest.Step(s, find.Filtered())
		require.Same(t, s.Doc("dddk").Doc, text.ViewOf(s).Doc)
	})
	t.Run("closing keeps the selection", func(t *testing.T) {
		chosen, _ := apptest.Step(s, core.Picked{Ref: 2, Source: core.PaneDump}, find.Filtered())
		for _, m := range []core.Msg{find.Closed{}, core.Escaped{}} {
			shut, _ := apptest.Step(chosen, m)
			require.Equal(t, 2, shut.Selected.Ref)
			require.Nil(t, text.ViewOf(shut).Find)
			require.Same(t, shut.Doc("dddk").Doc, text.ViewOf(shut).Doc)
			require.Nil(t, picture.ViewOf(shut).Found)
			again, effects := apptest.Step(shut, find.Asked())
			require.Equal(t, "css=button, h1", find.Of(again).Query.Text, "what was typed is there again")
			require.NotNil(t, apptest.Last[find.Find](effects).Doc)
		}
	})
	t.Run("another text is looked through anew", func(t *testing.T) {
		other, effects := apptest.Step(s, core.FormatChosen{Format: "semantic"})
		require.Nil(t, apptest.Last[find.Find](effects).Doc, "it is not written yet")
		require.Equal(t, "there is no text in view", find.ViewOf(other).Count)
		written := &dump.Document{Format: "semantic", Text: "x", Lines: []dump.Line{{End: 1}}}
		other, effects = apptest.Step(other, core.Rendered{Turn: 1, Doc: core.Doc{Format: "semantic", Doc: written}})
		require.Same(t, written, apptest.Last[find.Find](effects).Doc)
		require.Nil(t, text.ViewOf(other).Find)
		require.Equal(t, "looking…", find.ViewOf(other).Count)
	})
	t.Run("late answers are dropped", func(t *testing.T) {
		now, effects := apptest.Step(s, find.Typed{Query: find.Query{Text: "zzz"}})
		require.Same(t, find.Of(s).Found, find.Of(now).Found, "what was found stays lit until the answer is there")
		late, _ := apptest.Step(now, find.Searched{Seq: apptest.Last[find.Find](effects).Seq - 1, Found: &core.Found{}})
		require.Same(t, find.Of(s).Found, find.Of(late).Found)
		now, _ = apptest.Step(now, find.Searched{Seq: apptest.Last[find.Find](effects).Seq,
			Problem: &core.Problem{Sentence: "No."}})
		require.Equal(t, "No.", find.ViewOf(now).Count)
		require.False(t, find.ViewOf(now).Can)
		_, effects = apptest.Step(now, find.Typed{Query: find.Query{}})
		require.Nil(t, apptest.Last[find.Find](effects).Doc, "nothing is to be looked for")
	})
}

func TestFindBeginsWhereTheEyeIs(t *testing.T) {
	s, _ := apptest.Step(rendered(t), core.Picked{Ref: 2, Source: core.PaneDump})
	s = looked(t, s, find.Query{Text: "css=button, h1"})
	require.Equal(t, 1, find.Of(s).At, "the heading stands before the chosen button")
	s, effects := apptest.Step(rendered(t), find.Stepped{By: 1})
	require.True(t, find.Of(s).Open, "F3 opens the bar")
	require.Contains(t, effects, core.Effect(find.Focus{}))
	_, effects = apptest.Step(apptest.Captured(t), core.CommandChosen{ID: find.CmdFind})
	require.Contains(t, effects, core.Effect(find.Focus{}))
}

// FuzzSearch: every match is where the text really has it, in order, and the reduced
// text has all of them.
func FuzzSearch(f *testing.F) {
	f.Add("one\ntwo\nthree", "t", false, false)
	f.Add("a\xffb\nİ\nß", "i", false, false)
	f.Add("aaa", "a|(b", true, true)
	f.Add("x\n\n\n\n\nx", "^x$", true, false)
	f.Fuzz(func(t *testing.T, text, query string, re, cases bool) {
		d := &dump.Document{Text: text}
		start := 0
		for _, l := range strings.SplitAfter(text, "\n") {
			d.Lines = append(d.Lines, dump.Line{Start: start, End: start + len(strings.TrimSuffix(l, "\n")), Node: -1})
			start += len(l)
		}
		got, err := find.Search(context.Background(),
			find.Find{Doc: d, Query: find.Query{Text: query, Regexp: re, Case: cases}})
		if err != nil {
			require.True(t, re || len(query) > find.MaxFindQuery, "%v", err)
			return
		}
		before := -1
		for i, m := range got.Matches {
			line := d.Text[d.Lines[m.Line].Start:d.Lines[m.Line].End]
			require.True(t, 0 <= m.Start && m.Start < m.End && m.End <= len(line))
			if !re {
				require.Equal(t, len(regexp.MustCompile("(?i)"+regexp.QuoteMeta(strings.ToValidUTF8(query,
					"\uFFFD"))).FindString(line[m.Start:])), m.End-m.Start)
			}
			require.GreaterOrEqual(t, m.Line, before)
			before = m.Line
			require.Equal(t, m.Line, got.Filtered.Number(got.Filtered.Line[i]))
		}
		require.Len(t, got.Doc.Lines, len(got.Filtered.Numbers))
	})
}

// TestSearchOfThePage: words of the page that the text lacks are found too, each with the reason, and stepping to one
// selects it.
func TestSearchOfThePage(t *testing.T) {
	s := rendered(t)
	hidden := &s.Current.Capture.Nodes[len(s.Current.Capture.Nodes)-1]
	hidden.Name, hidden.Verdict = "Voucher code", snapshot.VerdictDisplayNone
	d, err := format.Render(s.Current.Capture, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.NotContains(t, d.Text, "Voucher")
	s, _ = apptest.Step(s, core.Rendered{Turn: 1, Doc: core.NewDoc(s.Current.Capture, d, func(string) int { return 0 })})
	s = looked(t, s, find.Query{Text: "voucher"})
	f := find.Of(s)
	require.Len(t, f.Found.Matches, 1)
	require.Equal(t, hidden.I, f.Found.Matches[0].Node)
	require.Equal(t, hidden.I, s.Selected.Node, "the only match is selected")
	require.Contains(t, find.ViewOf(s).Count, "1 not in this text")
	if s.Current.Explainer != nil {
		require.Contains(t, find.ViewOf(s).Count, "this one: ")
	}
}
