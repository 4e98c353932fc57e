package export

import (
	"fmt"
	"image"
	"image/draw"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
)

// Look is how a marked picture is made.
type Look struct {
	// Model is the vision model that the picture is for: its image rules determine the size.
	// The zero value leaves the picture as it was captured.
	Model  vision.Model
	Detail vision.Detail
	// Options choose the marks.
	Options overlay.Options
	// Format is the file's, PNG if empty; Fast makes a PNG sooner and larger.
	Format codec.Format
	Fast   bool
}

// Picture is a marked picture with what belongs to it.
type Picture struct {
	Data   []byte // the file
	Format codec.Format
	// Scene is the marks, at the size of the file's picture.
	Scene *overlay.Scene
	// Clean is the picture without marks, at the same size.
	Clean *image.RGBA
	// Tokens is its estimated cost for the model.
	Tokens vision.Estimate

	model string
}

// NewPicture makes the marked picture of a capture from its clean one, which it
// leaves as it is. The picture is resized to the model's size first, then the marks
// are placed and drawn: so they are never resampled, and a px of the file is a px that
// the model sees. A picture that the vendor would refuse is an error that explains why.
func NewPicture(clean *image.RGBA, c *snapshot.Capture, l Look) (*Picture, error) {
	if l.Format == "" {
		l.Format = codec.PNG
	}
	size := clean.Bounds().Size()
	to := l.Model.Fit(size, l.Detail)
	if l.Model.Row != "" {
		if err := l.Model.Check(to, l.Detail); err != nil {
			return nil, fmt.Errorf("marked picture: %w", err)
		}
	}
	if l.Model.Row != "" {
		l.Options.Seen = func(size image.Point) image.Point { return l.Model.Fit(size, l.Detail) }
	}
	p := &Picture{
		Format: l.Format,
		Scene:  overlay.NewScene(c, to, l.Options),
		Clean:  vision.Resize(clean, to),
		Tokens: l.Model.Tokens(to, l.Detail),
		model:  l.Model.Name,
	}
	var e codec.Encoder
	var err error
	if p.Data, err = e.EncodeAs(Drawn(p.Clean, p.Scene), l.Format, l.Fast); err != nil {
		return nil, fmt.Errorf("marked picture: %w", err)
	}
	if err := l.Model.CheckBytes(len(p.Data)); err != nil {
		return nil, fmt.Errorf("marked picture: %w", err)
	}
	return p, nil
}

// Manifest describes what the picture shows, under the name that its file has, and for
// which model it was made.
func (p *Picture) Manifest(file string) overlay.Manifest {
	m := p.Scene.Manifest(file)
	m.Model, m.Quality.Letters = p.model, p.Scene.Hides(p.Clean)
	return m
}

// Marked draws the scene on a copy of the picture, at the picture's own size, and
// encodes it as PNG: for a scene that is there already, as in the window.
func Marked(picture *image.RGBA, scene *overlay.Scene) ([]byte, error) {
	data, err := codec.EncodePNG(Drawn(picture, scene), false)
	if err != nil {
		return nil, fmt.Errorf("marked picture: %w", err)
	}
	return data, nil
}

// Drawn is a copy of the picture with the scene's marks, and the strip with their key
// below it where the scene has one. The picture has the scene's size.
func Drawn(picture *image.RGBA, scene *overlay.Scene) *image.RGBA {
	dst := image.NewRGBA(image.Rectangle{Max: scene.Extent()})
	draw.Draw(dst, image.Rectangle{Max: scene.Size()}, picture, picture.Rect.Min, draw.Src)
	scene.Draw(dst)
	return dst
}
