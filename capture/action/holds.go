package action

import (
	"context"
	"fmt"
)

// holdsJS says whether the document has a field with a text in it, or a meta tag that
// may carry a token. What the text is, it does not ask.
const holdsJS = `(() => {
	const roots = [document], fields = 'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=image],[type=file],[type=range],[type=color]),textarea';
	if (document.querySelector('meta[name*=token i],meta[name*=csrf i],meta[name*=xsrf i],meta[name*=nonce i],meta[name*=secret i],meta[name*=api i],meta[property*=token i],meta[property*=secret i],meta[property*=api i]')) return 'yes';
	while (roots.length > 0) {
		const root = roots.pop();
		for (const el of root.querySelectorAll(fields)) if (el.value || el.getAttribute('value')) return 'yes';
		for (const el of root.querySelectorAll('*')) {
			const inner = el.shadowRoot || (globalThis.__refscope.hosts && globalThis.__refscope.hosts.get(el));
			if (inner) roots.push(inner);
		}
	}
	return '';
})()`

// Holds reports whether anything in the page, in any of its frames, may be a value that
// must not leave it. Only the collector can say what it is; where there is nothing, it
// need not be asked.
func (p *Page) Holds(ctx context.Context) (bool, error) {
	frames, err := p.Frames(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range frames {
		answer, err := f.session.Eval(ctx, f.ID, holdsJS)
		switch {
		case err != nil && gone(err):
			continue
		case err != nil:
			return false, fmt.Errorf("asking frame %s for its fields: %w", f.ID, err)
		case answer == "yes":
			return true, nil
		}
	}
	return false, nil
}
