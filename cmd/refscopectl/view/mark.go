package view

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/spf13/cobra"
)

// MarkFlags are the flags of mark.
type MarkFlags struct {
	Out, clean, Manifest, Legend string
	view, style, palette, scope  string
	model, detail, after         string
	FullPage, tiles, regions     bool
	containers, lines            bool
	renumber, signKey, force     bool
	numbers                      string
	page                         cli.CaptureFlags

	rules  vision.Model // of the model; its zero value takes any picture as it is
	look   vision.Detail
	within *css.Selector  // nil for the whole page
	kept   []overlay.Kept // of the manifest that after names
	many   bool           // there are several pictures, by number
	sent   *inspect.Sent  // whose numbers are drawn, nil for ours
}

// Mark writes the marked picture of one target, and what goes with it.
func Mark(a *cli.App) *cobra.Command { return new(MarkFlags).Command(a) }

// Command makes the command that reads f.
func (f *MarkFlags) Command(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use: "mark TARGET -o OUT.png", Short: "the picture with numbered boxes, its manifest and legend",
		Example: `  refscopectl mark assets/demo/index.html -o out/marked.png --manifest out/marks.json
  refscopectl mark shop#3 --model claude-opus-4-8 -o out/claude.png --legend out/legend.txt
  refscopectl mark assets/demo/index.html --full-page --tiles -o out/page.png
  refscopectl mark assets/demo/index.html --palette tints -o out/tints.png`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return runMark(c.Context(), a, f, args) },
	}
	fs := c.Flags()
	fs.StringVarP(&f.Out, "output", "o", "",
		"the marked picture, a `FILE`: .png, .webp, or .jpg where lost detail does not matter; "+
			"with --tiles OUT-1.png, OUT-2.png …")
	fs.StringVar(&f.clean, "clean", "", "the same picture without marks, a `FILE`")
	fs.StringVar(&f.Manifest, "manifest", "", "every ref with its box, label and status, a JSON `FILE`")
	fs.StringVar(&f.Legend, "legend", "", "the marks in words, in reading order, a `FILE`")
	fs.StringVar(&f.view, "view", "",
		"`qa|model`: qa, for people, draws covered marks too and shows what covers them; model has one number for "+
			"each thing that can be acted on, and none for what is covered (default qa, with --model model)")
	fs.BoolVar(&f.FullPage, "full-page", false, "the whole page and not the window's part of it")
	fs.BoolVar(&f.tiles, "tiles", false,
		"cut the picture into tiles of 1280x720 px or what the model takes unchanged, a tenth of them overlapping")
	fs.BoolVar(&f.regions, "regions", false, fmt.Sprintf("cut a picture of more than %d marks, or without room for "+
		"some, by what is on it, into enlarged parts, and write OUT-index.png, which shows what is where",
		overlay.ManyMarks))
	fs.StringVar(&f.model, "model", "",
		"the vision model that will look, by `NAME`: the picture is resized as its vendor would, and then marked")
	fs.StringVar(&f.detail, "detail", "", "how closely it is asked to look, of what the model takes: "+
		"`auto|low|medium|high|ultra_high|original`")
	fs.StringVar(&f.scope, "scope", "",
		"`CSS` selector: mark only what it matches and what is inside; everything else is out_of_scope")
	fs.BoolVar(&f.containers, "containers", false,
		"draw sections, dialogs, lines of text, and everything else with a number")
	fs.BoolVar(&f.lines, "lines", false, "draw lines of text as well, and no other containers")
	fs.BoolVar(&f.renumber, "renumber", false, "number the drawn marks 1 to n in reading order; the manifest maps them")
	fs.StringVar(&f.numbers, "numbers", numbersOwn,
		"of a recorded turn: `own|agent|both`: agent has the numbers of the "+
			"agent's own text, and dashes the boxes of elements that it was not given")
	fs.StringVar(&f.style, "style", string(overlay.StyleDefault), "`refscope-2|refscope-1`: the second one keeps the "+
		"page's letters whole and no other box as near to a number as its own; the first is that of earlier pictures")
	fs.StringVar(&f.palette, "palette", "", "`role|tints`: role draws each mark in the colour of its role, tints "+
		"neighbours in different colours of one contrast; black without it")
	fs.StringVar(&f.after, "after", "", "the manifest of the turn before, a JSON `FILE`: "+
		"numbers stay where they were beside their boxes as far as they can")
	fs.BoolVar(&f.signKey, "key", false, "qa: a strip below the picture that explains its signs")
	fs.BoolVar(&f.force, "force", false,
		"also where text becomes too small to read, or the vendor would refuse the picture")
	cli.CompleteFlag(c, "numbers", numbersOwn, numbersAgent, numbersBoth)
	cli.CompleteFlag(c, "view", string(overlay.ViewQA), string(overlay.ViewModel))
	cli.CompleteFlag(c, "detail", "auto", "low", "medium", "high", "ultra_high", "original")
	cli.CompleteFlag(c, "style", string(overlay.StyleClear), string(overlay.StyleFirst))
	cli.CompleteFlag(c, "palette", string(overlay.PaletteRole), string(overlay.PaletteTints))
	f.page.Register(c)
	f.page.RegisterKeep(c)
	return c
}

// Whose numbers mark draws.
const (
	numbersOwn   = "own"
	numbersAgent = "agent"
	numbersBoth  = "both"
)

// Check reads the flags that are words.
func (f *MarkFlags) Check(a *cli.App) error {
	switch {
	case f.numbers != numbersOwn && f.numbers != numbersAgent && f.numbers != numbersBoth:
		return cli.Usagef("mark: --numbers %q: choose from own | agent | both", f.numbers)
	case f.numbers != numbersOwn && (f.renumber || f.after != ""):
		return cli.Usagef("mark: --numbers %s are the numbers of the agent's text: leave out --renumber and --after",
			f.numbers)
	case f.Out == "" && f.clean == "" && f.Manifest == "" && f.Legend == "":
		return cli.Usagef("mark: name the picture to write with -o OUT.png")
	case f.view != "" && f.view != string(overlay.ViewQA) && f.view != string(overlay.ViewModel):
		return cli.Usagef("mark: --view %q: choose qa or model", f.view)
	case f.style != string(overlay.StyleFirst) && f.style != string(overlay.StyleClear):
		return cli.Usagef("mark: --style %q: choose %s or %s", f.style, overlay.StyleClear, overlay.StyleFirst)
	case f.palette != "" && f.palette != string(overlay.PaletteRole) && f.palette != string(overlay.PaletteTints):
		return cli.Usagef("mark: --palette %q: choose role or tints, or leave it out for black", f.palette)
	case f.palette != "" && f.Out == "" && f.Manifest == "" && !a.JSON:
		return cli.Usagef("mark: --palette chooses the colours of the picture: name it with -o OUT.png, or leave it " +
			"out")
	case f.signKey && (f.view == string(overlay.ViewModel) || f.view == "" && f.model != ""):
		return cli.Usagef("mark: --key explains the signs of the view qa, and the view model has none: " +
			"add --view qa, or leave it out")
	case f.tiles && f.regions:
		return cli.Usagef("mark: --tiles and --regions cut the picture in two ways: choose one")
	case f.detail != "" && f.model == "":
		return cli.Usagef("mark: --detail is how closely a model looks: name it with --model")
	}
	if f.view == "" {
		f.view = string(overlay.ViewQA)
		if f.model != "" {
			f.view = string(overlay.ViewModel)
		}
	}
	for _, name := range []string{f.Out, f.clean} {
		if name == "" {
			continue
		}
		if filepath.Ext(name) == "" {
			return cli.Usagef("mark: %s: end its name in .png or .webp, or .jpg where lost detail does not matter",
				name)
		}
		if _, err := codec.FormatOf(name); err != nil {
			return &target.UsageError{Text: "mark: " + err.Error()}
		}
	}
	for _, name := range []string{f.Out, f.clean, f.Manifest, f.Legend} {
		if name == "" {
			continue
		}
		switch info, err := os.Stat(filepath.Dir(name)); {
		case err != nil:
			return cli.Usagef("mark: %s: folder %s not found: create it first", name, filepath.Dir(name))
		case !info.IsDir():
			return cli.Usagef("mark: %s: %s is not a folder", name, filepath.Dir(name))
		}
	}
	if f.model != "" {
		var known bool
		if f.rules, known = vision.Lookup(f.model); !known {
			return cli.Usagef("mark: --model %q is not known: refscopectl mark --help lists the models", f.model)
		}
		var err error
		if f.look, err = vision.ParseDetail(f.detail); err != nil {
			return cli.Usagef("mark: --detail: %v", err)
		}
	}
	if f.after != "" {
		if err := f.readAfter(); err != nil {
			return err
		}
	}
	if f.scope != "" {
		var err error
		if f.within, err = css.Parse(f.scope); err != nil {
			return cli.Usagef("mark: --scope: %v", err)
		}
	}
	return nil
}

// readAfter reads the manifest of the turn before.
func (f *MarkFlags) readAfter() error {
	data, err := os.ReadFile(f.after)
	if err != nil {
		return fmt.Errorf("--after: %w", err)
	}
	var m overlay.Manifest
	if err := json.Unmarshal(data, &m); err != nil || len(m.Images) == 0 {
		return cli.Usagef("mark: --after %s is not a manifest: name a file that mark --manifest wrote", f.after)
	}
	f.kept = m.Kept()
	return nil
}

// fit is the size at which the model sees a picture, or the picture's own without one.
func (f *MarkFlags) fit(size image.Point) image.Point {
	if f.model == "" {
		return size
	}
	return f.rules.Fit(size, f.look)
}

// tileSize is the largest tile that the model sees as it is, up to 1600x900 px, a size
// at which models are reported to do well; without a model, or where it resizes every such
// size, the one that no vendor shrinks.
func (f *MarkFlags) tileSize(whole image.Point) image.Point {
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
func (f *MarkFlags) options(c *snapshot.Capture) (overlay.Options, error) {
	o := overlay.Options{
		View: overlay.View(f.view), Containers: f.containers, Renumber: f.renumber,
		Palette: overlay.Palette(f.palette), Key: f.signKey,
		Style: overlay.Style(f.style), Lines: f.lines, Kept: f.kept,
	}
	if f.sent != nil {
		f.sent.Mark(&o, f.numbers == numbersBoth)
	}
	if f.model != "" {
		o.Seen = f.fit
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

func runMark(ctx context.Context, a *cli.App, f *MarkFlags, targets []string) (err error) {
	if len(targets) != 1 {
		return cli.Usagef("mark: name one target: a URL, an .html file, a tab or a turn")
	}
	finish, err := a.ToOutput("mark", cli.Written{Name: &f.Out, Ext: ".png"}, cli.Written{Name: &f.clean, Ext: ".png"},
		cli.Written{Name: &f.Manifest, Ext: ".json"},
		cli.Written{Name: &f.Legend, Ext: ".txt"})
	if err != nil {
		return err
	}
	defer func() { err = finish(err) }()
	if err := f.Check(a); err != nil {
		return err
	}
	o := a.Opener()
	o.Keep, o.Pageless = f.page.Keep, true
	defer o.Close()
	s := session.Options{Settle: f.page.Settle, Action: "mark", FullPage: f.FullPage}
	if a.Session != "" {
		store, err := a.Store(ctx, a.Session)
		if err != nil {
			return err
		}
		defer store.Close()
		s.Store = store
	}
	if _, recorded := target.ParseTurn(a.Home, targets[0]); f.numbers != numbersOwn && !recorded {
		return cli.Usagef("mark: --numbers %s: %s is no recorded turn: name SESSION#N", f.numbers, targets[0])
	}
	r, err := o.Open(ctx, targets[0], s)
	if err != nil {
		return err
	}
	if f.numbers != numbersOwn {
		if f.sent, err = sentOf(ctx, a, r); err != nil {
			return err
		}
	}
	if f.Out+f.Manifest+f.Legend != "" { // the picture without marks needs no page
		if err := r.NeedPage(); err != nil {
			return err
		}
	}
	if f.FullPage && r.Capture.FullPage == nil {
		return cli.Usagef("mark: --full-page: %s was recorded of what the window showed: name the page itself", r.Name)
	}
	if err := f.Write(a, r); err != nil {
		return err
	}
	if f.page.Keep {
		a.PrintKept(r)
	}
	return nil
}

// Write makes the marks and writes what was requested.
func (f *MarkFlags) Write(a *cli.App, r *target.Opened) error {
	c := r.Capture
	img, err := r.Canvas(f.Out != "" || f.clean != "")
	if err != nil {
		return err
	}
	o, err := f.options(c)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	whole := img.Rect.Size()
	parts := []image.Rectangle{img.Rect}
	fit := f.fit
	switch {
	case f.tiles:
		parts, f.many = overlay.Cut(whole, f.tileSize(whole)), true
	case f.regions:
		parts = overlay.Regions(c, whole, o, overlay.ManyMarks, fit)
		if f.many = len(parts) > 1; f.many {
			fit = func(size image.Point) image.Point { return f.fit(overlay.Enlarged(size)) }
		}
	}
	if err := f.readable(r.Name, c, parts); err != nil {
		return err
	}
	tiling := overlay.NewTiling(c, whole, parts, fit, o)
	if f.tiles {
		if some := tiling.Marked(); len(some) > 0 && len(some) < len(parts) {
			a.Remark("%d of %d tiles have no mark and are not written", len(parts)-len(some), len(parts))
			tiling = overlay.NewTiling(c, whole, some, fit, o)
		}
	}
	w := &pictures{img: img, original: r.Picture, tiling: tiling, flags: f}
	if err := w.writeAll(); err != nil {
		return err
	}
	if err := w.writeIndex(); err != nil {
		return err
	}
	m := tiling.Manifest(func(k int) string { return filepath.Base(w.name(f.Out, k)) })
	if f.Out == "" {
		for k := range m.Images {
			m.Images[k].File = ""
		}
	}
	m.Model = f.model
	if f.sent != nil {
		m.Numbers = string(f.sent.Text.Format)
	}
	m.Quality.Letters = w.letters(&m)
	if f.Out != "" && f.regions && f.many {
		m.Index = filepath.Base(w.index())
	}
	if f.Manifest != "" {
		data, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return fmt.Errorf("encoding %s: %w", f.Manifest, err)
		}
		if err := export.Write(f.Manifest, append(data, '\n')); err != nil {
			return err
		}
		w.files = append(w.files, f.Manifest)
	}
	if f.Legend != "" {
		text := tiling.Legend(func(k int) string { return filepath.Base(w.name(f.Out, k)) })
		if err := export.Write(f.Legend, []byte(text)); err != nil {
			return err
		}
		w.files = append(w.files, f.Legend)
	}
	return f.answer(a, r, m, w.files)
}

// readable refuses a picture that would be shrunk until its text cannot be read, or
// that the vendor refuses.
func (f *MarkFlags) readable(target string, c *snapshot.Capture, parts []image.Rectangle) error {
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
		return fmt.Errorf("%s: for %s the picture would shrink from %d x %d to %d x %d px, "+
			"and the digits of ordinary text to %.1f px, under %d: add --tiles, or --force",
			target, f.model, size.X, size.Y, fit.X, fit.Y, d, overlay.MinDigits)
	}
	return nil
}

// answer describes what was drawn: for people on standard error, with --json on standard
// output.
func (f *MarkFlags) answer(a *cli.App, r *target.Opened, m overlay.Manifest, files []string) error {
	if a.Debug {
		for k, img := range m.Images {
			if img.Quality != nil {
				a.Remark("image %d: %s", k+1, placementLine(*img.Quality))
			}
		}
		a.Remark("placement: %s", placementLine(m.Quality))
	}
	onImage, tokens := make([]int, len(m.Images)), 0
	wanted := make([]int, len(m.Images))
	for _, k := range m.Marks {
		if k.Number > 0 || k.Status == overlay.NoRoom {
			wanted[k.Image]++
		}
		if k.Number > 0 {
			onImage[k.Image]++
		}
	}
	for k, img := range m.Images {
		if img.Quality != nil {
			a.Remark("image %d, %d x %d px: %d marks%s", k+1, img.Width, img.Height, onImage[k],
				qualityLine(*img.Quality))
		}
		if f.model != "" {
			tokens += f.rules.Tokens(image.Pt(img.Width, img.Height), f.look).Tokens
		}
		if wanted[k] > overlay.ManyMarks {
			offer := "--regions, --tiles, or mark a part of the page with --scope CSS"
			if f.tiles || f.regions {
				offer = "--scope CSS"
			}
			a.Remark("image %d has %d marks; more than about %d are hard to tell apart for people and models: try %s",
				k+1,
				wanted[k], overlay.ManyMarks, offer)
		}
	}
	sum := ""
	if len(m.Images) > 1 {
		sum = fmt.Sprintf(" on %d images", len(m.Images))
	}
	total := 0
	for _, n := range onImage {
		total += n
	}
	verdicts := r.Capture.CountVerdicts()
	of := verdicts[snapshot.VerdictRef]
	if f.containers || f.lines { // lines of text have numbers too
		of += verdicts[snapshot.VerdictContent]
	}
	line := fmt.Sprintf("%d of %d refs are marked%s", total, of, sum)
	if n := m.Counts[overlay.Covered]; n > 0 {
		line += fmt.Sprintf("; %d covered", n)
	}
	a.Remark("%s%s", line, qualityLine(m.Quality))
	if f.model != "" {
		a.Remark("%s (%s): about %d tokens, an estimate by the vendor's published rule", f.model, f.rules.Rule, tokens)
	}
	if !a.JSON {
		return nil
	}
	out := struct {
		Status   string           `json:"status"`
		Files    []string         `json:"files"`
		Tokens   int              `json:"tokensEstimate,omitempty"`
		Tab      string           `json:"tab,omitempty"`
		Manifest overlay.Manifest `json:"manifest"`
	}{"ok", files, tokens, r.Tab, m}
	return a.PrintJSON(out)
}

// qualityLine says what a person wants to know of a picture with numbers, nothing of what is as it should be.
func qualityLine(q overlay.Quality) string {
	var hidden, own, others, outlined int
	if h := q.Letters; h != nil {
		own, others, outlined = h.Own, h.Others, h.Outlined
		hidden = own + others + outlined
	}
	out := ""
	for _, k := range []struct {
		n    int
		what string
	}{
		{q.LeftOut, "left out for want of room"},
		{hidden, fmt.Sprintf("letters hidden (of their own elements %d, of others %d, under outlines %d)", own, others,
			outlined)},
		{q.TargetsHidden, "elements hidden"}, {q.Nearer, "nearer to another box"}, {q.AsNear, "as near to another box"},
		{q.SmallDigits, "too small to read after a vendor's resize"},
	} {
		if k.n > 0 {
			out += fmt.Sprintf("; %d %s", k.n, k.what)
		}
	}
	return out
}

// placementLine is the placement's own score in words, for those who work on it.
func placementLine(q overlay.Quality) string {
	return fmt.Sprintf("labels on labels %d, hidden %d, off the image %d, on other targets %d, on text %d, "+
		"own target hidden %d, leaders %d, contrast %.1f, of boxes %.1f",
		q.LabelOverlaps, q.LabelsHidden, q.LabelsOffImage, q.LabelsOnStrangers, q.LabelsOnText,
		q.OwnTargetHidden, q.Leaders, q.MinContrast, q.OutlineContrast)
}

// pictures writes the pictures of one tiling.
type pictures struct {
	img      *image.RGBA
	original []byte // the whole picture as it was recorded, PNG
	tiling   *overlay.Tiling
	flags    *MarkFlags
	files    []string          // that were written, in order
	hidden   []*overlay.Hidden // by tile, nil where the marked picture was not made
	encoder  codec.Encoder
}

// name is the file name of a picture: as it was given where there is one, else with
// its number from 1 before the extension.
func (w *pictures) name(file string, k int) string {
	if file == "" || !w.flags.many {
		return file
	}
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), k+1, ext)
}

// letters gives each image of a manifest what its marks hide of the letters, and returns the sum; nil where no marked
// picture was made.
func (w *pictures) letters(m *overlay.Manifest) *overlay.Hidden {
	var sum *overlay.Hidden
	for k, h := range w.hidden {
		if h == nil {
			continue
		}
		if m.Images[k].Quality != nil {
			m.Images[k].Quality.Letters = h
		}
		if sum == nil {
			sum = new(overlay.Hidden)
		}
		sum.Add(*h)
	}
	return sum
}

// index is the file name of the index picture.
func (w *pictures) index() string {
	ext := filepath.Ext(w.flags.Out)
	return strings.TrimSuffix(w.flags.Out, ext) + "-index" + ext
}

// writeIndex writes the picture that shows which region has what, where there are several.
func (w *pictures) writeIndex() error {
	f := w.flags
	if f.Out == "" || !f.regions || !f.many {
		return nil
	}
	img := vision.Resize(w.img, f.fit(w.img.Rect.Size()))
	w.tiling.DrawIndex(img)
	data, err := w.encode(f.Out, img)
	if err != nil {
		return err
	}
	if err := export.Write(w.index(), data); err != nil {
		return err
	}
	w.files = append(w.files, w.index())
	return nil
}

// writeAll writes the marked and the clean pictures that were requested. As many are
// encoded at a time as there are processors.
func (w *pictures) writeAll() error {
	f := w.flags
	if f.Out == "" && f.clean == "" {
		return nil
	}
	tiles := w.tiling.Tiles()
	errs := make([]error, len(tiles))
	w.hidden = make([]*overlay.Hidden, len(tiles))
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
		for _, file := range []string{w.name(f.Out, k), w.name(f.clean, k)} {
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
		format, err := codec.FormatOf(f.clean)
		if err == nil && format == codec.PNG && tile.Rect == w.img.Rect && size == tile.Rect.Size() {
			data = w.original // as it was recorded
		} else if data, err = w.encode(f.clean, part); err != nil {
			return err
		}
		if err := export.Write(w.name(f.clean, k), data); err != nil {
			return err
		}
	}
	if f.Out == "" {
		return nil
	}
	w.hidden[k] = tile.Scene.Hides(part)
	data, err := w.encode(f.Out, export.Drawn(part, tile.Scene))
	if err != nil {
		return err
	}
	if err := f.rules.CheckBytes(len(data)); err != nil && !f.force {
		return fmt.Errorf("%s: %w: add --tiles, or --force", w.name(f.Out, k), err)
	}
	return export.Write(w.name(f.Out, k), data)
}

// encode encodes a picture for a file of that name.
func (w *pictures) encode(name string, img *image.RGBA) ([]byte, error) {
	format, err := codec.FormatOf(name)
	if err != nil {
		return nil, err
	}
	data, err := w.encoder.EncodeAs(img, format, false)
	if err != nil && !w.flags.many && format != codec.PNG {
		return nil, fmt.Errorf("%s: %w: add --tiles, or write a .png", name, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
