package navigation

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/tabs"
)

// TabSteps are the steps about browsers and tabs (seed 4 and 5).
func TabSteps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(openTab, stepdef.StepDef{
			Name: "openTab", Summary: "open a new tab; the first step",
			Also: []string{"newtab", "newpage"}, First: true, Acts: map[string]any{},
			Forms: []param.Form{
				{`"https://example.com/"`, "with an address, or the path of an .html file below --files DIR"},
				{`true`, "an empty one"},
				{`{"url":"https://example.com/","port":9333,"headless":true}`,
					"in another browser; it is started where none answers there"},
			},
		}),
		stepdef.Define(connectTab, stepdef.StepDef{
			Name: "connectTab", Summary: "go to a tab that is there; the first step",
			Also: []string{"switchtab", "usetab", "selecttab", "tab"}, First: true,
			Forms: []param.Form{
				{`"t1"`, "by alias"},
				{`{"targetId":"0123456789ABCDEF0123456789ABCDEF"}`, "by the browser's id"},
				{`{"url":"github\\.com","port":9222}`, "the first whose address matches a regular expression"},
			},
		}),
		stepdef.Define(closeTab, stepdef.StepDef{
			Name: "closeTab", Summary: "close a tab",
			Also: []string{"close"}, NoTab: true,
			Forms: []param.Form{{`"t1"`, "by alias or target id"}, {`true`, "the tab of the command"}},
		}),
		stepdef.Define(listTabs, stepdef.StepDef{
			Name: "listTabs", Summary: "list the tabs of a browser", NoTab: true,
			Forms: []param.Form{{`true`, "of the default browser"}, {`{"port":9333}`, "of another one"}},
		}),
		stepdef.Define(chromeStatus, stepdef.StepDef{
			Name: "chromeStatus", Summary: "say whether a browser runs, and start one", NoTab: true,
			Forms: []param.Form{
				{`true`, "the default browser"},
				{`{"port":9333,"headless":true,"autoLaunch":false}`, "another one; autoLaunch:false only looks"},
			},
		}),
	}
}

type openTabParams struct {
	_   struct{} `form:"true" want:"true, an address or an object"`
	URL string   `json:"url,omitempty" form:"string" what:"the address, or the path of an .html file"`
	tabs.Place
}

// opened is the output of openTab and connectTab.
type opened struct {
	Tab      string `json:"tab"`
	TargetID string `json:"targetId"`
	URL      string `json:"url,omitempty"`
	Title    string `json:"title,omitempty"`
	Launched bool   `json:"launched,omitempty"`
	// AttachedTo is the address of a browser that was not started from this home.
	AttachedTo string `json:"attachedTo,omitempty"`
}

// errNoHost is the error of a tab step where the tab was given from outside.
var errNoHost = errors.New("tabs cannot be opened or closed here: the tab was given")

func openTab(ctx context.Context, e *stepdef.Env, p *openTabParams) (any, error) {
	if e.Host == nil {
		return nil, errNoHost
	}
	url, err := e.PageAddress(ctx, p.URL)
	if err != nil {
		return nil, err
	}
	o, err := e.Host.Open(ctx, p.Place)
	if err != nil {
		return nil, err
	}
	if err := e.Enter(ctx, o); err != nil {
		return nil, err
	}
	out := &opened{Tab: o.Alias, TargetID: o.Tab.ID(), Launched: o.Launched, AttachedTo: o.AttachedTo(ctx)}
	if url == "" {
		return out, nil
	}
	collect.Prepare(o.Tab)
	if err := o.Tab.Navigate(ctx, url); err != nil {
		return nil, fmt.Errorf("tab %s is open: %w", o.Alias, err)
	}
	w, err := arrived(ctx, e, true)
	if err != nil {
		return nil, err
	}
	out.URL, out.Title = w.URL, w.Title
	return out, nil
}

type connectTabParams struct {
	Tab      string `json:"tab,omitempty" form:"string" what:"its alias"`
	TargetID string `json:"targetId,omitempty" what:"the browser's id of it"`
	URL      string `json:"url,omitempty" what:"the first whose address matches a regular expression"`
	tabs.Place

	pattern *regexp.Regexp
}

// CheckParams refuses what names no tab, or two.
func (p *connectTabParams) CheckParams() (err error) {
	if p.TargetID == "" && registry.IsTarget(p.Tab) {
		p.Tab, p.TargetID = "", p.Tab
	}
	switch {
	case param.Count(p.Tab != "", p.TargetID != "", p.URL != "") != 1:
		return errors.New("name the tab by one of its alias, targetId and url")
	case p.Tab != "" && !registry.IsAlias(p.Tab):
		return fmt.Errorf("%q is not an alias: they are t1, t2, …", p.Tab)
	case p.URL != "":
		if p.pattern, err = regexp.Compile(p.URL); err != nil {
			return fmt.Errorf("url: %w", err)
		}
	}
	return nil
}

func connectTab(ctx context.Context, e *stepdef.Env, p *connectTabParams) (any, error) {
	if e.Host == nil {
		return nil, errNoHost
	}
	o, err := e.Host.Connect(ctx, tabs.Selector{Alias: p.Tab, TargetID: p.TargetID, URL: p.pattern, Place: p.Place})
	if err != nil {
		return nil, err
	}
	if err := e.Enter(ctx, o); err != nil {
		return nil, err
	}
	info, err := o.Tab.Info(ctx)
	if err != nil {
		return nil, err
	}
	e.Visit(info.URL)
	return &opened{
		Tab: o.Alias, TargetID: o.Tab.ID(), URL: info.URL, Title: info.Title, AttachedTo: o.AttachedTo(ctx),
	}, nil
}

type closeTabParams struct {
	_   struct{} `form:"true" want:"true, an alias or an object"`
	Tab *string  `json:"tab" form:"string" what:"its alias or target id; the command's tab"`
	tabs.Place
}

// CheckParams refuses an empty name.
func (p *closeTabParams) CheckParams() error {
	if p.Tab != nil && *p.Tab == "" {
		return errors.New("name the tab by its alias or target id")
	}
	return nil
}

func closeTab(ctx context.Context, e *stepdef.Env, p *closeTabParams) (any, error) {
	if e.Host == nil {
		return nil, errNoHost
	}
	name := e.Alias
	param.Set(&name, p.Tab)
	if name == "" {
		return nil, errors.New("the command has no tab: name the one to close")
	}
	if err := e.Host.CloseTab(ctx, name, p.Place); err != nil {
		return nil, err
	}
	if e.Page != nil && (name == e.Alias || name == e.Page.Tab().ID()) {
		e.Closed = true
	}
	return map[string]any{"closed": name}, nil
}

type listTabsParams struct {
	_ struct{} `form:"true" want:"true or an object"`
	tabs.Place
}

func listTabs(ctx context.Context, e *stepdef.Env, p *listTabsParams) (any, error) {
	if e.Host == nil {
		return nil, errNoHost
	}
	list, err := e.Host.List(ctx, p.Place)
	if err != nil {
		return nil, err
	}
	return map[string]any{"count": len(list), "tabs": list}, nil
}

type statusParams struct {
	_ struct{} `form:"true" want:"true or an object"`
	tabs.Place
	AutoLaunch *bool `json:"autoLaunch,omitempty" what:"false: only look"`
}

func chromeStatus(ctx context.Context, e *stepdef.Env, p *statusParams) (any, error) {
	if e.Host == nil {
		return nil, errNoHost
	}
	return e.Host.Status(ctx, p.Place, p.AutoLaunch == nil || *p.AutoLaunch)
}
