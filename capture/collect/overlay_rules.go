package collect

import (
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// look gathers what the rules ask for about the inside of a layer.
func (f *finder) look(l *layer) {
	var b strings.Builder
	if l.node.IsModal() {
		l.dialog = l.node
	}
	var dialog, live *snapshot.Node
	if isLive(l.node) {
		live = l.node
	}
	for p := l.pos; p < f.end[l.pos]; p++ {
		n := &f.c.Nodes[p]
		if !rendered(n) {
			continue
		}
		if dialog == nil && n.IsModal() {
			dialog = n
		}
		if live == nil && isLive(n) {
			live = n
		}
		if b.Len() < maxLayerText && (n.Text != "" || n.Verdict == snapshot.VerdictRef && n.Name != "") {
			if n.Verdict == snapshot.VerdictRef {
				b.WriteString(n.Name + " ")
			}
			b.WriteString(n.Text + " ")
		}
		if n.Verdict == snapshot.VerdictRef && len(n.Interactive) > 0 && n.Visible {
			if typedInto(n) {
				l.fields++
			}
			if pressable(n) && len(l.controls) < 200 {
				l.controls = append(l.controls, n)
			}
		}
	}
	if l.dialog == nil && f.holdsOnly(l, dialog) {
		l.dialog = dialog
	}
	l.live = f.holdsOnly(l, live)
	l.text = strings.ToLower(b.String())
}

// holdsOnly reports whether all but a little of what is kept in the layer lies in
// that element: the layer is its frame and nothing else.
func (f *finder) holdsOnly(l *layer, n *snapshot.Node) bool {
	if n == nil {
		return false
	}
	if n == l.node {
		return true
	}
	pos := f.at[n.I]
	in := f.shown[f.end[pos]] - f.shown[pos]
	return in > 0 && l.kept-in <= 2
}

func isLive(n *snapshot.Node) bool {
	switch n.Role {
	case "status", "alert", "log":
		return true
	}
	switch n.Attr("aria-live") {
	case "polite", "assertive":
		return true
	}
	return false
}

// menuLike: it belongs to the control that opened it.
func menuLike(n *snapshot.Node) bool {
	switch n.Role {
	case "menu", "menubar", "listbox", "tooltip", "tree", "grid", "combobox", "tablist", "tabpanel", "radiogroup", "option":
		return true
	}
	return false
}

func typedInto(n *snapshot.Node) bool {
	switch n.Tag {
	case "textarea", "select":
		return true
	case "input":
		switch strings.ToLower(n.Attr("type")) {
		case "checkbox", "radio", "button", "submit", "reset", "image", "hidden", "range", "color", "file":
			return false
		}
		return true
	}
	return false
}

func pressable(n *snapshot.Node) bool {
	switch n.Role {
	case "button", "link":
		return true
	}
	switch n.Tag {
	case "button", "a", "summary":
		return true
	}
	// A bare element with a listener: often a cross.
	return !typedInto(n) && n.Tag != "input" && n.Tag != "label" && !snapshot.IsFrame(n.Tag) && !n.IsModal() && n.Role != "checkbox" && n.Role != "radio" && n.Role != "switch"
}

// furniture is what a page has along its edges: landmarks, thin bars, rails.
func (f *finder) furniture(l *layer, view snapshot.Box) bool {
	for p := l.pos; p < f.end[l.pos]; p++ {
		n := &f.c.Nodes[p]
		if !rendered(n) {
			continue
		}
		switch n.Role {
		case "banner", "navigation", "contentinfo", "complementary", "search", "toolbar", "menubar", "main":
			return true
		}
		if p == l.pos {
			switch n.Tag {
			case "header", "nav", "footer", "aside", "main":
				return true
			}
		}
	}
	b := l.node.VisibleBox().Intersect(view)
	bar := b.W() >= 0.6*view.W() && b.H() <= 0.25*view.H() && (b.Y() <= 1 || b.Bottom() >= view.H()-1)
	rail := b.H() >= 0.5*view.H() && b.W() <= 0.3*view.W() && (b.X() <= 1 || b.Right() >= view.W()-20)
	return bar || rail
}

// shell: the page lives in it. It holds the main landmark, or far more than what it
// covers.
func (f *finder) shell(l *layer) bool {
	if f.elsewhere(l) == 0 {
		return true
	}
	for p := l.pos; p < f.end[l.pos]; p++ {
		if n := &f.c.Nodes[p]; n.Role == "main" && rendered(n) && l.share >= shareMost {
			return true
		}
	}
	return l.share >= shareMost && l.kept >= 8 && l.kept >= 4*max(1, len(l.covers))
}

// elsewhere counts kept elements in the viewport that lie outside of the layer and
// are not around it.
func (f *finder) elsewhere(l *layer) int {
	in := f.shown[f.end[l.pos]] - f.shown[l.pos]
	around := 0
	for p := f.parent[l.pos]; p >= 0; p = f.parent[p] {
		around += f.shown[p+1] - f.shown[p]
	}
	return f.shown[len(f.shown)-1] - in - around
}

// slide: it lies on siblings of the same place and size, as slides and tab panels do.
func (f *finder) slide(l *layer) bool {
	if len(l.covers) == 0 || l.node.Layer == nil || l.node.Layer.Position != "absolute" {
		return false
	}
	up := f.parent[l.pos]
	if up < 0 {
		return false
	}
	mine := l.node.Box
	for _, p := range l.covers {
		sibling := p
		for sibling >= 0 && f.parent[sibling] != up {
			sibling = f.parent[sibling]
		}
		if sibling < 0 {
			return false
		}
		other := f.c.Nodes[sibling].Box
		if other.Intersect(mine).Area() < 0.8*max(mine.Area(), other.Area()) {
			return false
		}
	}
	return true
}

// speaksOfConsent: cookies or consent in its words, a button that answers, and not
// a form about something else with a line of small print.
func (f *finder) speaksOfConsent(l *layer) bool {
	if l.dialog == nil && (len(l.text) >= maxLayerText || l.kept > 150) {
		return false // a whole page
	}
	title := strings.ToLower(f.title(l))
	cookies := hasWord(l.text, cookieWords())
	if l.fields > 0 && !hasWord(title, cookieWords()) && !hasWord(title, consentWords()) {
		return false
	}
	if !cookies && !hasWord(l.text, consentWords()) {
		return false
	}
	answers := false
	for _, n := range l.controls {
		s := f.label(n)
		answers = answers || len(s) < 80 && (hasWord(s, acceptWords()) || hasWord(s, rejectWords()) || cookies && (hasWord(s, closeWords()) || isCross(s)))
	}
	return answers
}

func (f *finder) label(n *snapshot.Node) string {
	s := n.Name
	if s == "" {
		s = f.t.Text(n.I)
	}
	if s == "" {
		s = n.Attr("title")
	}
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// dismissible reports whether a control in the layer says that it takes it away.
func (f *finder) dismissible(l *layer) bool {
	for _, n := range l.controls {
		s := f.label(n)
		if isCross(s) || len(s) < 40 && (hasWord(s, closeWords()) || hasWord(s, laterWords())) || dismissAttr(n) {
			return true
		}
	}
	return false
}

// dismissAttr: the markup itself says so.
func dismissAttr(n *snapshot.Node) bool {
	for _, a := range [...]string{"data-dismiss", "data-bs-dismiss", "data-micromodal-close"} {
		if n.HasAttr(a) {
			return true
		}
	}
	return n.Attr("popovertargetaction") == "hide" || strings.HasPrefix(n.Attr("command"), "close") || strings.HasPrefix(n.Attr("command"), "hide-")
}

// pressOf is the control to press to get rid of the overlay: the one that gives away
// least. A consent is refused before it is closed and closed before it is given; any
// other overlay is closed before it is put off, and put off before it is agreed to.
// Buttons go before links, and settings are never pressed. nil where nothing says
// that it dismisses: a guess could buy something.
func (f *finder) pressOf(l *layer) *snapshot.Node {
	best, score := (*snapshot.Node)(nil), 0
	for _, n := range l.controls {
		s := 0
		if !n.States.Is("disabled") {
			s = f.dismissScore(l, n)
		}
		if s > score {
			best, score = n, s
		}
	}
	if best == nil && !l.consent {
		best = f.cornerButton(l)
	}
	return best
}

func (f *finder) dismissScore(l *layer, n *snapshot.Node) int {
	label := f.label(n)
	if len(label) > 80 {
		return 0
	}
	reject, accept := hasWord(label, rejectWords()), hasWord(label, acceptWords())
	settings := hasWord(label, settingsWords()) && !reject && !accept
	closes := isCross(label) || hasWord(label, closeWords()) || dismissAttr(n)
	later := hasWord(label, laterWords())
	ends := f.endsDialog(l, n)
	score := 0
	switch {
	case settings && !closes:
		return 0
	case l.consent && reject:
		score = 100
	case l.consent && closes:
		score = 90
	case l.consent && accept:
		score = 80
	case l.consent:
		return 0
	case closes:
		score = 100
	case later:
		score = 90
	case reject:
		score = 80
	case ends:
		score = 70
	case accept:
		score = 60
	default:
		return 0
	}
	score *= 4
	if n.Role != "link" {
		score += 2
	}
	if n.Occlusion == nil || n.Occlusion.State != snapshot.Covered {
		score++
	}
	return score
}

// endsDialog: a submit button of a form whose method is dialog closes its dialog.
func (f *finder) endsDialog(l *layer, n *snapshot.Node) bool {
	if n.Tag != "button" && n.Tag != "input" || n.Attr("type") == "button" || n.Attr("type") == "reset" {
		return false
	}
	if n.Attr("formmethod") == "dialog" {
		return true
	}
	for up := range f.t.Ancestors(n.I) {
		if up.Tag == "form" {
			return strings.EqualFold(up.Attr("method"), "dialog")
		}
		if up.I == l.node.I {
			break
		}
	}
	return false
}

// cornerButton is a small control without words in an upper corner of the overlay:
// a cross that is drawn.
func (f *finder) cornerButton(l *layer) *snapshot.Node {
	around := l.node.VisibleBox()
	if l.dialog != nil {
		around = l.dialog.VisibleBox()
	}
	for _, n := range l.controls {
		if n.Role == "link" || n.Tag == "a" || f.label(n) != "" || n.Box.W() > 64 || n.Box.H() > 64 {
			continue
		}
		x, y := n.Box.Center()
		if y-around.Y() < 80 && (around.Right()-x < 80 || x-around.X() < 80) {
			return n
		}
	}
	return nil
}
