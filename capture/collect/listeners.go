package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
)

// isPress reports whether the event is one that makes an element something to press.
func isPress(event string) bool {
	return event == "click" || event == "mousedown" || event == "pointerdown"
}

// placesOf gives the places, in the walk, of the nodes that it is called with; -1 for
// what is not in it, such as nodes of other frames.
const placesOf = `function(...nodes) {
	const index = globalThis.__refscope.shot.index;
	return JSON.stringify(nodes.map((n) => { const k = n ? index.get(n) : undefined; return k === undefined ? -1 : k; }));
}`

// frameworkNodes finds, in the page's own world, the elements that a library calls
// handlers of although their listener sits on a container: React (props with
// onClick), Svelte and Solid (a handler on the node). It only reads.
const frameworkNodes = `(() => {
	const found = [], roots = [document];
	let react;
	const looked = 400;
	while (roots.length > 0) {
		const all = roots.pop().querySelectorAll('*');
		for (let k = 0; k < all.length; k++) {
			const el = all[k];
			if (el.shadowRoot) roots.push(el.shadowRoot);
			if (react === undefined && k < looked) {
				const names = Object.keys(el);
				for (let j = 0; j < names.length; j++) {
					const name = names[j];
					if (name.length > 14 && (name.slice(0, 13) === '__reactProps$' || name.slice(0, 21) === '__reactEventHandlers$')) react = name;
				}
			}
			if (typeof el.__click === 'function' || typeof el.$$click === 'function' || typeof el.$$mousedown === 'function' || typeof el.$$pointerdown === 'function') { found[found.length] = el; continue; }
			if (react === undefined) continue;
			const props = el[react];
			if (props && (typeof props.onClick === 'function' || typeof props.onMouseDown === 'function' || typeof props.onPointerDown === 'function')) found[found.length] = el;
		}
	}
	return found;
})()`

// fewListeners is up to how many nodes are looked up one by one; more than that, and
// the browser describes the whole document at once.
const fewListeners = 1000

// manyTypes is how many listeners make an element the container of a library: React
// adds about 80 to its root.
const manyTypes = 20

// hear turns listeners into evidence: the nodes that have one of their own are found
// in the walk, named and hit tested where they are interactive only by it. A
// listener that serves what is inside its element is none of the element's.
func (r *reader) hear(ctx context.Context, realm *browser.Realm, cols *columns, heard []browser.Listener) error {
	var nodes []int64
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
		// What the page's own world refuses to say costs evidence, not the capture.
		facts, err := realm.DescribeInPage(ctx, frameworkNodes)
		if errors.Is(err, browser.ErrNavigated) {
			return err
		}
		for _, f := range facts {
			nodes = append(nodes, f.Node)
		}
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
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

// locate gives the places in the walk of those nodes that are in it. What it learns
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
