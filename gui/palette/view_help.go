package palette

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// Help is the dialog of all commands and their keys.
type Help struct {
	box   *fyne.Container
	body  *fyne.Container // what is scrolled
	menus *columns
	close *closing
}

// Object returns the object to lay out; it shows always the same.
func (h *Help) Object() fyne.CanvasObject { return h.box }
func (h *Help) Focus() fyne.Focusable     { return h.close }
func (h *Help) Show(core.State)           {}

// Size is that at which nothing has to be scrolled, where there is room.
func (h *Help) Size(window fyne.Size) fyne.Size {
	const pad = 28 // Fyne units around it
	menus := h.body.Objects[0].(*fyne.Container).Objects
	_, all := placed(menus, window.Width*0.96-pad)
	width := min(all.Width+pad, window.Width*0.96)
	h.menus.width = width - pad
	h.body.Objects[1].Resize(fyne.NewSize(width-pad, 0)) // it wraps, and is as high as it is then
	return fyne.NewSize(width, min(h.close.MinSize().Height+h.body.MinSize().Height+44, window.Height*0.92))
}

// NewHelp lists every command with its key, from the command table, in columns of menus.
func NewHelp(win *parts.Window) *Help {
	list := win.State().Commands()
	h := &Help{menus: &columns{}, close: &closing{w: win}}
	menus := container.New(h.menus)
	for _, menu := range core.Menus() {
		grid := container.New(&keyTable{})
		for _, c := range list {
			if c.Menu != menu || c.Key == "" {
				continue
			}
			grid.Add(parts.KeyCaps(c.Key))
			grid.Add(widget.NewLabel(c.Title))
		}
		if len(grid.Objects) > 0 {
			menus.Add(container.NewVBox(parts.Head(menu), grid))
		}
	}
	mouse := parts.Hint(
		"In the picture: a click selects; a second click, or one with Alt, selects what lies below; the right " +
			"button lists all. Type a number and Enter to go to a mark. The wheel scrolls, Ctrl+wheel zooms, " +
			"dragging pans.\n" +
			"In a text: click a line, move with the arrow keys, copy with Ctrl+C. B shows the turn before while it " +
			"is held; a short press switches.\n" +
			"Esc closes what is on top.")
	mouse.Wrapping = fyne.TextWrapWord
	h.body = container.NewVBox(menus, mouse)
	h.close.scroll = container.NewVScroll(h.body)
	h.close.Leave, h.close.Text, h.close.OnTapped = win.Leave, "Close", win.Leave
	h.close.ExtendBaseWidget(h.close)
	h.box = parts.Border(parts.Border(nil, nil, parts.Head("Commands and keys"), h.close), nil, nil, nil,
		h.close.scroll)
	return h
}

// closing is the button that closes a dialog of nothing else. It has the keyboard, so its keys scroll what is shown.
type closing struct {
	parts.PushButton
	w      *parts.Window
	scroll *container.Scroll
}

// TypedKey implements fyne.Focusable.
func (c *closing) TypedKey(k *fyne.KeyEvent) {
	line, page := keyRow(), c.scroll.Size().Height-keyRow()
	by, ok := map[fyne.KeyName]float32{fyne.KeyUp: -line, fyne.KeyDown: line, fyne.KeyPageUp: -page,
		fyne.KeyPageDown: page, fyne.KeyHome: -math.MaxInt16, fyne.KeyEnd: math.MaxInt16}[k.Name]
	if !ok {
		c.PushButton.TypedKey(k)
		return
	}
	most := max(0, c.scroll.Content.MinSize().Height-c.scroll.Size().Height)
	c.scroll.ScrollToOffset(fyne.NewPos(0, max(0, min(c.scroll.Offset.Y+by, most))))
}

// TypedRune implements fyne.Focusable: keys of the window are its own here too, such as that which opened the dialog.
func (c *closing) TypedRune(r rune) {
	if r != ' ' && c.w.Rune != nil {
		c.w.Rune(r)
	}
}

// mostColumns is in how many columns menus stand where there is room, columnGap how far apart, in Fyne units.
const (
	mostColumns = 3
	columnGap   = 24
)

// columns lays menus out in as many columns as there is room for.
type columns struct{ width float32 }

// placed are the places of menus in the most columns that have room in a width, each in the one that is lowest so far,
// and the size of all.
func placed(menus []fyne.CanvasObject, width float32) (at []fyne.Position, size fyne.Size) {
	sizes := make([]fyne.Size, len(menus)) // measured once: each measures all its texts
	for i, o := range menus {
		sizes[i] = o.MinSize()
	}
	for n := mostColumns; n > 0; n-- {
		ends, wide, in := make([]float32, n), make([]float32, n), make([]int, len(menus))
		for i, menu := range sizes {
			col := slices.Index(ends, slices.Min(ends))
			in[i], at = col, append(at[:i], fyne.NewPos(0, ends[col]))
			ends[col] += menu.Height
			wide[col] = max(wide[col], menu.Width)
		}
		size = fyne.NewSize(-columnGap, slices.Max(ends))
		for col, w := range wide {
			for i := range menus {
				if in[i] == col {
					at[i].X = size.Width + columnGap
				}
			}
			size.Width += columnGap + w
		}
		if size.Width <= width {
			break
		}
	}
	return at, size
}

// MinSize implements fyne.Layout.
func (c *columns) MinSize(menus []fyne.CanvasObject) fyne.Size {
	_, one := placed(menus, 0)
	_, all := placed(menus, c.width)
	return fyne.NewSize(one.Width, all.Height)
}

// Layout implements fyne.Layout.
func (c *columns) Layout(menus []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	at, _ := placed(menus, c.width)
	for i, o := range menus {
		o.Move(at[i])
		o.Resize(o.MinSize())
	}
}

// keyTable lays pairs out in two columns, dense, with keys of one width.
type keyTable struct{}

// keyRow is the height of a line in Fyne units.
func keyRow() float32 { return theme.TextSize() * 23 / 13 }

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
	return fyne.NewSize(key+title, float32(len(objects)/2)*keyRow())
}

func (k keyTable) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	key, _ := k.split(objects)
	for i, o := range objects {
		h := o.MinSize().Height
		y := float32(i/2)*keyRow() + (keyRow()-h)/2
		if i%2 == 0 {
			o.Move(fyne.NewPos(0, y))
			o.Resize(fyne.NewSize(key, h))
		} else {
			o.Move(fyne.NewPos(key, y))
			o.Resize(fyne.NewSize(size.Width-key, h))
		}
	}
}
