package overlay

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/overlay/webp"
)

// Format is a file format for pictures, by its media type.
//
// PNG and lossless WebP keep every px, and a WebP of a page is less than half as large
// in the same time (package webp). JPEG is written only where it is asked for by name:
// it blurs thin strokes, and Go's encoder halves the colours both ways (4:2:0), which
// fringes them.
type Format string

// The formats.
const (
	PNG  Format = "image/png"
	WebP Format = "image/webp"
	JPEG Format = "image/jpeg"
)

// JPEGQuality is the quality of JPEG, of 100.
const JPEGQuality = 90

// FormatOf is the format that a file name ends in, or that a media type or a bare
// extension names: OUT.png, image/jpeg, jpg. The error names what there is.
func FormatOf(name string) (Format, error) {
	word := strings.TrimPrefix(filepath.Ext(name), ".")
	if word == "" {
		word = strings.TrimPrefix(name, "image/")
	}
	switch strings.ToLower(word) {
	case "png":
		return PNG, nil
	case "webp":
		return WebP, nil
	case "jpg", "jpeg":
		return JPEG, nil
	}
	return "", fmt.Errorf("picture format of %q: choose png or webp, or jpg where lost detail does not matter", name)
}

// EncodeAs encodes one picture in a format. A fast PNG is larger, see [EncodePNG]; the
// others have one speed. Transparent parts of a JPEG are white. A WebP has at most
// 16,384 px a side, a JPEG 65,535; the error says so.
func (e *Encoder) EncodeAs(img image.Image, f Format, fast bool) ([]byte, error) {
	switch f {
	case PNG:
		return e.Encode(img, fast)
	case WebP:
		var b bytes.Buffer
		if err := webp.Encode(&b, asRGBA(img)); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	case JPEG:
		return EncodeJPEG(img, JPEGQuality)
	}
	return nil, fmt.Errorf("encode picture of %d x %d px: format %q is not there", img.Bounds().Dx(), img.Bounds().Dy(), f)
}

// EncodeJPEG encodes one picture as JPEG of a quality from 0 to 100, on white where it is
// transparent. It has at most 65,535 px a side.
func EncodeJPEG(img image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, onWhite(img), &jpeg.Options{Quality: max(1, min(quality, 100))}); err != nil {
		return nil, fmt.Errorf("encode picture of %d x %d px as JPEG: %w", img.Bounds().Dx(), img.Bounds().Dy(), err)
	}
	return b.Bytes(), nil
}

// asRGBA is the picture itself where it is one, else a copy.
func asRGBA(img image.Image) *image.RGBA {
	if rgba, ok := img.(*image.RGBA); ok {
		return rgba
	}
	dst := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(dst, dst.Rect, img, img.Bounds().Min, draw.Src)
	return dst
}

// onWhite puts a picture with transparent parts on white.
func onWhite(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	dst := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(dst, dst.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Rect, img, img.Bounds().Min, draw.Over)
	return dst
}
