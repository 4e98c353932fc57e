package session

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"math"

	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
)

// Chrome draws a picture of any size without an error, but what it had no memory for
// comes out white: at 2560 x 32,000 px some rows, at 2560 x 80,000 a third of them
// (Chrome 156, software drawing), and graphics cards end at 16,384 px, some at 8,192.
// So a full page is assembled from strips that are far below all of these.
const (
	stripPixels = 8 << 20 // image px
	stripHeight = 8192    // image px
	// stripStep divides a strip's height in CSS px, so that strips are whole image px
	// at any scale of two decimals.
	stripStep = 100
)

// picture puts the picture of the whole page together.
func (w *fullPage) picture(ctx context.Context, c *snapshot.Capture) (*picture, error) {
	density := w.before.Density
	rows := math.Floor(min(stripHeight/density, stripPixels/(w.area.W()*density*density))/stripStep) * stripStep
	rows = max(rows, stripStep)
	var img *image.RGBA
	var scale float64
	for y := 0.0; y < w.area.H(); y += rows {
		clip := snapshot.Box{0, y, w.area.W(), min(rows, w.area.H()-y)}
		strip, err := w.strip(ctx, c, clip)
		if err != nil {
			return nil, err
		}
		size := strip.Rect.Size()
		if img == nil {
			scale = float64(size.X) / w.area.W()
			img = image.NewRGBA(image.Rect(0, 0, size.X, int(math.Round(w.area.H()*scale))))
		}
		at := int(math.Round(y * scale))
		want := min(int(math.Round((y+clip.H())*scale)), img.Rect.Dy()) - at
		if size.X != img.Rect.Dx() || size.Y < want || size.Y > want+1 {
			return nil, fmt.Errorf(
				"taking the picture: the part of it at %g CSS px came out %d x %d px large instead of %d x "+
					"%d: the window was changed meanwhile", y, size.X, size.Y, img.Rect.Dx(), want)
		}
		draw.Draw(img, image.Rect(0, at, size.X, at+want), strip, image.Point{}, draw.Src)
	}
	return &picture{img: img}, nil
}

// strip is one strip of the picture. It is not broken off in the middle: Chrome would
// give the tab the window back that it had when the strip was begun, after ours.
func (w *fullPage) strip(ctx context.Context, c *snapshot.Capture, clip snapshot.Box) (*image.RGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	whole := context.WithoutCancel(ctx)
	of := clip
	of[0], of[1] = of[0]+w.begins[0], of[1]+w.begins[1]
	data, err := still(whole, c, clip, func() ([]byte, error) { return screenshot(whole, w.tab, of, w.beyond()) })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	img, err := codec.DecodePNG(data)
	if err != nil {
		return nil, fmt.Errorf("taking the picture at %g CSS px: %w", clip.Y(), err)
	}
	return img, nil
}
