package audit

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// What a person sees of each element, from boxes and styles alone.

const (
	// hiddenShare is the visible share below which an element counts as covered.
	hiddenShare = 0.1
	// speck is the width and height, in CSS px, up to which nothing can be made out.
	speck = 2
)

// state is what a person sees of an element's own text or area.
type state uint8

const (
	none    state = iota // not drawn, or nothing to see
	seen                 // in the viewport, not covered
	away                 // drawn, where scrolling brings it into view
	covered              // in the viewport, and something lies over it
	faint                // drawn, but tiny or of the colour of its background
	beyond               // drawn where no scrolling reaches
	hidden               // has a place, and cannot be seen there
)

// sight is what a person sees of one element.
type sight struct {
	state state
	why   string // faint, beyond and hidden: how, as the end of a sentence
}

// measureSight determines what a person sees of every element.
func (a *auditor) measureSight() {
	a.sight = make([]sight, len(a.c.Nodes))
	left, top := a.c.Start()
	view := a.c.Viewport.Box()
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		var up sight
		if q := a.tree.Position(n.Parent); q >= 0 && q < p {
			up = a.sight[q]
		}
		s := sightOf(n, up, view, left, top)
		if s.state == beyond && a.scrollsIntoView(n, left, top) {
			s = sight{state: away}
		}
		a.sight[p] = s
	}
}

// scrollsIntoView reports whether a scroll container around an element that lies before the page's edges can move it
// past them, as it can the first messages of a log that shows its last, and the next pictures of a carousel from right
// to left: it cuts the element off now and is in the page itself. What it does not move, it does not cut off.
func (a *auditor) scrollsIntoView(n *snapshot.Node, left, top float64) bool {
	if n.Clip == nil || !n.Clip.Empty() {
		return false
	}
	for up := range a.tree.Ancestors(n.I) {
		if up.Scroller != nil {
			return up.Box.Right() > left && up.Box.Bottom() > top
		}
	}
	return true // one that scrolls too little to be called a scroll container
}

func sightOf(n *snapshot.Node, up sight, view snapshot.Box, left, top float64) sight {
	if keptOut(n) {
		if n.Box.Intersect(view).Empty() {
			return sight{state: away}
		}
		return sight{state: seen}
	}
	drawing := isDrawing(n)
	if !n.Verdict.Rendered() && !drawing {
		return sight{}
	}
	if drawing {
		if n.Box.Intersect(view).Empty() {
			return sight{state: away}
		}
		return inherit(n, up)
	}
	boxed, unread := !n.Box.Empty(), why.UnreadWords(n, view)
	switch {
	case boxed && !n.Visible && why.SeenByLabel(n):
		return sight{} // its label is what a person sees
	case boxed && !n.Visible && up.state != hidden && drawnOtherwise(n):
		return sight{}
	case boxed && !n.Visible:
		if up.state == hidden {
			return up
		}
		return sight{hidden, why.UnseenWords(n)}
	case unread != "" && n.Ink != nil && !n.Ink.Clipped:
		return sight{faint, unread}
	case unread != "":
		return sight{hidden, unread}
	case boxed && len(n.TextRects) == 0 && !n.Visible:
		return sight{hidden, "it cannot be seen"}
	case boxed && n.Frame == 0 && (n.Box.Right() <= left || n.Box.Bottom() <= top):
		return sight{beyond, fmt.Sprintf("it lies at %.0f,%.0f, and the page begins at %.0f,%.0f",
			n.Box.X(), n.Box.Y(), left,
			top)}
	case boxed && up.state == hidden && n.Contents:
		return up
	}
	if !n.InViewport && len(n.TextRects) == 0 {
		if !boxed && !n.Contents {
			return sight{}
		}
		return sight{state: away}
	}
	return inherit(n, up)
}

// leastDrawn is how wide and high a transparent field is that stands for a drawn one, CSS px: a trap for machines is
// smaller, or lies elsewhere.
const leastDrawn = 8

// drawnOtherwise reports whether a page draws a box, a switch or a field of its own in the place of a transparent one
// that has no words: clicks reach the transparent one.
func drawnOtherwise(n *snapshot.Node) bool {
	if !snapshot.IsFormControl(n.Tag) || n.Tag == "button" || !why.Transparent(n) || shown(n) != "" ||
		min(n.Box.W(), n.Box.H()) < leastDrawn {
		return false
	}
	if n.Occlusion != nil {
		return n.Occlusion.State != snapshot.Covered
	}
	switch n.Attr("type") {
	case "checkbox", "radio", "range", "file", "color":
		return true // out of view, where no click was tried
	}
	return false
}

// inherit is what lies over an element: its own hit tests, or those of what is around it.
func inherit(n *snapshot.Node, up sight) sight {
	if n.Occlusion != nil {
		if n.Occlusion.VisibleShare < hiddenShare {
			return sight{state: covered}
		}
		return sight{state: seen}
	}
	if up.state == covered {
		return up
	}
	return sight{state: seen}
}

// isDrawing reports whether the element is a drawing, or text in one (svg), which formats
// do not read but people do.
func isDrawing(n *snapshot.Node) bool {
	switch n.Tag {
	case "text", "tspan", "textPath", "svg", "canvas":
		return !n.Box.Empty() && n.Verdict == snapshot.VerdictSkippedTag
	}
	return false
}

// keptOut reports whether the element is where the page, the profile or a filter keeps
// readers out of something that a person may see.
func keptOut(n *snapshot.Node) bool {
	return (n.Verdict == snapshot.VerdictOptOut || n.Verdict == snapshot.VerdictFiltered) && !n.Box.Empty()
}

// hasWord reports whether a text has a character that counts.
func hasWord(s string) bool { return strings.IndexFunc(s, counts) >= 0 }

// counts reports whether a character counts for coverage: letters, marks, digits and
// symbols. Formats escape punctuation and collapse white space.
func counts(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.In(r, unicode.Sc, unicode.So, unicode.M)
}

// shown is the text that a person reads in the element's own place: its own text, or
// what a field shows. A select shows what is chosen. A value that was withheld is not known: nobody reads its mark.
func shown(n *snapshot.Node) string {
	if redact.IsMark(n.Value) {
		return ""
	}
	switch n.Tag {
	case "input":
		switch n.Attr("type") {
		case "checkbox", "radio", "hidden", "range", "color", "file", "image":
			return ""
		}
		return cmp.Or(n.Value, n.Attr("placeholder"))
	case "textarea":
		return cmp.Or(n.Value, n.Attr("placeholder"))
	case "option", "optgroup", "canvas", "video", "audio", "object":
		return "" // elsewhere its content represents it
	case "select":
		return n.Value
	}
	return n.Text
}

// screenReaderText is how long a text that is cut off by its own box may be and still
// pass for help for screen readers, in characters.
const screenReaderText = 80

// unseen finds what the formats have and a person cannot see, and pictures without a text
// alternative.
func (a *auditor) unseen() {
	for p := range a.c.Nodes {
		n, s := &a.c.Nodes[p], a.sight[p]
		switch s.state {
		case hidden, faint, beyond:
			a.hiddenWords(n, p, s)
		case covered:
			a.coveredElement(n)
		}
	}
	a.pictures()
}

// hiddenWords notes an element whose words a person cannot see, once for all in it.
func (a *auditor) hiddenWords(n *snapshot.Node, p int, s sight) {
	if q := a.tree.Position(n.Parent); q >= 0 && q < p && a.sight[q].state == s.state && a.sight[q].why == s.why {
		return // it is part of what was noted
	}
	text := a.tree.Gather(n, snapshot.Gather{Controls: true, MaxBytes: 4_000, MaxNodes: 400})
	if !hasWord(text) {
		if a.readElsewhere(n) {
			return
		}
		text = n.Name
	}
	if !hasWord(text) {
		return
	}
	in := a.formatsWith(n, text)
	if len(in) == 0 {
		return
	}
	rule, severity := HiddenText, Warning
	switch s.state {
	case faint:
		rule = FaintText
	case beyond:
		rule, severity = OffscreenText, Note
	case hidden:
		if n.Ink != nil && n.Ink.Clipped && len([]rune(text)) <= screenReaderText {
			severity = Note
		}
	}
	a.add(rule, severity, n, Finding{
		Sentence: fmt.Sprintf("%s is in %s, and a person cannot see it: %s.", a.say(n), list(in), s.why),
		Evidence: text,
		Formats:  in,
	}, a.short(text))
}

// readElsewhere reports whether a control has its name from words that a person reads beside it, as the switch that a
// page draws over a hidden one has: then these words are no secret of the agent's.
func (a *auditor) readElsewhere(n *snapshot.Node) bool {
	if n.NameFrom != "label" && n.NameFrom != "aria-labelledby" {
		return false
	}
	name := fold(n.Name)
	for p := range a.c.Nodes {
		l := &a.c.Nodes[p]
		if s := a.sight[p].state; (s == seen || s == away) && l.Frame == n.Frame && hasWord(l.Text) &&
			strings.Contains(name, fold(l.Text)) && fold(a.read(l)) == name {
			return true
		}
	}
	return false
}

// coveredElement notes a kept element that something hides, unless what is around it is
// noted.
func (a *auditor) coveredElement(n *snapshot.Node) {
	if !n.Verdict.Kept() || n.Occlusion == nil {
		return
	}
	if q := a.tree.Position(n.Parent); q >= 0 && a.sight[q].state == covered && a.c.Nodes[q].Verdict.Kept() &&
		a.c.Nodes[q].Occlusion != nil {
		return
	}
	in := a.formatsOf(n)
	if len(in) == 0 {
		return
	}
	f := Finding{Formats: in}
	by := "something"
	if o := n.Occlusion; o.Coverer != nil {
		f.Others = []int{*o.Coverer}
		by = a.say(a.tree.Node(*o.Coverer))
	}
	f.Sentence = fmt.Sprintf("%s is in %s, and %s hides it: a person sees %s of it.", a.say(n), list(in), by,
		text.Percent(n.Occlusion.VisibleShare))
	a.add(CoveredElement, Note, n, f, a.short(n.Name))
}

// formatsWith are the formats that have most of the words of the element.
func (a *auditor) formatsWith(n *snapshot.Node, text string) []dump.Format {
	var in []dump.Format
	for _, r := range a.views {
		if has, total := r.has(a.tree, n, text); total > 0 && 2*has >= total {
			in = append(in, r.Format)
		}
	}
	return in
}

// canvasShare is the part of the viewport from which on a page is drawn, not written, and
// canvasWords the characters up to which it counts as having no text.
const (
	canvasShare = 0.6
	canvasWords = 60
	largeShare  = 0.1 // of the viewport: a picture that large is content even where it is marked as decoration
)

// pictures notes pictures in view without a text alternative.
func (a *auditor) pictures() {
	view := a.c.Viewport.Box()
	drawn, chars := 0.0, 0
	var largest *snapshot.Node
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		if a.sight[p].state != seen {
			continue
		}
		if chars <= canvasWords && len(n.TextRects) > 0 {
			chars += len([]rune(fold(n.Text)))
		}
		if !isPicture(n) || n.VisibleBox().W() < pictureSize || n.VisibleBox().H() < pictureSize || a.inPicture(n) {
			continue
		}
		area := n.VisibleBox().Intersect(view).Area()
		switch n.Tag {
		case "canvas", "video", "embed", "object":
			drawn += area
			if largest == nil || area > largest.VisibleBox().Intersect(view).Area() {
				largest = n
			}
		}
		a.picture(n, area/max(1, view.Area()))
	}
	if largest != nil && view.Area() > 0 && drawn/view.Area() >= canvasShare && chars <= canvasWords {
		a.add(CanvasPage, Error, largest, Finding{
			Sentence: fmt.Sprintf("%.0f %% of the viewport is drawn by %s, and %d characters of text are beside it.",
				100*min(1, drawn/view.Area()), a.say(largest), chars),
		}, "")
	}
}

func (a *auditor) picture(n *snapshot.Node, share float64) {
	if hasWord(n.Name) || hasWord(n.Attr("alt")) || hasWord(n.Attr("aria-label")) || hasWord(n.Attr("title")) {
		return
	}
	severity := Warning
	switch n.Tag {
	case "canvas", "video", "embed", "object":
		if hasWord(a.tree.Gather(n, snapshot.Gather{All: true, MaxBytes: 1_000, MaxNodes: 50})) {
			severity = Note // it has words for who cannot see it
		}
	case "svg":
		return // icons; their text is counted as text
	default:
		decorative := n.HasAttr("alt") || n.Role == "presentation" || n.Role == "none" ||
			n.Attr("aria-hidden") == "true"
		if decorative && share < largeShare {
			return
		}
		if decorative {
			severity = Note
		}
		for up := range a.tree.Ancestors(n.I) {
			if len(up.Interactive) > 0 {
				if hasWord(up.Name) {
					return // the control's text is its alternative
				}
				break
			}
		}
	}
	b := n.VisibleBox()
	a.add(PictureMissing, severity, n, Finding{
		Sentence: fmt.Sprintf("%s, %.0f by %.0f px, has no text: text formats do not describe it.", a.say(n),
			b.W(), b.H()), Evidence: n.Attr("src"),
	}, stem(a.short(n.Attr("src"))))
}

// list is formats as part of a sentence.
func list(fs []dump.Format) string {
	s := ""
	for i, f := range fs {
		switch {
		case i == 0:
		case i == len(fs)-1:
			s += " and "
		default:
			s += ", "
		}
		s += string(f)
	}
	return s
}
