// Package request is the room of what a model was sent at the turn in view: the report that
// package doctor makes of the request that is stored with it. The room has no view of its own;
// the sides Payload and Findings and the picture show what it knows.
//
// The report is asked for when a turn with a request comes into view. Start with [Of]: its
// Report is nil until it is there, and for a turn without a request.
package request

import (
	"context"
	"slices"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Model is the request of one turn. What its pointers point to is immutable.
type Model struct {
	// Turn is the one that was asked about.
	Turn   *core.Turn
	Report *doctor.Report
	// Asked: the report is on its way.
	Asked bool
	// Stored is the place of the request in the turn's stored payloads, from 1.
	Stored int
	// Sent is the newest text of the page in the request, each line with its element; nil for none.
	Sent *core.Doc
	// Refs are the agent's own numbers of the elements that the text lists, nil without one.
	Refs *Refs
	// Points are where the answer's actions mean, nil for nowhere.
	Points *core.ActionPoints
}

// Engine examines requests.
type Engine interface {
	// Examine examines the request of a turn of the session in use, as the next one after those
	// before it; nil where it holds none.
	Examine(ctx context.Context, n int) (*doctor.Report, error)
}

// Examine examines the request of a turn. [examined] answers.
type Examine struct{ Turn *core.Turn }

// examined answers [Examine].
type examined struct {
	Turn   *core.Turn
	Report *doctor.Report
	Sent   *core.Doc
	Refs   *Refs
	Points *core.ActionPoints
}

// Pause implements [core.LatestWork]: who leafs through turns waits for none of them.
func (Examine) Pause() time.Duration { return 80 * time.Millisecond }

// Do implements [core.Work]. A request that cannot be read has no report; its bytes are shown.
func (e Examine) Do(ctx context.Context, w *core.Worker) core.Msg {
	r, err := core.EngineOf[Engine](w).Examine(ctx, e.Turn.N)
	if err != nil {
		if ctx.Err() == nil {
			w.Log.Warn("the request cannot be examined", "turn", e.Turn.N, "error", err)
		}
		return examined{Turn: e.Turn}
	}
	if r == nil {
		return examined{Turn: e.Turn}
	}
	return examined{e.Turn, r, sentDoc(e.Turn, r, w.Counter.Count), refsOf(e.Turn, r), Points(e.Turn, r.Targets, "answer: ")}
}

func (m examined) Apply(s core.State) (core.State, []core.Effect) {
	if model := edit(&s); model.Turn == m.Turn {
		model.Report, model.Sent, model.Refs, model.Points, model.Asked = m.Report, m.Sent, m.Refs, m.Points, false
	}
	return s, nil
}

// fill asks about the turn in view.
func fill(s core.State) (core.State, []core.Effect) {
	if s.Shown == nil || Of(s).Turn == s.Shown {
		return s, nil
	}
	*edit(&s) = Model{Turn: s.Shown, Stored: 1 + slices.IndexFunc(s.Shown.Stored, func(p turn.Payload) bool {
		return p.Way == turn.Request && doctor.Readable(p.Dialect)
	})}
	if Of(s).Stored == 0 {
		return s, nil
	}
	edit(&s).Asked = true
	return s, []core.Effect{Examine{s.Shown}}
}

// Room is the request of the turn in view.
func Room() core.Room {
	return core.Room{Name: "request", Fill: fill, Left: func(s core.State) (core.State, []core.Effect) {
		*edit(&s) = Model{}
		return s, nil
	}}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

// Format names the text as it was sent among the texts of a turn.
const Format dump.Format = "as sent"

// sentDoc is the newest text of a request that lists elements, nil where there is none. Its document is of the format
// that the text is written in, by which it is coloured.
func sentDoc(t *core.Turn, r *doctor.Report, count func(string) int) *core.Doc {
	if len(r.Texts) == 0 {
		return nil
	}
	listed := r.Texts[len(r.Texts)-1]
	d := core.PlainDoc(colouredAs(listed.Format), text.Visible(listed.Body()))
	for _, l := range listed.Lines {
		n := t.Capture.Node(l.Node)
		for i := l.First - 1; n != nil && i >= 0 && i < min(l.Last, len(d.Lines)); i++ {
			d.Lines[i].Node, d.Lines[i].Ref = n.I, n.Ref
		}
	}
	out := core.NewDoc(t.Capture, d, count)
	out.Format = Format
	return &out
}

// Refs are an agent's own numbers of elements, by ours. They are immutable.
type Refs struct {
	of    map[int]string
	nodes map[int]string // by the element's place in the capture
}

// Of is the agent's own number of the element with a ref of ours, "" where it was told of none. nil knows none.
func (r *Refs) Of(ref int) string {
	if r == nil {
		return ""
	}
	return r.of[ref]
}

// OfNode is that of an element by its place in the capture.
func (r *Refs) OfNode(node int) string {
	if r == nil {
		return ""
	}
	return r.nodes[node]
}

// refsOf are the numbers of the newest text of a request, nil where it has none.
func refsOf(t *core.Turn, r *doctor.Report) *Refs {
	if len(r.Texts) == 0 {
		return nil
	}
	out := &Refs{map[int]string{}, map[int]string{}}
	for _, l := range r.Texts[len(r.Texts)-1].Lines {
		n := t.Capture.Node(l.Node)
		if n == nil || l.Ref == "" || out.nodes[n.I] != "" {
			continue
		}
		label := text.Cut(text.Line(l.Ref), 12)
		if out.nodes[n.I] = label; n.Ref > 0 {
			out.of[n.Ref] = label
		}
	}
	if len(out.nodes) == 0 {
		return nil
	}
	return out
}

// colouredAs is the format of ours by whose rules a text of an agent is coloured.
func colouredAs(name observation.Format) dump.Format {
	switch name {
	case observation.DDDK, observation.BrowserUse, observation.HTML, observation.Skyvern:
		return format.DDDK
	case observation.WraithJSON, observation.DomTool, observation.AgentE:
		return core.FormatPretty
	}
	return format.Aria
}

// maxPoints bounds the points on a picture.
const maxPoints = 24

// Points are the places on the picture that actions mean, nil for none; lead begins the label of
// each.
func Points(t *core.Turn, targets []doctor.Target, lead string) *core.ActionPoints {
	out := &core.ActionPoints{After: true}
	sx, sy := t.Scale()
	for i := range targets {
		at, ok := placeOf(t.Capture, &targets[i])
		if ok && len(out.Points) < maxPoints {
			out.Points = append(out.Points, core.ActionPoint{X: at[0] * sx, Y: at[1] * sy,
				Label: text.Cut(text.Line(lead+targets[i].Verb), 32)})
		}
	}
	if len(out.Points) == 0 {
		return nil
	}
	return out
}

// placeOf is where an action means, CSS px of the viewport: its point, or that of its element.
func placeOf(c *snapshot.Capture, t *doctor.Target) ([2]float64, bool) {
	if t.CSS != nil {
		return *t.CSS, true
	}
	n := c.Node(t.Node)
	if n == nil || !n.InViewport {
		return [2]float64{}, false
	}
	if n.Occlusion != nil {
		return n.Occlusion.Click, true
	}
	x, y := n.VisibleBox().Center()
	return [2]float64{x, y}, true
}
