package collect

import (
	"context"
	"errors"
	"fmt"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// Options bound the walk. The zero value is what a turn uses.
type Options struct {
	MaxNodes int           // elements in one frame; 0 means 200,000
	Deadline time.Duration // of one frame's walk and of its hit tests; 0 means 10 s
	AllNames bool          // names of every element, not only of those that formats name
	Rules    Rules         // of the site's profile and the caller
	// Source says where roles, names and states come from: SourcePage ("" too) or
	// SourceAX.
	Source string
	// AllowSecrets gives the values of password, code and card fields in
	// Result.Secrets. The capture is redacted all the same.
	AllowSecrets bool
}

// Result is a capture that is complete but for what belongs to the turn (settling,
// picture, console, numbers), with a way to prove its moment.
type Result struct {
	Capture *snapshot.Capture
	// Secrets are the withheld values of controls, nil without AllowSecrets.
	Secrets  Secrets
	sources  []source // by frame index
	parts    []*part
	redactor *snapshot.Redactor
	sealers  []source // frames whose password fields hold something
}

// source is where a frame's scripts run.
type source struct {
	session *browser.Session
	frame   string
	realm   *browser.Realm // of the document that was read, nil before
}

// eval evaluates in the document that was read, or in the one that is there now.
func (src source) eval(ctx context.Context, expr string) (string, error) {
	if src.realm != nil {
		return src.realm.Eval(ctx, expr)
	}
	return src.session.Eval(ctx, src.frame, expr)
}

// Read walks all documents of the tab. A frame that cannot be read is a frame with
// the reason and a line in Failed; only a main frame that cannot be read is an
// error.
func Read(ctx context.Context, tab *browser.Tab, o Options) (*Result, error) {
	if o.MaxNodes <= 0 {
		o.MaxNodes = 200_000
	}
	if o.Deadline <= 0 {
		o.Deadline = 10 * time.Second
	}
	if err := checkSource(o.Source); err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	redactor, err := snapshot.NewRedactor(o.Rules.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("reading the page: redaction rules: %w", err)
	}
	if err := checkFilter(ctx, tab, o.Rules.Filter); err != nil {
		return nil, err
	}
	req := request{MaxNodes: o.MaxNodes, Deadline: float64(o.Deadline.Milliseconds()), Hits: true, AllNames: o.AllNames, AllowSecrets: o.AllowSecrets}
	req.rule(o.Rules)
	r := &reader{
		redactor: redactor,
		request:  req,
		tab:      tab,
		script:   collectScript(req),
		limit:    2*o.Deadline + 5*time.Second,
		patience: o.Deadline,
		c:        &snapshot.Capture{Schema: snapshot.Schema, Chrome: tab.Browser().Version()},
	}
	if err := r.main(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	r.children(ctx)
	r.c.Timings.Frames = ms(time.Since(began))
	r.finish(ctx)
	res := &Result{
		Capture: r.c, Secrets: r.secrets(),
		sources: r.sources, redactor: redactor, sealers: r.sealers(), parts: r.parts,
	}
	if o.Source == SourceAX {
		if err := res.useAX(ctx); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// reader holds one capture while it is read.
type reader struct {
	tab      *browser.Tab
	script   string
	request  request
	redactor *snapshot.Redactor
	limit    time.Duration
	c        *snapshot.Capture
	parts    []*part
	sources  []source // by frame index
	byFrame  map[int]*part
	placings []placing     // by frame index
	patience time.Duration // for a document's first answer
}

func (r *reader) main(ctx context.Context) error {
	s := r.tab.Session()
	tree, err := r.tree(ctx, s)
	if err != nil {
		return fmt.Errorf("reading the page: %w", err)
	}
	if len(tree) == 0 {
		return errors.New("reading the page: the tab has no document")
	}
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
	c.Scroll = snapshot.Scroll{X: d.X, Y: d.Y, MaxX: d.MaxX, MaxY: d.MaxY}
	c.ObservedFrom = time.UnixMilli(int64(d.From)).UTC()
	c.Moment.LayoutBefore = d.Layout
	c.Frames = append(c.Frames, snapshot.Frame{
		ID: top.ID, Parent: -1, URL: d.URL, Origin: top.Origin, Readable: true, Loader: got.realm.Loader, Owner: -1,
	})
	r.sources = append(r.sources, source{s, top.ID, got.realm})
	r.placings = append(r.placings, placedAt(0, 0, 1, 1))
	p := newPart(cols, 0, r.placings[0])
	p.realm, p.window = got.realm, c.Viewport.Box()
	r.parts = append(r.parts, p)
	r.byFrame = map[int]*part{0: p}
	r.account(0, got)
	return nil
}

// columns evaluates the collector in one frame.
func (r *reader) columns(ctx context.Context, src source) (*columns, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	text, err := src.eval(ctx, r.script)
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
	return &cols, nil
}

func (r *reader) noteLimit(frame int, d document) {
	if d.Limit != "" {
		r.c.Failed = append(r.c.Failed, snapshot.Failure{Layer: "walk", Frame: frame,
			Why: fmt.Sprintf("stopped at the %s limit after %d elements", d.Limit, d.LimitAt)})
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
	for _, p := range r.parts {
		judge(c, p)
		explainFiltered(c, p)
	}
	r.cleanFrames()
	r.occlusion(ctx)
	paths := newPaths(c, r.parts)
	for i := range c.Nodes {
		c.Nodes[i].Path = paths.of(i)
	}
	c.Mutations = r.mutations()
	c.Page.Grid = r.grid(ctx)
	c.Page.Overlays = Overlays(c)
	describePage(c)
	c.Verdicts = c.CountVerdicts()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
