package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
)

// waitKinds is the step that waits (C-4; cli.md).
func waitKinds() []Kind {
	return []Kind{
		{Name: "wait", Summary: "wait for a time, an element, a text, an address or the load", Hooks: true, parse: parseWait, Forms: []Form{
			{`300`, "a time in ms"}, {`{"ms":300}`, "the same"},
			{`"#done"`, "until an element that a CSS selector matches can be seen"}, {`{"selector":"#done","timeout":5000}`, "the same; timeout in ms"},
			{`{"text":"Order sent"}`, "until a text can be read"}, {`{"gone":"#spinner"}`, "until nothing that matches can be seen"},
			{`{"url":"/done"}`, "until the address holds this"}, {`{"load":"networkidle"}`, "until domcontentloaded, load or networkidle"},
		}},
	}
}

type waitParams struct {
	MS       *float64 `json:"ms,omitempty"`
	Selector string   `json:"selector,omitempty"`
	Text     string   `json:"text,omitempty"`
	Gone     string   `json:"gone,omitempty"`
	URL      string   `json:"url,omitempty"` // part of the address
	Load     string   `json:"load,omitempty"`
	Timeout  float64  `json:"timeout,omitempty"` // ms; the step's if 0
}

// waited is the output of wait.
type waited struct {
	Waited  string `json:"waited"` // ms, selector, text, gone, url, load
	Elapsed int64  `json:"elapsed"`
	URL     string `json:"url,omitempty"`
}

// loads are what load can wait for.
var loads = []string{string(browser.UntilParsed), string(browser.UntilLoad), string(browser.UntilNetwork)}

func parseWait(raw json.RawMessage) (Work, error) {
	var p waitParams
	switch shape(raw) {
	case "number":
		p.MS = new(float64)
		if err := decode(raw, p.MS); err != nil {
			return nil, err
		}
	case "string":
		if err := decode(raw, &p.Selector); err != nil {
			return nil, err
		}
	case "object":
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	default:
		return nil, errShape(raw, "a time in ms, a selector, or an object")
	}
	var given []string
	for _, f := range []struct {
		name string
		is   bool
	}{{"ms", p.MS != nil}, {"selector", p.Selector != ""}, {"text", strings.TrimSpace(p.Text) != ""}, {"gone", p.Gone != ""}, {"url", p.URL != ""}, {"load", p.Load != ""}} {
		if f.is {
			given = append(given, f.name)
		}
	}
	switch {
	case len(given) != 1:
		return nil, errors.New("give one of ms, selector, text, gone, url, load")
	case p.MS != nil && *p.MS < 0:
		return nil, fmt.Errorf("ms: %g: want 0 or more", *p.MS)
	case p.Timeout < 0:
		return nil, fmt.Errorf("timeout: %g: want 0 ms or more", p.Timeout)
	}
	for _, s := range []string{p.Selector, p.Gone} {
		if element.IsRef(s) {
			return nil, fmt.Errorf("%q is a ref, and refs are of elements that are there: wait for a CSS selector or a text", s)
		}
	}
	if p.Load = strings.ToLower(p.Load); p.Load != "" && !slices.Contains(loads, p.Load) {
		return nil, fmt.Errorf("load: %w", unknown("state", p.Load, loads))
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.waitFor(ctx, &p, given[0]) }, nil
}

func (r *Runner) waitFor(ctx context.Context, p *waitParams, what string) (any, error) {
	began := time.Now()
	in, cancel := within(ctx, p.Timeout)
	defer cancel()
	out := &waited{Waited: what}
	err := r.awaitOne(in, p, out)
	out.Elapsed = time.Since(began).Milliseconds()
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s within %d ms: %w", p.missed(out.URL), out.Elapsed, err)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (r *Runner) awaitOne(ctx context.Context, p *waitParams, out *waited) (err error) {
	switch {
	case p.MS != nil:
		return pause(ctx, ms(*p.MS))
	case p.Selector != "":
		return r.page.Until(ctx, r.frame, func(ctx context.Context) (bool, error) { return r.page.Shows(ctx, r.frame, p.Selector) })
	case p.Gone != "":
		return r.page.Until(ctx, r.frame, func(ctx context.Context) (bool, error) {
			shown, err := r.page.Shows(ctx, r.frame, p.Gone)
			return !shown, err
		})
	case p.Text != "":
		return r.page.Until(ctx, r.frame, func(ctx context.Context) (bool, error) { return r.page.HasText(ctx, r.frame, p.Text) })
	case p.URL != "":
		out.URL, err = r.page.Address(ctx, func(url string) bool { return strings.Contains(url, p.URL) })
		return err
	}
	return r.page.Loaded(ctx, browser.Until(p.Load))
}

// missed says what did not come.
func (p *waitParams) missed(url string) string {
	switch {
	case p.Selector != "":
		return fmt.Sprintf("no element that matches %q could be seen", p.Selector)
	case p.Gone != "":
		return fmt.Sprintf("an element that matches %q could still be seen", p.Gone)
	case p.Text != "":
		return fmt.Sprintf("the text %q could not be read", p.Text)
	case p.URL != "":
		return fmt.Sprintf("the address did not come to hold %q: it is %s", p.URL, url)
	case p.Load != "":
		return "the page did not come to " + p.Load
	}
	return "the time was not over"
}
