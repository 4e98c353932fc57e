package overlay

import (
	"image"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
)

// Redact paints over boxes of a picture, in px: a flat fill, with the label in
// the middle where it fits, in smaller letters where it fits only so. Nothing of
// what was there can be recovered, which is not so of a blur.
func Redact(img *image.RGBA, boxes []image.Rectangle, label string) {
	var faces []*atlas.Face
	for _, px := range []float64{fontPx, 9} {
		if f, err := atlas.New(gomonobold.TTF, px); err == nil { // embedded, so always
			faces = append(faces, f)
		}
	}
	for _, b := range boxes {
		fill(img, b, redactFill)
		in := b.Intersect(img.Rect)
		for _, f := range faces {
			w, h := f.Width(label), f.DigitBounds().Dy()
			if label == "" || w+4 > in.Dx() || h+4 > in.Dy() {
				continue
			}
			clip := img.SubImage(in).(*image.RGBA) // a letter never leaves its box
			f.Draw(clip, in.Min.X+(in.Dx()-w)/2, in.Min.Y+(in.Dy()+h)/2, label, redactText)
			break
		}
	}
}
