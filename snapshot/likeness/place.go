package likeness

import (
	"image"
	"math"
)

// Place is the part of a page's picture that another picture shows.
type Place struct {
	// X, Y, Width and Height are in px of the page's picture. The part may reach out of it: by the
	// scroll bars, which the page's picture lacks, or where Scrolled is set.
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// ScaleX and ScaleY are px of the other picture for one of the page's. They are equal but for a
	// picture that was stretched.
	ScaleX float64 `json:"scaleX"`
	ScaleY float64 `json:"scaleY"`
	// Score is how alike the two are there, 0 to 1: the share of the edges of both that are edges of
	// the other one too.
	Score float64 `json:"score"`
	// Cropped: it is not the whole of the page's picture.
	Cropped bool `json:"cropped,omitempty"`
	// Scrolled: the other one was taken when the page was scrolled to another place. Y is negative
	// where it begins above the page's picture, and Score is that of what both show.
	Scrolled bool `json:"scrolled,omitempty"`

	edges *edges // what agrees where
}

// fit maps px of the shown picture to px of the page's: page = x + shown / sx.
type fit struct{ x, y, sx, sy float64 }

// enough is the score from which no other place is looked for: so much of two pictures of one page
// agrees although marks are drawn on one.
const enough = 0.7

// leastScore is the score of a place that is one: two other pages agree less.
const leastScore = 0.3

// working is the size in px at which pictures are compared: more costs time and adds nothing.
const working = 1 << 20

// Locate finds the part of the page's picture that the other one shows, to about a quarter of a px:
// the whole of it or a crop, at any scale from 0.2 to 4, with or without scroll bars, or as the page
// was scrolled elsewhere. The scale is the same both ways, unless only a picture that was stretched
// fits. density is px of the page's picture for one CSS px.
//
// The whole view is tried first, then crops at the scales that programs crop at: px for px, CSS px,
// the page's whole width or its whole height. Else points with much around them are matched. What
// is found is aligned by all edges. Without a place, or where two places fit equally well,
// the score is 0.
//
// Where boxes around the page's elements are most of what the other picture shows, it is the whole view, and Score is
// the share of the elements that have one. marked is the zero value where no elements are known.
func Locate(page, shown image.Image, density float64, marked Marked) Place {
	ours, theirs := shadesOf(page), shadesOf(shown)
	if min(ours.w, ours.h, theirs.w, theirs.h) < leastSide {
		return Place{}
	}
	if !(density > 0) {
		density = 1
	}
	p := &pair{page: ours, shown: theirs, density: density}
	best, at := p.whole()
	for _, find := range []func() (fit, *edges){p.cropped, p.matched} {
		if at.score() >= enough {
			break
		}
		if f, other := find(); other.score() > at.score() {
			best, at = f, other
		}
	}
	if at.score() < enough {
		if f, e, share := p.marked(marked); share > at.score() {
			out := p.place(f, e)
			out.Score = share
			return out
		}
	}
	if at.score() < leastScore {
		return Place{}
	}
	out := p.place(best, at)
	if out.Cropped && p.twice(best, at) {
		return Place{}
	}
	return out
}

// leastSide is the shorter side in px of a picture that can be found in another one.
const leastSide = 24

// pair is a page's picture and the one that is looked for in it.
type pair struct {
	page, shown *shades
	density     float64
}

// place describes a fit.
func (p *pair) place(f fit, e *edges) Place {
	w, h := float64(p.page.w), float64(p.page.h)
	out := Place{X: f.x, Y: f.y, Width: float64(p.shown.w) / f.sx, Height: float64(p.shown.h) / f.sy, ScaleX: f.sx,
		ScaleY: f.sy,
		Score:  e.score(), edges: e}
	// A scroll bar is at the end of what the page shows, or before it on pages from right to left.
	const moved = 1.5 // px
	bar := 40 * p.density
	past := func(from, size, all float64) bool {
		return size < 1.2*all && (from < -moved || from > moved && from+size > all+moved || from+size > all+bar)
	}
	out.Scrolled = past(out.Y, out.Height, h) || past(out.X, out.Width, w) && (out.X > 0 || out.X < -bar)
	out.Cropped = !out.Scrolled && (out.Width < 0.98*w || out.Height < 0.98*h)
	return out
}

// wholes are the fits at which the whole view is shown, and a scroll bar, that begin where the page's does.
func (p *pair) wholes() []fit {
	pw, ph, sw, sh := float64(p.page.w), float64(p.page.h), float64(p.shown.w), float64(p.shown.h)
	var out []fit
	for _, s := range []float64{sw / pw, sh / ph, 1, 1 / p.density, min(sw/(pw+15*p.density), sh/(ph+15*p.density)),
		sw / (pw + 15*p.density)} {
		if f := (fit{0, 0, s, s}); p.isWhole(f) {
			out = append(out, f)
		}
	}
	return out
}

// isWhole reports whether a fit shows the whole view, and no more than a scroll bar beside.
func (p *pair) isWhole(f fit) bool {
	pw, ph, w, h := float64(p.page.w), float64(p.page.h), float64(p.shown.w)/f.sx, float64(p.shown.h)/f.sy
	return w >= 0.97*pw && h >= 0.97*ph && w <= 1.1*pw+40*p.density && h <= 1.1*ph+40*p.density
}

// whole tries the fits of a picture of the whole view, which begin where the page's does.
func (p *pair) whole() (fit, *edges) {
	pw, ph, sw, sh := float64(p.page.w), float64(p.page.h), float64(p.shown.w), float64(p.shown.h)
	var best fit
	var at *edges
	coarse := 0.0
	try := func(f fit) {
		if f, e := p.aligned(f, rough); e.score() > coarse {
			best, at, coarse = f, e, e.score()
		}
	}
	for _, f := range p.wholes() {
		if try(f); coarse > 0.9 {
			break
		}
	}
	if coarse < 0.97 && math.Abs(math.Log(sw/sh*ph/pw)) < math.Log(2) {
		isotropic, kept, was := best, at, coarse
		for bar := 0.0; bar <= 42*p.density; bar += 6 * p.density {
			if f := (fit{0, 0, sw / (pw + bar), sh / ph}); p.isWhole(f) {
				try(f)
			}
		}
		if coarse < was+min(0.1, (1-was)/2) { // not proved
			best, at = isotropic, kept
		}
	}
	if at.score() < leastScore {
		return best, at
	}
	return p.aligned(best, working)
}

// How far around a place is looked, CSS px: at what lies there, and at its surroundings.
const (
	near16 = 16
	near48 = 48
)

// Shows reports whether the page's picture shows around a place what the other picture does; x and
// y are px of that one. A mark that is drawn over it is no difference, where the surroundings agree;
// another text, something that has gone or come since, and what only one of the two shows is one.
func (p Place) Shows(x, y float64) bool {
	e := p.edges
	if e == nil || p.X+x/p.ScaleX < 0 || p.Y+y/p.ScaleY < 0 {
		return false
	}
	here := e.within(x, y, near16*e.scale)
	const few = 12
	switch {
	case here[pageEdges] >= few:
		if here[pageKept] >= 0.5*here[pageEdges] {
			return true
		}
	case here[shownEdges]-here[shownKept] < few:
		return true // empty in both
	default: // a mark in an empty place, where the picture lacks nothing of the page
		all := e.within(0, 0, math.Inf(1))
		return all[pageKept] >= 0.9*all[pageEdges]
	}
	around := e.within(x, y, near48*e.scale)
	return around[pageEdges] >= 4*few && around[pageKept] >= 0.6*around[pageEdges]
}
