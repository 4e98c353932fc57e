package picture

import (
	"context"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay"
)

// The labels of a picture are placed for the zoom at hand, beside the frames: while that
// runs, a frame shows the labels of another zoom that are unmistakable.

// ArrangeAsked: the picture pane shows a scene at a zoom for which its labels are not placed.
type ArrangeAsked struct {
	Scene  *overlay.Scene
	Camera overlay.Camera
}

// Arrange places the labels of a scene for a zoom; [Arranged] answers.
type Arrange ArrangeAsked

// Arranged answers [Arrange].
type Arranged ArrangeAsked

func (m ArrangeAsked) Apply(s core.State) (core.State, []core.Effect) {
	a := &edit(&s).arranging
	switch {
	case m.Scene == nil || m == a.running:
		return s, nil
	case a.running.Scene != nil:
		a.next = m
		return s, nil
	}
	a.running = m
	return s, []core.Effect{Arrange(m)}
}

// Do implements [core.Work].
func (e Arrange) Do(context.Context, *core.Worker) core.Msg {
	e.Scene.Arrange(e.Camera)
	return Arranged(e)
}

func (m Arranged) Apply(s core.State) (core.State, []core.Effect) {
	a := &edit(&s).arranging
	next := a.next
	a.running, a.next = ArrangeAsked{}, ArrangeAsked{}
	a.done++
	return next.Apply(s)
}
