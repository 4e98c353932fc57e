package collect

import (
	"context"
	"fmt"
	"strconv"

	"github.com/refscope/refscope/capture/browser"
)

// maxRounds bounds how deep closed roots may lie within closed roots.
const maxRounds = 2000

// keepRoots takes closed roots into the world's registry and counts what in them may
// be a host in turn.
const keepRoots = `function(...roots) {
	const registry = globalThis.__refscope, maybe = [];
	const tags = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span|.*-.*)$/;
	const todo = [];
	for (const root of roots) {
		if (!root || !root.host) continue;
		registry.hosts.set(root.host, root);
		todo.push(root);
	}
	const look = (root) => {
		for (const el of root.querySelectorAll('*')) {
			if (el.shadowRoot) todo.push(el.shadowRoot);
			else if (tags.test(el.localName) && !registry.hosts.has(el)) maybe.push(el);
		}
	};
	while (todo.length > 0) look(todo.pop());
	registry.maybe = maybe;
	return String(maybe.length);
}`

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
