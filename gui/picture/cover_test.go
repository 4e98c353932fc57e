package picture_test

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
	look "github.com/refscope/refscope/gui/theme"
	"github.com/refscope/refscope/snapshot"
)

// underBanner has a turn in view whose button is under a cookie banner.
func underBanner(t *testing.T) core.State {
	s := apptest.Captured(t)
	s.Current.Capture.Page.Overlays = []snapshot.Overlay{{Node: 3, Kind: "cookie_banner", Share: 0.36}}
	again := *s.Current
	s.Current = &again
	s, _ = apptest.Step(s, core.Hovered{})
	return s
}

func TestCoverNotice(t *testing.T) {
	plain, _ := apptest.Step(apptest.Captured(t), core.Hovered{})
	require.Zero(t, picture.ViewOf(plain).Cover, "nothing covers the page")

	s := underBanner(t)
	require.Equal(t, picture.CoverVM{Text: "Cookie banner covers 36 % of the view and 1 control."},
		picture.ViewOf(s).Cover)
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

	s, _ = apptest.Step(s, picture.CoverClosed())
	require.Zero(t, picture.ViewOf(s).Cover)
	require.Nil(t, picture.ViewOf(s).Found)
	next := *s.Current
	next.N++
	s.Current = &next
	s, _ = apptest.Step(s, core.Hovered{})
	require.Zero(t, picture.ViewOf(s).Cover, "the same overlay stays silent on the next turn")
}

// TestTheNoticeIsCutInANarrowWindow, and says so.
func TestTheNoticeIsCutInANarrowWindow(t *testing.T) {
	test.NewTempApp(t)
	strip := picture.NewCoverStrip(func() {}, func() {})
	test.NewTempWindow(t, strip.Box).SetPadded(false)
	strip.Set(picture.CoverVM{Text: "Cookie banner covers 8 % of the view.", Advice: "Press 85 button “Only essential” first."})
	words := func(width float32) string {
		strip.Box.Resize(fyne.NewSize(width, 300))
		for _, o := range strip.Box.Objects {
			if rich, ok := o.(*widget.RichText); ok {
				return rich.String()
			}
		}
		return ""
	}
	require.Contains(t, words(1200), "“Only essential” first.")
	require.Regexp(t, "  Press 85 .*…$", words(580))
	require.Regexp(t, "^Cookie banner [a-z0-9 %]*…$", words(330), "what covers does not lie under the button")
	require.Contains(t, words(1200), "“Only essential” first.")
}

// TestClicksOnTheCoverStrip end at the strip, and do not choose what lies below it.
func TestClicksOnTheCoverStrip(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(look.New(look.Dark))
	taken := 0
	below := widget.NewButton("below", func() { taken++ })
	strip := picture.NewCoverStrip(func() {}, func() {})
	w := app.NewWindow("strip")
	w.SetContent(container.NewStack(below, strip.Box))
	w.Resize(fyne.NewSize(600, 200))
	strip.Set(picture.CoverVM{Text: "Cookie banner covers 12 % of the view."})
	test.TapCanvas(w.Canvas(), fyne.NewPos(60, 14))
	require.Zero(t, taken)
	test.TapCanvas(w.Canvas(), fyne.NewPos(60, 100))
	require.Equal(t, 1, taken)
}
