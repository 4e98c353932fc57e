// Package codec reads and writes pictures: PNG, lossless WebP (package webp) and JPEG. What a browser gives and what is
// drawn goes through it, so a picture is never larger than a page can be, and never costs more time than it must.
//
// Start with [DecodePNG] and [EncodePNG]; an [Encoder] writes many pictures in any [Format]. Every px of a PNG or WebP
// comes back as it was written, and a file that is damaged, or claims more than there may be, is an error.
package codec

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"path/filepath"
	"strings"
	"sync"

	"github.com/refscope/refscope/overlay/webp"
	"github.com/refscope/refscope/snapshot"
)

// Format is a file format for pictures, by its media type.
//
// PNG and lossless WebP keep every px, and a WebP of a page is less than half as large
// in the same time (package webp). JPEG is written only where it is requested by name:
// it blurs thin strokes, and Go's encoder halves the colours both ways (4:2:0), which
// fringes them.
type Format string

// The formats.
const (
	PNG  Format = "image/png"
	WebP Format = "image/webp"
	JPEG Format = "image/jpeg"
)

// jpegQuality is the quality of JPEG, of 100.
const jpegQuality = 90

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
// 16,384 px a side, a JPEG 65,535; over that it errs.
func (e *Encoder) EncodeAs(img image.Image, f Format, fast bool) ([]byte, error) {
	switch f {
	case PNG:
		return e.png(img, fast)
	case WebP:
		var b bytes.Buffer
		if err := webp.Encode(&b, asRGBA(img)); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	case JPEG:
		return EncodeJPEG(img, jpegQuality)
	}
	return nil, fmt.Errorf("encode picture of %d x %d px: format %q is not there", img.Bounds().Dx(),
		img.Bounds().Dy(), f)
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

// maxSide is the longest side of a picture that is decoded, px: beyond what Chrome can capture.
const maxSide = 16384 * 8

// DecodePNG decodes a picture to RGBA with its top left corner at 0,0. The size
// that its header claims is checked before memory is taken for it.
func DecodePNG(b []byte) (*image.RGBA, error) {
	cfg, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("picture of %d bytes: %w", len(b), err)
	}
	if cfg.Width > maxSide || cfg.Height > maxSide {
		return nil, fmt.Errorf("picture of %d x %d px: a side may have %d px at most", cfg.Width, cfg.Height, maxSide)
	}
	if int64(cfg.Width)*int64(cfg.Height) > snapshot.MaxPixels {
		return nil, fmt.Errorf("picture of %d x %d px: %d megapixels at most", cfg.Width, cfg.Height,
			int(snapshot.MaxPixels/1e6))
	}
	if img, ok := quickRead(b, cfg.Width, cfg.Height); ok {
		return img, nil
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("picture of %d x %d px: %w", cfg.Width, cfg.Height, err)
	}
	if rgba, ok := img.(*image.RGBA); ok && rgba.Rect.Min == (image.Point{}) {
		return rgba, nil
	}
	out := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}

// EncodePNG encodes a picture: fast takes a quarter of the time for a third more
// bytes. To encode many, keep an [Encoder].
func EncodePNG(img image.Image, fast bool) ([]byte, error) {
	var e Encoder
	return e.png(img, fast)
}

// Encoder encodes pictures and keeps the compressor's memory between them. The
// zero value is ready; it is safe for concurrent use.
type Encoder struct{ pool buffers }

func (e *Encoder) png(img image.Image, fast bool) ([]byte, error) {
	enc := png.Encoder{CompressionLevel: png.DefaultCompression, BufferPool: &e.pool}
	if fast {
		if rgba, ok := img.(*image.RGBA); ok && !rgba.Rect.Empty() && rgba.Opaque() {
			return quickPNG(rgba)
		}
		enc.CompressionLevel = png.BestSpeed
	}
	var b bytes.Buffer
	if err := enc.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode picture of %d x %d px: %w", img.Bounds().Dx(), img.Bounds().Dy(), err)
	}
	return b.Bytes(), nil
}

// buffers is a png.EncoderBufferPool.
type buffers struct{ pool sync.Pool }

func (p *buffers) Get() *png.EncoderBuffer {
	b, _ := p.pool.Get().(*png.EncoderBuffer)
	return b
}

func (p *buffers) Put(b *png.EncoderBuffer) { p.pool.Put(b) }
