package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Eval evaluates an expression in our isolated world of a frame's present document
// and gives its value, which must be a string or undefined. A promise is awaited.
// The world and the observer in it are made where they are not there yet.
func (s *Session) Eval(ctx context.Context, frame string, expression string) (string, error) {
	w, err := s.world(ctx, frame)
	if err != nil {
		return "", err
	}
	text, err := s.text(ctx, w, frame, expression)
	if !errors.Is(err, ErrNavigated) {
		return text, err
	}
	if w, err = s.makeWorld(ctx, frame); err != nil {
		return "", err
	}
	return s.text(ctx, w, frame, expression)
}

// text evaluates in one world.
func (s *Session) text(ctx context.Context, w world, frame, expression string) (string, error) {
	yes := true
	params := runtime.EvaluateParams{
		Expression: observerJS + ";\n" + expression, UniqueContextID: w.unique,
		ReturnByValue: &yes, AwaitPromise: &yes, Silent: &yes,
	}
	if w.unique == "" {
		params.ContextID = w.id
	}
	res, err := cdp.Call(ctx, s, runtime.Evaluate, params)
	if err != nil {
		return "", s.lost(w, err)
	}
	if res.ExceptionDetails != nil {
		return "", scriptError(frame, res.ExceptionDetails)
	}
	return textOf(frame, res.Result)
}

func textOf(frame string, obj *runtime.RemoteObject) (string, error) {
	if obj == nil || obj.Type == runtime.RemoteObjectTypeUndefined {
		return "", nil
	}
	var text string
	if err := jsonv2.Unmarshal(obj.Value, &text); err != nil {
		return "", fmt.Errorf("evaluating in frame %s: the answer is not a string", frame)
	}
	return text, nil
}

func scriptError(frame string, d *runtime.ExceptionDetails) error {
	text := d.Text
	if d.Exception != nil {
		text, _, _ = strings.Cut(d.Exception.Description, "\n    at ")
	}
	return fmt.Errorf("script in frame %s: %s (line %d)", frame, text, d.LineNumber+1)
}

// FrameOf is the id of the frame that an element shows; the expression must give
// the frame element.
func (s *Session) FrameOf(ctx context.Context, frame, expression string) (string, error) {
	r, err := s.Enter(ctx, frame)
	if err != nil {
		return "", err
	}
	facts, err := r.Describe(ctx, "["+expression+"]")
	if err != nil {
		return "", err
	}
	if len(facts) != 1 || facts[0].Node == 0 {
		return "", errors.New("the frame element is gone")
	}
	return facts[0].Frame, nil
}

// FrameInfo is one frame of a session's tree.
type FrameInfo struct {
	ID, Parent, Loader, URL, Origin string
	// Name is the frame element's name attribute.
	Name string
	// Unreachable is the address that could not be loaded, "" where it was.
	Unreachable string
}

// Frames is [Session.FrameTree] of the tab's own session. Chrome cannot write down a
// tree that is more than about 150 frames deep ("CBOR: stack limit exceeded"); then
// the main frame is all that is listed, by its id alone, which is the tab's.
func (t *Tab) Frames(ctx context.Context) ([]FrameInfo, error) {
	tree, err := t.session.FrameTree(ctx)
	var reply *cdproto.Error
	if errors.As(err, &reply) && strings.Contains(reply.Message, "stack limit") {
		return []FrameInfo{{ID: string(t.id)}}, nil
	}
	return tree, err
}

// FrameTree lists the frames of this session, parents before children. Frames in
// other processes are not among them: they have sessions of their own.
func (s *Session) FrameTree(ctx context.Context) ([]FrameInfo, error) {
	res, err := cdp.Call(ctx, s, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	var out []FrameInfo
	stack := []*page.FrameTree{res.FrameTree}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t == nil || t.Frame == nil {
			continue
		}
		f := t.Frame
		out = append(out, FrameInfo{
			ID: string(f.ID), Parent: string(f.ParentID), Loader: string(f.LoaderID), URL: f.URL,
			Origin: f.SecurityOrigin, Name: f.Name, Unreachable: f.UnreachableURL,
		})
		for i := len(t.ChildFrames) - 1; i >= 0; i-- {
			stack = append(stack, t.ChildFrames[i])
		}
	}
	return out, nil
}
