package picture_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// TestCountFromOne numbers picture, text and notices from 1, and the details know the ref of
// the session.
func TestCountFromOne(t *testing.T) {
	c := apptest.Capture()
	for i := range c.Nodes {
		if c.Nodes[i].Ref > 0 {
			c.Nodes[i].Ref += 4800
		}
	}
	c.Page.Overlays = []snapshot.Overlay{{Node: 3, Share: 0.36}}
	turn := core.NewTurn(2, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 200, 100)))
	s, _ := apptest.Step(apptest.Captured(t), core.CaptureAsked{}, core.Captured{Task: 5, Turn: turn})
	require.Same(t, turn, s.Current)
	s, effects := apptest.Step(s, core.CommandChosen{ID: "view.fromone"})
	require.True(t, s.Reading.FromOne)
	scoped := apptest.Last[picture.Rescope](effects).Do(t.Context(), nil).(picture.Rescoped)
	s, _ = apptest.Step(s, scoped, apptest.Last[text.Render](effects).Do(t.Context(), coretest.Worker(nil)),
		core.NodePicked{Node: 2, Source: core.PanePicture})

	v := picture.ViewOf(s)
	require.Equal(t, 2, v.Scene.ByRef(4802).Number)
	require.Equal(t, 4802, v.Numbers.Ref(2))
	require.Contains(t, v.Caption, "2 covered by 3 ")
	require.Contains(t, s.Doc("dddk").Doc.Text, "[2]<button>Buy</button>")
	require.NotContains(t, s.Doc("dddk").Doc.Text, "480")
	d := details.ViewOf(s)
	require.Equal(t, "2", d.Number)
	words := ""
	for _, r := range d.Rows {
		words += r.Value + "\n"
	}
	require.Contains(t, words, "2 on this page · ref 4802 in the session")
	require.Contains(t, d.Note.Text, "hit 3 region")
	require.Equal(t, 4802, s.Selected.Ref, "what is selected is the element of the session")

	s, _ = apptest.Step(s, core.FromOneToggled())
	require.Same(t, turn.Scene, picture.ViewOf(s).Scene)
	require.Contains(t, picture.ViewOf(s).Caption, "4802 covered by 4803")
	require.True(t, s.Prefs().Reading == core.Reading{})
}

// TestNumbersThatTheTextLacks: a box whose element the text in view has no line about is dashed, keeps its number, and
// the key says which text it is not in.
func TestNumbersThatTheTextLacks(t *testing.T) {
	s := apptest.Captured(t)
	d, err := format.Render(s.Current.Capture, format.DDDK, format.Options{})
	require.NoError(t, err)
	whole, effects := apptest.Step(s, core.Rendered{Turn: 1, Doc: core.NewDoc(s.Current.Capture, d, func(string) int { return 0 })})
	require.Nil(t, apptest.Last[picture.Rescope](effects).Text, "it lacks nothing")
	require.Same(t, s.Current.Scene, picture.ViewOf(whole).Scene)

	cut, err := format.Render(s.Current.Capture, format.DDDK, format.Options{Common: dump.Common{MaxNodes: 1}})
	require.NoError(t, err)
	s, effects = apptest.Step(s, core.Rendered{Turn: 1, Doc: core.NewDoc(s.Current.Capture, cut, func(string) int { return 0 })})
	ask := apptest.Last[picture.Rescope](effects)
	require.Same(t, cut, ask.Text)
	s, _ = apptest.Step(s, ask.Do(t.Context(), nil))
	scene := picture.ViewOf(s).Scene
	words := ""
	for _, sign := range scene.Signs() {
		words += sign.Words + "\n"
	}
	require.Contains(t, words, "Not in dddk")
}
