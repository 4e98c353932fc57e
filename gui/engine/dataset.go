package engine

import (
	"context"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/text"
)

// A data set is shown in the table of a batch: a row for each example, with its place on its picture and what
// dataset check finds.

// maxExamples is how many examples of a data set are listed.
const maxExamples = 20_000

// openSet is the data set that was read last.
type openSet struct {
	dir   string
	items []dataset.Item
}

// isDataset reports whether a folder is a data set, without reading folders that look like none.
func isDataset(dir string) bool {
	fsys := os.DirFS(dir)
	for _, pattern := range []string{"annotations*.json", dataset.ImageDir, "*/" + dataset.ImageDir, "*.jsonl",
		"*/*.jsonl", "data.yaml"} {
		if found, err := fs.Glob(fsys, pattern); err == nil && len(found) > 0 {
			set, err := dataset.Read(fsys, "")
			return err == nil && len(set.Items) > 0
		}
	}
	return false
}

// examples reads a data set as the table of its examples.
func (l *Live) examples(ctx context.Context, dir string) (*report.Batch, error) {
	fsys := os.DirFS(dir)
	set, err := dataset.Read(fsys, "")
	if err != nil {
		return nil, fmt.Errorf("the data set cannot be read: %w", err)
	}
	found, err := dataset.Check(ctx, fsys, set, nil) // also places boxes that are of 1
	if err != nil {
		return nil, fmt.Errorf("the data set cannot be checked: %w", err)
	}
	wrong := map[string][]dataset.Finding{} // by place
	for _, f := range found.Findings {
		wrong[f.Where] = append(wrong[f.Where], f)
	}
	b := &report.Batch{Dir: dir, Name: text.Line(filepath.Base(dir)), Examples: true, Do: fmt.Sprintf(
		"data set as %s, %s in %s", set.Shape, text.Count(len(set.Items), "example", "examples"),
		text.Count(len(set.Images), "picture", "pictures"))}
	for i := range set.Items[:min(len(set.Items), maxExamples)] {
		it := &set.Items[i]
		row := report.BatchRow{Key: strconv.Itoa(i), Place: i + 1, Label: text.Line(it.Instruction),
			Title:  text.Line(it.Label),
			Target: text.Line(it.Image), Findings: &audit.Tally{}}
		for _, f := range append(wrong[it.Where], wrong[it.Image]...) {
			row.Breaches = append(row.Breaches, text.Line(string(f.Rule)+": "+f.Message))
			switch f.Rule {
			case dataset.Format, dataset.BoxForm, dataset.OutBox, dataset.Leak:
				row.Findings.Errors++
			default:
				row.Findings.Warnings++
			}
		}
		row.Weight = 1000*row.Findings.Errors + row.Findings.Warnings
		if row.Label == "" {
			row.Label, row.Title = row.Title, ""
		}
		if it.HasBox {
			row.Outcome = it.Box.String()
		}
		b.Rows = append(b.Rows, row)
	}
	l.mu.Lock()
	l.set = &openSet{dir, set.Items}
	l.mu.Unlock()
	return b, nil
}

// thumbSize is the size of an example's picture, px.
var thumbSize = image.Pt(160, 90)

// examplePictures are the places of examples on their pictures, nil for one that cannot be read. It is false for a
// folder that is no data set.
func (l *Live) examplePictures(ctx context.Context, dir string, keys []string) (map[string]image.Image, bool) {
	l.mu.Lock()
	set := l.set
	l.mu.Unlock()
	if set == nil || set.dir != dir {
		return nil, false
	}
	out := map[string]image.Image{}
	read := map[string]image.Image{}
	for _, key := range keys {
		if ctx.Err() != nil {
			break
		}
		out[key] = nil
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(set.items) || !set.items[i].HasBox {
			continue
		}
		it := set.items[i]
		img, ok := read[it.Image]
		if !ok {
			if data, err := fs.ReadFile(os.DirFS(dir), it.Image); err == nil {
				img, _ = likeness.Decode(data)
			}
			read[it.Image] = img
		}
		if img != nil {
			out[key] = dataset.Thumb(img, it.Box, thumbSize)
		}
	}
	return out, true
}
