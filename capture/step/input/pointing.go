package input

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
)

// hoverParams are the parameters of hover.
type hoverParams struct {
	stepdef.Target
	stepdef.Ready
	Duration      float64 `json:"duration,omitempty" min:"0" unit:"ms" what:"how long to stay there"`
	CaptureResult bool    `json:"captureResult,omitempty" what:"list what appeared"`
}

type hovered struct {
	Hovered    bool `json:"hovered"`
	AutoForced bool `json:"autoForced,omitempty"`
	replacement
	CapturedResult *appeared    `json:"capturedResult,omitempty"`
	Coordinates    *coordinates `json:"coordinates,omitempty"`
}

type appeared struct {
	VisibleElements []action.Layer `json:"visibleElements"`
}

func hover(ctx context.Context, e *stepdef.Env, p *hoverParams) (any, error) {
	out := &hovered{Hovered: true}
	if p.X != nil {
		out.Coordinates = &coordinates{*p.X, *p.Y}
		if err := e.Page.MoveTo(ctx, *p.X, *p.Y); err != nil {
			return nil, err
		}
		return out, browser.Pause(ctx, stepdef.Milliseconds(p.Duration))
	}
	t := p.Within(p.Wait())
	f, err := e.Find(ctx, t)
	if err != nil {
		return nil, err
	}
	var done *action.Hovered
	f, err = e.Acting(ctx, t, f, func(el collect.Element) error {
		done, err = e.Page.Hover(ctx, el, action.HoverOptions{
			Options: p.Options(), Hold: stepdef.Milliseconds(p.Duration), Watch: p.CaptureResult,
		})
		return err
	})
	if err != nil {
		return nil, named(e, err)
	}
	out.AutoForced = forced(e, done.Forced)
	out.replacement = replaced(e, f)
	if p.CaptureResult {
		if err := called(ctx, e, f.Element, done.Appeared); err != nil {
			return nil, err
		}
		out.CapturedResult = &appeared{done.Appeared}
		if out.CapturedResult.VisibleElements == nil {
			out.CapturedResult.VisibleElements = []action.Layer{}
		}
	}
	return out, nil
}

// called assigns refs to what has appeared in an element's frame.
func called(ctx context.Context, e *stepdef.Env, el collect.Element, layers []action.Layer) error {
	if len(layers) == 0 {
		return nil
	}
	c, err := e.Look(ctx)
	if err != nil {
		return err
	}
	v := &stepdef.View{Capture: c}
	for i := range layers {
		if n := v.Node(el.Realm.Frame, el.Realm.Loader, layers[i].UID); n != nil {
			layers[i].Ref = e.Elements.Spell(e.Elements.Give(c, n))
		}
		layers[i].UID = 0
	}
	return nil
}

// dragEnd is the source or target of a drag: a string, or an object.
type dragEnd struct {
	stepdef.Target
	OffsetX float64 `json:"offsetX,omitempty" unit:"CSS px" what:"from the element's middle"`
	OffsetY float64 `json:"offsetY,omitempty" unit:"CSS px" what:"from the element's middle"`
}

// dragParams are the parameters of drag.
type dragParams struct {
	Source *dragEnd `json:"source" what:"where it begins: a selector, a ref, or an object"`
	Target *dragEnd `json:"target" what:"where it ends"`
	Method string   `json:"method,omitempty" choices:"auto,mouse,html5" what:"how to drag; auto"`
	Steps  int      `json:"steps,omitempty" min:"0" max:"1000" what:"movements of the mouse in between"`
	Delay  float64  `json:"delay,omitempty" min:"0" unit:"ms" what:"pause between them"`
	stepdef.Ready
}

// CheckParams refuses a drag with one end.
func (p *dragParams) CheckParams() error {
	if p.Source == nil || p.Target == nil {
		return errors.New("source and target are both needed")
	}
	return nil
}

type dragged struct {
	Dragged    bool        `json:"dragged"`
	Method     string      `json:"method"`
	Source     coordinates `json:"source"`
	Target     coordinates `json:"target"`
	Steps      int         `json:"steps,omitempty"`
	Value      string      `json:"value,omitempty"`
	Dropped    *bool       `json:"dropped,omitempty"` // whether the page took it; unknown of a drag by mouse
	AutoForced bool        `json:"autoForced,omitempty"`
}

func drag(ctx context.Context, e *stepdef.Env, p *dragParams) (any, error) {
	from, err := endOf(ctx, e, p.Source, p.Wait())
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	to, err := endOf(ctx, e, p.Target, p.Wait())
	if err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	d, err := e.Page.Drag(ctx, from, to, action.DragOptions{
		Options: p.Options(), Method: p.Method, Steps: p.Steps, Pause: stepdef.Milliseconds(p.Delay),
	})
	if err != nil {
		return nil, named(e, err)
	}
	if d.Dropped != nil && !*d.Dropped && to.Element != nil { // to a mere place a page may drag what it drops nowhere
		e.Warn("the target did not take what was dropped on it")
	}
	return &dragged{
		true, d.Method, coordinates{d.From[0], d.From[1]}, coordinates{d.To[0], d.To[1]}, d.Steps, d.Value, d.Dropped,
		forced(e, d.Forced),
	}, nil
}

func endOf(ctx context.Context, e *stepdef.Env, d *dragEnd, wait time.Duration) (action.End, error) {
	if d.X != nil {
		return action.End{X: *d.X + d.OffsetX, Y: *d.Y + d.OffsetY}, nil
	}
	f, err := e.Find(ctx, d.Within(wait))
	if err != nil {
		return action.End{}, err
	}
	return action.End{Element: &f.Element, X: d.OffsetX, Y: d.OffsetY}, nil
}

// scrollParams are the parameters of scroll.
type scrollParams struct {
	stepdef.OptionalElement
	Alone  string   `json:"-" form:"string,number"` // top, bottom, a selector or a ref
	DeltaX float64  `json:"deltaX,omitempty" unit:"CSS px" what:"how far to the right"`
	DeltaY float64  `json:"deltaY,omitempty" unit:"CSS px" what:"how far down"`
	X      *float64 `json:"x,omitempty" unit:"CSS px" what:"a place of the page"`
	Y      *float64 `json:"y,omitempty" unit:"CSS px" what:"a place of the page"`
}

func (p *scrollParams) moves() bool { return p.DeltaX != 0 || p.DeltaY != 0 }

// CheckParams refuses a scroll to nowhere, or to two places.
func (p *scrollParams) CheckParams() error {
	if p.Alone != "" && p.Alone != "top" && p.Alone != "bottom" {
		t := element.ParseTarget(p.Alone)
		p.Selector, p.Ref = t.Selector, t.Ref
	}
	named := !p.To(0).Empty()
	switch {
	case (p.X != nil || p.Y != nil) && (p.moves() || named):
		return errors.New("x and y are a place of the page: leave the others out")
	case p.X == nil && p.Y == nil && !p.moves() && !named && p.Alone == "":
		return errors.New(`it names no place: write "top", "bottom", a selector, {"deltaY":500} or {"x":0,"y":1000}`)
	case named:
		return p.Named()
	}
	return nil
}

// scrolled is the output of scroll (seed 9.7), CSS px.
type scrolled struct {
	ScrollX float64 `json:"scrollX"`
	ScrollY float64 `json:"scrollY"`
	MaxY    float64 `json:"maxY"`
}

func scroll(ctx context.Context, e *stepdef.Env, p *scrollParams) (any, error) {
	s, err := scrollTo(ctx, e, p)
	if err != nil {
		return nil, err
	}
	return &scrolled{s.X, s.Y, s.MaxY}, nil
}

func scrollTo(ctx context.Context, e *stepdef.Env, p *scrollParams) (snapshot.Scroll, error) {
	t := p.To(0)
	switch {
	case !t.Empty():
		f, err := e.Find(ctx, t)
		if err != nil {
			return snapshot.Scroll{}, err
		}
		if p.moves() {
			return e.Page.Inside(ctx, f.Element, p.DeltaX, p.DeltaY)
		}
		return e.Page.Centre(ctx, f.Element)
	case p.Alone != "":
		return e.Page.ScrollEnd(ctx, e.Frame(), p.Alone == "bottom")
	case p.moves():
		return e.Page.ScrollBy(ctx, e.Frame(), p.DeltaX, p.DeltaY)
	}
	now, err := e.Page.Place(ctx, e.Frame())
	if err != nil {
		return snapshot.Scroll{}, err
	}
	param.Set(&now.X, p.X)
	param.Set(&now.Y, p.Y)
	return e.Page.ScrollTo(ctx, e.Frame(), now.X, now.Y)
}

// selectParams are the parameters of selectOption. label names an option, not a field.
type selectParams struct {
	stepdef.OptionalElement
	stepdef.Ready
	Value  *element.Text `json:"value,omitempty" what:"the option's value"`
	Label  *string       `json:"label,omitempty" what:"what a person reads"`
	Index  *int          `json:"index,omitempty" what:"its place, from 0"`
	Values []string      `json:"values,omitempty" what:"several by value"`
	Labels []string      `json:"labels,omitempty" what:"several by label"`
	Option *element.Text `json:"option,omitempty" what:"the value, or else the label"`
}

// CheckParams refuses what names no option, or options in two ways.
func (p *selectParams) CheckParams() error {
	if err := p.Named(); err != nil {
		if p.Label != nil {
			err = fmt.Errorf("%w; label is that of the option", err)
		}
		return err
	}
	if param.Count(p.Value != nil, p.Label != nil, p.Index != nil, p.Values != nil, p.Labels != nil,
		p.Option != nil) != 1 {
		return errors.New("give one of value, label, index, values, labels and option")
	}
	return nil
}

func (p *selectParams) choice() action.Choice {
	c := action.Choice{Values: p.Values, Labels: p.Labels, Index: p.Index}
	switch {
	case p.Value != nil:
		c.Values = []string{string(*p.Value)}
	case p.Label != nil:
		c.Labels = []string{*p.Label}
	case p.Option != nil:
		c.Either = []string{string(*p.Option)}
	}
	return c
}

type selected struct {
	Selected   []string `json:"selected"`
	Multiple   bool     `json:"multiple"`
	AutoForced bool     `json:"autoForced,omitempty"`
	replacement
}

func selectOption(ctx context.Context, e *stepdef.Env, p *selectParams) (any, error) {
	t := p.To(p.Wait())
	f, err := e.Find(ctx, t)
	if err != nil {
		return nil, err
	}
	var s *action.Selected
	var unready *action.NotReadyError
	f, err = e.Acting(ctx, t, f, func(el collect.Element) error {
		checks := action.Enabled // a list that the page draws itself may hide its <select>
		if p.Strict {
			checks |= action.Visible
		}
		if unready, err = e.Page.Ready(ctx, el, checks, p.Options()); err != nil {
			return named(e, err)
		}
		s, err = e.Page.Select(ctx, el, p.choice())
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &selected{Selected: s.Values, Multiple: s.Multiple, AutoForced: forced(e, unready)}
	out.replacement = replaced(e, f)
	if !s.Kept {
		e.Warn("the page did not leave the list as it was chosen from")
	}
	return out, nil
}

// uploadParams are the parameters of upload.
type uploadParams struct {
	stepdef.OptionalElement
	Files []string `json:"files" what:"paths of files that are there, below a folder that --files opens"`
}

// CheckParams refuses an upload of nothing.
func (p *uploadParams) CheckParams() error {
	if err := p.Named(); err != nil {
		return err
	}
	if len(p.Files) == 0 {
		return errors.New("files is empty: name at least one file")
	}
	return nil
}

func upload(ctx context.Context, e *stepdef.Env, p *uploadParams) (any, error) {
	paths := make([]string, len(p.Files))
	for i, name := range p.Files {
		path, err := e.Files.Readable(name)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: file not found", name)
		case info.IsDir():
			return nil, fmt.Errorf("%s is a folder: name a file", name)
		}
		paths[i] = path
	}
	f, err := e.Find(ctx, p.To(0))
	if err != nil {
		return nil, err
	}
	if err := e.Page.Upload(ctx, f.Element, paths); err != nil {
		return nil, err
	}
	return map[string]any{"uploaded": len(paths)}, nil
}
