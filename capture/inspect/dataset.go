package inspect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/trainset"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// DatasetOptions are what a data set is made with.
type DatasetOptions struct {
	Home     string
	Dir      string        // of the set; created if missing
	Plan     trainset.Plan // but for its shots, which are those of the targets
	Looks    []target.Appearance
	Jobs     int
	Settle   session.Settle
	Tabs     *target.Opener
	In       io.Reader // of the target -, a list
	Open     func(session string) (*turn.Store, error)
	Remark   func(format string, args ...any)
	Progress func(what string, n int) (step func(failed bool), done func())
	Failed   func(error) // told of each picture that failed; nil for nobody
}

// datasetBuild is one run of [BuildDataset].
type datasetBuild struct {
	DatasetOptions
	shots  []datasetShot
	folder *trainset.Folder
}

// datasetShot is one picture to be made.
type datasetShot struct {
	target string
	turn   *turn.Address      // of a recorded turn, else nil
	look   *target.Appearance // of a page, else nil
}

// BuildDataset makes a data set of sessions, turns, pages and lists of them. One that was interrupted goes on where it
// was; pages that could not be captured are in the answer.
func BuildDataset(ctx context.Context, o DatasetOptions, targets []string) (*DatasetBuild, error) {
	b := &datasetBuild{DatasetOptions: o}
	for _, name := range targets {
		if err := b.plan(ctx, name, true); err != nil {
			return nil, err
		}
	}
	if len(b.shots) == 0 {
		return nil, fmt.Errorf("dataset build: %s holds no turns and no pages", strings.Join(targets, ", "))
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	failed, err := b.gather(ctx)
	if err != nil {
		if ctx.Err() != nil {
			b.Remark("%s: run the same command again to go on", b.Dir)
		}
		return nil, err
	}
	set, err := b.folder.Finish(len(failed))
	if err != nil && len(failed) > 0 { // with --json nothing else says why
		err = fmt.Errorf("%w: %s", err, failed[0].Why)
	}
	if err != nil {
		return nil, err
	}
	answer := &DatasetBuild{Schema: DatasetSchema, Status: "ok", Dir: b.Dir, Shape: b.Plan.Options.Shape,
		Counts: set.Counts(), Failed: failed, Shots: len(b.shots)}
	if len(failed) > 0 {
		answer.Status = "error"
	}
	return answer, nil
}

// plan adds what a target stands for. A list names targets, but no lists.
func (b *datasetBuild) plan(ctx context.Context, name string, lists bool) error {
	if lists && (name == "-" || strings.HasSuffix(strings.ToLower(name), ".txt") && !strings.Contains(name, "://")) {
		return b.planList(ctx, name)
	}
	if at, ok := target.ParseTurn(b.Home, name); ok {
		b.shots = append(b.shots, datasetShot{target: name, turn: &at})
		return nil
	}
	store, broken := b.Open(name)
	if broken == nil && !strings.Contains(name, "://") {
		defer store.Close()
		numbers, err := store.Numbers() // also of those that are damaged
		if err != nil {
			return fmt.Errorf("session %s: %w", name, err)
		}
		for _, n := range numbers {
			at := turn.Address{Dir: store.Path(), N: n}
			b.shots = append(b.shots, datasetShot{target: fmt.Sprintf("%s#%d", name, n), turn: &at})
		}
		return nil
	}
	t, err := target.Parse(b.Home, name)
	if err != nil && (errors.Is(broken, turn.ErrNewer) || turn.IsFileName(name)) { // a session, which cannot be read
		return broken
	}
	if err != nil {
		return err
	}
	if t.Kind == target.TabKind {
		return &target.UsageError{Text: fmt.Sprintf(
			"dataset build: %s is a tab: record it with refscopectl turn, and name its session", name)}
	}
	if t.Recorded() {
		b.shots = append(b.shots, datasetShot{target: name})
		return nil
	}
	for i := range b.Looks {
		b.shots = append(b.shots, datasetShot{target: name, look: &b.Looks[i]})
	}
	return nil
}

// planList adds the targets of a list: one in each line, without empty ones and those that begin with #. Paths are
// from the current folder.
func (b *datasetBuild) planList(ctx context.Context, name string) error {
	in, where := b.In, "the list on standard input"
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
		if err := b.plan(ctx, line, false); err != nil {
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
	b.Plan.Shots = shots
	b.folder, err = trainset.Open(b.Dir, b.Plan)
	return err
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
func (b *datasetBuild) gather(ctx context.Context) ([]DatasetFailure, error) {
	var open []int
	for i := range b.shots {
		if !b.folder.Has(i) {
			open = append(open, i)
		}
	}
	if n := len(b.shots) - len(open); n > 0 {
		b.Remark("%s: %s done already", b.Dir, text.Count(n, "picture is", "pictures are"))
	}
	step, done := b.Progress("pictures", len(open))
	defer done()
	failed := []DatasetFailure{}
	err := target.InOrder(ctx, b.Jobs, len(open), func(ctx context.Context, k int) error {
		return b.shoot(ctx, open[k])
	}, func(k int, err error) error {
		step(err != nil)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failed = append(failed, DatasetFailure{
				Target: target.Clean(b.shots[open[k]].target), Why: text.EscapeOnce(err.Error()),
			})
			if b.Failed != nil {
				b.Failed(err)
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
		r, err = b.Tabs.OpenAs(ctx, shot.target, shot.look, session.Options{Settle: b.Settle, Action: "dataset"})
	}
	if err != nil {
		return err
	}
	r.Name = shot.target
	if err := r.NeedPage(); err != nil {
		return err
	}
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
	s := dataset.NewSource(r.Capture, target.Clean(shot.target), target.IsFile(shot.target))
	s.Device, s.Theme, s.Locale = deviceName(shot.look.Device), shot.look.Media.Scheme, shot.look.Locale
	return s
}

func deviceName(d *device.Device) string {
	if d.Name != "" {
		return d.Name
	}
	return fmt.Sprintf("%dx%d", d.Width, d.Height)
}
