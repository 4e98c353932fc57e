package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// Which boxes the picture shows, by kind. What is left out is always said, with figures.

// BoxFilter is which kinds are left out, and the marks that remain.
type BoxFilter struct {
	Hidden [kinds]bool
	// Turn and For are what Scene was made for; Scene is nil until it is there.
	Turn  *Turn
	For   [kinds]bool
	Scene *overlay.Scene
}

// any reports whether a kind is left out.
func (f BoxFilter) any() bool { return f.Hidden != [kinds]bool{} }

// KindToggled shows or hides the boxes of a kind.
type KindToggled struct{ Kind Kind }

// KindsShown shows all boxes again.
type KindsShown struct{}

// Rescope asks for the marks of a turn without those of some kinds, which places all
// labels anew.
type Rescope struct {
	Turn   *Turn
	Hidden [kinds]bool
}

// Rescoped answers [Rescope].
type Rescoped struct {
	Turn   *Turn
	Hidden [kinds]bool
	Scene  *overlay.Scene
}

// ListKinds drops the list of kinds down.
type ListKinds struct{}

func (m KindToggled) Apply(s State) (State, []Effect) {
	if m.Kind < 0 || m.Kind >= kinds {
		return s, nil
	}
	s.Boxes.Hidden[m.Kind] = !s.Boxes.Hidden[m.Kind]
	s.Layers.Boxes = true // else nothing would be seen of it
	return s, nil
}

func (KindsShown) Apply(s State) (State, []Effect) {
	s.Boxes = BoxFilter{}
	return s, nil
}

func (m Rescoped) Apply(s State) (State, []Effect) {
	if s.Boxes.Turn == m.Turn && s.Boxes.For == m.Hidden {
		s.Boxes.Scene = m.Scene
	}
	return s, nil
}

// rescope asks for the marks that remain of the picture in view where these are others
// than are there. [Update] does so after every message.
func (s State) rescope(effects []Effect) (State, []Effect) {
	t, f := s.Pictured(), &s.Boxes
	if !f.any() || t == nil || t.Scene == nil {
		f.Turn, f.Scene = nil, nil
		return s, effects
	}
	if f.Turn == t && f.For == f.Hidden {
		return s, effects
	}
	if f.Turn != t {
		f.Scene = nil // of another picture; else the old marks stay until the new are there
	}
	f.Turn, f.For = t, f.Hidden
	return s, append(slices.Clip(effects), Rescope{t, f.Hidden})
}

// Without are the marks of a turn's picture without those of some kinds.
func (t *Turn) Without(hidden [kinds]bool) *overlay.Scene {
	out := map[int]bool{}
	for i := range t.Scene.Marks() {
		m := &t.Scene.Marks()[i]
		if n := t.Capture.Node(m.Node); n != nil && m.Status != overlay.Container && hidden[KindOf(m, n)] {
			out[m.Node] = true
		}
	}
	return overlay.NewScene(t.Capture, t.Scene.Size(), overlay.Options{View: overlay.ViewQA, Scope: func(n *snapshot.Node) bool { return !out[n.I] }})
}

// KindRow is one line of the list of kinds.
type KindRow struct {
	Kind  Kind
	Title string
	On    bool
}

// KindRows are the lines of the list of kinds, with how many marks of each there are.
func (s State) KindRows() []KindRow {
	var rows []KindRow
	var count [kinds]int
	if t := s.Pictured(); t != nil {
		count = t.Kinds
	}
	for _, k := range Kinds() {
		title := fmt.Sprintf("%s  (%s)", capital(k.String()), Thousands(count[k]))
		if k == KindOffscreen {
			title += ": no box on the picture"
		}
		rows = append(rows, KindRow{k, title, !s.Boxes.Hidden[k]})
	}
	return rows
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// boxesSay is what is left out of the boxes on the picture, "" where nothing is: 12 of 110
// boxes shown · without links, fields.
func (s State) boxesSay() string {
	t := s.Pictured()
	if t == nil || t.Scene == nil || !s.Boxes.any() {
		return ""
	}
	all, shown := 0, 0
	var without []string
	for _, k := range Kinds() {
		if k != KindOffscreen {
			all += t.Kinds[k]
		}
		switch {
		case s.Boxes.Hidden[k]:
			without = append(without, k.String())
		case k != KindOffscreen:
			shown += t.Kinds[k]
		}
	}
	return fmt.Sprintf("%s of %s shown · without %s", Thousands(shown), Plural(all, "box", "boxes"), strings.Join(without, ", "))
}

// CmdKinds drops the list of kinds down.
const CmdKinds = "boxes.kinds"

func kindCommands(State) []Command {
	const m = "View"
	list := []Command{
		{ID: CmdKinds, Title: "Choose which boxes are shown…", Menu: m, Key: "H", Gap: true, Enabled: pictured, Msg: send(Wanted{ListKinds{}})},
		{ID: "boxes.all", Title: "Show all boxes", Menu: m, Enabled: func(s State) bool { return s.Boxes.any() }, Msg: send(KindsShown{})},
	}
	list = append(list, Command{ID: CmdCosts, Title: "What the text costs, on the picture", Menu: "Tools", Key: "Shift+T", Enabled: pictured,
		Checked: func(s State) bool { return s.Costs.On }, Msg: send(CostsToggled{})})
	for _, k := range Kinds() {
		list = append(list, Command{ID: k.id(), Title: "Boxes: " + k.String(), Menu: m, Enabled: pictured,
			Checked: func(s State) bool { return !s.Boxes.Hidden[k] }, Msg: send(KindToggled{k})})
	}
	return list
}
