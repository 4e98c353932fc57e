package domtool

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Settings configure where a tool reports its measurements.
type Settings struct {
	// Observe is called with each snapshot and action, from the goroutine of the call.
	Observe func(Event)
	// Log gets the same, with the message "[DomTool]".
	Log *slog.Logger
}

// Tool reads and operates one tab. It is not safe for concurrent use: there is one
// mouse and one keyboard.
type Tool struct {
	opt      Settings
	elements *element.Resolver
}

// New makes a tool for the tab of a resolver, which describes how the page is read and has the numbers.
func New(elements *element.Resolver, s Settings) *Tool { return &Tool{opt: s, elements: elements} }

// SnapshotOptions configure a snapshot.
type SnapshotOptions struct {
	// Force takes a new one whatever is cached.
	Force bool
	// TTL is how old a cached one may be; 0 for [element.Options]'.
	TTL time.Duration
	// Dump changes the payload: IncludeLayout, ViewportOnly, MaxNodes, Compat, ….
	Dump format.Options
}

// Snapshot is the page as it was given to an agent.
type Snapshot struct {
	// Document is the payload, PageSerialized as JSON.
	Document *dump.Document
	// Shot is its source.
	Shot *session.Shot
	Meta Meta
	// TakenAt is when the page was read; Took is how long this call took.
	TakenAt time.Time
	Took    time.Duration
	Cached  bool
}

// Meta is page.meta of the payload. Under compat it has the first four only.
type Meta struct {
	Truncated       bool   `json:"truncated"`
	TotalNodes      int    `json:"totalNodes"`
	Version         string `json:"version"`
	Error           string `json:"error"`
	OmittedNodes    int    `json:"omittedNodes"`
	VisibleNodes    int    `json:"visibleNodes"`
	ActionableNodes int    `json:"actionableNodes"`
	EstimatedTokens int    `json:"estimatedTokens"`
}

// Snapshot returns the page as it is now, from the cache where that is fresh.
func (t *Tool) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	began := time.Now()
	s, err := t.snapshot(ctx, o)
	e := Event{Name: "snapshot", Took: time.Since(began)}
	if err == nil {
		s.Took = e.Took
		e.Cached, e.Bytes = s.Cached, len(s.Document.Text)
		e.Nodes, e.Visible, e.Operable = s.Meta.TotalNodes, s.Meta.VisibleNodes, s.Meta.ActionableNodes
		e.Omitted, e.Truncated = s.Meta.OmittedNodes, s.Document.Truncated
	}
	t.tell(ctx, e, err)
	return s, err
}

func (t *Tool) snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	if err := open(ctx, t.elements.Page(), ""); err != nil {
		return nil, err
	}
	if o.Force {
		t.elements.Invalidate()
	}
	if o.TTL > 0 {
		defer t.elements.ValidFor(o.TTL)()
	}
	shown, err := t.elements.Show(ctx)
	if err != nil {
		return nil, err
	}
	doc, err := format.Render(shown.Shot.Capture, format.DomTool, o.Dump)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Document: doc, Shot: shown.Shot, TakenAt: shown.Shot.Capture.TakenAt, Cached: shown.Cached}
	var payload struct{ Page struct{ Meta *Meta } }
	payload.Page.Meta = &s.Meta
	if err := json.Unmarshal([]byte(doc.Text), &payload); err != nil {
		return nil, fmt.Errorf("reading the payload's meta: %w", err)
	}
	return s, nil
}

// open refuses a tab whose document is not a page: one of the browser's own, or the
// error page shown instead of a page that could not be loaded.
func open(ctx context.Context, page *action.Page, target string) error {
	frames, err := page.Frames(ctx)
	if err != nil {
		return err
	}
	u, err := url.Parse(frames[0].URL)
	if err != nil {
		return nil // the address of a page that was loaded is no reason to refuse it
	}
	switch u.Scheme {
	case "chrome",
		"chrome-error",
		"chrome-extension",
		"chrome-search",
		"chrome-untrusted",
		"devtools",
		"edge",
		"view-source":
		return &Error{
			Code: SecurityBlocked, Target: target,
			Err:    fmt.Errorf("the tab shows %s, which is the browser's own page", u.Scheme+":"),
			Remedy: "go to a page of the web first",
		}
	}
	return nil
}

// Options describe how an action is done.
type Options struct {
	// Timeout is how long the element may take to become ready; 5 s if 0.
	Timeout time.Duration
	// Force acts at once and checks nothing.
	Force bool
}

func (o Options) action() action.Options {
	return action.Options{Timeout: o.Timeout, Force: o.Force, Strict: true}
}

// Result is the result of an action.
type Result struct {
	Action string `json:"action"`
	// Target is the requested target, "" for a key that went to what has the focus.
	Target string `json:"target,omitempty"`
	// Ref is the number of the element, 0 where it was requested by selector. NewRef is
	// that of the substitute where the element was gone.
	Ref    int `json:"ref,omitempty"`
	NewRef int `json:"newRef,omitempty"`
	// ReResolved: the element was gone; the only one with its role and name took its
	// place.
	ReResolved bool `json:"reResolved,omitempty"`
	// Method is how it was done: see the constants of package action.
	Method string `json:"method,omitempty"`
	// Kept is whether a field has exactly what was typed; nil for other actions and
	// where it was typed after other text.
	Kept *bool `json:"kept,omitempty"`
	// Checked is the state of a checkbox or radio button that was clicked.
	Checked *bool `json:"checked,omitempty"`
	// Took is in ms.
	Took float64 `json:"tookMs"`
}
