package aria

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Playwright's profile of the aria format: the text that its ariaSnapshot prints, for
// users who keep such snapshots as expectations. The rules are those of Playwright's
// ariaSnapshot (Apache-2.0), written down anew from what it is known to do and held
// against 36 pairs of page and snapshot from its test suite; no code of it is here.
//
//	item    = indent "- " key                            a leaf
//	        | indent "- " key ": " SCALAR                its only text
//	        | indent "- " key ":" NL { prop } { item }   two blanks a level
//	        | indent "- text: " SCALAR
//	prop    = indent "- /url: " SCALAR | indent "- /placeholder: " SCALAR
//	key     = role [ " " STRING ] { " [" state "]" }     in single quotes where YAML needs them
//	state   = "checked" [ "=mixed" ] | "disabled" | "expanded" | "invalid" [ "=" ( "grammar" | "spelling" ) ]
//	        | "level=" N | "pressed" [ "=mixed" ] | "selected"
//	        | "ref=e" N | "box=" X "," Y "," W "," H     always in this order
//
// STRING is a JSON string. SCALAR is plain, or in double quotes where YAML would take
// it for something else. Text of neighbouring elements without roles is one text, with
// a space where one of them is a block. A text that equals the name of what it is in
// is left out. aria-owns moves elements. Names over 900 UTF-16 units are left out of
// the key. An element below a hidden one is hidden, whatever its own style is.
//
// A ref is e4 for the session's number 4, with AriaModeAI only. A frame is a leaf. The
// limits, a query and summarised repeats, which the original has not, add notes as YAML
// comments ("# Truncated: …"), which its reader passes over.
//
// Safety goes beyond the original: what cannot be seen is spelled out, and a name that
// looks like a regular expression is printed bare only where nothing in it could be
// taken for something else.
//
// What a capture cannot know, and so differs: the glyphs of icon fonts outside of accessible names, and what is
// written in a <progress>, a <meter> and the like for browsers that do not draw them.

// playName is how long a name in a key may be, in UTF-16 units.
const playName = 900

// playItem is one element with a role.
type playItem struct {
	n     *snapshot.Node
	role  string
	name  string
	kids  []playKid
	props [][2]string
}

// playKid is an item, or text where item is nil; text of node (nil for a space).
type playKid struct {
	item *playItem
	text string
	node *snapshot.Node
}

// play renders one capture.
type play struct {
	*dump.Builder
	t       *snapshot.Tree
	o       settings
	visited map[int]bool
	named   map[int]bool // elements whose text is in a name or a longer text
	hidden  map[int]bool
	// withRefs: the mode is ai.
	withRefs bool
}

func renderPlaywright(p *dump.Page, o settings) *dump.Builder {
	w := &play{Builder: dump.NewBuilder(p), t: p.Tree(), o: o, visited: map[int]bool{}, named: map[int]bool{},
		hidden: map[int]bool{}, withRefs: o.Mode == ModeAI}
	w.Unlisted = w.reason
	root := &playItem{}
	if r := o.Root; r != nil && w.t.Node(*r) != nil {
		w.visit(w.t.Node(*r), root, 0)
	} else {
		for n := range w.t.Roots() {
			w.visit(n, root, 0)
		}
	}
	w.normalize(root)
	for _, k := range root.kids {
		w.print(k, 0)
	}
	w.Rules = &dump.LineRules{Note: comment}
	return w.Builder
}

func (w *play) reason(n *snapshot.Node) (reason, detail string) {
	switch {
	case w.hidden[n.I]:
		return dump.ReasonRole, "it, or an element around it, is hidden from the accessibility tree"
	case w.named[n.I]:
		return dump.ReasonDuplicate, "its text is part of the name or text of the element around it"
	case !w.visited[n.I]:
		return dump.ReasonScope, "outside the root, or in a frame"
	}
	return dump.ReasonRole, "it has no role, so its children are listed in its place"
}

// visit adds an element to the item around it.
func (w *play) visit(n *snapshot.Node, into *playItem, depth int) {
	if w.visited[n.I] {
		return
	}
	if depth > dump.MaxDepth {
		subtree(w.t, n, func(at *snapshot.Node) {
			if at.Verdict.Kept() {
				w.Omit(at.I, dump.ReasonCut, "nested deeper than 10,000 elements")
			}
		})
		return
	}
	w.visited[n.I] = true
	passed := w.Page.Query.PassedOver(n)
	if isHidden(w.t, n) && !passed {
		w.hide(n)
		return
	}
	at := into
	role := playRole(w.t, n)
	if passed {
		role = ""
	}
	if role != "" {
		it := &playItem{n: n, role: role, name: nameInTree(w.t, n, role)}
		into.kids = append(into.kids, playKid{item: it})
		at = it
	}
	if snapshot.IsFrame(n.Tag) {
		return
	}
	space := n.Block || n.Apart || n.Contents || n.Tag == "br" || n.Tag == "ruby" || n.Tag == "rt"
	pad := func() {
		if space {
			at.kids = append(at.kids, playKid{text: " "})
		}
	}
	if value, ok := playValue(n); ok && !passed {
		at.kids = append(at.kids, playKid{text: value, node: n})
	}
	pad()
	written := n
	if n.Tag == "q" { // of quotes that a style sheet writes it knows nothing
		written = n.Written()
	}
	say := func(s string) {
		if s != "" && !passed {
			at.kids = append(at.kids, playKid{text: s, node: n})
		}
	}
	say(n.Separators[0])
	text := func(s string) {
		if at.role != "textbox" { // of which it takes the value
			say(s)
		}
	}
	w.t.InOrder(written, text, func(c *snapshot.Node) { w.visit(c, at, depth+1) })
	for _, id := range strings.Fields(n.Attr("aria-owns")) {
		if o := w.t.ByID(n.Frame, id); o != nil { // it looks in the document, wherever n is
			w.visit(o, at, depth+1)
		}
	}
	say(n.Separators[1])
	pad()
	if w.Page.Query != nil && role != "" && !n.Verdict.Kept() && at.empty() {
		into.kids = into.kids[:len(into.kids)-1] // a list of which a query leaves nothing
		return
	}
	if role == "link" && n.HasAttr("href") {
		at.props = append(at.props, [2]string{"url", n.Attr("href")})
	}
	if p := n.Attr("placeholder"); role == "textbox" && n.HasAttr("placeholder") && p != at.name {
		at.props = append(at.props, [2]string{"placeholder", p})
	}
}

// exposed reports whether the element is in the accessibility tree.
func exposed(n *snapshot.Node) bool {
	if n.Attr("aria-hidden") == "true" || n.Tag == "desc" || n.Tag == "metadata" {
		return false
	}
	switch n.Verdict {
	case snapshot.VerdictDisplayNone, snapshot.VerdictVisibilityHidden, snapshot.VerdictContentHidden,
		snapshot.VerdictOptOut,
		snapshot.VerdictFiltered, snapshot.VerdictUnreachable:
		return false
	case snapshot.VerdictSkippedTag:
		switch n.Tag {
		case "svg", "g", "a", "switch", "text", "tspan", "textPath", "foreignObject":
			return true
		}
		return false
	}
	return true
}

// unlaid: the group of a list that is not open has no box, while its options count wherever they are; nor has an area.
func unlaid(n *snapshot.Node) bool { return n.Tag == "area" || n.Tag == "optgroup" && n.Box.Empty() }

// isHidden reports whether Playwright takes an element for hidden: it is not exposed, or makes no box and there is
// neither a text nor an element in it, of a host of a shadow tree of those that its page gave it.
func isHidden(t *snapshot.Tree, n *snapshot.Node) bool { return isHiddenWithin(t, n, maxBoxless) }

// maxBoxless is how many elements without a box are looked into that are in each other.
const maxBoxless = 64

func isHiddenWithin(t *snapshot.Tree, n *snapshot.Node, depth int) bool {
	return !exposed(n) || unlaid(n) || depth > 0 && n.Contents && n.Tag != "slot" && strings.TrimSpace(n.Text) == "" &&
		!given(t, n, n, depth-1)
}

// given reports whether Playwright sees one of the elements and texts that a page wrote in a node, of which at is a
// part: those that a shadow tree shows are in its slots.
func given(t *snapshot.Tree, n, at *snapshot.Node, depth int) bool {
	for c := range t.Children(at.I) {
		switch {
		case c.Shadow != n.Shadow:
			if depth == 0 || c.Tag == "slot" && strings.TrimSpace(c.Text) != "" || given(t, n, c, depth-1) {
				return true
			}
		case !isHiddenWithin(t, c, depth):
			return true
		}
	}
	return false
}

// empty reports whether there is neither an item nor a word in the item.
func (it *playItem) empty() bool {
	return !slices.ContainsFunc(it.kids,
		func(k playKid) bool { return k.item != nil || strings.TrimSpace(k.text) != "" })
}

func (w *play) hide(n *snapshot.Node) {
	subtree(w.t, n, func(at *snapshot.Node) { w.hidden[at.I], w.visited[at.I] = true, true })
}

// playRole is the role where Playwright's differs from the capture's, "" for none.
func playRole(t *snapshot.Tree, n *snapshot.Node) string {
	if snapshot.IsFrame(n.Tag) {
		return "iframe"
	}
	if n.Internals { // which no script of another sees
		return ""
	}
	if n.Attr("role") == "" {
		switch n.Tag {
		case "summary", "html", "body":
			return ""
		case "li":
			return "listitem"
		case "aside":
			return "complementary"
		case "s", "strike", "address", "hgroup":
			return ""
		case "header", "footer":
			return playLandmark(t, n)
		}
	}
	// Without a name these are no landmarks by ARIA 1.2; Playwright takes their word.
	if first, _, _ := strings.Cut(strings.TrimSpace(n.Attr("role")), " "); first == "region" || first == "form" {
		return first
	}
	switch n.Role {
	case "", "generic", "none", "presentation", "sectionheader", "sectionfooter":
		return ""
	case "comment", "suggestion": // which it does not know: the next role counts, or the tag
		if _, next, more := strings.Cut(n.Attr("role"), n.Role+" "); more {
			return dump.TagName(strings.Fields(next + " generic")[0])
		}
		switch n.Tag {
		case "article", "blockquote", "figure", "table", "main", "code", "mark":
			return n.Tag
		case "ul", "ol", "menu":
			return "list"
		case "li":
			return "listitem"
		case "p":
			return "paragraph"
		}
		return ""
	case "columnheader", "rowheader":
		if n.Tag == "th" && n.Attr("role") == "" {
			return playHeader(t, n)
		}
	}
	return dump.TagName(n.Role)
}

// playLandmark is the role of a <header> or <footer>: that of the page, unless it is in a part of it that has no role
// of its own, or that of such a part. Shadow trees are looked out of, slots are not.
func playLandmark(t *snapshot.Tree, n *snapshot.Node) string {
	for up := range t.Ancestors(n.I) {
		role := up.Attr("role")
		if !up.HasAttr("role") {
			role = up.Tag
		}
		switch role {
		case "article", "aside", "main", "nav", "section", "complementary", "navigation", "region":
			if n.Shadow != "" || up.Shadow == "" {
				return ""
			}
		}
	}
	if n.Tag == "header" {
		return "banner"
	}
	return "contentinfo"
}

// playHeader is the role of a <th>: without a scope a row's beside a <td> that is not empty, and not between two
// others; "" for all that there is in a table.
func playHeader(t *snapshot.Tree, n *snapshot.Node) string {
	switch n.Attr("scope") {
	case "col", "colgroup":
		return "columnheader"
	case "row", "rowgroup":
		return "rowheader"
	}
	var near []*snapshot.Node // the cells beside it
	var last *snapshot.Node
	for c := range t.Children(n.Parent) {
		if c.I == n.I && last != nil {
			near = append(near, last)
		}
		if last != nil && last.I == n.I {
			near = append(near, c)
		}
		last = c
	}
	if len(near) == 0 && isAloneInTable(t, n) {
		return ""
	}
	if len(near) == 2 && near[0].Tag == "th" && near[1].Tag == "th" {
		return "columnheader"
	}
	said := func(r snapshot.Run) bool { return strings.TrimSpace(r.Text) != "" }
	for _, c := range near {
		inner := slices.Collect(t.Children(c.I))
		if c.Tag == "td" && (len(inner) > 0 || slices.ContainsFunc(c.Written().TextRuns(), said)) {
			return "rowheader"
		}
	}
	return "columnheader"
}

// isAloneInTable reports whether the table around a cell has no other row than the cell's own.
func isAloneInTable(t *snapshot.Tree, cell *snapshot.Node) bool {
	if row := t.Node(cell.Parent); row == nil || row.Tag != "tr" {
		return false
	}
	for up := range t.Ancestors(cell.I) {
		if up.Tag == "table" {
			rows := 0
			for c := range t.Children(up.I) {
				if c.Tag == "tr" {
					rows++
				}
				for r := range t.Children(c.I) {
					if r.Tag == "tr" && c.Tag != "tr" {
						rows++
					}
				}
			}
			return rows <= 1
		}
	}
	return false
}

// AsPlaywright is the role and the name that Playwright gives an element; "" for the role of one that is in no
// accessibility tree, or that has none there.
func AsPlaywright(t *snapshot.Tree, n *snapshot.Node) (role, name string) {
	role = playRole(t, n)
	if role == "" || role == "iframe" || isHidden(t, n) {
		return "", ""
	}
	for up := range t.Ancestors(n.I) {
		if up.Attr("aria-hidden") == "true" {
			return "", ""
		}
	}
	return role, nameInTree(t, n, role)
}

// playValue is what an input or textarea holds as text.
func playValue(n *snapshot.Node) (string, bool) {
	switch n.Tag {
	case "textarea":
		return dump.LiveValue(n), true
	case "input":
		switch n.Attr("type") {
		case "checkbox", "radio", "file":
			return "", false
		case "submit", "reset", "button", "image":
			return n.Attr("value"), true
		}
		return dump.LiveValue(n), true
	}
	return "", false
}

// playSquash collapses white space as Playwright does: zero-width spaces and soft
// hyphens go, no-break spaces count.
func playSquash(s string) string { return text.CollapseSpace(strings.ReplaceAll(s, "\u200b", "")) }

// normalize joins neighbouring texts and drops those that a name contains already.
func (w *play) normalize(it *playItem) {
	var kids, text []playKid
	flush := func() {
		var b strings.Builder
		var first *snapshot.Node
		for _, k := range text {
			b.WriteString(k.text)
			if k.node != nil && strings.TrimSpace(k.text) != "" {
				w.named[k.node.I] = true
				if first == nil {
					first = k.node
				}
			}
		}
		if s := playSquash(b.String()); s != "" {
			kids = append(kids, playKid{text: s, node: first})
		}
		text = text[:0]
	}
	for _, k := range it.kids {
		if k.item == nil {
			text = append(text, k)
			continue
		}
		flush()
		w.normalize(k.item)
		kids = append(kids, k)
	}
	flush()
	it.kids = kids
	if it.n == nil || len(kids) != 1 || kids[0].item != nil {
		return
	}
	// A name from content has the glyphs of ::before and ::after, which the text lacks.
	byContent := it.n.NameFrom == "content" && it.name != "" && it.n.Value == "" && !byLabels(w.t, it.n)
	if kids[0].text == it.name || byContent && kids[0].text == playSquash(contentName(w.t, it.n)) {
		it.kids = nil
	}
}

// print writes an item or text and what it holds.
func (w *play) print(k playKid, level int) {
	indent := strings.Repeat("  ", level) + "- "
	if k.item == nil {
		w.Add(k.node, 0, indent+"text: "+playScalar(k.text))
		return
	}
	it := k.item
	line := indent + w.key(it)
	if w.withRefs && it.n.Ref > 0 && it.n.Verdict.Kept() {
		w.Refs = append(w.Refs, it.n)
	}
	switch {
	case len(it.kids) == 0 && len(it.props) == 0:
		w.Add(it.n, 0, line)
		return
	case len(it.kids) == 1 && it.kids[0].item == nil && len(it.props) == 0:
		w.Add(it.n, 0, line+": "+playScalar(it.kids[0].text))
		return
	}
	w.Add(it.n, 0, line+":")
	for _, p := range it.props {
		w.Add(it.n, 0, "  "+indent+"/"+p[0]+": "+playScalar(p[1]))
	}
	for _, inner := range it.kids {
		w.print(inner, level+1)
	}
}

// How Playwright's profile spells the key of an item.

// mayBeInvalid are the roles of which Playwright says that they are invalid.
var mayBeInvalid = []string{"application", "checkbox", "columnheader", "combobox", "gridcell", "listbox", "radiogroup",
	"rowheader", "searchbox", "slider", "spinbutton", "switch", "textbox", "tree"}

// key is role, name and states.
func (w *play) key(it *playItem) string {
	n, role, s := it.n, it.role, it.n.States
	b := []byte(role)
	if it.name != "" && text.Units16(it.name) <= playName {
		if b = append(b, ' '); bareRegex(it.name) {
			b = append(b, it.name...)
		} else {
			b = text.AppendJSON(b, it.name)
		}
	}
	state := func(name string, roles ...string) {
		switch {
		case !slices.Contains(roles, role), name == "disabled" && !disabled(w.t, n):
		case s.Is(name):
			b = append(append(append(b, " ["...), name...), ']')
		case s.Token(name) == "mixed":
			b = append(append(append(b, " ["...), name...), "=mixed]"...)
		}
	}
	state("checked", "checkbox", "menuitemcheckbox", "option", "radio", "switch", "menuitemradio", "treeitem")
	state("disabled", "application", "button", "composite", "gridcell", "group", "input", "link",
		"menuitem", "scrollbar",
		"separator",
		"tab", "checkbox", "columnheader", "combobox", "grid", "listbox", "menu", "menubar", "menuitemcheckbox",
		"menuitemradio", "option",
		"radio", "radiogroup", "row", "rowheader", "searchbox", "select", "slider", "spinbutton", "switch", "tablist",
		"textbox", "toolbar",
		"tree", "treegrid", "treeitem")
	if n.HasAttr("aria-expanded") { // it says nothing of a popover's button
		state("expanded", "application", "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem",
			"row", "rowheader",
			"tab", "treeitem", "columnheader", "menuitemcheckbox", "menuitemradio", "switch")
	}
	said := strings.ToLower(n.Attr("aria-invalid"))
	if strings.TrimSpace(said) != "" && said != "false" && slices.Contains(mayBeInvalid, role) {
		// What the browser itself finds invalid is not said.
		b = append(b, " [invalid"...)
		if said == "grammar" || said == "spelling" {
			b = append(append(b, '='), said...)
		}
		b = append(b, ']')
	}
	if l := Level(n); l > 0 && slices.Contains([]string{"heading", "listitem", "row", "treeitem"}, role) {
		b = append(strconv.AppendInt(append(b, " [level="...), int64(l), 10), ']')
	}
	state("pressed", "button")
	state("selected", "gridcell", "option", "row", "tab", "rowheader", "columnheader", "treeitem")
	if w.withRefs && n.Ref > 0 && n.Verdict.Kept() {
		b = append(strconv.AppendInt(append(b, " [ref=e"...), int64(n.Ref), 10), ']')
	}
	if w.o.Boxes {
		b = append(b, " [box="...)
		for i, v := range n.Box {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(math.Round(v)), 10)
		}
		b = append(b, ']')
	}
	if needsQuotes(string(b)) {
		return "'" + strings.ReplaceAll(string(b), "'", "''") + "'"
	}
	return string(b)
}

// disabled reports whether an element that the browser takes for disabled is so to Playwright: a <fieldset> is not, nor
// are the options of a list that is.
func disabled(t *snapshot.Tree, n *snapshot.Node) bool {
	switch n.Tag {
	case "fieldset":
		return n.Attr("aria-disabled") == "true"
	case "option", "optgroup":
		says := func(e *snapshot.Node) bool {
			return e.Attr("aria-disabled") == "true" || e.Tag != "select" && e.HasAttr("disabled")
		}
		if says(n) {
			return true
		}
		for up := range t.Ancestors(n.I) {
			if says(up) {
				return true
			}
		}
		return false
	}
	return true
}

// Level is how deep an element lies as Playwright counts it, 0 where that is not known: of a heading its tag decides,
// also against aria-level and under another role.
func Level(n *snapshot.Node) int {
	if snapshot.IsHeading(n.Tag) {
		return int(n.Tag[1] - '0')
	}
	if l := n.States.Number("level"); l >= 1 && l < 1e6 {
		return int(l)
	}
	return 0
}
