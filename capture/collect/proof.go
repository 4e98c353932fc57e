package collect

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
)

// Proof is what a reading leaves behind so that it can be given again: what shows that each of its documents is as it
// was. What the browser itself counts, such as how often it has worked out styles, is not among it. It holds no element
// of the page.
type Proof struct {
	redactor *redact.Redactor
	docs     []docProof
}

// docProof is that of one document.
type docProof struct {
	source
	now     string  // what [docNow] gives
	pressed []int64 // see [pressed]
}

// docNow is what a document shows beside its mutations, and how often the backendNodeIds of its elements were written
// down: readings to come have them.
const docNow = browser.Now + " + '/' + (globalThis.__refscope.remembered || 0)"

// Reasons why a reading is not given again, for [snapshot.Timings].
const (
	whyChanged   = "page"      // its documents, what their fields hold, what has the focus, where they are scrolled to
	whyMoves     = "moves"     // an animation runs, or something in it could not be observed
	whyListeners = "listeners" // other elements listen to being pressed
	whyKind      = "kind"      // it has what may change without a trace, see [ChangesUnseen]
	whyFrames    = "frames"    // frames of other processes, or too many
	whyFailed    = "failed"    // a part of it could not be read
	whyAsked     = "asked"     // a part of it cannot be asked now
)

// mostProven is how many documents a reading has at most that is given again.
const mostProven = 20

// Proof is the proof of a reading with [Options.Proof], once its [Result.Moment] is known. Where the reading is not to
// be given again, why is the reason.
func (res *Result) Proof(ctx context.Context) (p *Proof, why string) {
	c := res.Capture
	switch {
	case len(c.Failed) > 0:
		return nil, whyFailed
	case len(res.parts) > mostProven:
		return nil, whyFrames
	case c.Moment.Torn || len(res.ended) != len(res.parts):
		return nil, whyChanged
	}
	for i := range c.Frames {
		if c.Frames[i].OutOfProcess {
			return nil, whyFrames
		}
	}
	slots := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if ChangesUnseen(n) {
			return nil, whyKind
		}
		if n.Tag == "slot" {
			slots++
		}
	}
	// What is in a closed shadow root that no reading has found shows nowhere. Were it scrolled, what its slots take
	// would lie elsewhere.
	if there, err := res.sources[0].session.Slots(ctx); err != nil || there != slots {
		return nil, whyKind
	}
	for k, part := range res.parts {
		switch state := part.cols.Doc.State; {
		case state == "" || state != res.ended[k].State:
			return nil, whyChanged
		case !stands(state):
			return nil, whyMoves
		case part.cols.Maybe >= mostHosts:
			return nil, whyKind // the next reading asks about more of them
		}
	}
	p = res.Listening()
	for k := range p.docs {
		p.docs[k].now = fmt.Sprintf("%s/%d", res.ended[k].State, res.ended[k].Remembered)
	}
	return p, ""
}

// Listening is a proof of nothing but [Proof.Listens].
func (res *Result) Listening() *Proof {
	p := &Proof{redactor: res.redactor}
	for _, part := range res.parts {
		p.docs = append(p.docs, docProof{source: res.sources[part.frame], pressed: part.got.pressed})
	}
	return p
}

// mostHosts is how many elements of one document are asked at most whether they have a closed shadow root, see
// js/closed.js.
const mostHosts = 2000

// stands reports whether nothing in the document moves on its own, and all of it is observed.
func stands(state string) bool { return strings.HasSuffix(state, " ! 0") }

// ChangesUnseen reports whether what a capture says of an element may change while no script can see it, nor the
// browser counts it: what is in a closed shadow root and what an element of the page's own kind says of itself, what
// plays, and what another program draws.
func ChangesUnseen(n *snapshot.Node) bool {
	switch n.Tag {
	case "video", "audio", "object", "embed", "applet", "marquee", "fencedframe", "portal", "webview",
		"animate", "animatetransform", "animateTransform", "animateMotion", "set", "discard":
		return true
	}
	return n.Shadow == "closed" || strings.Contains(n.Tag, "-") || n.Attrs["is"] != ""
}

// Redact has the console and the dialogs of a tab follow the rules of the reading.
func (p *Proof) Redact(tab *browser.Tab) { tab.Redact(p.redactor) }

// Holds asks every document whether it is as it was read; why is the reason where one is not, "" where all are. What
// the browser counts is to be asked for afterwards: it has worked out by then what it had put off.
func (p *Proof) Holds(ctx context.Context) (why string) { return p.each(ctx, docProof.holds) }

// Listens asks every document whether the same elements listen to being pressed, as [Proof.Holds] does.
func (p *Proof) Listens(ctx context.Context) (why string) { return p.each(ctx, docProof.listens) }

func (p *Proof) each(ctx context.Context, ask func(docProof, context.Context) string) (why string) {
	whys := make([]string, len(p.docs))
	var work sync.WaitGroup
	for k := range p.docs {
		work.Go(func() { whys[k] = ask(p.docs[k], ctx) })
	}
	work.Wait()
	return first(whys)
}

func (d docProof) holds(ctx context.Context) (why string) {
	now, err := d.eval(ctx, docNow)
	state, _, known := strings.Cut(now, "/")
	switch {
	case err != nil:
		return whyAsked
	case !known || !stands(state):
		return whyMoves
	case now != d.now:
		return whyChanged
	}
	return ""
}

func (d docProof) listens(ctx context.Context) (why string) {
	defer d.realm.Release(ctx)
	heard, err := d.realm.Listeners(ctx)
	if err != nil {
		return whyAsked
	}
	nodes, unheard, err := pressed(ctx, d.realm, heard)
	switch {
	case err != nil || unheard != nil:
		return whyAsked
	case !slices.Equal(nodes, d.pressed):
		return whyListeners
	}
	return ""
}

func first(whys []string) string {
	for _, why := range whys {
		if why != "" {
			return why
		}
	}
	return ""
}
