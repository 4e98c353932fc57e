package picture_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/overlay"
)

func TestPicturesModes(t *testing.T) {
	s := apptest.Changed(t)
	s, effects := apptest.Step(s, core.CommandChosen{ID: picture.CmdPictures})
	require.Equal(t, picture.PicturesSlider, picture.Of(s).Compare.Mode)
	require.Equal(t, picture.ComparePictures{Before: s.Previous, Turn: s.Current}, effects[0])
	require.Equal(t, "Comparing…", picture.PicturesRow(s).Facts)
	require.Equal(t, 0.5, picture.ViewOf(s).Pair.Share)
	d := &picture.PictureDiff{N: 2, From: 1, Difference: &overlay.Difference{Size: image.Pt(10, 10),
		Before: image.Pt(10, 8), After: image.Pt(10, 10), Changed: 20, Boxes: []image.Rectangle{image.Rect(0, 8, 10,
			10)}}}
	late, _ := apptest.Step(s,
		picture.PicturesCompared(&picture.PictureDiff{N: 2, From: 7, Difference: d.Difference}))
	require.Nil(t, picture.Of(late).Compare.Diff, "of other turns")
	s, _ = apptest.Step(s, picture.PicturesCompared(d))
	row := picture.PicturesRow(s)
	require.Equal(t, "turns 1 and 2: 20 px changed (20 %) in 1 area", row.Facts)
	require.Equal(t, "other size: 10 × 8, then 10 × 10, aligned at the top left", row.Warn)

	s, _ = apptest.Step(s, core.CommandChosen{ID: "pictures.more"}, picture.PicturesMoved(math.NaN()))
	require.InDelta(t, 0.55, picture.Of(s).Compare.Split, 1e-9)
	s, _ = apptest.Step(s, picture.PicturesMoved(7))
	require.Equal(t, 1.0, picture.Of(s).Compare.Split)
	s, effects = apptest.Step(s, picture.ChangedPlace(1))
	require.Equal(t, []core.Effect{picture.ShowPlace{X: 0, Y: 8, W: 10, H: 2}}, effects)
	require.Contains(t, picture.PicturesRow(s).Facts, "area 1")
	s, _ = apptest.Step(s, picture.ChangedPlace(1))
	require.Equal(t, 1, picture.Of(s).Compare.Box, "after the last comes the first")

	for _, want := range []picture.PicturesMode{picture.PicturesBeside, picture.PicturesOnion, picture.PicturesPixels,
		picture.PicturesOff} {
		s, effects = apptest.Step(s, core.CommandChosen{ID: picture.CmdPictures})
		require.Equal(t, want, picture.Of(s).Compare.Mode)
		require.Empty(t, effects, "what differs is known")
	}
	require.Zero(t, picture.ViewOf(s).Pair)
	s, _ = apptest.Step(s, picture.PicturesChosen("no such"))
	require.Equal(t, picture.PicturesOff, picture.Of(s).Compare.Mode)
	s, _ = apptest.Step(s, picture.PicturesChosen(picture.PicturesOnion), core.Escaped{})
	require.Equal(t, picture.PicturesOff, picture.Of(s).Compare.Mode, "Esc leaves it")
}

func TestChangeGroups(t *testing.T) {
	s := apptest.Changed(t)
	s, _ = apptest.Step(s, core.SideChosen(changes.Side))
	v := changes.ViewOf(s)
	require.Equal(t, changes.Chip{Group: "", Text: "All", On: true}, v.Chips[0])
	require.Equal(t, []core.ChangeGroup{"", "added", "removed", "renamed"}, groupsOf(v.Chips))
	s, _ = apptest.Step(s, changes.GroupChosen("removed"))
	rows := changes.ViewOf(s).List.Rows.List
	require.Len(t, rows, 2, "a heading and the element")
	s, _ = apptest.Step(s, rows[1].Pick)
	require.True(t, s.ShowPrevious, "what is gone is shown where it was")
	s, _ = apptest.Step(s, changes.GroupChosen("removed"))
	require.Empty(t, changes.Of(s).Group, "the chip in view shows all again")
	s, _ = apptest.Step(s, changes.GroupChosen("covered"))
	require.Contains(t, changes.ViewOf(s).List.Empty, "No element of this turn was covered")

	s, effects := apptest.Step(s, changes.ModeChosen(changes.Unified))
	ask := effects[0].(changes.DiffTexts)
	require.Equal(t, "Comparing the texts…", changes.ViewOf(s).Left.Empty)
	s, _ = apptest.Step(s, changes.TextsCompared(&changes.TextChanges{N: 9, From: 1, Format: ask.Format}))
	require.Nil(t, changes.Of(s).Text, "of another turn")
	s, _ = apptest.Step(s, changes.TextsCompared(&changes.TextChanges{N: 2, From: 1, Format: ask.Format}))
	require.Equal(t, "The "+string(ask.Format)+" texts of turns 1 and 2 are the same.", changes.ViewOf(s).Left.Empty)
}

func groupsOf(chips []changes.Chip) []core.ChangeGroup {
	var out []core.ChangeGroup
	for _, c := range chips {
		out = append(out, c.Group)
	}
	return out
}
