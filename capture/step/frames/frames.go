package frames

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/text"
)

// Steps are the steps about frames (C-15; seed 13).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(switchOrList, stepdef.StepDef{
			Name: "frame", Summary: "list the frames, or look and act in another one",
			Also: []string{"iframe", "switchframe"},
			Forms: []param.Form{
				{`{"list":true}`, "all frames of the page"},
				{`"iframe.embed"`,
					"the frame that the selector's or ref's element shows; selectors, texts, labels, roles and keys " +
						"mean it from then on, while a ref means its element wherever that is, and x and y are of " +
						"the window"},
				{`0`, "the present frame's first frame, and so on"},
				{`{"selector":"iframe.embed"}`, "as an object: selector, index, name or frameId"},
				{`{"name":"pay"}`, "by name"}, {`"top"`, "back to the main frame"},
			},
		}),
	}
}

// The frame that steps look in belongs to the tab's alias: it outlasts the command
// (C-23, section 19.12), until the main frame is selected or the tab navigates to another
// page. Once the frame is gone, steps fail with an error; they never act in another one.

type frameParams struct {
	_        struct{}     `want:"a selector, a number, \"top\" or an object"`
	List     *bool        `json:"list,omitempty" what:"true: list all frames"`
	Selector string       `json:"selector,omitempty" finds:"selector" form:"string" what:"the element that shows it"`
	Ref      element.Text `json:"ref,omitempty" finds:"ref" what:"the same by ref"`
	Index    *int         `json:"index,omitempty" form:"number" min:"0" what:"its place in the present frame, from 0"`
	Name     string       `json:"name,omitempty" what:"its name"`
	FrameID  string       `json:"frameId,omitempty" what:"its id"`

	top bool
}

// CheckParams refuses what names no frame, or two.
func (p *frameParams) CheckParams() error {
	if p.Selector == "top" {
		p.Selector, p.top = "", true
	}
	switch {
	case param.Count(p.List != nil, p.Selector != "", p.Ref != "", p.Index != nil, p.Name != "", p.FrameID != "",
		p.top) != 1:
		return errors.New("name the frame by one of selector, ref, index, name and frameId, or write list or \"top\"")
	case p.List != nil && !*p.List:
		return errors.New("list: want true")
	case p.Ref != "" && !element.IsRef(string(p.Ref)):
		return fmt.Errorf("ref: %q is not a ref", string(p.Ref))
	case p.Ref != "":
		p.Selector = string(p.Ref)
	}
	return nil
}

// framesOutput is the list of frames (seed 13.1).
type framesOutput struct {
	MainFrameID    string        `json:"mainFrameId"`
	CurrentFrameID string        `json:"currentFrameId"`
	Frames         []listedFrame `json:"frames"`
}

type listedFrame struct {
	FrameID string `json:"frameId"`
	URL     string `json:"url"`
	Name    string `json:"name,omitempty"`
	// ParentID is null for the main frame.
	ParentID    *string `json:"parentId"`
	Depth       int     `json:"depth"`
	CrossOrigin bool    `json:"crossOrigin"`
	// OutOfProcess: it runs in a process of its own, and is read and acted in anyway.
	OutOfProcess bool `json:"outOfProcess,omitempty"`
}

func switchOrList(ctx context.Context, e *stepdef.Env, p *frameParams) (any, error) {
	if p.List != nil {
		return listFrames(ctx, e)
	}
	return switchFrame(ctx, e, p)
}

func listFrames(ctx context.Context, e *stepdef.Env) (*framesOutput, error) {
	frames, err := e.Page.Frames(ctx)
	if err != nil {
		return nil, err
	}
	list, err := listed(ctx, e, frames...)
	if err != nil {
		return nil, err
	}
	out := &framesOutput{MainFrameID: frames[0].ID, CurrentFrameID: frames[0].ID, Frames: list}
	for _, f := range frames {
		if f.ID == e.Frame() {
			out.CurrentFrameID = f.ID
		}
	}
	if e.Frame() != "" && out.CurrentFrameID != e.Frame() {
		e.Warn("%v", element.FrameGone(e.Frame()))
	}
	return out, nil
}

// listed are frames for the answer, without what is secret in their addresses.
func listed(ctx context.Context, e *stepdef.Env, frames ...action.Frame) ([]listedFrame, error) {
	var texts []string
	for _, f := range frames {
		texts = append(texts, f.URL, f.Name)
	}
	texts, err := e.Clean(ctx, texts...)
	if err != nil {
		return nil, err
	}
	out := make([]listedFrame, len(frames))
	for i, f := range frames {
		out[i] = listedFrame{FrameID: f.ID, URL: text.Start(texts[2*i], 2000), Name: text.Start(texts[2*i+1], 300),
			Depth: f.Depth, CrossOrigin: f.CrossOrigin, OutOfProcess: f.OutOfProcess}
		if f.Parent != "" {
			out[i].ParentID = &f.Parent
		}
	}
	return out, nil
}

// switchFrame makes another frame the one that steps look in.
func switchFrame(ctx context.Context, e *stepdef.Env, p *frameParams) (any, error) {
	id, err := frameOf(ctx, e, p)
	if err != nil {
		return nil, err
	}
	frames, err := e.Page.Frames(ctx)
	if err != nil {
		return nil, err
	}
	for i, f := range frames {
		if f.ID != id {
			continue
		}
		if _, err := f.Enter(ctx); err != nil {
			return nil, fmt.Errorf("the frame cannot be entered: %w", err)
		}
		if i == 0 {
			id = ""
		}
		e.Elements.SwitchTo(id)
		list, err := listed(ctx, e, f)
		if err != nil {
			return nil, err
		}
		return list[0], nil
	}
	return nil, &action.StaleError{What: "frame " + id, Why: `is not on the page: {"frame":{"list":true}} lists them`}
}

// frameOf is the id of the target frame.
func frameOf(ctx context.Context, e *stepdef.Env, p *frameParams) (string, error) {
	switch {
	case p.top:
		return e.Page.Tab().ID(), nil
	case p.FrameID != "":
		return p.FrameID, nil
	case p.Index != nil:
		return child(ctx, e, *p.Index)
	case p.Name != "":
		return frameNamed(ctx, e, p.Name)
	}
	t := element.ParseTarget(strings.TrimSpace(p.Selector))
	f, err := e.Find(ctx, &t) // a frame that is still coming is waited for
	if err != nil {
		return "", err
	}
	id, err := e.Page.FrameOf(ctx, f.Element)
	if _, ok := errors.AsType[*action.NotFoundError](err); ok {
		return "", fmt.Errorf("%s is not a frame: name an iframe", &t)
	}
	return id, err
}

// child is the present frame's frame number n, from 0, in document order. The browser's
// own list is in the order in which frames were made.
func child(ctx context.Context, e *stepdef.Env, n int) (string, error) {
	els, err := e.Page.CSS(ctx, e.Frame(), "iframe, frame, object, embed, fencedframe", stepdef.MaxItems)
	if err != nil {
		return "", err
	}
	k := 0
	for _, el := range els {
		id, err := e.Page.FrameOf(ctx, el)
		if _, ok := errors.AsType[*action.NotFoundError](err); ok {
			continue // it shows none
		}
		if err != nil {
			return "", err
		}
		if k == n {
			return id, nil
		}
		k++
	}
	return "", &action.NotFoundError{What: fmt.Sprintf("frame %d", n),
		Hint: fmt.Sprintf("the present frame has %d, numbered from 0", k)}
}

// frameNamed is the frame with a name: one in the present frame first.
func frameNamed(ctx context.Context, e *stepdef.Env, name string) (string, error) {
	frames, err := e.Page.Frames(ctx)
	if err != nil {
		return "", err
	}
	here := e.Frame()
	if here == "" {
		here = frames[0].ID
	}
	found, names := "", []string{}
	for _, f := range frames[1:] {
		if f.Name != "" {
			names = append(names, f.Name)
		}
		if f.Name != name {
			continue
		}
		if f.Parent == here {
			return f.ID, nil
		}
		if found == "" {
			found = f.ID
		}
	}
	if found != "" {
		return found, nil
	}
	hint := `{"frame":{"list":true}} lists them`
	if near := text.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return "", &action.NotFoundError{What: fmt.Sprintf("frame named %q", name), Hint: hint}
}
