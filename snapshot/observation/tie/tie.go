// Package tie finds the element that each line of an agent's text is about.
//
// Start with [New], which makes a page ready, and [Page.Tie], which ties a text to it. The order of evidence: the
// agent's own id, where page or protocol holds it (ids.go); the whole list beside the page's own list (align.go,
// list.go); words, kind and neighbours (words.go); of a piece of text, the element that holds it (text.go). Each tie
// says by what.
//
// What must hold: nothing is guessed. A line has an element where the evidence rules out all else; else it has
// candidates, or nothing.
package tie

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
)

// Scores of a tie, by its evidence. There is none below: what is not certain is not tied.
const (
	ScoreOwn     = 1.0  // the agent's own id
	ScoreOurs    = 0.99 // the number of this session, which is no evidence for a page: pages are numbered alike
	ScoreOnly    = 0.95 // the only one of its words and kind
	scoreList    = 0.94 // its place in the whole list
	scoreNumber  = 0.92 // one of several, with the same number as well
	scoreOrder   = 0.9  // as many on the page as in the text, in the same order
	scoreBetween = 0.8  // the only one between the elements of the lines before and after
)

// Page is a capture made ready for lines to be tied.
type Page struct {
	c     *snapshot.Capture
	tree  *snapshot.Tree
	byKey map[string][]int // positions in c.Nodes, by the letters of what elements are called
	all   string           // letters of everything on the page, hidden or not
	text  func() string    // letters of its text in the order of the document, hidden or not, without spaces
}

// nameLimit bounds the text by which an element is called, in bytes.
const nameLimit = 400

// New makes a capture ready.
func New(c *snapshot.Capture) *Page {
	p := &Page{c: c, tree: snapshot.NewTree(c), byKey: map[string][]int{}}
	var all strings.Builder
	for i := range c.Nodes {
		n := &c.Nodes[i]
		for _, s := range []string{n.Text, n.Name, n.Value, n.Description, n.Attr("placeholder"), n.Attr("title"),
			n.Attr("alt"), n.Attr("aria-label")} {
			if s != "" {
				all.WriteString(text.Letters(s))
				all.WriteByte(' ')
			}
		}
		if !n.Numbered() && !n.Verdict.Kept() {
			continue
		}
		gathered := p.tree.Gather(n, snapshot.Gather{All: !n.Verdict.Rendered(), Controls: true, MaxBytes: nameLimit,
			MaxNodes: 200})
		for _, s := range []string{n.Name, n.Text, gathered, n.Value, n.Attr("placeholder"), n.Attr("title"),
			n.Attr("alt"), n.Attr("name"), n.Attr("aria-label"), fileOf(n.Attr("src"))} {
			key := text.Letters(text.StartBytes(s, nameLimit))
			if key != "" && !slices.Contains(p.byKey[key], i) {
				p.byKey[key] = append(p.byKey[key], i)
			}
		}
	}
	p.all = all.String()
	p.text = sync.OnceValue(func() string {
		if len(c.Nodes) == 0 {
			return ""
		}
		return unspaced(text.Letters(p.tree.Gather(&c.Nodes[0], snapshot.Gather{All: true, Controls: true})))
	})
	return p
}

func unspaced(s string) string { return strings.ReplaceAll(s, " ", "") }

// Tree is the capture's tree.
func (p *Page) Tree() *snapshot.Tree { return p.tree }

// Capture is what the page was made of.
func (p *Page) Capture() *snapshot.Capture { return p.c }

// Named are the positions of the elements that are called so, by letters and digits alone.
func (p *Page) Named(name string) []int { return p.byKey[text.Letters(name)] }

// Has reports whether the page has these words anywhere, drawn or not, in one element or in several that follow each
// other: an agent may make one name of these, with or without spaces.
func (p *Page) Has(name string) bool {
	key := text.Letters(name)
	return key == "" || len(p.byKey[key]) > 0 || strings.Contains(p.all, key) ||
		strings.Contains(p.text(), unspaced(key))
}

// Tie gives the lines of a text their elements.
func (p *Page) Tie(t *observation.Text) {
	for i := range t.Lines {
		l := &t.Lines[i]
		l.Node, l.Score, l.Why, l.Candidates, l.Gone, l.Was = -1, 0, "", nil, false, nil
	}
	held := p.byID(t) // what has no element is gone
	whole := held
	if p.partial() { // the words of what is left out may be those of what is there
		whole, held = true, true
	}
	switch {
	case whole:
	case t.Format == observation.DevTools:
		whole = p.align(t)
	case t.Format == observation.AgentBrowser: // it makes lines of its own for what the tree has no role for
		p.align(t)
	}
	if !whole && tagged(t) {
		p.byList(t)
	}
	if !whole && t.Format == observation.HTML {
		p.byMarkup(t)
	}
	if !whole && t.Located() {
		p.byLocator(t)
	}
	if !whole {
		p.byWords(t)
	}
	if !p.partial() {
		p.byText(t)
	}
	p.byControl(t)
	t.Matched = 0
	for _, l := range t.Lines {
		if l.Node >= 0 {
			t.Matched++
		}
	}
	if !held {
		p.goneByWords(t)
	}
}

// tagged reports whether a text prints the tags of what can be operated, in the order of the document.
func tagged(t *observation.Text) bool {
	return t.Format == observation.BrowserUse || t.Format == observation.AgentTARS
}

// byControl ties what the browser itself draws inside a control, such as the fields of a date and the buttons of a
// video, to that control: the page has no elements for it, and Chrome's accessibility tree has.
func (p *Page) byControl(t *observation.Text) {
	var around []int // the lines that the present one lies in
	for i := range t.Lines {
		l := &t.Lines[i]
		for len(around) > 0 && t.Lines[around[len(around)-1]].Depth >= l.Depth {
			around = around[:len(around)-1]
		}
		if l.Node < 0 && len(around) > 0 {
			outer := &t.Lines[around[len(around)-1]]
			if at := p.tree.Position(outer.Node); at >= 0 && drawsPart(&p.c.Nodes[at], l) {
				p.set(l, at, scoreBetween, drawn)
				l.Gone = false
			}
		}
		around = append(around, i)
	}
}

// drawn is why a line has the element that the browser draws its own one in.
const drawn = "a part of it that the browser draws"

// drawsPart reports whether what a line inside that of an element is about is drawn by the browser. The options of a
// list are the page's own.
func drawsPart(n *snapshot.Node, l *observation.Line) bool {
	return snapshot.DrawsParts(n.Tag) && (n.Tag != "select" || l.Role == "MenuListPopup")
}

// Recall gives those lines of a text whose elements are gone from a newer page the boxes that they had on this one, and
// returns what it gave.
func (p *Page) Recall(t *observation.Text) []observation.Was {
	isGone := func(l observation.Line) bool { return l.Gone && l.Was == nil && l.Ref != "" }
	if !slices.ContainsFunc(t.Lines, isGone) {
		return nil
	}
	var out []observation.Was
	own := t.Again()
	p.Tie(own)
	for i := range t.Lines {
		if at := p.tree.Position(own.Lines[i].Node); isGone(t.Lines[i]) && own.Lines[i].Node >= 0 && at >= 0 {
			if box := p.c.Nodes[at].Box; !box.Empty() {
				last := observation.Was{Ref: t.Lines[i].Ref, Box: box, At: p.c.TakenAt}
				t.Lines[i].Was = &last
				out = append(out, last)
			}
		}
	}
	return out
}

// partial reports whether only a few elements of the page are known, as in a recording that keeps those that were acted
// on.
func (p *Page) partial() bool {
	return slices.ContainsFunc(p.c.Failed, func(f snapshot.Failure) bool { return f.Layer == snapshot.LayerStructure })
}

// set ties line i to the node at a position.
func (p *Page) set(l *observation.Line, at int, score float64, why string) {
	l.Node, l.Score, l.Why, l.Candidates = p.c.Nodes[at].I, score, why, nil
}

// fileOf is the last part of an address, which formats print for a picture without words.
func fileOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address[strings.LastIndexByte(address, '/')+1:]
}

// Kind makes one word of the roles and tags that stand for the same; "" for those that stand for nothing in particular.
func Kind(role string) string {
	switch role = strings.ToLower(role); role {
	case "a", "lnk", "link":
		return "link"
	case "btn", "button", "submit", "reset", "summary":
		return "button"
	case "input", "textarea", "textbox", "searchbox", "inp", "txt", "text", "email", "password", "search", "tel", "url",
		"number", "spinbutton", "combobox", "select", "listbox", "sel", "checkbox", "radio", "chk", "rad", "switch",
		"slider", "range", "date", "time", "color", "file", "month", "week", "datetime-local", "inputtime", "datetime",
		"colorwell":
		return "field"
	case "h1", "h2", "h3", "h4", "h5", "h6", "heading", "hdg":
		return "heading"
	case "img", "image", "graphics":
		return "picture"
	}
	return ""
}

// KindOf is the kind of an element, by its role and else its tag.
func KindOf(n *snapshot.Node) string {
	if k := Kind(n.Role); k != "" {
		return k
	}
	return Kind(n.Tag)
}

func what(l *observation.Line) string {
	if k := Kind(l.Role); k != "" {
		return k
	}
	return "element"
}

func ordinal(k, of int, what string) string { return fmt.Sprintf("number %d of %d %s", k, of, what) }
