package session

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/redact"
)

// A capture of texts alone is kept with its tab, one for each tab. Where the next one is asked for with the
// same options and nothing has changed, it is given again: the page is not walked. What is proven for it:
//
//   - every document is the same one, its observer has counted no mutation in it or in its open shadow roots, its
//     fields hold the same, the same element has the focus, everything is scrolled as it was, no animation runs, each
//     picture has come or not as before ([collect.Proof.Holds]);
//   - the browser has worked out no style and no place anew in any of them ([work]): so shows what a script changes in
//     a style sheet, a font that has come, a popover, what the pointer is over;
//   - the same elements listen to being pressed ([collect.Proof.Listens]);
//   - the frame tree, the visible area, the console, the dialogs and the requests are those of then, and the page
//     offers neither tools nor a debug surface.
//
// The same is proven of the time from just before the walk to its end, or the capture is not kept. What could change
// without any of that, such as an element of the page's own kind, a closed shadow root or a frame of another process,
// is always read. Times, and the ages of what is listed, are of the moment of asking.

// Reasons beside those of package collect why a page was walked though a capture was kept, see [snapshot.Timings].
const (
	whyOptions = "options" // it was asked for in another way
	whyStyle   = "style"   // the browser has worked out styles or places
	whyFrames  = "frames"  // other frames
	whyConsole = "console" // the console, dialogs or requests have news
	whyTools   = "tools"   // the page offers tools or a debug surface
	whySize    = "size"    // the visible area is another one
)

// twiceVariable names the variable of the environment that, where it is set, has a page walked also where the capture
// before could be given again. Both are compared, and a difference is a failure of the capture, of the layer
// [layerAgain].
const twiceVariable = "REFSCOPE_READ_TWICE"

// layerAgain is the layer of a failure that [twiceVariable] finds.
const layerAgain = "again"

// whyTwice: both, see [twiceVariable].
const whyTwice = "twice"

// difference is where two captures of a page that has not changed differ first, "" where they do nowhere. Times and
// ages are of the moment of asking, and numbers of whoever asks.
func difference(a, b *snapshot.Capture) string {
	if len(a.Nodes) != len(b.Nodes) {
		return fmt.Sprintf("%d elements, and %d", len(a.Nodes), len(b.Nodes))
	}
	for i := range a.Nodes {
		one, two := a.Nodes[i], b.Nodes[i]
		one.Ref, two.Ref = 0, 0
		if one, two := encoded(one), encoded(two); one != two {
			return one + ", and " + two
		}
	}
	if one, two := encoded(timeless(a)), encoded(timeless(b)); one != two {
		return one + ", and " + two
	}
	return ""
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// timeless is a capture without its elements, and without what is of the moment of asking.
func timeless(c *snapshot.Capture) *snapshot.Capture {
	out := *c
	out.Nodes, out.TakenAt, out.Timings, out.Settled, out.Failed = nil, time.Time{}, snapshot.Timings{}, false, nil
	out.Mutations, out.Console = slices.Clone(c.Mutations), slices.Clone(c.Console)
	out.Dialogs = slices.Clone(c.Dialogs)
	if c.Network != nil {
		layer := *c.Network
		layer.Requests = slices.Clone(layer.Requests)
		for i := range layer.Requests {
			if q := &layer.Requests[i]; q.State == network.Pending {
				q.Duration, q.Timings = 0, nil
			}
		}
		out.Network = &layer
	}
	for i := range out.Mutations {
		out.Mutations[i].Age = 0
	}
	for i := range out.Console {
		out.Console[i].Age = 0
	}
	for i := range out.Dialogs {
		out.Dialogs[i].Age = 0
	}
	return &out
}

// told is what the browser tells of a page: its console, its dialogs, its requests.
type told struct {
	console []snapshot.ConsoleEntry
	dialogs []snapshot.Dialog
	network *network.Layer
}

// asTold is a copy of a layer that keeps its addresses when those of the layer are cleaned.
func asTold(l *network.Layer) *network.Layer {
	out := *l
	out.Requests = slices.Clone(l.Requests)
	for i := range out.Requests {
		if by := out.Requests[i].Initiator; by != nil {
			copied := *by
			out.Requests[i].Initiator = &copied
		}
	}
	return &out
}

// since is a copy of a capture as it would be now, by what the browser tells: times and ages are of now. It is false
// where there is news. What is cleaned of secrets is taken from the capture. Its elements are the capture's own.
func (t told) since(then *snapshot.Capture, tab *browser.Tab, now time.Time) (*snapshot.Capture, bool) {
	console, dialogs := tab.Console(now), tab.Dialogs(now)
	if t.network == nil || len(console) != len(t.console) || len(dialogs) != len(t.dialogs) {
		return nil, false
	}
	c := *then
	c.Console, c.Dialogs, c.Mutations = slices.Clone(c.Console), slices.Clone(c.Dialogs), slices.Clone(c.Mutations)
	for i, e := range console {
		c.Console[i].Age = e.Age
		if e.Age = t.console[i].Age; e != t.console[i] {
			return nil, false
		}
	}
	for i, d := range dialogs {
		c.Dialogs[i].Age = d.Age
		if d.Age = t.dialogs[i].Age; d != t.dialogs[i] {
			return nil, false
		}
	}
	if c.Network = sinceThen(c.Network, t.network, tab.Network(now)); c.Network == nil {
		return nil, false
	}
	later := trace.Ms(now.Sub(c.TakenAt))
	for i := range c.Mutations {
		c.Mutations[i].Age += later
	}
	c.TakenAt = now
	return &c, true
}

// kept is a capture that is kept with its tab. It never changes.
type kept struct {
	key     keptKey
	why     string            // why there is none, else ""
	capture *snapshot.Capture // without what the site's profile and the wait did not find
	// numbered: it has the numbers from 1, where it was taken for no session.
	numbered bool
	proof    *collect.Proof
	told     told
	counts   string // see [workNow]
	frames   []browser.FrameInfo
	area     snapshot.Box
	settle   Settle // how it was waited for
	settled  bool
}

// keptKey is all that a capture is made by, beside the page.
type keptKey struct {
	collect              collect.Options
	nodeIDs, everyNodeID bool
	secrets              []redact.Secret // that were known
	known                *redact.Known
}

// keeper looks for the kept capture of a tab, and keeps the one that is taken instead. The zero value does neither.
type keeper struct {
	tab     *browser.Tab
	key     keptKey
	last    *kept
	why     string // why the page is walked though there is a kept capture
	before  string // what the browser had counted before the walk, "" where that is not known
	fromOne bool   // the capture is numbered from 1
	given   *Shot  // the kept capture, where the page is walked beside all the same
}

func keeperOf(tab *browser.Tab, o Options) *keeper {
	k := &keeper{}
	if !o.NoPicture || o.FullPage || o.Store != nil || o.Within != nil || o.AllowSecrets || o.States ||
		o.Settled != nil || o.PageWrites != (PageWrites{}) || o.Settle.Beside ||
		o.Collect.Source == collect.SourceAX || o.Collect.Area != [2]float64{} || o.Collect.Rules.Filter != "" {
		return k
	}
	k.tab, k.fromOne = tab, o.Number == nil
	k.key = keptKey{collect: o.Collect, nodeIDs: o.NodeIDs, everyNodeID: o.EveryNodeID, known: o.Collect.Known,
		secrets: secretsOf(o.Collect.Known)}
	k.key.collect.Walked, k.key.collect.Known = nil, nil
	k.last, _ = tab.Kept().(*kept)
	return k
}

// secretsOf are those that a capture is cleaned of.
func secretsOf(known *redact.Known) []redact.Secret {
	return slices.Concat(known.Typed(), known.Withheld())
}

// settled reports whether the page needs no wait where the kept capture is given again: it was waited for in the same
// way then, and has been quiet since.
func (k *keeper) settled(s Settle) bool {
	return k.last != nil && k.last.settled && k.last.settle == s && s.For == ""
}

// again is the kept capture as it would be taken now, nil where the page is to be walked.
func (k *keeper) again(ctx context.Context) *Shot {
	if k.last == nil || k.why != "" {
		return nil
	}
	var shot *Shot
	if shot, k.why = k.last.again(ctx, k.tab, k.key); shot != nil && os.Getenv(twiceVariable) != "" {
		k.given, k.why = shot, whyTwice
		return nil
	}
	return shot
}

func (l *kept) again(ctx context.Context, tab *browser.Tab, key keptKey) (_ *Shot, why string) {
	switch {
	case l.why != "":
		return nil, l.why
	case l.key.known != key.known || !reflect.DeepEqual(l.key, key):
		return nil, whyOptions
	}
	now := time.Now().UTC()
	l.proof.Redact(tab)
	var asked sync.WaitGroup
	var counts, still, listens, offers string
	var area snapshot.Box
	var unmeasured error
	asked.Go(func() {
		if still = l.proof.Holds(ctx); still != "" {
			return
		}
		asked.Go(func() { counts = workNow(ctx, tab) })
		listens = l.proof.Listens(ctx)
	})
	asked.Go(func() { area, unmeasured = visible(ctx, tab) })
	asked.Go(func() { offers = offered(ctx, tab) })
	nodes := slices.Clone(l.capture.Nodes) // they get numbers
	asked.Wait()
	switch {
	case still != "":
		return nil, still
	case listens != "":
		return nil, listens
	case counts == "" || counts != l.counts:
		return nil, whyStyle
	case offers != "":
		return nil, offers
	case unmeasured != nil || area != l.area:
		return nil, whySize
	case !sameFrames(ctx, tab, l.frames):
		return nil, whyFrames
	}
	c, ok := l.told.since(l.capture, tab, now)
	if !ok {
		return nil, whyConsole
	}
	c.Nodes = nodes
	c.Settled, c.Timings = l.settled, snapshot.Timings{Again: true}
	return &Shot{Capture: c, heard: l.proof, told: l.told, numbered: l.numbered}, ""
}

// sinceThen is a capture's layer of requests as it would be now, nil where there is news. then is the layer as the
// browser told it, and now as it tells it.
func sinceThen(c, then, now *network.Layer) *network.Layer {
	if len(now.Requests) != len(then.Requests) {
		return nil
	}
	out := *c
	out.Requests = slices.Clone(c.Requests)
	for i := range now.Requests {
		q := &now.Requests[i]
		if q.State != network.Pending {
			continue
		}
		// How long it has been under way is of the moment.
		out.Requests[i].Duration, out.Requests[i].Timings = q.Duration, q.Timings
		q.Duration, q.Timings = then.Requests[i].Duration, then.Requests[i].Timings
	}
	if !reflect.DeepEqual(now, then) {
		return nil
	}
	return &out
}

// workNow is what the browser has counted so far, all of [work] as one text, "" where it cannot be asked.
func workNow(ctx context.Context, tab *browser.Tab) string {
	counts, recalcs, err := work(ctx, tab)
	if err != nil {
		return ""
	}
	return counts + " " + time.Duration(recalcs).String()
}

// offered is why a page is walked that offers tools or a debug surface, or cannot be asked for them; "" where not.
func offered(ctx context.Context, tab *browser.Tab) string {
	shot := &Shot{Capture: &snapshot.Capture{}}
	var missed []snapshot.Failure
	var surface, unread string
	var asked sync.WaitGroup
	asked.Go(func() { missed = readTools(ctx, tab, shot.Capture) })
	asked.Go(func() { surface, unread = surfaceText(ctx, tab) })
	asked.Wait()
	if len(missed) > 0 || len(shot.Capture.Tools) > 0 || unread != "" || surface != "" {
		return whyTools
	}
	return ""
}

// sameFrames reports whether the tab has these frames, all of its own process.
func sameFrames(ctx context.Context, tab *browser.Tab, frames []browser.FrameInfo) bool {
	ready, failed := tab.FrameSessions(ctx)
	now, err := tab.KnownFrames(ctx)
	return err == nil && len(ready)+len(failed) == 0 && slices.Equal(now, frames)
}

// begin notes what the browser has counted before the walk.
func (k *keeper) begin(ctx context.Context, o *Options) {
	if k.tab == nil {
		return
	}
	o.Collect.Proof = true
	k.before = workNow(ctx, k.tab)
}

// keep keeps a capture that was walked, if it may be given again, and notes in it why it was walked. s is how the page
// was waited for, and settled whether it had become quiet.
func (k *keeper) keep(ctx context.Context, shot *Shot, s Settle, settled bool) {
	if k.tab == nil {
		return
	}
	c := shot.Capture
	c.Timings.Walked = k.why
	if k.fromOne {
		shot.numberFromOne()
	}
	kept := k.kept(ctx, shot)
	kept.settle, kept.settled = s, settled
	k.tab.Keep(kept)
	if k.given == nil || kept.capture == nil {
		return
	}
	if differs := difference(k.given.Capture, c); differs != "" {
		// Where it holds no more, the page has changed between the two; as it may have where the second is not kept.
		if again, _ := k.last.again(ctx, k.tab, k.key); again != nil {
			c.Failed = append(c.Failed, snapshot.Failure{Layer: layerAgain,
				Why: "the capture before would have been given again, and is another one: " + differs})
		}
	}
}

// kept is a capture as it is kept, or why it is not.
func (k *keeper) kept(ctx context.Context, shot *Shot) *kept {
	c := shot.Capture
	l := &kept{key: k.key, told: shot.told}
	var why string
	var err, unmeasured error
	var asked sync.WaitGroup
	asked.Go(func() { l.proof, why = shot.page.Proof(ctx) })
	asked.Go(func() { l.counts = workNow(ctx, k.tab) })
	asked.Go(func() { l.area, unmeasured = visible(ctx, k.tab) })
	asked.Go(func() { l.frames, err = k.tab.KnownFrames(ctx) })
	copied := *c
	copied.Nodes = slices.Clone(c.Nodes) // the capture's may get other numbers
	asked.Wait()
	switch {
	case why != "":
		l.why = why
	case len(shot.Payloads)+len(shot.Lacks)+len(c.Tools) > 0:
		l.why = whyTools
	case k.before == "" || l.counts != k.before:
		l.why = whyStyle
	case !slices.Equal(secretsOf(k.key.known), k.key.secrets):
		l.why = whyOptions
	case err != nil || !sameFrames(ctx, k.tab, l.frames):
		l.why = whyFrames
	case unmeasured != nil || l.area.W() != c.Viewport.Width || l.area.H() != c.Viewport.Height:
		l.why = whySize
	default:
		l.capture, l.numbered = &copied, shot.numbered
	}
	return l
}
