package readability

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strconv"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
	"github.com/refscope/refscope/overlay/geometry"
)

// System is how a published system draws its marks, written after a description of its
// source (the numbers at each are those of its sections): sizes follow its own font rule at
// the size of the picture.
type System struct {
	Name string
	// Place returns where the labels lie, in the order of the boxes and of painting. Digits
	// are the lengths of the numbers. An empty rectangle is no label.
	Place func(picture image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle

	digitPx func(picture image.Rectangle) int // height of a digit
	colors  []color.RGBA                      // of the boxes, in turn
	ink     func(plate color.RGBA) color.RGBA // of the digits
	line    int                               // width of a box's line in px
	dash    [2]int                            // px on and off, 0 for a whole line
	out     int                               // px that the line lies outside the box
	opaque  [2]int                            // of box and plate, in percent
	rim     bool                              // a white line of 1 px around the plate
	least   int                               // of its numbers: ids that begin high
}

// Systems are eight published systems.
func Systems() []System {
	black, white := color.RGBA{A: 255}, color.RGBA{255, 255, 255, 255}
	always := func(c color.RGBA) func(color.RGBA) color.RGBA { return func(color.RGBA) color.RGBA { return c } }
	byBrightness := func(plate color.RGBA) color.RGBA {
		if 299*int(plate.R)+587*int(plate.G)+114*int(plate.B) > 160_000 {
			return black
		}
		return white
	}
	px := func(n int) func(image.Rectangle) int { return func(image.Rectangle) int { return n } }
	whole := [2]int{100, 100}
	return []System{
		// 1.4: 12 px digits, padding 2 and 4, 19 px above the box, not above the page.
		{
			Name: "WebVoyager/SeeAct", line: 2, dash: [2]int{6, 6}, colors: []color.RGBA{black}, ink: always(white),
			digitPx: px(9), opaque: whole,
			Place: each(func(_, b image.Rectangle, d int) image.Rectangle {
				return sized(b.Min.X, max(0, b.Min.Y-19), 7*d+8, 18)
			}),
		},
		// 1.3: 12 px digits, margin 2, across the top edge at the left.
		{
			Name: "BrowserGym", line: 2, dash: [2]int{4, 8}, colors: []color.RGBA{black}, ink: always(white),
			digitPx: px(9), opaque: whole, rim: true,
			Place: each(func(_, b image.Rectangle, d int) image.Rectangle {
				const h = 14
				return sized(b.Min.X, b.Min.Y-h/2+4, 7*d+4, h)
			}),
		},
		// 1.8: 11 px digits in a line of 14 px, above the box, or inside at the top edge.
		{
			Name: "agent-browser", line: 2, colors: []color.RGBA{{255, 0, 0, 255}}, ink: always(white),
			digitPx: px(8), opaque: [2]int{80, 90},
			Place: each(func(_, b image.Rectangle, d int) image.Rectangle {
				y := b.Min.Y - 14
				if b.Min.Y < 14 {
					y = b.Min.Y + 2
				}
				return sized(b.Min.X-2, y, 7*d+6, 14)
			}),
		},
		// 1.6: ids of four digits, font 1 % and padding 0.5 % of the width; at the top
		// inside, above where the box is small; kept in the picture.
		{
			Name: "browser-use", line: 2, dash: [2]int{4, 8}, ink: always(white), opaque: whole, least: 1000,
			colors: []color.RGBA{
				{0xff, 0x6b, 0x6b, 255}, {0x4e, 0xcd, 0xc4, 255}, {0x45, 0xb7, 0xd1, 255}, {0x96, 0xce, 0xb4, 255},
			},
			digitPx: func(pic image.Rectangle) int { return min(max(pic.Dx()/100, 10), 20) * 3 / 4 },
			Place: each(func(pic, b image.Rectangle, _ int) image.Rectangle {
				font := min(max(pic.Dx()/100, 10), 20)
				pad := min(max(pic.Dx()/200, 4), 10)
				w, h := 4*font*7/10+2*pad, font+2*pad
				r := sized((b.Min.X+b.Max.X-w)/2, b.Min.Y+2, w, h)
				if b.Dx() < 60 || b.Dy() < 30 {
					r = sized((b.Min.X+b.Max.X-w)/2, b.Min.Y-h-5, w, h)
				}
				return geometry.PushInto(r, pic)
			}),
		},
		{
			Name: "VisualWebArena", Place: visualWebArena, line: 2, ink: always(white), digitPx: px(12), opaque: whole,
			colors: []color.RGBA{
				{0x1f, 0x77, 0xb4, 255}, {0xff, 0x7f, 0x0e, 255}, {0x2c, 0xa0, 0x2c, 255}, {0xd6, 0x27, 0x28, 255},
				{0x94, 0x67, 0xbd, 255}, {0x8c, 0x56, 0x4b, 255}, {0xe3, 0x77, 0xc2, 255}, {0x7f, 0x7f, 0x7f, 255},
				{0xbc, 0xbd, 0x22, 255}, {0x17, 0xbe, 0xcf, 255},
			},
		},
		{
			Name: "OmniParser", Place: omniParser, line: 1, ink: byBrightness, opaque: whole,
			digitPx: func(pic image.Rectangle) int { return 7 * max(pic.Dx(), pic.Dy()) / 1280 }, colors: annotators(),
		},
		{
			Name: "midscene", Place: midscene, line: 2, out: 5, ink: always(white), digitPx: px(14), opaque: whole,
			colors: []color.RGBA{
				{0xc6, 0x23, 0x00, 255}, {0x00, 0x00, 0xff, 255}, {0x26, 0x21, 0x45, 255}, {0x3e, 0x7b, 0x27, 255},
				{0x50, 0x08, 0x73, 255},
			},
		},
		{
			Name: "supervision smart", Place: supervision, line: 2, ink: byBrightness, digitPx: px(10), opaque: whole,
			colors: annotators(),
		},
	}
}

// annotators are colours as annotators of detections have them: bright and far apart.
func annotators() []color.RGBA {
	return []color.RGBA{
		{0xa3, 0x51, 0xfb, 255}, {0xff, 0x40, 0x40, 255}, {0xff, 0xa1, 0xa0, 255}, {0xff, 0x76, 0x33, 255},
		{0xff, 0xb6, 0x33, 255}, {0xd1, 0xd4, 0x35, 255}, {0x4c, 0xfb, 0x12, 255}, {0x94, 0xcf, 0x1a, 255},
		{0x40, 0xde, 0x8a, 255}, {0x1b, 0x96, 0x40, 255}, {0x00, 0xd6, 0xc1, 255}, {0x2e, 0x9c, 0xaa, 255},
		{0x00, 0xc4, 0xff, 255}, {0x36, 0x47, 0x97, 255}, {0x66, 0x75, 0xff, 255}, {0x00, 0x19, 0xef, 255},
	}
}

// Number is the number that the system gives the mark at an index.
func (s System) Number(i int) string { return strconv.Itoa(max(1, s.least) + i) }

// Mark marks a picture by a system's rules: the boxes of marks, of which the first carries
// the label where there are several. It changes nothing that it is given.
func (s System) Mark(clean *image.RGBA, boxes [][]image.Rectangle) Page {
	img := image.NewRGBA(clean.Rect)
	draw.Draw(img, img.Rect, clean, clean.Rect.Min, draw.Src)
	p := Page{Clean: clean, Marked: img, Marks: make([]Mark, len(boxes))}
	first, digits := make([]image.Rectangle, len(boxes)), make([]int, len(boxes))
	for i, list := range boxes {
		m := Mark{Number: s.Number(i), Color: s.colors[i%len(s.colors)]}
		for _, b := range list {
			m.Boxes = append(m.Boxes, b.Inset(-s.out))
		}
		p.Marks[i], first[i], digits[i] = m, list[0].Intersect(img.Rect), len(m.Number)
	}
	for i := range p.Marks {
		for _, b := range p.Marks[i].Boxes {
			s.box(img, b, p.Marks[i].Color)
		}
	}
	size := s.digitPx(img.Rect)
	// the font is embedded and the size is in bounds
	face, _ := atlas.New(gomonobold.TTF, math.Round(float64(size)/0.74))
	for i, r := range s.Place(img.Rect, first, digits) {
		m := &p.Marks[i]
		m.Plate = r
		if r.Empty() {
			continue
		}
		blend(img, r, m.Color, s.opaque[1])
		if s.rim {
			frame(img, r.Inset(-1), 1, func(at image.Rectangle) { blend(img, at, color.RGBA{255, 255, 255, 255}, 100) })
		}
		ink := face.DigitBounds()
		x, y := r.Min.X+(r.Dx()-face.Width(m.Number))/2, r.Min.Y+(r.Dy()-ink.Dy())/2-ink.Min.Y
		face.Draw(img, x, y, m.Number, s.ink(m.Color))
	}
	return p
}

// box draws the line of a box.
func (s System) box(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	frame(img, r, s.line, func(side image.Rectangle) {
		if s.dash[0] == 0 {
			blend(img, side, c, s.opaque[0])
			return
		}
		step := s.dash[0] + s.dash[1]
		if side.Dx() >= side.Dy() {
			for x := side.Min.X; x < side.Max.X; x += step {
				blend(img, image.Rect(x, side.Min.Y, min(x+s.dash[0], side.Max.X), side.Max.Y), c, s.opaque[0])
			}
			return
		}
		for y := side.Min.Y; y < side.Max.Y; y += step {
			blend(img, image.Rect(side.Min.X, y, side.Max.X, min(y+s.dash[0], side.Max.Y)), c, s.opaque[0])
		}
	})
}

// frame visits the four sides of a frame of width px along the inside of r.
func frame(img *image.RGBA, r image.Rectangle, width int, side func(image.Rectangle)) {
	for _, part := range [...]image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+width), image.Rect(r.Min.X, r.Max.Y-width, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, r.Min.Y+width, r.Min.X+width, r.Max.Y-width),
		image.Rect(r.Max.X-width, r.Min.Y+width, r.Max.X, r.Max.Y-width),
	} {
		if !part.Empty() && part.Overlaps(img.Rect) {
			side(part)
		}
	}
}

// blend lays a colour over part of a picture, so many percent of it.
func blend(img *image.RGBA, r image.Rectangle, c color.RGBA, percent int) {
	r = r.Intersect(img.Rect)
	mix := func(was, now uint8) uint8 { return uint8((int(was)*(100-percent) + int(now)*percent + 50) / 100) }
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			o := img.RGBAAt(x, y)
			img.SetRGBA(x, y, color.RGBA{mix(o.R, c.R), mix(o.G, c.G), mix(o.B, c.B), 255})
		}
	}
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

// visualWebArena (1.2): 16 px digits, padding 2; the first of seven outer corners
// that is in the picture and clear of earlier labels by a test that is 4 px too
// kind; else the last one tried. Boxes under 8 px and over 80 % of the picture have
// none.
func visualWebArena(pic image.Rectangle, boxes []image.Rectangle, digits []int) []image.Rectangle {
	out := make([]image.Rectangle, len(boxes))
	for i, b := range boxes {
		if b.Dx() < 8 || b.Dy() < 8 || 5*geometry.Area(b) > 4*geometry.Area(pic) {
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
				if a := geometry.Common(out[i], o); 10*a > 3*min(geometry.Area(out[i]), geometry.Area(o)) {
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
				a := geometry.Common(out[i], out[k])
				if a == 0 {
					continue
				}
				iou := float64(a) / float64(geometry.Area(out[i])+geometry.Area(out[k])-a)
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
		out[i] = geometry.PushInto(out[i], pic)
	}
	return out
}

func abs(v float64) float64 { return max(v, -v) }
