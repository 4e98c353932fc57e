package details

import (
	"context"
	"fmt"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
)

// Model is what is known about why the selected element is, or is not, in what the
// agent read (row N-2). It is requested whenever another element is selected, and is
// there some ms later: all formats are rendered for it, once for each turn.
type Model struct {
	// Turn and Node are what was asked about; a nil Turn is nothing.
	Turn *core.Turn
	Node int
	// Answer is nil until it is there, and if there is none; Problem is the reason.
	Answer  *Answer
	Problem *core.Problem
}

// Answer is an [Explain] answered. It is immutable.
type Answer struct {
	*why.Explanation
	// XPath leads to the element within its document, "" where no XPath does.
	XPath string
}

// Explain asks why the element of a turn is, or is not, in what the agent read, and for
// what the session knows of its number. The answer is [Explained].
type Explain struct {
	Turn *core.Turn
	Node int
	Ref  int // 0 for none
}

// Engine knows the numbers of the session in use.
type Engine interface {
	// Ledger is the session's ledger of ref numbers as it is now, nil where turns are
	// not kept.
	Ledger(ctx context.Context) (*turn.Ledger, error)
}

// Pause implements [core.LatestWork].
func (Explain) Pause() time.Duration { return 0 }

// Do implements [core.Work].
func (e Explain) Do(ctx context.Context, w *core.Worker) core.Msg {
	x, err := e.Turn.Explainer.Explain(e.Node)
	if err != nil {
		err = fmt.Errorf("element %d of turn %d cannot be explained: %w", e.Node, e.Turn.N, err)
		return Explained{Turn: e.Turn, Node: e.Node, Problem: w.Problem("why", err)}
	}
	if e.Ref > 0 {
		book, err := core.EngineOf[Engine](w).Ledger(ctx)
		if err != nil { // the rest of the answer is valid without it
			w.Log.Warn("the ledger cannot be read", "error", err)
		} else if book != nil {
			x.History = why.History(book, e.Ref)
		}
	}
	n := e.Turn.Capture.Node(e.Node)
	return Explained{Turn: e.Turn, Node: e.Node, Answer: &Answer{Explanation: x, XPath: XPath(e.Turn.Capture, n)}}
}

// Explained answers [Explain]: the model as it is to be, if the same is still asked about.
type Explained Model

func (m Explained) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Turn == m.Turn && Of(s).Node == m.Node {
		*edit(&s) = Model(m)
	}
	return s, nil
}

// fill asks about the selected element where it is another one. [core.Update] does so
// after every message, so no way of selecting can forget it.
func fill(s core.State) (core.State, []core.Effect) {
	t, n := s.Subject()
	if n == nil {
		if Of(s) != (Model{}) {
			*edit(&s) = Model{}
		}
		return s, nil
	}
	if Of(s).Turn == t && Of(s).Node == n.I {
		return s, nil
	}
	*edit(&s) = Model{Turn: t, Node: n.I}
	return s, []core.Effect{Explain{t, n.I, n.Ref}}
}

// Room is the pane about the selected element.
func Room() core.Room {
	return core.Room{Name: "details", AfterUpdate: fill}
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
