package action

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/refscope/refscope/capture/collect"
)

// The ways to drag.
const (
	DragAuto  = "auto"  // as the page takes it: HTML5 where it starts one, else by mouse
	DragMouse = "mouse" // mouse events only
	DragHTML5 = "html5" // drag events with a DataTransfer
	DragRange = "range" // the value of a slider
)

// End is where a drag starts or ends: an element, with an offset from its middle, or a
// point of the tab's viewport. CSS px.
type End struct {
	Element *collect.Element
	X, Y    float64
}

// DragOptions configure a drag.
type DragOptions struct {
	Options
	Method string        // DragAuto if empty
	Steps  int           // moves on the way; 10 if 0
	Pause  time.Duration // between them
}

// Dragged is the result of a drag.
type Dragged struct {
	Method   string
	From, To [2]float64 // CSS px of the tab's viewport
	Steps    int
	Value    string // of a slider
	Forced   *NotReadyError
	// Dropped reports whether the page took what was dropped at the target; nil where it began no drag of its own
	// kind, and where that is unknown.
	Dropped *bool
}

// Drag drags from one place to another. A slider is set to the value at the target.
func (p *Page) Drag(ctx context.Context, from, to End, o DragOptions) (*Dragged, error) {
	if o.Steps <= 0 {
		o.Steps = 10
	}
	if o.Method == "" {
		o.Method = DragAuto
	}
	done := &Dragged{Method: o.Method, Steps: o.Steps}
	var err error
	if done.To, _, err = p.end(ctx, to, o.Options, false); err != nil {
		return nil, fmt.Errorf("where to drag to: %w", err)
	}
	// The source last: it is the one that must be in view now.
	if done.From, done.Forced, err = p.end(ctx, from, o.Options, true); err != nil {
		return nil, fmt.Errorf("what to drag: %w", err)
	}
	if to.Element != nil { // it may have been scrolled away from the source's place
		if done.To, err = p.middle(ctx, *to.Element, to.X, to.Y); err != nil {
			return nil, fmt.Errorf("where to drag to: %w", err)
		}
	}
	if from.Element != nil {
		value, is, err := p.setRange(ctx, *from.Element, done.To[0], done.To[1])
		if err != nil {
			return nil, err
		}
		if is {
			done.Method, done.Value = DragRange, value
			return done, nil
		}
	}
	return done, p.dragWithMouse(ctx, done, from, to, o)
}

// end is the point of an end. Only the source must be hit by the mouse.
func (p *Page) end(ctx context.Context, e End, o Options, hit bool) ([2]float64, *NotReadyError, error) {
	if e.Element == nil {
		return [2]float64{e.X, e.Y}, nil, nil
	}
	checks := Visible
	if hit {
		checks |= HitTarget
	}
	r, err := p.wait(ctx, *e.Element, checks, o)
	if err != nil {
		return [2]float64{}, nil, err
	}
	if len(r.Points) == 0 {
		return [2]float64{}, nil, &NotReadyError{Why: "it has no size"}
	}
	return [2]float64{r.X + e.X, r.Y + e.Y}, r.Forced, nil
}

// middle is where the element's middle is now, without scrolling.
func (p *Page) middle(ctx context.Context, el collect.Element, dx, dy float64) ([2]float64, error) {
	var s state
	if err := call(ctx, el, stateJS, nil, &s); err != nil {
		return [2]float64{}, err
	}
	if len(s.Points) == 0 {
		return [2]float64{}, &NotReadyError{Why: "it has no size"}
	}
	way, err := p.way(ctx, el.Realm.Frame)
	if err != nil {
		return [2]float64{}, err
	}
	r := ready{state: s}
	r.set(s.Points[0], way)
	return [2]float64{r.X + dx, r.Y + dy}, nil
}

// setRange sets a slider to the value at a point of the tab's viewport; false where the
// element is no slider.
func (p *Page) setRange(ctx context.Context, el collect.Element, x, y float64) (string, bool, error) {
	way, err := p.way(ctx, el.Realm.Frame)
	if err != nil {
		return "", false, err
	}
	fx, fy := toTop(way).Back(x, y)
	var answer struct {
		Is    bool
		Value string
	}
	err = call(ctx, el, `(node, { x, y }) => {
		if (!node.matches('input[type=range]')) return { is: false };
		const r = node.getBoundingClientRect(), s = getComputedStyle(node);
		const min = Number(node.min || 0), max = Number(node.max || 100);
		const upright = s.writingMode !== 'horizontal-tb', thumb = 16;
		let part = upright ? (y - r.top - thumb / 2) / Math.max(1, r.height - thumb) :
			(x - r.left - thumb / 2) / Math.max(1, r.width - thumb);
		part = Math.min(1, Math.max(0, part));
		if (s.direction === 'rtl') part = 1 - part;
		const before = node.value;
		node.focus({ preventScroll: true });
		Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(node,
			String(min + part * (max - min)));
		if (node.value !== before) for (const n of ['input', 'change'])
			node.dispatchEvent(new Event(n, { bubbles: true, composed: n === 'input' }));
		return { is: true, value: node.value };
	}`, map[string]float64{"x": fx, "y": fy}, &answer)
	return answer.Value, answer.Is, err
}

// grasp moves the mouse over what is dragged; over something else nothing is pressed, unless the drag is forced, or
// begins at an offset, which may lie beside the element.
func (p *Page) grasp(ctx context.Context, d *Dragged, from End) error {
	if from.Element == nil {
		return p.move(ctx, d.From[0], d.From[1], false, 0)
	}
	way, err := p.way(ctx, from.Element.Realm.Frame)
	if err != nil {
		return err
	}
	at := &ready{X: d.From[0], Y: d.From[1]}
	at.frame[0], at.frame[1] = toTop(way).Back(at.X, at.Y)
	over, instead, err := p.moveOver(ctx, *from.Element, at, 0)
	if err == nil && !over && instead != nil && d.Forced == nil && from.X == 0 && from.Y == 0 {
		return fmt.Errorf("what to drag: %w", instead)
	}
	return err
}

// dragWithMouse presses, moves and releases. Where the page starts a drag of its own kind, the
// browser passes on its data, and the same moves become drag events.
func (p *Page) dragWithMouse(ctx context.Context, d *Dragged, from, to End, o DragOptions) error {
	s := p.tab.Session()
	var started <-chan jsonv2.Value
	if o.Method != DragMouse {
		events, stop := s.Subscribe(input.DragIntercepted.Method)
		defer stop()
		started = events
		if _, err := cdp.Call(ctx, s, input.SetInterceptDrags,
			input.SetInterceptDragsParams{Enabled: true}); err != nil {
			return fmt.Errorf("preparing to drag: %w", err)
		}
		defer func() {
			_ = s.Post(context.WithoutCancel(ctx), input.SetInterceptDrags.Method,
				input.SetInterceptDragsParams{Enabled: false})
		}()
	}
	if err := p.grasp(ctx, d, from); err != nil {
		return err
	}
	if err := p.press(ctx, input.DispatchMouseEventTypeMousePressed, input.MouseButtonLeft, 1, 0); err != nil {
		return err
	}
	var data *input.DragData
	for n := 1; n <= d.Steps; n++ {
		part := float64(n) / float64(d.Steps)
		x, y := d.From[0]+part*(d.To[0]-d.From[0]), d.From[1]+part*(d.To[1]-d.From[1])
		if err := p.haulTo(ctx, data, x, y); err != nil {
			return err
		}
		if data == nil && started != nil {
			var err error
			if data, err = taken(started); err != nil {
				return err
			}
			if data != nil {
				if err := p.dragEvent(ctx, input.DispatchDragEventTypeDragEnter, data, x, y); err != nil {
					return err
				}
			}
		}
		if o.Pause > 0 {
			select {
			case <-time.After(o.Pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	if data != nil {
		d.Method = DragHTML5
		taken, err := p.watchDrop(ctx, d, to)
		if err != nil {
			return err
		}
		for _, what := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragOver,
			input.DispatchDragEventTypeDrop} {
			if err := p.dragEvent(ctx, what, data, d.To[0], d.To[1]); err != nil {
				return err
			}
		}
		if d.Dropped, err = taken(); err != nil {
			return err
		}
	} else {
		if o.Method == DragHTML5 {
			_ = p.press(ctx, input.DispatchMouseEventTypeMouseReleased, input.MouseButtonLeft, 1, 0)
			return &NotReadyError{Why: "the page starts no drag there: is it draggable?"}
		}
		d.Method = DragMouse
	}
	return p.press(ctx, input.DispatchMouseEventTypeMouseReleased, input.MouseButtonLeft, 1, 0)
}

// watchDrop notes whether the target, or what is at its place where it is none, gets a drop: pages get one only where
// they have said of what is dragged over them that they take it.
func (p *Page) watchDrop(ctx context.Context, d *Dragged, to End) (taken func() (*bool, error), err error) {
	unknown := func() (*bool, error) { return nil, nil }
	el := to.Element
	if el == nil {
		at, ok, err := p.At(ctx, d.To[0], d.To[1])
		if err != nil || !ok {
			return unknown, unlessGone(err)
		}
		el = &at
	}
	err = call(ctx, *el, `(node) => {
		const note = globalThis.__refscope.drop = { taken: false };
		note.hear = (e) => { note.taken ||= e.composedPath().includes(node); };
		for (const on of [window, node]) on.addEventListener('drop', note.hear, { capture: true, passive: true });
		return true;
	}`, nil, nil)
	if err != nil {
		return unknown, unlessGone(err)
	}
	return func() (*bool, error) {
		var got bool
		err := call(ctx, *el, `(node) => {
			const note = globalThis.__refscope.drop;
			delete globalThis.__refscope.drop;
			for (const on of [window, node]) on.removeEventListener('drop', note.hear, { capture: true });
			return note.taken || !node.isConnected;
		}`, nil, &got)
		if err != nil {
			return nil, unlessGone(err)
		}
		return &got, nil
	}, nil
}

// haulTo moves on, by mouse or as the drag that has begun.
func (p *Page) haulTo(ctx context.Context, data *input.DragData, x, y float64) error {
	if data != nil {
		p.mouseX, p.mouseY = x, y
		return p.dragEvent(ctx, input.DispatchDragEventTypeDragOver, data, x, y)
	}
	return p.move(ctx, x, y, true, 0)
}

func (p *Page) dragEvent(ctx context.Context, what input.DispatchDragEventType, data *input.DragData,
	x, y float64) error {
	_, err := cdp.Call(ctx, p.tab.Session(), input.DispatchDragEvent,
		input.DispatchDragEventParams{Type: what, X: x - p.panned[0], Y: y - p.panned[1], Data: data})
	if err != nil {
		return fmt.Errorf("dragging to %.0f,%.0f: %w", x, y, err)
	}
	return nil
}

// taken is the data of a drag that the page has begun, nil where it has not. The
// browser reports it before it answers the move that began it.
func taken(started <-chan jsonv2.Value) (*input.DragData, error) {
	select {
	case raw, ok := <-started:
		var ev input.EventDragIntercepted
		if !ok {
			return nil, nil
		}
		if err := jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions); err != nil {
			return nil, fmt.Errorf("reading what is dragged: %w", err)
		}
		return ev.Data, nil
	default:
		return nil, nil
	}
}
