package importer

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// clock converts a trace's times.
type clock struct {
	version         int
	wall, monotonic float64 // the same moment, ms
	runner          bool
	viewport        *sizeOf
}

// at is the moment of a time of the trace, zero where no clock is known.
func (c *clock) at(ms float64) time.Time {
	if c.wall <= 0 || c.wall > 1e14 {
		return time.Time{}
	}
	after := ms - c.monotonic
	if !(math.Abs(after) < 1e10) { // 115 days
		return time.Time{}
	}
	return time.UnixMilli(int64(c.wall)).Add(time.Duration(after * float64(time.Millisecond))).UTC()
}

// frameShot is a picture of the page's screencast.
type frameShot struct {
	time          float64
	file          string
	width, height float64 // CSS px
}

// pageLog is a trace's data about a page beside its documents.
type pageLog struct {
	shots   []frameShot
	console []consoleLine
	dialogs []dialogLine
}

type consoleLine struct {
	time             float64
	level, text, url string
	line             int
}

type dialogLine struct {
	time               float64
	kind, message      string
	accepted, answered bool
}

// trace is a whole Playwright trace, read.
type trace struct {
	rep     *Report
	s       *sealer
	zip     map[string]*entry
	base    *clock // of the events that are being read
	trees   trees
	actions []*action
	byCall  map[string]*action
	docs    map[string][]*snapshotDoc // by moment
	pages   map[string]*pageLog
	order   []string // pages as they came
	objects map[string]event
	errors  []string // of the test runner
	kept    int      // bytes of events held
	labels  int      // elements that may still be looked at for labels
	wrong   []string // files whose checksum is wrong
}

func readPlaywright(ctx context.Context, r io.ReaderAt, size int64, rep *Report, s *sealer,
	give func(*turn.Record) error) error {
	z, err := openZip(r, size)
	if err != nil {
		return err
	}
	t := &trace{rep: rep, s: s, zip: map[string]*entry{}, byCall: map[string]*action{},
		docs:  map[string][]*snapshotDoc{},
		pages: map[string]*pageLog{}, objects: map[string]event{}, labels: 4 << 20}
	t.trees.frames = map[string]*frameTrees{}
	if z.cutOff {
		rep.damaged("zips", "the zip is cut off or its directory is damaged: the %d files that stand before the "+
			"damage are read", len(z.entries))
	}
	var files []*entry
	for i := range z.entries {
		f := &z.entries[i]
		switch {
		case t.zip[f.name] != nil:
			rep.damaged("names twice in the zip", "the zip has two files %s: the first is read", cut(f.name, 100))
			continue
		case strings.HasSuffix(f.name, traceSuffix) && !strings.HasPrefix(f.name, "resources/"):
			files = append(files, f)
		}
		t.zip[f.name] = f
	}
	slices.SortFunc(files, func(a, b *entry) int { return strings.Compare(a.name, b.name) })
	left := int64(maxEvents)
	for _, f := range files {
		if err := t.file(ctx, f, &left); err != nil {
			return err
		}
	}
	if len(t.wrong) > 0 {
		rep.lacks(fmt.Sprintf("the checksum of %s is wrong: what was read of it may differ from what was recorded",
			strings.Join(t.wrong, ", ")))
	}
	return t.turns(ctx, give)
}

// file reads one file of events. An error is about the trace as a whole; a file that
// breaks off is damage.
func (t *trace) file(ctx context.Context, f *entry, left *int64) error {
	name := cut(f.name, 100)
	if f.unpacked > 16<<20 && f.unpacked/max(f.packed, 1) > maxRatio {
		return fmt.Errorf("%w: %s unpacks to %d times its size, at most %d are read", ErrTooLarge, text.Line(name),
			f.unpacked/max(f.packed, 1), maxRatio)
	}
	in, err := f.open()
	if err != nil {
		t.rep.damaged("files", "%s cannot be unpacked: %v", name, err)
		return nil
	}
	defer in.Close()
	limited := newBounded(in, *left)
	t.base = &clock{version: traceNewest}
	var fatal error
	err = eachLine(limited, maxLine, func(n int, line []byte) error {
		if n%256 == 0 && ctx.Err() != nil {
			fatal = ctx.Err()
			return fatal
		}
		var e event
		if err := json.Unmarshal(line, &e); err != nil {
			t.rep.damaged("events", "%s, line %d is no event: %v", name, n, err)
			t.trees.lost(line)
			return nil
		}
		if fatal = t.event(&e, len(line), name, n); fatal != nil {
			return fatal
		}
		return nil
	}, func(n int) {
		t.rep.damaged("events", "%s, line %d is longer than %d bytes", name, n, maxLine)
		t.trees.lost(nil)
	})
	*left = limited.left
	switch {
	case fatal != nil:
		return fatal
	case errors.Is(err, errLimit):
		t.rep.damaged("files", "the trace unpacks to more than %d bytes of events: the rest of %s is not read",
			int64(maxEvents), name)
	case errors.Is(err, zip.ErrChecksum):
		t.wrong = append(t.wrong, text.Line(name))
		t.rep.damaged("files", "the checksum of %s is wrong: what was read of it may differ from what was recorded",
			name)
	case err != nil:
		t.rep.damaged("files", "%s breaks off %v: the events before that are read", name, err)
	}
	return nil
}

// event takes one event in. Its error is about the trace as a whole.
func (t *trace) event(e *event, size int, file string, line int) error {
	if e.Type != "frame-snapshot" {
		if t.kept += size; t.kept > maxKept {
			t.rep.damaged("events over the limit", "%s, line %d: more than %d bytes of events are held",
				file, line, maxKept)
			return nil
		}
	}
	switch e.Type {
	case "context-options":
		return t.context(e)
	case "before", "input", "after":
		t.act(&e.eventAction, e.Type)
	case "action":
		a := e.eventAction
		if m := e.Metadata; m != nil {
			a = *m
			a.CallID, a.Class = a.ID, m.Kind
		}
		if !a.Internal {
			t.act(&a, "action")
		}
	case "log":
		if a := t.byCall[e.CallID]; a != nil {
			a.logs = append(a.logs, e.Message)
		}
	case "frame-snapshot":
		t.snapshot(e.Snapshot, file, line)
	case "screencast-frame":
		file := e.File
		if file == "" && e.SHA1 != "" {
			file = "resources/" + e.SHA1
		}
		p := t.page(e.PageID)
		p.shots = append(p.shots, frameShot{e.Timestamp, file, e.Width, e.Height})
	case "console":
		p := t.page(e.PageID)
		p.console = append(p.console, consoleLine{e.Time, e.MessageType, e.Text, e.Location.URL, e.Location.Line})
	case "object":
		if e.Class == "ConsoleMessage" {
			t.objects[e.GUID] = *e
		}
	case "event":
		t.browserEvent(e)
	case "error":
		t.errors = append(t.errors, e.Message)
	}
	return nil
}

// context begins the events of a browser context, or of the test runner.
func (t *trace) context(e *event) error {
	if e.Version > traceNewest {
		return fmt.Errorf("%w: it is trace version %d, versions %d to %d are read: open it with a newer refscope",
			ErrNewer,
			e.Version, traceOldest, traceNewest)
	}
	if e.Version < traceOldest {
		return fmt.Errorf("its trace version is %d, versions %d to %d are read: %w", e.Version,
			traceOldest, traceNewest,
			ErrUnknown)
	}
	b := t.base
	b.version, b.wall, b.monotonic, b.runner, b.viewport = e.Version, e.WallTime, e.MonotonicTime,
		e.Origin == "testRunner", e.Options.Viewport
	words := []string{"Playwright"}
	if e.PlaywrightVersion != "" {
		words[0] += " " + cut(e.PlaywrightVersion, 40)
	}
	if e.BrowserName != "" {
		words = append(words, cut(e.BrowserName, 40))
	}
	words = append(words, fmt.Sprintf("trace version %d", e.Version))
	if tool := text.Line(strings.Join(words, ", ")); len(t.rep.Tool) < len(tool) {
		t.rep.Tool = tool
	}
	return nil
}

// act takes in an event's data about an action.
func (t *trace) act(e *eventAction, kind string) {
	if e.CallID == "" {
		return
	}
	a := t.byCall[e.CallID]
	if a == nil || kind == "before" && a.runner != t.base.runner {
		if len(t.actions) >= maxActions {
			t.rep.damaged("actions over the limit", "there are more than the %d actions that are read", maxActions)
			return
		}
		a = &action{base: t.base, runner: t.base.runner}
		a.CallID = e.CallID
		t.byCall[e.CallID] = a
		t.actions = append(t.actions, a)
	}
	a.fold(e)
	a.began = a.began || kind == "before" || kind == "action"
	a.ended = a.ended || kind == "after" || kind == "action"
	if b := t.base; b.monotonic == 0 && e.StartTime != 0 && b.version < 7 {
		b.monotonic = e.StartTime // until version 6 the first action sets the clock
	}
	if d := t.lastDialog(); a.Class == "Dialog" && d != nil && !d.answered {
		d.answered, d.accepted = true, a.Method == "accept"
	}
}

// page is a trace's data about a page.
func (t *trace) page(id string) *pageLog {
	p := t.pages[id]
	if p == nil {
		p = &pageLog{}
		t.pages[id] = p
		t.order = append(t.order, id)
	}
	return p
}

// lastDialog is the dialog that was opened last, nil for none.
func (t *trace) lastDialog() *dialogLine {
	var last *dialogLine
	for _, id := range t.order {
		if d := t.pages[id].dialogs; len(d) > 0 && (last == nil || d[len(d)-1].time >= last.time) {
			last = &d[len(d)-1]
		}
	}
	return last
}

// snapshot decodes a document and learns the secrets in its fields.
func (t *trace) snapshot(e *eventSnapshot, file string, line int) {
	if e == nil {
		t.rep.damaged("snapshots", "%s, line %d: the snapshot is empty", file, line)
		return
	}
	d, fresh, err := t.trees.read(e)
	switch {
	case errors.Is(err, errStored):
		t.rep.damaged("snapshots over the limit",
			"%s, line %d: more than %d elements and texts or %d bytes of snapshots are held: this one is left out",
			file, line,
			maxStored, maxKept)
		return
	case err != nil:
		t.rep.damaged("snapshots", "%s, line %d: the snapshot cannot be read: %v", file, line, err)
		return
	}
	if d.broken > 0 {
		t.rep.damaged("snapshots with parts that are lost",
			"%s, line %d: %d parts of the snapshot refer to what could not be read", file, line, d.broken)
	}
	key := e.Name
	if e.Phase != "" || key == "" {
		key = moment(e.CallID, e.Phase)
	}
	t.docs[key] = append(t.docs[key], d)
	t.learn(d, fresh)
}

// learn remembers what is in the secret fields that a snapshot brought.
func (t *trace) learn(d *snapshotDoc, fresh []*dom) {
	var sc *scope
	for _, n := range fresh {
		v := n.attr(pwValue)
		if v == "" {
			v = n.attr("value")
		}
		if v == "" || n.tag != "input" && n.tag != "textarea" {
			continue
		}
		f := redact.Control{Tag: n.tag, Attrs: n.attrs, Value: v}
		kind := f.Secret(t.s.clean)
		if kind == "" && t.labels > 0 {
			if sc == nil {
				sc = newScope(d.root, t.labels)
				t.labels -= len(sc.ids) + 100
			}
			f.Label = sc.label(n)
			kind = f.Secret(t.s.clean)
		}
		if kind != "" {
			t.s.learn(v)
		}
	}
}

// picture is the decoded picture of a frame of the screencast.
func (t *trace) picture(f *frameShot) (data []byte, width int, err error) {
	z := t.zip[f.file]
	if z == nil || f.file == "" {
		return nil, 0, errors.New("it is not in the zip")
	}
	if z.unpacked > maxPicture {
		return nil, 0, fmt.Errorf("it has %d bytes, at most %d are read", z.unpacked, maxPicture)
	}
	in, err := z.open()
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	raw, err := io.ReadAll(newBounded(in, maxPicture))
	if err != nil {
		return nil, 0, err
	}
	out, size, err := picturePNG(raw)
	return out, size.X, err
}

// baseName is the last name of a path of a file, for messages.
func baseName(name string) string { return cut(path.Base(strings.ReplaceAll(name, `\`, "/")), 100) }
