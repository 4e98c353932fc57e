package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// missLimit is how many misses of a format a report lists.
const missLimit = 200

// Share is how much of what a person sees a format has.
type Share struct {
	Seen int `json:"seen"` // what a person sees
	Has  int `json:"has"`  // of these
}

// Ratio is Has of Seen, 0 to 1; 1 where there is nothing to see.
func (s Share) Ratio() float64 {
	if s.Seen == 0 {
		return 1
	}
	return float64(s.Has) / float64(s.Seen)
}

// Kinds of a [Miss].
const (
	missedText    = "text"
	missedControl = "control"
	missedPicture = "picture"
)

// Miss is something that a person sees and the format lacks.
type Miss struct {
	Kind string `json:"kind"`           // what is missed: a text, a control or a picture
	Node int    `json:"node"`           // the index of the element
	Ref  int    `json:"ref,omitempty"`  // the number of the element, 0 for none
	Text string `json:"text,omitempty"` // of the page, one line
	// Characters are those that are missing, of a text.
	Characters int `json:"characters,omitempty"`
	// Reason is the format's reason or a verdict, "" where nothing explains the miss;
	// Explanation explains it in a sentence.
	Reason      string       `json:"reason,omitempty"`
	Explanation string       `json:"explanation"`
	Box         snapshot.Box `json:"box"`
	// ToldBy are, for what an agent's own text lacks, the formats whose text lacks nothing of it, "aria"; where none
	// does without an option, those that do with one: "aria --link-urls".
	ToldBy []string `json:"toldBy,omitempty"`
}

// Coverage is what a format has of what a person sees.
type Coverage struct {
	Format dump.Format `json:"format"`
	Compat bool        `json:"compat,omitempty"` // the format as its own project writes it, with its faults
	// Text counts the characters in the viewport, Page those of the whole page, which a
	// person who scrolls sees. Controls and Pictures are those in the viewport.
	Text     Share `json:"text"`
	Page     Share `json:"page"`
	Controls Share `json:"controls"`
	Pictures Share `json:"pictures"`
	// Truncated: a limit cut the dump.
	Truncated bool `json:"truncated,omitempty"`
	// CutOff: the page was not read whole, so that the shares are those of what was read.
	CutOff bool `json:"cutOff,omitempty"`
	// Misses are those in the viewport, the longest texts first; at most 200. Missed
	// counts them all, and Unexplained those for which neither a verdict nor the
	// format has a reason.
	Misses      []Miss `json:"misses"`
	Missed      int    `json:"missed"`
	Unexplained int    `json:"unexplained"`

	// elements are those in the viewport that are a text, a control or a picture, and of them those that lack nothing.
	elements Share
}

// pictureSize is the width and height, in CSS px, from which on a picture counts as content.
const pictureSize = 24

// cover measures one format, and notes what it lacks.
func (a *auditor) cover(r *reading) Coverage {
	cov := Coverage{Format: r.Format, Compat: r.compat, Truncated: r.Truncated, CutOff: a.c.CutOff() != "",
		Misses: []Miss{}}
	for p := range a.c.Nodes {
		n := &a.c.Nodes[p]
		s := a.sight[p].state
		if s != seen && s != away {
			continue
		}
		before, counted := cov.Missed, cov.Text.Seen+cov.Controls.Seen+cov.Pictures.Seen
		if text := a.shows(n); text != "" {
			has, total := a.hasOwn(r, n, text)
			cov.Page.Seen += total
			cov.Page.Has += has
			if s == seen && (len(n.TextRects) > 0 || isDrawing(n) || keptOut(n) || snapshot.IsFormControl(n.Tag)) {
				cov.Text.Seen += total
				cov.Text.Has += has
				if has < total {
					cov.miss(a, r, n, Miss{Kind: missedText, Text: a.short(text), Characters: total - has})
				}
			}
		}
		if s != seen {
			continue
		}
		if isControl(n) {
			cov.Controls.Seen++
			if a.has(r, n) {
				cov.Controls.Has++
			} else {
				cov.miss(a, r, n, Miss{Kind: missedControl, Text: a.short(n.Name)})
			}
		}
		if isPicture(n) && n.VisibleBox().W() >= pictureSize && n.VisibleBox().H() >= pictureSize && !a.inPicture(n) {
			cov.Pictures.Seen++
			if a.has(r, n) {
				cov.Pictures.Has++
			} else {
				cov.miss(a, r, n, Miss{Kind: missedPicture, Text: a.short(n.Name)})
			}
		}
		if cov.Text.Seen+cov.Controls.Seen+cov.Pictures.Seen > counted {
			cov.elements.Seen++
			if cov.Missed == before {
				cov.elements.Has++
			}
		}
	}
	slices.SortStableFunc(cov.Misses, func(x, y Miss) int { return cmp.Compare(y.Characters, x.Characters) })
	if len(cov.Misses) > missLimit {
		cov.Misses = cov.Misses[:missLimit]
	}
	return cov
}

// shows is the text of its own that an element shows. What a filter leaves out is one for the formats that it leaves it
// out of, and for an agent, which knows of no filter, the elements that it is.
func (a *auditor) shows(n *snapshot.Node) string {
	if keptOut(n) && !a.sent {
		return a.tree.Gather(n, snapshot.Gather{All: true, NoAlt: true, MaxBytes: 8_000, MaxNodes: 1_000})
	}
	return shown(n)
}

// hasOwn is how many characters of the text that the element shows the format has.
// Stretches of text between its children are looked for one by one.
func (a *auditor) hasOwn(r *reading, n *snapshot.Node, text string) (has, total int) {
	if len(n.Runs) < 2 || snapshot.IsFormControl(n.Tag) {
		return r.has(a.tree, n, text)
	}
	for _, run := range n.Runs {
		h, t := r.has(a.tree, n, run.Text)
		has, total = has+h, total+t
	}
	return has, total
}

// has reports whether the format has a line about the element, a part of one, or its
// words within the line of what is around it.
func (a *auditor) has(r *reading, n *snapshot.Node) bool {
	if len(r.LinesOf(n.I)) > 0 {
		return true
	}
	if n.Verdict != snapshot.VerdictInsideAtomic && n.Verdict != snapshot.VerdictWrapper &&
		r.omitted[n.I].Reason != dump.ReasonDuplicate {
		return false
	}
	for up := range a.tree.Ancestors(n.I) {
		if len(r.LinesOf(up.I)) > 0 {
			if !hasWord(n.Name) {
				return len(up.Interactive) > 0 // it is a part of that control
			}
			has, total := r.has(a.tree, n, n.Name)
			return has == total
		}
	}
	return false
}

func (c *Coverage) miss(a *auditor, r *reading, n *snapshot.Node, m Miss) {
	m.Node, m.Ref, m.Box = n.I, n.Ref, n.VisibleBox()
	m.Reason, m.Explanation = a.reason(r, n)
	if m.Reason == "" {
		c.Unexplained++
	}
	c.Missed++
	c.Misses = append(c.Misses, m)
	a.missing(r, n, m)
}

// reason is why a format lacks an element, or its words.
func (a *auditor) reason(r *reading, n *snapshot.Node) (reason, text string) {
	of := func(n *snapshot.Node) bool {
		if o, ok := r.omitted[n.I]; ok {
			reason, text = o.Reason, why.ReasonWords(o.Reason)
			if o.Detail != "" {
				text += " (" + a.short(o.Detail) + ")"
			}
			return true
		}
		switch n.Verdict {
		case snapshot.VerdictRef, snapshot.VerdictContent, snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic:
			return false
		}
		reason, text = string(n.Verdict), why.VerdictWords(n.Verdict)
		return true
	}
	if of(n) {
		return reason, text
	}
	for up := range a.tree.Ancestors(n.I) {
		if of(up) {
			return reason, text + ", as part of " + a.say(up)
		}
	}
	if up := a.namer(r, n); up != nil { // also where a limit cut other lines
		return namedOtherwise, "the line of " + a.say(up) + " has its name instead"
	}
	if o, ok := r.omitted[-1]; ok {
		return o.Reason, why.ReasonWords(o.Reason)
	}
	if r.Truncated {
		return dump.ReasonCut, why.ReasonWords(dump.ReasonCut)
	}
	if n.Verdict == snapshot.VerdictWrapper && len(r.LinesOf(n.I)) == 0 {
		return string(n.Verdict), why.VerdictWords(n.Verdict)
	}
	return "", "neither its verdict nor the format gives a reason"
}

// namedOtherwise is the reason of a miss where the line has the element's accessible
// name, and that is not what is written on it.
const namedOtherwise = "named-otherwise"

// namer is the element whose line has a name in place of the element's text, nil for
// none: itself or what is around it.
func (a *auditor) namer(r *reading, n *snapshot.Node) *snapshot.Node {
	own := fold(shown(n))
	named := func(by *snapshot.Node) bool {
		return hasWord(by.Name) && len(r.LinesOf(by.I)) > 0 && (by.NameFrom != "content" || by != n &&
			!strings.Contains(fold(by.Name), own))
	}
	if named(n) {
		return n
	}
	for up := range a.tree.Ancestors(n.I) {
		if named(up) {
			return up
		}
		if snapshot.IsFrame(up.Tag) {
			break
		}
	}
	return nil
}

// missing notes a miss as a finding; the same of a second format joins it.
func (a *auditor) missing(r *reading, n *snapshot.Node, m Miss) {
	rule := TextMissing
	sentence := fmt.Sprintf("%s lacks %s of %s: %s.", r.Format, text.Count(m.Characters, "visible character",
		"visible characters"), a.say(n), m.Explanation)
	switch m.Kind {
	case missedControl:
		rule, sentence = ControlMissing, fmt.Sprintf("%s lacks the control %s: %s.", r.Format, a.say(n), m.Explanation)
	case missedPicture:
		return // see pictures
	}
	severity := Warning
	switch m.Reason {
	case dump.ReasonRole, dump.ReasonNoNumber, dump.ReasonQuery, dump.ReasonScope:
		severity = Note // the format is meant to be so
	case namedOtherwise:
		severity = Note // a name that misleads is LabelUnlikeText's to judge
	}
	a.add(rule, severity, n, Finding{Sentence: sentence, Evidence: m.Text, Formats: []dump.Format{r.Format}},
		string(r.Format)+"\x00"+m.Text)
}

// isControl reports whether an agent is to operate the element: by more than the look of
// its cursor.
func isControl(n *snapshot.Node) bool {
	if n.Tag == "label" || n.Box.W() <= speck || n.Box.H() <= speck {
		return false
	}
	return n.Control()
}

// isPicture reports whether the element shows something that no text of the page contains.
func isPicture(n *snapshot.Node) bool {
	switch n.Tag {
	case "img", "canvas", "video", "object", "embed", "svg":
		return true
	case "input":
		return n.Attr("type") == "image"
	}
	return n.Role == "img"
}

// inPicture reports whether a picture lies in another one.
func (a *auditor) inPicture(n *snapshot.Node) bool {
	up := a.tree.Node(n.Parent)
	for k := 0; up != nil && k < 4; k++ {
		if isPicture(up) {
			return true
		}
		up = a.tree.Node(up.Parent)
	}
	return false
}
