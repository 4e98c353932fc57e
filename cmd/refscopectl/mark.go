package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
)

// mark writes the marked picture of one target, and what goes with it.
func mark(ctx context.Context, a *app, args []string) error {
	var out, clean, manifest, legend, view string
	var containers, renumber bool
	var settle session.Settle
	targets, err := a.globals("refscopectl mark", args, func(fs *flag.FlagSet) {
		fs.StringVar(&out, "o", "", "the marked picture, PNG")
		fs.StringVar(&clean, "clean", "", "the picture without marks, PNG")
		fs.StringVar(&manifest, "manifest", "", "every ref with its box, label and status, JSON")
		fs.StringVar(&legend, "legend", "", "the marks in words, in reading order")
		fs.StringVar(&view, "view", "qa", "qa draws covered marks with hatching; model leaves them out")
		fs.BoolVar(&containers, "containers", false, "draw sections, dialogs and lines of text too")
		fs.BoolVar(&renumber, "renumber", false, "number the drawn marks 1 to n in reading order; the manifest maps them")
		settleFlags(fs, &settle)
	})
	if err != nil {
		return err
	}
	switch {
	case len(targets) != 1:
		return usagef("mark: name one target: a URL, an .html file or a turn")
	case out == "" && clean == "" && manifest == "" && legend == "":
		return usagef("mark: name the picture to write with -o OUT.png")
	case view != string(overlay.ViewQA) && view != string(overlay.ViewModel):
		return usagef("mark: --view %q: choose qa or model", view)
	}
	l := a.live()
	defer l.close()
	o := session.Options{Settle: settle, Action: "mark"}
	if a.session != "" {
		if o.Store, err = a.store(ctx, a.session); err != nil {
			return err
		}
	}
	s, err := l.see(ctx, targets[0], o)
	if err != nil {
		return err
	}
	img, err := s.image()
	if err != nil {
		return fmt.Errorf("%s: %w", targets[0], err)
	}
	scene := overlay.NewScene(s.capture, img.Bounds().Size(), overlay.Options{View: overlay.View(view), Containers: containers, Renumber: renumber})
	if clean != "" {
		if err := export.Write(clean, s.picture); err != nil {
			return err
		}
	}
	m := scene.Manifest(filepath.Base(out))
	if out == "" {
		m = scene.Manifest("")
	}
	if out != "" {
		data, err := export.Marked(img, scene)
		if err != nil {
			return err
		}
		if err := export.Write(out, data); err != nil {
			return err
		}
	}
	if manifest != "" {
		data, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return fmt.Errorf("encoding %s: %w", manifest, err)
		}
		if err := export.Write(manifest, append(data, '\n')); err != nil {
			return err
		}
	}
	if legend != "" {
		if err := export.Write(legend, []byte(scene.Legend())); err != nil {
			return err
		}
	}
	drawn := 0
	for _, k := range m.Marks {
		if k.Status == overlay.Drawn {
			drawn++
		}
	}
	a.remark("%d marks drawn of %d refs; labels on labels %d, off the image %d, on strangers %d, own target hidden %d, contrast %.1f",
		drawn, len(m.Marks), m.Quality.LabelOverlaps, m.Quality.LabelsOffImage, m.Quality.LabelsOnStrangers, m.Quality.OwnTargetHidden, m.Quality.MinContrast)
	if drawn > 150 {
		a.remark("more than 150 marks are hard to read for people and models: narrow the viewport, or mark a part of the page")
	}
	return nil
}
