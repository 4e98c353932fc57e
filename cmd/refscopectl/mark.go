package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
)

// manyMarks is the number of marks on one picture from which on people and models
// lose their way (som.md 6).
const manyMarks = 150

// markFlags are the flags of mark.
type markFlags struct {
	out, clean, manifest, legend  string
	view, palette, scope          string
	model, detail                 string
	fullPage, tiles, force        bool
	containers, renumber, signKey bool
	settle                        session.Settle

	rules  vision.Model // of the model; its zero value takes any picture as it is
	look   vision.Detail
	within *css.Selector // nil for the whole page
}

func (f *markFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.out, "o", "", "the marked picture: .png, .webp, or .jpg where lost detail does not matter; with --tiles OUT-1.png, OUT-2.png …")
	fs.StringVar(&f.clean, "clean", "", "the same picture without marks")
	fs.StringVar(&f.manifest, "manifest", "", "every ref with its box, label and status, JSON")
	fs.StringVar(&f.legend, "legend", "", "the marks in words, in reading order")
	fs.StringVar(&f.view, "view", string(overlay.ViewQA), "qa draws covered marks too and shows what covers them; model leaves them out")
	fs.BoolVar(&f.fullPage, "full-page", false, "the whole page and not the window's part of it")
	fs.BoolVar(&f.tiles, "tiles", false, "cut the picture into tiles of 1280x720 px or what the model takes unchanged, a tenth of them overlapping")
	fs.StringVar(&f.model, "model", "", "the vision model that will look: the picture is resized as its vendor would, and then marked")
	fs.StringVar(&f.detail, "detail", "", "how closely it is asked to look: auto | low | medium | high | ultra_high | original, what the model takes")
	fs.StringVar(&f.scope, "scope", "", "CSS selector: mark only what it matches and what is inside; all else is out_of_scope")
	fs.BoolVar(&f.containers, "containers", false, "draw sections, dialogs and lines of text too")
	fs.BoolVar(&f.renumber, "renumber", false, "number the drawn marks 1 to n in reading order; the manifest maps them")
	fs.StringVar(&f.palette, "palette", "", "role draws each mark in the colour of its role; black without it")
	fs.BoolVar(&f.signKey, "key", false, "qa: a strip below the picture that says what its signs mean")
	fs.BoolVar(&f.force, "force", false, "also where text becomes too small to read, or the vendor would refuse the picture")
	settleFlags(fs, &f.settle)
}

// check reads the flags that are words.
func (f *markFlags) check(a *app) error {
	switch {
	case f.out == "" && f.clean == "" && f.manifest == "" && f.legend == "":
		return usagef("mark: name the picture to write with -o OUT.png")
	case f.view != string(overlay.ViewQA) && f.view != string(overlay.ViewModel):
		return usagef("mark: --view %q: choose qa or model", f.view)
	case f.palette != "" && f.palette != string(overlay.PaletteRole):
		return usagef("mark: --palette %q: choose role, or leave it out for black", f.palette)
	case f.detail != "" && f.model == "":
		return usagef("mark: --detail is how closely a model looks: name it with --model")
	}
	for _, name := range []string{f.out, f.clean} {
		if name == "" {
			continue
		}
		if filepath.Ext(name) == "" {
			return usagef("mark: %s: end its name in .png or .webp, or .jpg where lost detail does not matter", name)
		}
		if _, err := overlay.FormatOf(name); err != nil {
			return &usageError{"mark: " + err.Error()}
		}
	}
	if f.model != "" {
		var known bool
		if f.rules, known = vision.Lookup(f.model); !known {
			a.remark("no rules are known for pictures of the model %q: it gets those that fit every model", f.model)
		}
		var err error
		if f.look, err = vision.ParseDetail(f.detail); err != nil {
			return usagef("mark: --detail: %v", err)
		}
	}
	if f.scope != "" {
		var err error
		if f.within, err = css.Parse(f.scope); err != nil {
			return usagef("mark: --scope: %v", err)
		}
	}
	return nil
}

// fit is the size at which the model sees a picture, or the picture's own without one.
func (f *markFlags) fit(size image.Point) image.Point {
	if f.model == "" {
		return size
	}
	return f.rules.Fit(size, f.look)
}

// tileSize is the largest tile that the model sees as it is, up to 1600x900 px, a size
// at which models are said to do well; without a model, or where it leaves no such size
// alone, the one that no vendor shrinks.
func (f *markFlags) tileSize(whole image.Point) image.Point {
	if f.model != "" {
		for k := 100; k >= 40; k-- { // 16:9
			p := image.Pt(min(16*k, whole.X), min(9*k, whole.Y))
			if f.fit(p) == p {
				return p
			}
		}
	}
	return image.Pt(overlay.TileWidth, overlay.TileHeight)
}

// options are those of the scene.
func (f *markFlags) options(c *snapshot.Capture) (overlay.Options, error) {
	o := overlay.Options{
		View: overlay.View(f.view), Containers: f.containers, Renumber: f.renumber,
		Palette: overlay.Palette(f.palette), Key: f.signKey,
	}
	if f.within == nil {
		return o, nil
	}
	inside := map[int]bool{}
	for _, n := range f.within.All(css.NewTree(c)) {
		inside[n.I] = true
	}
	if len(inside) == 0 {
		return o, fmt.Errorf("--scope %s matches nothing on the page", f.scope)
	}
	for i := range c.Nodes { // parents come first
		if n := &c.Nodes[i]; n.Parent >= 0 && inside[n.Parent] {
			inside[n.I] = true
		}
	}
	o.Scope = func(n *snapshot.Node) bool { return inside[n.I] }
	return o, nil
}

// mark writes the marked picture of one target, and what goes with it.
func mark(ctx context.Context, a *app, args []string) error {
	var f markFlags
	targets, err := a.globals("refscopectl mark", args, f.register)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usagef("mark: name one target: a URL, an .html file or a turn")
	}
	if err := f.check(a); err != nil {
		return err
	}
	target := targets[0]
	l := a.live()
	defer l.close()
	o := session.Options{Settle: f.settle, Action: "mark", FullPage: f.fullPage}
	if a.session != "" {
		if o.Store, err = a.store(ctx, a.session); err != nil {
			return err
		}
	}
	s, err := l.see(ctx, target, o)
	if err != nil {
		return err
	}
	if f.fullPage && s.capture.FullPage == nil {
		return usagef("mark: --full-page: %s was recorded of what the window showed: name the page itself", target)
	}
	for _, failed := range s.capture.Failed {
		if failed.Layer == "full page" {
			a.remark("%s", failed.Why)
		}
	}
	img, err := s.marked(target, f.out != "" || f.clean != "")
	if err != nil {
		return err
	}
	return f.write(a, target, s.capture, img, s.picture)
}

// marked is the picture to be marked: that of the turn, or one that lies beside a
// capture under its name. Where there is none and none is needed, its size is all that
// is in it.
func (s *seen) marked(target string, needed bool) (*image.RGBA, error) {
	if len(s.picture) == 0 && isCapture(target) {
		beside := strings.TrimSuffix(target, filepath.Ext(target)) + ".png"
		data, err := os.ReadFile(beside)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s, the picture of %s: %w", beside, target, export.Cause(err))
		}
		s.picture = data
		if err != nil && needed {
			return nil, fmt.Errorf("%s has no picture, and there is none beside it as %s: name the page, or a recorded turn", target, beside)
		}
	}
	v := s.capture.Viewport
	want := image.Pt(int(v.Width*v.Scale+0.5), int(v.Height*v.Scale+0.5))
	if len(s.picture) == 0 {
		if needed || want.X <= 0 || want.Y <= 0 || !(v.Width*v.Scale*v.Height*v.Scale <= session.MaxFullPixels) {
			return nil, fmt.Errorf("%s: %w", target, export.ErrNoPicture)
		}
		return &image.RGBA{Stride: 4 * want.X, Rect: image.Rectangle{Max: want}}, nil
	}
	img, err := s.image()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	if d := img.Rect.Max.Sub(want); s.where == target && (d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1) {
		return nil, fmt.Errorf("%s: the picture beside it is %d x %d px, and not %d x %d: it is of another moment", target, img.Rect.Dx(), img.Rect.Dy(), want.X, want.Y)
	}
	return img, nil
}

// write makes the marks and writes what was asked for.
func (f *markFlags) write(a *app, target string, c *snapshot.Capture, img *image.RGBA, original []byte) error {
	o, err := f.options(c)
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	whole := img.Rect.Size()
	parts := []image.Rectangle{img.Rect}
	if f.tiles {
		parts = overlay.Cut(whole, f.tileSize(whole))
	}
	if err := f.readable(target, c, parts); err != nil {
		return err
	}
	tiling := overlay.NewTiling(c, whole, parts, f.fit, o)
	w := &pictures{img: img, original: original, tiling: tiling, flags: f}
	if err := w.writeAll(); err != nil {
		return err
	}
	m := tiling.Manifest(func(k int) string { return filepath.Base(w.name(f.out, k)) })
	if f.out == "" {
		for k := range m.Images {
			m.Images[k].File = ""
		}
	}
	m.Model = f.model
	if f.manifest != "" {
		data, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return fmt.Errorf("encoding %s: %w", f.manifest, err)
		}
		if err := export.Write(f.manifest, append(data, '\n')); err != nil {
			return err
		}
		w.files = append(w.files, f.manifest)
	}
	if f.legend != "" {
		text := tiling.Legend(func(k int) string { return filepath.Base(w.name(f.out, k)) })
		if err := export.Write(f.legend, []byte(text)); err != nil {
			return err
		}
		w.files = append(w.files, f.legend)
	}
	return f.answer(a, m, w.files)
}

// readable refuses a picture that would be shrunk until its text cannot be read, or
// that the vendor refuses.
func (f *markFlags) readable(target string, c *snapshot.Capture, parts []image.Rectangle) error {
	if f.model == "" || f.force || len(parts) == 0 {
		return nil
	}
	size := parts[0].Size()
	fit := f.fit(size)
	if err := f.rules.Check(fit, f.look); err != nil {
		return fmt.Errorf("%s: a picture of %d x %d px: %w: add --tiles, or --force", target, fit.X, fit.Y, err)
	}
	if fit.X >= size.X {
		return nil
	}
	perCSS := c.Viewport.Scale * float64(fit.X) / float64(size.X)
	if d := overlay.Digits(perCSS); d < overlay.MinDigits {
		return fmt.Errorf("%s: for %s the picture would shrink from %d x %d to %d x %d px, and the digits of ordinary text to %.1f px, under %d: add --tiles, or --force",
			target, f.model, size.X, size.Y, fit.X, fit.Y, d, overlay.MinDigits)
	}
	return nil
}

// answer says what was drawn: for people on standard error, with --json on standard
// output.
func (f *markFlags) answer(a *app, m overlay.Manifest, files []string) error {
	onImage, tokens := make([]int, len(m.Images)), 0
	for _, k := range m.Marks {
		if k.Status == overlay.Drawn || k.Status == overlay.Covered && f.view == string(overlay.ViewQA) {
			onImage[k.Image]++
		}
	}
	for k, img := range m.Images {
		if img.Quality != nil {
			a.remark("image %d, %d x %d px: %d marks; %s", k+1, img.Width, img.Height, onImage[k], qualityLine(*img.Quality))
		}
		if f.model != "" {
			tokens += f.rules.Tokens(image.Pt(img.Width, img.Height), f.look).Tokens
		}
		if onImage[k] > manyMarks {
			offer := "--tiles, or mark a part of the page with --scope CSS"
			if f.tiles {
				offer = "--scope CSS"
			}
			a.remark("image %d has %d marks; more than about %d are hard to tell apart for people and models: try %s", k+1, onImage[k], manyMarks, offer)
		}
	}
	sum := ""
	if len(m.Images) > 1 {
		sum = fmt.Sprintf(" on %d images", len(m.Images))
	}
	a.remark("%d marks drawn of %d refs%s; %s", m.Counts[overlay.Drawn], len(m.Marks), sum, qualityLine(m.Quality))
	if f.model != "" {
		a.remark("%s (%s): about %d tokens, an estimate by the vendor's published rule", f.model, f.rules.Rule, tokens)
	}
	if !a.json {
		return nil
	}
	out := struct {
		Status   string           `json:"status"`
		Files    []string         `json:"files"`
		Tokens   int              `json:"tokensEstimate,omitempty"`
		Manifest overlay.Manifest `json:"manifest"`
	}{"ok", files, tokens, m}
	return json.NewEncoder(a.stdout).Encode(out)
}

// qualityLine is the quality of a picture in words.
func qualityLine(q overlay.Quality) string {
	return fmt.Sprintf("labels on labels %d, hidden %d, off the image %d, on strangers %d, on text %d, own target hidden %d, leaders %d, contrast %.1f",
		q.LabelOverlaps, q.LabelsHidden, q.LabelsOffImage, q.LabelsOnStrangers, q.LabelsOnText, q.OwnTargetHidden, q.Leaders, q.MinContrast)
}
