// Package domtool is the format domtool: BrowserX's PageSerialized, seed "DomTool", rows B-1 to B-8.
//
//	{"page":{"context":{"url":…,"title":…,"domain":…,"viewport":{"width":1280,"height":720}},"body":
//	{"node_id":"nv_1c2f90ab","tag":"body","visible":true,"children":[
//	{"node_id":…,"tag":"button","role":"button","text":"Save","visible":true,"actionable":true,"ref":12},
//	{"node_id":…,"tag":"iframe","visible":true,"ref":14}]},"iframe":[
//	{"node_id":"nv_iframe_…","tag":"iframe",…,"host":"nv_…","children":[
//	{"node_id":…,"tag":"body",…}]}],"shadowDom":[…]
//	,"meta":{"truncated":false,"totalNodes":5,"version":"domtool.v1",…}}}
//
// It is one JSON value; a line feed comes before each node and before meta and nowhere
// else, so each line has one node, followed by what closes the nodes around it.
//
// A node is an element. Its keys, in this order: node_id, tag, role, ariaLabel, text, value,
// visible, actionable, ref and the additions, children, iframe, shadowDom. Empty ones are
// left out, and so is "actionable":false (placeholders apart).
//
//   - node_id: see id.go. visible and actionable: see rules.go.
//   - ariaLabel is the accessible name, where it is not just the text in the element.
//   - text are the words of the element; "• " comes before those of a list item.
//     Words of inline elements that nobody can operate (b, em, span …) are part of the text
//     around them; words after a child are children of their own, tag "#text", so that the
//     order of a page is kept. A field has value instead.
//   - Empty elements are left out: those without text, name and children, and
//     divs, spans and custom elements without id, role and name that hold one child, which
//     takes their place. An element that was kept and cannot be seen is listed, visible false.
//   - page.iframe has one entry for each frame of the main document, page.shadowDom one for
//     each shadow root ("#shadow-root"); host is the node_id of the element in the tree. Entries
//     have iframe and shadowDom arrays of their own for what is nested in them. A frame that
//     could not be read has a placeholder with the reason: node_id nv_iframe_…, visible and
//     actionable false.
//   - Additions (B-1 ref, and what the seed reserves): ref; type of an input other than text;
//     placeholder that is not the name; src, the file of an image without a name; states (see stateNames);
//     options, disabledOptions (those that nobody can choose) and moreOptions of a select; coveredBy, the ref of what
//     a click lands on instead, its tag where that has none; host, mode, url of entries; text_overflow; layout with
//     Options.IncludeLayout.
//   - meta: truncated; totalNodes, the nodes in the payload, summaries apart; version; error
//     "no-body" for a page without a body. Added: omittedNodes (cut), visibleNodes,
//     actionableNodes, estimatedTokens (characters before meta / 4), unsupported (what could not
//     be read: node_id, tag, reason; the first 20), moreUnsupported; captureMs, the time that reading
//     the page took, with Options.Volatile (B-12).
//
// Limits (B-5, B-6): 1,500 nodes (MaxNodes), 16,000 characters (4,000 tokens at 4 characters)
// and 50,000 bytes; MaxChars replaces the latter two, MaxTokens is one more. All hold for the
// whole payload, exactly. Nodes are listed in document order, the body first, then frames, then shadow
// roots. Where not all fit, those outside the visible part of the page go first, from the end, and then
// the others; the body ends with {"tag":"summary","text":"Truncated after N nodes"}. Text of more than 500
// characters is marked text_overflow, and cut at 2,000, so that a person's paragraph is whole; that of an editable
// region is marked and cut at 1,000; value and options are cut at 400 and 200, the name at 200. More than 50 children
// of one tag, or more than 20 with over 1,500 characters of text (not paragraphs or headings: those are an article),
// become one node of tag "summary", "List of
// 120 items (list items). Showing first 20.", with the first 20 as its children. Nesting of nodes
// is followed to 400 levels. Each cut is an Omission.
//
// Escaping: AppendJSON. Page text is in strings only; tags are reduced to tagName.
//
// Compat is the seed's own words: every visible element is a node, wrappers and inline elements
// included; text is all direct text of the element, joined; invisible elements are skipped; the
// name is always printed; frames of another origin and nested ones are "Cross-origin iframe
// (blocked)", closed shadow roots are not read; disabled elements stay actionable; no ref and no
// additions; text is cut at 500. The other limits stay.
package domtool

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// MaxChars is the limit of the text where none is requested, in characters.
const MaxChars = 16_000

// Limits of the domtool format.
const (
	version        = "domtool.v1"
	longText       = 500   // a longer text is marked; compat: and cut there
	capText        = 2_000 // a longer text is cut: paragraphs like that are rare
	capEditable    = 1_000
	capName        = 200
	capValue       = 400
	maxNodes       = 1_500
	maxBytes       = 50_000
	maxOptions     = 20
	maxUnsupported = 20
	maxDepth       = 400
	repeatCount    = 50    // more siblings than these become a summary
	repeatChars    = 1_500 // or this much text in more than repeatShown of them
	repeatShown    = 20
)

// domtool renders one capture.
type domtool struct {
	*dump.Builder
	t       *snapshot.Tree
	o       settings
	profile profile
	ids     *nodeIDs
	frames  map[int]int    // frame element → index in Capture.Frames
	within  map[int]within // by node index, what is inside

	root        vnode // its children are the body, its frames and shadows the arrays of the page
	unsupported []unsupportedNode
	deep        bool // something is nested too deep to be followed
	noBody      bool

	front    []byte   // page.context
	order    []*vnode // all nodes, as they are written
	tallies  []tally  // by n: the counts of the first n of them
	keep     int      // how many are written
	repeated int      // elements that summaries replace
}

// profile has the differences between the default and the original: each rule holds for the default
// but names and disabled.
type profile struct {
	lists     bool // kept elements that cannot be seen are nodes; empty ones that are not kept are none
	flattens  bool // wrappers give their place to their only child
	flows     bool // words of inline elements are part of the text around them, words after a child are children
	names     bool // the name is printed whatever the text is
	reaches   bool // nested and foreign frames, closed shadow roots
	additions bool // keys that the seed lacks
	overflows bool // words that overflow an empty box are visible
	disabled  bool // what is disabled is actionable
	capText   int  // characters of an element's text
}

// profileOf is the profile that the options ask for.
func profileOf(o dump.Common) profile {
	if o.Compat {
		return profile{names: true, disabled: true, capText: longText}
	}
	return profile{lists: true, flattens: true, flows: true, reaches: true, additions: true, overflows: true,
		capText: capText}
}

// vnode is one VirtualNode.
type vnode struct {
	n          *snapshot.Node // nil for what is not an element
	id, tag    string
	role       string
	name       string
	text       string
	value      string
	visible    bool
	actionable bool
	blocked    bool // a placeholder: actionable is false and printed
	overflow   bool
	options    []string
	off        []string // the options that nobody can choose
	more       int      // options that are not in the list
	list       string   // of a summary: the text before how many items follow
	host       string   // node_id of the element that an entry belongs to
	mode, url  string
	layout     *vlayout

	children, frames, shadows []*vnode

	parts []*snapshot.Node // kept elements whose words are part of text
	chars int              // characters of text in it and in its children
	open  []byte           // the encoded node up to its arrays
	at    int              // its place: the limits keep the first ones
}

// unsupportedNode is something that could not be read.
type unsupportedNode struct{ id, tag, reason string }

// Render renders the payload.
func Render(p *dump.Page, k dump.Common, own Options) *dump.Builder {
	o := settings{k, own}
	c := p.Capture
	w := &domtool{Builder: dump.NewBuilder(p), t: p.Tree(), o: o, profile: profileOf(k), frames: dump.FrameOwners(c)}
	w.ids = newNodeIDs(c)
	w.Unlisted = w.explain
	w.survey()
	w.body()
	w.fit()
	w.write(w.keep)
	return w.Builder
}

// explain is the reason why a kept element is not a node.
func (w *domtool) explain(n *snapshot.Node) (string, string) {
	switch {
	case w.noBody:
		return dump.ReasonRole, "the page has no body"
	case w.deep:
		return dump.ReasonCut, "it is nested deeper than " + text.Thousands(maxDepth) + " nodes"
	case !w.profile.reaches && n.Shadow == "closed":
		return dump.ReasonRole, "compat: closed shadow roots are not read"
	case !w.profile.reaches && n.Frame > 0:
		return dump.ReasonRole, "compat: nested and cross-origin frames are not read"
	}
	return dump.ReasonRole, "it is outside the body"
}

// within describes what is inside an element.
type within struct {
	nodes bool // something that is a node of its own
	kept  bool // a kept element
}

// survey computes what is inside elements. Children come after their parents, so one
// pass from the end does.
func (w *domtool) survey() {
	w.within = make(map[int]within, len(w.Capture.Nodes)/2)
	for p := len(w.Capture.Nodes) - 1; p >= 0; p-- {
		n := &w.Capture.Nodes[p]
		up := w.t.Node(n.Parent)
		if up == nil {
			continue
		}
		in := w.within[n.I]
		in.nodes = in.nodes || n.Verdict == snapshot.VerdictRef || snapshot.IsFrame(n.Tag) || shadowRoot(up, n)
		in.kept = in.kept || n.Verdict.Kept()
		if in == (within{}) {
			continue
		}
		above := w.within[up.I]
		w.within[up.I] = within{nodes: above.nodes || in.nodes, kept: above.kept || in.kept}
	}
}

// body builds the tree from the body of the main document.
func (w *domtool) body() {
	var body *snapshot.Node
	for root := range w.t.Roots() {
		if root.Frame == 0 && body == nil {
			body = w.bodyOf(root)
		}
	}
	if body == nil {
		w.noBody = true
		w.root.children = []*vnode{{id: "nv_body", tag: "body"}}
		return
	}
	w.root.children = []*vnode{w.node(body, &w.root, 0)}
}

// bodyOf is the body (or frameset) of the document with that root element.
func (w *domtool) bodyOf(root *snapshot.Node) *snapshot.Node {
	isBody := func(n *snapshot.Node) bool { return n.Tag == "body" || n.Tag == "frameset" }
	if isBody(root) {
		return root
	}
	for c := range w.t.Children(root.I) {
		if isBody(c) && c.Shadow == root.Shadow {
			return c
		}
	}
	return nil
}

// Options are the options of the format alone.
type Options struct {
	// IncludeLayout adds boxes (CSS px), stacking and layout groups (B-8, B-14).
	IncludeLayout bool
}

// settings are the options of one rendering.
type settings struct {
	dump.Common
	Options
}
