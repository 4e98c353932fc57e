package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/redact"
)

// cacheTTL is how long a shot of the page is valid (B-9).
const cacheTTL = 2 * time.Second

// Cache keeps the last shot of one tab for as long as it is fresh: at most TTL old, the page is in the state that it
// was in before it was read and after, see [State], the browser has no news of its console, dialogs and requests, the
// site's profile is the same, and no secret has become known since. Its other options are to be the same each time. It
// is safe for concurrent use.
type Cache struct {
	TTL time.Duration // 0 means cacheTTL

	mu      sync.Mutex
	shot    *Shot
	tab     string
	state   State
	at      time.Time
	secrets []redact.Secret // that it was cleaned of
}

// Take is the cached shot where it is fresh (true), else a new one by [Take]. A turn
// that is to be kept is always new: a session has no turn twice. A failed take is
// tried once more, as the page may have been replaced under it.
func (c *Cache) Take(ctx context.Context, tab *browser.Tab, o Options) (shot *Shot, cached bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ttl := c.TTL
	if ttl <= 0 {
		ttl = cacheTTL
	}
	if o.Store == nil && !o.FullPage && c.shot != nil && (o.NoPicture || c.shot.Picture != nil) &&
		c.tab == tab.ID() && time.Since(c.at) < ttl && slices.Equal(secretsOf(o.Collect.Known), c.secrets) {
		_, told := c.shot.told.since(c.shot.Capture, tab, time.Now())
		same, err := c.shot.profileAsThen(ctx, tab, o)
		if err != nil {
			return nil, false, err
		}
		if now, err := StateOf(ctx, tab); told && same && err == nil && now == c.state && c.shot.listensAsThen(ctx) {
			return c.shot, true, nil
		}
	}
	c.shot = nil
	secrets := secretsOf(o.Collect.Known) // what becomes known from here on may be in the shot
	var before State
	for try := 0; ; try++ {
		if before, err = StateOf(ctx, tab); err != nil {
			before = State{} // what is wrong will show in the shot
		}
		if shot, err = Take(ctx, tab, o); err == nil {
			break
		}
		if try > 0 || ctx.Err() != nil {
			return nil, false, err
		}
	}
	if o.FullPage {
		return shot, false, nil
	}
	if after, err := StateOf(ctx, tab); err == nil && shot.Holds(before, after) {
		c.shot, c.tab, c.state, c.at, c.secrets = shot, tab.ID(), after, time.Now(), secrets
	}
	return shot, false, nil
}

// listensAsThen reports whether the same elements listen to being pressed as when the shot was taken: that one listens
// no more shows in no [State].
func (s *Shot) listensAsThen(ctx context.Context) bool {
	return s.heard != nil && s.heard.Listens(ctx) == ""
}

// Invalidate forgets the shot: an action is about to change the page.
func (c *Cache) Invalidate() {
	c.mu.Lock()
	c.shot = nil
	c.mu.Unlock()
}

// probed is how many frames are asked for their state. One of more is never known to be as it was.
const probed = 20

// State is what changes when the page does. The zero value is one that is not known.
type State struct {
	text    string
	recalcs int  // how often the browser has worked out styles anew
	moves   bool // no two states are the same: an animation runs, or not all can be asked
}

// Known reports whether there is one.
func (s State) Known() bool { return s.text != "" }

// StateOf is the state of a tab's page: what [probe] sees of its documents, and what [work] says that the browser did
// for it. Reading the page leaves it as it is.
func StateOf(ctx context.Context, tab *browser.Tab) (State, error) {
	seen, moves, err := probe(ctx, tab)
	if err != nil {
		return State{}, err
	}
	done, recalcs, err := work(ctx, tab)
	if err != nil {
		return State{}, err
	}
	return State{seen + "\n" + done, recalcs, moves}, nil
}

// pictureRecalcs is how often Chrome works out styles anew for one picture.
const pictureRecalcs = 2

// same reports whether nothing has changed between two states; drawn: a picture was made between them.
func (s State) same(after State, drawn bool) bool {
	if drawn && after.recalcs == s.recalcs+pictureRecalcs {
		after.recalcs = s.recalcs
	}
	return s.Known() && s == after
}

// Holds reports whether a shot that was taken between two states stands for its page for as long as that is in the
// second one: nothing has changed meanwhile, and it has nothing that changes without the state, see
// [collect.ChangesUnseen].
func (s *Shot) Holds(before, after State) bool {
	if !before.same(after, s.Drawn()) || s.Capture.Moment.Torn {
		return false
	}
	for i := range s.Capture.Nodes {
		if collect.ChangesUnseen(&s.Capture.Nodes[i]) {
			return false
		}
	}
	return true
}

// probe is a text that changes when a document of the tab does: another document or address in a frame, its DOM,
// scrolling, focus, form state, size; and always while an animation runs, or where a frame cannot be asked. Only hashes
// of the form state are in it. What leaves the DOM as it is, such as another rule of a style sheet, does not show: see
// [work].
func probe(ctx context.Context, tab *browser.Tab) (state string, moves bool, err error) {
	tree, err := tab.KnownFrames(ctx)
	if err != nil {
		return "", false, err
	}
	if len(tree) == 0 {
		return "", false, fmt.Errorf("tab %s has no document", tab.ID())
	}
	type place struct {
		session *browser.Session
		browser.FrameInfo
	}
	var all []place
	for _, f := range tree {
		all = append(all, place{tab.Session(), f})
	}
	ready, failed := tab.FrameSessions(ctx)
	unknown := len(failed) > 0
	for _, s := range ready {
		infos, err := s.FrameTree(ctx)
		unknown = unknown || err != nil
		for _, f := range infos {
			all = append(all, place{s, f})
		}
	}
	if len(all) > probed {
		all, unknown = all[:probed], true
	}
	states, errs := make([]string, len(all)), make([]error, len(all))
	var work sync.WaitGroup
	for i, f := range all {
		work.Go(func() {
			state, err := f.session.Eval(ctx, f.ID, browser.Now)
			states[i], errs[i] = f.ID+" "+f.Loader+" "+state, err
		})
	}
	work.Wait()
	if errs[0] != nil {
		return "", false, errs[0]
	}
	moves = slices.ContainsFunc(states, func(state string) bool { return !strings.HasSuffix(state, unmoved) })
	slices.Sort(states[1:]) // the order of the sessions is not theirs
	if unknown || errors.Join(errs...) != nil {
		states, moves = append(states, time.Now().String()), true
	}
	return strings.Join(states, "\n"), moves, nil
}

// unmoved ends what a document says of its state where nothing in it moves on its own.
const unmoved = " 0"

// work is a text that changes when the browser works out styles or places anew in the tab, or a script begins or ends
// to listen to events: so shows what [probe] does not see, as a rule that a script changes in a style sheet, a popover
// that opens, what happens in a closed shadow root. Ask after probe, which has the browser work out what it has put
// off.
func work(ctx context.Context, tab *browser.Tab) (counts string, recalcs int, err error) {
	ready, failed := tab.FrameSessions(ctx)
	if len(failed) > 0 {
		return "", 0, fmt.Errorf("tab %s: %d of its frames cannot be asked", tab.ID(), len(failed))
	}
	sessions := []*browser.Session{tab.Session()}
	for _, id := range slices.Sorted(maps.Keys(ready)) {
		sessions = append(sessions, ready[id])
	}
	all, styles, errs := make([]string, len(sessions)), make([]int, len(sessions)), make([]error, len(sessions))
	var asked sync.WaitGroup
	for i, s := range sessions {
		asked.Go(func() { all[i], styles[i], errs[i] = workOf(ctx, s) })
	}
	asked.Wait()
	for _, n := range styles {
		recalcs += n
	}
	return strings.Join(all, "\n"), recalcs, errors.Join(errs...)
}

// workOf are the browser's own counters of one process' part of a tab. They begin at the first call.
func workOf(ctx context.Context, s *browser.Session) (counts string, recalcs int, err error) {
	if err := s.CountWork(ctx); err != nil {
		return "", 0, fmt.Errorf("counting the work of the page: %w", err)
	}
	res, err := cdp.Call(ctx, s, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return "", 0, fmt.Errorf("counting the work of the page: %w", err)
	}
	var b strings.Builder
	for _, m := range res.Metrics {
		switch m.Name {
		case "LayoutCount", "JSEventListeners": // of documents and frames it counts those too that are gone
			fmt.Fprintf(&b, "%s=%.0f ", m.Name, m.Value)
		case "RecalcStyleCount":
			recalcs = int(m.Value)
		}
	}
	if b.Len() == 0 {
		return "", 0, errors.New("the browser counts no work of the page")
	}
	return b.String(), recalcs, nil
}
