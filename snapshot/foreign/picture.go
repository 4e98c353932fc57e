package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// picturePNG is a picture file, PNG, JPEG or WebP, as the PNG that a turn holds, with its
// size in image px. A PNG that decodes is kept byte for byte. The declared size is
// checked before anything is decoded.
func picturePNG(data []byte) (out []byte, size image.Point, err error) {
	if len(data) > MaxPicture {
		return nil, size, fmt.Errorf("it has %d bytes, at most %d are read", len(data), MaxPicture)
	}
	kind, config, decode := "", image.Config{}, (func([]byte) (image.Image, error))(nil)
	in := bytes.NewReader(data)
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		kind = "PNG"
		config, err = png.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		kind = "JPEG"
		config, err = jpeg.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		kind = "WebP"
		config, err = webp.DecodeConfig(in)
		decode = func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }
	default:
		return nil, size, errors.New("it is no PNG, JPEG or WebP")
	}
	if err != nil {
		return nil, size, fmt.Errorf("its header as a %s is damaged: %w", kind, err)
	}
	if config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > MaxPixels {
		return nil, size, fmt.Errorf("it declares %d by %d px, at most %d px in all are decoded", config.Width, config.Height, MaxPixels)
	}
	img, err := decode(data)
	if err != nil {
		return nil, size, fmt.Errorf("it cannot be decoded as %s: %w", kind, err)
	}
	size = img.Bounds().Size()
	if kind == "PNG" {
		return data, size, nil
	}
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, size, fmt.Errorf("writing it as PNG: %w", err)
	}
	return b.Bytes(), size, nil
}
