package bulk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/goldenstore"
	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/cmd/refscopectl/record"
	"github.com/refscope/refscope/cmd/refscopectl/view"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"
)

// batchSet names what a page adds to the data set, in its folder, and the set in that of the batch.
const batchSet = "dataset"

// pageWork is one thing that is done to each page of a batch, once it was captured.
type pageWork struct {
	name string
	// full: it needs the whole page and not the window's part of it.
	full bool
	// write writes its files into the page's folder and notes in res what is known.
	write func(ctx context.Context, p *batch.Page, r *target.Opened, dir string, res *batch.Result) error
	// set is the data set that is made of all pages in the end, nil for none.
	set *datasetFlags
}

// batchWorks are the names of what a batch can do.
var batchWorks = []string{"turn", "mark", "audit", "snap", "golden", batchSet}

// batchWork reads one --do: the name of a command, with flags of its own. The command's stages do
// the work; the batch names the files.
func batchWork(a *cli.App, words string, g *gallery) (*pageWork, error) {
	fields, err := shell.Fields(words, nil)
	if err != nil || len(fields) == 0 {
		return nil, cli.Usagef("batch: --do %q: name a command, as in --do audit or --do \"mark --view model\"", words)
	}
	d := &workFlags{words: words, args: fields[1:]}
	w := &pageWork{name: fields[0]}
	switch w.name {
	case "turn":
		err = d.turn(a, w)
	case "mark":
		err = d.mark(a, w)
	case "audit":
		err = d.audit(a, w)
	case "snap":
		err = d.snap(a, w)
	case "golden":
		err = d.golden(a, g, w)
	case batchSet:
		err = d.dataset(a, w)
	default:
		return nil, cli.Usagef("batch: --do %q: choose from %s", w.name, strings.Join(batchWorks, ", "))
	}
	return w, err
}

// workFlags are the flags of one --do.
type workFlags struct {
	words string
	args  []string
}

// read reads the flags of a command, but for those that a batch sets itself.
func (d *workFlags) read(c *cobra.Command, taken ...string) error {
	if err := c.ParseFlags(d.args); err != nil {
		return cli.Usagef("batch: --do %q: %v", d.words, err)
	}
	if rest := c.Flags().Args(); len(rest) > 0 {
		return cli.Usagef("batch: --do %q: unexpected argument %q: the pages are those of the list", d.words, rest[0])
	}
	for _, t := range append(taken, "settle", "settle-max") {
		if c.Flags().Changed(t) {
			return cli.Usagef("batch: --do %q: leave out --%s: the batch sets it for all pages", d.words, t)
		}
	}
	return nil
}

func (d *workFlags) turn(a *cli.App, w *pageWork) error {
	w.write = func(_ context.Context, _ *batch.Page, _ *target.Opened, _ string, res *batch.Result) error {
		res.Files = append(res.Files, batch.SessionDir) // it was written as the page was captured
		return nil
	}
	var f record.TurnFlags
	return d.read(f.Command(a), "output", "keep", "jobs")
}

func (d *workFlags) mark(a *cli.App, w *pageWork) error {
	f := &view.MarkFlags{}
	if err := d.read(f.Command(a), "output", "manifest", "legend", "clean", "keep"); err != nil {
		return err
	}
	f.Out = "marked.png" // of the page's folder
	w.full = f.FullPage
	w.write = func(_ context.Context, _ *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
		return markIntoFolder(a, f, r, dir, res)
	}
	return f.Check(a)
}

func (d *workFlags) audit(a *cli.App, w *pageWork) error {
	f := &view.AuditFlags{}
	if err := d.read(f.Command(a), "output", "picture", "jobs", "sarif", "rules", "coverage"); err != nil {
		return err
	}
	w.write = func(_ context.Context, _ *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
		return auditIntoFolder(a, f, r, dir, res)
	}
	return f.Check(a, []string{"the list"})
}

func (d *workFlags) snap(a *cli.App, w *pageWork) error {
	f := &view.SnapFlags{}
	if err := d.read(f.Command(a), "jsonl", "since", "source", "filter", "allow-secrets", "keep", "jobs"); err != nil {
		return err
	}
	w.write = func(ctx context.Context, _ *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
		out, err := f.Render(ctx, a, r)
		if err != nil {
			return err
		}
		return keepFile(dir, "snap.txt", []byte(out+"\n"), res)
	}
	return f.Check(a, []string{"the list"})
}

func (d *workFlags) golden(a *cli.App, g *gallery, w *pageWork) error {
	if g == nil {
		return cli.Usagef("batch: --do golden: name a folder that golden accept made in the place of LIST")
	}
	f := &goldenFlags{}
	w.write = func(_ context.Context, p *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
		return g.intoFolder(p, r, f.pixel, dir, res)
	}
	return d.read(f.checkCommand(a), "html", "junit", "update", "jobs")
}

func (d *workFlags) dataset(a *cli.App, w *pageWork) error {
	f := &datasetFlags{}
	if err := d.read(f.command(a), "output", "device", "scale", "theme", "locale", "jobs"); err != nil {
		return err
	}
	f.dir, w.set = batchSet, f // of the page's folder
	w.write = func(_ context.Context, p *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
		return f.intoFolder(a, p, r, dir, res)
	}
	return f.check()
}

// keepFile writes a file of a page.
func keepFile(dir, name string, data []byte, res *batch.Result) error {
	res.Files = append(res.Files, name)
	return export.WritePrivate(filepath.Join(dir, name), data)
}

// keepJSON is [keepFile] for a value.
func keepJSON(dir, name string, v any, res *batch.Result) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	return keepFile(dir, name, append(data, '\n'), res)
}

// markIntoFolder writes the marked picture of a page, its manifest and its legend.
func markIntoFolder(a *cli.App, f *view.MarkFlags, r *target.Opened, dir string, res *batch.Result) error {
	own := *f
	own.Out = filepath.Join(dir, "marked.png")
	own.Manifest, own.Legend = filepath.Join(dir, "marks.json"), filepath.Join(dir, "legend.txt")
	quiet := *a
	quiet.Quiet, quiet.JSON, quiet.Stdout = true, false, io.Discard
	if err := own.Write(&quiet, r); err != nil {
		return err
	}
	res.Files = append(res.Files, "marked.png", "marks.json", "legend.txt")
	return nil
}

// auditIntoFolder writes the report of a page's audit.
func auditIntoFolder(a *cli.App, f *view.AuditFlags, r *target.Opened, dir string, res *batch.Result) error {
	got, err := f.One(a, r.Name, r)
	if err != nil {
		return err
	}
	res.Findings = new(got.Tally) // a copy: a pointer into the report would keep it for as long as the batch runs
	for _, b := range got.Breaches {
		res.Breaches = append(res.Breaches, b.Text)
	}
	return keepJSON(dir, "audit.json", got, res)
}

// intoFolder writes what a page adds to the data set of its batch.
func (f *datasetFlags) intoFolder(a *cli.App, p *batch.Page, r *target.Opened, dir string, res *batch.Result) error {
	clean, err := r.Canvas(true)
	if err != nil {
		return err
	}
	part, err := trainset.Open(filepath.Join(dir, batchSet), f.plan(nil))
	if err != nil {
		return err
	}
	from := dataset.NewSource(r.Capture, target.Clean(p.Target), target.IsFile(p.Target))
	if d, preset, ok := cli.ViewportOf(cmp.Or(p.Device, a.Viewport)); ok && preset {
		from.Device = d.Name
	}
	res.Files = append(res.Files, batchSet)
	return part.Add(p.Place-1, r.Capture, r.Picture, clean, from)
}

// batchDataset makes the data set of a batch that has one, of what its pages add to it.
func batchDataset(a *cli.App, dir string, m *batch.Manifest) error {
	var f *datasetFlags
	for _, words := range m.Header.Works {
		if name, _, _ := strings.Cut(words, " "); name == batchSet {
			work, err := batchWork(a, words, nil)
			if err != nil {
				return err
			}
			f = work.set
		}
	}
	if f == nil {
		return nil
	}
	f.dir = filepath.Join(dir, batchSet)
	if err := os.RemoveAll(f.dir); err != nil { // of a run before this one
		return fmt.Errorf("%s: %w", f.dir, export.Cause(err))
	}
	set, err := trainset.Open(f.dir, f.plan(make([]string, m.Header.Pages)))
	if err != nil {
		return err
	}
	failed := 0
	for _, e := range m.InOrder() {
		if !slices.Contains(e.Files, batchSet) {
			failed++
			continue
		}
		if err := set.Take(filepath.Join(dir, batch.PagesDir, e.Key, batchSet)); err != nil {
			return fmt.Errorf("the data set of page %s: %w", e.Key, export.Cause(err))
		}
	}
	if failed == len(m.Entries) {
		a.Remark("no page could be captured for the data set")
		return os.RemoveAll(f.dir)
	}
	made, err := set.Finish(failed)
	if err == nil {
		a.Remark("%s", f.sentence(made.Counts()))
	}
	return err
}

// intoFolder holds a page against what was accepted of it.
func (g *gallery) intoFolder(of *batch.Page, r *target.Opened, pixels bool, dir string, res *batch.Result) error {
	p := g.folder.List.Page(of.Name)
	if p == nil {
		return fmt.Errorf("%s has no page %q", g.folder.Dir, of.Name)
	}
	c := captured{now: r}
	if c.settings, c.err = g.folder.List.Settings(p); c.err == nil {
		c.err = r.FindPicture(false)
	}
	result := g.check(p, c, pixels)
	res.Change = string(result.Outcome)
	if result.Outcome == golden.Failed {
		return errors.New(result.Sentence)
	}
	if result.Outcome != golden.Same {
		res.Changed = result.Sentence
		var b strings.Builder
		if err := goldenstore.HTML(&b, filepath.Base(g.folder.Dir), []*goldenstore.Result{result}); err != nil {
			return err
		}
		if err := keepFile(dir, "golden.html", []byte(b.String()), res); err != nil {
			return err
		}
	}
	return keepJSON(dir, "golden.json", result, res)
}

// The thumbnail of a page: image px of its longer side, and the quality of its JPEG.
const (
	thumbnailSide    = 160
	thumbnailQuality = 55
)

// thumbnail writes the small picture that the report shows.
func thumbnail(r *target.Opened, dir string) error {
	if len(r.Picture) == 0 {
		return nil
	}
	whole, err := r.Image()
	if err != nil {
		return err
	}
	size := whole.Rect.Size()
	if size.Y > 2*size.X { // the top of a long page
		whole = whole.SubImage(image.Rect(0, 0, size.X, 2*size.X)).(*image.RGBA)
		size = whole.Rect.Size()
	}
	scale := float64(thumbnailSide) / float64(max(size.X, size.Y))
	to := image.Pt(max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale)))
	return export.WritePrivateBy(filepath.Join(dir, batch.ThumbnailFile), func(w io.Writer) error {
		return jpeg.Encode(w, vision.Resize(whole, to), &jpeg.Options{Quality: thumbnailQuality})
	})
}

// describe notes what is known of a capture.
func describe(c *snapshot.Capture, res *batch.Result) {
	res.Title, res.Elements, res.Refs = c.Title, len(c.Nodes), c.Verdicts[snapshot.VerdictRef]
	if !c.Settled {
		res.Notes = append(res.Notes, "not settled")
	}
	if c.Moment.Torn {
		res.Notes = append(res.Notes, "torn")
	}
	if why := c.CutOff(); why != "" {
		res.Notes = append(res.Notes, "cut off: "+why)
	}
}
