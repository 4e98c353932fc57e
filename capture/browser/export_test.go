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
	return s.text(ctx, world{id: res.ExecutionContextID}, frame, expression)
}

// RefusedError is the error of a gateway that let nobody in.
type RefusedError = refusedError
