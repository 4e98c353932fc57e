package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"

	"github.com/refscope/refscope/capture/registry"
)

// tabKinds are the steps about browsers and tabs (seed 4 and 5).
func tabKinds() []Kind {
	return []Kind{
		{Name: "openTab", Summary: "open a new tab; the first step", First: true, parse: parseOpenTab, Forms: []Form{
			{`"https://example.com/"`, "with an address"}, {`true`, "an empty one"},
			{`{"url":"https://example.com/","port":9333,"headless":true}`, "in another browser; it is started where none answers there"},
		}},
		{Name: "connectTab", Summary: "go to a tab that is there; the first step", First: true, parse: parseConnectTab, Forms: []Form{
			{`"t1"`, "by alias"}, {`{"targetId":"0123456789ABCDEF0123456789ABCDEF"}`, "by the browser's id"}, {`{"url":"github\\.com","port":9222}`, "the first whose address matches a regular expression"},
		}},
		{Name: "closeTab", Summary: "close a tab", NoTab: true, parse: parseCloseTab, Forms: []Form{{`"t1"`, "by alias or target id"}, {`true`, "the tab of the command"}}},
		{Name: "listTabs", Summary: "list the tabs of a browser", NoTab: true, parse: parseListTabs, Forms: []Form{{`true`, "of the default browser"}, {`{"port":9333}`, "of another one"}}},
		{Name: "chromeStatus", Summary: "say whether a browser runs, and start one", NoTab: true, parse: parseStatus, Forms: []Form{
			{`true`, "the default browser"}, {`{"port":9333,"headless":true,"autoLaunch":false}`, "another one; autoLaunch:false only looks"},
		}},
	}
}

type openTabParams struct {
	URL string `json:"url,omitempty"`
	Place
}

// opened is the output of openTab and connectTab.
type opened struct {
	Tab      string `json:"tab"`
	TargetID string `json:"targetId"`
	URL      string `json:"url,omitempty"`
	Title    string `json:"title,omitempty"`
	Launched bool   `json:"launched,omitempty"`
}

// errNoHost is the error of a tab step where the tab was given from outside.
var errNoHost = errors.New("tabs cannot be opened or closed here: the tab was given")

func parseOpenTab(raw json.RawMessage) (Work, error) {
	var p openTabParams
	switch shape(raw) {
	case "bool":
		if string(raw) != "true" {
			return nil, errShape(raw, "true, an address or an object")
		}
	case "string":
		if err := decode(raw, &p.URL); err != nil {
			return nil, err
		}
	default:
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Host == nil {
			return nil, errNoHost
		}
		o, err := r.opt.Host.Open(ctx, p.Place)
		if err != nil {
			return nil, &Error{Type: TypeConnection, Err: err}
		}
		if err := r.enter(ctx, o); err != nil {
			return nil, err
		}
		out := &opened{Tab: o.Alias, TargetID: o.Tab.ID(), Launched: o.Launched}
		if p.URL == "" {
			return out, nil
		}
		if err := o.Tab.Navigate(ctx, p.URL); err != nil {
			return nil, fmt.Errorf("tab %s is open: %w", o.Alias, err)
		}
		w, err := r.went(ctx, true)
		if err != nil {
			return nil, err
		}
		out.URL, out.Title = w.URL, w.Title
		return out, nil
	}, p.Place.check()
}

type connectTabParams struct {
	Tab      string `json:"tab,omitempty"` // alias
	TargetID string `json:"targetId,omitempty"`
	URL      string `json:"url,omitempty"` // regular expression
	Place
}

func parseConnectTab(raw json.RawMessage) (Work, error) {
	var p connectTabParams
	if shape(raw) == "string" {
		if err := decode(raw, &p.Tab); err != nil {
			return nil, err
		}
		if registry.IsTarget(p.Tab) {
			p.Tab, p.TargetID = "", p.Tab
		}
	} else if err := decode(raw, &p); err != nil {
		return nil, err
	}
	w := Which{Alias: p.Tab, TargetID: p.TargetID, Place: p.Place}
	n := 0
	for _, s := range []string{p.Tab, p.TargetID, p.URL} {
		if s != "" {
			n++
		}
	}
	switch {
	case n != 1:
		return nil, errors.New("name the tab by one of its alias, targetId and url")
	case p.Tab != "" && !registry.IsAlias(p.Tab):
		return nil, fmt.Errorf("%q is no alias: they are t1, t2, …", p.Tab)
	}
	if p.URL != "" {
		re, err := regexp.Compile(p.URL)
		if err != nil {
			return nil, fmt.Errorf("url: %w", err)
		}
		w.URL = re
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Host == nil {
			return nil, errNoHost
		}
		o, err := r.opt.Host.Connect(ctx, w)
		if err != nil {
			return nil, &Error{Type: TypeConnection, Err: err}
		}
		if err := r.enter(ctx, o); err != nil {
			return nil, err
		}
		info, err := o.Tab.Info(ctx)
		if err != nil {
			return nil, err
		}
		r.visited(info.URL)
		return &opened{Tab: o.Alias, TargetID: o.Tab.ID(), URL: info.URL, Title: info.Title}, nil
	}, p.Place.check()
}

func parseCloseTab(raw json.RawMessage) (Work, error) {
	var p struct {
		Tab string `json:"tab"`
		Place
	}
	switch shape(raw) {
	case "bool":
		if string(raw) != "true" {
			return nil, errShape(raw, "true, an alias or an object")
		}
	case "string":
		if err := decode(raw, &p.Tab); err != nil {
			return nil, err
		}
		if p.Tab == "" {
			return nil, errors.New("name the tab by its alias or target id")
		}
	default:
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Host == nil {
			return nil, errNoHost
		}
		name := p.Tab
		if name == "" {
			if name = r.opt.Alias; name == "" {
				return nil, errors.New("the command has no tab: name the one to close")
			}
		}
		if err := r.opt.Host.CloseTab(ctx, name, p.Place); err != nil {
			return nil, &Error{Type: TypeConnection, Err: err}
		}
		if r.page != nil && (name == r.opt.Alias || name == r.page.Tab().ID()) {
			r.closed = true
		}
		return map[string]any{"closed": name}, nil
	}, p.Place.check()
}

func parseListTabs(raw json.RawMessage) (Work, error) {
	var p Place
	if string(raw) != "true" {
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Host == nil {
			return nil, errNoHost
		}
		list, err := r.opt.Host.List(ctx, p)
		if err != nil {
			return nil, &Error{Type: TypeConnection, Err: err}
		}
		return map[string]any{"count": len(list), "tabs": list}, nil
	}, p.check()
}

type statusParams struct {
	Place
	AutoLaunch *bool `json:"autoLaunch,omitempty"`
}

// Status is what chromeStatus says (seed 4).
type Status struct {
	Running    bool     `json:"running"`
	Launched   bool     `json:"launched,omitempty"`
	Version    string   `json:"version,omitempty"`
	Port       int      `json:"port,omitempty"`
	Tabs       []Listed `json:"tabs,omitempty"`
	CreatedTab bool     `json:"createdTab,omitempty"`
	Note       string   `json:"note,omitempty"`
	Error      string   `json:"error,omitempty"`
}

func parseStatus(raw json.RawMessage) (Work, error) {
	var p statusParams
	if string(raw) != "true" {
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if r.opt.Host == nil {
			return nil, errNoHost
		}
		return r.opt.Host.Status(ctx, p.Place, p.AutoLaunch == nil || *p.AutoLaunch), nil
	}, p.Place.check()
}

// Status says whether a browser runs, and starts one where none does and that is wanted.
// A browser without tabs gets an empty one. What cannot be done stands in Error.
func (h *Host) Status(ctx context.Context, p Place, launch bool) *Status {
	s := &Status{}
	address, err := h.address(ctx, p)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	if _, port, err := net.SplitHostPort(address); err == nil {
		s.Port, _ = strconv.Atoi(port)
	}
	if !launch && !h.answers(ctx, address) {
		s.Note = "no browser answers at " + address
		return s
	}
	b, launched, err := h.browser(ctx, address, p)
	if err != nil {
		s.Error = err.Error()
		return s
	}
	s.Running, s.Launched, s.Version = true, launched, b.Version()
	if launched {
		s.Note = "Chrome was not running at " + address + ". Started a new one on a profile of its own."
	}
	if s.Tabs, err = h.listed(ctx, address, b); err != nil {
		s.Error = err.Error()
		return s
	}
	if len(s.Tabs) == 0 {
		tab, err := b.OpenTab(ctx)
		if err != nil {
			s.Error = err.Error()
			return s
		}
		_ = tab.Detach(ctx) // it stays open
		s.CreatedTab, s.Note = true, "Chrome had no tabs open. Created new tab."
		if s.Tabs, err = h.listed(ctx, address, b); err != nil {
			s.Error = err.Error()
		}
	}
	return s
}
