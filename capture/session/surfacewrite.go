package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/text"
)

// writeSurfaceJS gives the page its debug surface, unless it has one of its own. this is
// the page's window. The mark is hidden from loops over the members.
//
//go:embed debugsurface.js
var writeSurfaceJS string

// writeSurface gives the page window.__dddkDebug of this turn: the dddk dump, the
// messages with it, and the numbered elements of the main document. It changes the page.
// What it shows is redacted as everything is.
func writeSurface(ctx context.Context, tab *browser.Tab, shot *Shot) error {
	c := shot.Capture
	doc, err := format.Render(c, format.DDDK, format.Options{})
	if err != nil {
		return fmt.Errorf("the debug surface: %w", err)
	}
	body, err := payload.Build("dddk", payload.Input{Turn: shot.N, Capture: c, NoImage: true})
	if err != nil {
		return fmt.Errorf("the debug surface: %w", err)
	}
	const group = "refscope surface"
	s := tab.Session()
	defer func() {
		_ = s.Post(context.WithoutCancel(ctx), runtime.ReleaseObjectGroup.Method,
			runtime.ReleaseObjectGroupParams{ObjectGroup: group})
	}()
	var refs []int
	var nodes []int64
	for i := range c.Nodes {
		// An element of another document cannot be passed to this one's script.
		if n := &c.Nodes[i]; n.Verdict == snapshot.VerdictRef && n.Ref > 0 && n.Frame == 0 && n.BackendNodeID != 0 {
			refs, nodes = append(refs, n.Ref), append(nodes, n.BackendNodeID)
		}
	}
	at, err := json.Marshal(c.TakenAt)
	if err != nil {
		return fmt.Errorf("the debug surface: %w", err)
	}
	list, err := json.Marshal(refs)
	if err != nil {
		return fmt.Errorf("the debug surface: %w", err)
	}
	args := []*runtime.CallArgument{{Value: text.AppendJSON(nil, doc.Text)}, {Value: at},
		{Value: strconv.AppendInt(nil, int64(len(doc.Text)), 10)}, {Value: body.Body}, {Value: list}}
	args = append(args, resolveInPage(ctx, s, nodes, group)...)
	window, err := cdp.Call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: "window", ObjectGroup: group})
	if err != nil || window.Result == nil {
		return fmt.Errorf("the debug surface: the page's window cannot be reached: %w", err)
	}
	yes := true
	res, err := cdp.Call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: writeSurfaceJS, ObjectID: window.Result.ObjectID, Arguments: args, ReturnByValue: &yes,
		Silent: &yes,
	})
	if err != nil {
		return fmt.Errorf("the debug surface: %w", err)
	}
	failed := func(why string) {
		c.Failed = append(c.Failed, snapshot.Failure{Layer: surfaceLayer, Why: why})
	}
	switch {
	case res.ExceptionDetails == nil && res.Result != nil && string(res.Result.Value) == `"ours"`:
	case res.ExceptionDetails == nil && res.Result != nil && string(res.Result.Value) == `"theirs"`:
		failed("the page has a __dddkDebug of its own: it stays")
	default:
		failed("the page does not let window.__dddkDebug be written")
	}
	return nil
}

// resolveInPage returns the nodes as objects of the page's own world, null where one is gone.
func resolveInPage(ctx context.Context, s *browser.Session, nodes []int64, group string) []*runtime.CallArgument {
	args := make([]*runtime.CallArgument, len(nodes))
	var work sync.WaitGroup
	slots := make(chan struct{}, 32)
	for i, n := range nodes {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			args[i] = &runtime.CallArgument{Value: []byte("null")}
			res, err := cdp.Call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: cdp.BackendNodeID(n),
				ObjectGroup: group})
			if err == nil && res.Object != nil {
				args[i] = &runtime.CallArgument{ObjectID: res.Object.ObjectID}
			}
		})
	}
	work.Wait()
	return args
}
