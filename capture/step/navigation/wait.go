package navigation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// WaitSteps is the step that waits (C-4; cli.md).
func WaitSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(wait, stepdef.StepDef{
			Name: "wait", Summary: "wait for a time, an element, a text, an address or the load",
			Also:  []string{"waitfor", "waitforselector", "waitfortimeout", "sleep"},
			Hooks: true, Waits: true,
			Acts: map[string]any{},
			Forms: []param.Form{
				{`300`, "a time in ms"}, {`{"ms":300}`, "the same"},
				{`"#done"`, "until an element that a CSS selector matches can be seen"},
				{`{"selector":"#done","timeout":5000}`, "the same; timeout in ms"},
				{`{"text":"Order sent"}`, "until a text can be read"},
				{`{"gone":"#spinner"}`, "until nothing that matches can be seen"},
				{`{"url":"/done"}`, "until the address holds this"},
				{`{"load":"networkidle"}`, "until domcontentloaded, load or networkidle"},
			},
		}),
	}
}

type waitParams struct {
	_        struct{} `want:"a time in ms, a selector, or an object"`
	MS       *float64 `json:"ms,omitempty" form:"number" min:"0" what:"a time in ms"`
	Selector string   `json:"selector,omitempty" finds:"css" form:"string" what:"until an element can be seen"`
	Text     string   `json:"text,omitempty" finds:"words" what:"until a text can be read"`
	Gone     string   `json:"gone,omitempty" finds:"css" what:"until nothing that a selector matches can be seen"`
	URL      string   `json:"url,omitempty" what:"until the address holds this"`
	_        struct{} `next:"" choices:"domcontentloaded,load,networkidle" fold:""`
	Load     string   `json:"load,omitempty" what:"until the page has come so far"`
	Timeout  float64  `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long at most; the step's"`

	what string // which one is given
}

// CheckParams refuses to wait for nothing, or for several things.
func (p *waitParams) CheckParams() error {
	names := []string{"ms", "selector", "text", "gone", "url", "load"}
	given := []bool{p.MS != nil, p.Selector != "", strings.TrimSpace(p.Text) != "", p.Gone != "",
		p.URL != "", p.Load != ""}
	if param.Count(given...) != 1 {
		return errors.New("give one of ms, selector, text, gone, url, load")
	}
	p.what = names[slices.Index(given, true)]
	for _, s := range []string{p.Selector, p.Gone} {
		if element.IsRef(s) {
			return fmt.Errorf("%q is a ref, and refs are of elements that are there: wait for a CSS selector or a text",
				s)
		}
	}
	return nil
}

// waited is the output of wait.
type waited struct {
	Waited  string `json:"waited"` // ms, selector, text, gone, url, load
	Elapsed int64  `json:"elapsed"`
	URL     string `json:"url,omitempty"`
}

func wait(ctx context.Context, e *stepdef.Env, p *waitParams) (any, error) {
	began := time.Now()
	in, cancel := stepdef.Within(ctx, p.Timeout)
	defer cancel()
	out := &waited{Waited: p.what}
	err := await(in, e, p, out)
	out.Elapsed = time.Since(began).Round(time.Millisecond).Milliseconds()
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, &stepdef.LateError{Text: fmt.Sprintf("%s within %d ms", p.missed(out.URL), out.Elapsed), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// withClosed is a look that reads the page where it finds nothing at first: a script sees closed shadow roots only once
// a reading has asked the browser for them; see element.Resolver.
func withClosed(e *stepdef.Env, look func(context.Context) (bool, error)) func(context.Context) (bool, error) {
	read := false
	return func(ctx context.Context) (bool, error) {
		found, err := look(ctx)
		if found || err != nil || read {
			return found, err
		}
		read = true
		if _, err := e.Look(ctx); err != nil {
			return false, nil // a page that cannot be read now is looked at again as it changes
		}
		return look(ctx)
	}
}

func await(ctx context.Context, e *stepdef.Env, p *waitParams, out *waited) (err error) {
	frame := e.Frame()
	until := func(holds func(context.Context) (bool, error)) error { return e.Page.Until(ctx, frame, holds) }
	switch {
	case p.MS != nil:
		return browser.Pause(ctx, stepdef.Milliseconds(*p.MS))
	case p.Selector != "":
		return until(withClosed(e,
			func(ctx context.Context) (bool, error) { return e.Page.Shows(ctx, frame, p.Selector) }))
	case p.Gone != "":
		shows := withClosed(e, func(ctx context.Context) (bool, error) { return e.Page.Shows(ctx, frame, p.Gone) })
		return until(func(ctx context.Context) (bool, error) {
			shown, err := shows(ctx)
			return !shown, err
		})
	case p.Text != "":
		return until(withClosed(e,
			func(ctx context.Context) (bool, error) { return e.Page.HasText(ctx, frame, p.Text) }))
	case p.URL != "":
		out.URL, err = e.Page.Address(ctx, func(url string) bool { return strings.Contains(url, p.URL) })
		return err
	}
	return e.Page.Loaded(ctx, browser.Until(p.Load))
}

// missed describes what did not appear.
func (p *waitParams) missed(url string) string {
	switch {
	case p.Selector != "":
		return fmt.Sprintf("no element that matches %q could be seen", p.Selector)
	case p.Gone != "":
		return fmt.Sprintf("an element that matches %q could still be seen", p.Gone)
	case p.Text != "":
		return fmt.Sprintf("the text %q could not be read", p.Text)
	case p.URL != "":
		return fmt.Sprintf("the address does not contain %q: it is %s", p.URL, url)
	case p.Load != "":
		return "the page did not reach " + p.Load
	}
	return "the time was not over"
}
