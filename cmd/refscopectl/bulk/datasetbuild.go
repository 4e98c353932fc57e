package bulk

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// datasetBuild is one run of dataset build.
type datasetBuild struct {
	a      *cli.App
	f      *datasetFlags
	tabs   *target.Opener
	shots  []datasetShot
	folder *trainset.Folder
}

// datasetShot is one picture to be made.
type datasetShot struct {
	target string
	turn   *turn.Address      // of a recorded turn, else nil
	look   *target.Appearance // of a page, else nil
}

// buildDataset makes a data set.
func buildDataset(ctx context.Context, a *cli.App, f *datasetFlags, targets []string) error {
	if err := f.check(a); err != nil {
		return err
	}
	looks, err := f.looks(a)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return cli.Usagef("dataset build: name a session, turns, pages or a list of them")
	}
	b := &datasetBuild{a: a, f: f, tabs: a.Opener()}
	defer b.tabs.Close()
	for _, name := range targets {
		if err := b.plan(ctx, name, looks, true); err != nil {
			return err
		}
	}
	if len(b.shots) == 0 {
		return fmt.Errorf("dataset build: %s holds no turns and no pages", strings.Join(targets, ", "))
	}
	if err := b.open(); err != nil {
		return err
	}
	failed, err := b.gather(ctx)
	if err != nil {
		if ctx.Err() != nil {
			a.Remark("%s: run the same command again to go on", f.dir)
		}
		return err
	}
	set, err := b.folder.Finish(len(failed))
	if err != nil {
		return err
	}
	return b.answer(set, failed)
}

// plan adds what a target stands for. A list names targets, but no lists.
func (b *datasetBuild) plan(ctx context.Context, name string, looks []target.Appearance, lists bool) error {
	if lists && (name == "-" || strings.HasSuffix(strings.ToLower(name), ".txt") && !strings.Contains(name, "://")) {
		return b.planList(ctx, name, looks)
	}
	if at, ok := target.ParseTurn(b.a.Home, name); ok {
		b.shots = append(b.shots, datasetShot{target: name, turn: &at})
		return nil
	}
	if store, err := b.a.OpenSession(name); err == nil && !strings.Contains(name, "://") {
		defer store.Close()
		list, _, err := store.List(ctx)
		if err != nil {
			return fmt.Errorf("session %s: %w", name, err)
		}
		for _, t := range list {
			at := turn.Address{Dir: store.Path(), N: t.N}
			b.shots = append(b.shots, datasetShot{target: fmt.Sprintf("%s#%d", name, t.N), turn: &at})
		}
		return nil
	}
	t, err := target.Parse(b.a.Home, name)
	if err != nil {
		return err
	}
	if t.Kind == target.TabKind {
		return cli.Usagef("dataset build: %s is a tab: record it with refscopectl turn, and name its session", name)
	}
	if t.Recorded() {
		b.shots = append(b.shots, datasetShot{target: name})
		return nil
	}
	for i := range looks {
		b.shots = append(b.shots, datasetShot{target: name, look: &looks[i]})
	}
	return nil
}

// planList adds the targets of a list: one in each line, without empty ones and those that begin with #. Paths are
// from the current folder.
func (b *datasetBuild) planList(ctx context.Context, name string, looks []target.Appearance) error {
	in, where := b.a.Stdin(ctx), "the list on standard input"
	if name != "-" {
		data, err := target.ReadRegular(name)
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

// open opens the folder of the set.
func (b *datasetBuild) open() (err error) {
	var shots []string
	for _, s := range b.shots {
		shots = append(shots, s.key())
	}
	b.folder, err = trainset.Open(b.f.dir, b.f.plan(shots))
	return err
}

// plan is that of a set of the shots.
func (f *datasetFlags) plan(shots []string) trainset.Plan {
	return trainset.Plan{Tool: cli.Tool(), Options: f.options, Model: f.model + " " + f.detail, Format: f.pictures,
		Shots: shots}
}

// key names a picture with all that matters for it.
func (s datasetShot) key() string {
	if s.look == nil {
		return s.target
	}
	d := s.look.Device
	return fmt.Sprintf("%s %s %dx%d@%g %s %s", s.target, d.Name, d.Width, d.Height, d.Scale, s.look.Media.Scheme,
		s.look.Locale)
}

// gather makes all pictures that are not done.
func (b *datasetBuild) gather(ctx context.Context) ([]inspect.DatasetFailure, error) {
	var open []int
	for i := range b.shots {
		if !b.folder.Has(i) {
			open = append(open, i)
		}
	}
	if n := len(b.shots) - len(open); n > 0 {
		b.a.Remark("%s: %s done already", b.f.dir, text.Count(n, "picture is", "pictures are"))
	}
	step, done := b.a.Progress("pictures", len(open))
	defer done()
	failed := []inspect.DatasetFailure{}
	err := target.InOrder(ctx, b.f.page.Jobs, len(open), func(ctx context.Context, k int) error {
		return b.shoot(ctx, open[k])
	}, func(k int, err error) error {
		step(err != nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failed = append(failed, inspect.DatasetFailure{
				Target: target.Clean(b.shots[open[k]].target), Why: text.EscapeOnce(err.Error()),
			})
			if !b.a.JSON {
				b.a.Report(err)
			}
		}
		return nil
	})
	return failed, err
}

// shoot makes one picture: captures or reads the page, and adds it.
func (b *datasetBuild) shoot(ctx context.Context, i int) error {
	shot := b.shots[i]
	var r *target.Opened
	var err error
	if shot.turn != nil {
		r, err = target.ReadTurn(ctx, *shot.turn)
	} else {
		r, err = b.tabs.OpenAs(ctx, shot.target, shot.look, session.Options{Settle: b.f.page.Settle, Action: "dataset"})
	}
	if err != nil {
		return err
	}
	r.Name = shot.target
	clean, err := r.Canvas(true)
	if err != nil {
		return err
	}
	if err := b.folder.Add(i, r.Capture, r.Picture, clean, b.source(shot, r)); err != nil {
		return fmt.Errorf("%s: %w", target.Clean(shot.target), err)
	}
	return nil
}

// source is where a picture comes from.
func (b *datasetBuild) source(shot datasetShot, r *target.Opened) dataset.Source {
	if shot.look == nil {
		return trainset.Recorded(r.Capture, target.Clean(shot.target), r.N > 0)
	}
	s := dataset.NewSource(r.Capture, target.Clean(shot.target), isFile(shot.target))
	s.Device, s.Theme, s.Locale = deviceName(shot.look.Device), shot.look.Media.Scheme, shot.look.Locale
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

// answer describes the set.
func (b *datasetBuild) answer(set *dataset.Set, failed []inspect.DatasetFailure) error {
	c := set.Counts()
	if b.a.JSON {
		status := "ok"
		if len(failed) > 0 {
			status = "error"
		}
		if err := b.a.PrintJSON(inspect.DatasetBuild{
			Schema: inspect.DatasetSchema, Status: status, Dir: b.f.dir, Shape: b.f.options.Shape, Counts: c,
			Failed: failed,
		}); err != nil {
			return err
		}
	} else {
		lines := []string{b.f.sentence(c)}
		if c.Duplicates > 0 {
			lines = append(lines, text.Count(c.Duplicates, "picture", "pictures")+" dropped, as they look like others")
		}
		if err := b.a.PrintLines(append(lines, leftOutLines(c)...)); err != nil {
			return err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	if b.a.JSON {
		return cli.ErrReported
	}
	return fmt.Errorf("%d of %d pictures failed: the set is made of the others; run the command again to try once more",
		len(failed), len(b.shots))
}

// sentence is what is in the set, in one line.
func (f *datasetFlags) sentence(c dataset.Counts) string {
	return fmt.Sprintf("%s: %s in %s of %s, as %s", f.dir, text.Count(c.Examples, "example", "examples"),
		text.Count(c.Pictures, "picture", "pictures"), text.Count(c.Sites, "site", "sites"), f.options.Shape)
}

// leftOutLines are what is left out and why, the most first.
func leftOutLines(c dataset.Counts) []string {
	var out []string
	for _, why := range c.Reasons() {
		out = append(out, fmt.Sprintf("  left out %6d  %s", c.LeftOut[why], dataset.Reason(why)))
	}
	return out
}
