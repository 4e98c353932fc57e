package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// EvalInWorld evaluates in the isolated world of that name, which is made where the frame has none.
func EvalInWorld(ctx context.Context, s *Session, frame, name, expression string) (string, error) {
	res, err := cdp.Call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: cdp.FrameID(frame),
		WorldName: name})
	if err != nil {
		return "", err
	}
	return s.text(ctx, world{id: res.ExecutionContextID}, frame, expression, false)
}

// RefusedError is the error of a gateway that let nobody in.
type RefusedError = refusedError

// FramesOf are the frames of frame elements as [Realm.Describe] asks for them where the description itself names none.
func FramesOf(ctx context.Context, r *Realm, elements ...int64) ([]string, error) {
	facts := make([]NodeFacts, len(elements))
	for i, n := range elements {
		facts[i] = NodeFacts{Node: n, holds: true}
	}
	err := r.frames(ctx, facts)
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = f.Frame
	}
	return out, err
}
