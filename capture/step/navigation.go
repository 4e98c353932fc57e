package step

import (
	"context"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step/param"
)

// navigationSteps are the steps that go to pages (C-4).
func navigationSteps() []StepDef {
	return []StepDef{
		define(goTo, StepDef{Name: "goto", Summary: "open an address in the tab", Acts: map[string]any{}, Forms: []param.Form{
			{`"https://example.com/"`, "an address"}, {`{"url":"https://example.com/","waitUntil":"networkidle"}`, "waiting for commit, domcontentloaded, load (default) or networkidle"},
		}}),
		define(travel((*browser.Tab).Back), StepDef{Name: "back", Summary: "go back in the tab's history", Acts: map[string]any{}, Forms: []param.Form{{`true`, "one page"}}}),
		define(travel((*browser.Tab).Forward), StepDef{Name: "forward", Summary: "go forward in the tab's history", Acts: map[string]any{}, Forms: []param.Form{{`true`, "one page"}}}),
		define(travel((*browser.Tab).Reload), StepDef{Name: "reload", Summary: "load the page again", Acts: map[string]any{}, Forms: []param.Form{{`true`, "as it is"}}}),
	}
}

// went is the output of a navigation.
type went struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// went is where a navigation led to. The page that has loaded gets a moment for what
// it asks for at once (seed 19.4).
func (r *Runner) went(ctx context.Context, settle bool) (*went, error) {
	r.frame = ""
	if settle {
		r.page.Settle(ctx)
	}
	info, err := r.page.Tab().Info(ctx)
	if err != nil {
		return nil, err
	}
	r.visited(info.URL)
	return &went{info.URL, info.Title}, nil
}

type gotoParams struct {
	URL       string    `json:"url" form:"string" required:"" what:"the address"`
	WaitUntil waitUntil `json:"waitUntil,omitempty" fold:"" what:"how far the page must have come; load"`
}

// waitUntil is how far a page must have come.
type waitUntil string

// Choices lists the values.
func (waitUntil) Choices() []string {
	var names []string
	for _, u := range browser.Untils() {
		names = append(names, string(u))
	}
	return names
}

func goTo(ctx context.Context, e *Env, p *gotoParams) (any, error) {
	until := browser.UntilLoad
	if p.WaitUntil != "" {
		until = browser.Until(p.WaitUntil)
	}
	if err := e.page.Tab().NavigateUntil(ctx, p.URL, until); err != nil {
		return nil, err
	}
	return e.went(ctx, until == browser.UntilLoad)
}

// onlyTrue are the parameters of a step that takes none.
type onlyTrue struct {
	_ struct{} `form:"true" want:"true"`
}

func travel(to func(*browser.Tab, context.Context) error) func(context.Context, *Env, *onlyTrue) (any, error) {
	return func(ctx context.Context, e *Env, _ *onlyTrue) (any, error) {
		if err := to(e.page.Tab(), ctx); err != nil {
			return nil, err
		}
		return e.went(ctx, true)
	}
}
