package palette

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// Help is the dialog of all commands and their keys.
type Help struct {
	box   fyne.CanvasObject
	table fyne.CanvasObject
}

// Object returns the object to lay out; nothing in it takes the keyboard, and it shows always the same.
func (h *Help) Object() fyne.CanvasObject { return h.box }
func (h *Help) Focus() fyne.Focusable     { return nil }
func (h *Help) Show(core.State)           {}

// Size is that at which nothing has to be scrolled, where there is room.
func (h *Help) Size(window fyne.Size) fyne.Size {
	m, t := h.box.MinSize(), h.table.MinSize()
	const pad = 56 // Fyne units around it
	return fyne.NewSize(min(max(m.Width, t.Width+48)+pad, window.Width*0.96),
		min(m.Height+t.Height+44, window.Height*0.92))
}

// NewHelp lists every command with its key, from the command table, in three columns of
// menus.
func NewHelp(win *parts.Window) *Help {
	list := win.State().Commands()
	columns := []*fyne.Container{container.NewVBox(), container.NewVBox(), container.NewVBox()}
	heights := make([]int, len(columns))
	for _, menu := range core.Menus() {
		grid := container.New(&keyTable{})
		n := 0
		for _, c := range list {
			if c.Menu != menu || c.Key == "" {
				continue
			}
			grid.Add(parts.KeyCaps(c.Key))
			grid.Add(widget.NewLabel(c.Title))
			n++
		}
		if n == 0 {
			continue
		}
		at := 0
		for i, h := range heights {
			if h < heights[at] {
				at = i
			}
		}
		heights[at] += n + 2
		columns[at].Add(widget.NewLabelWithStyle(menu, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}))
		columns[at].Add(grid)
	}
	mouse := widget.NewLabel(
		"In the picture: a click selects; a second click, or one with Alt, selects what lies below; the right " +
			"button lists all. Type a number and Enter to go to a mark. The wheel scrolls, Ctrl+wheel zooms, " +
			"dragging pans.\n" +
			"In a text: click a line, move with the arrow keys, copy with Ctrl+C. B shows the turn before while it " +
			"is held; a short press switches.\n" +
			"Esc closes what is on top.")
	mouse.Importance = widget.LowImportance
	head := container.NewBorder(nil, nil, widget.NewLabelWithStyle("Commands and keys", fyne.TextAlignLeading,
		fyne.TextStyle{Bold: true}),
		parts.NewPushButton("Close", false, win.Leave, win.Leave))
	table := container.NewHBox(columns[0], parts.Padded(0, 0, 24, 0, columns[1]), parts.Padded(0, 0, 24, 0, columns[2]))
	return &Help{container.NewBorder(head, mouse, nil, nil, container.NewScroll(table)), table}
}

// keyTable lays pairs out in two columns, dense, with keys of one width.
type keyTable struct{}

const keyRow = 23 // height of a line in Fyne units

func (keyTable) split(objects []fyne.CanvasObject) (key, title float32) {
	for i, o := range objects {
		w := o.MinSize().Width
		if i%2 == 0 {
			key = max(key, w, 96)
		} else {
			title = max(title, w)
		}
	}
	return key, title
}

func (k keyTable) MinSize(objects []fyne.CanvasObject) fyne.Size {
	key, title := k.split(objects)
	return fyne.NewSize(key+title, float32(len(objects)/2)*keyRow)
}

func (k keyTable) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	key, _ := k.split(objects)
	for i, o := range objects {
		h := o.MinSize().Height
		y := float32(i/2)*keyRow + (keyRow-h)/2
		if i%2 == 0 {
			o.Move(fyne.NewPos(0, y))
			o.Resize(fyne.NewSize(key, h))
		} else {
			o.Move(fyne.NewPos(key, y))
			o.Resize(fyne.NewSize(size.Width-key, h))
		}
	}
}
