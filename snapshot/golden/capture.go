package golden

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
)

// Capture is a copy of the capture with all page text normalised, and without what is
// true of one run only: times, identities of the browser, events, console, samples of
// hit tests. Coordinates are rounded to a hundredth of a CSS px. So an unchanged page
// gives equal captures on every run of one browser. It describes what was replaced, by rule
// in the order of the page.
func (n *Normaliser) Capture(c *snapshot.Capture) (*snapshot.Capture, []Replaced) {
	var t tally
	text := func(s *string) { *s = n.apply(*s, &t) }
	out := *c
	code := func(s *string) { *s = n.unread(*s, &t) }
	code(&out.URL)
	text(&out.Title)
	out.TakenAt, out.ObservedFrom, out.Chrome = time.Time{}, time.Time{}, ""
	out.Mutations, out.Console, out.Dialogs, out.Network = nil, nil, nil, nil
	out.Timings, out.Moment = snapshot.Timings{}, snapshot.Moment{Torn: c.Moment.Torn}

	out.Page.Preview = n.apply(c.Page.Preview, &tally{}) // elements have it too
	text(&out.Page.Description)
	out.Page.Landmarks = slices.Clone(c.Page.Landmarks)
	for i := range out.Page.Landmarks {
		text(&out.Page.Landmarks[i].Name)
	}
	out.Page.Overlays = slices.Clone(c.Page.Overlays)
	for i := range out.Page.Overlays {
		text(&out.Page.Overlays[i].Title)
	}
	out.Page.Grid = nil
	out.Frames = slices.Clone(c.Frames)
	for i := range out.Frames {
		f := &out.Frames[i]
		code(&f.URL)
		code(&f.Origin)
		text(&f.Why)
		f.ID, f.Loader = "", ""
		f.Offset[0], f.Offset[1] = round(f.Offset[0]), round(f.Offset[1])
	}
	out.Failed = slices.Clone(c.Failed)
	for i := range out.Failed {
		text(&out.Failed[i].Why)
	}
	out.Nodes = slices.Clone(c.Nodes)
	for i := range out.Nodes {
		n.node(&out.Nodes[i], &t)
	}
	return &out, t.list
}

// node normalises one node, whose parts the copy still shares with the original.
func (n *Normaliser) node(x *snapshot.Node, t *tally) {
	x.BackendNodeID, x.UID = 0, 0
	// A text and the name that comes from it are one text to a person, and count once.
	uncounted := func(s *string) { *s = n.apply(*s, &tally{}) }
	x.Text = n.apply(x.Text, t)
	if x.Text == "" && x.Name != "" {
		x.Name = n.apply(x.Name, t)
	} else {
		uncounted(&x.Name)
	}
	x.Description = n.apply(x.Description, t)
	x.Value = n.apply(x.Value, t)
	uncounted(&x.Evidence)
	x.Runs = slices.Clone(x.Runs)
	for i := range x.Runs {
		uncounted(&x.Runs[i].Text)
	}
	if len(x.Attrs) > 0 {
		attrs := make(map[string]string, len(x.Attrs))
		for _, k := range slices.Sorted(maps.Keys(x.Attrs)) {
			if strings.Contains(readAttrs, " "+k+" ") {
				attrs[k] = n.apply(x.Attrs[k], t)
			} else {
				attrs[k] = n.unread(x.Attrs[k], t)
			}
		}
		x.Attrs = attrs
	}
	x.Box = roundBox(x.Box)
	x.Rects, x.TextRects = slices.Clone(x.Rects), slices.Clone(x.TextRects)
	for i := range x.Rects {
		x.Rects[i] = roundBox(x.Rects[i])
	}
	for i := range x.TextRects {
		x.TextRects[i] = roundBox(x.TextRects[i])
	}
	if x.Clip != nil {
		clip := roundBox(*x.Clip)
		x.Clip = &clip
	}
	if x.Occlusion != nil {
		o := *x.Occlusion
		o.Points = nil
		o.VisibleShare, o.HitShare = round(o.VisibleShare), round(o.HitShare)
		o.Click[0], o.Click[1] = round(o.Click[0]), round(o.Click[1])
		x.Occlusion = &o
	}
	if x.Scroller != nil {
		s := *x.Scroller
		s.Depth, s.Range, s.DepthX, s.RangeX = round(s.Depth), round(s.Range), round(s.DepthX), round(s.RangeX)
		x.Scroller = &s
	}
}

// round is to a hundredth; what is no number becomes 0, which JSON can express.
func round(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	r := math.Round(v*100) / 100
	if math.IsInf(r, 0) {
		return v
	}
	return r + 0 // never -0
}

func roundBox(b snapshot.Box) snapshot.Box {
	return snapshot.Box{round(b[0]), round(b[1]), round(b[2]), round(b[3])}
}

// apart is a shallow copy whose documents have names of their own, so that package
// diff takes numbers and identities of two runs for what they are.
func apart(c *snapshot.Capture, side string) *snapshot.Capture {
	out := *c
	out.Frames = slices.Clone(c.Frames)
	for i := range out.Frames {
		out.Frames[i].ID, out.Frames[i].Loader = side+" "+strconv.Itoa(i), side
	}
	return &out
}
