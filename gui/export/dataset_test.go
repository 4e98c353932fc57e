package export_test

import (
	"context"
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot"
)

// work does the effects that are work without an engine, and gives their answers to the state.
func work(t *testing.T, s core.State, effects []core.Effect) core.State {
	t.Helper()
	for _, e := range effects {
		if w, ok := e.(core.Work); ok {
			if m := w.Do(context.Background(), nil); m != nil {
				s, _ = apptest.Step(s, m)
			}
		}
	}
	return s
}

// labelled is a state with a turn in view of which everything can be clicked.
func labelled(t *testing.T) core.State {
	t.Helper()
	s := apptest.Captured(t)
	turn, c := *s.Current, *s.Current.Capture
	c.Nodes = slices.Clone(c.Nodes)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		x, y := n.Box.Center()
		n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{x, y}}
	}
	turn.Capture, turn.Image = &c, image.NewRGBA(s.Current.Image.Rect)
	for i := range turn.Image.Pix { // stripes, so that no box is blank
		if turn.Image.Pix[i] = uint8(i / 64 % 2 * 200); i%4 == 3 {
			turn.Image.Pix[i] = 255
		}
	}
	s.Current = &turn
	return s
}

// The dialog shows ten examples of the turn in view and what is left out, for each choice anew, and asks for a folder.
func TestDatasetDialog(t *testing.T) {
	s, _ := apptest.Step(apptest.Blank(), core.CommandChosen{ID: export.CmdDataset})
	require.Empty(t, s.Dialog, "there is nothing to export yet")

	s, effects := apptest.Step(labelled(t), core.CommandChosen{ID: export.CmdDataset})
	require.Equal(t, export.DialogDataset, s.Dialog)
	require.Nil(t, export.PreviewOf(s))
	_, again := apptest.Step(s, core.Hovered{})
	require.Empty(t, again, "it is asked for once")
	s = work(t, s, effects)
	p := export.PreviewOf(s)
	require.NotNil(t, p)
	require.NotZero(t, p.Counts.Examples)
	require.Len(t, p.Examples, min(10, p.Counts.Examples))
	require.Equal(t, "click the ", p.Examples[0].Words[:10])
	require.NotEmpty(t, p.Summary())

	choice := export.Of(s).Set
	choice.Shape = dataset.COCO
	s, effects = apptest.Step(s, export.SetChanged(choice))
	require.Nil(t, export.PreviewOf(s), "that of other choices is not shown")
	s = work(t, s, effects)
	require.GreaterOrEqual(t, export.PreviewOf(s).Counts.Examples, p.Counts.Examples, "boxes of what cannot be operated too")
	wrong := choice
	wrong.Shape = "voc"
	s, _ = apptest.Step(s, export.SetChanged(wrong))
	require.Equal(t, dataset.COCO, export.Of(s).Set.Shape)

	s, effects = apptest.Step(s, export.SetConfirmed())
	require.Empty(t, s.Dialog)
	e := export.Export{Kind: export.ExportDataset, Set: choice}
	require.Equal(t, []core.Effect{export.AskPath{Export: e, Name: "window-dataset", Folder: true}}, effects)
	s, effects = apptest.Step(s, export.Placed{Export: e, Path: "/out/set"})
	written := effects[0].(export.WriteExport)
	require.Equal(t, "/out/set", written.Path)
	s, _ = apptest.Step(s, export.Exported{Task: written.Task, Export: e, Paths: []string{"/out/set"},
		Counts: dataset.Counts{Examples: 1200, Pictures: 12, Duplicates: 2}})
	require.Equal(t, "Wrote a data set of 1,200 examples in 12 pictures to /out/set; 2 pictures left out as near duplicates.",
		s.Notice.Text)
	require.Equal(t, "/out/set", export.Of(s).Folder)
}

// The picture pane shows the boxes as they are exported, px for px, until they are switched off.
func TestDatasetBoxesOnThePicture(t *testing.T) {
	s := labelled(t)
	require.Nil(t, picture.ViewOf(s).Found)
	s, effects := apptest.Step(s, core.CommandChosen{ID: "view.dataset"})
	s = work(t, s, effects)
	found := picture.ViewOf(s).Found
	require.NotNil(t, found)
	o := export.Of(s).Set.Options()
	want := map[[4]float64]bool{}
	for _, e := range dataset.Label(s.Current.Capture, dataset.Scene(s.Current.Capture, s.Current.Image.Rect.Size(), o), s.Current.Image, o) {
		if e.Status == dataset.Visible && len(e.Phrases) > 0 {
			want[[4]float64{float64(e.Box[0]), float64(e.Box[1]), float64(e.Box[2]), float64(e.Box[3])}] = true
		}
	}
	got := map[[4]float64]bool{}
	for _, b := range found.Boxes {
		got[b] = true
	}
	require.Equal(t, want, got)
	v := picture.ViewOf(s)
	require.Equal(t, overlay.Layers{Picture: true}, v.Layers, "in place of the marks")
	require.Contains(t, v.Badge, "of the data set, as exported")
	require.True(t, picture.Tools(s).Replaced)
	s, _ = apptest.Step(s, core.CommandChosen{ID: "view.dataset"})
	require.Nil(t, picture.ViewOf(s).Found)

	// From the dialog, which would lie over them; Esc brings the marks back.
	s, _ = apptest.Step(s, core.CommandChosen{ID: export.CmdDataset}, core.CommandChosen{ID: "view.dataset"})
	require.Empty(t, s.Dialog)
	require.Equal(t, found, picture.ViewOf(s).Found)
	s, _ = apptest.Step(s, core.Escaped{})
	require.Nil(t, picture.ViewOf(s).Found)
	require.True(t, picture.ViewOf(s).Layers.Boxes)
	require.False(t, picture.Tools(s).Replaced)
}

// What a shape has no place for is left out, whatever was ticked before.
func TestChoicesOfASet(t *testing.T) {
	for _, shape := range dataset.Shapes() {
		o := export.SetChoice{Shape: shape, Negatives: true, Splits: true, All: true, Model: "gpt-4o"}.Options()
		require.NoError(t, o.Check(), shape)
		require.Equal(t, shape == dataset.SoM, o.Marked)
	}
}
