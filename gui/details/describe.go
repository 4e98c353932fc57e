package details

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// maxValue is how many runes of a value the details show; a copy has all of it.
const maxValue = 400

// ViewOf is what the pane about the selected element shows.
func ViewOf(s core.State) VM {
	if s.Current == nil {
		return VM{Empty: "Select an element to see its details."}
	}
	if !s.Selected.Some() {
		return VM{Empty: "Select an element in the picture or the text to see why it is kept or left out."}
	}
	t, n := s.Subject()
	if n == nil {
		return VM{Empty: "This element is not in the shown turn."}
	}
	d := Describer{C: t.Capture, n: n, here: t == s.Current, numbers: s.NumbersOf(t)}
	if Of(s).Turn == t && Of(s).Node == n.I {
		d.why, d.problem = Of(s).Answer, Of(s).Problem
	}
	if d.here {
		d.told(s)
	}
	d.element()
	d.reach()
	d.formats()
	d.history()
	d.geometry()
	d.identity()
	v := VM{Ref: n.Ref, Number: numberOf(d.numbers, n.Ref), Node: n.I, Title: why.Describe(n), Rows: d.Rows,
		Copies: d.copies(s), Note: coverNote(t.Capture, n, d.numbers)}
	if d.numbers.Own(n.Ref) != "" {
		v.Ours = fmt.Sprintf("ours %d", n.Ref)
	}
	if t == s.Previous && (s.Current.Capture.ByRef(n.Ref) == nil || n.Ref == 0) {
		v.Note = Note{fmt.Sprintf("Not in turn %d. These are its details from turn %d.", s.Current.N, t.N),
			core.ToneWarn}
	}
	return v
}

// numberOf is the number of an element as its head shows it, "" without one.
func numberOf(numbers *core.Numbers, ref int) string {
	if numbers.Of(ref) == 0 {
		return ""
	}
	return numbers.Text(ref)
}

// Describer gathers the facts about one node.
type Describer struct {
	C    *snapshot.Capture
	n    *snapshot.Node
	here bool // it is in the shown turn, so that its neighbours can be gone to
	// numbers are what is shown for refs, nil for the refs.
	numbers *core.Numbers
	// why and problem are what is known of the why; both nil until that is there.
	why     *Answer
	problem *core.Problem
	Rows    []Row
}

// Row adds a fact of the page, made harmless and cut.
func (d *Describer) Row(label, value string) *Row {
	return d.spelled(label, text.Line(value), text.Visible(value))
}

// spelled adds a fact that is put together of parts which are spelled out already.
func (d *Describer) spelled(label, value, whole string) *Row {
	d.Rows = append(d.Rows, Row{Label: label, Value: text.Cut(text.EscapeOnce(text.CollapseSpace(value)), maxValue),
		Copy: whole})
	return &d.Rows[len(d.Rows)-1]
}

// say is a row with a sentence that may name elements.
func (d *Describer) say(label, sentence string) *Row {
	words := d.numbers.Words(sentence)
	return d.spelled(label, words, words)
}

// element: what it is and why it is here.
func (d *Describer) element() {
	n := d.n
	d.verdict()
	d.Row("role", core.OrNone(n.Role, "none")).Tone = core.ToneIfEmpty(n.Role)
	name := d.Row("name", core.OrNone(n.Name, "none"))
	name.Tone = core.ToneIfEmpty(n.Name)
	if n.NameFrom != "" && n.Name != "" {
		d.Row("name from", n.NameFrom)
	}
	if n.Description != "" {
		d.Row("description", n.Description)
	}
	if slices.Contains(n.Redacted, "value") {
		d.Row("value", "Withheld: possible secret").Tone = core.ToneWarn
	} else if n.Value != "" {
		d.Row("value", n.Value)
	}
	if states := statesText(n.States); states != "" {
		d.Row("states", states)
	}
	if t := strings.TrimSpace(n.Text); t != "" && t != n.Name {
		d.Row("text", t)
	}
}

// reach: how much of it can be seen, and reached by a click.
func (d *Describer) reach() {
	n := d.n
	o := n.Occlusion
	switch {
	case n.Box.Empty() && len(n.TextRects) == 0:
		d.Row("visible", "No box").Tone = core.ToneMuted
	case !n.InViewport:
		d.Row("visible", "Outside the viewport").Tone = core.ToneMuted
	case o == nil:
	default:
		clicks := core.Percent(o.HitShare) + " clickable"
		if n.LetsClicksThrough() {
			clicks = "clicks pass through"
		}
		r := d.Row("visible", core.Percent(o.VisibleShare)+" seen · "+clicks)
		if o.State == snapshot.Covered {
			r.Tone = core.ToneBad
		} else if o.State == snapshot.Partly {
			r.Tone = core.ToneWarn
		}
		d.Row("click point", fmt.Sprintf("%s, %s", core.Px(o.Click[0]), core.Px(o.Click[1])))
		if o.Coverer != nil {
			word := "covered by"
			if o.State == snapshot.Clear {
				word = "overlaid by"
			}
			r := d.Row(word, CovererText(d.C, *o.Coverer, d.numbers))
			r.Tone, r.Go = core.ToneWarn, d.goTo(*o.Coverer)
		}
	}
	if sc := n.Scroller; sc != nil {
		more := "at the end"
		if sc.HasMore {
			more = "more below"
		}
		if sc.Range > 0 {
			d.Row("scrolls", fmt.Sprintf("%s of %s px · %s", core.Percent(sc.Depth), core.Px(sc.Range), more))
		}
		if sc.RangeX > 0 {
			d.Row("sideways", fmt.Sprintf("%s of %s px", core.Percent(sc.DepthX), core.Px(sc.RangeX)))
		}
	}
}

// geometry: where it is.
func (d *Describer) geometry() {
	n, b := d.n, d.n.Box
	if b.Empty() && len(n.TextRects) == 0 {
		return
	}
	box := fmt.Sprintf("%s, %s · %s × %s", core.Px(b.X()), core.Px(b.Y()), core.Px(b.W()), core.Px(b.H()))
	if s := d.C.Scroll; s.X != 0 || s.Y != 0 {
		box += fmt.Sprintf("  (page %s, %s)", core.Px(b.X()+s.X), core.Px(b.Y()+s.Y))
	}
	d.head("Where it is")
	d.Row("box", box)
	d.Row("corners", fmt.Sprintf("%s, %s to %s, %s", core.Px(b.X()), core.Px(b.Y()), core.Px(b.Right()),
		core.Px(b.Bottom())))
	x, y := b.Center()
	d.Row("middle", fmt.Sprintf("%s, %s", core.Px(x), core.Px(y)))
	if n.Clip != nil {
		d.Row("not clipped", fmt.Sprintf("%s, %s · %s × %s", core.Px(n.Clip.X()), core.Px(n.Clip.Y()),
			core.Px(n.Clip.W()), core.Px(n.Clip.H())))
	}
}

func (d *Describer) copies(s core.State) []CopyItem {
	var out []CopyItem
	if d.n.Path != "" {
		out = append(out, CopyItem{"Copy selector", text.Visible(d.n.Path)})
	}
	if b, err := json.MarshalIndent(d.n, "", "  "); err == nil {
		out = append(out, CopyItem{"Copy JSON", text.JSON(string(b))})
	}
	if doc := s.Doc(s.Format); doc != nil && doc.Doc != nil && d.here {
		var lines []string
		for _, i := range doc.Doc.LinesOf(d.n.I) {
			l := doc.Doc.Lines[i]
			lines = append(lines, doc.Doc.Text[l.Start:l.End])
		}
		if len(lines) > 0 {
			out = append(out, CopyItem{"Copy lines", strings.Join(lines, "\n")})
		}
	}
	return out
}

// Label is the element with that number in a few words, for a dialog.
func Label(s core.State, ref int) string {
	if s.Current != nil {
		if n := s.Current.Capture.ByRef(ref); n != nil {
			return fmt.Sprintf("%d  %s", ref, why.Describe(n))
		}
	}
	return fmt.Sprint(ref)
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
		case n.IsPicture() || n.Tag == "pre":
			parts = append(parts, "<"+n.Tag+">")
		}
	}
	if n.Evidence != "" && len(parts) == 0 {
		parts = append(parts, n.Evidence)
	}
	return strings.Join(parts, " · ")
}

// evidenceWords describes the evidence of [snapshot.Node.Interactive] in words.
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

// coverNote describes in a sentence or two what covers an element and what that
// means for a click. It is empty where nothing does.
func coverNote(c *snapshot.Capture, n *snapshot.Node, numbers *core.Numbers) Note {
	o := n.Occlusion
	if o == nil || o.State == snapshot.Clear && !o.ClickThrough {
		return Note{}
	}
	by := "something else"
	if o.Coverer != nil {
		by = CovererText(c, *o.Coverer, numbers)
	}
	if o.State == snapshot.Clear {
		return Note{fmt.Sprintf("Overlaid: %s lies over it and lets clicks pass. %s of it is visible; clicks work.",
			by, core.Percent(o.VisibleShare)), core.ToneWarn}
	}
	var text string
	if hit := foreignHits(c, n); hit > 0 {
		text = fmt.Sprintf("%d of %d points hit %s. ", hit, len(o.Points), by)
	}
	text += fmt.Sprintf("%s of it is visible. ", core.Percent(o.VisibleShare))
	if o.State == snapshot.Covered {
		return Note{"Covered: " + text + "Clicks are blocked.", core.ToneBad}
	}
	return Note{"Partly covered: " + text + "Clicks at the click point work.", core.ToneWarn}
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

// CovererText names the element that covers another one.
func CovererText(c *snapshot.Capture, i int, numbers *core.Numbers) string {
	n := c.Node(i)
	if n == nil {
		return "an element that was not captured"
	}
	if n.Ref > 0 {
		return numbers.Text(n.Ref) + " " + why.Describe(n)
	}
	return why.Describe(n)
}
