package collect

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// isPress reports whether the event is one that makes an element something to press.
func isPress(event string) bool {
	return event == "click" || event == "mousedown" || event == "pointerdown"
}

// placesOf returns the places, in the walk, of the nodes that it is called with; -1 for
// what is not in it, such as nodes of other frames.
const placesOf = `function(...nodes) {
	const index = globalThis.__refscope.shot.index;
	return JSON.stringify(nodes.map((n) => {
		const k = n ? index.get(n) : undefined; return k === undefined ? -1 : k; }));
}`

// frameworkNodes finds, in the page's own world, the elements that a library calls
// handlers of although their listener sits on a container: React (props with
// onClick), Svelte and Solid (a handler on the node). It only reads.
//
//go:embed js/frameworks.js
var frameworkNodes string

// fewListeners is up to how many nodes are looked up one by one; more than that, and
// the browser describes the whole document at once.
const fewListeners = 1000

// manyTypes is how many listeners make an element the container of a library: React
// adds about 80 to its root.
const manyTypes = 20

// pressed are the nodes that listen to being pressed themselves, by a listener of their own or as a library has it:
// sorted, each once. A listener that serves what is inside its element is none of the element's. Where the page's own
// world does not say what libraries have, unheard is why.
func pressed(ctx context.Context, realm *browser.Realm, heard []browser.Listener) (nodes []int64, unheard, err error) {
	types := map[int64]int{}
	library := false
	for _, l := range heard {
		types[l.Node]++
	}
	for _, l := range heard {
		// A library listens on its container to everything there is.
		root := l.Node == realm.Node || types[l.Node] >= manyTypes
		if library = library || root && isPress(l.Type); isPress(l.Type) && l.Node != 0 && !root {
			nodes = append(nodes, l.Node)
		}
	}
	if library || len(nodes) > 0 {
		var facts []browser.NodeFacts
		facts, unheard = realm.DescribeInPage(ctx, frameworkNodes)
		if errors.Is(unheard, browser.ErrNavigated) {
			return nil, nil, unheard
		}
		for _, f := range facts {
			nodes = append(nodes, f.Node)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes), unheard, nil
}

// hear turns the nodes that are pressed into evidence: they are found in the walk, named and hit tested where they are
// interactive only by it.
func (r *reader) hear(ctx context.Context, realm *browser.Realm, cols *columns, nodes []int64) error {
	if len(nodes) == 0 {
		return nil
	}
	places, err := locate(ctx, realm, cols, nodes)
	if err != nil || len(places) == 0 {
		return err
	}
	arg, err := json.Marshal(places)
	if err != nil {
		return fmt.Errorf("encoding places: %w", err)
	}
	text, err := realm.Eval(ctx, "globalThis.__refscope.late("+string(arg)+")")
	if err != nil {
		return err
	}
	var answer lateColumns
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return fmt.Errorf("decoding evidence: %w", err)
	}
	cols.add(&answer, r.redactor)
	return nil
}

// locate returns the places in the walk of those nodes that are in it. What it learns
// of backendNodeIds on the way stays in the columns.
func locate(ctx context.Context, realm *browser.Realm, cols *columns, nodes []int64) ([]int, error) {
	var places []int
	if len(nodes) <= fewListeners {
		text, err := realm.Call(ctx, placesOf, nodes)
		if err != nil {
			return nil, err
		}
		var all []int
		if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) != len(nodes) {
			return nil, fmt.Errorf("decoding places: %q", strconv.Quote(text[:min(len(text), 40)]))
		}
		for j, k := range all {
			if k >= 0 && k < len(cols.Parent) {
				places = append(places, k)
				cols.learn(k, nodes[j])
			}
		}
		return places, nil
	}
	if err := identify(ctx, realm, cols, nil); err != nil {
		return nil, err
	}
	wanted := make(map[int64]bool, len(nodes))
	for _, n := range nodes {
		wanted[n] = true
	}
	for k, id := range cols.backend {
		if wanted[id] {
			places = append(places, k)
		}
	}
	slices.Sort(places)
	return places, nil
}

// maxRounds bounds how deep closed roots may lie within closed roots.
const maxRounds = 2000

// keepRoots takes closed roots into the world's registry and counts what in them may
// be a host in turn.
//
//go:embed js/keeproots.js
var keepRoots string

// closedRoots asks the browser for the closed shadow roots of the elements that the
// walk found likely to have one, and for those inside the roots found, and gives
// how many there were.
func closedRoots(ctx context.Context, realm *browser.Realm) (int, error) {
	found := 0
	for range maxRounds {
		facts, err := realm.Describe(ctx, "globalThis.__refscope.maybe || []")
		if err != nil {
			// What was not answered is to be asked again next time.
			_, _ = realm.Eval(ctx, "globalThis.__refscope.asked = new WeakMap(); ''")
			return found, err
		}
		var roots []int64
		for _, f := range facts {
			if f.ClosedRoot != 0 {
				roots = append(roots, f.ClosedRoot)
			}
		}
		if roots, err = realm.Pages(ctx, roots); err != nil {
			return found, err
		}
		if len(roots) == 0 {
			return found, nil
		}
		found += len(roots)
		text, err := realm.Call(ctx, keepRoots, roots)
		if err != nil {
			return found, err
		}
		if more, err := strconv.Atoi(text); err != nil || more == 0 {
			return found, err
		}
	}
	return found, fmt.Errorf("they lie more than %d deep", maxRounds)
}

// chunk is how many elements the browser describes in one call, so that the page
// runs in between.
const chunk = 1000

// learn notes an element's backendNodeId.
func (c *columns) learn(k int, id int64) {
	if c.backend == nil {
		c.backend = map[int]int64{}
	}
	c.backend[k] = id
}

// identify asks for the backendNodeIds of the elements at these places of the walk,
// of all where places is nil. The browser answers about the very objects that were
// walked, so an id can never be that of another element. About 10 to 35 µs each.
func identify(ctx context.Context, realm *browser.Realm, cols *columns, places []int) error {
	if places == nil {
		places = make([]int, len(cols.Parent))
		for k := range places {
			places[k] = k
		}
	}
	for at := 0; at < len(places); at += chunk {
		some := places[at:min(at+chunk, len(places))]
		list, err := json.Marshal(some)
		if err != nil {
			return fmt.Errorf("encoding places: %w", err)
		}
		facts, err := realm.Describe(ctx, "globalThis.__refscope.known("+string(list)+")")
		if err != nil {
			return err
		}
		for j, f := range facts {
			if j < len(some) && f.Node != 0 {
				cols.learn(some[j], f.Node)
			}
		}
	}
	return nil
}

// Identify gives every kept node its backendNodeId, the second identity. It is apart
// from Read because it costs the page's main thread about as much as the walk, and
// can run while the picture is made. A frame that is gone by now is a line in Failed.
// It must be called before Release.
func (res *Result) Identify(ctx context.Context) error {
	return res.identifyWhere(ctx, func(n *snapshot.Node) bool { return n.Verdict.Kept() })
}

// IdentifyEvery is [Result.Identify] for every node, kept or not: what agents list by it need not be what we keep.
func (res *Result) IdentifyEvery(ctx context.Context) error {
	return res.identifyWhere(ctx, func(*snapshot.Node) bool { return true })
}

func (res *Result) identifyWhere(ctx context.Context, wanted func(*snapshot.Node) bool) error {
	for _, p := range res.parts {
		if err := res.identifyPart(ctx, p, wanted); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("asking for backendNodeIds: %w", ctx.Err())
			}
			why := "backendNodeIds could not be asked for: " + why(err)
			if errors.Is(err, browser.ErrNavigated) {
				why = "backendNodeIds could not be asked for: the frame went to another document"
			}
			res.Capture.Failed = append(res.Capture.Failed, snapshot.Failure{Layer: "backend",
				Frame: p.frame, Why: why})
		}
	}
	return nil
}

func (res *Result) identifyPart(ctx context.Context, p *part, wanted func(*snapshot.Node) bool) error {
	if p.realm == nil {
		return nil
	}
	var places []int
	for k, id := range p.ids {
		if n := &res.Capture.Nodes[id]; wanted(n) && p.cols.backend[k] == 0 {
			places = append(places, k)
		}
	}
	err := identify(ctx, p.realm, p.cols, append([]int{}, places...))
	for k, id := range p.cols.backend {
		if k < len(p.ids) {
			res.Capture.Nodes[p.ids[k]].BackendNodeID = id
		}
	}
	if len(places) == 0 || err != nil {
		return err
	}
	// The registry remembers them, so that the next capture asks about newcomers only.
	ids := make([]int64, len(places))
	for j, k := range places {
		ids[j] = p.cols.backend[k]
	}
	arg, err := json.Marshal([]any{places, ids})
	if err != nil {
		return fmt.Errorf("encoding ids: %w", err)
	}
	_, err = p.realm.Eval(ctx, "globalThis.__refscope.remember("+string(arg)+")")
	return err
}
