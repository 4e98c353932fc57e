package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/refscope/refscope/snapshot/text"
)

// GeometrySteps are the steps about where elements are (seed 11.8 and 11.9).
func GeometrySteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(getBox, stepdef.StepDef{
			Name: "getBox", Summary: "where elements are, by ref",
			Forms: []param.Form{
				{`"s1e4"`, "one ref"},
				{`["s1e4","s1e5"]`, "several; each may have an error of its own"},
				{`{"refs":["s1e4"]}`, "the same as an object; {ref} for one"},
			},
		}),
		stepdef.Define(elementsAt, stepdef.StepDef{
			Name: "elementsAt", Summary: "which elements are at or near points",
			Forms: []param.Form{
				{`{"x":100,"y":200}`, "what is at a point of the viewport, CSS px; it gets a ref"},
				{`[{"x":100,"y":200},{"x":300,"y":40}]`, "at several points"},
				{`{"x":100,"y":200,"radius":50,"limit":20}`, "what has its middle near a point, nearest first"},
			},
		}),
	}
}

// boxOutput is where one element is (seed 11.8).
type boxOutput struct {
	Error   string `json:"error,omitempty"` // not found, stale, hidden
	Message string `json:"message,omitempty"`
	*stepdef.Rect
	Center *stepdef.Point `json:"center,omitempty"`
	// Box is that of a hidden element.
	Box *stepdef.Rect `json:"box,omitempty"`
}

type getBoxParams struct {
	_    struct{}       `want:"a ref, a list of refs or an object"`
	Ref  *element.Text  `json:"ref,omitempty" finds:"ref" form:"string,number" what:"one ref"`
	Refs []element.Text `json:"refs,omitempty" finds:"ref" form:"array" what:"several refs"`
}

// CheckParams refuses what is no ref.
func (p *getBoxParams) CheckParams() error {
	if (p.Ref == nil) == (p.Refs == nil) {
		return errors.New("give one of ref and refs")
	}
	list := p.list()
	if len(list) == 0 || len(list) > stepdef.MaxItems {
		return fmt.Errorf("%d refs: want 1 to %d", len(list), stepdef.MaxItems)
	}
	for _, s := range list {
		if !element.IsRef(string(s)) {
			return fmt.Errorf("%q is not a ref: write its number as in the snapshot, such as 12", string(s))
		}
	}
	return nil
}

func (p *getBoxParams) list() []element.Text {
	if p.Ref != nil {
		return []element.Text{*p.Ref}
	}
	return p.Refs
}

func getBox(ctx context.Context, e *stepdef.Env, p *getBoxParams) (any, error) {
	refs := p.list()
	v, err := e.Read(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := map[string]boxOutput{}
	for _, s := range refs {
		out[string(s)] = box(ctx, e, v, string(s))
	}
	if p.Ref != nil {
		return out[string(*p.Ref)], nil
	}
	return out, nil
}

// box is where the very element of a ref is in a reading; a substitute has a ref of its
// own.
func box(ctx context.Context, e *stepdef.Env, v *stepdef.View, ref string) boxOutput {
	id, err := e.Elements.Identity(ctx, ref)
	var none *action.NotFoundError
	switch {
	case errors.As(err, &none):
		return boxOutput{Error: "not found", Message: err.Error()}
	case err != nil:
		return boxOutput{Error: "stale", Message: err.Error()}
	}
	n := v.Node(id.Frame, id.Loader, id.UID)
	if n == nil {
		n = v.Capture.ByRef(id.Ref)
	}
	if n == nil {
		return boxOutput{Error: "stale", Message: "the element is not in the document any more: take a new snapshot"}
	}
	b := stepdef.RectOf(n.Box)
	if !n.Visible || n.Box.Empty() {
		return boxOutput{Error: "hidden", Message: n.Evidence, Box: &b}
	}
	x, y := n.Box.Center()
	return boxOutput{Rect: &b, Center: &stepdef.Point{X: x, Y: y}}
}

type atParams struct {
	Points []pointParams `json:"-" form:"array" item:"point"`
	X      *float64      `json:"x" unit:"CSS px" what:"from the viewport's left edge"`
	Y      *float64      `json:"y" unit:"CSS px" what:"from the viewport's upper edge"`
	_      struct{}      `next:"" over:"0" unit:"CSS px"`
	Radius *float64      `json:"radius,omitempty" what:"what has its middle near the point, nearest first"`
	stepdef.Limit
}

// pointParams is one of several points.
type pointParams struct {
	X *float64 `json:"x"`
	Y *float64 `json:"y"`
}

// CheckParams refuses half a point.
func (p *pointParams) CheckParams() error {
	if p.X == nil || p.Y == nil {
		return errors.New("x and y are both needed")
	}
	return nil
}

// CheckParams refuses no points, and half ones.
func (p *atParams) CheckParams() error {
	switch {
	case p.Points == nil && p.Radius == nil && p.Limit.Limit != nil:
		return errors.New("limit belongs to radius")
	case p.Points == nil:
		return (&pointParams{p.X, p.Y}).CheckParams()
	case len(p.Points) == 0 || len(p.Points) > maxPoints:
		return fmt.Errorf("%d points: want 1 to %d", len(p.Points), maxPoints)
	}
	return nil
}

// elementAt is an element as elementsAt reports it (seed 11.9).
type elementAt struct {
	X         *float64      `json:"x,omitempty"` // of a batch, what was asked
	Y         *float64      `json:"y,omitempty"`
	Ref       string        `json:"ref,omitempty"`
	Existing  *bool         `json:"existing,omitempty"` // it had the ref before
	Tag       string        `json:"tag,omitempty"`
	Selector  string        `json:"selector,omitempty"`
	Clickable *bool         `json:"clickable,omitempty"`
	Role      string        `json:"role,omitempty"`
	Name      string        `json:"name,omitempty"`
	Distance  *float64      `json:"distance,omitempty"` // to its middle, CSS px
	Box       *stepdef.Rect `json:"box,omitempty"`
	Error     string        `json:"error,omitempty"`
}

// batchOutput and nearbyOutput are the answers to several points and to a circle.
type batchOutput struct {
	Count    int         `json:"count"`
	Elements []elementAt `json:"elements"`
}

type nearbyOutput struct {
	Center   stepdef.Point `json:"center"`
	Radius   float64       `json:"radius"`
	Count    int           `json:"count"`
	Elements []elementAt   `json:"elements"`
}

// maxPoints is how many points may be asked about at once.
const maxPoints = 200

func elementsAt(ctx context.Context, e *stepdef.Env, p *atParams) (any, error) {
	if p.Radius != nil {
		return nearby(ctx, e, p)
	}
	if p.Points == nil {
		list, err := pointed(ctx, e, []stepdef.Point{{X: *p.X, Y: *p.Y}})
		if err != nil {
			return nil, err
		}
		if list[0].Error != "" {
			return nil, &action.NotFoundError{What: fmt.Sprintf("element at %g,%g", *p.X, *p.Y),
				Hint: "points are CSS px of the viewport"}
		}
		return list[0], nil
	}
	points := make([]stepdef.Point, len(p.Points))
	for i, one := range p.Points {
		points[i] = stepdef.Point{X: *one.X, Y: *one.Y}
	}
	list, err := pointed(ctx, e, points)
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
}

// pointed is what a click at each of the points would land on.
func pointed(ctx context.Context, e *stepdef.Env, points []stepdef.Point) ([]elementAt, error) {
	out := make([]elementAt, len(points))
	hits := make([]*element.Found, len(points))
	for i, p := range points {
		el, ok, err := e.Page.At(ctx, p.X, p.Y)
		if err != nil {
			return nil, err
		}
		if ok {
			hits[i] = &element.Found{Element: el}
		} else {
			out[i].Error = "there is no element at this point"
		}
	}
	v, err := readAll(ctx, e)
	if err != nil {
		return nil, err
	}
	known := e.Elements.Known() // what is reported here is known from then on
	for i, f := range hits {
		if f == nil {
			continue
		}
		n, err := v.NodeOf(ctx, f.Element)
		var stale *action.StaleError
		switch {
		case errors.As(err, &stale):
			out[i].Error = "the element is gone already"
			continue
		case err != nil:
			return nil, err
		}
		e.Elements.Give(v.Capture, n)
		out[i] = describe(e, v, n, known)
	}
	return out, nil
}

// readAll reads the page and sees all frames, whichever is the present one: points are
// of the whole viewport.
func readAll(ctx context.Context, e *stepdef.Env) (*stepdef.View, error) {
	c, err := e.Look(ctx)
	if err != nil {
		return nil, err
	}
	return &stepdef.View{Capture: c, Tree: snapshot.NewTree(c)}, nil
}

// describe is an element in the answer; it existed where its number is known.
func describe(e *stepdef.Env, v *stepdef.View, n *snapshot.Node, known int) elementAt {
	existing, clickable, box := n.Ref <= known, isClickable(n), stepdef.RectOf(n.Box)
	return elementAt{Ref: e.Elements.Spell(n.Ref), Existing: &existing, Tag: n.Tag, Selector: v.Selector(n),
		Clickable: &clickable,
		Role:      n.Role, Name: text.Start(text.CollapseSpace(n.Name), 300), Box: &box}
}

// isClickable: by evidence, not by the cursor that it inherits.
func isClickable(n *snapshot.Node) bool {
	return slices.ContainsFunc(n.Interactive, func(e string) bool { return e != "contenteditable" }) &&
		!n.States.Is("disabled")
}

// nearby are the visible elements whose middle lies in a circle, nearest first.
func nearby(ctx context.Context, e *stepdef.Env, p *atParams) (any, error) {
	v, err := readAll(ctx, e)
	if err != nil {
		return nil, err
	}
	a, err := find.Search(v.Capture, find.Query{Near: &find.Near{X: *p.X, Y: *p.Y, Radius: *p.Radius}, Limit: -1})
	if err != nil {
		return nil, err
	}
	known := e.Elements.Known()
	out := &nearbyOutput{Center: stepdef.Point{X: *p.X, Y: *p.Y}, Radius: *p.Radius, Elements: []elementAt{}}
	for _, m := range a.Matches {
		n := v.Tree.Node(m.Node)
		if !n.Visible || len(out.Elements) == p.Or(20) {
			continue
		}
		one := describe(e, v, n, known)
		d := math.Round(*m.Distance*10) / 10
		one.Distance = &d
		out.Elements = append(out.Elements, one)
	}
	out.Count = len(out.Elements)
	return out, nil
}
