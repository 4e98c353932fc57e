package main

import (
	"fmt"
	"image"
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
	encoder  overlay.Encoder
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
		format, err := overlay.FormatOf(f.clean)
		if err == nil && format == overlay.PNG && tile.Rect == w.img.Rect && size == tile.Rect.Size() {
			data = w.original // as it was recorded
		} else if data, err = w.encode(f.clean, part); err != nil {
			return err
		}
		if err := export.Write(w.name(f.clean, k), data); err != nil {
			return err
		}
	}
	if f.out == "" {
		return nil
	}
	data, err := w.encode(f.out, export.Drawn(part, tile.Scene))
	if err != nil {
		return err
	}
	if err := f.rules.CheckBytes(len(data)); err != nil && !f.force {
		return fmt.Errorf("%s: %w: add --tiles, or --force", w.name(f.out, k), err)
	}
	return export.Write(w.name(f.out, k), data)
}

// encode encodes a picture for a file of that name.
func (w *pictures) encode(name string, img *image.RGBA) ([]byte, error) {
	format, err := overlay.FormatOf(name)
	if err != nil {
		return nil, err
	}
	data, err := w.encoder.EncodeAs(img, format, false)
	if err != nil && !w.flags.tiles && format != overlay.PNG {
		return nil, fmt.Errorf("%s: %w: add --tiles, or write a .png", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
