package core

import (
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// Kind is a kind of box on the picture. Every mark is of exactly one.
type Kind int

func (k Kind) String() string {
	return [NumKinds]string{"links", "fields", "buttons", "hidden or covered", "off screen", "others"}[k]
}

// id is the id of the command that shows or hides the kind.
func (k Kind) Id() string {
	return "boxes." + [NumKinds]string{"links", "fields", "buttons", "covered", "offscreen", "others"}[k]
}

const (
	KindLinks     Kind = iota
	KindFields         // what takes text or a choice
	KindButtons        // and what is pressed like one
	KindCovered        // of any of the above, where something lies over it or hides it
	KindOffscreen      // outside the picture, where it has no box to show
	KindOthers
	NumKinds
)

// Kinds are all kinds, in the order of the list.
func Kinds() []Kind {
	list := make([]Kind, NumKinds)
	for i := range list {
		list[i] = Kind(i)
	}
	return list
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

// countKinds counts the marks of a scene by kind. Containers are not counted: they have
// no box of their own.
func countKinds(c *snapshot.Capture, scene *overlay.Scene) [NumKinds]int {
	var count [NumKinds]int
	for i := range scene.Marks() {
		m := &scene.Marks()[i]
		if n := c.Node(m.Node); n != nil && m.Status != overlay.Container {
			count[KindOf(m, n)]++
		}
	}
	return count
}
