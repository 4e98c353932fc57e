package importer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// document is one document of a page at one moment.
type document struct {
	frame  string // the frame's id
	loader string // which document of the frame it is
	url    string
	root   *dom
}

// page is the source that a capture is composed from.
type page struct {
	main     document
	children []document
	target   string        // the call whose element is marked, "" for none
	box      *snapshot.Box // of that element, CSS px of the main viewport
	ref      string        // by which an agent named that element to Playwright's server of tools; "" for none
}

// notDrawn is the explanation where layout would have to be known.
const notDrawn = "whether it is drawn is not known"

// composer makes the flat list of nodes from the trees of a page: the composed tree, in
// document order, each element with its one verdict.
type composer struct {
	c     *snapshot.Capture
	s     *sealer
	p     page
	doms  []*dom // by node index
	hides []hidden
	work  int // how many more children, attributes and bytes of text may be looked at
	over  bool
	taken []bool // by index in p.children: an element shows it
}

// hidden is why an element is not shown; the zero value where nothing hides it.
type hidden struct {
	verdict snapshot.Verdict
	why     string
}

// layerPlace is the position of an element.
type layerPlace struct {
	parent, frame int
	shadow        string
	up            *dom
	hide          hidden
	scope         *scope
	slots         map[string][]*dom // what the shadow tree's slots get, by name
	depth, nth    int
	offset        [2]float64  // of the frame in the main viewport, CSS px
	outer         *layerPlace // of the shadow root's host
}

// composeWork bounds the cost of a page whose parts are referred to many times over.
const composeWork = 64 << 20

// compose fills the capture's frames, nodes and facts.
func compose(c *snapshot.Capture, s *sealer, p page) {
	k := &composer{c: c, s: s, p: p, work: composeWork, taken: make([]bool, len(p.children))}
	c.Frames = []snapshot.Frame{{ID: p.main.frame, Parent: -1, Owner: -1, URL: s.text(cut(p.main.url, 8<<10)),
		Loader: p.main.loader, Readable: true}}
	k.document(p.main.root, layerPlace{parent: -1})
	k.assignVerdicts()
	k.facts()
	c.Failed = append(c.Failed, snapshot.Failure{Layer: "layout",
		Why: "the file keeps no boxes and no styles: what its markup does not hide is taken to be drawn and in the " +
			"viewport"})
	if k.over {
		c.Failed = append(c.Failed, snapshot.Failure{Layer: snapshot.LayerWalk,
			Why: fmt.Sprintf("the page has more than the %d elements, %d levels or the text that are read: the rest "+
				"is left out",
				maxNodes, maxDepth)})
	}
}

// document walks one document's tree.
func (k *composer) document(root *dom, at layerPlace) {
	if root == nil {
		return
	}
	limit := min(k.work, maxStored)
	at.scope = newScope(root, limit)
	k.work -= min(limit, 4*len(at.scope.ids))
	at.nth = 1
	k.element(root, at)
}

// spend takes from the budget, and reports whether something is left.
func (k *composer) spend(n int) bool {
	if k.work -= n; k.work < 0 {
		k.over = true
	}
	return !k.over
}

func (k *composer) element(d *dom, at layerPlace) {
	if len(k.c.Nodes) >= maxNodes || at.depth > maxDepth {
		k.over = true
	}
	if k.over || !k.spend(1+8*len(d.attrs)) {
		return
	}
	i := len(k.c.Nodes)
	k.c.Nodes = append(k.c.Nodes, snapshot.Node{I: i, Parent: at.parent, Frame: at.frame, Shadow: at.shadow,
		Tag: cut(d.tag, 100), UID: d.uid, Block: block(d.tag)})
	k.doms = append(k.doms, d)
	hide, own := at.hide, at.hide.verdict == ""
	if own {
		hide = hiddenByMarkup(d)
	}
	k.hides = append(k.hides, hide)
	k.describe(i, d, at, hide)
	if n := &k.c.Nodes[i]; n.Path == "" {
		n.Path = k.path(d, at)
	}
	if own && hide.why != "" { // what is in it says where that comes from
		hide.why += fmt.Sprintf(" on %s (node %d)", plainTag(d.tag), i)
	}
	k.descend(i, d, at, hide)
}

// plainTag is a tag as evidence may have it: a page can register any name.
func plainTag(tag string) string {
	for _, r := range tag {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return "element"
		}
	}
	return cut(tag, 40)
}

// path is a CSS path to the element, "" where it would be longer than 1,000 bytes.
func (k *composer) path(d *dom, at layerPlace) string {
	part := d.tag
	if at.nth > 1 || at.parent >= 0 && d.tag != "html" {
		part = fmt.Sprintf("%s:nth-child(%d)", d.tag, at.nth)
	}
	if at.parent < 0 {
		return part
	}
	up, join := &k.c.Nodes[at.parent], " > "
	if up.Path == "" || len(up.Path)+len(part) > 1_000 || plainTag(d.tag) != d.tag {
		return ""
	}
	switch {
	case up.Frame != at.frame:
		join = " |> "
	case up.Shadow != at.shadow && at.shadow != "":
		join = " >>> "
	}
	return up.Path + join + part
}

// descend adds what is in an element, in the order of the composed tree.
func (k *composer) descend(i int, d *dom, at layerPlace, hide hidden) {
	in := layerPlace{parent: i, frame: at.frame, shadow: at.shadow, up: d, hide: hide, scope: at.scope, slots: at.slots,
		depth: at.depth + 1, offset: at.offset, outer: at.outer}
	root := d.shadowRoot()
	switch {
	case snapshot.IsFrame(d.tag):
		k.frame(i, d, at, hide)
		return
	case root != nil:
		light := map[string][]*dom{}
		for _, kid := range d.kids {
			if kid != root && (kid.tag != "" || strings.TrimSpace(kid.text) != "") {
				light[kid.attr("slot")] = append(light[kid.attr("slot")], kid)
			}
		}
		in.shadow, in.slots, in.outer = "open", light, &at
		limit := min(k.work, maxStored)
		in.scope = newScope(root, limit)
		k.work -= min(limit, 4*len(in.scope.ids))
		k.kids(i, root.kids, in)
		// What no slot took is not rendered, and has a verdict anyway.
		out := at
		out.parent, out.up, out.depth = i, d, at.depth+1
		if hide.verdict == "" {
			out.hide = hidden{snapshot.VerdictDisplayNone, fmt.Sprintf("no slot of %s (node %d) takes it",
				plainTag(d.tag), i)}
		}
		for _, name := range slices.Sorted(maps.Keys(light)) {
			for n, kid := range light[name] {
				if kid.tag != "" {
					out.nth = n + 1
					k.element(kid, out)
				}
			}
		}
		return
	case d.tag == "slot" && at.slots != nil && at.outer != nil:
		if taken := at.slots[d.attr("name")]; len(taken) > 0 {
			delete(at.slots, d.attr("name"))
			out := *at.outer
			out.parent, out.depth, out.hide = i, at.depth+1, hide
			k.kids(i, taken, out)
			return
		}
	case d.tag == "details" && !d.has("open") && hide.verdict == "":
		in.hide = hidden{snapshot.VerdictContentHidden, fmt.Sprintf("the details around it are closed (node %d)", i)}
		for n, kid := range d.kids {
			if kid.tag == "summary" {
				first := in
				first.hide, first.nth = hide, n+1
				k.element(kid, first)
				rest := slices.Clone(d.kids)
				k.kids(i, slices.Delete(rest, n, n+1), in)
				return
			}
		}
	}
	k.kids(i, d.kids, in)
}

// kids adds children and the texts between them.
func (k *composer) kids(i int, kids []*dom, in layerPlace) {
	tag := in.up.tag
	if i >= 0 {
		tag = k.c.Nodes[i].Tag
	}
	textless := false
	switch tag {
	case "script", "style", "noscript", "template", "textarea", "svg", "canvas":
		textless = true
	}
	raw := tag == "pre"
	var pending strings.Builder
	var runs []snapshot.Run
	startsLine := block(tag)
	flush := func(before int, endsLine bool) {
		t := pending.String()
		pending.Reset()
		if textless || t == "" {
			return
		}
		if !raw {
			t = collapse(t)
			if startsLine {
				t = strings.TrimPrefix(t, " ")
			}
			if endsLine {
				t = strings.TrimSuffix(t, " ")
			}
		}
		if t == "" {
			return
		}
		clean := k.s.text(t)
		if clean != t {
			k.withheld(i, "text")
		}
		runs = append(runs, snapshot.Run{Text: clean, Before: before})
		startsLine = false
	}
	nth := 0
	for _, kid := range kids {
		if !k.spend(1 + len(kid.text)) {
			break
		}
		if kid.tag == "" {
			pending.WriteString(kid.text)
			continue
		}
		if kid.tag == "template" && kid.has(pwShadow) {
			continue
		}
		nth++
		next := len(k.c.Nodes)
		flush(next, block(kid.tag))
		startsLine = block(kid.tag)
		in.nth = nth
		k.element(kid, in)
		if len(k.c.Nodes) == next && len(runs) > 0 && runs[len(runs)-1].Before == next {
			runs[len(runs)-1].Before = -1 // over the limit: the child is not there
		}
	}
	flush(-1, block(tag))
	n := &k.c.Nodes[i]
	n.Runs = append(n.Runs, runs...)
	var all strings.Builder
	for _, r := range n.Runs {
		all.WriteString(r.Text)
	}
	n.Text = all.String()
	if !raw {
		n.Text = squash(n.Text)
	}
}

// squash collapses white space as CSS does, with none at the ends. Other spaces, such as
// no-break and ideographic ones, stay.
func squash(s string) string { return strings.Trim(collapse(s), " ") }

// collapse makes each stretch of white space one space, as CSS does in normal text.
func collapse(s string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch r {
		case ' ', '\t', '\n', '\r', '\f':
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// frame adds the document that a frame element shows, or why it cannot.
func (k *composer) frame(i int, d *dom, at layerPlace, hide hidden) {
	f := snapshot.Frame{Parent: at.frame, Owner: i, Offset: at.offset}
	n := &k.c.Nodes[i]
	if !n.Box.Empty() {
		f.Offset = [2]float64{n.Box.X(), n.Box.Y()}
	}
	shown := -1
	for j, doc := range k.p.children {
		if !k.taken[j] && doc.frame != "" && doc.frame == frameShown(d) {
			shown = j
			break
		}
	}
	if shown < 0 {
		shown = k.onlyOne()
	}
	fi := len(k.c.Frames)
	if shown < 0 {
		f.ID, f.Why = fmt.Sprintf("unknown-%d", fi), "the trace has no snapshot of it from this moment"
		k.c.Frames = append(k.c.Frames, f)
		return
	}
	k.taken[shown] = true
	doc := k.p.children[shown]
	f.ID, f.Loader, f.URL, f.Readable = doc.frame, doc.loader, k.s.text(cut(doc.url, 8<<10)), true
	k.c.Frames = append(k.c.Frames, f)
	k.document(doc.root, layerPlace{parent: i, frame: fi, up: d, hide: hide, depth: at.depth + 1, offset: f.Offset})
}

// frameShown is the id of the frame that an element shows, "" where it is not noted.
func frameShown(d *dom) string {
	for _, name := range []string{pwSource, "src"} {
		if id, ok := strings.CutPrefix(d.attr(name), "/snapshot/"); ok {
			return id
		}
	}
	return ""
}

// onlyOne is the only child document where the page has one frame element and one child
// document: an early snapshot does not yet contain which frame an element shows.
func (k *composer) onlyOne() int {
	if len(k.p.children) != 1 || k.taken[0] {
		return -1
	}
	frames, left := 0, maxNodes
	var count func(d *dom, depth int)
	count = func(d *dom, depth int) {
		if left--; left < 0 || depth > maxDepth || frames > 1 {
			return
		}
		if snapshot.IsFrame(d.tag) {
			frames++
		}
		for _, kid := range d.kids {
			count(kid, depth+1)
		}
	}
	count(k.p.main.root, 0)
	if frames != 1 {
		return -1
	}
	return 0
}

// withheld notes that a field was kept out.
func (k *composer) withheld(i int, field string) {
	if n := &k.c.Nodes[i]; !slices.Contains(n.Redacted, field) {
		n.Redacted = append(n.Redacted, field)
	}
}

// rectOf is a noted box, moved by the frame's offset.
func rectOf(noted string, offset [2]float64) (snapshot.Box, bool) {
	var r struct{ Left, Top, Right, Bottom float64 }
	if len(noted) > 400 || json.Unmarshal([]byte(noted), &r) != nil {
		return snapshot.Box{}, false
	}
	b := snapshot.Box{finite(r.Left), finite(r.Top), finite(r.Right - r.Left), finite(r.Bottom - r.Top)}
	return b.Shift(offset[0], offset[1]), !b.Empty()
}

// assignVerdicts gives every node its verdict by the collector's rules (capture/collect), as far
// as they need no layout. Parents come before children.
func (k *composer) assignVerdicts() {
	nodes := k.c.Nodes
	heavy := make([]bool, len(nodes)) // a line, section, heading or strong control somewhere inside
	words := make([]bool, len(nodes)) // text of its own or of inline elements in its line
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		words[i] = words[i] || n.Text != ""
		p := n.Parent
		if p < 0 {
			continue
		}
		if heavy[i] || snapshot.IsContentTag(n.Tag) || snapshot.IsSection(n.Tag) || snapshot.IsHeading(n.Tag) ||
			n.Control() && k.hides[i].verdict != snapshot.VerdictDisplayNone {
			heavy[p] = true
		}
		if words[i] && !n.Block && !n.Numbered() && k.hides[i].verdict == "" {
			words[p] = true
		}
	}
	atomic, line := make([]int, len(nodes)), make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		atomic[i], line[i] = -1, -1
		if p := n.Parent; p >= 0 {
			up := &nodes[p]
			switch {
			case n.Frame != up.Frame: // a document begins
			case atomic[p] >= 0:
				atomic[i] = atomic[p]
			case up.Atomic(heavy[p]):
				atomic[i] = p
			}
			if n.Frame == up.Frame && !n.Block && !n.Numbered() {
				line[i] = line[p]
				if up.Verdict == snapshot.VerdictContent {
					line[i] = p
				}
			}
		}
		n.Verdict, n.Evidence = k.verdict(i, atomic[i], line[i], words[i])
		if !n.Verdict.Kept() {
			n.Path = ""
		}
	}
	k.c.Verdicts = k.c.CountVerdicts()
}

// verdict is one node's verdict, and why.
func (k *composer) verdict(i, around, line int, words bool) (snapshot.Verdict, string) {
	n := &k.c.Nodes[i]
	name := func(j int) string { return fmt.Sprintf("%s (node %d)", plainTag(k.c.Nodes[j].Tag), j) }
	if h := k.hides[i]; h.verdict != "" {
		return h.verdict, h.why
	}
	if p := n.Parent; p >= 0 && (n.Tag == "option" || n.Tag == "optgroup") &&
		slices.Contains([]string{"select", "optgroup", "datalist"}, k.c.Nodes[p].Tag) {
		return snapshot.VerdictInsideAtomic, "an option of " + name(p)
	}
	if around >= 0 && !n.Control() {
		return snapshot.VerdictInsideAtomic, "part of " + name(around)
	}
	switch {
	case n.Numbered():
		return snapshot.VerdictRef, n.WhyNumbered() + "; " + notDrawn
	case line >= 0 && n.Text != "":
		return snapshot.VerdictInsideAtomic, "words of " + name(line)
	case n.Text != "":
		return snapshot.VerdictContent, "own text; " + notDrawn
	case n.Line(words):
		return snapshot.VerdictContent, "text; " + notDrawn
	}
	return snapshot.VerdictWrapper, "nothing of its own"
}

// facts fills in the capture's facts about the page as a whole.
func (k *composer) facts() {
	c := k.c
	for i := range c.Nodes {
		n, d := &c.Nodes[i], k.doms[i]
		switch {
		case n.Tag == "html" && n.Frame == 0 && c.Lang == "":
			c.Lang = n.Attrs["lang"]
		case n.Tag == "title" && n.Frame == 0 && c.Title == "":
			c.Title = k.s.text(d.titleText())
		case n.Tag == "meta" && n.Frame == 0 && strings.EqualFold(n.Attrs["name"], "description") &&
			c.Page.Description == "":
			c.Page.Description = n.Attrs["content"]
		case n.Tag == "form":
			c.Page.FormCount++
		case n.Tag == "input" && strings.EqualFold(n.Attrs["type"], "password") && k.hides[i].verdict == "":
			c.Page.HasLoginForm = true
		}
		if n.Verdict.Kept() && len(n.Interactive) > 0 {
			c.Page.InteractiveCount++
		}
		if n.Text != "" && n.InViewport && !n.Box.Empty() {
			n.TextRects = []snapshot.Box{n.Box} // its words are taken to be drawn, as it is
		}
	}
}

// titleText is the text of a title element, at most 8 KiB.
func (d *dom) titleText() string {
	var b strings.Builder
	for _, k := range d.kids {
		if k.tag == "" && b.Len() < 8<<10 {
			b.WriteString(k.text)
		}
	}
	return squash(cut(b.String(), 8<<10))
}
