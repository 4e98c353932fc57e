// Package collect reads a tab's documents into a snapshot.Capture. Start with [Read].
//
// One evaluation per frame, in the isolated world that the page cannot see or
// touch, walks the composed tree iteratively and returns columns of numbers
// and one table of strings; what the document's answer before said is not sent
// again (answer.go). This package joins the frames' answers into one list
// of nodes with boxes in the top viewport, gives every element its verdict with
// the evidence for it, and computes occlusion from the sampled points.
//
// The page is never written to. What identifies an element is a number in a
// WeakMap of the isolated world, together with its frame and loader.
package collect

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagefacts"
	"github.com/refscope/refscope/snapshot/redact"
)

// Options bound the walk. The zero value is what a turn uses.
type Options struct {
	MaxNodes int // elements in one frame; 0 means 200,000
	// Deadline is of one frame's walk and of its hit tests; 0 means 10 s and 0.5 ms
	// more for each element, about ten times what an idle machine takes.
	Deadline time.Duration
	// Frames is for reading the documents of all frames; 0 means a third of the time that the context leaves, without a
	// deadline half a minute. What follows, tests of what covers what among them, takes as long again.
	Frames   time.Duration
	AllNames bool  // names of every element, not only of those that formats name
	Rules    Rules // of the site's profile and the caller
	// Source is where roles, names and states come from: SourcePage ("" too) or
	// SourceAX.
	Source string
	// AllStyles asks the browser for every element's style even where the page's rules show
	// that it is the default. The capture is the same, and takes longer.
	AllStyles bool
	// AllowSecrets gives the values of password, code and card fields in
	// Result.Secrets. The capture is redacted anyway.
	AllowSecrets bool
	// Known are the secrets of the session, nil for none: what was typed, and what profiles withheld, is taken
	// out of the capture; what the page's fields hold and the profile withholds is learned.
	Known *redact.Known
	// Area is how much of the page, from the viewport's top left corner, counts as in
	// view: width and height in CSS px, zero for the viewport itself. What reaches out
	// of the viewport has no occlusion, as nothing can be hit there.
	Area [2]float64
	// Proof notes what [Result.Proof] needs.
	Proof bool
	// Walked is called when the main document has been walked, again where another has taken its place meanwhile: what
	// is done from then on, until [Result.Moment], is beside the rest of the reading. nil for nothing.
	Walked func()
}

// Result is a capture that is complete but for what belongs to the turn (settling,
// picture, console, numbers), with a way to prove its moment.
type Result struct {
	Capture *snapshot.Capture
	// Secrets are the withheld values of controls, nil without AllowSecrets.
	Secrets  Secrets
	sources  []source // by frame index
	parts    []*part
	redactor *redact.Redactor
	sealers  []source  // frames whose password fields hold something
	left     bool      // the tab had left the main document by then
	ended    []instant // the documents as [Result.Moment] found them, by part
}

// source is where a frame's scripts run.
type source struct {
	session *browser.Session
	frame   string
	realm   *browser.Realm // of the document that was read, nil before
}

// eval evaluates in the document that was read, or in the present one.
func (src source) eval(ctx context.Context, expr string) (string, error) {
	if src.realm != nil {
		return src.realm.Eval(ctx, expr)
	}
	return src.session.Eval(ctx, src.frame, expr)
}

// run runs a collector, which is made where the world does not have it.
func (src source) run(ctx context.Context, js script) (string, error) {
	held, _ := src.realm.Held().(*answer)
	call := js.call + "(" + strconv.Itoa(held.id()) + ")"
	text, err := src.eval(ctx, call)
	if err == nil && text == "" {
		if _, err = src.eval(ctx, js.install); err == nil {
			text, err = src.eval(ctx, call)
		}
	}
	if err != nil || text == hidden {
		return text, err
	}
	now, err := held.next(text)
	if err != nil {
		return "", fmt.Errorf("the collector's answer: %w", err)
	}
	src.realm.Hold(now)
	return now.text(), nil
}

// Read walks all documents of the tab. A frame that cannot be read is a frame with
// the reason and a line in Failed; only a main frame that cannot be read is an
// error.
func Read(ctx context.Context, tab *browser.Tab, o Options) (*Result, error) {
	clock := trace.NewClock()
	if o.MaxNodes <= 0 {
		o.MaxNodes = 200_000
	}
	scaled := o.Deadline <= 0
	if scaled {
		o.Deadline = 10 * time.Second
	}
	if o.Frames <= 0 {
		o.Frames = 30 * time.Second
		if end, ok := ctx.Deadline(); ok {
			o.Frames = time.Until(end) / 3
		}
	}
	if err := checkSource(o.Source); err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	// What a profile withheld before it was changed is forgotten.
	o.Known.Withhold(o.Rules.Site, o.Rules.Redact, o.Rules.Patterns, nil)
	redactor, err := redact.New(o.Rules.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("reading the page: redaction rules: %w", err)
	}
	redactor = redactor.With(slices.Concat(o.Known.Typed(), o.Known.Withheld())...)
	tab.Redact(redactor) // console lines and dialogs follow the same rules
	Prepare(tab)
	if err := checkFilter(ctx, tab, o.Rules.Filter); err != nil {
		return nil, err
	}
	req := request{MaxNodes: o.MaxNodes, Deadline: float64(o.Deadline.Milliseconds()), Hits: true, AllNames: o.AllNames,
		AllStyles: o.AllStyles, AllowSecrets: o.AllowSecrets || o.Known != nil,
		State: o.Proof}
	req.rule(o.Rules)
	req.Width, req.Height = o.Area[0], o.Area[1]
	r := &reader{
		redactor: redactor,
		places:   o.Rules.Places,
		request:  req,
		tab:      tab,
		script:   collectScripts(req),
		scaled:   scaled,
		patience: o.Deadline,
		clock:    clock,
		frames:   o.Frames,
		area:     o.Area,
		walked:   o.Walked,
		known:    &knownFrames{tab: tab, patience: o.Deadline, info: map[string]browser.FrameInfo{}},
		c:        &snapshot.Capture{Schema: snapshot.Schema, Chrome: tab.Browser().Version()},
	}
	if err := r.main(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	r.children(ctx)
	r.c.Timings.Frames = trace.Ms(time.Since(began))
	clock.Part(ctx, "frames")
	r.finish(ctx)
	res := &Result{
		Capture: r.c,
		sources: r.sources, redactor: r.redactor, sealers: r.sealers(), parts: r.parts,
	}
	secrets := r.secrets()
	for _, i := range slices.Sorted(maps.Keys(secrets)) {
		o.Known.See(secrets[i], res.Why(i))
	}
	var texts []string
	for _, p := range r.parts {
		texts = append(texts, p.cols.Profiled...)
	}
	o.Known.Withhold(o.Rules.Site, o.Rules.Redact, o.Rules.Patterns, texts)
	if o.AllowSecrets {
		res.Secrets = secrets
	}
	if o.Source == SourceAX {
		if err := res.useAX(ctx); err != nil {
			return nil, err
		}
		clock.Part(ctx, "accessibility tree")
	}
	r.c.Timings.Parts = clock.Parts()
	return res, nil
}

// reader holds one capture while it is read.
type reader struct {
	walked     func() // see Options.Walked
	known      *knownFrames
	tab        *browser.Tab
	script     scripts // of documents of ordinary size, see scriptFor
	request    request
	redactor   *redact.Redactor
	places     map[string]string // see Rules.Places
	scaled     bool              // deadlines grow with the number of elements
	c          *snapshot.Capture
	parts      []*part
	sources    []source // by frame index
	byFrame    map[int]*part
	transforms []Transform   // by frame index
	patience   time.Duration // for a document's first answer, and for its walk
	frames     time.Duration // see Options.Frames
	area       [2]float64    // see Options.Area
	clock      *trace.Clock  // of the main frame's reading and of what is made of all frames
	window     snapshot.Box  // where hits can be tested, CSS px of the top viewport
}

// perElement is how much longer a walk may take for each element of a document.
const perElement = 500 * time.Microsecond

// deadline is how long the walk of a document with that many elements may take, and
// its hit tests again as long.
func (r *reader) deadline(elements int) time.Duration {
	if !r.scaled {
		return r.patience
	}
	return r.patience + time.Duration(min(elements, r.request.MaxNodes))*perElement
}

// limit is how long reading such a document may take as a whole.
func (r *reader) limit(elements int) time.Duration {
	return 2*r.deadline(elements) + 5*time.Second
}

// scriptFor is the collector for a document with that many elements. A second more or
// less makes no difference, so most documents share one text.
func (r *reader) scriptFor(elements int) scripts {
	d := r.deadline(elements)
	if d < r.patience+time.Second {
		return r.script
	}
	q := r.request
	q.Deadline = float64(d.Milliseconds())
	return collectScripts(q)
}

func (r *reader) main(ctx context.Context) error {
	s := r.tab.Session()
	tree, err := r.tree(ctx)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	if len(tree) == 0 {
		return errors.New("reading the page: the tab has no document")
	}
	r.clock.Part(ctx, "frame tree")
	top := tree[0]
	got, err := r.top(ctx, s, top.ID)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	cols := got.cols
	d := cols.Doc
	c := r.c
	c.TakenAt = time.Now().UTC()
	c.URL, c.Title, c.Lang = d.URL, d.Title, d.Lang
	c.Viewport = snapshot.Viewport{Width: d.Width, Height: d.Height, Scale: 1}
	r.window = c.Viewport.Box()
	if r.area != [2]float64{} {
		c.Viewport.Width, c.Viewport.Height = r.area[0], r.area[1]
	}
	c.Scroll = snapshot.Scroll{X: d.X, Y: d.Y, MaxX: d.MaxX, MaxY: d.MaxY}
	c.ObservedFrom = time.UnixMilli(int64(d.From)).UTC()
	c.Moment.LayoutBefore = d.Layout
	c.Frames = append(c.Frames, snapshot.Frame{
		ID: top.ID, Parent: -1, URL: d.URL, Origin: top.Origin, Readable: true, Loader: got.realm.Loader, Owner: -1,
	})
	r.sources = append(r.sources, source{s, top.ID, got.realm})
	r.transforms = append(r.transforms, Unmoved())
	p := newPart(cols, 0, r.transforms[0])
	p.got, p.realm, p.window = got, got.realm, c.Viewport.Box()
	r.parts = append(r.parts, p)
	r.byFrame = map[int]*part{0: p}
	r.account(0, got)
	return nil
}

// columns evaluates the collector in one frame.
func (r *reader) columns(ctx context.Context, src source, clock *trace.Clock) (*columns, error) {
	ctx, cancel := browser.Within(ctx, r.limit(src.realm.Elements))
	defer cancel()
	js := r.scriptFor(src.realm.Elements)
	text, err := src.run(ctx, js.quick)
	if err == nil && text == hidden {
		text, err = src.run(ctx, js.careful)
	}
	clock.Part(ctx, "walk")
	if err != nil {
		return nil, err
	}
	var cols columns
	if err := jsonv2.Unmarshal([]byte(text), &cols); err != nil {
		return nil, fmt.Errorf("decoding the collector's answer: %w", err)
	}
	if err := cols.check(); err != nil {
		return nil, fmt.Errorf("the collector's answer: %w", err)
	}
	cols.redact(r.redactor)
	pageSpans(ctx, cols.Doc)
	clock.Part(ctx, "decode")
	return &cols, nil
}

// hitDeadline is the limit that js/hit.js names where time ran out after the walk.
const hitDeadline = "hit deadline"

func (r *reader) noteLimit(frame int, d document) {
	if d.AttributesOf > 0 {
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "attributes", Frame: frame,
			Why: fmt.Sprintf("an element has %d attributes: the first 1,000 were read, and of the rest those that "+
				"matter to "+
				"its role and name",
				d.AttributesOf)})
	}
	if d.Limit == hitDeadline {
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "hit", Frame: frame,
			Why: "stopped at the deadline of hit tests, so some elements in view have no occlusion"})
		return
	}
	if d.Limit != "" {
		why := "reading ended at the limit of %d elements: what follows them is not in the capture"
		if d.Limit != "nodes" {
			why = "reading ended with its time after %d elements: what follows them is not in the capture"
		}
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: snapshot.LayerWalk, Frame: frame,
			Why: fmt.Sprintf(why, d.LimitAt)})
	}
}

// finish joins the parts and works out what needs all of them.
func (r *reader) finish(ctx context.Context) {
	c := r.c
	c.Nodes = join(r.parts)
	for f := range c.Frames {
		if up := c.Frames[f].Parent; up >= 0 {
			c.Frames[f].Owner = r.byFrame[up].ids[c.Frames[f].Owner]
		}
	}
	r.sealAcross(ctx)
	inertFrames(c)
	for _, p := range r.parts {
		assignVerdicts(c, p)
	}
	leaveOut(c, r.parts, r.places)
	r.cleanFrames()
	r.sealJoined(ctx, joinedSecrets(c, r.redactor))
	r.boxWritten()
	r.clock.Part(ctx, "nodes and verdicts")
	r.occlusion(ctx)
	r.clock.Part(ctx, "occlusion")
	paths := newPaths(c, r.parts)
	for i := range c.Nodes {
		c.Nodes[i].Path = paths.of(i)
	}
	r.clock.Part(ctx, "paths")
	c.Mutations = r.mutations()
	c.Page.Grid = r.grid(ctx)
	r.clock.Part(ctx, "grid")
	pagefacts.Describe(c)
	c.Verdicts = c.CountVerdicts()
	r.clock.Part(ctx, "page facts")
}

// pageSpans adds what a document's collector measured of itself to the trace.
func pageSpans(ctx context.Context, d document) {
	at := time.UnixMicro(int64(d.Done * 1000))
	for _, phase := range slices.Backward(d.Phases) {
		took := time.Duration(phase.Ms * float64(time.Millisecond))
		at = at.Add(-took)
		trace.Add(ctx, trace.LanePage, phase.Name, at, took)
	}
}
