package readability_test

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/readability"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
)

// style is one of our own.
type style struct {
	name    string
	options overlay.Options
}

func styles() []style {
	return []style{
		{"refscope-1", overlay.Options{View: overlay.ViewModel}},
		{"refscope-1-role", overlay.Options{View: overlay.ViewModel, Palette: overlay.PaletteRole}},
		{"refscope-2", overlay.Options{View: overlay.ViewModel, Style: overlay.StyleClear}},
	}
}

// ours is a page as it is exported for a model that sees it at that size: resized, and
// then marked.
func ours(p pictured, to image.Point, o overlay.Options) readability.Page {
	out := readability.Page{Clean: vision.Resize(p.clean, to), Marked: image.NewRGBA(image.Rectangle{Max: to})}
	draw.Draw(out.Marked, out.Marked.Rect, out.Clean, image.Point{}, draw.Src)
	s := overlay.NewScene(p.capture, to, o)
	s.Draw(out.Marked)
	out.Text = textOf(p.capture, to)
	for _, m := range s.Marks() {
		if len(m.Rects) == 0 || m.Status != overlay.Drawn {
			continue
		}
		k := readability.Mark{Number: m.Text(), Boxes: m.Outlines(), Leader: m.Leader, Color: color.RGBA{A: 255}}
		if !m.Label.Empty() {
			k.Plate = m.Label.Inset(1)
		}
		out.Marks = append(out.Marks, k)
	}
	return out
}

// theirs is the page as a published system marks it.
func theirs(p pictured, s readability.System) readability.Page {
	size := p.clean.Rect.Size()
	var boxes [][]image.Rectangle
	scene := overlay.NewScene(p.capture, size, overlay.Options{View: overlay.ViewModel})
	for _, m := range scene.Marks() {
		if len(m.Rects) > 0 && m.Status == overlay.Drawn {
			boxes = append(boxes, m.Rects)
		}
	}
	out := s.Mark(p.clean, boxes)
	out.Text = textOf(p.capture, size)
	return out
}

// textOf are the lines of text that a person sees in a picture of that size.
func textOf(c *snapshot.Capture, size image.Point) []image.Rectangle {
	x, y := float64(size.X)/c.Viewport.Width, float64(size.Y)/c.Viewport.Height
	var out []image.Rectangle
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Visible || !n.InViewport || n.Occlusion != nil && n.Occlusion.State == snapshot.Covered {
			continue
		}
		for _, b := range n.TextRects {
			if n.Clip != nil {
				b = b.Intersect(*n.Clip)
			}
			if b = b.Scale(x, y); !b.Empty() {
				at := func(v float64) int { return int(math.Round(v)) } // what lies beyond is a border, not a letter
				out = append(out, image.Rect(at(b.X()), at(b.Y()), at(b.Right()), at(b.Bottom())))
			}
		}
	}
	return out
}
