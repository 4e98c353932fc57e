package core_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestPrefsComeBack(t *testing.T) {
	s, _ := apptest.Step(apptest.Blank(), core.LookChosen{Look: core.LookContrast}, core.Scaled(1),
		core.Scaled(1), core.FormatChosen{Format: "semantic"}, core.SideChosen(changes.Side),
		picture.LayerToggled(picture.LayerLabels), core.PartToggled(core.PartTurns),
		core.PartToggled(core.PartDetails))
	p := s.Prefs()
	again := core.New(app.Rooms(), p, "", image.Pt(1280, 720), []dump.Format{"dddk", "semantic"}, nil, nil)
	require.Equal(t, p, again.Prefs())
	require.Equal(t, core.LookContrast, again.Look)
	require.InDelta(t, 1.2, again.Scale, 1e-9)
	require.Equal(t, core.Hidden{Turns: true, Details: true}, again.Hidden)
	require.False(t, again.Layers.Labels)
	require.Equal(t, changes.Side, again.Side)

	// What is not known any more is left as it is.
	odd := core.New(app.Rooms(), core.Prefs{Look: "purple", Scale: 9, Format: "gone", Side: "side.gone"}, "",
		image.Pt(1280, 720), []dump.Format{"dddk"}, nil, nil)
	require.Equal(t, core.LookDark, odd.Look)
	require.InDelta(t, core.MaxScale, odd.Scale, 1e-9)
	require.Equal(t, dump.Format("dddk"), odd.Format)
	require.Equal(t, core.SideText, odd.Side)
}

func TestScaleStaysOnItsSteps(t *testing.T) {
	s := apptest.Blank()
	for range 20 {
		s, _ = apptest.Step(s, core.Scaled(1))
	}
	require.InDelta(t, core.MaxScale, s.Scale, 1e-9)
	for range 20 {
		s, _ = apptest.Step(s, core.Scaled(-1))
	}
	require.InDelta(t, core.MinScale, s.Scale, 1e-9)
	s, _ = apptest.Step(s, core.Scaled(0))
	require.Equal(t, 1.0, s.Scale)
}

func TestColoursGoRound(t *testing.T) {
	s := apptest.Blank()
	for range core.Looks() {
		s, _ = apptest.Step(s, core.ThemeToggled())
	}
	require.Equal(t, core.LookDark, s.Look)
	s, _ = apptest.Step(s, core.LookChosen{Look: "purple"})
	require.Equal(t, core.LookDark, s.Look)
}

func TestPalette(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: core.CmdPalette})
	require.Equal(t, palette.Dialog, s.Dialog)
	rows := palette.Rows(s, "export aria")
	require.Empty(t, rows, "this window has no aria")
	rows = palette.Rows(s, "semantic TEXT")
	require.Equal(t, "format.semantic", rows[0].ID)
	require.Equal(t, "Text", rows[0].Menu)
	for _, r := range palette.Rows(s, "") {
		require.NotEqual(t, core.CmdPalette, r.ID)
	}
	seen := false
	for _, r := range palette.Rows(s, "") {
		require.False(t, r.Enabled && seen, "%s can be run and stands below one that cannot", r.ID)
		seen = seen || !r.Enabled
	}
	s, effects := apptest.Step(s, palette.Chosen("zoom.fit"))
	require.Equal(t, []core.Effect{picture.ZoomTo{Zoom: picture.ZoomFit}}, effects)
	require.Empty(t, s.Dialog)
	require.Equal(t, "zoom.fit", palette.Rows(s, "")[0].ID, "the last one comes first")
	_, effects = apptest.Step(s, palette.Chosen("zoom.fit"))
	require.Empty(t, effects, "the list is closed")
}

// TestWhyACommandCannotBeRun: a greyed row of the palette says what keeps it from being run, where that is sure.
func TestWhyACommandCannotBeRun(t *testing.T) {
	why := func(s core.State, typed string) string { return palette.Rows(s, typed)[0].Why }
	s := apptest.Captured(t)
	s.Browser.Phase = core.PhaseReady
	require.Empty(t, why(s, "reload"))
	s.StartTask(core.TaskCapture, "Capturing the page")
	require.Equal(t, "waits: Capturing the page", why(s, "reload"))
	s.Tasks, s.Browser.Phase = nil, core.PhaseGone
	require.Equal(t, "Chrome is not running", why(s, "reload"))
	require.Empty(t, why(apptest.Blank(), "export"), "that there is no turn yet is not guessed")
}
