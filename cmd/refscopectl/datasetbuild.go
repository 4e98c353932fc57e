package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/text"
)

// datasetBuild is one run of dataset build. While a set is made, its folder holds the pictures, and in a folder of its
// own the plan and a file for each picture that is done: a later run with the same plan goes on from there.
type datasetBuild struct {
	a     *app
	f     *datasetFlags
	tabs  *opener
	shots []datasetShot
	coder overlay.Encoder
}

// datasetShot is one picture to be made.
type datasetShot struct {
	target string
	look   *appearance // nil for a turn
}

// building is the folder of a set that is being made.
const building = ".building"

// buildDataset makes a data set.
func (a *app) buildDataset(ctx context.Context, f *datasetFlags, targets []string) error {
	if err := f.check(a); err != nil {
		return err
	}
	looks, err := f.looks(a)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return usagef("dataset build: name a session, turns, pages or a list of them")
	}
	b := &datasetBuild{a: a, f: f, tabs: a.opener()}
	defer b.tabs.close()
	for _, name := range targets {
		if err := b.plan(ctx, name, looks, true); err != nil {
			return err
		}
	}
	if len(b.shots) == 0 {
		return fmt.Errorf("dataset build: %s holds no turns and no pages", strings.Join(targets, ", "))
	}
	if err := b.prepare(); err != nil {
		return err
	}
	failed, err := b.gather(ctx)
	if err != nil {
		if ctx.Err() != nil {
			a.remark("%s: run the same command again to go on", f.dir)
		}
		return err
	}
	return b.finish(failed)
}

// plan adds what a target stands for. A list names targets, but no lists.
func (b *datasetBuild) plan(ctx context.Context, name string, looks []appearance, lists bool) error {
	if lists && (name == "-" || strings.HasSuffix(strings.ToLower(name), ".txt") && !strings.Contains(name, "://")) {
		return b.planList(ctx, name, looks)
	}
	if at, ok := b.a.turnAddress(name); ok {
		b.shots = append(b.shots, datasetShot{target: at.String()})
		return nil
	}
	if store, err := b.a.openSession(name); err == nil && !strings.Contains(name, "://") {
		defer store.Close()
		list, _, err := store.List(ctx)
		if err != nil {
			return fmt.Errorf("session %s: %w", name, err)
		}
		for _, turn := range list {
			b.shots = append(b.shots, datasetShot{target: fmt.Sprintf("%s#%d", name, turn.N)})
		}
		return nil
	}
	t, err := b.a.parseTarget(name)
	if err != nil {
		return err
	}
	if t.kind == tabTarget {
		return usagef("dataset build: %s is a tab: record it with refscopectl turn, and name its session", name)
	}
	if t.recorded() {
		b.shots = append(b.shots, datasetShot{target: name})
		return nil
	}
	for i := range looks {
		b.shots = append(b.shots, datasetShot{name, &looks[i]})
	}
	return nil
}

// planList adds the targets of a list: one in each line, without empty ones and those that begin with #. Paths are
// from the current folder.
func (b *datasetBuild) planList(ctx context.Context, name string, looks []appearance) error {
	in, where := b.a.stdin(), "the list on standard input"
	if name != "-" {
		data, err := readRegular(name)
		if err != nil {
			return fmt.Errorf("%s: %w: name a list that is there", name, export.Cause(err))
		}
		in, where = bytes.NewReader(data), name
	}
	lines := bufio.NewScanner(io.LimitReader(in, 64<<20))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := b.plan(ctx, line, looks, false); err != nil {
			return fmt.Errorf("%s, line %d: %w", where, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", where, err)
	}
	return nil
}

// datasetPlan is what two runs must share for the one to go on where the other ended.
type datasetPlan struct {
	Tool    string
	Options dataset.Options
	Model   string
	Format  string
	Shots   []string
}

// prepare makes the folder of the set, or finds in it what an interrupted run of the same plan left.
func (b *datasetBuild) prepare() error {
	dir := b.f.dir
	p := datasetPlan{Tool: tool(), Options: b.f.options, Model: b.f.model + " " + b.f.detail, Format: b.f.pictures}
	for _, s := range b.shots {
		p.Shots = append(p.Shots, s.key())
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(plan)
	id := []byte(hex.EncodeToString(sum[:]) + "\n")
	file := filepath.Join(dir, building, "plan")
	switch was, err := os.ReadFile(file); {
	case err == nil && bytes.Equal(was, id):
		return nil
	case err == nil:
		return fmt.Errorf("%s holds an unfinished set of other pages or choices: choose another folder, or remove it", dir)
	}
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return fmt.Errorf("%s is not empty: choose another folder for the set", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: choose another folder for the set", dir, export.Cause(err))
	}
	for _, sub := range []string{building, dataset.ImageDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return fmt.Errorf("%s: %w", dir, export.Cause(err))
		}
	}
	return export.Write(file, id)
}

func (s datasetShot) key() string {
	if s.look == nil {
		return s.target
	}
	d := s.look.device
	return fmt.Sprintf("%s %s %dx%d@%g %s %s", s.target, d.Name, d.Width, d.Height, d.Scale, s.look.media.Scheme, s.look.locale)
}

// done is the file of a picture that is done.
func (b *datasetBuild) done(i int) string {
	return filepath.Join(b.f.dir, building, fmt.Sprintf("%05d.json", i+1))
}

// failure is a page that could not be captured.
type failure struct {
	Target string `json:"target"`
	Why    string `json:"why"`
}

// gather makes all pictures that are not done.
func (b *datasetBuild) gather(ctx context.Context) ([]failure, error) {
	var open []int
	for i := range b.shots {
		if _, err := os.Stat(b.done(i)); err != nil {
			open = append(open, i)
		}
	}
	if n := len(b.shots) - len(open); n > 0 {
		b.a.remark("%s: %s done already", b.f.dir, text.Count(n, "picture is", "pictures are"))
	}
	step, done := b.a.progress("pictures", len(open))
	defer done()
	failed := []failure{}
	err := inOrder(ctx, b.f.page.jobs, len(open), func(ctx context.Context, k int) error {
		return b.shoot(ctx, open[k])
	}, func(k int, err error) error {
		step()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failed = append(failed, failure{cleanTarget(b.shots[open[k]].target), text.Visible(err.Error())})
			if !b.a.json {
				b.a.report(err)
			}
		}
		return nil
	})
	return failed, err
}

// shoot makes one picture: captures or reads the page, labels it, and writes the pictures and what is known of them.
func (b *datasetBuild) shoot(ctx context.Context, i int) error {
	shot, o := b.shots[i], b.f.options
	r, err := b.tabs.openAs(ctx, shot.target, shot.look, session.Options{Settle: b.f.page.settle, Action: "dataset"})
	if err != nil {
		return err
	}
	clean, err := r.canvas(true)
	if err != nil {
		return err
	}
	scene := dataset.Scene(r.capture, clean.Rect.Size(), o)
	if o.Model.Row != "" {
		if err := o.Model.Check(scene.Size(), o.Detail); err != nil {
			return fmt.Errorf("%s: %w", cleanTarget(shot.target), err)
		}
	}
	stem := fmt.Sprintf("%05d", i+1)
	p := &dataset.Page{
		Image: stem + "." + b.f.pictures, Width: scene.Size().X, Height: scene.Size().Y,
		Source: b.source(shot, r), Elements: dataset.Label(r.capture, scene, o),
	}
	data := r.picture
	format, err := overlay.FormatOf(b.f.pictures)
	if err != nil {
		return err
	}
	if scene.Size() != clean.Rect.Size() || format != overlay.PNG {
		clean = vision.Resize(clean, scene.Size())
		if data, err = b.coder.EncodeAs(clean, format, true); err != nil {
			return err
		}
	}
	p.Print = likeness.PrintOf(clean)
	if err := export.Write(filepath.Join(b.f.dir, dataset.ImageDir, p.Image), data); err != nil {
		return err
	}
	if o.Marked {
		p.Marked = stem + "-marked." + b.f.pictures
		if err := b.mark(p, clean, scene, format); err != nil {
			return err
		}
	}
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return export.Write(b.done(i), line)
}

// mark writes the marked picture and, until the set is finished, its manifest beside the page.
func (b *datasetBuild) mark(p *dataset.Page, clean *image.RGBA, scene *overlay.Scene, format overlay.Format) error {
	data, err := b.coder.EncodeAs(export.Drawn(clean, scene), format, true)
	if err != nil {
		return err
	}
	if err := export.Write(filepath.Join(b.f.dir, dataset.ImageDir, p.Marked), data); err != nil {
		return err
	}
	m := scene.Manifest(p.Marked)
	m.Model = b.f.model
	if data, err = json.MarshalIndent(m, "", "  "); err != nil {
		return err
	}
	return export.Write(filepath.Join(b.f.dir, building, p.Image+".marks"), append(data, '\n'))
}

// source is where a picture comes from.
func (b *datasetBuild) source(shot datasetShot, r *resolvedTarget) dataset.Source {
	s := dataset.NewSource(r.capture, cleanTarget(shot.target), shot.look != nil && isFile(shot.target))
	if shot.look == nil {
		if r.turn > 0 {
			s.Turn = s.Target
		}
		s.Taken = r.capture.TakenAt.UTC().Format(time.RFC3339)
		return s
	}
	s.Device, s.Theme, s.Locale = deviceName(shot.look.device), shot.look.media.Scheme, shot.look.locale
	return s
}

// isFile reports whether a target that is a page is a file of this machine.
func isFile(target string) bool {
	_, err := os.Stat(target)
	return err == nil
}

func deviceName(d *device.Device) string {
	if d.Name != "" {
		return d.Name
	}
	return fmt.Sprintf("%dx%d", d.Width, d.Height)
}

// finish assembles the set of what is done. It may be interrupted and run again.
func (b *datasetBuild) finish(failed []failure) error {
	var pages []*dataset.Page
	for i := range b.shots {
		data, err := os.ReadFile(b.done(i))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it failed
		}
		p := &dataset.Page{}
		if err == nil {
			err = json.Unmarshal(data, p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: remove it and run the command again", b.done(i), err)
		}
		pages = append(pages, p)
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s: no page could be captured: run the command again to try once more", b.f.dir)
	}
	set := dataset.Assemble(pages, b.f.options)
	for _, d := range set.Dropped {
		for _, name := range []string{d.Page.Image, d.Page.Marked} {
			if name == "" {
				continue
			}
			err := os.Remove(filepath.Join(b.f.dir, dataset.ImageDir, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has removed it
				return err
			}
		}
	}
	for _, p := range set.Pages {
		if err := b.place(set, p); err != nil {
			return err
		}
	}
	files, err := set.Files(dataset.Making{Tool: tool(), Failed: len(failed)})
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := b.write(file.Name, file.Data); err != nil {
			return err
		}
	}
	if entries, err := os.ReadDir(filepath.Join(b.f.dir, dataset.ImageDir)); err == nil && len(entries) == 0 {
		_ = os.Remove(filepath.Join(b.f.dir, dataset.ImageDir)) // an imagefolder with splits has it elsewhere
	}
	if len(failed) == 0 { // else another run tries those again
		if err := os.RemoveAll(filepath.Join(b.f.dir, building)); err != nil {
			return err
		}
	}
	return b.answer(set, failed)
}

// write writes a file of the set.
func (b *datasetBuild) write(name string, data []byte) error {
	path := filepath.Join(b.f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("%s: %w", path, export.Cause(err))
	}
	return export.Write(path, data)
}

// place moves the pictures of a page to where the set has them, and writes its manifest.
func (b *datasetBuild) place(set *dataset.Set, p *dataset.Page) error {
	if p.Marked != "" {
		data, err := os.ReadFile(filepath.Join(b.f.dir, building, p.Image+".marks"))
		if err == nil {
			err = b.write(set.ManifestFile(p), data)
		}
		if err != nil {
			return err
		}
	}
	to := set.Folder(p)
	for _, name := range []string{p.Image, p.Marked} {
		if to == dataset.ImageDir || name == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Join(b.f.dir, filepath.FromSlash(to)), 0o755); err != nil {
			return err
		}
		err := os.Rename(filepath.Join(b.f.dir, dataset.ImageDir, name), filepath.Join(b.f.dir, filepath.FromSlash(to), name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has moved it
			return err
		}
	}
	return nil
}

// answer describes the set.
func (b *datasetBuild) answer(set *dataset.Set, failed []failure) error {
	c := set.Counts()
	if b.a.json {
		status := "ok"
		if len(failed) > 0 {
			status = "error"
		}
		if err := b.a.printJSON(struct {
			Status string         `json:"status"`
			Dir    string         `json:"dir"`
			Shape  dataset.Shape  `json:"shape"`
			Counts dataset.Counts `json:"counts"`
			Failed []failure      `json:"failed"`
		}{status, b.f.dir, b.f.options.Shape, c, failed}); err != nil {
			return err
		}
	} else {
		lines := []string{fmt.Sprintf("%s: %s in %s of %s, as %s", b.f.dir, text.Count(c.Examples, "example", "examples"),
			text.Count(c.Pictures, "picture", "pictures"), text.Count(c.Sites, "site", "sites"), b.f.options.Shape)}
		if c.Duplicates > 0 {
			lines = append(lines, text.Count(c.Duplicates, "picture", "pictures")+" dropped, as they look like others")
		}
		if err := b.a.printLines(append(lines, leftOutLines(c)...)); err != nil {
			return err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	if b.a.json {
		return errReported
	}
	return fmt.Errorf("%d of %d pictures failed: the set is made of the others; run the command again to try once more",
		len(failed), len(b.shots))
}

// leftOutLines are what is left out and why, the most first.
func leftOutLines(c dataset.Counts) []string {
	var reasons []string
	for why := range c.LeftOut {
		reasons = append(reasons, why)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		if d := c.LeftOut[b] - c.LeftOut[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var out []string
	for _, why := range reasons {
		out = append(out, fmt.Sprintf("  left out %6d  %s", c.LeftOut[why], dataset.Reason(why)))
	}
	return out
}
