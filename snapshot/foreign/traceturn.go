package foreign

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// What every turn of a trace lacks.
func traceLacks() []string {
	return []string{
		"a Playwright trace keeps no boxes, styles, occlusion or scroll ranges of elements: one that only a style sheet hides counts as shown; roles and names are made from the markup",
		"its pictures are not redacted: where a field lies on them is not recorded",
		"it does not tell what a model was given or answered, nor whether the page had settled; its network log, sources and attachments, and the snapshots before an action ended, are not shown",
	}
}

// turns hands out a turn for each action that has a page, as the page was after it.
func (t *trace) turns(ctx context.Context, give func(*turn.Record) error) error {
	for _, l := range traceLacks() {
		t.rep.lacks(l)
	}
	slices.SortStableFunc(t.actions, func(a, b *action) int { return cmp.Compare(a.when(), b.when()) })
	t.findSecrets()
	twins := map[string]bool{} // steps of the runner that a context's own trace has too
	snapshots := len(t.docs) > 0
	for _, a := range t.actions {
		if !a.runner {
			twins[a.CallID], twins[a.StepID] = true, true
		}
	}
	var waiting []*action
	var last *turn.Record
	seen := map[string]float64{} // by page: the time of its last turn
	lastPage := ""
	flush := func() error {
		if last == nil {
			return nil
		}
		rec := last
		last = nil
		return give(rec)
	}
	for i, a := range t.actions {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.runner && twins[a.CallID] {
			continue
		}
		docs, which := t.docsOf(a)
		if docs == nil && (snapshots || a.runner || !a.ofPage()) {
			waiting = append(waiting, a)
			continue
		}
		if err := flush(); err != nil {
			return err
		}
		page := a.PageID
		switch {
		case docs != nil:
			page = docs[0].page
		case page == "":
			page = t.pageAt(a.EndTime, lastPage)
		}
		rec := t.record(a, docs, which, page, seen[page], t.nextStart(i))
		if err := t.tell(rec, append(waiting, a)); err != nil {
			return err
		}
		waiting, last, lastPage = nil, rec, page
		seen[page] = max(a.EndTime, a.StartTime)
	}
	if len(waiting) > 0 || len(t.errors) > 0 {
		if last == nil && len(waiting) > 0 {
			t.rep.damaged("actions without a page", "the trace has %d actions and no page that they belong to", len(waiting))
			return nil
		}
		if last != nil {
			t.trail(last, waiting)
		}
	}
	return flush()
}

// when orders the actions of several files by the world's clock.
func (a *action) when() float64 {
	if a.base.wall > 0 {
		return a.base.wall + a.StartTime - a.base.monotonic
	}
	return a.StartTime
}

// docsOf are the documents of the most telling moment of an action, the main frame's
// first, and which moment it is; nil where there is none.
func (t *trace) docsOf(a *action) ([]*snapshotDoc, string) {
	for i, key := range a.moments() {
		list := t.docs[key]
		main := slices.IndexFunc(list, func(d *snapshotDoc) bool { return d.main })
		if main < 0 {
			continue
		}
		docs := []*snapshotDoc{list[main]}
		for j, d := range list {
			if j != main && d.page == list[main].page {
				docs = append(docs, d)
			}
		}
		return docs, []string{phaseAfter, phaseInput, phaseBefore}[i]
	}
	return nil, ""
}

// nextStart is when the next action of a page begins, in the trace's ms.
func (t *trace) nextStart(i int) float64 {
	for _, a := range t.actions[i+1:] {
		if a.ofPage() && !a.runner && a.base == t.actions[i].base {
			return a.StartTime
		}
	}
	return math.MaxFloat64
}

// pageAt is the page that showed a picture last before a time.
func (t *trace) pageAt(at float64, or string) string {
	best := -1.0
	for _, id := range t.order {
		for _, s := range t.pages[id].shots {
			if s.time <= at && s.time > best {
				best, or = s.time, id
			}
		}
	}
	return or
}

// record is the turn of one action.
func (t *trace) record(a *action, docs []*snapshotDoc, which, page string, since, next float64) *turn.Record {
	at := a.EndTime
	if !a.ended || at == 0 {
		at = a.StartTime
	}
	c := &snapshot.Capture{Schema: snapshot.Schema, Settled: true, Verdicts: map[snapshot.Verdict]int{},
		Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1}}}
	rec := &turn.Record{Capture: c, Action: cut(t.caption(a), 1<<10), Meta: turn.Meta{Tool: t.rep.Tool, Target: cut(page, 200), Settled: true}}
	rec.Lacks = slices.Clone(t.rep.Lacks)
	lack := func(format string, args ...any) {
		rec.Lacks = append(rec.Lacks, text.Line(fmt.Sprintf(format, args...)))
	}
	if size := a.base.viewport; size != nil {
		c.Viewport = snapshot.Viewport{Width: finite(size.Width), Height: finite(size.Height), Scale: 1}
	}
	if docs != nil {
		d := docs[0]
		at = d.time
		c.URL = t.s.text(cut(d.url, 8<<10))
		if d.viewport.Width > 0 && d.viewport.Height > 0 {
			c.Viewport = snapshot.Viewport{Width: finite(d.viewport.Width), Height: finite(d.viewport.Height), Scale: 1}
		}
		p := pageOf(docs, a)
		compose(c, t.s, p)
		if which != phaseAfter {
			lack("the trace has no snapshot after this action: the page is as it was %s", map[string]string{phaseInput: "when the action reached its element", phaseBefore: "before the action"}[which])
		}
		lost := 0
		for _, d := range docs {
			lost += d.broken
		}
		if lost > 0 {
			lack("%d parts of this page could not be read, because events before it are damaged", lost)
			c.Failed = append(c.Failed, snapshot.Failure{Layer: "snapshot", Why: fmt.Sprintf("%d parts refer to events that could not be read", lost)})
		}
	} else {
		lack("the trace has no snapshot of the page at this action: there is its picture at most")
		c.Frames[0].Why = "the trace has no snapshot of it"
	}
	c.TakenAt = a.base.at(at)
	if !a.ended {
		lack("the trace does not tell how this action ended")
	}
	t.look(rec, page, at, since, next, lack)
	t.beside(c, page, since, at)
	return rec
}

// pageOf is what compose wants to know.
func pageOf(docs []*snapshotDoc, a *action) page {
	p := page{main: docs[0].document, target: a.CallID}
	for _, d := range docs[1:] {
		p.children = append(p.children, d.document)
	}
	if b := a.Box; b != nil && b.Width > 0 && b.Height > 0 {
		p.box = &snapshot.Box{finite(b.X), finite(b.Y), finite(b.Width), finite(b.Height)}
	}
	return p
}

// paintDelay is how long after a snapshot, in ms, a picture of the same state may come.
const paintDelay = 100

// look adds the picture: the first that came up to [paintDelay] after the snapshot and
// before the next action, else the last before it.
func (t *trace) look(rec *turn.Record, page string, at, since, next float64, lack func(string, ...any)) {
	c := rec.Capture
	var best *frameShot
	if p := t.pages[page]; p != nil {
		for i := range p.shots {
			s := &p.shots[i]
			switch {
			case s.time <= at && (best == nil || s.time >= best.time):
				best = s
			case s.time > at && s.time <= at+paintDelay && s.time < next && (best == nil || best.time <= at || s.time < best.time):
				best = s
			}
		}
	}
	if best == nil {
		lack("the trace has no picture of the page at this action")
		return
	}
	data, width, err := t.picture(best)
	if err != nil {
		t.rep.damaged("pictures", "picture %s: %v", baseName(best.file), err)
		lack("its picture %s cannot be used: %v", baseName(best.file), err)
		return
	}
	rec.Picture = data
	if c.Viewport.Width <= 0 && best.width > 0 {
		c.Viewport = snapshot.Viewport{Width: finite(best.width), Height: finite(best.height)}
	}
	if c.Viewport.Width > 0 {
		c.Viewport.Scale = float64(width) / c.Viewport.Width
	}
	if apart := math.Round(best.time - at); len(c.Nodes) > 0 && apart != 0 {
		when := "after"
		if apart < 0 {
			when = "before"
		}
		c.Failed = append(c.Failed, snapshot.Failure{Layer: "moment", Why: fmt.Sprintf("the picture is from %g ms %s the snapshot: that both show one moment cannot be proved", math.Abs(apart), when)})
	}
}

// beside adds the console lines and dialogs since the last turn of the page.
func (t *trace) beside(c *snapshot.Capture, page string, since, at float64) {
	for _, id := range []string{page, ""} {
		p := t.pages[id]
		if p == nil || id == "" && page == "" {
			continue
		}
		for _, l := range p.console {
			if l.time > since && l.time <= at && len(c.Console) < 1_000 {
				c.Console = append(c.Console, snapshot.ConsoleEntry{Age: at - l.time, Level: cut(l.level, 40), Text: t.s.text(cut(l.text, 4<<10)), URL: t.s.text(cut(l.url, 2<<10)), Line: l.line})
			}
		}
		for _, d := range p.dialogs {
			if d.time > since && d.time <= at && len(c.Dialogs) < 100 {
				c.Dialogs = append(c.Dialogs, snapshot.Dialog{Age: at - d.time, Type: cut(d.kind, 40), Message: t.s.text(cut(d.message, 4<<10)), Accepted: d.accepted})
			}
		}
	}
}
