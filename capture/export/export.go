// Package export makes what a recorded turn hands out: the marked picture with its
// manifest and legend, and the exact payload of a dialect. The command line and the
// window both come here, so what one shows is what the other writes.
package export

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot/payload"
)

// ErrNoPicture is the error of a picture that was not taken.
var ErrNoPicture = errors.New("the turn has no picture")

// Marked draws the scene on a copy of the picture, at the picture's own size, and
// encodes it as PNG.
func Marked(picture *image.RGBA, scene *overlay.Scene) ([]byte, error) {
	dst := image.NewRGBA(image.Rectangle{Max: picture.Bounds().Size()})
	draw.Draw(dst, dst.Bounds(), picture, picture.Bounds().Min, draw.Src)
	scene.Draw(dst)
	data, err := overlay.EncodePNG(dst, false)
	if err != nil {
		return nil, fmt.Errorf("drawing the marked picture: %w", err)
	}
	return data, nil
}

// Payload builds what a model would receive for a turn. Of the input, the caller
// gives the capture, the clean picture and the choices; the marked picture, in the
// model view without covered marks, and its legend are made here. A turn without a
// picture gives a payload without one.
func Payload(dialect string, in payload.Input) (*payload.Payload, error) {
	if !in.NoImage && len(in.Picture) > 0 {
		picture, err := overlay.DecodePNG(in.Picture)
		if err != nil {
			return nil, fmt.Errorf("payload of turn %d: %w", in.Turn, err)
		}
		scene := overlay.NewScene(in.Capture, picture.Bounds().Size(), overlay.Options{View: overlay.ViewModel})
		if in.Marked, err = Marked(picture, scene); err != nil {
			return nil, fmt.Errorf("payload of turn %d: %w", in.Turn, err)
		}
		in.MarkedType, in.Legend = "image/png", scene.Legend()
	}
	return payload.Build(dialect, in)
}

// Write writes a whole file or none: beside its place under a temporary name, then
// renamed. Its error names the file that was asked for.
func Write(name string, data []byte) error {
	return WriteBy(name, func(w io.Writer) error {
		_, err := bytes.NewReader(data).WriteTo(w)
		return err
	})
}

// WriteBy is [Write] for what need not be in memory as a whole. An error of write
// is returned as it is, and there is no file then.
func WriteBy(name string, write func(io.Writer) error) error {
	dir, base := filepath.Split(name)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	if err := write(f); err != nil {
		_ = f.Close() // best effort, as below: the error of write is what matters
		_ = os.Remove(f.Name())
		var path *os.PathError
		if errors.As(err, &path) && path.Path == f.Name() {
			return fmt.Errorf("writing %s: %w", name, Cause(err))
		}
		return err
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the error below is what matters
		return fmt.Errorf("writing %s: %w", name, Cause(err))
	}
	return nil
}

// Cause is the innermost error: the operating system's own word, without the paths
// that wrap it.
func Cause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
