package app

import (
	"context"
	"image"

	"github.com/disintegration/imaging"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/text"
)

// Thumbnails are made at twice the size of their cell, in px, for sharp screens and for
// the magnifier.
const (
	thumbWidth  = 320
	thumbHeight = 180
)

// turnWork starts the work that is about turns in memory.
func (r *runner) turnWork(e core.Effect) bool {
	switch e := e.(type) {
	case core.Compare:
		r.task(e.Task, func(ctx context.Context, _ func(string)) core.Msg { return r.compare(ctx, e) })
	case payload.Build:
		wanted := r.payloads.Add(1)
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { return r.payload(ctx, e, wanted) })
	case core.Render:
		r.task(0, func(context.Context, func(string)) core.Msg { return text.Render(e, r.counter.Count) })
	default:
		return false
	}
	return true
}

func thumb(img *image.RGBA) image.Image {
	if img == nil {
		return nil
	}
	small := imaging.Fill(img, thumbWidth, thumbHeight, imaging.Top, imaging.Box)
	out := image.NewRGBA(small.Bounds()) // Fyne uploads RGBA as it is
	copy(out.Pix, small.Pix)             // a screenshot is opaque, so NRGBA is RGBA
	return out
}
