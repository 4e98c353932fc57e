package inspect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Run is a session that is open, by the name under which a person knows it.
type Run struct {
	Name  string
	Store *turn.Store
}

// CompareRuns aligns the turns of two runs and names the first thing that differs. Turns that cannot be read are
// left out, and a note says so.
func CompareRuns(ctx context.Context, a, b Run) (*runs.Comparison, error) {
	reader := runs.NewReader(element.Number)
	both := [2]Run{a, b}
	var lists [2][]*runs.Turn
	var notes [2]string
	var failed [2]error
	var reading sync.WaitGroup
	for i, run := range both {
		reading.Go(func() {
			lists[i], failed[i] = reader.Read(ctx, run.Store)
			if _, damaged := errors.AsType[*turn.DamagedError](failed[i]); damaged {
				notes[i] = fmt.Sprintf(
					"%s is damaged, and what cannot be read is left out: refscopectl session check %s",
					text.Line(run.Name), text.ShellWord(run.Name))
				failed[i] = nil
			}
		})
	}
	reading.Wait()
	for i, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", text.Line(both[i].Name), err)
		}
	}
	for i, list := range lists {
		if len(list) == 0 {
			return nil, fmt.Errorf("%s", cmp.Or(notes[i], text.Line(both[i].Name)+" has no turns to compare"))
		}
	}
	c, err := runs.Compare(ctx, lists[0], lists[1])
	if err != nil {
		return nil, fmt.Errorf("comparing the runs: %w", err)
	}
	for i := range c.Rows { // what the other run has there may be what cannot be read
		if r := &c.Rows[i]; r.A == 0 && notes[0] != "" || r.B == 0 && notes[1] != "" {
			r.Cause, r.Details = "", []string{"the other run is damaged, and may have had this turn"}
		}
	}
	c.First = slices.IndexFunc(c.Rows, func(r runs.Row) bool { return r.Cause != "" })
	for _, n := range notes {
		if n != "" {
			c.Notes = append(c.Notes, n)
		}
	}
	for i, label := range []**runs.Label{&c.LabelA, &c.LabelB} {
		if *label, err = LabelOf(ctx, both[i].Store); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// LabelOf is the label of a run, nil for none. Damage hides no label that can be read.
func LabelOf(ctx context.Context, s *turn.Store) (*runs.Label, error) {
	list, _, err := s.Annotations(ctx)
	if err != nil {
		return nil, err
	}
	return runs.LabelOf(list), nil
}

// ComparisonPage is a comparison of two runs as one HTML file, with both pictures of the first divergence.
func ComparisonPage(ctx context.Context, c *runs.Comparison, a, b Run) ([]byte, error) {
	out := report.Comparison{Comparison: c, NameA: a.Name, NameB: b.Name}
	if d := c.Divergence(); d != nil {
		for _, p := range []struct {
			run     Run
			n       int
			picture *[]byte
		}{{a, d.A, &out.PictureA}, {b, d.B, &out.PictureB}} {
			if p.n == 0 {
				continue
			}
			rec, err := p.run.Store.Load(ctx, p.n)
			if rec == nil {
				return nil, fmt.Errorf("turn %d of %s: %w", p.n, text.Line(p.run.Name), err)
			}
			*p.picture = rec.Picture
		}
	}
	var page bytes.Buffer
	if err := report.WriteComparison(&page, out); err != nil {
		return nil, err
	}
	return page.Bytes(), nil
}
