package core

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/dump"
)

func TestPrefsComeBack(t *testing.T) {
	s, _ := step(blank(), LookChosen{LookContrast}, Scaled{1}, Scaled{1}, FormatChosen{"semantic"}, SideChosen{SideChanges},
		LayerToggled{LayerLabels}, PartToggled{PartTurns}, PartToggled{PartDetails})
	p := s.Prefs()
	again := New(Rooms(), p, "", image.Pt(1280, 720), []dump.Format{"dddk", "semantic"}, nil, nil)
	require.Equal(t, p, again.Prefs())
	require.Equal(t, LookContrast, again.Look)
	require.InDelta(t, 1.2, again.Scale, 1e-9)
	require.Equal(t, Hidden{Turns: true, Details: true}, again.Hidden)
	require.False(t, again.Layers.Labels)
	require.Equal(t, SideChanges, again.Side)

	// What is not known any more is left as it is.
	odd := New(Rooms(), Prefs{Look: "purple", Scale: 9, Format: "gone", Side: "side.gone"}, "", image.Pt(1280, 720), []dump.Format{"dddk"}, nil, nil)
	require.Equal(t, LookDark, odd.Look)
	require.InDelta(t, MaxScale, odd.Scale, 1e-9)
	require.Equal(t, dump.Format("dddk"), odd.Format)
	require.Equal(t, SideText, odd.Side)
}

func TestScaleStaysOnItsSteps(t *testing.T) {
	s := blank()
	for range 20 {
		s, _ = step(s, Scaled{1})
	}
	require.InDelta(t, MaxScale, s.Scale, 1e-9)
	for range 20 {
		s, _ = step(s, Scaled{-1})
	}
	require.InDelta(t, MinScale, s.Scale, 1e-9)
	s, _ = step(s, Scaled{0})
	require.Equal(t, 1.0, s.Scale)
}

func TestColoursGoRound(t *testing.T) {
	s := blank()
	for range Looks() {
		s, _ = step(s, ThemeToggled{})
	}
	require.Equal(t, LookDark, s.Look)
	s, _ = step(s, LookChosen{"purple"})
	require.Equal(t, LookDark, s.Look)
}

func TestPalette(t *testing.T) {
	s, _ := step(captured(t), CommandChosen{CmdPalette})
	require.Equal(t, DialogPalette, s.Dialog)
	rows := s.CommandRows("export aria")
	require.Empty(t, rows, "this window has no aria")
	rows = s.CommandRows("semantic TEXT")
	require.Equal(t, "format.semantic", rows[0].ID)
	require.Equal(t, "Text", rows[0].Menu)
	for _, r := range s.CommandRows("") {
		require.NotEqual(t, CmdPalette, r.ID)
	}
	seen := false
	for _, r := range s.CommandRows("") {
		require.False(t, r.Enabled && seen, "%s can be run and stands below one that cannot", r.ID)
		seen = seen || !r.Enabled
	}
	s, effects := step(s, PaletteChosen{"zoom.fit"})
	require.Equal(t, []Effect{ZoomTo{ZoomFit}}, effects)
	require.Empty(t, s.Dialog)
	require.Equal(t, "zoom.fit", s.CommandRows("")[0].ID, "the last one comes first")
	_, effects = step(s, PaletteChosen{"zoom.fit"})
	require.Empty(t, effects, "the list is closed")
}
