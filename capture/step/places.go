package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
)

// placeKinds are the steps about where elements are (seed 11.8 and 11.9).
func placeKinds() []Kind {
	return []Kind{
		{Name: "getBox", Summary: "where elements are, by ref", parse: parseGetBox, Forms: []Form{
			{`"s1e4"`, "one ref"}, {`["s1e4","s1e5"]`, "several; each may have an error of its own"}, {`{"refs":["s1e4"]}`, "the same as an object; {ref} for one"},
		}},
		{Name: "elementsAt", Summary: "which elements are at or near points", parse: parseElementsAt, Forms: []Form{
			{`{"x":100,"y":200}`, "what is at a point of the viewport, CSS px; it gets a ref"}, {`[{"x":100,"y":200},{"x":300,"y":40}]`, "at several points"},
			{`{"x":100,"y":200,"radius":50,"limit":20}`, "what has its middle near a point, nearest first"},
		}},
	}
}

// boxOutput is where one element is (seed 11.8).
type boxOutput struct {
	Error   string `json:"error,omitempty"` // not found, stale, hidden
	Message string `json:"message,omitempty"`
	*rect
	Center *point `json:"center,omitempty"`
	// Box is that of a hidden element.
	Box *rect `json:"box,omitempty"`
}

func parseGetBox(raw json.RawMessage) (Work, error) {
	var refs []string
	single := false
	read := func(raw json.RawMessage) error {
		var list []text
		if err := decode(raw, &list); err != nil {
			return err
		}
		for _, t := range list {
			refs = append(refs, string(t))
		}
		return nil
	}
	switch shape(raw) {
	case "array":
		if err := read(raw); err != nil {
			return nil, err
		}
	case "object":
		var p struct {
			Ref  text            `json:"ref,omitempty"`
			Refs json.RawMessage `json:"refs,omitempty"`
		}
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
		if (p.Ref == "") == (p.Refs == nil) {
			return nil, errors.New("give one of ref and refs")
		}
		if p.Refs != nil {
			if err := read(p.Refs); err != nil {
				return nil, fmt.Errorf("refs: %w", err)
			}
		} else {
			refs, single = []string{string(p.Ref)}, true
		}
	default:
		var t text
		if err := json.Unmarshal(raw, &t); err != nil {
			return nil, errShape(raw, "a ref, a list of refs or an object")
		}
		refs, single = []string{string(t)}, true
	}
	if len(refs) == 0 || len(refs) > maxItems {
		return nil, fmt.Errorf("%d refs: want 1 to %d", len(refs), maxItems)
	}
	for _, s := range refs {
		if !element.IsRef(s) {
			return nil, fmt.Errorf("%q is no ref: write it as in the snapshot, such as s1e12", s)
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		v, err := r.read(ctx, nil)
		if err != nil {
			return nil, err
		}
		out := map[string]boxOutput{}
		for _, s := range refs {
			out[s] = r.box(ctx, v, s)
		}
		if single {
			return out[refs[0]], nil
		}
		return out, nil
	}, nil
}

// box is where the very element of a ref is in a reading; a substitute has a ref of its
// own.
func (r *Runner) box(ctx context.Context, v *view, ref string) boxOutput {
	id, err := r.elements.Identity(ctx, ref)
	var none *action.NotFoundError
	switch {
	case errors.As(err, &none):
		return boxOutput{Error: "not found", Message: err.Error()}
	case err != nil:
		return boxOutput{Error: "stale", Message: err.Error()}
	}
	n := v.node(id.Frame, id.Loader, id.UID)
	if n == nil {
		n = element.ByRef(v.c, id.Ref)
	}
	if n == nil {
		return boxOutput{Error: "stale", Message: "the element is not in the document any more: take a new snapshot"}
	}
	b := rectOf(n.Box)
	if !n.Visible || n.Box.Empty() {
		return boxOutput{Error: "hidden", Message: n.Evidence, Box: &b}
	}
	x, y := n.Box.Center()
	return boxOutput{rect: &b, Center: &point{x, y}}
}

type atParams struct {
	X      *float64 `json:"x"`
	Y      *float64 `json:"y"`
	Radius *float64 `json:"radius,omitempty"`
	Limit  *int     `json:"limit,omitempty"`
}

func (p *atParams) check() error {
	if p.X == nil || p.Y == nil {
		return errors.New("x and y are both needed")
	}
	if p.Radius != nil && !(*p.Radius > 0) {
		return fmt.Errorf("radius: %g: want more than 0 CSS px", *p.Radius)
	}
	return nil
}

// elementAt is an element as elementsAt tells of it (seed 11.9).
type elementAt struct {
	X         *float64 `json:"x,omitempty"` // of a batch, what was asked
	Y         *float64 `json:"y,omitempty"`
	Ref       string   `json:"ref,omitempty"`
	Existing  *bool    `json:"existing,omitempty"` // it had the ref before
	Tag       string   `json:"tag,omitempty"`
	Selector  string   `json:"selector,omitempty"`
	Clickable *bool    `json:"clickable,omitempty"`
	Role      string   `json:"role,omitempty"`
	Name      string   `json:"name,omitempty"`
	Distance  *float64 `json:"distance,omitempty"` // to its middle, CSS px
	Box       *rect    `json:"box,omitempty"`
	Error     string   `json:"error,omitempty"`
}

// batchOutput and nearbyOutput are the answers to several points and to a circle.
type batchOutput struct {
	Count    int         `json:"count"`
	Elements []elementAt `json:"elements"`
}

type nearbyOutput struct {
	Center   point       `json:"center"`
	Radius   float64     `json:"radius"`
	Count    int         `json:"count"`
	Elements []elementAt `json:"elements"`
}

// maxPoints is how many points may be asked about at once.
const maxPoints = 200

func parseElementsAt(raw json.RawMessage) (Work, error) {
	if shape(raw) == "array" {
		var list []json.RawMessage
		if err := decode(raw, &list); err != nil {
			return nil, err
		}
		if len(list) == 0 || len(list) > maxPoints {
			return nil, fmt.Errorf("%d points: want 1 to %d", len(list), maxPoints)
		}
		points := make([]point, len(list))
		for i, raw := range list {
			var p struct {
				X *float64 `json:"x"`
				Y *float64 `json:"y"`
			}
			if err := decode(raw, &p); err != nil {
				return nil, fmt.Errorf("point %d: %w", i+1, err)
			}
			if p.X == nil || p.Y == nil {
				return nil, fmt.Errorf("point %d: x and y are both needed", i+1)
			}
			points[i] = point{*p.X, *p.Y}
		}
		return func(ctx context.Context, r *Runner) (any, error) {
			list, err := r.at(ctx, points)
			if err != nil {
				return nil, err
			}
			out := &batchOutput{Elements: list}
			for i := range list {
				list[i].X, list[i].Y = &points[i].X, &points[i].Y
				if list[i].Error == "" {
					out.Count++
				}
			}
			return out, nil
		}, nil
	}
	var p atParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Radius == nil {
		if p.Limit != nil {
			return nil, errors.New("limit belongs to radius")
		}
		return func(ctx context.Context, r *Runner) (any, error) {
			list, err := r.at(ctx, []point{{*p.X, *p.Y}})
			if err != nil {
				return nil, err
			}
			if list[0].Error != "" {
				return nil, &action.NotFoundError{What: fmt.Sprintf("element at %g,%g", *p.X, *p.Y), Hint: "points are CSS px of the viewport"}
			}
			return list[0], nil
		}, nil
	}
	limit, err := limitOf(p.Limit, 20)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.nearby(ctx, &p, limit) }, nil
}

// at is what a click at each of the points would land on.
func (r *Runner) at(ctx context.Context, points []point) ([]elementAt, error) {
	out := make([]elementAt, len(points))
	hits := make([]*found, len(points))
	for i, p := range points {
		el, ok, err := r.page.At(ctx, p.X, p.Y)
		if err != nil {
			return nil, err
		}
		if ok {
			hits[i] = &found{Element: el}
		} else {
			out[i].Error = "there is no element at this point"
		}
	}
	v, err := r.readAll(ctx)
	if err != nil {
		return nil, err
	}
	known := r.elements.Known() // what is told of here is known from then on
	for i, f := range hits {
		if f == nil {
			continue
		}
		n, err := v.nodeOf(ctx, f.Element)
		var stale *action.StaleError
		switch {
		case errors.As(err, &stale):
			out[i].Error = "the element is gone already"
			continue
		case err != nil:
			return nil, err
		}
		r.elements.Give(v.c, n)
		out[i] = r.elementAt(n, known)
	}
	return out, nil
}

// readAll reads the page and sees all frames, whichever is the present one: points are
// of the whole viewport.
func (r *Runner) readAll(ctx context.Context) (*view, error) {
	c, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	return &view{c: c, t: snapshot.NewTree(c)}, nil
}

// elementAt tells of an element; it existed where its number is known.
func (r *Runner) elementAt(n *snapshot.Node, known int) elementAt {
	existing, clickable, box := n.Ref <= known, isClickable(n), rectOf(n.Box)
	return elementAt{Ref: r.spell(n.Ref), Existing: &existing, Tag: n.Tag, Selector: n.Path, Clickable: &clickable,
		Role: n.Role, Name: cut(strings.Join(strings.Fields(n.Name), " "), 300), Box: &box}
}

// isClickable: by evidence, not by the cursor that it inherits.
func isClickable(n *snapshot.Node) bool {
	return slices.ContainsFunc(n.Interactive, func(e string) bool { return e != "contenteditable" }) && !n.States.Is("disabled")
}

// nearby are the visible elements whose middle lies in a circle, nearest first.
func (r *Runner) nearby(ctx context.Context, p *atParams, limit int) (any, error) {
	v, err := r.readAll(ctx)
	if err != nil {
		return nil, err
	}
	a, err := find.Search(v.c, find.Query{Near: &find.Near{X: *p.X, Y: *p.Y, Radius: *p.Radius}, Limit: -1})
	if err != nil {
		return nil, err
	}
	known := r.elements.Known()
	out := &nearbyOutput{Center: point{*p.X, *p.Y}, Radius: *p.Radius, Elements: []elementAt{}}
	for _, m := range a.Matches {
		n := v.t.Node(m.Node)
		if !n.Visible || len(out.Elements) == limit {
			continue
		}
		e := r.elementAt(n, known)
		d := math.Round(*m.Distance*10) / 10
		e.Distance = &d
		out.Elements = append(out.Elements, e)
	}
	out.Count = len(out.Elements)
	return out, nil
}
