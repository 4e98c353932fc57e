package payload

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/refscope/refscope/snapshot"
	"golang.org/x/image/webp"
)

// picture is the picture of a body.
type picture struct {
	data          []byte
	media         string
	width, height int // image px
}

// pictureOf chooses the picture, nil for none, and checks that it has its declared type:
// a vendor answers a wrong media type with an error that names neither.
func pictureOf(in Input) (*picture, error) {
	p := &picture{media: "image/png"}
	switch {
	case in.NoImage:
		return nil, nil
	case len(in.Marked) > 0:
		if p.data = in.Marked; in.MarkedType != "" {
			p.media = in.MarkedType
		}
	case len(in.Picture) > 0:
		p.data = in.Picture
	default:
		return nil, nil
	}
	read := map[string]func([]byte) (image.Config, error){"image/png": pngConfig, "image/jpeg": jpegConfig,
		"image/webp": webpConfig}[p.media]
	if read == nil {
		return nil, fmt.Errorf("picture of turn %d: media type %q is none of image/png, image/jpeg, image/webp",
			in.Turn,
			p.media)
	}
	c, err := read(p.data)
	if err != nil {
		return nil, fmt.Errorf("picture of turn %d is not %s: take the turn again (%w)", in.Turn, p.media, err)
	}
	p.width, p.height = c.Width, c.Height
	if int64(p.width)*int64(p.height) > snapshot.MaxPixels {
		return nil, fmt.Errorf("picture of turn %d has %d x %d px: %d megapixels at most", in.Turn, p.width, p.height,
			int(snapshot.MaxPixels/1e6))
	}
	r := in.ImageRule
	if r.Width > 0 && r.Height > 0 && (r.Width != p.width || r.Height != p.height) {
		model := cmp.Or(r.Model, "the model")
		return nil, fmt.Errorf(
			"picture of turn %d is %dx%d image px, and %s looks at %dx%d: make the picture that size, "+
				"so that the marks keep theirs",
			in.Turn, p.width, p.height, model, r.Width, r.Height)
	}
	return p, nil
}

func pngConfig(b []byte) (image.Config, error)  { return png.DecodeConfig(bytes.NewReader(b)) }
func jpegConfig(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) }
func webpConfig(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) }
