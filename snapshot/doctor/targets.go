package doctor

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/refscope/refscope/snapshot/wire"
)

// findTargets finds the element that each action of the answer means.
func (e *examination) findTargets() {
	if e.answer == nil {
		return
	}
	for _, a := range e.answer.Actions(e.asked) {
		t := Target{Action: a, Node: -1}
		switch {
		case a.Ref != "":
			e.byRef(&t)
		case a.Point != nil:
			e.byPoint(&t)
		case a.Selector != "":
			e.bySelector(&t)
		case a.Named != "":
			e.byName(&t)
		}
		if n := e.node(t.Node); n != nil {
			if t.ElementRef = n.Ref; !e.done {
				e.checkTarget(&t, n)
			}
		}
		e.r.Targets = append(e.r.Targets, t)
	}
}

func (e *examination) node(i int) *snapshot.Node {
	if e.page == nil || i < 0 {
		return nil
	}
	return e.page.Tree().Node(i)
}

// byGiven finds the element of a ref in a call of a tool: what a server of tools gave with earlier answers, and what
// the page itself holds. The answer to the call came too late for it.
func (e *examination) byGiven(t *Target) {
	if !e.held(t) && e.failed() && len(e.texts) == 0 && e.known != nil && len(e.known.ByRef(t.Ref)) == 0 {
		e.refMissing(t, e.known)
		return
	}
	for _, g := range slices.Backward(e.d.given) {
		lines := g.ByRef(t.Ref)
		if len(lines) == 0 {
			continue
		}
		t.Line, t.Turn = lines[0].First, g.Turn
		switch {
		case t.Node >= 0:
			if now := g.Again(); !e.lists(now, t) {
				t.Why += fmt.Sprintf("; the text of turn %d has it for %s of another page", t.Turn, described(lines[0]))
				t.Line, t.Turn = 0, 0
			}
		case differ(lines):
			t.Why = "several lines have this ref"
		case e.page == nil:
			t.Why = "the page of the call is not known"
		default:
			now := g.Again()
			e.page.Tie(now)
			e.recall(now)
			l := now.ByRef(t.Ref)[0]
			t.Was = l.Was
			t.Node, t.Score, t.Why = l.Node, l.Score, l.Why
			if n := e.rec.Capture.ByRef(e.d.listed[t.Ref]); t.Node < 0 && n != nil {
				t.Node, t.Score = n.I, tie.ScoreOurs
				t.Why = "the element that had this ref when it was listed, by its number in this session"
			} else if t.Node < 0 {
				t.Why = "the element of this ref is not on the page"
				if e.failed() && !e.page.Unread(now, &l) {
					t.Fault = e.isGone(t, "", l, l.Gone && l.Score == 0)
				} else if e.done {
					t.Why += " that the call left behind"
				}
			}
		}
		return
	}
	if t.Node < 0 {
		t.Why = "no text that was recorded before lists this ref"
	}
}

// lists reports whether a text has the ref of an action for its element.
func (e *examination) lists(now *observation.Text, t *Target) bool {
	e.page.Tie(now)
	return slices.ContainsFunc(now.ByRef(t.Ref), func(l observation.Line) bool { return l.Node == t.Node })
}

// held finds the element on which the page itself holds a ref; it reports whether there is one.
func (e *examination) held(t *Target) bool {
	if e.page == nil {
		return false
	}
	n, why := e.page.Held(t.Ref)
	if n >= 0 {
		t.Node, t.Score, t.Why = n, tie.ScoreOwn, why
	}
	return n >= 0
}

// byRef finds the line with the ref in what the model knows of the page.
func (e *examination) byRef(t *Target) {
	if e.dialect == wire.MCP {
		e.byGiven(t)
		return
	}
	now := e.known
	if now == nil {
		if !e.held(t) {
			t.Why = "the request lists no elements"
		}
		return
	}
	lines := now.ByRef(t.Ref)
	switch {
	case len(lines) == 0:
		switch {
		case e.held(t):
		case e.asked.Continues() && e.earlier == nil:
			t.Why = "what the vendor holds of the messages before was not recorded"
		default:
			e.refMissing(t, now)
		}
		return
	case differ(lines):
		t.Fault = e.add(RefAmbiguous, audit.Warning, nil, now.Section,
			fmt.Sprintf("%s: the request lists %s with the ref %s.", short(t.Verb),
				text.Count(len(lines), "element", "different elements"), short(t.Ref)),
			fmt.Sprintf("lines %d and %d: %s, %s", lines[0].First, lines[1].First, described(lines[0]),
				described(lines[1])))
		t.Why = "several lines have this ref"
		return
	}
	l := lines[0]
	section := cmp.Or(l.Section, now.Section)
	t.Line, t.Section, t.Node, t.Score, t.Why, t.Was = l.First, section, l.Node, l.Score, l.Why, l.Was
	if section == "" { // of a text that the vendor holds
		t.Turn = l.Since
	}
	if t.Why == "" {
		t.Why = fmt.Sprintf("line %d of the text says %s", l.First, described(l))
	}
	if l.Gone || l.Node < 0 && e.page != nil && len(text.Letters(l.Name)) > 1 && 2*now.Matched >= len(now.Lines) &&
		!e.page.Has(l.Name) && !e.page.Unread(now, &l) {
		t.Fault = e.isGone(t, section, l, l.Score == 0)
	}
}

// isGone finds that the element of a line is gone; byWords: its words are, by which alone it could be known.
func (e *examination) isGone(t *Target, section string, l observation.Line, byWords bool) string {
	sentence := "%s: the element of the ref %s is not on the page any more."
	if byWords {
		sentence = "%s: no element of the page has the words of the ref %s any more."
	}
	return e.add(RefGone, audit.Error, nil, section, fmt.Sprintf(sentence, short(t.Verb), short(t.Ref)),
		described(l)+e.wasAt(l))
}

// failed reports whether the call of a tool failed: what the server says of it.
func (e *examination) failed() bool {
	return slices.ContainsFunc(e.asked.Messages, func(m wire.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p wire.Part) bool { return p.Failed })
	})
}

// wasAt tells where the element of a line was, "" where that is not known.
func (e *examination) wasAt(l observation.Line) string {
	if l.Was == nil {
		return ""
	}
	b := l.Was.Box
	return fmt.Sprintf("; %.1f s before the page as it is, it was at %.0f, %.0f, %.0f x %.0f px",
		e.rec.Capture.TakenAt.Sub(l.Was.At).Seconds(), b[0], b[1], b[2], b[3])
}

// refMissing judges a ref that the newest text does not list.
func (e *examination) refMissing(t *Target, now *observation.Text) {
	texts, held, of := e.texts, "of the request", func(t *observation.Text) string { return t.Section }
	if e.dialect == wire.MCP {
		texts, held, of = e.d.given, "that the server listed", func(*observation.Text) string { return "" }
	}
	for _, old := range slices.Backward(texts) {
		if lines := old.ByRef(t.Ref); old != now && old.Format == now.Format && len(lines) > 0 &&
			2*len(now.Lines) >= len(old.Lines) {
			t.Fault = e.add(RefGone, audit.Error, nil, of(old),
				fmt.Sprintf("%s: the ref %s is of an older text; the newest one does not list it.",
					short(t.Verb), short(t.Ref)),
				described(lines[0]))
			t.Why = "only an older text lists this ref"
			return
		}
	}
	if e.dialect != wire.MCP && e.namedBehind(now, t.Ref) {
		t.Why = "the request names this ref behind the text, and not in a list of elements"
		return
	}
	t.Why = "no line has this ref"
	if len(now.Lines) == 0 { // changes that only take out, of a list that is not in the request
		return
	}
	t.Fault = e.add(RefUnknown, audit.Error, nil, of(now),
		fmt.Sprintf("%s: no element %s has the ref %s.", short(t.Verb), held, short(t.Ref)),
		fmt.Sprintf("%s in the newest text, from %s to %s", text.Count(len(now.Lines), "element", "elements"),
			short(now.Lines[0].Ref), short(now.Lines[len(now.Lines)-1].Ref)))
}

// namedBehind reports whether a message behind that of a text names a ref, as one that only says what has changed does.
func (e *examination) namedBehind(now *observation.Text, ref string) bool {
	named := regexp.MustCompile(`(?:@|\bref=|["'\[])` + regexp.QuoteMeta(ref) + `(?:["'\]\s,]|$)`)
	for i := now.Message + 1; i < len(e.asked.Messages); i++ {
		m := e.asked.Messages[i]
		if m.Role == "assistant" {
			continue
		}
		if slices.ContainsFunc(m.Parts, func(p wire.Part) bool { return named.MatchString(p.Text) }) {
			return true
		}
	}
	return false
}

// differ reports whether lines with one ref are about different elements.
func differ(lines []observation.Line) bool {
	for _, l := range lines[1:] {
		if l.Role != lines[0].Role || l.Name != lines[0].Name || l.Node >= 0 && lines[0].Node >= 0 &&
			l.Node != lines[0].Node {
			return true
		}
	}
	return false
}

func described(l observation.Line) string { return short(l.Role) + " " + text.QuoteLine(short(l.Name)) }

// byName finds the elements that a text of the answer names.
func (e *examination) byName(t *Target) {
	key := text.Letters(t.Named)
	if key == "" {
		return
	}
	var found []*snapshot.Node
	if e.page != nil {
		for _, at := range e.page.Named(t.Named) {
			if n := &e.page.Capture().Nodes[at]; n.Control() && n.Verdict.Rendered() {
				found = append(found, n)
			}
		}
	}
	switch {
	case len(found) == 1:
		t.Node, t.Score, t.Why = found[0].I, tie.ScoreOnly, "the only control with these words"
	case len(found) > 1:
		t.Why = "several controls have these words"
		e.add(RefAmbiguous, audit.Warning, found[0], "",
			fmt.Sprintf("%s: %s of the page have these words.", short(t.Verb),
				text.Count(len(found), "control", "controls")),
			fmt.Sprintf("%s: %s and %s", text.QuoteLine(short(t.Named)), name(found[0]), name(found[1])))
	}
}

// checkTarget finds what keeps an action from its element.
func (e *examination) checkTarget(t *Target, n *snapshot.Node) {
	switch {
	case t.Point != nil: // it hits what it hits
	case n.Hidden():
		e.add(RefHidden, audit.Error, n, t.Section, fmt.Sprintf("%s: %s is hidden on the page.",
			short(t.Verb), name(n)),
			string(n.Verdict)+" "+n.Evidence)
	case n.Occlusion != nil && n.Occlusion.State == snapshot.Covered && t.Clicks():
		said := name(n) + " is covered by something"
		if n.Occlusion.Coverer != nil {
			if c := e.node(*n.Occlusion.Coverer); c != nil {
				if e.page.Tree().OfAgent(c) {
					return
				}
				said = name(n) + " is covered by " + name(c)
			}
		} else if outer := why.Around(e.page.Tree(), n); outer != nil {
			said = "a click on " + name(n) + " reaches " + name(outer) + " around it"
		}
		e.add(RefCovered, audit.Warning, n, t.Section, fmt.Sprintf("%s: %s.", short(t.Verb), said),
			text.Percent(n.Occlusion.HitShare)+" of it can be hit")
	}
}
