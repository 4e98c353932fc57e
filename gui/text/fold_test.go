package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/dump"
)

// sectioned has a turn in view whose text is a section with a heading and a button in it.
func sectioned(t *testing.T) core.State {
	t.Helper()
	const words = "[3]<section>\n\t[1]<h1>\n\t[2]<button>\nend"
	d := &dump.Document{Format: "dddk", Text: words, Lines: []dump.Line{
		{Start: 0, End: 12, Node: 3, Ref: 3}, {Start: 13, End: 21, Node: 1, Ref: 1}, {Start: 22, End: 34, Node: 2,
			Ref: 2},
		{Start: 35, End: 38, Node: -1}}}
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.Rendered{Turn: s.Current.N, Doc: core.NewDoc(s.Current.Capture, d, func(string) int {
		return 1
	})})
	require.Equal(t, 4, rows(s))
	return s
}

// rows is how many lines of the text are in view.
func rows(s core.State) int {
	v := text.ViewOf(s)
	return v.Folds.Rows(len(v.Doc.Lines))
}

// TestFolding folds, and goes to what is folded.
func TestFolding(t *testing.T) {
	fold := core.CommandChosen{ID: text.CmdFold}
	pick := func(ref int) core.Msg { return core.Picked{Ref: ref, Source: core.PanePicture} }
	for name, c := range map[string]struct {
		msgs []core.Msg
		want int
	}{
		"nothing selected":            {[]core.Msg{fold}, 4},
		"the section":                 {[]core.Msg{pick(3), fold}, 2},
		"from within":                 {[]core.Msg{pick(2), fold}, 2},
		"and back, still within":      {[]core.Msg{pick(2), fold, fold}, 4},
		"a selection elsewhere":       {[]core.Msg{pick(2), fold, pick(3)}, 2},
		"a selection within":          {[]core.Msg{pick(2), fold, pick(1)}, 4},
		"the pointer unfolds nothing": {[]core.Msg{pick(2), fold, core.Hovered{Ref: 1, Source: core.PanePicture}}, 2},
		"by the triangle":             {[]core.Msg{text.FoldToggled{Line: 0}}, 2},
		"all":                         {[]core.Msg{text.FoldedAll{Fold: true}}, 2},
		"none":                        {[]core.Msg{text.FoldedAll{Fold: true}, text.FoldedAll{}}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := apptest.Step(sectioned(t), c.msgs...)
			require.Equal(t, c.want, rows(s))
		})
	}
}

// TestFindUnfolds looks for what is folded.
func TestFindUnfolds(t *testing.T) {
	s, _ := apptest.Step(sectioned(t), text.FoldedAll{Fold: true}, find.Asked())
	s, effects := apptest.Step(s, find.Typed{Query: find.Query{Text: "button"}})
	ask := apptest.Last[find.Find](effects)
	require.NotNil(t, ask.Doc)
	require.Equal(t, 2, rows(s))
	found, err := find.Search(t.Context(), ask)
	require.NoError(t, err)
	s, _ = apptest.Step(s, find.Searched{Seq: ask.Seq, Found: found})
	require.Equal(t, 4, rows(s))
}

// TestFoldsStayWithTheirText goes to another format and back, and on to another turn.
func TestFoldsStayWithTheirText(t *testing.T) {
	s, _ := apptest.Step(sectioned(t), text.FoldedAll{Fold: true}, core.FormatChosen{Format: "semantic"},
		core.FormatChosen{Format: "dddk"})
	require.Equal(t, 2, rows(s))
	s, effects := apptest.Step(s, core.CaptureAsked{})
	s, _ = apptest.Step(s, core.Captured{Task: effects[0].(core.Capture).Task, Turn: apptest.Later(2)})
	other := &dump.Document{Format: "dddk", Text: "a\n\tb", Lines: []dump.Line{{Start: 0, End: 1, Node: -1},
		{Start: 2, End: 4, Node: -1}}}
	s, _ = apptest.Step(s, core.Rendered{Turn: 2, Doc: core.NewDoc(s.Current.Capture, other, func(string) int {
		return 1
	})})
	require.Equal(t, 2, rows(s))
	require.Len(t, text.Of(s).Folds, 1, "texts that are gone are given up")
}
