package collect

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// playwrightWorld is what the names of Playwright's isolated worlds begin with (packages/playwright-core, crPage.ts); a
// random part follows.
const playwrightWorld = "__playwright_utility_world"

//go:embed js/agentrefs.js
var agentRefsJS string // a function: without places the refs of Playwright's world, else our uids of these

// agentElement is the key of an element in all frames of a capture.
type agentElement struct{ frame, uid int }

// AgentRefs notes at the nodes of a capture the refs that an agent's own tool keeps on the elements of the page:
// Playwright's, in every frame that can be read, and what it says of them. The elements are the very objects that were
// walked. A frame that shows another document by now, or that changes meanwhile, gives none: what is not certain is
// left out. clean takes secrets out of a name.
func AgentRefs(ctx context.Context, tab *browser.Tab, c *snapshot.Capture, clean func(string) string) {
	at := playwrightFrames(ctx, tab)
	if len(at) == 0 {
		return
	}
	byElement := map[agentElement]*snapshot.Node{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.UID != 0 {
			byElement[agentElement{n.Frame, n.UID}] = n
		}
	}
	for k := range c.Frames {
		f := &c.Frames[k]
		if !at[f.ID] {
			continue
		}
		realm, err := enterFrame(ctx, tab, f.ID, f.Loader)
		if err != nil {
			continue // a frame that is gone has no refs
		}
		for _, answer := range realm.EvalBeside(ctx, playwrightWorld, "("+agentRefsJS+")(null)") {
			refs, err := refsIn(ctx, realm, answer)
			if err != nil {
				continue
			}
			for uid, r := range refs {
				n := byElement[agentElement{k, uid}]
				if n == nil {
					continue
				}
				n.NoteAgentRef(snapshot.Playwright, r.ref)
				if says := r.role + " " + r.name; len(n.Redacted) == 0 && clean(says) == says {
					n.NoteAgentRef(snapshot.PlaywrightSays, says)
				}
			}
		}
		realm.Release(ctx)
	}
}

// playwrightFrames are the frames of a tab in which Playwright has a world of its own: no other is entered.
func playwrightFrames(ctx context.Context, tab *browser.Tab) map[string]bool {
	out := map[string]bool{}
	remote, _ := tab.FrameSessions(ctx)
	for _, s := range append([]*browser.Session{tab.Session()}, slices.Collect(maps.Values(remote))...) {
		for _, frame := range s.FramesBeside(playwrightWorld) {
			out[frame] = true
		}
	}
	return out
}

// AXFacts notes at the nodes of a capture what Chrome's accessibility tree says of them, for texts that are made of
// that tree. clean takes secrets out of a name. Nodes are found by their backendNodeIds, so the capture must have them.
func AXFacts(ctx context.Context, tab *browser.Tab, c *snapshot.Capture, clean func(string) string) {
	x := axTrees{c: c, clean: clean, nodes: map[agentElement]*snapshot.Node{}, trees: make([]axTree, len(c.Frames))}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.BackendNodeID != 0 {
			x.nodes[agentElement{n.Frame, int(n.BackendNodeID)}] = n
		}
	}
	for k := range c.Frames {
		f := &c.Frames[k]
		realm, err := enterFrame(ctx, tab, f.ID, f.Loader)
		if err != nil {
			continue // a frame that is gone has no tree
		}
		realm.Release(ctx)
		tree, err := cdp.Call(ctx, realm.Session(), accessibility.GetFullAXTree,
			accessibility.GetFullAXTreeParams{FrameID: cdp.FrameID(f.ID)})
		if err != nil {
			c.Failed = append(c.Failed, snapshot.Failure{Layer: "ax", Frame: k,
				Why: "the accessibility tree could not be read: " + why(err)})
			continue
		}
		if len(tree.Nodes) == 0 {
			continue
		}
		x.trees[k] = axTree{tree.Nodes[0].NodeID, make(map[accessibility.NodeID]*accessibility.Node, len(tree.Nodes))}
		for _, a := range tree.Nodes {
			x.trees[k].nodes[a.NodeID] = a
		}
	}
	for k := range c.Frames { // one whose element is not in the tree comes last
		x.note(k, x.trees[k].root, nil)
	}
}

// axTree is Chrome's accessibility tree of one frame, without what was noted.
type axTree struct {
	root  accessibility.NodeID
	nodes map[accessibility.NodeID]*accessibility.Node
}

// axTrees are the accessibility trees of a page's frames while they are noted.
type axTrees struct {
	c     *snapshot.Capture
	clean func(string) string
	nodes map[agentElement]*snapshot.Node
	trees []axTree // by frame
	order int      // of the element that was noted last
}

// note notes the part of a frame's tree that begins with a node, and the trees of the frames in it. in is the element
// that the node is in, nil where the browser draws no parts in it.
func (x *axTrees) note(frame int, id accessibility.NodeID, in *snapshot.Node) {
	a := x.trees[frame].nodes[id]
	if a == nil {
		return
	}
	delete(x.trees[frame].nodes, id)
	n := x.nodes[agentElement{frame, int(a.BackendDOMNodeID)}]
	switch {
	case a.Ignored:
	case n != nil && n.AX == nil:
		n.AX = &snapshot.AXFact{AXNode: x.say(n, a)}
	case n == nil && in != nil && in.AX != nil && !slices.Contains(unlisted, axText(a.Role)):
		in.AX.Parts = append(in.AX.Parts, x.say(in, a))
	}
	if n != nil {
		if in = nil; snapshot.DrawsParts(n.Tag) {
			in = n
		}
	}
	for _, child := range a.ChildIDs {
		x.note(frame, child, in)
	}
	if n == nil || !snapshot.IsFrame(n.Tag) {
		return
	}
	for k, f := range x.c.Frames {
		if f.Owner == n.I {
			x.note(k, x.trees[k].root, nil)
		}
	}
}

// unlisted are the roles of parts that no text lists.
var unlisted = []string{"generic", "none", "StaticText", "InlineTextBox", "LineBreak"}

// say is what a node of the tree says of the element that it is, or is a part of.
func (x *axTrees) say(n *snapshot.Node, a *accessibility.Node) snapshot.AXNode {
	x.order++
	f := snapshot.AXNode{Role: axText(a.Role), Order: x.order}
	if !slices.Contains(n.Redacted, "name") && !slices.Contains(n.Redacted, "text") {
		f.Name = x.clean(axText(a.Name))
	}
	return f
}

// agentRef is the ref of an element, with the role and the name that it goes with.
type agentRef struct{ ref, role, name string }

// refsIn are the refs of an answer from Playwright's world, by the uids of their elements.
func refsIn(ctx context.Context, realm *browser.Realm, answer string) (map[int]agentRef, error) {
	var found struct {
		Total int                 `json:"total"`
		Refs  [][]json.RawMessage `json:"refs"`
	}
	if err := json.Unmarshal([]byte(answer), &found); err != nil {
		return nil, fmt.Errorf("decoding refs: %w", err)
	}
	places, refs := make([]string, 0, len(found.Refs)), make([]agentRef, 0, len(found.Refs))
	for _, r := range found.Refs {
		var a agentRef
		if len(r) == 4 && json.Unmarshal(r[1], &a.ref) == nil && json.Unmarshal(r[2], &a.role) == nil &&
			json.Unmarshal(r[3], &a.name) == nil {
			places, refs = append(places, string(r[0])), append(refs, a)
		}
	}
	if len(refs) == 0 {
		return nil, nil
	}
	text, err := realm.Eval(ctx, "("+agentRefsJS+")(["+strings.Join(places, ",")+"])")
	if err != nil {
		return nil, err
	}
	var ours struct {
		Total int   `json:"total"`
		UIDs  []int `json:"uids"`
	}
	if err := json.Unmarshal([]byte(text), &ours); err != nil {
		return nil, fmt.Errorf("decoding uids: %w", err)
	}
	if ours.Total != found.Total || len(ours.UIDs) != len(refs) {
		return nil, fmt.Errorf("the page changed while it was read: %d elements, and then %d", found.Total, ours.Total)
	}
	out := make(map[int]agentRef, len(refs))
	for k, uid := range ours.UIDs {
		if uid != 0 {
			out[uid] = refs[k]
		}
	}
	return out, nil
}
