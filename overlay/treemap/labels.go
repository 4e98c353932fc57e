package treemap

import (
	"cmp"
	"image"
	"slices"
	"strconv"

	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot/text"
)

// Measures in px of a picture with one px for one CSS px.
const (
	labelPx  = 12
	labelPad = 4
	labelRim = 1 // white line around a plate
	minSide  = 6 // smaller regions get no label
	gap      = 2 // between labels
	columns  = 12
	nameMax  = 28 // characters of a region's title on a label
)

// placeLabels finds a place for each label: small regions first, long words before
// short ones.
func (t *Treemap) placeLabels() {
	order := make([]int, 0, len(t.Parts))
	for i := range t.Parts {
		// The page is everywhere, and needs no label.
		if r := t.Parts[i].Rect; i > 0 && r.Dx() >= minSide*t.k && r.Dy() >= minSide*t.k {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(geometry.Area(t.Parts[a].Rect), geometry.Area(t.Parts[b].Rect))
	})
	inner := make([][]image.Rectangle, len(t.Parts))
	for i := range t.Parts {
		if up := t.Map.Regions[i].Parent; up >= 0 && !t.Parts[i].Rect.Empty() {
			inner[up] = append(inner[up], t.Parts[i].Rect)
		}
	}
	var taken []image.Rectangle
	for _, i := range order {
		p := &t.Parts[i]
		for _, words := range t.wordings(i) {
			size := image.Pt(t.bold.Width(words)+2*labelPad*t.k, t.bold.Height()+2*labelRim*t.k)
			// Outside the regions inside it, else on one of them.
			at, ok := spot(p.Rect.Inset(2*t.k), size, taken, inner[i])
			if !ok {
				at, ok = spot(p.Rect.Inset(2*t.k), size, taken, nil)
			}
			if ok {
				p.Label, p.Text = at, words
				taken = append(taken, at.Inset(-gap*t.k))
				break
			}
		}
	}
}

// wordings are the possible texts of a label, the best first.
func (t *Treemap) wordings(i int) []string {
	r := &t.Map.Regions[i]
	number := strconv.Itoa(i)
	share := percent(r.Share)
	return []string{
		number + "  " + text.Cut(r.Title(), nameMax) + "  " + text.Thousands(r.All.Tokens) + "  " + share,
		number + "  " + share,
		number,
	}
}

// spot looks for room in r, from its top left corner on in rows.
func spot(r image.Rectangle, size image.Point, taken, avoid []image.Rectangle) (image.Rectangle, bool) {
	free := func(at image.Rectangle) bool {
		for _, list := range [][]image.Rectangle{taken, avoid} {
			for _, o := range list {
				if at.Overlaps(o) {
					return false
				}
			}
		}
		return true
	}
	if size.X > r.Dx() || size.Y > r.Dy() {
		return image.Rectangle{}, false
	}
	for y := r.Min.Y; y+size.Y <= r.Max.Y; y += size.Y + gap {
		for k := range columns {
			x := r.Min.X + k*(r.Dx()-size.X)/(columns-1)
			at := image.Rectangle{Min: image.Pt(x, y), Max: image.Pt(x, y).Add(size)}
			if free(at) {
				return at, true
			}
		}
	}
	return image.Rectangle{}, false
}
