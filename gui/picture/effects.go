package picture

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/treemap"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/tokenmap"
)

// Do implements [core.Work]: it finds which pixels differ.
func (e comparePictures) Do(context.Context, *core.Worker) core.Msg {
	d := &PictureDiff{N: e.Turn.N, From: e.Before.N}
	for _, t := range []*core.Turn{e.Before, e.Turn} {
		if t.Image == nil {
			d.Problem = &core.Problem{Sentence: fmt.Sprintf("Turn %d has no picture, so there is nothing to compare.",
				t.N)}
			return picturesCompared(d)
		}
	}
	d.Difference = overlay.NewDifference(e.Before.Image, e.Turn.Image)
	d.Pyramid = overlay.NewPyramid(d.Difference.Picture)
	return picturesCompared(d)
}

// Do implements [core.Work]: it places all labels again.
func (e Rescope) Do(context.Context, *core.Worker) core.Msg { return Rescoped{e, e.scene()} }

// Do implements [core.Work]: it draws what the text of a turn costs on its picture.
func (e MapCosts) Do(_ context.Context, w *core.Worker) core.Msg {
	m := CostsMapped{Asked: e}
	fail := func(err error) core.Msg {
		m.Problem = w.Problem("token map", fmt.Errorf("the token map of turn %d cannot be drawn: %w", e.Turn.N, err))
		return m
	}
	d, err := format.Render(e.Turn.Capture, e.Format, format.Options{})
	if err != nil {
		return fail(err)
	}
	costs := tokenmap.Build(e.Turn.Capture, d, w.Counter)
	drawn, err := treemap.New(e.Turn.Capture, costs, e.Turn.Image.Bounds().Size())
	if err != nil {
		return fail(err)
	}
	m.Picture, m.Tokens = overlay.NewPyramid(drawn.Draw(e.Turn.Image)), costs.Whole.Tokens
	return m
}
