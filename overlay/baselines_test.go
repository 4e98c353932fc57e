package overlay

import (
	"image"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// rule is how another system puts its labels, written after the description in
// research/som.md, section 1: the sizes follow each system's own font rule at this
// picture's size. Boxes are the scene's; labels come in the order of painting.
type rule struct {
	name  string
	place func(picture image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle
}

// sized is a rectangle of a size at a place.
func sized(x, y, w, h int) image.Rectangle { return image.Rect(x, y, x+w, y+h) }

// each is a rule that looks at one box at a time.
func each(at func(picture, box image.Rectangle, digits int) image.Rectangle) func(image.Rectangle, []image.Rectangle,
	[]int) []image.Rectangle {
	return func(picture image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
		out := make([]image.Rectangle, len(boxes))
		for i := range boxes {
			out[i] = at(picture, boxes[i], digits[i])
		}
		return out
	}
}

func rules() []rule {
	return []rule{
		// 1.4: 12 px digits, padding 2 and 4, 19 px above the box, not above the page.
		{"WebVoyager/SeeAct", each(func(_, b image.Rectangle, d int) image.Rectangle {
			return sized(b.Min.X, max(0, b.Min.Y-19), 7*d+8, 18)
		})},
		// 1.3: 12 px digits, margin 2, across the top edge at the left.
		{"BrowserGym", each(func(_, b image.Rectangle, d int) image.Rectangle {
			const h = 14
			return sized(b.Min.X, b.Min.Y-h/2+4, 7*d+4, h)
		})},
		// 1.8: 11 px digits in a line of 14 px, above the box, or inside at the top edge.
		{"agent-browser", each(func(_, b image.Rectangle, d int) image.Rectangle {
			y := b.Min.Y - 14
			if b.Min.Y < 14 {
				y = b.Min.Y + 2
			}
			return sized(b.Min.X-2, y, 7*d+6, 14)
		})},
		// 1.6: ids of four digits, font 1 % and padding 0.5 % of the width; at the top
		// inside, above where the box is small; kept in the picture.
		{"browser-use", each(func(pic, b image.Rectangle, _ int) image.Rectangle {
			font := min(max(pic.Dx()/100, 10), 20)
			pad := min(max(pic.Dx()/200, 4), 10)
			w, h := 4*font*7/10+2*pad, font+2*pad
			r := sized((b.Min.X+b.Max.X-w)/2, b.Min.Y+2, w, h)
			if b.Dx() < 60 || b.Dy() < 30 {
				r = sized((b.Min.X+b.Max.X-w)/2, b.Min.Y-h-5, w, h)
			}
			return pushInto(r, pic)
		})},
		{"VisualWebArena", visualWebArena},
		{"OmniParser", omniParser},
		{"midscene", midscene},
		{"supervision smart", supervision},
	}
}

// visualWebArena (1.2): 16 px digits, padding 2; the first of seven outer corners
// that is in the picture and clear of earlier labels by a test that is 4 px too
// kind; else the last one tried. Boxes under 8 px and over 80 % of the picture have
// none.
func visualWebArena(pic image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
	out := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		if b.Dx() < 8 || b.Dy() < 8 || 5*area(b) > 4*area(pic) {
			continue
		}
		w, h := 10*digits[i]+4, 20
		for _, at := range []image.Point{
			{b.Min.X, b.Min.Y - h}, {b.Min.X - w, b.Min.Y}, {b.Max.X, b.Min.Y}, {b.Max.X - w, b.Min.Y - h},
			{b.Min.X, b.Max.Y}, {b.Max.X - w, b.Max.Y}, {b.Min.X - w, b.Max.Y - h},
		} {
			out[i] = sized(at.X, at.Y, w, h)
			clear := out[i].In(pic)
			for _, l := range out[:i] {
				clear = clear && !out[i].Inset(4).Overlaps(l)
			}
			if clear {
				break
			}
		}
	}
	return out
}

// omniParser (1.5): sizes in proportion to the longer side; above, left, right and
// above at the right in turn, until no box shares over 30 %; labels are not looked
// at; else the last one.
func omniParser(pic image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
	out := make([]image.Rectangle, len(boxes))
	side := max(pic.Dx(), pic.Dy())
	for i, b := range boxes {
		pad := 3 * side / 3200
		w, h := (digits[i]*5+1)*side/1280+2*pad, 8*side/1280+2*pad
		for _, at := range []image.Point{
			{b.Min.X, b.Min.Y - h}, {b.Min.X - w, b.Min.Y}, {b.Max.X, b.Min.Y}, {b.Max.X - w, b.Min.Y - h},
		} {
			out[i] = sized(at.X, at.Y, w, h)
			clear := out[i].In(pic)
			for _, o := range boxes {
				if a := common(out[i], o); 10*a > 3*min(area(out[i]), area(o)) {
					clear = false
					break
				}
			}
			if clear {
				break
			}
		}
	}
	return out
}

// midscene (1.7): digits of 10 by 14 px on boxes padded by 5; left, top, bottom and
// right of that, clear of the boxes of earlier elements; else inside at the top
// left.
func midscene(pic image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
	out := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		p := b.Inset(-5)
		w, h := 12*digits[i]+4, 18
		places := []image.Rectangle{
			sized(p.Min.X-w, (p.Min.Y+p.Max.Y-h)/2, w, h), sized((p.Min.X+p.Max.X-w)/2, p.Min.Y-h, w, h),
			sized((p.Min.X+p.Max.X-w)/2, p.Max.Y, w, h), sized(p.Max.X, (p.Min.Y+p.Max.Y-h)/2, w, h),
		}
		out[i] = sized(p.Min.X, p.Min.Y, w, h)
		for _, r := range places {
			clear := r.In(pic)
			for _, o := range boxes[:i] {
				clear = clear && !r.Overlaps(o.Inset(-5))
			}
			if clear {
				out[i] = r
				break
			}
		}
	}
	return out
}

// supervision (1.10): labels above their boxes push each other apart, up to a
// hundred times: ten px for each unit of intersection over union, along the summed
// distances of the centres, at least two, in whole px; then back into the picture.
func supervision(pic image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
	out := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		const h = 16
		out[i] = sized(b.Min.X, b.Min.Y-h, 7*digits[i]+8, h)
	}
	type vec struct{ x, y, iou float64 }
	for range 100 {
		push := make([]vec, len(out))
		for i := range out {
			for k := range i {
				a := common(out[i], out[k])
				if a == 0 {
					continue
				}
				iou := float64(a) / float64(area(out[i])+area(out[k])-a)
				d := out[i].Min.Add(out[i].Max).Sub(out[k].Min.Add(out[k].Max))
				for _, at := range []struct {
					of   *vec
					sign float64
				}{{&push[i], 1}, {&push[k], -1}} {
					at.of.x += at.sign * float64(d.X) / 2
					at.of.y += at.sign * float64(d.Y) / 2
					at.of.iou += iou
				}
			}
		}
		moved := false
		for i, v := range push {
			if v.iou == 0 {
				continue
			}
			moved = true
			long := max(1, abs(v.x)+abs(v.y))
			by := max(2, 10*v.iou)
			out[i] = out[i].Add(image.Pt(int(v.x/long*by), int(v.y/long*by)))
		}
		if !moved {
			break
		}
	}
	for i := range out {
		out[i] = pushInto(out[i], pic)
	}
	return out
}

func abs(v float64) float64 { return max(v, -v) }

// TestBaselines compares the placement with those of the systems of the study, on
// all layouts: no rule has fewer labels on each other, hidden, or on a stranger.
// With -v it prints the table.
func TestBaselines(t *testing.T) {
	all := crowds()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	t.Logf("%-20s %-18s %5s %8s %6s %4s %8s %6s %6s %8s %6s", "layout", "system", "marks", "overlaps", "hidden", "off",
		"misled", "buried", "on %", "px away", "ms")
	for _, name := range names {
		p := all[name]
		s := NewScene(p.c, image.Pt(int(p.c.Viewport.Width), int(p.c.Viewport.Height)), Options{View: ViewModel})
		picture := image.Rectangle{Max: s.size}
		var of []*Mark
		var boxes []image.Rectangle
		var digits []int
		for i := range s.marks {
			if m := &s.marks[i]; m.shown(ViewModel) {
				of, boxes, digits = append(of, m), append(boxes, m.Rects[0].Intersect(picture)), append(digits, len(m.label))
			}
		}
		show := func(system string, c score, took time.Duration) {
			t.Logf("%-20s %-18s %5d %8d %6d %4d %8d %6d %6.1f %8.1f %6.1f", name, system, c.drawn, c.overlaps, c.hidden, c.off,
				c.misled, c.buried, c.foreign, c.distance, took.Seconds()*1000)
		}
		began := time.Now()
		NewScene(p.c, s.size, Options{View: ViewModel})
		took := time.Since(began)
		ours := s.ours()
		show("Refscope", ours, took)
		for _, r := range rules() {
			began := time.Now()
			labels := r.place(picture, boxes, digits)
			took := time.Since(began)
			c := s.count(of, labels)
			show(r.name, c, took)
			require.LessOrEqual(t, ours.overlaps, c.overlaps, "%s: %s has fewer overlaps", name, r.name)
			require.LessOrEqual(t, ours.hidden, c.hidden, "%s: %s has fewer hidden labels", name, r.name)
			require.LessOrEqual(t, ours.misled, c.misled, "%s: %s has fewer labels on strangers", name, r.name)
		}
	}
}
