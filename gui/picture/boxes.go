package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Which boxes the picture shows, by kind. What is left out is always reported, with figures.

// BoxFilter is which kinds are left out, and the marks that remain.
type BoxFilter struct {
	Hidden [core.NumKinds]bool
	// For is what Scene was made for; Scene is nil until it is there.
	For   Rescope
	Scene *overlay.Scene
}

// any reports whether a kind is left out.
func (f BoxFilter) any() bool { return f.Hidden != [core.NumKinds]bool{} }

// Rescope asks for the marks of a turn without those of some kinds, or with other numbers on
// them, which places all labels again.
type Rescope struct {
	Turn    *core.Turn
	Hidden  [core.NumKinds]bool
	Numbers *core.Numbers
	// Refs are the agent's own numbers, nil where ours are shown; Both shows ours beside them, else the boxes of
	// elements that the agent was not told of are dashed and bear none.
	Refs *sentrequest.Refs
	Both bool
	// Audit has what a person sees and the model was not told, to be hatched; nil hatches nothing.
	Audit *audit.Sent
	// Draft has what the profile in the editor leaves out, to be hatched; LeftOut hatches what filters left out when
	// the turn was recorded.
	Draft   *profile.Check
	LeftOut bool
	// Black: in the look of exported pictures.
	Black bool
	// Text is the text in view where it lacks some of the elements, whose boxes are dashed; nil else.
	Text *dump.Document
}

// Whose numbers the picture shows, where the turn holds a text with an agent's own.
type Whose int

const (
	WhoseAgent Whose = iota
	WhoseOurs
	WhoseBoth
)

func (w Whose) String() string {
	return [...]string{"Agent's numbers", "Our numbers", "Both numbers"}[w]
}

// whoseChosen shows another set of numbers.
type whoseChosen struct{ Whose Whose }

// Apply implements [core.Msg].
func (m whoseChosen) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Whose = m.Whose
	s.Agent.Ours = m.Whose == WhoseOurs
	s.Layers.Boxes, s.Layers.Labels = true, true // else nothing would be seen of it
	return s, nil
}

// untoldToggled hatches what a person sees and the model was not told, or no longer.
func untoldToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Untold = !Of(s).Untold
		s.Layers.Occlusion = s.Layers.Occlusion || !Of(s).Untold // the layer of what is hatched
		return s, nil
	})
}

// leftOutToggled hatches what filters of the profile left out, or no longer.
func leftOutToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).LeftOut = !Of(s).LeftOut
		s.Layers.Occlusion = s.Layers.Occlusion || Of(s).LeftOut // the layer of what is hatched
		return s, nil
	})
}

// leftOut is how many elements filters left out of the turn whose picture is in view, with those in them.
func leftOut(s core.State) int {
	if t := s.Pictured(); t != nil && t.Capture != nil {
		return t.Capture.Verdicts[snapshot.VerdictFiltered]
	}
	return 0
}

// sentAudit is what a person sees beside what the model was told at the picture in view, nil where it is not known.
func sentAudit(s core.State) *audit.Sent {
	if r := sentrequest.Of(s); r.Turn != nil && r.Turn == s.Pictured() {
		return r.Audit
	}
	return nil
}

// blackToggled shows the boxes in the look of exported pictures, or in the colours of their kinds.
func blackToggled() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Black = !Of(s).Black
		s.Layers.Boxes = true // else nothing would be seen of it
		return s, nil
	})
}

// agentRefs are the agent's own numbers of the picture in view, nil where there are none.
func agentRefs(s core.State) *sentrequest.Refs {
	if r := sentrequest.Of(s); r.Turn == s.Pictured() {
		return r.Refs
	}
	return nil
}

// Rescoped answers [Rescope].
type Rescoped struct {
	Rescope
	Scene *overlay.Scene
}

// listKinds drops the list of kinds down.
type listKinds struct{}

// KindToggled shows or hides the boxes of a kind.
func KindToggled(kind core.Kind) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if kind < 0 || kind >= core.NumKinds {
			return s, nil
		}
		edit(&s).Boxes.Hidden[kind] = !Of(s).Boxes.Hidden[kind]
		s.Layers.Boxes = true // else nothing would be seen of it
		return s, nil
	})
}

// KindsShown shows all boxes again.
func KindsShown() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		edit(&s).Boxes.Hidden = [core.NumKinds]bool{}
		return s, nil
	})
}

func (m Rescoped) Apply(s core.State) (core.State, []core.Effect) {
	if Of(s).Boxes.For == m.Rescope {
		edit(&s).Boxes.Scene = m.Scene
	}
	return s, nil
}

// rescope asks for the marks that remain of the picture in view where these are others
// than are there. [core.Update] does so after every message.
func rescope(s core.State, effects []core.Effect) (core.State, []core.Effect) {
	t, now := s.Pictured(), Of(s).Boxes
	want := Rescope{Turn: t, Hidden: now.Hidden}
	if s.Reading.FromOne {
		want.Numbers = s.NumbersOf(t)
	}
	if w := Of(s).Whose; w != WhoseOurs {
		want.Refs, want.Both = agentRefs(s), w == WhoseBoth
	}
	if want.Refs.Numbers() == nil {
		want.Both = false
	}
	if found := sentAudit(s); found != nil && found.Missed > 0 && !Of(s).Untold {
		want.Audit = found
	}
	want.LeftOut = Of(s).LeftOut && leftOut(s) > 0
	if c := profile.Shown(s); c != nil && c.Turn == t {
		want.LeftOut = false
		if len(c.Out) > 0 {
			want.Draft = c
		}
	}
	want.Black = Of(s).Black
	if want.Refs == nil && t == s.Current && t != nil && t.Scene != nil {
		if d := s.Doc(s.Format); d != nil && d.Doc != nil {
			if l := &edit(&s).lacking; l.turn != t || l.text != d.Doc {
				*l = lacking{t, d.Doc, lacks(t, d.Doc)}
			}
			if Of(s).lacking.some {
				want.Text = d.Doc
			}
		}
	}
	if t == nil || t.Scene == nil || !now.any() && want.Numbers == nil && want.Refs == nil && want.Audit == nil &&
		want.Draft == nil && !want.LeftOut && !want.Black && want.Text == nil {
		want = Rescope{}
	}
	if now.For == want {
		return s, effects
	}
	f := &edit(&s).Boxes
	if f.For.Turn != want.Turn {
		f.Scene = nil // of another picture; else the old marks stay until the new are there
	}
	if f.For = want; want.Turn == nil {
		return s, effects
	}
	return s, append(slices.Clip(effects), want)
}

// lacking is whether a text lacks elements that the picture of its turn has a box of.
type lacking struct {
	turn *core.Turn
	text *dump.Document
	some bool
}

// lacks reports whether a text about elements has no line about one that has a box on the picture.
func lacks(t *core.Turn, d *dump.Document) bool {
	absent := false
	about := false
	for i := range t.Scene.Marks() {
		if m := &t.Scene.Marks()[i]; len(m.Rects) > 0 && m.Status != overlay.Container {
			in := d.LineOf(m.Node) >= 0
			about, absent = about || in, absent || !in
		}
	}
	return about && absent
}

// scene are the marks that are requested.
func (e Rescope) scene() *overlay.Scene {
	t, out := e.Turn, map[int]bool{}
	for i := range t.Scene.Marks() {
		m := &t.Scene.Marks()[i]
		n := t.Capture.Node(m.Node)
		if n == nil || m.Status == overlay.Container {
			continue
		}
		if e.Hidden[core.KindOf(m, n)] {
			out[m.Node] = true
		}
	}
	o := overlay.Options{View: overlay.ViewQA, Palette: overlay.PaletteCalm,
		Scope: func(n *snapshot.Node) bool { return !out[n.I] }}
	if e.Black {
		o.Palette = overlay.PaletteBlack
	}
	if e.Audit != nil {
		for _, m := range e.Audit.Missing {
			o.Missed = append(o.Missed, m.Box)
		}
	}
	if e.LeftOut {
		for i := range t.Capture.Nodes {
			n := &t.Capture.Nodes[i]
			if up := t.Capture.Node(n.Parent); n.Verdict == snapshot.VerdictFiltered &&
				(up == nil || up.Verdict != snapshot.VerdictFiltered) {
				o.Filtered = append(o.Filtered, n.VisibleBox())
			}
		}
	}
	if e.Draft != nil {
		for _, i := range e.Draft.Out {
			o.Filtered = append(o.Filtered, t.Capture.Node(i).VisibleBox())
		}
	}
	if e.Numbers != nil {
		o.Number = e.Numbers.Of
	}
	if e.Text != nil {
		o.LackedBy = string(e.Text.Format)
		o.Lacks = func(ref int) bool {
			n := t.Capture.ByRef(ref)
			return n != nil && e.Text.LineOf(n.I) < 0
		}
	}
	if e.Refs != nil {
		o.Label = e.Refs.Of
		o.Untold = func(ref int) bool { return e.Refs.Of(ref) == "" }
		if e.Both {
			o.Untold = nil
			o.Label = func(ref int) string {
				own := e.Refs.Of(ref)
				if own == "" {
					return ""
				}
				return own + "·" + e.Numbers.Text(ref)
			}
		}
	}
	return overlay.NewScene(t.Capture, t.Scene.Size(), o)
}

// KindRow is one line of the list of kinds.
type KindRow struct {
	Kind  core.Kind
	Title string
	On    bool
}

// KindRows are the lines of the list of kinds, with how many marks of each there are.
func KindRows(s core.State) []KindRow {
	var rows []KindRow
	var count [core.NumKinds]int
	if t := s.Pictured(); t != nil {
		count = t.Kinds
	}
	for _, k := range core.Kinds() {
		title := fmt.Sprintf("%s  (%s)", text.Capital(k.String()), text.Thousands(count[k]))
		if k == core.KindOffscreen {
			title += ": no box on the picture"
		}
		rows = append(rows, KindRow{k, title, !Of(s).Boxes.Hidden[k]})
	}
	return rows
}

// BoxesSay is what is left out of the boxes on the picture, "" where nothing is: 12 of 110
// boxes shown · without links, fields.
func BoxesSay(s core.State) string {
	t := s.Pictured()
	if t == nil || t.Scene == nil || !Of(s).Boxes.any() {
		return ""
	}
	all, shown := 0, 0
	var without []string
	for _, k := range core.Kinds() {
		if k != core.KindOffscreen {
			all += t.Kinds[k]
		}
		switch {
		case Of(s).Boxes.Hidden[k]:
			without = append(without, k.String())
		case k != core.KindOffscreen:
			shown += t.Kinds[k]
		}
	}
	return fmt.Sprintf("%s of %s shown · without %s", text.Thousands(shown), text.Count(all, "box", "boxes"),
		strings.Join(without, ", "))
}

// cmdUntold hatches what the model was not told.
const cmdUntold = "boxes.untold"

// cmdLeftOut hatches what filters left out.
const cmdLeftOut = "boxes.leftOut"

// cmdKinds drops the list of kinds down.
const cmdKinds = "boxes.kinds"

func kindCommands(core.State) []core.Command {
	const m = "View"
	list := []core.Command{
		{ID: cmdKinds, Title: "Choose boxes…", Menu: m, Key: "H", Gap: true, Enabled: core.Pictured,
			Msg: core.Send(core.Wanted(listKinds{}))},
		{ID: "boxes.black", Title: "Boxes as exported, in black", Menu: m, Enabled: core.Pictured,
			Checked: func(s core.State) bool { return Of(s).Black }, Msg: core.Send(blackToggled())},
		{ID: cmdUntold, Title: "Not told to the model, hatched", Menu: m, Key: "Shift+H",
			Enabled: func(s core.State) bool { a := sentAudit(s); return a != nil && a.Missed > 0 },
			Checked: func(s core.State) bool { return !Of(s).Untold }, Msg: core.Send(untoldToggled())},
		{ID: cmdLeftOut, Title: "Left out by filters, hatched", Menu: m, Key: "Shift+F",
			Enabled: func(s core.State) bool { return leftOut(s) > 0 },
			Checked: func(s core.State) bool { return Of(s).LeftOut }, Msg: core.Send(leftOutToggled())},
		{ID: "boxes.all", Title: "Show all boxes", Menu: m, Enabled: func(s core.State) bool {
			return Of(s).Boxes.any()
		}, Msg: core.Send(KindsShown())},
	}
	list = append(list, core.Command{ID: CmdCosts, Title: "Token map on the picture", Menu: "Tools", Key: "Shift+T",
		Enabled: core.Pictured,
		Checked: func(s core.State) bool { return Of(s).Costs.On }, Msg: core.Send(CostsToggled())})
	for _, w := range []Whose{WhoseAgent, WhoseOurs, WhoseBoth} {
		list = append(list, core.Command{ID: fmt.Sprintf("boxes.whose.%d", w), Menu: m,
			Title:   "Boxes with " + strings.ToLower(w.String()),
			Enabled: func(s core.State) bool { return agentRefs(s) != nil },
			Checked: func(s core.State) bool { return Of(s).Whose == w }, Msg: core.Send(whoseChosen{w})})
	}
	for _, k := range core.Kinds() {
		list = append(list, core.Command{ID: k.Id(), Title: "Boxes: " + k.String(), Menu: m, Enabled: core.Pictured,
			Checked: func(s core.State) bool { return !Of(s).Boxes.Hidden[k] }, Msg: core.Send(KindToggled(k))})
	}
	return list
}
