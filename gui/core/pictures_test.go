package core

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay"
)

func TestPicturesModes(t *testing.T) {
	s := changed(t)
	s, effects := step(s, CommandChosen{CmdPictures})
	require.Equal(t, PicturesSlider, s.Pictures.Mode)
	require.Equal(t, ComparePictures{s.Before, s.Shown}, effects[0])
	require.Equal(t, "Comparing…", s.PicturesRow().Facts)
	require.Equal(t, 0.5, s.Shot().Pair.Share)
	d := &PictureDiff{N: 2, From: 1, Difference: &overlay.Difference{Size: image.Pt(10, 10), Before: image.Pt(10, 8), After: image.Pt(10, 10), Changed: 20, Boxes: []image.Rectangle{image.Rect(0, 8, 10, 10)}}}
	late, _ := step(s, PicturesCompared{&PictureDiff{N: 2, From: 7, Difference: d.Difference}})
	require.Nil(t, late.Pictures.Diff, "of other turns")
	s, _ = step(s, PicturesCompared{d})
	row := s.PicturesRow()
	require.Equal(t, "turn 1 → 2: 20 px changed (20 %) in 1 place", row.Facts)
	require.Equal(t, "other size: 10 × 8 → 10 × 10, aligned at the top left", row.Warn)

	s, _ = step(s, CommandChosen{"pictures.more"}, PicturesMoved{math.NaN()})
	require.InDelta(t, 0.55, s.Pictures.Split, 1e-9)
	s, _ = step(s, PicturesMoved{7})
	require.Equal(t, 1.0, s.Pictures.Split)
	s, effects = step(s, ChangedPlace{1})
	require.Equal(t, []Effect{LookAt{0, 8, 10, 2}}, effects)
	require.Contains(t, s.PicturesRow().Facts, "place 1")
	s, _ = step(s, ChangedPlace{1})
	require.Equal(t, 1, s.Pictures.Box, "after the last comes the first")

	for _, want := range []PicturesMode{PicturesBeside, PicturesOnion, PicturesPixels, PicturesOff} {
		s, effects = step(s, CommandChosen{CmdPictures})
		require.Equal(t, want, s.Pictures.Mode)
		require.Empty(t, effects, "what differs is known")
	}
	require.Zero(t, s.Shot().Pair)
	s, _ = step(s, PicturesChosen{"no such"})
	require.Equal(t, PicturesOff, s.Pictures.Mode)
	s, _ = step(s, PicturesChosen{PicturesOnion}, Escaped{})
	require.Equal(t, PicturesOff, s.Pictures.Mode, "Esc leaves it")
}

func TestChangeGroups(t *testing.T) {
	s := changed(t)
	s, _ = step(s, SideChosen{SideChanges})
	v := s.ChangesSide()
	require.Equal(t, ChangeChip{"", "all", true}, v.Chips[0])
	require.Equal(t, []ChangeGroup{"", "added", "removed", "renamed"}, groupsOf(v.Chips))
	s, _ = step(s, ChangeGroupChosen{"removed"})
	require.Len(t, s.ChangesSide().Left.Doc.Lines, 1)
	gone := s.ChangesSide().Left.Doc.Lines[0].Ref
	s, _ = step(s, ChangePicked{gone})
	require.True(t, s.Back, "what is gone is shown where it was")
	s, _ = step(s, ChangeGroupChosen{"removed"})
	require.Empty(t, s.ChangesPane.Group, "the chip in view shows all again")
	s, _ = step(s, ChangeGroupChosen{"covered"})
	require.Contains(t, s.ChangesSide().Left.Empty, "Nothing of this turn is covered")

	s, effects := step(s, ChangesViewChosen{ChangesUnified})
	ask := effects[0].(DiffTexts)
	require.Equal(t, "Comparing the texts…", s.ChangesSide().Left.Empty)
	s, _ = step(s, TextsCompared{&TextChanges{N: 9, From: 1, Format: ask.Format}})
	require.Nil(t, s.ChangesPane.Text, "of another turn")
	s, _ = step(s, TextsCompared{&TextChanges{N: 2, From: 1, Format: ask.Format}})
	require.Equal(t, "The "+string(ask.Format)+" texts of turns 1 and 2 are the same.", s.ChangesSide().Left.Empty)
}

func groupsOf(chips []ChangeChip) []ChangeGroup {
	var out []ChangeGroup
	for _, c := range chips {
		out = append(out, c.Group)
	}
	return out
}
