package picture_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/snapshot"
)

// underBanner has a turn in view whose button is under a cookie banner.
func underBanner(t *testing.T) core.State {
	s := apptest.Captured(t)
	s.Shown.Capture.Page.Overlays = []snapshot.Overlay{{Node: 3, Kind: "cookie_banner", Share: 0.36}}
	again := *s.Shown
	s.Shown = &again
	s, _ = apptest.Step(s, core.Hovered{})
	return s
}

func TestCoverNotice(t *testing.T) {
	plain, _ := apptest.Step(apptest.Captured(t), core.Hovered{})
	require.Zero(t, picture.ViewOf(plain).Cover, "nothing covers the page")

	s := underBanner(t)
	require.Equal(t, picture.CoverVM{Text: "Cookie banner covers 36 % of the view and 1 control."}, picture.ViewOf(s).Cover)
	require.Nil(t, picture.ViewOf(s).Found)

	s.Layers.Occlusion = false
	s, _ = apptest.Step(s, core.CommandChosen{ID: "picture.cover"})
	v := picture.ViewOf(s)
	require.True(t, v.Cover.Lit)
	require.True(t, v.Layers.Occlusion)
	require.Equal(t, 3, v.Selected, "the overlay is selected")
	require.Equal(t, []snapshot.Box{{10, 60, 60, 20}}, v.Found.Boxes, "what it covers is lit")

	dark, _ := apptest.Step(s, core.Escaped{})
	require.False(t, picture.ViewOf(dark).Cover.Lit)
	require.NotEmpty(t, picture.ViewOf(dark).Cover.Text, "Esc ends the light and keeps the notice")

	s, _ = apptest.Step(s, picture.CoverClosed{})
	require.Zero(t, picture.ViewOf(s).Cover)
	require.Nil(t, picture.ViewOf(s).Found)
	next := *s.Shown
	next.N++
	s.Shown = &next
	s, _ = apptest.Step(s, core.Hovered{})
	require.Zero(t, picture.ViewOf(s).Cover, "the same overlay stays silent on the next turn")
}
