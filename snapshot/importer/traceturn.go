package importer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// What every turn of a trace lacks. called: an agent's server of tools made it.
func traceLacks(called bool) []string {
	model := "what a model was given or answered, nor "
	if called {
		model = ""
	}
	return []string{
		"a Playwright trace keeps no boxes, styles, occlusion or scroll ranges of elements: one that only a style " +
			"sheet hides counts as shown; roles and names are made from the markup",
		"its pictures are not redacted: where a field lies on them is not recorded",
		"it does not tell " + model + "whether the page had settled; its network log, sources " +
			"and attachments, and the snapshots before an action ended, are not shown",
	}
}

// turns yields a turn for each action that has a page, as the page was after it.
func (t *trace) turns(ctx context.Context, give func(*turn.Record) error) error {
	slices.SortStableFunc(t.actions, func(a, b *action) int { return cmp.Compare(a.when(), b.when()) })
	given := t.given()
	for _, l := range traceLacks(given != nil) {
		t.rep.lacks(l)
	}
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
		if err := t.setActivity(rec, append(waiting, a)); err != nil {
			return err
		}
		if err := t.setCall(rec, a, given[a]); err != nil {
			return err
		}
		waiting, last, lastPage = nil, rec, page
		seen[page] = max(a.EndTime, a.StartTime)
	}
	if len(waiting) > 0 || len(t.errors) > 0 {
		if last == nil && len(waiting) > 0 {
			t.rep.damaged("actions without a page", "the trace has %d actions and no page that they belong to",
				len(waiting))
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
	rec := &turn.Record{Capture: c, Action: cut(t.caption(a), 1<<10),
		Meta: turn.Meta{Tool: t.rep.Tool, Target: cut(page, 200), Settled: true}}
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
			lack("the trace has no snapshot after this action: the page is as it was %s",
				map[string]string{phaseInput: "when the action reached its element",
					phaseBefore: "before the action"}[which])
		}
		lost := 0
		for _, d := range docs {
			lost += d.broken
		}
		if lost > 0 {
			lack("%d parts of this page could not be read, because events before it are damaged", lost)
			c.Failed = append(c.Failed, snapshot.Failure{Layer: "snapshot",
				Why: fmt.Sprintf("%d parts refer to events that could not be read", lost)})
		}
	} else {
		lack("the trace has no snapshot of the page at this action: there is its picture at most")
		c.Frames[0].Why = "the trace has no snapshot of it"
	}
	c.TakenAt = a.base.at(at)
	if !a.ended {
		lack("the trace does not tell how this action ended")
	}
	t.addPage(rec, page, at, next, lack)
	t.beside(c, page, since, at)
	return rec
}

// pageOf is the input of compose.
func pageOf(docs []*snapshotDoc, a *action) page {
	p := page{main: docs[0].document, target: a.CallID, ref: a.call().ref}
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

// addPage adds the picture: the first that came up to [paintDelay] after the snapshot and
// before the next action, else the last before it.
func (t *trace) addPage(rec *turn.Record, page string, at, next float64, lack func(string, ...any)) {
	c := rec.Capture
	var best *frameShot
	if p := t.pages[page]; p != nil {
		for i := range p.shots {
			s := &p.shots[i]
			switch {
			case s.time <= at && (best == nil || s.time >= best.time):
				best = s
			case s.time > at && s.time <= at+paintDelay && s.time < next &&
				(best == nil || best.time <= at || s.time < best.time):
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
		c.Failed = append(c.Failed, snapshot.Failure{Layer: "moment",
			Why: fmt.Sprintf("the picture is from %g ms %s the snapshot: that both show one moment cannot be proved",
				math.Abs(apart), when)})
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
				c.Console = append(c.Console, snapshot.ConsoleEntry{Age: at - l.time, Level: cut(l.level, 40),
					Text: t.s.text(cut(l.text, 4<<10)), URL: t.s.text(cut(l.url, 2<<10)), Line: l.line})
			}
		}
		for _, d := range p.dialogs {
			if d.time > since && d.time <= at && len(c.Dialogs) < 100 {
				c.Dialogs = append(c.Dialogs, snapshot.Dialog{Age: at - d.time, Type: cut(d.kind, 40),
					Message: t.s.text(cut(d.message, 4<<10)), Accepted: d.accepted})
			}
		}
	}
}

// findSecrets finds out which actions type into secret fields, and learns what. It comes
// before the first turn: what is typed late may occur in earlier logs.
func (t *trace) findSecrets() {
	for _, a := range t.actions {
		var p struct{ Selector, Value, Text, Key string }
		if len(a.Params) == 0 || json.Unmarshal(a.Params, &p) != nil {
			continue
		}
		for _, v := range []string{p.Value, p.Text, p.Key} {
			if v != "" {
				a.typed = v
				break
			}
		}
		if a.typed == "" {
			continue
		}
		if a.secret = t.secretTarget(a); a.secret == "" {
			a.secret = redact.NamedSecret(p.Selector)
		}
		if a.secret == "" {
			for _, l := range a.logs {
				if strings.Contains(l, `type="password"`) {
					a.secret = "password"
				}
			}
		}
		if a.secret != "" {
			t.s.learn(a.typed)
		}
	}
}

// secretTarget is the kind of secret of the field that an action is about: the one that
// the snapshots mark, else a secret field that holds what was typed, as the keyboard types
// into whatever has the focus.
func (t *trace) secretTarget(a *action) string {
	holder := ""
	for _, key := range a.moments() {
		for _, d := range t.docs[key] {
			fields := fieldsOf(d.root)
			if len(fields) == 0 {
				continue
			}
			sc := newScope(d.root, maxNodes)
			for _, n := range fields {
				mark, marked := n.attrs[pwTarget]
				marked = marked && (mark == "" || mark == a.CallID)
				holds := strings.Contains(n.attr(pwValue), a.typed)
				if !marked && (!holds || holder != "") {
					continue
				}
				kind := redact.Control{Tag: n.tag, Attrs: n.attrs, Label: sc.label(n), Value: a.typed}.Secret(t.s.clean)
				if marked {
					return kind
				}
				holder = kind
			}
		}
	}
	return holder
}

// fieldsOf are the fields of a document that hold text or are marked, shadow trees
// included, at most 1,000.
func fieldsOf(root *dom) []*dom {
	var out []*dom
	left := maxNodes
	var walk func(n *dom, depth int)
	walk = func(n *dom, depth int) {
		if left--; left < 0 || depth > maxDepth || len(out) >= 1_000 {
			return
		}
		if (n.tag == "input" || n.tag == "textarea") && (n.has(pwTarget) || n.attr(pwValue) != "") {
			out = append(out, n)
		}
		for _, k := range n.kids {
			walk(k, depth+1)
		}
	}
	walk(root, 0)
	return out
}

// caption is the action in one line, such as "fill #user".
func (t *trace) caption(a *action) string {
	words := []string{a.name()}
	if _, m, ok := strings.Cut(words[0], "."); ok && a.ofPage() {
		words[0] = m
	}
	var p struct{ Selector, URL, Value, Text, Key string }
	if len(a.Params) > 0 && json.Unmarshal(a.Params, &p) == nil {
		for _, v := range []string{p.Selector, p.URL, p.Key, p.Value, p.Text} {
			switch {
			case v == "":
			case v == a.typed && a.secret != "":
				words = append(words, "[redacted: "+a.secret+"]")
			default:
				words = append(words, strings.Join(strings.Fields(t.s.without(cut(v, 300), a.hide())), " "))
			}
		}
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		words = append(words, "(failed)")
	}
	return strings.Join(words, " ")
}

// hide is the value that is withheld from all that is reported of the action.
func (a *action) hide() string {
	if a.secret == "" {
		return ""
	}
	return a.typed
}

// recordedStep is one step as a record has it.
type recordedStep struct {
	Action string          `json:"action"`
	Params json.RawMessage `json:"params,omitempty"`
	Start  time.Time       `json:"start,omitzero"`
	Ms     float64         `json:"ms"` // how long it took
	Point  *pointOf        `json:"point,omitempty"`
	Box    *boxOf          `json:"box,omitempty"` // CSS px
}

// stepOutcome is the outcome of a step.
type stepOutcome struct {
	Action string          `json:"action"`
	Status string          `json:"status"` // ok, error, unknown
	Error  json.RawMessage `json:"error,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Log    []string        `json:"log,omitempty"`
}

// setActivity sets the record's steps and answer: all actions since the last turn.
func (t *trace) setActivity(rec *turn.Record, actions []*action) error {
	steps, answers := make([]recordedStep, 0, len(actions)), make([]stepOutcome, 0, len(actions))
	for _, a := range actions {
		step := recordedStep{Action: t.s.text(cut(a.name(), 400)), Params: t.s.json(a.Params, a.secret, a.hide()),
			Start: a.base.at(a.StartTime), Point: a.Point, Box: a.Box}
		answer := stepOutcome{Action: step.Action, Status: "unknown", Error: t.s.json(a.Error, a.secret, a.hide()),
			Result: t.s.json(a.Result, a.secret, a.hide())}
		if a.ended {
			step.Ms, answer.Status = math.Round(1000*(a.EndTime-a.StartTime))/1000, "ok"
		}
		if len(answer.Error) > 0 && string(answer.Error) != "null" {
			answer.Status = "error"
		}
		for _, l := range a.logs[:min(len(a.logs), 1_000)] {
			answer.Log = append(answer.Log, t.s.without(cut(l, 4<<10), a.hide()))
		}
		steps, answers = append(steps, step), append(answers, answer)
	}
	return setSteps(rec, steps, answers, slices.ContainsFunc(answers,
		func(a stepOutcome) bool { return a.Status == "error" }))
}

// setSteps sets a record's steps and their answer, in the shape of our own: a "steps"
// list, and for the answer a status before it.
func setSteps(rec *turn.Record, steps, answers any, failed bool) error {
	status := "ok"
	if failed {
		status = "error"
	}
	var err error
	if rec.Steps, err = json.Marshal(struct {
		Steps any `json:"steps"`
	}{steps}); err == nil {
		rec.Answer, err = json.Marshal(struct {
			Status string `json:"status"`
			Steps  any    `json:"steps"`
		}{status, answers})
	}
	if err != nil {
		return fmt.Errorf("writing the steps of a turn: %w", err)
	}
	if len(rec.Steps) > maxSteps || len(rec.Answer) > maxSteps {
		rec.Steps, rec.Answer = nil, nil
		rec.Lacks = append(rec.Lacks, "its steps have more bytes than a turn can hold")
	}
	return nil
}

// maxSteps is how many bytes of steps a record gets; package turn allows 16 MiB.
const maxSteps = 15 << 20

// trail adds what came after the last turn to that turn, as its note.
func (t *trace) trail(rec *turn.Record, actions []*action) {
	var b bytes.Buffer
	for _, a := range actions {
		fmt.Fprintf(&b, "after this turn: %s\n", t.caption(a))
	}
	for _, e := range t.errors {
		fmt.Fprintf(&b, "the test failed: %s\n", t.s.text(cut(e, 4<<10)))
	}
	rec.Note = strings.TrimSpace(cut(b.String(), 60<<10))
}

// browserEvent takes in an event of the browser: a dialog, or a console line until version 4.
func (t *trace) browserEvent(e *event) {
	class, method, params, at, page := e.Class, e.Method, e.Params, e.Time, e.PageID
	if m := e.Metadata; m != nil {
		class, method, params, at, page = m.Kind, m.Method, m.Params, m.StartTime, m.PageID
	}
	var p struct {
		PageID      string          `json:"pageId"`
		Type        string          `json:"type"`
		Message     json.RawMessage `json:"message"`
		Initializer json.RawMessage `json:"initializer"`
	}
	if len(params) == 0 || json.Unmarshal(params, &p) != nil {
		return
	}
	if p.PageID != "" {
		page = p.PageID
	}
	switch {
	case method == "dialog":
		var message string
		if json.Unmarshal(p.Message, &message) == nil {
			l := t.page(page)
			l.dialogs = append(l.dialogs, dialogLine{time: at, kind: p.Type, message: message})
		}
	case method == "console":
		var of struct {
			GUID string `json:"guid"`
		}
		if json.Unmarshal(p.Message, &of) == nil {
			if o, ok := t.objects[of.GUID]; ok {
				t.consoleObject(o.Initializer, at, page)
			}
		}
	case method == "__create__" && class == "ConsoleMessage":
		t.consoleObject(p.Initializer, at, page)
	}
}

func (t *trace) consoleObject(initializer json.RawMessage, at float64, page string) {
	var m struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Location struct {
			URL  string `json:"url"`
			Line int    `json:"lineNumber"`
		} `json:"location"`
	}
	if json.Unmarshal(initializer, &m) == nil {
		p := t.page(page)
		p.console = append(p.console, consoleLine{at, m.Type, m.Text, m.Location.URL, m.Location.Line})
	}
}
