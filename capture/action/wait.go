package action

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
)

// lookAgain is how long a wait relies on events alone: what a style sheet moves, or what
// happens in a shadow tree, fires none.
const lookAgain = 100 * time.Millisecond

// changeJS resolves at the next change of the document, but not before 10 ms have gone
// by, as changes come in heaps, and at the latest after MS.
const changeJS = `(() => new Promise((done) => {
	let over = false;
	const end = () => { if (over) return; over = true; seen.disconnect();
		scheduler.postTask(() => done(''), { delay: 10 }); };
	const seen = new MutationObserver(end);
	seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	scheduler.postTask(end, { delay: %d });
}))()`

// Until looks at a frame ("" for the main one) until the condition holds: now, and then
// whenever the document has changed. The error is the condition's own, or the context's
// where it ends first. A document that goes away is looked at again as the next one.
func (p *Page) Until(ctx context.Context, frame string, holds func(context.Context) (bool, error)) error {
	for {
		ok, err := holds(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && ok:
			return nil
		case err != nil && !gone(err):
			return err
		}
		realm, err := p.enter(ctx, frame)
		if err == nil {
			_, err = realm.Await(ctx, fmt.Sprintf(changeJS, lookAgain.Milliseconds()))
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !gone(err):
			return err
		}
	}
}

// Shows reports whether an element that a selector matches can be seen; see [Page.CSS].
func (p *Page) Shows(ctx context.Context, frame, selector string) (bool, error) {
	found, err := p.CSS(ctx, frame, selector, 20)
	if err != nil {
		return false, err
	}
	for _, el := range found {
		shown, err := p.shown(ctx, el)
		if err != nil && !gone(err) {
			return false, err
		}
		if shown {
			return true, nil
		}
	}
	return false, nil
}

// shown reports whether an element can be seen, wherever the page is scrolled to.
func (p *Page) shown(ctx context.Context, el collect.Element) (bool, error) {
	var s state
	err := call(ctx, el, stateJS, nil, &s)
	return err == nil && s.Hidden == "" && s.Faint == "", err
}

// hasTextJS reports whether a text can be read in the document or its shadow trees, as far as findJS knows them.
// Letter case and the amount of white space do not count.
const hasTextJS = `((text) => {
	const innerRoot = ` + innerRootJS + `;
	const plain = (s) => s.replace(/\s+/g, ' ').toLowerCase(), wanted = plain(text).trim(), roots = [document];
	while (roots.length > 0) {
		const root = roots.pop(), top = root === document ? [document.body] : [...root.children];
		for (const el of top) if (el && plain(el.textContent || '').includes(wanted.slice(0, 1)) &&
			plain(el.innerText || '').includes(wanted)) return 'yes';
		for (const el of root.querySelectorAll('*')) {
			const inner = innerRoot(el);
			if (inner) roots.push(inner);
		}
	}
	return '';
})(%s)`

// HasText reports whether a text can be read in a frame.
func (p *Page) HasText(ctx context.Context, frame, text string) (bool, error) {
	realm, err := p.enter(ctx, frame)
	if err != nil {
		return false, err
	}
	answer, err := realm.Eval(ctx, fmt.Sprintf(hasTextJS, quote(text)))
	return answer == "yes", err
}

// loaded reports whether the main document has come that far.
func (p *Page) loaded(ctx context.Context, until browser.Until) (bool, error) {
	realm, err := p.enter(ctx, "")
	if err != nil {
		return false, err
	}
	answer, err := realm.Eval(ctx, "document.readyState")
	return answer == "complete" || answer == "interactive" && until == browser.UntilParsed, err
}

// Loaded waits until the main document has come that far.
func (p *Page) Loaded(ctx context.Context, until browser.Until) error {
	life, stop := p.tab.Session().Subscribe(page.LifecycleEvent.Method)
	defer stop()
	for {
		ok, err := p.loaded(ctx, until)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !gone(err):
			return err
		case ok && until == browser.UntilNetwork:
			if !p.tab.NetworkQuiet(ctx.Done(), 500*time.Millisecond) {
				return ctx.Err()
			}
			return nil
		case ok:
			return nil
		}
		if err := p.next(ctx, life, nil); err != nil {
			return err
		}
	}
}

// Address waits until the tab's address is one that is wanted, and gives it.
func (p *Page) Address(ctx context.Context, wanted func(url string) bool) (string, error) {
	commits, stop := p.tab.Session().Subscribe(page.FrameNavigated.Method)
	defer stop()
	within, stopWithin := p.tab.Session().Subscribe(page.NavigatedWithinDocument.Method)
	defer stopWithin()
	for {
		info, err := p.tab.Info(ctx)
		switch {
		case err != nil:
			return "", err
		case wanted(info.URL):
			return info.URL, nil
		}
		if err := p.next(ctx, commits, within); err != nil {
			return info.URL, err
		}
	}
}

// next waits for one of the events, the tab's end, or a moment: the browser may have
// sent the event before anybody listened.
func (p *Page) next(ctx context.Context, a, b <-chan jsonv2.Value) error {
	t := time.NewTimer(lookAgain)
	defer t.Stop()
	select {
	case <-a:
	case <-b:
	case <-t.C:
	case <-p.tab.Session().Gone():
		return p.tab.Session().Err()
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Settle waits until no request has been in progress for 300 ms, at most 2 s. It is best effort and never an error
// (seed 19.4).
func (p *Page) Settle(ctx context.Context) {
	in, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	p.tab.NetworkQuiet(in.Done(), 300*time.Millisecond)
}

// WaitQuiet waits until the document of a frame has not changed for one time, and the tab has requested
// nothing for another. Quiet that has already been seen counts. The error of a
// page that does not become quiet is the context's.
func (p *Page) WaitQuiet(ctx context.Context, frame string, quiet, network time.Duration) error {
	for {
		realm, err := p.enter(ctx, frame)
		if err != nil {
			return err
		}
		text, err := realm.Eval(ctx,
			`JSON.stringify((globalThis.__refscope.flush(), performance.now() - globalThis.__refscope.last))`)
		if err != nil {
			if gone(err) && ctx.Err() == nil {
				continue // it went to another document
			}
			return err
		}
		var since float64
		if err := json.Unmarshal([]byte(text), &since); err != nil {
			return fmt.Errorf("asking when the page last changed: %w", err)
		}
		left := quiet - time.Duration(since*float64(time.Millisecond))
		if left <= 0 {
			if !p.tab.NetworkQuiet(ctx.Done(), network) {
				return ctx.Err()
			}
			return nil
		}
		t := time.NewTimer(left)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
}
