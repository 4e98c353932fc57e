package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// frameTrees are the snapshots of one frame in the order of the trace.
type frameTrees struct {
	nodes [][]*dom // of each snapshot, in post-order, without references
	// gap is the number of snapshots that came before an event that could not be read
	// and may have been one of this frame: what refers beyond it cannot be resolved.
	gap    int
	last   *dom
	id     identity
	loader int
}

// snapshotDoc is a document at one moment.
type snapshotDoc struct {
	document
	page     string
	time     float64
	main     bool
	viewport sizeOf
	broken   int // parts that refer to what could not be read
}

// trees decodes the snapshots of a trace.
type trees struct {
	frames map[string]*frameTrees
	stored int // elements and texts held
	bytes  int // of their text
}

// errStored is the error of a snapshot over the limits.
var errStored = errors.New("more is held than the limits allow")

// lost notes that an event could not be read. Where it still shows which frame it was
// of, only that frame counts a snapshot; else no frame's references are sure across it.
func (t *trees) lost(line []byte) {
	const key = `"frameId":"`
	s := string(line[:min(len(line), 4096)])
	if _, rest, ok := strings.Cut(s, key); ok && strings.Contains(s, `"frame-snapshot"`) {
		if id, _, ok := strings.Cut(rest, `"`); ok && t.frames[id] != nil {
			f := t.frames[id]
			f.nodes = append(f.nodes, nil)
			return
		}
	}
	if strings.HasPrefix(s, `{"type":"`) && !strings.HasPrefix(s, `{"type":"frame-snapshot"`) {
		return
	}
	for _, f := range t.frames {
		f.gap = len(f.nodes)
	}
}

// frame is what is known of a frame so far.
func (t *trees) frame(id string) *frameTrees {
	f := t.frames[id]
	if f == nil {
		f = &frameTrees{}
		t.frames[id] = f
	}
	return f
}

// read decodes one snapshot. Its error describes what is wrong with it; the frame has then
// counted a snapshot without nodes, so that later references stay right.
func (t *trees) read(e *eventSnapshot) (*snapshotDoc, []*dom, error) {
	f := t.frame(e.FrameID)
	f.nodes = append(f.nodes, nil)
	if t.stored > maxStored || t.bytes > maxKept {
		return nil, nil, errStored
	}
	var html any
	if err := json.Unmarshal(e.HTML, &html); err != nil {
		return nil, nil, err
	}
	b := treeBuilder{t: t, f: f}
	root := b.node(html)
	if b.err != nil {
		return nil, nil, b.err
	}
	if root == nil || root.tag == "" {
		return nil, nil, errors.New("it has no element")
	}
	f.nodes[len(f.nodes)-1] = b.nodes
	// A document that refers to nothing earlier is a new one.
	if !b.referred || f.last == nil {
		f.loader++
		f.last, f.id = nil, identity{}
	}
	f.id.adopt(root, f.last)
	f.last = root
	d := &snapshotDoc{
		document: document{frame: e.FrameID, loader: fmt.Sprintf("%s/%d", e.FrameID, f.loader),
			url: e.FrameURL, root: root},
		page: e.PageID, time: e.Timestamp, main: e.Main, viewport: e.Viewport, broken: b.broken,
	}
	return d, b.nodes, nil
}

// treeBuilder makes one snapshot's tree.
type treeBuilder struct {
	t        *trees
	f        *frameTrees
	nodes    []*dom
	referred bool
	broken   int
	err      error
}

// node is an element, a text, or the target of a reference; nil for what is none of
// them or cannot be resolved.
func (b *treeBuilder) node(v any) *dom {
	if b.err != nil {
		return nil
	}
	switch v := v.(type) {
	case string:
		return b.keep(&dom{text: v}, len(v))
	case []any:
		if len(v) == 0 {
			return nil
		}
		if ref, ok := v[0].([]any); ok {
			return b.reference(ref)
		}
		tag, ok := v[0].(string)
		if !ok {
			return nil
		}
		d := &dom{tag: strings.ToLower(cut(tag, 100))}
		d.tag = cmp.Or(d.tag, "element")
		size := len(tag)
		if len(v) > 1 {
			if attrs, ok := v[1].(map[string]any); ok && len(attrs) > 0 {
				d.attrs = make(map[string]string, len(attrs))
				for name, value := range attrs {
					if s, ok := value.(string); ok {
						d.attrs[name] = s
						size += len(name) + len(s) + 32
					}
				}
			}
			for _, child := range v[2:] {
				if kid := b.node(child); kid != nil {
					d.kids = append(d.kids, kid)
				}
			}
		}
		return b.keep(d, size)
	}
	return nil
}

func (b *treeBuilder) keep(d *dom, size int) *dom {
	b.t.stored++
	b.t.bytes += size
	if b.t.stored > maxStored || b.t.bytes > maxKept {
		b.err = errStored
		return nil
	}
	b.nodes = append(b.nodes, d)
	return d
}

// reference resolves [n, k]: node k of n snapshots ago.
func (b *treeBuilder) reference(ref []any) *dom {
	ago, k := wholeAt(ref, 0), wholeAt(ref, 1)
	at := len(b.f.nodes) - 1 - ago
	if ago < 1 || at < b.f.gap || k < 0 || at >= len(b.f.nodes) || k >= len(b.f.nodes[at]) {
		b.broken++
		b.referred = b.referred || ago >= 1 // the document continues, whatever was lost of it
		return nil
	}
	b.referred = true
	return b.f.nodes[at][k]
}

// wholeAt is the whole number at a place of a list, -1 where there is none.
func wholeAt(list []any, i int) int {
	if i >= len(list) {
		return -1
	}
	f, ok := list[i].(float64)
	if !ok || f != math.Trunc(f) || f < 0 || f > 1e9 {
		return -1
	}
	return int(f)
}
