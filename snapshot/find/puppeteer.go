package find

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/text"
)

// Puppeteer's selectors (its common/GetQueryHandler.ts and injected/TextQuerySelector.ts), as far as they are one of
//
//	selector = css | ( "text" | "aria" | "xpath" | "pierce" ) ( "/" | "=" ) body
//	         | [ css ] "::-p-" ( "text" | "aria" | "xpath" ) "(" body ")"     in each that css finds
//	         | css ">>>" css                                                 in each, through shadow roots; the last
//	                                                                         begins with the name of an element
//
// CSS is Chrome's own: it looks into no shadow root. Text counts with its case, in the innermost element that holds it,
// where of a host only the shadow root is looked into.

var (
	prefixed   = regexp.MustCompile(`(?s)^(text|aria|xpath|pierce)[/=](.+)$`)
	pseudo     = regexp.MustCompile(`(?s)^(.*)::-p-(text|aria|xpath)\((.+)\)$`)
	asElement  = regexp.MustCompile(`^[-\w*]`)
	ariaOption = regexp.MustCompile(`\[\s*(\w+)\s*=\s*(?:"((?:\\.|[^"])*)"|'((?:\\.|[^'])*)')\s*\]`)
)

// OfPuppeteer reports whether a selector is Puppeteer's and no other tool's.
func OfPuppeteer(s string) bool {
	m := prefixed.FindStringSubmatch(s)
	return m != nil && s[len(m[1])] == '/' || pseudo.MatchString(s)
}

// LocatePuppeteer lists the elements of the top document that a selector of Puppeteer's finds, in document order. One
// that is none of these is an error.
func LocatePuppeteer(c *snapshot.Capture, selector string) ([]*snapshot.Node, error) {
	l := NewLocating(c)
	found, err := l.ofPuppeteer(strings.TrimSpace(selector))
	if err == nil && l.unsure {
		err = ErrUnsure
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (l *Locating) ofPuppeteer(selector string) ([]*snapshot.Node, error) {
	outer, kind, body := "", "", ""
	if m := prefixed.FindStringSubmatch(selector); m != nil {
		kind, body = m[1], m[2]
	} else if m := pseudo.FindStringSubmatch(selector); m != nil {
		outer, kind, body = m[1], m[2], cmp.Or(bare(m[3]), m[3])
	} else if host, inside, deep := strings.Cut(selector, ">>>"); deep {
		hosts, err := l.Locate("css:light=" + host)
		if err != nil {
			return nil, err
		}
		inside = strings.TrimSpace(inside)
		if !asElement.MatchString(inside) { // it is tested on the host then, and on nothing inside
			return nil, fmt.Errorf("find: %s: behind >>> stands the name of an element", text.Cut(selector, 80))
		}
		return l.pierced(inside, func(n, below *snapshot.Node) bool {
			return slices.Contains(hosts, n) && (!l.hasRoot(n) || below.Shadow != n.Shadow)
		})
	} else {
		return l.Locate("css:light=" + selector)
	}
	var around []*snapshot.Node
	if strings.ContainsAny(outer, " ,") || strings.Contains(outer, ">>>") || strings.Contains(outer, "::-p-") {
		return nil, fmt.Errorf("find: %s: what stands before ::-p- is looked up where it is one element of CSS",
			text.Cut(selector, 80))
	} else if outer != "" {
		var err error
		if around, err = l.Locate("css:light=" + outer); err != nil || len(around) == 0 {
			return nil, err
		}
	}
	switch kind {
	case "text":
		return l.innermostText(around, outer == "", body), nil
	case "pierce":
		found, err := l.pierced(body, func(_, _ *snapshot.Node) bool { return true })
		return l.rootsFirst(found), err
	case "xpath":
		if outer == "" {
			return l.Locate("xpath=" + body)
		}
	case "aria":
		return l.byAria(around, outer == "", body)
	}
	return nil, fmt.Errorf("find: %s is not looked up on a captured page", text.Cut(selector, 80))
}

// bare is a text without the quotes around it; "" where there are none.
func bare(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		return unquoted(s)
	}
	return ""
}

// innermostText finds the elements whose text holds words, and in which none of those looked into does.
func (l *Locating) innermostText(around []*snapshot.Node, anywhere bool, words string) []*snapshot.Node {
	found := map[int]bool{}
	var look func(n *snapshot.Node) bool
	look = func(n *snapshot.Node) (has bool) {
		if l.unread(n) && n.Tag != "noscript" && !snapshot.IsFrame(n.Tag) {
			return false
		}
		for _, c := range l.inner[n.I] {
			if !l.hasRoot(n) || c.Shadow != n.Shadow {
				has = look(c) || has
			}
		}
		if has {
			return true
		}
		all := true
		for _, between := range []string{"", " ", "\n  "} { // it is looked for in the text as it is written
			is := strings.Contains(l.textContent(n, between), words)
			all, has = all && is, has || is
		}
		found[n.I] = has
		l.unsure = l.unsure || all != has || has && n.Tag == "select" // its value is none that a capture has
		return has
	}
	if anywhere {
		for _, n := range l.inner[document] {
			if n.Frame == 0 {
				look(n)
			}
		}
	}
	for _, n := range around {
		look(n)
	}
	return l.inOrder(func(n *snapshot.Node) bool { return found[n.I] })
}

// hasRoot reports whether an element has an open shadow root with elements in it.
func (l *Locating) hasRoot(n *snapshot.Node) bool {
	inner := l.inner[n.I]
	return len(inner) > 0 && inner[len(inner)-1].Shadow != n.Shadow
}

// textContent is the text in an element as Puppeteer puts it together, of fields what they hold, with what may stand
// between elements.
func (l *Locating) textContent(n *snapshot.Node, between string) string {
	kind := n.Attr("type")
	if n.Tag == "select" || n.Tag == "textarea" ||
		n.Tag == "input" && kind != "checkbox" && kind != "radio" && kind != "image" {
		return n.Value
	}
	var b strings.Builder
	l.write(&b, n, between)
	return b.String()
}

// inOrder lists elements of the top document that fit, in document order.
func (l *Locating) inOrder(fits func(*snapshot.Node) bool) (out []*snapshot.Node) {
	for i := range l.c.Nodes {
		if n := &l.c.Nodes[i]; n.Frame == 0 && fits(n) {
			out = append(out, n)
		}
	}
	return out
}

// pierced finds by CSS in each tree by itself, the document's and those of shadow roots, inside elements that
// are around: within is such a one, and below what is right inside it.
func (l *Locating) pierced(selector string, around func(within, below *snapshot.Node) bool) ([]*snapshot.Node, error) {
	sel, err := css.Parse(selector)
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	return l.inOrder(func(n *snapshot.Node) bool {
		below, up := n, l.css.Above(n)
		for up != nil && !around(up, below) {
			below, up = up, l.css.Above(up)
		}
		return up != nil && n.Shadow != "closed" && sel.Matches(l.light, n)
	}), nil
}

// rootsFirst sorts as a walk does that comes to what a shadow root holds before its host.
func (l *Locating) rootsFirst(found []*snapshot.Node) []*snapshot.Node {
	place := map[int]int{}
	var walk func(around *snapshot.Node)
	walk = func(around *snapshot.Node) {
		var own []*snapshot.Node
		for _, n := range l.inner[around.I] {
			if around.I == document || n.Shadow == around.Shadow {
				own = append(own, n)
				continue
			}
			walk(n)
			place[n.I] = len(place)
		}
		for _, n := range own {
			if !l.hasRoot(n) {
				place[n.I] = len(place)
			}
			walk(n)
			if l.hasRoot(n) {
				place[n.I] = len(place)
			}
		}
	}
	walk(&snapshot.Node{I: document})
	return slices.SortedStableFunc(slices.Values(found),
		func(a, b *snapshot.Node) int { return place[a.I] - place[b.I] })
}

// ownRoles are the types of fields to which Chrome gives roles and names of its own.
var ownRoles = map[string]bool{"color": true, "date": true, "datetime-local": true, "file": true, "month": true,
	"time": true, "week": true}

// byAria finds by the name and the role in Chrome's accessibility tree, in closed shadow roots too.
func (l *Locating) byAria(around []*snapshot.Node, anywhere bool, body string) ([]*snapshot.Node, error) {
	var role, named string
	hasName := false
	rest := ariaOption.ReplaceAllStringFunc(body, func(s string) string {
		switch m := ariaOption.FindStringSubmatch(s); m[1] {
		case "role":
			role = cmp.Or(m[2], m[3])
		case "name":
			named, hasName = cmp.Or(m[2], m[3]), true
		default:
			return s
		}
		return ""
	})
	if strings.Contains(rest, "[") {
		return nil, fmt.Errorf("find: %s: only [name=…] and [role=…] are known", text.Cut(body, 80))
	}
	if rest != "" && !hasName {
		named, hasName = rest, true
	}
	all := l.inOrder(func(n *snapshot.Node) bool {
		inside := anywhere
		for up := n; up != nil && !inside; up = l.css.Above(up) {
			inside = slices.Contains(around, up)
		}
		is := l.named(n)
		if n.AX != nil {
			is = roleAndName{n.AX.Role, n.AX.Name}
		}
		if is.role == "img" {
			is.role = "image"
		}
		fits := inside && is.role != "" && (role == "" || is.role == role) && (!hasName || is.name == named)
		l.unsure = l.unsure || fits && n.AX == nil && n.Tag == "input" && ownRoles[n.Attr("type")]
		return fits
	})
	l.unsure = l.unsure || len(all) == 0 &&
		!slices.ContainsFunc(l.c.Nodes, func(n snapshot.Node) bool { return n.AX != nil })
	return all, nil
}
