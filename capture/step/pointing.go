package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/refscope/refscope/capture/action"
)

// hoverParams are the parameters of hover.
type hoverParams struct {
	target
	ready
	Duration      float64 `json:"duration,omitempty"` // ms
	CaptureResult bool    `json:"captureResult,omitempty"`
}

type hovered struct {
	Hovered        bool         `json:"hovered"`
	AutoForced     bool         `json:"autoForced,omitempty"`
	ReResolved     bool         `json:"reResolved,omitempty"`
	Substitute     *substitute  `json:"substitute,omitempty"`
	CapturedResult *appeared    `json:"capturedResult,omitempty"`
	Coordinates    *coordinates `json:"coordinates,omitempty"`
}

type appeared struct {
	VisibleElements []action.Layer `json:"visibleElements"`
}

func parseHover(raw json.RawMessage) (Work, error) {
	var p hoverParams
	if t, ok := simple(raw); ok {
		p.target = t
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if p.Duration < 0 {
		return nil, errors.New("duration: want 0 ms or more")
	}
	p.Patience = ms(p.Timeout)
	return func(ctx context.Context, r *Runner) (any, error) {
		out := &hovered{Hovered: true}
		if p.X != nil {
			out.Coordinates = &coordinates{*p.X, *p.Y}
			if err := r.page.MoveTo(ctx, *p.X, *p.Y); err != nil {
				return nil, err
			}
			return out, pause(ctx, ms(p.Duration))
		}
		f, err := r.find(ctx, &p.target)
		if err != nil {
			return nil, err
		}
		done, err := r.page.Hover(ctx, f.Element, action.HoverOptions{Options: p.options(), Hold: ms(p.Duration), Watch: p.CaptureResult})
		if err != nil {
			return nil, r.named(err)
		}
		out.AutoForced = r.forced(done.Forced)
		out.ReResolved, out.Substitute = r.replaced(f)
		if p.CaptureResult {
			out.CapturedResult = &appeared{done.Appeared}
			if out.CapturedResult.VisibleElements == nil {
				out.CapturedResult.VisibleElements = []action.Layer{}
			}
		}
		return out, nil
	}, errors.Join(p.target.Check(), p.ready.check())
}

// dragEnd is the source or target of a drag: a string, or an object.
type dragEnd struct {
	target
	OffsetX float64 `json:"offsetX,omitempty"` // CSS px from the element's middle
	OffsetY float64 `json:"offsetY,omitempty"`
}

// UnmarshalJSON reads a selector, a ref or an object.
func (e *dragEnd) UnmarshalJSON(b []byte) error {
	if t, ok := simple(b); ok {
		e.target = t
		return nil
	}
	type plain dragEnd
	return decode(b, (*plain)(e))
}

// dragParams are the parameters of drag.
type dragParams struct {
	Source *dragEnd `json:"source"`
	Target *dragEnd `json:"target"`
	Method string   `json:"method,omitempty"`
	Steps  int      `json:"steps,omitempty"`
	Delay  float64  `json:"delay,omitempty"` // ms
	ready
}

type dragged struct {
	Dragged    bool        `json:"dragged"`
	Method     string      `json:"method"`
	Source     coordinates `json:"source"`
	Target     coordinates `json:"target"`
	Steps      int         `json:"steps,omitempty"`
	Value      string      `json:"value,omitempty"`
	AutoForced bool        `json:"autoForced,omitempty"`
}

func parseDrag(raw json.RawMessage) (Work, error) {
	var p dragParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	switch {
	case p.Source == nil || p.Target == nil:
		return nil, errors.New("source and target are both needed")
	case p.Steps < 0 || p.Steps > 1000:
		return nil, errors.New("steps: want 1 to 1000")
	case p.Delay < 0:
		return nil, errors.New("delay: want 0 ms or more")
	}
	if m := p.Method; m != "" && m != action.DragAuto && m != action.DragMouse && m != action.DragHTML5 {
		return nil, unknown("method", m, []string{action.DragAuto, action.DragMouse, action.DragHTML5})
	}
	for name, e := range map[string]*dragEnd{"source": p.Source, "target": p.Target} {
		if err := e.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		e.Patience = ms(p.Timeout)
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		from, err := r.end(ctx, p.Source)
		if err != nil {
			return nil, fmt.Errorf("source: %w", err)
		}
		to, err := r.end(ctx, p.Target)
		if err != nil {
			return nil, fmt.Errorf("target: %w", err)
		}
		d, err := r.page.Drag(ctx, from, to, action.DragOptions{Options: p.options(), Method: p.Method, Steps: p.Steps, Pause: ms(p.Delay)})
		if err != nil {
			return nil, r.named(err)
		}
		return &dragged{true, d.Method, coordinates{d.From[0], d.From[1]}, coordinates{d.To[0], d.To[1]}, d.Steps, d.Value, r.forced(d.Forced)}, nil
	}, p.ready.check()
}

func (r *Runner) end(ctx context.Context, e *dragEnd) (action.End, error) {
	if e.X != nil {
		return action.End{X: *e.X + e.OffsetX, Y: *e.Y + e.OffsetY}, nil
	}
	f, err := r.find(ctx, &e.target)
	if err != nil {
		return action.End{}, err
	}
	return action.End{Element: &f.Element, X: e.OffsetX, Y: e.OffsetY}, nil
}

// scrollParams are the parameters of scroll as an object.
type scrollParams struct {
	Selector string   `json:"selector,omitempty"`
	Ref      text     `json:"ref,omitempty"`
	DeltaX   float64  `json:"deltaX,omitempty"`
	DeltaY   float64  `json:"deltaY,omitempty"`
	X        *float64 `json:"x,omitempty"`
	Y        *float64 `json:"y,omitempty"`
	careful
}

// scrolled is the output of scroll (seed 9.7), CSS px.
type scrolled struct {
	ScrollX float64 `json:"scrollX"`
	ScrollY float64 `json:"scrollY"`
	MaxY    float64 `json:"maxY"`
}

func parseScroll(raw json.RawMessage) (Work, error) {
	at := func(s action.Scrolled, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return &scrolled{s.X, s.Y, s.MaxY}, nil
	}
	if t, ok := simple(raw); ok {
		if t.Selector == "top" || t.Selector == "bottom" {
			return func(ctx context.Context, r *Runner) (any, error) {
				return at(r.page.ScrollEnd(ctx, r.frame, t.Selector == "bottom"))
			}, nil
		}
		return func(ctx context.Context, r *Runner) (any, error) {
			f, err := r.find(ctx, &t)
			if err != nil {
				return nil, err
			}
			return at(r.page.Centre(ctx, f.Element))
		}, t.Check()
	}
	var p scrollParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	t := target{Selector: p.Selector, Ref: p.Ref, StrictTarget: p.careful}
	moves := p.DeltaX != 0 || p.DeltaY != 0
	switch {
	case (p.X != nil || p.Y != nil) && (moves || !t.Empty()):
		return nil, errors.New("x and y are a place of the page: they stand alone")
	case p.X == nil && p.Y == nil && !moves && t.Empty():
		return nil, errors.New(`it says nowhere to go: write "top", "bottom", a selector, {"deltaY":500} or {"x":0,"y":1000}`)
	}
	if !t.Empty() {
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		switch {
		case !t.Empty():
			f, err := r.find(ctx, &t)
			if err != nil {
				return nil, err
			}
			if moves {
				return at(r.page.Inside(ctx, f.Element, p.DeltaX, p.DeltaY))
			}
			return at(r.page.Centre(ctx, f.Element))
		case moves:
			return at(r.page.ScrollBy(ctx, r.frame, p.DeltaX, p.DeltaY))
		}
		now, err := r.page.Place(ctx, r.frame)
		if err != nil {
			return nil, err
		}
		if p.X != nil {
			now.X = *p.X
		}
		if p.Y != nil {
			now.Y = *p.Y
		}
		return at(r.page.ScrollTo(ctx, r.frame, now.X, now.Y))
	}, nil
}

// selectParams are the parameters of selectOption. label names an option, not a field.
type selectParams struct {
	Selector string   `json:"selector,omitempty"`
	Ref      text     `json:"ref,omitempty"`
	Value    *text    `json:"value,omitempty"`
	Label    *string  `json:"label,omitempty"`
	Index    *int     `json:"index,omitempty"`
	Values   []string `json:"values,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Option   *text    `json:"option,omitempty"` // by value, or else by label
	ready
	careful
}

type selected struct {
	Selected   []string    `json:"selected"`
	Multiple   bool        `json:"multiple"`
	ReResolved bool        `json:"reResolved,omitempty"`
	Substitute *substitute `json:"substitute,omitempty"`
}

func parseSelect(raw json.RawMessage) (Work, error) {
	var p selectParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	t := target{Selector: p.Selector, Ref: p.Ref, StrictTarget: p.careful, Patience: ms(p.Timeout)}
	if err := errors.Join(t.Check(), p.ready.check()); err != nil {
		return nil, err
	}
	c := action.Choice{Values: p.Values, Labels: p.Labels, Index: p.Index}
	n := 0
	for _, is := range []bool{p.Value != nil, p.Label != nil, p.Index != nil, p.Values != nil, p.Labels != nil, p.Option != nil} {
		if is {
			n++
		}
	}
	if n != 1 {
		return nil, errors.New("give one of value, label, index, values, labels and option")
	}
	if p.Value != nil {
		c.Values = []string{string(*p.Value)}
	}
	if p.Label != nil {
		c.Labels = []string{*p.Label}
	}
	if p.Option != nil {
		c.Either = []string{string(*p.Option)}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		f, err := r.find(ctx, &t)
		if err != nil {
			return nil, err
		}
		if p.Strict {
			if err := r.page.Ready(ctx, f.Element, action.Visible|action.Enabled, p.options()); err != nil {
				return nil, r.named(err)
			}
		}
		s, err := r.page.Select(ctx, f.Element, c)
		if err != nil {
			return nil, err
		}
		out := &selected{Selected: s.Values, Multiple: s.Multiple}
		out.ReResolved, out.Substitute = r.replaced(f)
		return out, nil
	}, nil
}

// uploadParams are the parameters of upload.
type uploadParams struct {
	Selector string   `json:"selector,omitempty"`
	Ref      text     `json:"ref,omitempty"`
	Files    []string `json:"files"`
}

func parseUpload(raw json.RawMessage) (Work, error) {
	var p uploadParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	t := target{Selector: p.Selector, Ref: p.Ref}
	if err := t.Check(); err != nil {
		return nil, err
	}
	if len(p.Files) == 0 {
		return nil, errors.New("files is empty: name at least one file")
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		paths := make([]string, len(p.Files))
		for i, name := range p.Files {
			path, err := r.path(name)
			if err != nil {
				return nil, err
			}
			info, err := os.Stat(path)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: there is no such file", name)
			case info.IsDir():
				return nil, fmt.Errorf("%s is a folder: name a file", name)
			}
			paths[i] = path
		}
		f, err := r.find(ctx, &t)
		if err != nil {
			return nil, err
		}
		if err := r.page.Upload(ctx, f.Element, paths); err != nil {
			return nil, err
		}
		return map[string]any{"uploaded": len(paths)}, nil
	}, nil
}
