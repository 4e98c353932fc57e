package diff

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// Navigated reports whether two addresses are different pages: another origin, path
// or search. Another fragment alone is not a navigation; a path that a script pushed
// is. Where an address is missing or cannot be read, a navigation is assumed (seed
// "CDP-Skill" 14.3).
func Navigated(from, to string) bool {
	x, err1 := url.Parse(from)
	y, err2 := url.Parse(to)
	if from == "" || to == "" || err1 != nil || err2 != nil {
		return true
	}
	return origin(x) != origin(y) || x.Opaque != y.Opaque || slash(x) != slash(y) || x.RawQuery != y.RawQuery
}

// origin is scheme, host and port; a scheme's default port counts as none.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return strings.ToLower(u.Scheme) + "://" + host
}

// slash is the path, "/" for none, as browsers have it.
func slash(u *url.URL) string {
	if p := u.EscapedPath(); p != "" || u.Opaque != "" {
		return p
	}
	return "/"
}

// page lists the facts of the page that differ.
func (w *comparison) page() {
	a, b := w.a, w.b
	fact := func(what string, from, to any) {
		if from != to {
			w.Page = append(w.Page, Fact{what, from, to})
		}
	}
	fact("url", a.URL, b.URL)
	fact("title", a.Title, b.Title)
	fact("lang", a.Lang, b.Lang)
	if w.o.Move >= 0 {
		dx, dy := a.Scroll.X-b.Scroll.X, a.Scroll.Y-b.Scroll.Y
		if far(dx, dy, w.o.Move) {
			fact("scroll", [2]float64{a.Scroll.X, a.Scroll.Y}, [2]float64{b.Scroll.X, b.Scroll.Y})
		}
		if far(a.Scroll.MaxX-b.Scroll.MaxX, a.Scroll.MaxY-b.Scroll.MaxY, w.o.Move) {
			fact("scrollRange", [2]float64{a.Scroll.MaxX, a.Scroll.MaxY}, [2]float64{b.Scroll.MaxX, b.Scroll.MaxY})
		}
	}
	fact("viewport", [2]float64{a.Viewport.Width, a.Viewport.Height}, [2]float64{b.Viewport.Width, b.Viewport.Height})
	fact("type", a.Page.Type, b.Page.Type)
	fact("description", a.Page.Description, b.Page.Description)
	fact("formCount", a.Page.FormCount, b.Page.FormCount)
	fact("hasLoginForm", a.Page.HasLoginForm, b.Page.HasLoginForm)
	fact("hasCaptcha", a.Page.HasCaptcha, b.Page.HasCaptcha)
	fact("interactiveCount", a.Page.InteractiveCount, b.Page.InteractiveCount)
	fact("dialogs", len(a.Dialogs), len(b.Dialogs))
}

// overlays lists overlays that appeared, disappeared or changed. Two overlays
// are one where their outermost elements were paired.
func (w *comparison) overlays() {
	byNode := make(map[int]int, len(w.b.Page.Overlays)) // position in b → overlay
	for k, o := range w.b.Page.Overlays {
		if p := w.posB(o.Node); p >= 0 {
			byNode[p] = k
		}
	}
	found := make([]bool, len(w.b.Page.Overlays))
	for _, x := range w.a.Page.Overlays {
		k, ok := -1, false
		pos := w.posA(x.Node)
		if pos >= 0 && w.toB[pos] >= 0 {
			k, ok = byNode[w.toB[pos]]
		}
		if !ok || found[k] {
			w.Overlays = append(w.Overlays, OverlayChange{Kind: "removed", From: overlayName(x),
				Before: element(w.a.Node(x.Node))})
			continue
		}
		found[k] = true
		y := w.b.Page.Overlays[k]
		change := func(kind, from, to string) {
			if from != to {
				w.Overlays = append(w.Overlays, OverlayChange{kind, from, to, element(w.a.Node(x.Node)),
					element(w.b.Node(y.Node))})
			}
		}
		change("kind", x.Kind, y.Kind)
		change("title", x.Title, y.Title)
		if !w.samePress(x.Press, y.Press) {
			change("press", pressed(w.a, x.Press), pressed(w.b, y.Press))
		}
	}
	for k, y := range w.b.Page.Overlays {
		if !found[k] {
			w.Overlays = append(w.Overlays, OverlayChange{Kind: "added", To: overlayName(y),
				After: element(w.b.Node(y.Node))})
		}
	}
}

func overlayName(o snapshot.Overlay) string {
	return strings.TrimSpace(o.Kind + " " + o.Title)
}

// samePress reports whether both overlays go away by the same element.
func (w *comparison) samePress(x, y *int) bool {
	if x == nil || y == nil {
		return x == y
	}
	i := w.posA(*x)
	return i >= 0 && w.toB[i] >= 0 && w.b.Nodes[w.toB[i]].I == *y
}

// pressed names the element that an overlay goes away by.
func pressed(c *snapshot.Capture, i *int) string {
	if i == nil {
		return ""
	}
	n := c.Node(*i)
	if n == nil {
		return fmt.Sprintf("node %d", *i)
	}
	return strings.TrimSpace(fmt.Sprintf("[%d] %s", n.Ref, n.Name))
}
