package app

import (
	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/gui/core"
)

// menus is the main menu made from the command table. Its items carry the
// shortcuts, because the main menu is asked first and thus wins over a focused
// entry.
type menus struct {
	main  *fyne.MainMenu
	items map[string]*fyne.MenuItem
	list  []core.Command
}

func newMenus(list []core.Command, run func(id string)) (*menus, error) {
	m := &menus{main: fyne.NewMainMenu(), items: map[string]*fyne.MenuItem{}, list: list}
	for _, title := range core.Menus() {
		menu := fyne.NewMenu(title)
		for _, c := range list {
			if c.Menu != title {
				continue
			}
			if c.Gap && len(menu.Items) > 0 {
				menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			}
			item := fyne.NewMenuItem(c.Title, func() { run(c.ID) })
			item.IsQuit = c.ID == "quit"
			if c.Key != "" {
				s, _, err := shortcut(c.Key)
				if err != nil {
					return nil, err
				}
				item.Shortcut = s
			}
			m.items[c.ID] = item
			menu.Items = append(menu.Items, item)
		}
		m.main.Items = append(m.main.Items, menu)
	}
	return m, nil
}

// set greys and ticks the items. It reports whether any changed, so that the menu
// is built again only then.
func (m *menus) set(s core.State) bool {
	changed := false
	for _, c := range m.list {
		item := m.items[c.ID]
		if item == nil { // it stands in no menu
			continue
		}
		disabled, checked := !c.Enabled(s), c.Checked != nil && c.Checked(s)
		if item.Disabled != disabled || item.Checked != checked {
			item.Disabled, item.Checked = disabled, checked
			changed = true
		}
	}
	return changed
}
