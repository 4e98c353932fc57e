package core

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
)

// maxValue is how many runes of a value the details show; a copy has all of it.
const maxValue = 400

// Details is what the pane about the selected element shows.
func (s State) Details() DetailsVM {
	if s.Shown == nil {
		return DetailsVM{Empty: "Nothing to describe yet."}
	}
	if !s.Selected.Some() {
		return DetailsVM{Empty: "Click anywhere on the picture, or a line of the text, to read why the element is there, or why not."}
	}
	t, n := s.subject()
	if n == nil {
		return DetailsVM{Empty: "This element is not in the shown turn."}
	}
	d := describer{c: t.Capture, n: n, here: t == s.Shown}
	if s.Why.Turn == t && s.Why.Node == n.I {
		d.why, d.problem = s.Why.Answer, s.Why.Problem
	}
	d.element()
	d.reach()
	d.formats()
	d.history()
	d.geometry()
	d.identity()
	v := DetailsVM{Ref: n.Ref, Node: n.I, Title: describe(n), Rows: d.rows, Copies: d.copies(s), Note: coverNote(t.Capture, n)}
	if t == s.Before && (s.Shown.Capture.ByRef(n.Ref) == nil || n.Ref == 0) {
		v.Note = DetailNote{fmt.Sprintf("It is not in turn %d any more; this is what it was in turn %d.", s.Shown.N, t.N), ToneWarn}
	}
	return v
}

// describer gathers the facts about one node.
type describer struct {
	c    *snapshot.Capture
	n    *snapshot.Node
	here bool // it is in the shown turn, so that its neighbours can be gone to
	// why and problem are what is known of the why; both nil until that is there.
	why     *Answer
	problem *Problem
	rows    []DetailRow
}

func (d *describer) row(label, value string) *DetailRow {
	d.rows = append(d.rows, DetailRow{Label: label, Value: Plain(value, maxValue), Copy: value})
	return &d.rows[len(d.rows)-1]
}

// element: what it is and why it is here.
func (d *describer) element() {
	n := d.n
	d.verdict()
	d.row("role", orNone(n.Role, "none")).Tone = toneIfEmpty(n.Role)
	name := d.row("name", orNone(n.Name, "none"))
	name.Tone = toneIfEmpty(n.Name)
	if n.NameFrom != "" && n.Name != "" {
		name.Value += "  (from " + Plain(n.NameFrom, 60) + ")"
	}
	if n.Description != "" {
		d.row("description", n.Description)
	}
	if slices.Contains(n.Redacted, "value") {
		d.row("value", "kept out: it may be a secret").Tone = ToneWarn
	} else if n.Value != "" {
		d.row("value", n.Value)
	}
	if states := statesText(n.States); states != "" {
		d.row("states", states)
	}
	if t := strings.TrimSpace(n.Text); t != "" && t != n.Name {
		d.row("text", t)
	}
}

// reach: how much of it can be seen, and reached by a click.
func (d *describer) reach() {
	n := d.n
	o := n.Occlusion
	switch {
	case n.Box.Empty() && len(n.TextRects) == 0:
		d.row("visible", "it has no box").Tone = ToneMuted
	case !n.InViewport:
		d.row("visible", "outside the viewport").Tone = ToneMuted
	case o == nil:
	default:
		r := d.row("visible", fmt.Sprintf("%s seen · %s reached by a click", percent(o.VisibleShare), percent(o.HitShare)))
		if o.State == snapshot.Covered {
			r.Tone = ToneBad
		} else if o.State == snapshot.Partly {
			r.Tone = ToneWarn
		}
		d.row("click point", fmt.Sprintf("%s, %s", px(o.Click[0]), px(o.Click[1])))
		if o.Coverer != nil {
			word := "covered by"
			if o.State == snapshot.Clear {
				word = "under glass"
			}
			r := d.row(word, covererText(d.c, *o.Coverer))
			r.Tone, r.Go = ToneWarn, d.goTo(*o.Coverer)
		}
	}
	if sc := n.Scroller; sc != nil {
		more := "at its end"
		if sc.HasMore {
			more = "more below"
		}
		if sc.Range > 0 {
			d.row("scrolls", fmt.Sprintf("%s of %s px · %s", percent(sc.Depth), px(sc.Range), more))
		}
		if sc.RangeX > 0 {
			d.row("sideways", fmt.Sprintf("%s of %s px", percent(sc.DepthX), px(sc.RangeX)))
		}
	}
}

// geometry: where it is.
func (d *describer) geometry() {
	n, b := d.n, d.n.Box
	if b.Empty() && len(n.TextRects) == 0 {
		return
	}
	box := fmt.Sprintf("%s, %s · %s × %s", px(b.X()), px(b.Y()), px(b.W()), px(b.H()))
	if s := d.c.Scroll; s.X != 0 || s.Y != 0 {
		box += fmt.Sprintf("  (page %s, %s)", px(b.X()+s.X), px(b.Y()+s.Y))
	}
	d.head("Where it is")
	d.row("box", box)
	d.row("corners", fmt.Sprintf("%s, %s to %s, %s", px(b.X()), px(b.Y()), px(b.Right()), px(b.Bottom())))
	x, y := b.Center()
	d.row("middle", fmt.Sprintf("%s, %s", px(x), px(y)))
	if n.Clip != nil {
		d.row("not clipped", fmt.Sprintf("%s, %s · %s × %s", px(n.Clip.X()), px(n.Clip.Y()), px(n.Clip.W()), px(n.Clip.H())))
	}
}

func (d *describer) copies(s State) []DetailCopy {
	var out []DetailCopy
	if d.n.Path != "" {
		out = append(out, DetailCopy{"selector", d.n.Path})
	}
	if b, err := json.MarshalIndent(d.n, "", "  "); err == nil {
		out = append(out, DetailCopy{"JSON", string(b)})
	}
	if doc := s.Doc(s.Format); doc != nil && doc.Doc != nil && d.here {
		var lines []string
		for _, i := range doc.Doc.LinesOf(d.n.I) {
			l := doc.Doc.Lines[i]
			lines = append(lines, doc.Doc.Text[l.Start:l.End])
		}
		if len(lines) > 0 {
			out = append(out, DetailCopy{"lines", strings.Join(lines, "\n")})
		}
	}
	return out
}

// Label is the element with that number in a few words, for a dialog.
func (s State) Label(ref int) string {
	if s.Shown != nil {
		if n := s.Shown.Capture.ByRef(ref); n != nil {
			return fmt.Sprintf("%d  %s", ref, describe(n))
		}
	}
	return fmt.Sprint(ref)
}

// describe is an element in a few words: button “Place order”.
func describe(n *snapshot.Node) string {
	word := n.Role
	if word == "" || word == "generic" {
		word = "<" + n.Tag + ">"
	}
	word = Plain(word, 30)
	if name := Plain(n.Name, 60); name != "" {
		return word + " “" + name + "”"
	}
	return word
}

func keptBecause(n *snapshot.Node) string {
	var parts []string
	for _, e := range n.Interactive {
		if words, ok := evidenceWords[e]; ok {
			e = words
		}
		parts = append(parts, e)
	}
	if len(parts) == 0 {
		switch {
		case n.Verdict == snapshot.VerdictContent:
			parts = append(parts, "line of text <"+n.Tag+">")
		case snapshot.IsHeading(n.Tag) || n.Role == "heading":
			parts = append(parts, "heading")
		case n.Container():
			parts = append(parts, "container <"+n.Tag+">")
		case n.Tag == "img" || n.Tag == "pre":
			parts = append(parts, "<"+n.Tag+">")
		}
	}
	if n.Evidence != "" && len(parts) == 0 {
		parts = append(parts, n.Evidence)
	}
	return strings.Join(parts, " · ")
}

// evidenceWords says the evidence of [snapshot.Node.Interactive] in words.
var evidenceWords = map[string]string{
	"native":          "native control",
	"role":            "interactive role",
	"tabindex":        "can be focused",
	"contenteditable": "editable text",
	"listener":        "click listener",
	"cursor":          "pointer cursor",
	"label":           "label of a control",
}

func statesText(st snapshot.States) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(st)) {
		switch v := st[k].(type) {
		case bool:
			if v {
				parts = append(parts, k)
			} else {
				parts = append(parts, "not "+k)
			}
		default:
			parts = append(parts, fmt.Sprintf("%s %v", k, v))
		}
	}
	return strings.Join(parts, " · ")
}

// coverNote says in a sentence or two what lies over an element and what that
// means for a click. It is empty where nothing does.
func coverNote(c *snapshot.Capture, n *snapshot.Node) DetailNote {
	o := n.Occlusion
	if o == nil || o.State == snapshot.Clear && !o.ClickThrough {
		return DetailNote{}
	}
	by := "something else"
	if o.Coverer != nil {
		by = covererText(c, *o.Coverer)
	}
	if o.State == snapshot.Clear {
		return DetailNote{fmt.Sprintf("Under glass: %s lies over it and lets clicks pass. %s of it can be seen; a click at its click point arrives.", by, percent(o.VisibleShare)), ToneWarn}
	}
	var text string
	if hit := foreignHits(c, n); hit > 0 {
		text = fmt.Sprintf("%d of %d points hit %s. ", hit, len(o.Points), by)
	}
	text += fmt.Sprintf("%s of it can be seen. ", percent(o.VisibleShare))
	if o.State == snapshot.Covered {
		return DetailNote{"Covered: " + text + "A click at its click point does not arrive.", ToneBad}
	}
	return DetailNote{"Partly covered: " + text + "A click at its click point arrives.", ToneWarn}
}

// foreignHits counts the sample points that landed outside of the element.
func foreignHits(c *snapshot.Capture, n *snapshot.Node) int {
	count := 0
	for _, p := range n.Occlusion.Points {
		inside := false
		for i := int(p[2]); i >= 0; {
			if i == n.I {
				inside = true
				break
			}
			up := c.Node(i)
			if up == nil || up.Parent >= i {
				break
			}
			i = up.Parent
		}
		if !inside {
			count++
		}
	}
	return count
}

func covererText(c *snapshot.Capture, i int) string {
	n := c.Node(i)
	if n == nil {
		return "an element that was not captured"
	}
	if n.Ref > 0 {
		return fmt.Sprintf("%d %s", n.Ref, describe(n))
	}
	return describe(n)
}
