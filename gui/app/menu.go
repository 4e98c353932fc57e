package app

import (
	"strings"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"

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

// quietShortcut is a shortcut that Fyne runs and does not draw: it draws keys at a fifth of
// the contrast of the title, which nobody can read. The key is in a column of its own.
type quietShortcut struct{ name string }

// ShortcutName implements fyne.Shortcut.
func (q quietShortcut) ShortcutName() string { return q.name }

func newMenus(list []core.Command, pick func(core.Command)) (*menus, error) {
	m := &menus{main: fyne.NewMainMenu(), items: map[string]*fyne.MenuItem{}, list: list}
	for _, title := range core.Menus() {
		menu := fyne.NewMenu(title)
		subs := map[string]*fyne.Menu{}
		for _, c := range list {
			if c.Menu != title {
				continue
			}
			item := fyne.NewMenuItem(c.Title, func() { pick(c) })
			item.IsQuit = c.ID == "quit"
			if c.Key != "" {
				s, _, err := shortcut(c.Key)
				if err != nil {
					return nil, err
				}
				item.Shortcut = quietShortcut{s.ShortcutName()}
			}
			m.items[c.ID] = item
			into := menu
			if sub := c.Submenu(); sub != "" && sub != title {
				if into = subs[sub]; into == nil {
					into = fyne.NewMenu(sub)
					subs[sub] = into
					parent := fyne.NewMenuItem(sub, nil)
					parent.ChildMenu = into
					menu.Items = append(menu.Items, parent)
				}
			} else if c.Gap && len(menu.Items) > 0 {
				menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			}
			into.Items = append(into.Items, item)
		}
		m.main.Items = append(m.main.Items, menu)
	}
	return m, nil
}

// pick runs the command of a menu's entry. The main menu is asked for keys before anything else, so it passes on what
// is not its own: the key of a command that cannot be run now, and Ctrl+Enter in a dialog, belong to the field that has
// the keyboard.
func (s *Shell) pick(c core.Command) {
	st := s.State()
	if !c.Enabled(st) || c.Key == "Ctrl+Enter" && st.Dialog != core.DialogNone {
		key, plain, err := shortcut(c.Key)
		if f, ok := s.win.Canvas().Focused().(fyne.Shortcutable); ok && err == nil && !plain {
			f.TypedShortcut(key)
			return
		}
	}
	s.run(c.ID)
}

// column writes the key of each item behind its title, in one column for each menu. The
// column begins at a tab stop: a menu item is a title and nothing else. It is
// written again when the text has another size.
func (m *menus) column() {
	keys := map[*fyne.MenuItem]string{}
	for _, c := range m.list {
		if item := m.items[c.ID]; item != nil {
			keys[item], item.Label = c.Key, c.Title
		}
	}
	size := fyne.CurrentApp().Settings().Theme().Size(fynetheme.SizeNameText)
	wide := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
	var write func(menu *fyne.Menu)
	write = func(menu *fyne.Menu) {
		most := float32(0)
		for _, item := range menu.Items {
			most = max(most, wide(item.Label))
		}
		for _, item := range menu.Items {
			if item.ChildMenu != nil {
				write(item.ChildMenu)
			}
			if key := keys[item]; key != "" {
				label := item.Label + "\t"
				for wide(label) < most+8 {
					label += "\t"
				}
				item.Label = label + key
			}
		}
	}
	for _, menu := range m.main.Items {
		write(menu)
	}
}

// openMenu drops the menu down that has a title beginning with a letter; 0 is the first.
func (s *Shell) openMenu(letter rune) {
	c, ok := s.win.Canvas().(interface{ ToggleMenu() })
	if !ok {
		return
	}
	at := 0
	for i, menu := range s.menus.main.Items {
		if letter != 0 && strings.EqualFold(menu.Label[:1], string(letter)) {
			at = i
			break
		}
	}
	c.ToggleMenu()
	for range at {
		if f := s.win.Canvas().Focused(); f != nil {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		}
	}
}

// set greys and ticks the items. It reports whether any changed, so that the menu
// is built again only then.
func (m *menus) set(s core.State) bool {
	changed := false
	for _, c := range m.list {
		item := m.items[c.ID]
		if item == nil { // it is in no menu
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
