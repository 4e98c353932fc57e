package state

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// rendered has the text of the shown turn in view.
func rendered(t *testing.T) State {
	t.Helper()
	s := captured(t)
	d, err := format.Render(s.Shown.Capture, format.DDDK, format.Options{})
	require.NoError(t, err)
	s, _ = step(s, Rendered{Turn: 1, Doc: NewDoc(s.Shown.Capture, d)})
	return s
}

// looked asks for something and answers.
func looked(t *testing.T, s State, q FindQuery) State {
	t.Helper()
	s, effects := step(s, FindAsked{}, FindTyped{q})
	e := last[Find](effects)
	require.NotNil(t, e.Doc)
	f, err := Search(context.Background(), e)
	require.NoError(t, err)
	s, _ = step(s, Searched{Seq: e.Seq, Found: f})
	return s
}

// matched are the matched stretches of text.
func matched(f *Found, d *dump.Document) (out []string) {
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
		query FindQuery
		want  []string
		boxes int
	}{
		{"a text, without case", FindQuery{Text: "demo"}, []string{"Demo", "Demo"}, 1},
		{"with case", FindQuery{Text: "demo", Case: true}, nil, 0},
		{"signs mean themselves", FindQuery{Text: "[2]"}, []string{"[2]"}, 1},
		{"an expression", FindQuery{Text: `\[\d\]<b`, Regexp: true}, []string{"[2]<b"}, 1},
		{"what matches nothing is no match", FindQuery{Text: "z*", Regexp: true}, nil, 0},
		{"elements by role", FindQuery{Text: "role=button"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"by selector", FindQuery{Text: "css=button, h1"}, []string{"line [1]<h1>Demo</h1>", "line [2]<button>Buy</button>"}, 2},
		{"by number", FindQuery{Text: "#2"}, []string{"line [2]<button>Buy</button>"}, 1},
		{"a number that is not there", FindQuery{Text: "#99"}, nil, 0},
		{"a role not typed yet", FindQuery{Text: "role="}, nil, 0},
		{"a # that begins no number", FindQuery{Text: "#x"}, nil, 0},
		{"in an expression they are text", FindQuery{Text: "role=button", Regexp: true}, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Search(context.Background(), Find{Turn: s.Shown, Doc: doc, Query: tt.query})
			require.NoError(t, err)
			require.Equal(t, tt.want, matched(f, doc))
			require.Len(t, f.Boxes.Boxes, tt.boxes)
		})
	}
	for text, want := range map[string]string{
		"(":                       "this is no regular expression: missing closing ) in “(”",
		"css=a[":                  "this cannot be looked for",
		strings.Repeat("x", 1001): "at most 1000 bytes can be looked for",
	} {
		_, err := Search(context.Background(), Find{Turn: s.Shown, Doc: doc, Query: FindQuery{Text: text, Regexp: text == "("}})
		require.ErrorContains(t, err, want)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Search(gone, Find{Doc: doc, Query: FindQuery{Text: "x"}})
	require.ErrorIs(t, err, context.Canceled)
}

func TestSearchIsBounded(t *testing.T) {
	d := &dump.Document{Text: strings.Repeat("a", 3*maxMatches)}
	d.Lines = []dump.Line{{End: len(d.Text), Node: -1}}
	f, err := Search(context.Background(), Find{Doc: d, Query: FindQuery{Text: "a"}})
	require.NoError(t, err)
	require.Len(t, f.Matches, maxMatches)
	require.True(t, f.More)
	require.Equal(t, "1 of more than 10,000", f.say(0))
}

func TestReducedText(t *testing.T) {
	d := &dump.Document{}
	tones := &LineTones{byLine: map[int]Tone{}}
	for i := range 20 {
		start := len(d.Text)
		d.Text += "line"
		if i == 5 || i == 8 || i == 19 {
			d.Text += " hit"
			tones.set(i, ToneBad)
		}
		d.Lines = append(d.Lines, dump.Line{Start: start, End: len(d.Text), Node: -1})
	}
	f, err := Search(context.Background(), Find{Doc: d, Tones: tones, Query: FindQuery{Text: "hit"}})
	require.NoError(t, err)
	require.Equal(t, []int{3, 4, 5, 6, 7, 8, 9, 10, 17, 18, 19}, f.Filtered.Numbers, "two lines before and after each")
	require.Equal(t, []int{2, 5, 10}, f.Filtered.Line)
	require.Equal(t, []int{2, 5, 10}, f.Filtered.Lines)
	require.Len(t, f.Doc.Lines, 11)
	require.Equal(t, ToneBad, f.Tones.Of(2))
	require.Equal(t, 3, f.Lines)
	require.Equal(t, 17, f.Filtered.Number(8))
	require.Equal(t, 8, f.Filtered.Place(12), "what was left out: the next that was not")
	require.Equal(t, 10, f.Filtered.Place(99))
	require.Equal(t, 12, f.Text.Place(12))
	var none *FoundText
	require.Equal(t, 7, none.Number(7))
	require.Equal(t, 7, none.Place(7))
	require.True(t, (*FoundBoxes)(nil).Box(0).Empty())
}

func TestFindLightsTextAndPicture(t *testing.T) {
	s := looked(t, rendered(t), FindQuery{Text: "css=button, h1"})
	require.Equal(t, "1 of 2 · 2 boxes", s.FindView().Count)
	require.Same(t, s.Find.Found.Text, s.Dump().Find)
	require.Same(t, s.Find.Found.Boxes, s.Shot().Found)
	require.Equal(t, 0, s.Shot().FoundAt)

	t.Run("steps go round", func(t *testing.T) {
		for _, tt := range []struct{ by, want int }{{1, 1}, {1, 0}, {-1, 1}} {
			s, _ = step(s, FindStepped{tt.by})
			require.Equal(t, tt.want, s.Find.At)
		}
	})
	t.Run("only matches", func(t *testing.T) {
		s, effects := step(s, FindFiltered{})
		require.Empty(t, effects, "it is there already")
		require.Same(t, s.Find.Found.Doc, s.Dump().Doc)
		s, _ = step(s, FindFiltered{})
		require.Same(t, s.Doc("dddk").Doc, s.Dump().Doc)
	})
	t.Run("closing keeps the selection", func(t *testing.T) {
		chosen, _ := step(s, Picked{Ref: 2, Source: PaneDump}, FindFiltered{})
		for _, m := range []Msg{FindClosed{}, Escaped{}} {
			shut, _ := step(chosen, m)
			require.Equal(t, 2, shut.Selected.Ref)
			require.Nil(t, shut.Dump().Find)
			require.Same(t, shut.Doc("dddk").Doc, shut.Dump().Doc)
			require.Nil(t, shut.Shot().Found)
			again, effects := step(shut, FindAsked{})
			require.Equal(t, "css=button, h1", again.Find.Query.Text, "what was typed is there again")
			require.NotNil(t, last[Find](effects).Doc)
		}
	})
	t.Run("another text is looked through anew", func(t *testing.T) {
		other, effects := step(s, FormatChosen{"semantic"})
		require.Nil(t, last[Find](effects).Doc, "it is not written yet")
		require.Equal(t, "there is no text in view", other.FindView().Count)
		text := &dump.Document{Format: "semantic", Text: "x", Lines: []dump.Line{{End: 1}}}
		other, effects = step(other, Rendered{Turn: 1, Doc: Doc{Format: "semantic", Doc: text}})
		require.Same(t, text, last[Find](effects).Doc)
		require.Nil(t, other.Dump().Find)
		require.Equal(t, "looking…", other.FindView().Count)
	})
	t.Run("late answers are dropped", func(t *testing.T) {
		now, effects := step(s, FindTyped{FindQuery{Text: "zzz"}})
		require.Same(t, s.Find.Found, now.Find.Found, "what was found stays lit until the answer is there")
		late, _ := step(now, Searched{Seq: last[Find](effects).Seq - 1, Found: &Found{}})
		require.Same(t, s.Find.Found, late.Find.Found)
		now, _ = step(now, Searched{Seq: last[Find](effects).Seq, Problem: &Problem{Sentence: "No."}})
		require.Equal(t, "No.", now.FindView().Count)
		require.False(t, now.FindView().Can)
		_, effects = step(now, FindTyped{FindQuery{}})
		require.Nil(t, last[Find](effects).Doc, "nothing is to be looked for")
	})
}

func TestFindBeginsWhereTheEyeIs(t *testing.T) {
	s, _ := step(rendered(t), Picked{Ref: 2, Source: PaneDump})
	s = looked(t, s, FindQuery{Text: "css=button, h1"})
	require.Equal(t, 1, s.Find.At, "the heading stands before the chosen button")
	s, effects := step(rendered(t), FindStepped{1})
	require.True(t, s.Find.Open, "F3 opens the bar")
	require.Contains(t, effects, Effect(FocusFind{}))
	_, effects = step(captured(t), CommandChosen{CmdFind})
	require.Contains(t, effects, Effect(FocusFind{}))
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
		got, err := Search(context.Background(), Find{Doc: d, Query: FindQuery{Text: query, Regexp: re, Case: cases}})
		if err != nil {
			require.True(t, re || len(query) > maxFindQuery, "%v", err)
			return
		}
		before := -1
		for i, m := range got.Matches {
			line := d.Text[d.Lines[m.Line].Start:d.Lines[m.Line].End]
			require.True(t, 0 <= m.Start && m.Start < m.End && m.End <= len(line))
			if !re {
				require.Equal(t, len(regexp.MustCompile("(?i)"+regexp.QuoteMeta(strings.ToValidUTF8(query, "\uFFFD"))).FindString(line[m.Start:])), m.End-m.Start)
			}
			require.GreaterOrEqual(t, m.Line, before)
			before = m.Line
			require.Equal(t, m.Line, got.Filtered.Number(got.Filtered.Line[i]))
		}
		require.Len(t, got.Doc.Lines, len(got.Filtered.Numbers))
	})
}
