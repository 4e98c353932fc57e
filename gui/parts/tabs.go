package parts

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/refscope/refscope/gui/core"
)

// TabRow is one row of tabs. Those that have no room go into a menu at its end, and the
// one that is on never does.
type TabRow struct {
	Box  *fyne.Container
	tabs []*Chip
	more *Chip
	menu func(hidden []int, under fyne.CanvasObject)
}

// NewTabRow makes one. menu drops down the tabs that have no room, by their places, from
// the button under.
func NewTabRow(tabs []*Chip, menu func(hidden []int, under fyne.CanvasObject)) *TabRow {
	r := &TabRow{tabs: tabs, menu: menu}
	r.more = NewChip(Tab, "More ▾", func() { r.menu(r.Hidden(), r.more) })
	r.Box = container.New(r)
	for _, t := range tabs {
		r.Box.Add(t)
	}
	r.Box.Add(r.more)
	return r
}

// Hidden are the places of the tabs that have no room.
func (r *TabRow) Hidden() []int {
	var out []int
	for i, t := range r.tabs {
		if !t.Visible() {
			out = append(out, i)
		}
	}
	return out
}

// MinSize implements fyne.Layout: one tab and the menu.
func (r *TabRow) MinSize([]fyne.CanvasObject) fyne.Size {
	m := r.more.MinSize()
	w := float32(0)
	for _, t := range r.tabs {
		if t.On() {
			w = t.MinSize().Width
		}
	}
	return fyne.NewSize(m.Width+w, m.Height)
}

// Layout implements fyne.Layout. The menu has the badges of what is wrong in its tabs; they take
// room, so that a further tab may go into it.
func (r *TabRow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	for range r.tabs {
		r.place(size)
		var bad []core.StatusItem
		for _, i := range r.Hidden() {
			for _, b := range r.tabs[i].badges {
				if b.Tone == core.ToneBad {
					bad = append(bad, b)
				}
			}
		}
		if slices.Equal(bad, r.more.badges) {
			return
		}
		r.more.SetBadges(bad)
	}
}

// place puts the tabs beside each other, as far as there is room.
func (r *TabRow) place(size fyne.Size) {
	all := float32(0)
	for _, t := range r.tabs {
		all += t.MinSize().Width
	}
	room := size.Width
	Show(r.more, all > room)
	if all > room {
		room -= r.more.MinSize().Width
	}
	for _, t := range r.tabs {
		if t.On() {
			room -= t.MinSize().Width
		}
	}
	x, full := float32(0), false
	for _, t := range r.tabs {
		m := t.MinSize()
		if !t.On() {
			full = full || m.Width > room
			Show(t, !full)
			if full {
				continue
			}
			room -= m.Width
		} else {
			t.Show()
		}
		t.Resize(fyne.NewSize(m.Width, size.Height))
		t.Move(fyne.NewPos(x, 0))
		x += m.Width
	}
	r.more.Resize(fyne.NewSize(r.more.MinSize().Width, size.Height))
	r.more.Move(fyne.NewPos(x, 0))
}
