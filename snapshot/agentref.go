package snapshot

// Playwright is the scheme of refs that Playwright's snapshots print: e12, and f2e7 in a frame.
const Playwright = "playwright"

// PlaywrightSays is the scheme of what Playwright says of an element for as long as that has its ref: role and name, a
// space between. Each document of a page counts its refs anew, and what these say tells which one a text is of.
const PlaywrightSays = "playwright says"

// SaidLength is how many characters of that name are kept.
const SaidLength = 200

// BrowserUse is the scheme of browser-use's indexes, of elements that its history names.
const BrowserUse = "browser-use"

// NoteAgentRef notes that an agent's tool calls the element so in its own texts. Where two programs of one scheme are
// at the page and disagree, the ref is that of neither: "".
func (n *Node) NoteAgentRef(scheme, ref string) {
	if old, ok := n.AgentRefs[scheme]; ok && old != ref {
		ref = ""
	}
	refs := map[string]string{scheme: ref}
	for s, r := range n.AgentRefs {
		if s != scheme {
			refs[s] = r
		}
	}
	n.AgentRefs = refs
}

// AXFact is what Chrome's accessibility tree says of an element: read with a capture where an agent's text is made of
// that tree.
type AXFact struct {
	AXNode
	// Parts are what the browser itself draws in the element, which the document has no elements for; see [DrawsParts].
	Parts []AXNode `json:"parts,omitempty"`
}

// AXNode is one node of Chrome's accessibility tree.
type AXNode struct {
	Role string `json:"role"`           // as Chrome spells it: link, StaticText, RootWebArea
	Name string `json:"name,omitempty"` // the name that Chrome computed
	// Order is its place in that tree, the trees of frames in it, from 1: the document's, but for what an element owns.
	// 0 where it is not known.
	Order int `json:"order,omitempty"`
}

// DrawsParts reports whether the browser itself draws what is operated in an element with that tag, as the fields of a
// date, the buttons of a video and the list of a select.
func DrawsParts(tag string) bool {
	switch tag {
	case "audio", "video", "input", "textarea", "meter", "progress", "select":
		return true
	}
	return false
}
