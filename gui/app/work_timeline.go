package app

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
)

// timelineWork starts the work that is about turns over time: what their list shows, the
// notes about them, and how their pictures and texts differ.
func (r *runner) timelineWork(e core.Effect) bool {
	switch e := e.(type) {
	case core.Survey:
		r.survey(e)
	case timeline.ScanTurns:
		r.task(e.Watch, func(ctx context.Context, _ func(string)) core.Msg { r.scan(ctx, e); return nil })
	case picture.ComparePictures:
		r.task(0, func(context.Context, func(string)) core.Msg {
			return picture.PicturesCompared{Diff: comparePictures(e.Before, e.Turn)}
		})
	case changes.DiffTexts:
		r.task(0, func(context.Context, func(string)) core.Msg { return changes.TextsCompared{Text: diffTexts(e)} })
	default:
		return false
	}
	return true
}

// comparePictures finds which pixels differ.
func comparePictures(before, after *core.Turn) *picture.PictureDiff {
	d := &picture.PictureDiff{N: after.N, From: before.N}
	for _, t := range []*core.Turn{before, after} {
		if t.Image == nil {
			d.Problem = &core.Problem{Sentence: fmt.Sprintf("Turn %d has no picture, so there is nothing to compare.", t.N)}
			return d
		}
	}
	d.Difference = overlay.NewDifference(before.Image, after.Image, overlay.DifferenceOptions{})
	d.Pyramid = overlay.NewPyramid(d.Difference.Picture)
	return d
}

// diffTexts compares the texts of two turns.
func diffTexts(e changes.DiffTexts) *changes.TextChanges {
	var docs [2]*dump.Document
	for i, t := range []*core.Turn{e.Before, e.Turn} {
		d, err := format.Render(t.Capture, e.Format, format.Options{})
		if err != nil {
			return &changes.TextChanges{N: e.Turn.N, From: e.Before.N, Format: e.Format,
				Problem: core.ProblemOf(fmt.Errorf("turn %d cannot be written as %s: %w", t.N, e.Format, err))}
		}
		docs[i] = d
	}
	return changes.NewTextChanges(e.Before.N, e.Turn.N, docs[0], docs[1])
}

// maxSurveys is how many rows wait for what they show. Rows that a person scrolled past
// Long ago are left; they ask again when they come back.
const maxSurveys = 24

// surveys are the rows that wait, the newest last: that one is in view. One goroutine
// works on them.
type surveys struct {
	mu      sync.Mutex
	waiting []survey
	working bool
}

// survey is one row that waits.
type survey struct {
	session int
	core.SurveyAsk
}

// survey finds what the list shows of turns.
func (r *runner) survey(e core.Survey) {
	q := &r.surveys
	q.mu.Lock()
	for _, ask := range e.Turns {
		q.waiting = append(q.waiting, survey{e.Session, ask})
	}
	var left []survey
	if n := len(q.waiting) - maxSurveys; n > 0 {
		left = slices.Clone(q.waiting[:n])
		q.waiting = slices.Delete(q.waiting, 0, n)
	}
	begin := !q.working
	q.working = true
	q.mu.Unlock()
	for _, x := range left {
		r.dispatch(timeline.SurveyLeft{Session: x.session, N: x.N})
	}
	if begin {
		r.task(0, func(ctx context.Context, _ func(string)) core.Msg { r.surveyAll(ctx); return nil })
	}
}

// surveyAll works on the rows that wait until there are none.
func (r *runner) surveyAll(ctx context.Context) {
	q := &r.surveys
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 || ctx.Err() != nil {
			q.working = false
			q.mu.Unlock()
			return
		}
		x := q.waiting[len(q.waiting)-1]
		q.waiting = q.waiting[:len(q.waiting)-1]
		q.mu.Unlock()
		r.surveyOne(ctx, x)
	}
}

// surveyOne reads one turn. One that cannot be read is left out: opening it says why.
func (r *runner) surveyOne(ctx context.Context, x survey) {
	rec, err := r.engine.Load(ctx, x.N)
	if err != nil {
		r.log.Debug("no survey", "turn", x.N, "error", err)
		return
	}
	m := core.Surveyed{Session: x.session, N: x.N}
	if img, err := decoded(rec); err == nil {
		m.Thumb = thumb(img)
	}
	var before *Recorded
	if x.From > 0 {
		if before, err = r.engine.Load(ctx, x.From); err == nil {
			m.Change = changeOf(before, rec)
		}
	}
	m.Errors = errorsOf(rec, before)
	r.dispatch(m)
	if m.Change != nil {
		if m := findings.Compare(ctx, x.session, x.N, before.Capture, rec.Capture, r.log); m != nil {
			r.dispatch(m)
		}
	}
}

// errorsOf counts what went wrong in a turn; the one before it may be nil.
func errorsOf(rec, before *Recorded) int {
	var earlier *snapshot.Capture
	if before != nil {
		earlier = before.Capture
	}
	return core.NewErrors(rec.Capture, earlier) + turn.FailedSteps(rec.Answer)
}

func changeOf(before, after *Recorded) *core.TurnChange {
	c := core.CountChanges(before.N, diff.Captures(before.Capture, after.Capture, diff.Options{}))
	return &c
}

// Turns that were scanned are told of in groups: each costs the window a copy of its
// list.
const (
	scanGroup = 40
	scanEvery = 250 * time.Millisecond
)

// scan looks at turns for what filters and searches ask of them.
func (r *runner) scan(ctx context.Context, e timeline.ScanTurns) {
	var rows []timeline.ScannedTurn
	var last *Recorded // turns come in order mostly, so one serves as the one before the next
	told := time.Now()
	for i, ask := range e.Turns {
		rec, err := r.engine.Load(ctx, ask.N)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			row := timeline.ScannedTurn{N: ask.N}
			if ask.From > 0 && (last == nil || last.N != ask.From) {
				if last, err = r.engine.Load(ctx, ask.From); err != nil {
					last = nil
				}
			}
			if ask.From == 0 {
				last = nil
			} else if last != nil {
				row.Change = changeOf(last, rec)
			}
			row.Errors = errorsOf(rec, last)
			rows, last = append(rows, row), rec
		}
		left := len(e.Turns) - i - 1
		if left == 0 || len(rows) >= scanGroup || time.Since(told) > scanEvery {
			r.dispatch(timeline.TurnsScanned{Session: e.Session, Left: left, Rows: rows})
			rows, told = nil, time.Now()
		}
	}
}
