package domtool

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// How the tree of virtual nodes is built.

// element is the node of an element inside scope (the entry that collects its frames
// and shadow roots), the one node in it where it has no content itself, or nil.
func (w *domtool) element(n *snapshot.Node, scope *vnode, depth int) *vnode {
	if opaque(n) {
		w.unsupport(w.ids.of(n), n, "its content is no text: a "+dump.TagName(n.Tag))
	}
	if n.Verdict == snapshot.VerdictUnreachable {
		why := n.Evidence
		if why == "" {
			why = "its content could not be read"
		}
		w.unsupport(w.ids.of(n), n, why)
	}
	if !n.Verdict.Rendered() && !w.within[n.I].kept {
		return nil
	}
	if depth > maxDepth {
		w.deep = true
		return nil
	}
	return w.worth(w.node(n, scope, depth))
}

// node is the node of an element with all that is in it.
func (w *domtool) node(n *snapshot.Node, scope *vnode, depth int) *vnode {
	v := &vnode{n: n, id: w.ids.of(n), tag: dump.TagName(n.Tag), visible: visible(n, w.o.ViewportOnly, w.profile)}
	v.actionable = actionable(n, w.profile)
	switch n.Role {
	case "", "generic", "none", "presentation":
	default:
		v.role = n.Role
	}
	if snapshot.IsFrame(n.Tag) {
		w.frame(v, scope, depth)
	} else {
		w.inside(v, scope, depth)
		w.field(v)
	}
	w.named(v)
	w.summarise(v)
	v.chars += utf8.RuneCountInString(v.text) + utf8.RuneCountInString(v.value)
	for _, c := range v.children {
		v.chars += c.chars
	}
	return v
}

// worth returns what represents the node in the tree: itself, its only child, or nothing.
func (w *domtool) worth(v *vnode) *vnode {
	n, hosts := v.n, w.hosts(v)
	if len(v.children) == 0 && !hosts {
		kept := n.Verdict.Kept()
		switch {
		case w.o.ViewportOnly && !n.InViewport:
			if kept {
				w.leave(v, dump.ReasonViewport, dump.WhereOutside(w.Capture, n))
			}
			return nil
		case !w.profile.lists && !v.visible:
			w.leave(v, dump.ReasonRole, "compat: not visible by the format's rule")
			return nil
		case !kept && w.profile.lists && v.text == "":
			return nil
		}
		return v
	}
	if !n.Verdict.Kept() && w.profile.flattens && v.text == "" && !hosts && len(v.children) == 1 && anonymous(n) {
		return v.children[0]
	}
	return v
}

// hosts reports whether the element has a document or a shadow root in the arrays.
func (w *domtool) hosts(v *vnode) bool {
	if snapshot.IsFrame(v.n.Tag) {
		return true
	}
	for c := range w.t.Children(v.n.I) {
		if shadowRoot(v.n, c) {
			return true
		}
	}
	return false
}

// leave omits a node and the elements whose words are in it.
func (w *domtool) leave(v *vnode, reason, detail string) {
	if v.n != nil && v.n.Verdict.Kept() {
		w.Omit(v.n.I, reason, detail)
	}
	for _, p := range v.parts {
		w.Omit(p.I, reason, detail)
	}
}

// stretch is text between two children.
type stretch struct {
	b     strings.Builder
	parts []*snapshot.Node
	last  *snapshot.Node // the inline element right before, with no text since
}

// inside fills in text and children.
func (w *domtool) inside(v *vnode, scope *vnode, depth int) {
	n := v.n
	var s stretch
	var roots []*snapshot.Node
	texts := 0
	flush := func() {
		words := text.CollapseSpace(s.b.String())
		if n.Tag == "pre" {
			words = strings.TrimRight(strings.TrimPrefix(text.Breaks(s.b.String()), "\n"), " \t\n")
		}
		parts := s.parts
		s = stretch{}
		switch {
		case words == "":
			return
		case len(v.children) == 0:
			v.text, v.parts = words, parts
			return
		}
		texts++
		child := &vnode{id: w.ids.part("text", n, strconv.Itoa(texts)), tag: "#text", text: words, visible: v.visible,
			parts: parts}
		w.shorten(child, n, longText, w.profile.capText)
		child.chars = utf8.RuneCountInString(child.text)
		v.children = append(v.children, child)
	}
	w.t.InOrder(n, func(words string) {
		if n.Verdict.Rendered() && !snapshot.IsFormControl(n.Tag) && !opaque(n) {
			s.b.WriteString(words)
			s.last = nil
			if !w.profile.flows {
				s.b.WriteByte(' ')
			}
		}
	}, func(c *snapshot.Node) {
		switch {
		case shadowRoot(n, c):
			roots = append(roots, c)
		case snapshot.IsFormControl(n.Tag): // its options are a list of their own
		case w.flows(n, c):
			w.flow(&s, n, c)
		default:
			if child := w.element(c, scope, depth+1); child != nil {
				if w.profile.flows {
					flush()
				}
				v.children = append(v.children, child)
			}
		}
	})
	if !w.profile.flows { // all direct words is one
		v.text = text.CollapseSpace(s.b.String())
	} else {
		flush()
	}
	if v.text != "" && n.Tag == "li" {
		v.text = "• " + v.text
	}
	if editable(n) {
		w.shorten(v, n, capEditable, capEditable)
	} else {
		w.shorten(v, n, longText, w.profile.capText)
	}
	if len(roots) > 0 {
		w.shadow(v, roots, scope, depth)
	}
}

// flow adds the words of an inline element to the text around it.
func (w *domtool) flow(s *stretch, host, c *snapshot.Node) {
	switch c.Tag {
	case "img":
		s.b.WriteString(" " + c.Attr("alt") + " ")
	case "br":
		s.b.WriteByte('\n')
	default:
		if c.Block || snapshot.Apart(s.last, c) {
			s.b.WriteByte(' ')
		}
		s.b.WriteString(dump.Gather(w.t, c, snapshot.Gather{Raw: host.Tag == "pre"}))
		if c.Block {
			s.b.WriteByte(' ')
		}
	}
	s.last = c
	stack := []*snapshot.Node{c}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.Verdict.Kept() {
			s.parts = append(s.parts, n)
		}
		for d := range w.t.Children(n.I) {
			stack = append(stack, d)
		}
	}
}

// shorten marks text of more than long characters, and cuts what is beyond limit.
func (w *domtool) shorten(v *vnode, n *snapshot.Node, long, limit int) {
	v.overflow = utf8.RuneCountInString(v.text) > long
	short, was := text.CutCount(v.text, limit)
	if was == 0 {
		return
	}
	v.text = short
	if n.Verdict.Kept() {
		w.Omit(n.I, dump.ReasonCut, fmt.Sprintf("text cut from %d to %d characters", was, limit))
	}
}

// field fills in value and options.
func (w *domtool) field(v *vnode) {
	n := v.n
	if editable(n) && v.text != "" {
		return // the region's text is its value
	}
	v.value = w.cutField(n, "value", dump.ShownValue(w.t, n), capValue)
	if v.value == "" {
		v.value = w.cutField(n, "value", dump.Submits(n), capValue)
	}
	if v.value == v.text {
		v.value = ""
	}
	if n.Tag != "select" || !w.profile.additions {
		return
	}
	all := dump.Options(w.t, n)
	for _, o := range all[:min(len(all), maxOptions)] {
		s := w.cutField(n, "option", o.Text, capName)
		if v.options = append(v.options, s); !o.Usable {
			v.off = append(v.off, s)
		}
	}
	if v.more = len(all) - len(v.options); v.more > 0 {
		w.Omit(n.I, dump.ReasonCut, "options cut from "+strconv.Itoa(len(all))+" to "+strconv.Itoa(maxOptions))
	}
}

// cutField truncates a field of a node, or of the page for nil, and records that.
func (w *domtool) cutField(n *snapshot.Node, what, s string, limit int) string {
	short, was := text.CutCount(s, limit)
	if was > 0 {
		node := -1
		if n != nil {
			node = n.I
		}
		w.Omit(node, dump.ReasonCut, fmt.Sprintf("%s cut from %d to %d characters", what, was, limit))
	}
	return short
}

// named fills in ariaLabel.
func (w *domtool) named(v *vnode) {
	name := text.CollapseSpace(v.n.Name)
	if name == v.text && !w.profile.names {
		return
	}
	if v.n.NameFrom == "content" && (v.text != "" || len(v.children) > 0) && !w.profile.names {
		return // its words are in it
	}
	v.name = w.cutField(v.n, "name", name, capName)
}

// frame adds the entry of a frame element: the document in it, or why it is not there.
func (w *domtool) frame(v *vnode, scope *vnode, depth int) {
	n := v.n
	e := &vnode{id: w.ids.part("iframe", n, ""), tag: "iframe", host: v.id}
	if i, ok := w.frames[n.I]; ok {
		e.url = text.CollapseSpace(w.Capture.Frames[i].URL)
		if e.url = text.Cut(e.url, dump.CapURL); !w.profile.additions {
			e.url = ""
		}
	}
	scope.frames = append(scope.frames, e)
	if !w.readable(n) {
		e.blocked = true
		e.text = "Cross-origin iframe (blocked)"
		why := dump.Unreadable(w.Capture, w.frames, n)
		if w.profile.additions {
			e.text = text.Cut("Frame not read: "+why, longText)
		}
		w.unsupport(e.id, n, why)
		return
	}
	e.visible = v.visible
	e.text = text.Cut(dump.FrameLabel(w.Capture, w.frames, n), capName)
	for root := range w.t.Children(n.I) {
		if body := w.bodyOf(root); body != nil {
			e.children = append(e.children, w.node(body, e, depth+1))
		}
	}
	for _, c := range e.children {
		e.chars += c.chars
	}
}

// shadow adds the entry of a shadow root.
func (w *domtool) shadow(v *vnode, roots []*snapshot.Node, scope *vnode, depth int) {
	mode := roots[0].Shadow
	if !w.profile.reaches && mode != "open" {
		w.unsupport(v.id, v.n, "a closed shadow root")
		return
	}
	e := &vnode{id: w.ids.part("shadow", v.n, ""), tag: "#shadow-root", host: v.id, mode: mode, visible: v.visible}
	for _, r := range roots {
		if c := w.element(r, e, depth+1); c != nil {
			e.children = append(e.children, c)
		}
	}
	if len(e.children)+len(e.frames)+len(e.shadows) > 0 {
		w.summarise(e)
		scope.shadows = append(scope.shadows, e)
	}
}

func (w *domtool) unsupport(id string, n *snapshot.Node, reason string) {
	reason = text.Cut(text.CollapseSpace(reason), capName)
	w.unsupported = append(w.unsupported, unsupportedNode{id, dump.TagName(n.Tag), reason})
}
