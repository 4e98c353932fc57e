package collect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// reading is the result of reading one document.
type reading struct {
	cols   *columns
	realm  *browser.Realm
	failed []snapshot.Failure // frame index not set yet
	// listeners is the time spent on listeners, ms.
	listeners float64
	pressed   []int64 // see [pressed]
	// windows is what the browser knows of the elements that show frames; unasked is why it could not be asked for.
	windows []browser.NodeFacts
	unasked error
}

// tree is the tab's frame tree, with a deadline of our own.
func (r *reader) tree(ctx context.Context) ([]browser.FrameInfo, error) {
	within, cancel := browser.Within(ctx, r.patience)
	defer cancel()
	tree, err := r.tab.KnownFrames(within)
	return tree, busy(ctx, err, r.patience)
}

// top reads the main frame's document, again where the page moves on meanwhile.
func (r *reader) top(ctx context.Context, s *browser.Session, frame string) (*reading, error) {
	for try := 1; ; try++ {
		got, err := r.document(ctx, s, frame, r.patience, r.clock)
		if try < tries && errors.Is(err, browser.ErrNavigated) {
			continue
		}
		if errors.Is(err, browser.ErrNavigated) {
			return nil, errors.New(why(err))
		}
		return got, err
	}
}

// document reads the document that a frame shows now: the walk, again where closed
// shadow roots came to light, and the evidence that only the browser has. All of it
// is of one document, or the error is [browser.ErrNavigated].
func (r *reader) document(ctx context.Context, s *browser.Session, frame string, patience time.Duration,
	clock *trace.Clock) (*reading, error) {
	enter, stop := browser.Within(ctx, patience)
	realm, err := s.Enter(enter, frame)
	stop()
	if err != nil {
		return nil, busy(ctx, err, patience)
	}
	clock.Part(ctx, "enter")
	limit := r.limit(realm.Elements)
	ctx2, cancel := browser.Within(ctx, limit)
	defer cancel()
	defer realm.Release(ctx)
	d := &reading{realm: realm}
	// The browser looks for listeners as soon as the walk is over.
	listen := listenTo(ctx2, realm)
	defer listen.stop()
	src := source{session: s, frame: frame, realm: realm}
	if d.cols, err = r.columns(ctx2, src, clock); err != nil {
		return nil, busy(ctx, err, limit)
	}
	if d.cols.Maybe > 0 {
		found, err := closedRoots(ctx2, realm)
		switch {
		case errors.Is(err, browser.ErrNavigated):
			return nil, err
		case err != nil:
			d.failed = append(d.failed, snapshot.Failure{Layer: "closed",
				Why: "closed shadow roots could not be looked for: " +
					err.Error()})
		}
		if found > 0 {
			if d.cols, err = r.columns(ctx2, src, clock); err != nil {
				return nil, busy(ctx, err, limit)
			}
		}
		clock.Part(ctx, "closed roots")
	}
	if d.cols.Speakers > 0 {
		if err := r.speak(ctx2, src, d, clock); err != nil {
			return nil, busy(ctx, err, limit)
		}
	}
	main := clock == r.clock
	if r.walked != nil && main { // again where another document has taken its place
		r.walked()
	}
	var around sync.WaitGroup // of what is asked of the frames inside beside the listeners
	defer around.Wait()
	if len(d.cols.Windows) > 0 {
		around.Go(func() {
			in, stop := browser.Within(ctx, r.patience)
			defer stop()
			var err error
			d.windows, err = realm.Describe(in, "globalThis.__refscope.windows")
			d.unasked = busy(ctx, err, r.patience)
		})
		if main {
			around.Go(func() { r.known.refresh(ctx) })
		}
	}
	began := time.Now()
	heard, deaf := listen.wait()
	var unheard error
	if deaf == nil {
		if d.pressed, unheard, deaf = pressed(ctx2, realm, heard); deaf == nil {
			deaf = r.hear(ctx2, realm, d.cols, d.pressed)
		}
	}
	d.listeners = trace.Ms(time.Since(began))
	clock.Part(ctx, "listeners")
	switch {
	case errors.Is(deaf, browser.ErrNavigated):
		return nil, deaf
	case deaf != nil:
		d.failed = append(d.failed, snapshot.Failure{Layer: "listeners", Why: "listeners could not be looked for: " +
			deaf.Error()})
	case unheard != nil:
		d.failed = append(d.failed, snapshot.Failure{Layer: "listeners", Why: "what the page's libraries listen to " +
			"could not be looked for: " + unheard.Error()})
	}
	return d, nil
}

// listening is a question for the listeners of a document.
type listening struct {
	cancel context.CancelFunc
	done   chan struct{} // closed once it is answered
	heard  []browser.Listener
	err    error
}

func listenTo(ctx context.Context, realm *browser.Realm) *listening {
	ctx, cancel := context.WithCancel(ctx)
	l := &listening{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.heard, l.err = realm.Listeners(ctx)
	}()
	return l
}

// stop ends the question, and waits until it has ended.
func (l *listening) stop() {
	l.cancel()
	<-l.done
}

// wait waits for the answer.
func (l *listening) wait() ([]browser.Listener, error) {
	<-l.done
	return l.heard, l.err
}

// busy makes the error of a deadline of our own a sentence. ctx is the caller's,
// whose end is no fault of the page.
func busy(ctx context.Context, err error, patience time.Duration) error {
	var silent *browser.BusyError
	switch {
	case errors.As(err, &silent):
		return silent
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		return &browser.BusyError{Within: patience}
	}
	return err
}

// why is the sentence for a frame that could not be read.
func why(err error) string {
	switch {
	case errors.Is(err, browser.ErrNavigated):
		return "it navigated to another document again and again during the capture"
	case errors.Is(err, browser.ErrCrashed):
		return "its process crashed"
	case errors.Is(err, browser.ErrDetached):
		return "it was removed during the capture"
	}
	return err.Error()
}

// add appends late results to the columns of the walk. The texts in it go through
// the same redaction as the walk's own.
func (c *columns) add(l *lateColumns, red *redact.Redactor) {
	shift := len(c.Strings) - l.From
	texts := map[int]int{}
	text := func(p *int) {
		to, known := texts[*p]
		if !known {
			to = *p
			if to >= l.From {
				to += shift
			}
			if s := c.str(to); red.Custom() {
				if clean := red.CleanCustom(s); clean != s {
					to = len(c.Strings)
					c.Strings = append(c.Strings, clean)
					c.Cleaned = append(c.Cleaned, to)
				}
			}
			texts[*p] = to
		}
		*p = to
	}
	for _, i := range l.Shown {
		if i >= 0 && i < len(c.Hide) {
			c.Hide[i] = hideNone
		}
	}
	c.Strings = append(c.Strings, l.Strings...)
	for _, k := range l.Cleaned {
		if k >= l.From {
			c.Cleaned = append(c.Cleaned, k+shift)
		}
	}
	n := len(c.Parent)
	rows(l.Evidence, 2, n, func(k int, r []int) { c.Evidence[k] = r[0] })
	rows(l.Flags, 2, n, func(k int, r []int) { c.Flags[k] = r[0] })
	rows(l.Names, 3, n, func(_ int, r []int) {
		text(&r[0])
		if r[1] >= l.From {
			r[1] += shift // where the name came from: a word of ours
		}
	})
	rows(l.Desc, 2, n, func(_ int, r []int) { text(&r[0]) })
	c.Names = slices.Concat(c.Names, l.Names)
	c.Desc = slices.Concat(c.Desc, l.Desc)
	c.Hits = slices.Concat(c.Hits, l.Hits)
	c.Shades = slices.Concat(c.Shades, l.Shades)
	c.Labels = slices.Concat(c.Labels, l.Labels)
}

// lateColumns is the answer of js/late.js; see columns.
type lateColumns struct {
	Evidence []int     `json:"evidence"` // [i, bits]…
	Shown    []int     `json:"shown"`    // parts of drawings that are not skipped
	Flags    []int     `json:"flags"`    // [i, bits]…
	Names    []int     `json:"names"`
	Desc     []int     `json:"descriptions"`
	Hits     []float64 `json:"hits"`
	Shades   []int     `json:"shades"`
	Labels   []int     `json:"labels"`
	Cleaned  []int     `json:"cleaned"`
	From     int       `json:"from"` // place of the first string in the table
	Strings  []string  `json:"strings"`
}
