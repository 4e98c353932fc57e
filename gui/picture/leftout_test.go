package picture_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
)

// TestWhatADraftLeavesOutIsHatched: the picture follows the rules as they are written, while the profile is in view.
func TestWhatADraftLeavesOutIsHatched(t *testing.T) {
	s := apptest.Captured(t)
	s, _ = apptest.Step(s, core.SideChosen(profile.Side))
	s, _ = apptest.Step(s, profile.Found{Seq: profile.Of(s).Seq, File: profiles.File{Domain: "shop.example"}})
	hatched := func(text string) []image.Rectangle {
		t.Helper()
		var effects []core.Effect
		s, effects = apptest.Step(s, profile.Typed{Domain: "shop.example", Given: 1, Text: text})
		checked := apptest.Last[profile.CheckProfile](effects).Do(t.Context(), coretest.Worker(nil))
		s, effects = apptest.Step(s, checked)
		if ask := apptest.Last[picture.Rescope](effects); ask.Turn != nil {
			s, _ = apptest.Step(s, ask.Do(t.Context(), nil))
		}
		return picture.ViewOf(s).Scene.Filtered()
	}
	require.Equal(t, []image.Rectangle{image.Rect(10, 10, 90, 30)}, hatched("---\nfilter:\n  - h1\n---\n"))
	require.Greater(t, len(hatched("---\nfilter:\n  - h1\n  - section\n---\n")), 1)
	require.Empty(t, hatched("---\nfilter:\n  - .other\n---\n"))
	require.Len(t, hatched("---\nfilter:\n  - h1\n---\n"), 1)
	s, _ = apptest.Step(s, core.SideChosen(core.SideText))
	require.Empty(t, picture.ViewOf(s).Scene.Filtered(), "no other side shows a draft")
}

// TestWhatFiltersLeftOutHasAMarkOnRequest: it is hatched where a person asks for that, and a click there chooses it.
func TestWhatFiltersLeftOutHasAMarkOnRequest(t *testing.T) {
	c := apptest.Capture()
	c.LeaveOut(map[int]string{1: "h1"}, func(n, _ *snapshot.Node, rule string) { n.FilteredBy = rule })
	c.Verdicts = c.CountVerdicts()
	turn := core.NewTurn(2, "goto", c, nil, image.NewRGBA(image.Rect(0, 0, 200, 100)))
	s, _ := apptest.Step(apptest.Captured(t), core.CaptureAsked{}, core.Captured{Task: 5, Turn: turn})
	require.Equal(t, 1, picture.Tools(s).LeftOut)
	require.Empty(t, picture.ViewOf(s).Scene.Filtered())
	s, effects := apptest.Step(s, core.CommandChosen{ID: "boxes.leftOut"})
	s, _ = apptest.Step(s, apptest.Last[picture.Rescope](effects).Do(t.Context(), nil))
	require.True(t, picture.Tools(s).LeftOutOn)
	require.Equal(t, []image.Rectangle{image.Rect(10, 10, 90, 30)}, picture.ViewOf(s).Scene.Filtered())
	s, _ = apptest.Step(s, picture.PlacePicked(20, 20, false))
	require.Equal(t, 1, s.Selected.Node)
}
