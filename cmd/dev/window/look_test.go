package window

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"
)

func canvas() *image.RGBA {
	c := image.NewRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(c, c.Rect, image.NewUniform(color.RGBA{20, 20, 30, 255}), image.Point{}, draw.Src)
	return c
}

func paint(c *image.RGBA, area image.Rectangle, colour color.RGBA) {
	draw.Draw(c, area, image.NewUniform(colour), image.Point{}, draw.Src)
}

// frame paints a frame of two px around a box.
func frame(c *image.RGBA, box image.Rectangle, colour color.RGBA) {
	for _, edge := range []image.Rectangle{
		image.Rect(box.Min.X-2, box.Min.Y-2, box.Max.X+2, box.Min.Y),
		image.Rect(box.Min.X-2, box.Max.Y, box.Max.X+2, box.Max.Y+2),
		image.Rect(box.Min.X-2, box.Min.Y, box.Min.X, box.Max.Y), image.Rect(box.Max.X, box.Min.Y, box.Max.X+2, box.Max.Y),
	} {
		paint(c, edge, colour)
	}
}

func TestOutlined(t *testing.T) {
	box := image.Rect(40, 30, 120, 60)
	blue := color.RGBA{76, 155, 255, 255}
	for _, tt := range []struct {
		name     string
		draw     func(before, after *image.RGBA)
		min, max float64
	}{
		{"nothing new", func(_, _ *image.RGBA) {}, 0, 0},
		{"a frame around the box", func(_, a *image.RGBA) { frame(a, box, blue) }, 1, 1},
		{"a frame that was there before", func(b, a *image.RGBA) { frame(b, box, blue); frame(a, box, blue) }, 0, 0},
		{"a frame around another box", func(_, a *image.RGBA) { frame(a, image.Rect(130, 30, 190, 60), blue) }, 0, 0},
		{"one edge", func(_, a *image.RGBA) { paint(a, image.Rect(40, 28, 120, 30), blue) }, 0.3, 0.5},
		{"a frame that a label covers in part", func(_, a *image.RGBA) {
			frame(a, box, blue)
			paint(a, image.Rect(36, 20, 60, 38), color.RGBA{0, 0, 0, 255})
		}, 0.8, 0.99},
		{"a speck", func(_, a *image.RGBA) { paint(a, image.Rect(40, 30, 42, 32), blue) }, 0, 0.1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, after := canvas(), canvas()
			tt.draw(before, after)
			got := outlined(before, after, box)
			require.GreaterOrEqual(t, got, tt.min)
			require.LessOrEqual(t, got, tt.max)
		})
	}
	require.NotPanics(t, func() { outlined(canvas(), canvas(), image.Rect(-20, -20, 500, 500)) })
}

func TestNewRows(t *testing.T) {
	pane := image.Rect(20, 0, 200, 100)
	blue, ink := color.RGBA{36, 58, 90, 255}, color.RGBA{220, 220, 220, 255}
	for _, tt := range []struct {
		name string
		draw func(before, after *image.RGBA)
		want []image.Rectangle
	}{
		{"nothing new", func(_, _ *image.RGBA) {}, nil},
		{"a row with text on it", func(_, a *image.RGBA) {
			paint(a, image.Rect(20, 40, 200, 60), blue)
			paint(a, image.Rect(30, 45, 100, 55), ink)
		}, []image.Rectangle{image.Rect(20, 40, 200, 60)}},
		{"text that was scrolled", func(b, a *image.RGBA) {
			paint(b, image.Rect(30, 15, 100, 25), ink)
			paint(a, image.Rect(30, 75, 100, 85), ink)
		}, nil},
		{"a row that was lit before, elsewhere", func(b, a *image.RGBA) {
			paint(b, image.Rect(20, 10, 200, 30), blue)
			paint(a, image.Rect(20, 40, 200, 60), blue)
		}, nil},
		{"a row of another pane", func(_, a *image.RGBA) { paint(a, image.Rect(0, 40, 20, 60), blue) }, nil},
		{"half of a row", func(_, a *image.RGBA) { paint(a, image.Rect(20, 40, 100, 60), blue) }, nil},
		{"a line, not a row", func(_, a *image.RGBA) { paint(a, image.Rect(20, 40, 200, 43), blue) }, nil},
		{"the whole pane", func(_, a *image.RGBA) { paint(a, pane, blue) }, nil},
		{"two rows", func(_, a *image.RGBA) {
			paint(a, image.Rect(20, 10, 200, 30), blue)
			paint(a, image.Rect(20, 60, 200, 80), blue)
		}, []image.Rectangle{image.Rect(20, 10, 200, 30), image.Rect(20, 60, 200, 80)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, after := canvas(), canvas()
			tt.draw(before, after)
			require.Equal(t, tt.want, newRows(before, after, pane))
		})
	}
	require.Error(t, busy(canvas(), pane), "one colour is nothing drawn")
}
