package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// element is what a history keeps of an element that was acted on.
type element struct {
	tag, xpath, frame, name string
	attrs                   map[string]string
	node                    int64
	index                   int
	box                     snapshot.Box
	inView                  bool // the box is of the viewport, not of the document
}

// parseElement reads either shape; nil where there is none.
func parseElement(raw json.RawMessage) *element {
	var e struct {
		NodeName string          `json:"node_name"`
		TagName  string          `json:"tag_name"`
		XPath    string          `json:"x_path"`
		OldPath  string          `json:"xpath"`
		Attrs    map[string]any  `json:"attributes"`
		Node     int64           `json:"backend_node_id"`
		Frame    string          `json:"frame_id"`
		Name     string          `json:"ax_name"`
		Index    int             `json:"highlight_index"`
		Bounds   *boxOf          `json:"bounds"`
		View     json.RawMessage `json:"viewport_coordinates"`
	}
	if len(raw) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &e); err != nil && !errors.As(err, &wrongType) {
		return nil
	}
	out := &element{tag: strings.ToLower(cut(e.NodeName+e.TagName, 100)), xpath: e.XPath + e.OldPath, frame: cut(e.Frame, 200), name: e.Name,
		attrs: map[string]string{}, node: e.Node, index: e.Index}
	if out.tag == "" {
		return nil
	}
	for name, v := range e.Attrs {
		if s, ok := v.(string); ok && len(name) <= 200 && len(out.attrs) < 500 {
			out.attrs[name] = s
		}
	}
	var v struct {
		TopLeft pointOf `json:"top_left"`
		Width   float64 `json:"width"`
		Height  float64 `json:"height"`
	}
	switch {
	case e.Bounds != nil:
		out.box = snapshot.Box{finite(e.Bounds.X), finite(e.Bounds.Y), finite(e.Bounds.Width), finite(e.Bounds.Height)}
	case len(e.View) > 0 && json.Unmarshal(e.View, &v) == nil:
		out.box, out.inView = snapshot.Box{finite(v.TopLeft.X), finite(v.TopLeft.Y), finite(v.Width), finite(v.Height)}, true
	}
	return out
}

// elements makes the elements that were acted on the capture's nodes, without the tree
// that they stood in.
func (h *history) elements(c *snapshot.Capture, it *historyItem) {
	c.Frames = []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: c.URL, Loader: c.URL, Readable: true}}
	k := &composer{c: c, s: h.s, work: composeWork}
	at := place{parent: -1, scope: &scope{}}
	seen := map[string]bool{}
	for _, raw := range it.State.Interacted[:min(len(it.State.Interacted), 1_000)] {
		e := parseElement(raw)
		if e == nil || seen[e.xpath] && e.xpath != "" {
			continue
		}
		seen[e.xpath] = true
		d := &dom{tag: e.tag, attrs: e.attrs}
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: -1, Tag: e.tag, BackendNodeID: max(e.node, 0), Block: block(e.tag)})
		k.doms, k.hides = append(k.doms, d), append(k.hides, hidden{})
		k.describe(i, d, at, hidden{})
		n := &c.Nodes[i]
		if n.Name == "" && e.name != "" {
			n.Name, n.NameFrom = h.s.text(cut(e.name, 500)), "ax"
		}
		if e.node == 0 && e.xpath != "" {
			f := fnv.New32a()
			_, _ = f.Write([]byte(e.xpath)) // it cannot fail
			n.UID = int(f.Sum32()>>1) | 1
		}
		if !e.box.Empty() {
			n.Box = e.box
			n.InViewport = c.Viewport.Width == 0 || !e.box.Intersect(c.Viewport.Box()).Empty()
		}
	}
	k.judge()
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() { // it was acted on, whatever its markup says
			n.Verdict = snapshot.VerdictContent
		}
		n.Evidence = "the agent acted on it; " + notDrawn
	}
	c.Verdicts = c.CountVerdicts()
	k.facts()
	c.Failed = append(c.Failed, snapshot.Failure{Layer: "structure", Why: "a browser-use history keeps no page structure: only the elements acted on"})
}
