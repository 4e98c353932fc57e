package step

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/browser"
)

// navigationKinds are the steps that go to pages (C-4).
func navigationKinds() []Kind {
	return []Kind{
		{Name: "goto", Summary: "open an address in the tab", parse: parseGoto, Forms: []Form{
			{`"https://example.com/"`, "an address"}, {`{"url":"https://example.com/","waitUntil":"networkidle"}`, "waiting for commit, domcontentloaded, load (default) or networkidle"},
		}},
		{Name: "back", Summary: "go back in the tab's history", parse: parseTravel((*browser.Tab).Back), Forms: []Form{{`true`, "one page"}}},
		{Name: "forward", Summary: "go forward in the tab's history", parse: parseTravel((*browser.Tab).Forward), Forms: []Form{{`true`, "one page"}}},
		{Name: "reload", Summary: "load the page again", parse: parseTravel((*browser.Tab).Reload), Forms: []Form{{`true`, "as it is"}}},
	}
}

// went is the output of a navigation.
type went struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// went tells where a navigation led to. The page that has loaded gets a moment for what
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
	URL       string `json:"url"`
	WaitUntil string `json:"waitUntil,omitempty"`
}

func parseGoto(raw json.RawMessage) (Work, error) {
	var p gotoParams
	if shape(raw) == "string" {
		if err := decode(raw, &p.URL); err != nil {
			return nil, err
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if p.URL == "" {
		return nil, errors.New("url is missing")
	}
	until := browser.UntilLoad
	if p.WaitUntil != "" {
		until = browser.Until(strings.ToLower(p.WaitUntil))
		if !slices.Contains(browser.Untils(), until) {
			var names []string
			for _, u := range browser.Untils() {
				names = append(names, string(u))
			}
			return nil, unknown("waitUntil", p.WaitUntil, names)
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if err := r.page.Tab().NavigateUntil(ctx, p.URL, until); err != nil {
			return nil, err
		}
		return r.went(ctx, until == browser.UntilLoad)
	}, nil
}

func parseTravel(travel func(*browser.Tab, context.Context) error) func(json.RawMessage) (Work, error) {
	return func(raw json.RawMessage) (Work, error) {
		if string(raw) != "true" {
			return nil, errShape(raw, "true")
		}
		return func(ctx context.Context, r *Runner) (any, error) {
			if err := travel(r.page.Tab(), ctx); err != nil {
				return nil, err
			}
			return r.went(ctx, true)
		}, nil
	}
}
