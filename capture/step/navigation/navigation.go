package navigation

import (
	"context"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// Steps are the steps that go to pages (C-4).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(goTo, stepdef.StepDef{
			Name: "goto", Summary: "open an address in the tab",
			Also: []string{"navigate", "open", "visit"}, Acts: map[string]any{},
			Forms: []param.Form{
				{`"https://example.com/"`, "an address"},
				{`{"url":"https://example.com/","waitUntil":"networkidle"}`,
					"waiting for commit, domcontentloaded, load (default) or networkidle"},
			},
		}),
		stepdef.Define(travel((*browser.Tab).Back), stepdef.StepDef{
			Name: "back", Summary: "go back in the tab's history",
			Also: []string{"goback"}, Acts: map[string]any{},
			Forms: []param.Form{{`true`, "one page"}},
		}),
		stepdef.Define(travel((*browser.Tab).Forward), stepdef.StepDef{
			Name: "forward", Summary: "go forward in the tab's history",
			Also: []string{"goforward"}, Acts: map[string]any{},
			Forms: []param.Form{{`true`, "one page"}},
		}),
		stepdef.Define(travel((*browser.Tab).Reload), stepdef.StepDef{
			Name: "reload", Summary: "load the page again",
			Also: []string{"refresh"}, Acts: map[string]any{},
			Forms: []param.Form{{`true`, "as it is"}},
		}),
	}
}

// arrival is the output of a navigation.
type arrival struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// arrived is where a navigation led to. The page that has loaded gets a moment for what
// it asks for at once (seed 19.4), where nobody watches it.
func arrived(ctx context.Context, e *stepdef.Env, settle bool) (*arrival, error) {
	e.Elements.SwitchTo("")
	if settle && !e.Watched {
		e.Page.Settle(ctx)
	}
	info, err := e.Page.Tab().Info(ctx)
	if err != nil {
		return nil, err
	}
	e.Visit(info.URL)
	return &arrival{info.URL, info.Title}, nil
}

type gotoParams struct {
	URL       string        `json:"url" form:"string" required:"" what:"the address, or the path of an .html file"`
	WaitUntil browser.Until `json:"waitUntil,omitempty" fold:"" what:"how far the page must have come; load"`
	Timeout   float64       `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long at most; the step's"`
}

func goTo(ctx context.Context, e *stepdef.Env, p *gotoParams) (any, error) {
	until := browser.UntilLoad
	if p.WaitUntil != "" {
		until = p.WaitUntil
	}
	url, err := e.PageAddress(ctx, p.URL)
	if err != nil {
		return nil, err
	}
	in, cancel := stepdef.Within(ctx, p.Timeout)
	defer cancel()
	if err := e.Page.Tab().NavigateUntil(in, url, until); err != nil {
		return nil, err
	}
	return arrived(ctx, e, until == browser.UntilLoad)
}

func travel(to func(*browser.Tab, context.Context) error) func(context.Context, *stepdef.Env, *stepdef.OnlyTrue) (any,
	error) {
	return func(ctx context.Context, e *stepdef.Env, _ *stepdef.OnlyTrue) (any, error) {
		if err := to(e.Page.Tab(), ctx); err != nil {
			return nil, err
		}
		return arrived(ctx, e, true)
	}
}
