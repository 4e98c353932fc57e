package audit

import (
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// screenReaderText is how long a text that is cut off by its own box may be and still
// pass for help for screen readers, in characters.
const screenReaderText = 80

// unseen finds what the formats have and a person cannot see, and pictures that no words
// stand for.
func (a *auditor) unseen() {
	for p := range a.c.Nodes {
		n, s := &a.c.Nodes[p], a.sight[p]
		switch s.state {
		case hidden, faint, beyond:
			a.hiddenWords(n, p, s)
		case covered:
			a.coveredElement(n, p)
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
	if !words(text) {
		text = n.Name
	}
	if !words(text) {
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
		Sentence: fmt.Sprintf("%s is in %s, and a person cannot see it: %s.", a.say(n), list(in), s.why), Evidence: text, Formats: in,
	}, a.short(text))
}

// coveredElement notes a kept element that something hides, unless what is around it is
// noted.
func (a *auditor) coveredElement(n *snapshot.Node, p int) {
	if !n.Verdict.Kept() || n.Occlusion == nil {
		return
	}
	if q := a.tree.Position(n.Parent); q >= 0 && a.sight[q].state == covered && a.c.Nodes[q].Verdict.Kept() && a.c.Nodes[q].Occlusion != nil {
		return
	}
	var in []dump.Format
	for _, r := range a.views {
		if len(r.LinesOf(n.I)) > 0 {
			in = append(in, r.Format)
		}
	}
	if len(in) == 0 {
		return
	}
	f := Finding{Formats: in}
	by := "something"
	if o := n.Occlusion; o.Coverer != nil {
		f.Others = []int{*o.Coverer}
		by = a.say(a.tree.Node(*o.Coverer))
	}
	f.Sentence = fmt.Sprintf("%s is in %s, and %s hides it: a person sees %.0f %% of it.", a.say(n), list(in), by, 100*n.Occlusion.VisibleShare)
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
// canvasWords the characters up to which it has no text to speak of.
const (
	canvasShare = 0.6
	canvasWords = 60
	largeShare  = 0.1 // of the viewport: a picture that large says something even where it is marked as decoration
)

// pictures notes pictures in view that no words stand for.
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
			Sentence: fmt.Sprintf("%.0f %% of the viewport is drawn by %s, and %d characters of text are beside it.", 100*min(1, drawn/view.Area()), a.say(largest), chars),
		}, "")
	}
}

func (a *auditor) picture(n *snapshot.Node, share float64) {
	if words(n.Name) || words(n.Attr("alt")) || words(n.Attr("aria-label")) || words(n.Attr("title")) {
		return
	}
	severity := Warning
	switch n.Tag {
	case "canvas", "video", "embed", "object":
		if words(a.tree.Gather(n, snapshot.Gather{All: true, MaxBytes: 1_000, MaxNodes: 50})) {
			severity = Note // it has words for who cannot see it
		}
	case "svg":
		return // icons; their text is counted as text
	default:
		decorative := n.HasAttr("alt") || n.Role == "presentation" || n.Role == "none" || n.Attr("aria-hidden") == "true"
		if decorative && share < largeShare {
			return
		}
		if decorative {
			severity = Note
		}
		for up := range a.tree.Ancestors(n.I) {
			if len(up.Interactive) > 0 {
				if words(up.Name) {
					return // the control's words stand for it
				}
				break
			}
		}
	}
	b := n.VisibleBox()
	a.add(PictureMissing, severity, n, Finding{
		Sentence: fmt.Sprintf("%s, %.0f by %.0f px, has no words: text formats say nothing of what it shows.", a.say(n), b.W(), b.H()), Evidence: n.Attr("src"),
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
