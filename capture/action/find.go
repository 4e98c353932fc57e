package action

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/collect"
)

// innerRootJS is the shadow root of an element: an open one, or a closed one that a reading has found.
const innerRootJS = `((el) => el.shadowRoot || (globalThis.__refscope.hosts && globalThis.__refscope.hosts.get(el)) ||
	null)`

// findJS returns the elements that a selector matches in the document, and then in its shadow trees, at most limit: the
// open ones, and the closed ones that a reading has found. " >>> " in a selector steps into the shadow root of what is
// on its left, as paths of captures do. A selector that the browser cannot read gives the length of its longest part
// that can be read, as a number.
const findJS = `((selector, limit) => {
	const innerRoot = ` + innerRootJS + `;
	const readable = (s) => { try { document.createDocumentFragment().querySelector(s); return true; }
		catch { return false; } };
	const parts = selector.split(' >>> ');
	let before = 0;
	for (const part of parts) {
		if (!readable(part)) {
			let n = part.length;
			while (n > 0 && !readable(part.slice(0, n))) n--;
			return [before + part.slice(0, n).trimEnd().length, n === 0];
		}
		before += part.length + 5;
	}
	if (parts.length > 1) {
		let at = [document];
		parts.forEach((part, i) => {
			const found = at.flatMap((root) => [...root.querySelectorAll(part)]);
			at = i < parts.length - 1 ? found.map(innerRoot).filter(Boolean) : found;
		});
		return at.slice(0, limit);
	}
	const out = [...document.querySelectorAll(selector)];
	const roots = [document];
	while (roots.length > 0 && out.length < limit) {
		const root = roots.pop();
		if (root !== document) out.push(...root.querySelectorAll(selector));
		for (const el of root.querySelectorAll('*')) {
			const inner = innerRoot(el);
			if (inner) roots.push(inner);
		}
	}
	return out.slice(0, limit);
})`

// CSS lists the elements that a selector matches in a frame and its open shadow trees,
// at most limit (1 to 10,000). A frame of "" is the main frame. A path of a capture
// (" >>> " into a shadow root, " |> " into a frame) is a selector too.
func (p *Page) CSS(ctx context.Context, frame, selector string, limit int) ([]collect.Element, error) {
	selector = strings.TrimSpace(selector)
	if selector == "" {
		return nil, Unreadable(selector)
	}
	parts := strings.Split(selector, " |> ")
	for _, part := range parts[:len(parts)-1] {
		owners, err := p.cssIn(ctx, frame, part, 1)
		if err != nil {
			return nil, err
		}
		if len(owners) == 0 {
			return nil, nil
		}
		if frame, err = p.FrameOf(ctx, owners[0]); err != nil {
			return nil, err
		}
	}
	return p.cssIn(ctx, frame, parts[len(parts)-1], min(max(limit, 1), 10000))
}

func (p *Page) cssIn(ctx context.Context, frame, selector string, limit int) ([]collect.Element, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return nil, err
	}
	call := fmt.Sprintf("%s(%s, %d)", findJS, quote(selector), limit)
	// The script returns a number, not a node, for what cannot be read; its text is fetched.
	facts, err := realm.Describe(ctx, call)
	if err != nil {
		return nil, fmt.Errorf("looking for %q: %w", selector, err)
	}
	if len(facts) == 2 && facts[0].Node == 0 && facts[1].Node == 0 {
		text, err := realm.Eval(ctx, "JSON.stringify("+call+")")
		if err != nil {
			return nil, err
		}
		var wrong [2]any
		if err := json.Unmarshal([]byte(text), &wrong); err != nil {
			return nil, fmt.Errorf("reading the selector %q: %w", selector, err)
		}
		if at, ok := wrong[0].(float64); ok && wrong[1] == false {
			return nil, &SelectorError{Selector: selector, Position: int(at)}
		}
		return nil, Unreadable(selector)
	}
	out := make([]collect.Element, 0, len(facts))
	for _, f := range facts {
		if f.Node != 0 {
			out = append(out, collect.Element{Realm: realm, Node: f.Node})
		}
	}
	return out, nil
}

// FrameOf is the id of the frame that an element shows. One that shows none is a
// [*NotFoundError].
func (p *Page) FrameOf(ctx context.Context, el collect.Element) (string, error) {
	if err := call(ctx, el, "(node) => { globalThis.__refscope.watched = node; return true; }", nil, nil); err != nil {
		return "", err
	}
	facts, err := el.Realm.Describe(ctx, "[globalThis.__refscope.watched]")
	if err != nil {
		return "", err
	}
	if len(facts) != 1 || facts[0].Frame == "" {
		return "", &NotFoundError{What: "frame in that element"}
	}
	return facts[0].Frame, nil
}

// AnyFrame is like [Page.CSS] over all frames: the given one, "" for the main one, and then the others in their
// order. The first that has a match returns its elements (seed 13.3).
func (p *Page) AnyFrame(ctx context.Context, frame, selector string, limit int) ([]collect.Element, error) {
	found, err := p.CSS(ctx, frame, selector, limit)
	if err != nil || len(found) > 0 {
		return found, err
	}
	frames, err := p.Frames(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range frames {
		found, err := p.cssIn(ctx, f.ID, selector, limit)
		if err != nil {
			if gone(err) {
				continue
			}
			return nil, err
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// Read reads the page as it is now. What it gives holds objects in the page until it is released.
func (p *Page) Read(ctx context.Context, o collect.Options) (*collect.Result, error) {
	return collect.Read(ctx, p.tab, o)
}

// At is what a click at a point of the tab's viewport would land on, in the innermost
// frame there; false where nothing is.
func (p *Page) At(ctx context.Context, x, y float64) (collect.Element, bool, error) {
	id, toRoot := p.tab.ID(), collect.Unmoved()
	var around collect.Element // the frame element that shows the document at hand
	for depth := 0; depth < 100; depth++ {
		realm, err := p.enter(ctx, id)
		if err != nil {
			return collect.Element{}, false, err
		}
		facts, err := realm.Describe(ctx, fmt.Sprintf(`((x, y) => {
			const innerRoot = `+innerRootJS+`;
			let hit = document.elementFromPoint(x, y);
			for (let root = hit && innerRoot(hit); root; root = innerRoot(hit)) { const h = root.elementFromPoint(x, y);
				if (!h || h === hit) break; hit = h; }
			return hit ? [hit] : [];
		})(%g, %g)`, x, y))
		if err != nil {
			return collect.Element{}, false, err
		}
		if len(facts) == 0 {
			return around, depth > 0, nil // the frame element's own border or padding
		}
		el := collect.Element{Realm: realm, Node: facts[0].Node}
		if facts[0].Frame == "" {
			return el, true, nil
		}
		inner, err := p.enter(ctx, facts[0].Frame)
		if err != nil {
			return el, true, nil // a frame that cannot be entered is itself the answer
		}
		at, err := collect.FrameTransform(ctx, el, inner, toRoot)
		if err != nil {
			return el, true, nil
		}
		x, y = at.Back(x, y)
		if toRoot = toRoot.Within(at); inner.Session() != realm.Session() {
			toRoot = collect.Unmoved()
		}
		id, around = facts[0].Frame, el
	}
	return collect.Element{}, false, nil
}
