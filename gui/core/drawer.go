package core

// Drawer is what is drawn out below the picture.
type Drawer string

// DrawerNone: the picture has all the room.
const DrawerNone Drawer = ""

// DrawerToggled draws one out, or puts it away where it is out.
type DrawerToggled struct{ Drawer Drawer }

func (m DrawerToggled) Apply(s State) (State, []Effect) {
	if s.Drawer == m.Drawer {
		m.Drawer = DrawerNone
	}
	s.Drawer = m.Drawer
	return s, nil
}
