package collect

import (
	"context"
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
	state    string // see [browser.Now]
	pressed  []int64
	elements string // see [elementsKnown]
}

// elementsKnown is how often the backendNodeIds of a document's elements were written down for readings to come: they
// are in the next capture then.
const elementsKnown = `'' + (globalThis.__refscope.remembered || 0)`

// Reasons why a reading is not given again, for [snapshot.Timings].
const (
	WhyChanged   = "page"      // its documents, what their fields hold, what has the focus, where they are scrolled to
	WhyMoves     = "moves"     // an animation runs, or something in it could not be observed
	WhyListeners = "listeners" // other elements listen to being pressed
	WhyKind      = "kind"      // it has what may change without a trace, see [changesUnseen]
	WhyFrames    = "frames"    // frames of other processes, or too many
	WhyFailed    = "failed"    // a part of it could not be read
	WhyAsked     = "asked"     // a part of it cannot be asked now
)

// mostProven is how many documents a reading has at most that is given again.
const mostProven = 20

// Proof is the proof of a reading with [Options.Proof], once its [Result.Moment] is known. Where there is none, why is
// the reason.
func (res *Result) Proof(ctx context.Context) (p *Proof, why string) {
	c := res.Capture
	switch {
	case len(c.Failed) > 0:
		return nil, WhyFailed
	case len(res.parts) > mostProven:
		return nil, WhyFrames
	case c.Moment.Torn || len(res.ended) != len(res.parts):
		return nil, WhyChanged
	}
	for i := range c.Frames {
		if f := &c.Frames[i]; f.OutOfProcess {
			return nil, WhyFrames
		}
	}
	for i := range c.Nodes {
		if changesUnseen(&c.Nodes[i]) {
			return nil, WhyKind
		}
	}
	p = &Proof{redactor: res.redactor, docs: make([]docProof, len(res.parts))}
	whys := make([]string, len(p.docs))
	var work sync.WaitGroup
	for k, part := range res.parts {
		d := &p.docs[k]
		*d = docProof{source: res.sources[part.frame], state: part.cols.Doc.State, pressed: part.got.pressed}
		switch {
		case d.state == "" || d.state != res.ended[k]:
			return nil, WhyChanged
		case !stands(d.state):
			return nil, WhyMoves
		case part.cols.Maybe >= mostHosts:
			return nil, WhyKind // the next reading asks about more of them
		}
		work.Go(func() {
			var err error
			if d.elements, err = d.eval(ctx, elementsKnown); err != nil {
				whys[k] = WhyAsked
			}
		})
	}
	work.Wait()
	return p, first(whys)
}

// mostHosts is how many elements of one document are asked at most whether they have a closed shadow root, see
// js/closed.js.
const mostHosts = 2000

// stands reports whether nothing in the document moves on its own, and all of it is observed.
func stands(state string) bool { return strings.HasSuffix(state, " ! 0") }

// changesUnseen reports whether what a capture says of an element may change while no script can see it, nor the
// browser counts it: what is in a closed shadow root and what an element of the page's own kind says of itself, what
// plays, what another program draws, and what readers are not given but may lie over the rest.
func changesUnseen(n *snapshot.Node) bool {
	switch n.Tag {
	case "video", "audio", "object", "embed", "applet", "marquee", "fencedframe", "portal", "webview",
		"animate", "animatetransform", "animateTransform", "animateMotion", "set", "discard":
		return true
	}
	return n.Shadow == "closed" || n.Verdict == snapshot.VerdictOptOut || strings.Contains(n.Tag, "-") || n.Attrs["is"] != ""
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
	now, err := d.eval(ctx, browser.Now+" + '/' + "+elementsKnown)
	if err != nil {
		return WhyAsked
	}
	end := strings.LastIndexByte(now, '/')
	switch {
	case end < 0 || !stands(now[:end]):
		return WhyMoves
	case now[:end] != d.state || now[end+1:] != d.elements:
		return WhyChanged
	}
	return ""
}

func (d docProof) listens(ctx context.Context) (why string) {
	defer d.realm.Release(context.WithoutCancel(ctx))
	heard, err := d.realm.Listeners(ctx)
	if err != nil {
		return WhyAsked
	}
	nodes, err := pressed(ctx, d.realm, heard)
	switch {
	case err != nil:
		return WhyAsked
	case !slices.Equal(nodes, d.pressed):
		return WhyListeners
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
