package shell

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/state"
)

// clicked takes a click on a mark where clicks go to the page.
func (s *Shell) clicked(ref int) bool {
	if !s.store.State().Act.On {
		return false
	}
	s.store.Dispatch(state.PictureClicked{Ref: ref})
	return true
}

// actItem is a menu of what can be done in the page with an element, nil where nothing
// can.
func (s *Shell) actItem(st state.State, ref int) *fyne.MenuItem {
	deeds := st.Deeds(ref)
	if len(deeds) == 0 {
		return nil
	}
	sub := fyne.NewMenu("")
	pressed := false
	for _, d := range deeds {
		if d.Deed == state.ActPress && !pressed {
			pressed = true
			sub.Items = append(sub.Items, fyne.NewMenuItemSeparator())
		}
		sub.Items = append(sub.Items, fyne.NewMenuItem(d.Title, func() { s.store.Dispatch(state.Acted{Ref: ref, Deed: d.Deed, Key: d.Key}) }))
	}
	item := fyne.NewMenuItem("In the page, with "+st.Label(ref), nil)
	item.ChildMenu = sub
	return item
}

// actItems are what can be done in the page with the elements under a point, for the menu
// of the picture: with the smallest at once where clicks go to the page.
func (s *Shell) actItems(refs []int) []*fyne.MenuItem {
	st := s.store.State()
	if len(refs) == 0 {
		return nil
	}
	item := s.actItem(st, refs[0])
	switch {
	case item == nil:
		return nil
	case st.Act.On:
		return append(item.ChildMenu.Items, fyne.NewMenuItemSeparator())
	}
	return []*fyne.MenuItem{item, fyne.NewMenuItemSeparator()}
}
