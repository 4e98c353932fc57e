package step

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/text"
)

// Context is what a failed step reports about the page (C-18, seed 16.3).
type Context struct {
	Title          string   `json:"title,omitempty"`
	URL            string   `json:"url,omitempty"`
	ScrollPosition *Scroll  `json:"scrollPosition,omitempty"`
	VisibleButtons []Offer  `json:"visibleButtons,omitempty"` // up to 8
	VisibleLinks   []Offer  `json:"visibleLinks,omitempty"`   // up to 5
	VisibleErrors  []string `json:"visibleErrors,omitempty"`  // up to 3
	NearMatches    []Offer  `json:"nearMatches,omitempty"`    // up to 5, best first
	// Candidates may be meant where the element of a ref is gone, best first, up to 5. None of them was acted on.
	Candidates []Offer `json:"candidates,omitempty"`
	// FailedRequests are the last 5 that failed since the command began (seed 17.4).
	FailedRequests []browser.FailedRequest `json:"failedRequests,omitempty"`
}

// Scroll is where the page is scrolled to, CSS px.
type Scroll struct {
	X        int `json:"x"`
	Y        int `json:"y"`
	MaxY     int `json:"maxY"`
	PercentY int `json:"percentY"`
}

// Offer is an element that may have been meant.
type Offer struct {
	Text     string `json:"text"`           // up to 50 characters
	Role     string `json:"role,omitempty"` // of a candidate
	Row      string `json:"row,omitempty"`  // which row of a table or item of a list it is in, up to 50 characters
	Href     string `json:"href,omitempty"`
	Selector string `json:"selector,omitempty"`
	Ref      string `json:"ref,omitempty"`
	Score    int    `json:"score,omitempty"` // 50 to 100, of a near match
}

// diagnose reads the page and reports what it offers; nil where it cannot be read.
func (r *Runner) diagnose(ctx context.Context, s *Step, failure error) *Context {
	requests := r.env.Page.Tab().FailedRequests(r.started)
	requests = requests[max(0, len(requests)-5):]
	c, err := r.env.Look(ctx)
	if err != nil {
		r.opt.Log.Debug("the page could not be read for the failure", "error", err)
		out := &Context{FailedRequests: requests}
		if info, err := r.env.Page.Tab().Info(ctx); err == nil { // of a page that could not be loaded too
			out.URL = text.Start(info.URL, 2000)
		}
		if out.URL == "" && len(requests) == 0 {
			return nil
		}
		return out
	}
	wanted := ""
	switch Subtype(failure) {
	case "ElementNotFoundError", "StaleElementError", string(domtool.NotFound):
		wanted = wantedText(s)
	}
	out := contextOf(c, wanted, r.env.Elements.Spell)
	out.FailedRequests = requests
	if e, ok := r.env.Elements.Ledger().Entry(lostRef(failure)); ok && c.ByRef(e.Ref) == nil {
		role, name := e.Now()
		short, t := css.NewShortest(c), snapshot.NewTree(c)
		for _, n := range element.Near(c, role, name, 5) {
			out.Candidates = append(out.Candidates, Offer{
				Text: text.Start(n.Name, 50), Role: n.Role, Row: text.Start(t.Row(n.I), 50), Selector: short.Of(n),
				Ref: r.env.Elements.Spell(n.Ref),
			})
		}
	}
	return out
}

// lostRef is the number of the element that is gone, 0 where the failure is another one.
func lostRef(failure error) int {
	var gone *collect.GoneError
	var stale *action.StaleError
	switch {
	case errors.As(failure, &gone):
		return gone.Identity.Ref
	case errors.As(failure, &stale):
		return stale.Ref
	}
	return 0
}

// contextOf is the context from a capture. wanted is what was looked for, "" where the
// failure was another one; spell writes a ref.
func contextOf(c *snapshot.Capture, wanted string, spell func(int) string) *Context {
	out := &Context{Title: c.Title, URL: c.URL, ScrollPosition: scrollOf(c)}
	t, short := snapshot.NewTree(c), css.NewShortest(c)
	words := func(i int) string {
		n := &c.Nodes[i]
		if n.Name != "" {
			return n.Name
		}
		return text.CollapseSpace(t.Text(i))
	}
	offer := func(i int) Offer {
		n := &c.Nodes[i]
		o := Offer{Text: text.Start(words(i), 50), Row: text.Start(t.Row(n.I), 50), Selector: short.Of(n)}
		if n.Ref > 0 {
			o.Ref = spell(n.Ref)
		}
		return o
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Visible || !n.Verdict.Rendered() {
			continue
		}
		switch {
		case n.Role == "button" && len(out.VisibleButtons) < 8 && n.InViewport:
			out.VisibleButtons = append(out.VisibleButtons, offer(i))
		case n.Role == "link" && len(out.VisibleLinks) < 5 && n.InViewport:
			o := offer(i)
			o.Selector, o.Href = "", text.Start(n.Attrs["href"], 100)
			out.VisibleLinks = append(out.VisibleLinks, o)
		case len(out.VisibleErrors) < 3 && isError(n):
			if s := text.Start(text.CollapseSpace(t.Text(i)), 200); s != "" && !slices.Contains(out.VisibleErrors, s) {
				out.VisibleErrors = append(out.VisibleErrors, s)
			}
		}
	}
	if wanted == "" {
		return out
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Visible || !n.Verdict.Kept() || !matchable(n) {
			continue
		}
		if score := element.Likeness(words(i), wanted); score > 0 {
			o := offer(i)
			o.Score = score
			out.NearMatches = append(out.NearMatches, o)
		}
	}
	slices.SortStableFunc(out.NearMatches, func(a, b Offer) int { return b.Score - a.Score })
	out.NearMatches = out.NearMatches[:min(5, len(out.NearMatches))]
	return out
}

func scrollOf(c *snapshot.Capture) *Scroll {
	s := &Scroll{X: int(math.Round(c.Scroll.X)), Y: int(math.Round(c.Scroll.Y)), MaxY: int(math.Round(c.Scroll.MaxY))}
	if s.MaxY > 0 {
		s.PercentY = min(100, int(math.Round(100*float64(s.Y)/float64(s.MaxY))))
	}
	return s
}

// isError reports whether a visible element shows an error or another message: by its role in the markup, which the
// result of a form (<output>) does not have, or by a class that the seed lists.
func isError(n *snapshot.Node) bool {
	switch strings.ToLower(strings.TrimSpace(n.Attr("role"))) {
	case "alert", "status":
		return true
	}
	for _, class := range strings.Fields(n.Attrs["class"]) {
		switch strings.ToLower(class) {
		case "error", "alert", "warning", "message", "toast", "notification":
			return true
		}
	}
	return false
}

// matchable are the kinds of elements among which a near match is looked for.
func matchable(n *snapshot.Node) bool {
	switch n.Tag {
	case "button", "a", "input", "textarea", "select":
		return true
	}
	switch n.Role {
	case "button", "link", "tab", "menuitem":
		return true
	}
	return false
}
