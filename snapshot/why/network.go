package why

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/network"
)

// What the page loaded explains elements that lack something: a picture or a frame whose address was answered with an
// error, and a list that is empty because what should fill it failed, or had not come yet.

// addressWidth is how much of an address a sentence repeats, in characters.
const addressWidth = 80

// Cause is a request that explains why an element lacks what it should show.
type Cause struct {
	Request *network.Request
	// Own: the element shows what was requested. Else it is empty, and Named reports that the address has a word of the
	// element's own: items of id="items" and /api/items.
	Own, Named bool
	Sentence   string
}

// Problems are the requests of a capture's page that went wrong, or were under way.
type Problems struct {
	c    *snapshot.Capture
	tree *snapshot.Tree
	list []*network.Request
}

// NewProblems finds the problems of a capture.
func NewProblems(c *snapshot.Capture, tree *snapshot.Tree) *Problems {
	p := &Problems{c: c, tree: tree}
	for _, q := range c.Network.Sorted(network.ByProblem) {
		if q.Problem() != "" && !q.Earlier && q.Type != "Preflight" {
			p.list = append(p.list, q)
		}
	}
	return p
}

// Causes are the requests that explain why the element shows nothing, or not what it should: first those that are about
// it for certain. At most three are named.
func (p *Problems) Causes(n *snapshot.Node) []Cause {
	c := p.c
	if len(p.list) == 0 || n.Frame < 0 || n.Frame >= len(c.Frames) {
		return nil
	}
	var out []Cause
	empty, checked := false, false
	for _, q := range p.list {
		problem := q.Problem()
		cause := Cause{Request: q, Own: shows(c, n, q)}
		switch {
		case cause.Own:
			cause.Sentence = fmt.Sprintf("Its content did not load: %s %s.", q.Name(c.URL, addressWidth), problem)
		case !fills(q) || q.Frame != "" && q.Frame != c.Frames[n.Frame].ID:
			continue
		default:
			if !checked {
				empty, checked = container(n) && isEmpty(p.tree, n), true
			}
			if !empty {
				continue
			}
			if cause.Named = named(n, q.URL); !cause.Named && !shown(n) {
				continue // it may be hidden for any reason
			}
			cause.Sentence = fmt.Sprintf("It is empty, and %s%s %s.", q.Name(c.URL, addressWidth), asker(c, q), problem)
			if cause.Named {
				cause.Sentence = fmt.Sprintf("It is empty because %s%s %s.", q.Name(c.URL, addressWidth),
					asker(c, q), problem)
			}
		}
		out = append(out, cause)
	}
	slices.SortStableFunc(out, func(a, b Cause) int { return cmp.Compare(a.weight(), b.weight()) })
	if len(out) > 0 && out[0].weight() == 0 { // it is known: what else failed has nothing to do with it
		out = slices.DeleteFunc(out, func(c Cause) bool { return c.weight() > 0 })
	}
	return out[:min(len(out), 3)]
}

func (c *Cause) weight() int {
	if c.Own || c.Named {
		return 0
	}
	return 1
}

// asker is the script that sent a request, in brackets.
func asker(c *snapshot.Capture, q *network.Request) string {
	if q.Initiator == nil || q.Initiator.Type != "script" || q.Initiator.URL == "" {
		return ""
	}
	from := network.Request{URL: q.Initiator.URL}
	at := strings.TrimSpace(from.Name(c.URL, addressWidth))
	if q.Initiator.Line > 0 {
		at += fmt.Sprintf(":%d", q.Initiator.Line)
	}
	return " (from " + at + ")"
}

// fills reports whether an answer to the request can be what a script fills elements with.
func fills(q *network.Request) bool {
	switch q.Type {
	case "XHR", "Fetch", "Script", "EventSource", "WebSocket":
		return true
	}
	return false
}

// shows reports whether the element is there to show what was requested: a picture, a frame, media.
func shows(c *snapshot.Capture, n *snapshot.Node, q *network.Request) bool {
	for _, f := range c.Frames[min(1, len(c.Frames)):] {
		if f.Owner == n.I && q.Type == "Document" && q.Frame == f.ID {
			return true
		}
	}
	switch n.Tag {
	case "img", "video", "audio", "source", "embed", "object", "input", "image":
	default:
		return false
	}
	src := cmp.Or(n.Attrs["src"], n.Attrs["data"], n.Attrs["href"])
	return src != "" && c.Resolve(n, src) == q.URL
}

// container reports whether elements of that kind are there to hold others.
func container(n *snapshot.Node) bool {
	if snapshot.IsFormControl(n.Tag) && n.Tag != "select" {
		return false
	}
	switch n.Tag {
	case "img", "svg", "canvas", "video", "audio", "iframe", "br", "hr", "script", "style", "link", "meta",
		"template", "head", "title":
		return false
	}
	return true
}

// isEmpty reports whether the element holds neither text nor anything that shows something. What is hidden inside an
// element that is shown does not count; inside a hidden element everything counts.
func isEmpty(tree *snapshot.Tree, n *snapshot.Node) bool {
	if n.Text != "" || n.Value != "" {
		return false
	}
	for child := range tree.Children(n.I) {
		switch {
		case shown(n) && !child.Verdict.Rendered(), child.Tag == "script", child.Tag == "style",
			child.Tag == "template":
		case !container(child), !isEmpty(tree, child):
			return false
		}
	}
	return true
}

// shown reports whether nothing hides the element; it may be empty.
func shown(n *snapshot.Node) bool {
	return n.Verdict.Rendered() || n.Verdict == snapshot.VerdictZeroBox
}

// named reports whether the path of an address has a word of the element's own id, class, name or label.
func named(n *snapshot.Node, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	own := words(n.Attrs["id"] + " " + n.Attrs["class"] + " " + n.Name + " " + n.Attrs["aria-label"])
	return slices.ContainsFunc(words(u.Path), func(w string) bool { return slices.Contains(own, w) })
}

// words are the words of an id, a label or a path that mean something, without the s of a plural.
func words(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		w = strings.TrimSuffix(w, "s")
		switch w {
		case "api", "json", "html", "page", "data", "get", "list", "index", "main", "app", "content",
			"container", "static":
			continue
		}
		if len(w) >= 3 {
			out = append(out, w)
		}
	}
	return out
}

// loaded are the facts about what the page loaded for the element.
func (e *Explainer) loaded(n *snapshot.Node) []Fact {
	var out []Fact
	for _, cause := range NewProblems(e.c, e.tree).Causes(n) {
		// Two requests for the same address that failed alike are one fact.
		if fact := (Fact{"network", cause.Sentence, -1}); !slices.Contains(out, fact) {
			out = append(out, fact)
		}
	}
	return out
}
