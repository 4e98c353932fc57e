package engine

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"

	"github.com/refscope/refscope/capture/batch"
	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
)

// isBatch reports whether a folder is that of a batch.
func isBatch(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, batch.ManifestFile))
	return err == nil && info.Mode().IsRegular()
}

// Batch implements the interface of package gui/batch.
func (l *Live) Batch(ctx context.Context, dir string) (*report.Batch, error) {
	if !isBatch(dir) && isDataset(dir) {
		return l.examples(ctx, dir)
	}
	b, err := report.ReadBatch(dir)
	if err != nil {
		return nil, fmt.Errorf("the batch cannot be read: %w", files.Cause(err))
	}
	return b, nil
}

// largestPicture is the longest side of a page's small picture, in px; those of refscopectl have 160.
const largestPicture = 512

// BatchPictures implements the interface of package gui/batch.
func (l *Live) BatchPictures(ctx context.Context, dir string, keys []string) map[string]image.Image {
	if pictures, ok := l.examplePictures(ctx, dir, keys); ok {
		return pictures
	}
	out := map[string]image.Image{}
	for _, key := range keys {
		if ctx.Err() != nil {
			break
		}
		out[key] = nil
		data := report.BatchThumbnail(dir, key)
		size, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || max(size.Width, size.Height) > largestPicture {
			continue // it has none of ours
		}
		if im, err := jpeg.Decode(bytes.NewReader(data)); err == nil {
			rgba := image.NewRGBA(im.Bounds()) // Fyne uploads RGBA as it is
			draw.Draw(rgba, rgba.Rect, im, im.Bounds().Min, draw.Src)
			out[key] = rgba
		}
	}
	return out
}
