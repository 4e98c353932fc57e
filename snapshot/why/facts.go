package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// The facts about an element, and their sentences.

// Say is the element as sentences name it: its number where it has one, and its tag with
// the role or name that distinguishes it.
func (el Element) Say() string {
	var b strings.Builder
	if el.Ref > 0 {
		fmt.Fprintf(&b, "[%d] ", el.Ref)
	}
	b.WriteString(el.Tag)
	if el.Role != "" && el.Role != el.Tag {
		b.WriteString(" (" + el.Role + ")")
	}
	if el.Name != "" {
		b.WriteString(" " + text.QuoteLine(text.Cut(el.Name, 61)))
	}
	return b.String()
}

// say names the element with that index.
func (e *Explainer) say(i int) string {
	if n := e.tree.Node(i); n != nil {
		return e.element(n).Say()
	}
	return "an element that the capture does not hold"
}

// verdict describes what became of the element.
func (e *Explainer) verdict(n *snapshot.Node) string {
	switch n.Verdict {
	case snapshot.VerdictRef:
		return fmt.Sprintf("It is kept, with number %d.", n.Ref)
	case snapshot.VerdictContent:
		return fmt.Sprintf("It is kept as a line of text, with number %d.", n.Ref)
	}
	return "It is not kept: " + VerdictWords(n.Verdict) + "."
}

// verdicts are what each verdict means: in a word or two for a list, and as the end of a sentence.
var verdicts = map[snapshot.Verdict]struct{ label, words string }{
	snapshot.VerdictRef:              {"Kept", "it is kept"},
	snapshot.VerdictContent:          {"Kept as text", "it is kept"},
	snapshot.VerdictWrapper:          {"Layout only", "it is drawn, but has no text of its own and cannot be operated"},
	snapshot.VerdictInsideAtomic:     {"Part of its control", "its text is part of the control or line around it"},
	snapshot.VerdictSkippedTag:       {"Not read", "formats do not read elements with its tag, drawn or not"},
	snapshot.VerdictOptOut:           {"Opted out", "the page asks readers to skip it (dddk-skip)"},
	snapshot.VerdictFiltered:         {"Filtered", "the site profile or a filter takes it out"},
	snapshot.VerdictDisplayNone:      {"Not rendered", "it is not drawn (display: none)"},
	snapshot.VerdictVisibilityHidden: {"Not rendered", "it is not drawn (visibility: hidden)"},
	snapshot.VerdictContentHidden: {"Not rendered",
		"what it is in is not drawn (a closed details or content-visibility)"},
	snapshot.VerdictZeroBox:     {"No size", "its box has no size"},
	snapshot.VerdictTransparent: {"Transparent", "it is transparent (opacity, a filter or a mask)"},
	snapshot.VerdictClipped:     {"Clipped", "an element around it cuts all of it off"},
	snapshot.VerdictTurned:      {"Turned away", "it turns its back, which is not drawn (backface-visibility: hidden)"},
	snapshot.VerdictUnreachable: {"Not readable", "it lies in a frame or closed shadow tree that could not be read"},
}

// VerdictLabel is a verdict in a word or two, for a list.
func VerdictLabel(v snapshot.Verdict) string {
	return cmp.Or(verdicts[v].label, text.Cut(text.Line(string(v)), 24))
}

// VerdictWords explain a reason not to keep an element, as the end of a sentence
// without its stop.
func VerdictWords(v snapshot.Verdict) string {
	return cmp.Or(verdicts[v].words, "the capture gives the reason "+line(string(v)))
}

// hits counts the sampled points that land on the element or on a label of it; by is that label, nil where none does.
func hits(t *snapshot.Tree, n *snapshot.Node) (count int, by *snapshot.Node) {
	for _, p := range n.Occlusion.Points {
		switch label := labelAt(t, n, int(p[2])); {
		case t.Contains(n.I, int(p[2])):
			count++
		case label != nil:
			count++
			by = label
		}
	}
	return count, by
}

// labelAt is the label of the element that a hit is on, nil where it is on none or on what is operated itself in one.
func labelAt(t *snapshot.Tree, n *snapshot.Node, hit int) *snapshot.Node {
	for at := t.Node(hit); at != nil; at = t.Node(at.Parent) {
		switch {
		case at.Tag == "label" && at.HasAttr("for"):
			if at.Frame == n.Frame && at.Attr("for") == n.Attr("id") {
				return at
			}
			return nil
		case at.Tag == "label" && t.Contains(at.I, n.I):
			return at
		case operated(at):
			return nil
		}
	}
	return nil
}

// operated reports whether a click on the element is its own also in a label (HTML, 4.10.4).
func operated(n *snapshot.Node) bool {
	switch n.Tag {
	case "button", "details", "embed", "iframe", "input", "label", "object", "select", "textarea":
		return true
	case "a":
		return n.HasAttr("href") || n.HasAttr("xlink:href")
	case "img":
		return n.HasAttr("usemap")
	case "audio", "video":
		return n.HasAttr("controls")
	}
	return false
}

// Around is what a click on the element reaches instead, where that is an element around it at every sampled point; nil
// elsewhere.
func Around(t *snapshot.Tree, n *snapshot.Node) *snapshot.Node {
	for _, p := range n.Occlusion.Points {
		if !t.Contains(int(p[2]), n.I) {
			return nil
		}
	}
	if len(n.Occlusion.Points) == 0 {
		return nil
	}
	return t.Node(int(n.Occlusion.Points[0][2]))
}

// Transparent reports whether a kept element is not to be seen for its own opacity, or that of what is around it.
func Transparent(n *snapshot.Node) bool { return n.WhyUnseen() == snapshot.VerdictTransparent }

// UnseenWords describe how an element that has a box is hidden from a person, as the end of a
// sentence without its stop.
func UnseenWords(n *snapshot.Node) string {
	if why := n.WhyUnseen(); why != "" && why != snapshot.UnseenByLabel {
		return VerdictWords(why)
	}
	return "it is transparent or cut off"
}

// What nobody reads, as snapshot.Ink has it.
const (
	tinySize   = 4    // font size, CSS px, below which nobody reads
	sameColour = 1.25 // contrast ratio below which text is of the colour of its background, for a person
)

// UnreadWords describe why nobody can read the text of an element that is in view: its font is
// tiny, its colour is that of its background, its own box cuts it off, or it is drawn outside of
// it. It is the end of a sentence without its stop, "" where people can.
func UnreadWords(n *snapshot.Node, view snapshot.Box) string {
	words := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	switch {
	case n.Ink != nil && n.Ink.Clipped:
		return fmt.Sprintf("its own box, %.0f by %.0f px, cuts the text off", n.Box.W(), n.Box.H())
	case n.Ink != nil && n.Ink.Size < tinySize:
		return fmt.Sprintf("its font is %.2g px", n.Ink.Size)
	case n.Ink != nil && n.Ink.Contrast > 0 && n.Ink.Contrast < sameColour:
		return fmt.Sprintf("its contrast is %.2f to 1", n.Ink.Contrast)
	case strings.ContainsFunc(n.Text, words) && len(n.TextRects) == 0 && n.Clip == nil &&
		n.Scroller == nil && !snapshot.IsFormControl(n.Tag) && n.Tag != "meter" && n.Tag != "progress" &&
		wholly(n.VisibleBox(), view):
		return "its text is drawn outside of it (text-indent)"
	}
	return ""
}

// wholly reports whether the box lies wholly in the other.
func wholly(b, in snapshot.Box) bool {
	return !b.Empty() && b.X() >= in.X() && b.Y() >= in.Y() && b.Right() <= in.Right() && b.Bottom() <= in.Bottom()
}

// SeenByLabel reports whether an element is unseen because its label is what a person
// sees in its place.
func SeenByLabel(n *snapshot.Node) bool { return n.WhyUnseen() == snapshot.UnseenByLabel }

// ReasonWords explain a format's reason for an omission, as the end of a sentence
// without its stop.
func ReasonWords(reason string) string {
	words := map[string]string{
		dump.ReasonViewport:  "it lies outside the visible part of the page",
		dump.ReasonCovered:   "something else lies over it",
		dump.ReasonDuplicate: "its text is on another line",
		dump.ReasonNoNumber:  "the format does not address such elements",
		dump.ReasonRole:      "the format does not list such elements",
		dump.ReasonContainer: "it is a generic container without a boundary",
		dump.ReasonRatio:     "too little of it is visible",
		dump.ReasonQuery:     "it is not relevant to the query",
		dump.ReasonCut:       "a limit cut it, or a part of it",
		dump.ReasonScope:     "it is outside the part of the page that was asked for",
	}
	return cmp.Or(words[reason], "the format gives the reason "+line(reason))
}

// facts are further facts that bear on it.
func (e *Explainer) facts(n *snapshot.Node) []Fact {
	var fs []Fact
	add := func(kind string, other int, format string, args ...any) {
		fs = append(fs, Fact{kind, fmt.Sprintf(format, args...), other})
	}
	inert, by := e.inert(n)
	if len(n.Interactive) > 0 {
		when := ""
		if inert != "" {
			when = " once it is not inert"
		}
		add("interactive", -1, "It can be operated%s; evidence: %s.", when, line(strings.Join(n.Interactive, ", ")))
	}
	if inert != "" {
		add("inert", by, "No click, key or focus gets to it: %s.", inert)
	}
	if n.Internals {
		add("internals", -1, "Its role %s and its states are not in its markup: its script gives them by "+
			"ElementInternals, as Chrome's accessibility tree has it.", line(cmp.Or(n.Role, "generic")))
	}
	if n.Name != "" && n.NameFrom != "" {
		add("name", -1, "Its name %s comes from %s.", quoted(n.Name), line(n.NameFrom))
	}
	rendered := n.Verdict.Rendered()
	switch box := n.Box; {
	case !rendered:
	case n.Clip != nil && n.Clip.Empty():
		add("clip", -1, "Scroll containers or clipping around it leave nothing of it visible.")
	case n.Clip != nil && n.Clip.Area() < 0.9995*box.Area(): // what is less is a box rounded to px
		add("clip", -1, "Scroll containers or clipping around it leave %s of its box.",
			text.Percent(n.Clip.Area()/box.Area()))
	}
	if rendered && !n.InViewport && !n.Box.Empty() {
		add("viewport", -1, "It lies outside the viewport, %s.", e.offscreen(n))
	}
	if rendered && !n.Visible {
		add("viewport", -1, "It stays invisible when a person scrolls to it.")
	}
	if words := UnreadWords(n, e.c.Viewport.Box()); rendered && n.Visible && words != "" {
		add("text", -1, "Nobody can read its text: %s.", words)
	}
	if o := n.Occlusion; o != nil {
		other := -1
		if o.Coverer != nil {
			other = *o.Coverer
		}
		add("occlusion", other, "%s", e.occlusion(n, o))
		if in := e.pressedInside(n, o); in != nil {
			add("click", in.I, "In its middle lies %s, which a click there presses: its click point is %.0f,%.0f.",
				e.say(in.I), o.Click[0], o.Click[1])
		}
	}
	if s := n.Scroller; s != nil && s.Range > 0 {
		add("scroll", -1, "It scrolls: at %.0f %% of %.0f px.", 100*s.Depth, s.Range)
	}
	if n.Shadow != "" {
		add("shadow", -1, "It is in a shadow tree (%s).", line(n.Shadow))
	}
	if n.Frame > 0 && n.Frame < len(e.c.Frames) {
		f := e.c.Frames[n.Frame]
		add("frame", f.Owner, "It is in the frame %s.", quoted(f.URL))
	}
	for i, f := range e.c.Frames {
		if i > 0 && f.Owner == n.I && !f.Readable {
			add("frame", -1, "The document that it shows could not be read: %s.", line(f.Why))
		}
	}
	fs = append(fs, e.loaded(n)...)
	if len(n.Redacted) > 0 {
		add("redacted", -1, "Kept out of the capture as secret: %s.", line(strings.Join(n.Redacted, ", ")))
	}
	return fs
}

// offscreen describes where an element lies that the viewport does not show.
func (e *Explainer) offscreen(n *snapshot.Node) string {
	b, view := n.Box, e.c.Viewport.Box()
	left, top := e.c.Start()
	atRest := n.Frame == 0 && (n.Clip == nil || !n.Clip.Empty()) // no scrolling inside the page moves it
	switch {
	case atRest && b.Right() <= left:
		return fmt.Sprintf("%.0f px left of the page's start, which no scrolling reaches", left-b.Right())
	case atRest && b.Bottom() <= top:
		return fmt.Sprintf("%.0f px above the page's start, which no scrolling reaches", top-b.Bottom())
	case b.Y() >= view.Bottom():
		return fmt.Sprintf("%.0f px below", b.Y()-view.Bottom())
	case b.Bottom() <= view.Y():
		return fmt.Sprintf("%.0f px above", view.Y()-b.Bottom())
	case b.X() >= view.Right():
		return fmt.Sprintf("%.0f px to the right", b.X()-view.Right())
	case b.Right() <= view.X():
		return fmt.Sprintf("%.0f px to the left", view.X()-b.Right())
	}
	return "in a part that is scrolled away"
}

// pressedInside is the innermost control that lies in the element's middle, where the click point is not in it; nil
// where it has none.
func (e *Explainer) pressedInside(n *snapshot.Node, o *snapshot.Occlusion) (inside *snapshot.Node) {
	if o.State == snapshot.Covered {
		return nil // nothing operates it
	}
	middle := n.VisibleBox()
	if len(n.Rects) > 0 {
		middle = n.Rects[0]
	}
	x, y := middle.Center()
	var look func(i int)
	look = func(i int) {
		for c := range e.tree.Children(i) {
			if len(c.Interactive) > 0 && c.Box.Contains(x, y) && !c.Box.Contains(o.Click[0], o.Click[1]) {
				inside = c
			}
			look(c.I)
		}
	}
	look(n.I)
	return inside
}

// inert is why the element is inert, as the end of a sentence without its stop, and the node that makes it so; "" and
// -1 where nothing does. It is in the words of action.NotReadyError.
func (e *Explainer) inert(n *snapshot.Node) (string, int) {
	what := func(by *snapshot.Node) string {
		if by.Frame != n.Frame {
			return "its frame is inert because "
		}
		return "it is inert because "
	}
	if n.States.Is("inert") {
		if n.HasAttr("inert") {
			return "it is inert because it has the attribute inert", n.I
		}
		for up := range e.tree.Ancestors(n.I) {
			if up.HasAttr("inert") {
				return what(up) + e.say(up.I) + " has the attribute inert", up.I
			}
		}
		return "it is inert", -1
	}
	for i := range e.c.Nodes {
		d := &e.c.Nodes[i]
		if d.Layer == nil || !d.Layer.Modal || e.tree.Contains(d.I, n.I) || !e.holds(d.Frame, n) ||
			e.inModal(n) && !e.coveredIn(n, d) {
			continue
		}
		return what(d) + "a modal, " + e.say(d.I) + " is open", d.I
	}
	return "", -1
}

// holds reports whether a node lies in a frame, or in a frame inside it.
func (e *Explainer) holds(frame int, n *snapshot.Node) bool {
	for f := n.Frame; f >= 0 && f < len(e.c.Frames); f = e.c.Frames[f].Parent {
		if f == frame {
			return true
		}
	}
	return false
}

// inModal reports whether a node is in a modal dialog: whether that is the one that was opened last, no fact says.
func (e *Explainer) inModal(n *snapshot.Node) bool {
	for at := n; at != nil; at = e.tree.Node(at.Parent) {
		if at.Layer != nil && at.Layer.Modal {
			return true
		}
	}
	return false
}

// coveredIn reports whether a click on a node reaches something in the dialog instead.
func (e *Explainer) coveredIn(n, d *snapshot.Node) bool {
	o := n.Occlusion
	return o != nil && o.State == snapshot.Covered && o.Coverer != nil && e.tree.Contains(d.I, *o.Coverer)
}

// occlusion describes what lies over the element.
func (e *Explainer) occlusion(n *snapshot.Node, o *snapshot.Occlusion) string {
	var s string
	by := "something else"
	if o.Coverer != nil {
		by = e.say(*o.Coverer)
	} else {
		for _, p := range o.Points {
			if [2]float64(p[:2]) == o.Click && e.tree.Node(int(p[2])) != nil {
				by = e.say(int(p[2]))
			}
		}
	}
	on, label := hits(e.tree, n)
	it, comma := "it", ""
	if label != nil {
		it, comma = "its label, "+e.say(label.I), ","
	}
	outer := Around(e.tree, n)
	switch {
	case n.LetsClicksThrough():
		s = "Clicks pass through it, and none is meant for it"
		if o.Coverer != nil {
			s += "; " + by + " is drawn over it"
		}
		return s + ". A person sees " + text.Percent(o.VisibleShare) + " of it."
	case on == 0 && outer != nil:
		why := "it is not drawn there, or lies below that" // a back that is turned, a place below 0, gaps
		if inert, _ := e.inert(n); inert != "" {
			why = "it is inert"
		}
		return fmt.Sprintf("A click reaches what is around it, %s, at all %d points that were tried: %s.",
			e.say(outer.I), len(o.Points), why)
	case o.State == snapshot.Clear && on == len(o.Points):
		s = "A click reaches " + it + comma + " at every point that was tried"
	case o.State == snapshot.Clear:
		s = "A click at its click point reaches " + it
	case o.State == snapshot.Partly:
		s = fmt.Sprintf("A click at its click point reaches %s, but %s lies over a part of it", it, by)
	default:
		s = fmt.Sprintf("A click at its click point (%.0f,%.0f) reaches %s", o.Click[0], o.Click[1], by)
	}
	if o.State == snapshot.Clear && o.Coverer != nil {
		s += ", although " + by + " is drawn over it"
	}
	if len(o.Points) > 0 {
		s += fmt.Sprintf("; %d of %d points land on it", on, len(o.Points))
	}
	return s + ". A person sees " + text.Percent(o.VisibleShare) + " of it, a click reaches " +
		text.Percent(o.HitShare) + "."
}

// inFormat explains the element's place in one view.
func (e *Explainer) inFormat(v view, n *snapshot.Node) (InFormat, error) {
	in := InFormat{Format: v.Format, Compat: v.Options.Compat, Within: -1, Lines: []Line{}}
	d, err := v.document()
	if err != nil {
		return in, err
	}
	in.Lines = append(in.Lines, linesOf(d.Document, n.I)...)
	for _, o := range d.omitted[n.I] {
		in.Omitted = append(in.Omitted, Omission{o.Reason, line(o.Detail), ReasonWords(o.Reason)})
	}
	if len(in.Lines) == 0 {
		for up := range e.tree.Ancestors(n.I) {
			if ls := linesOf(d.Document, up.I); len(ls) > 0 {
				in.Within, in.WithinLine = up.I, &ls[0]
				break
			}
		}
	}
	in.Sentence, in.Reason = e.sentence(&in, n)
	return in, nil
}

func linesOf(d *dump.Document, node int) []Line {
	var out []Line
	for _, i := range d.LinesOf(node) {
		l := d.Lines[i]
		line := Line{Number: i + 1, Text: strings.TrimLeft(d.Text[l.Start:l.End], "\t ")}
		if l.Node != node {
			at, _ := slices.BinarySearchFunc(d.Spans, i, func(s dump.Span, line int) int { return s.Line - line })
			for ; at < len(d.Spans) && d.Spans[at].Line == i; at++ {
				if d.Spans[at].Node == node {
					line.Part = d.Text[d.Spans[at].Start:d.Spans[at].End]
					break
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// sentence sums up what became of the element in a format, and why, "" where nothing says that.
func (e *Explainer) sentence(in *InFormat, n *snapshot.Node) (sentence, reason string) {
	f := string(in.Format)
	if len(in.Omitted) > 0 {
		o := in.Omitted[0]
		reason = o.Text
		if o.Detail != "" {
			reason += " (" + o.Detail + ")"
		}
	}
	switch {
	case len(in.Lines) > 0 && in.Lines[0].Part != "":
		return fmt.Sprintf("%s has it as a part of line %d.", f, in.Lines[0].Number), ""
	case len(in.Lines) > 0 && reason != "":
		return fmt.Sprintf("%s has a part of it on line %d: %s.", f, in.Lines[0].Number, reason), reason
	case len(in.Lines) > 0:
		return fmt.Sprintf("%s has it on line %d.", f, in.Lines[0].Number), ""
	case reason != "":
		return fmt.Sprintf("%s has no line for it: %s.", f, reason), reason
	case in.Within >= 0 && n.Verdict == snapshot.VerdictInsideAtomic:
		return fmt.Sprintf("%s has its text on line %d, the line of %s.", f, in.WithinLine.Number, e.say(in.Within)), ""
	case in.Within >= 0 && n.Verdict == snapshot.VerdictWrapper:
		return fmt.Sprintf("%s has no line for it; its children follow line %d, the line of %s.",
			f, in.WithinLine.Number, e.say(in.Within)), ""
	case n.Verdict.Kept():
		return fmt.Sprintf("%s has no line for it.", f), ""
	}
	reason = VerdictWords(n.Verdict)
	return fmt.Sprintf("%s has no line for it: %s.", f, reason), reason
}
