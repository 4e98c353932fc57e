package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// Which boxes the picture shows, by kind. What is left out is always said, with figures.

// Kind is a kind of box on the picture. Every mark is of exactly one.
type Kind int

const (
	KindLinks     Kind = iota
	KindFields         // what takes text or a choice
	KindButtons        // and what is pressed like one
	KindCovered        // of any of the above, where something lies over it or hides it
	KindOffscreen      // outside the picture, where it has no box to show
	KindOthers
	kinds
)

// Kinds are all kinds, in the order of the list.
func Kinds() []Kind {
	list := make([]Kind, kinds)
	for i := range list {
		list[i] = Kind(i)
	}
	return list
}

func (k Kind) String() string {
	return [kinds]string{"links", "fields", "buttons", "hidden or covered", "off screen", "others"}[k]
}

// id is the id of the command that shows or hides the kind.
func (k Kind) id() string {
	return "boxes." + [kinds]string{"links", "fields", "buttons", "covered", "offscreen", "others"}[k]
}

// KindOf is the kind of a mark and its node.
func KindOf(m *overlay.Mark, n *snapshot.Node) Kind {
	switch {
	case m.Status == overlay.Offscreen:
		return KindOffscreen
	case m.Status == overlay.Covered, m.Glass, n.Occlusion != nil && n.Occlusion.State != snapshot.Clear, len(m.Rects) == 0:
		return KindCovered
	}
	switch n.Role {
	case "link":
		return KindLinks
	case "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton", "option":
		return KindFields
	case "button", "menuitem", "menuitemcheckbox", "menuitemradio", "tab":
		return KindButtons
	}
	switch n.Tag {
	case "input", "select", "textarea":
		return KindFields
	case "button", "summary":
		return KindButtons
	case "a":
		return KindLinks
	}
	return KindOthers
}

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

// scene are the marks to show of a turn's picture.
func (s State) scene(t *Turn) *overlay.Scene {
	if s.Boxes.any() && s.Boxes.Turn == t && s.Boxes.Scene != nil {
		return s.Boxes.Scene
	}
	return t.Scene
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

// countKinds counts the marks of a scene by kind. Containers are not counted: they have
// no box of their own.
func countKinds(c *snapshot.Capture, scene *overlay.Scene) [kinds]int {
	var count [kinds]int
	for i := range scene.Marks() {
		m := &scene.Marks()[i]
		if n := c.Node(m.Node); n != nil && m.Status != overlay.Container {
			count[KindOf(m, n)]++
		}
	}
	return count
}

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
	for _, k := range Kinds() {
		list = append(list, Command{ID: k.id(), Title: "Boxes: " + k.String(), Menu: m, Enabled: pictured,
			Checked: func(s State) bool { return !s.Boxes.Hidden[k] }, Msg: send(KindToggled{k})})
	}
	return list
}
