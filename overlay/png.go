package overlay

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"sync"
)

// Limits of a picture that is decoded. A page of a few kilobytes can claim to be
// a picture of gigabytes; these are beyond what Chrome can capture.
const (
	maxSide   = 16384 * 8 // px
	maxPixels = 256 << 20 // px, a GiB as RGBA
)

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
	if int64(cfg.Width)*int64(cfg.Height) > maxPixels {
		return nil, fmt.Errorf("picture of %d x %d px: %d megapixels at most", cfg.Width, cfg.Height, maxPixels>>20)
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
	return e.Encode(img, fast)
}

// Encoder encodes pictures and keeps the compressor's memory between them. The
// zero value is ready; it is safe for concurrent use.
type Encoder struct{ pool buffers }

// Encode encodes one picture; see [EncodePNG].
func (e *Encoder) Encode(img image.Image, fast bool) ([]byte, error) {
	var b bytes.Buffer
	if err := e.Write(&b, img, fast); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Write encodes one picture to w; see [EncodePNG].
func (e *Encoder) Write(w io.Writer, img image.Image, fast bool) error {
	enc := png.Encoder{CompressionLevel: png.DefaultCompression, BufferPool: &e.pool}
	if fast {
		enc.CompressionLevel = png.BestSpeed
	}
	if err := enc.Encode(w, img); err != nil {
		return fmt.Errorf("encode picture of %d x %d px: %w", img.Bounds().Dx(), img.Bounds().Dy(), err)
	}
	return nil
}

// buffers is a png.EncoderBufferPool.
type buffers struct{ pool sync.Pool }

func (p *buffers) Get() *png.EncoderBuffer {
	b, _ := p.pool.Get().(*png.EncoderBuffer)
	return b
}

func (p *buffers) Put(b *png.EncoderBuffer) { p.pool.Put(b) }
