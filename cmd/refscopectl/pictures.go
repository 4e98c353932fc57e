package main

import (
	"fmt"
	"image"
	"image/draw"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/vision"
)

// pictures writes the pictures of one tiling.
type pictures struct {
	img      *image.RGBA
	original []byte // the whole picture as it was recorded, PNG
	tiling   *overlay.Tiling
	flags    *markFlags
	files    []string // that were written, in order
}

// name is the file name of a picture: as it was given where there is one, else with
// its number from 1 before the extension.
func (w *pictures) name(file string, k int) string {
	if file == "" || !w.flags.tiles {
		return file
	}
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), k+1, ext)
}

// writeAll writes the marked and the clean pictures that were asked for. As many are
// encoded at a time as there are processors.
func (w *pictures) writeAll() error {
	f := w.flags
	if f.out == "" && f.clean == "" {
		return nil
	}
	tiles := w.tiling.Tiles()
	errs := make([]error, len(tiles))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var work sync.WaitGroup
	for k := range tiles {
		slots <- struct{}{}
		work.Go(func() {
			errs[k] = w.writeOne(k)
			<-slots
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for k := range tiles {
		for _, file := range []string{w.name(f.out, k), w.name(f.clean, k)} {
			if file != "" {
				w.files = append(w.files, file)
			}
		}
	}
	return nil
}

// writeOne writes one tile: cut out, resized, and only then marked, so that marks are
// never resampled.
func (w *pictures) writeOne(k int) error {
	f, tile := w.flags, w.tiling.Tiles()[k]
	part := w.img.SubImage(tile.Rect).(*image.RGBA)
	size := tile.Scene.Size()
	if size != tile.Rect.Size() {
		part = vision.Resize(part, size)
	}
	if f.clean != "" {
		var data []byte
		if tile.Rect == w.img.Rect && size == tile.Rect.Size() && strings.EqualFold(filepath.Ext(f.clean), ".png") {
			data = w.original // as it was recorded
		}
		if data == nil {
			var err error
			if data, err = encode(f.clean, part); err != nil {
				return err
			}
		}
		if err := export.Write(w.name(f.clean, k), data); err != nil {
			return err
		}
	}
	if f.out == "" {
		return nil
	}
	dst := image.NewRGBA(image.Rectangle{Max: tile.Scene.Extent()})
	draw.Draw(dst, image.Rectangle{Max: size}, part, part.Rect.Min, draw.Src)
	tile.Scene.Draw(dst)
	data, err := encode(f.out, dst)
	if err != nil {
		return err
	}
	return export.Write(w.name(f.out, k), data)
}

// overlayTypes names the file types that a picture can have.
func overlayTypes() string { return "PNG" }

// checkType reports whether there is an encoder for a picture with that file name.
func checkType(name string) error {
	if ext := strings.ToLower(filepath.Ext(name)); ext != ".png" {
		return fmt.Errorf("%s: pictures are written as .png, not %q", name, ext)
	}
	return nil
}

// encode encodes a picture for a file of that name.
func encode(name string, img *image.RGBA) ([]byte, error) {
	data, err := overlay.EncodePNG(img, false)
	if err != nil {
		return nil, fmt.Errorf("drawing %s: %w", name, err)
	}
	return data, nil
}
