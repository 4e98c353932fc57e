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
	width := min(h.menus.wide(menus, mostColumns)+pad, window.Width*0.96)
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

// columns lays menus out in as many columns as there is room for, each in the one that is lowest so far.
type columns struct{ width float32 }

// wide is how wide n columns are.
func (columns) wide(menus []fyne.CanvasObject, n int) float32 {
	var w float32
	for _, o := range menus {
		w = max(w, o.MinSize().Width)
	}
	return float32(n)*(w+columnGap) - columnGap
}

func (c columns) place(menus []fyne.CanvasObject, put func(o fyne.CanvasObject, at fyne.Position)) float32 {
	n, each := mostColumns, c.wide(menus, 1)+columnGap // measured once: it measures every text
	for n > 1 && float32(n)*each-columnGap > c.width {
		n--
	}
	ends := make([]float32, n)
	for _, o := range menus {
		at := slices.Index(ends, slices.Min(ends))
		put(o, fyne.NewPos(float32(at)*each, ends[at]))
		ends[at] += o.MinSize().Height
	}
	return slices.Max(ends)
}

// MinSize implements fyne.Layout.
func (c *columns) MinSize(menus []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(c.wide(menus, 1), c.place(menus, func(fyne.CanvasObject, fyne.Position) {}))
}

// Layout implements fyne.Layout.
func (c *columns) Layout(menus []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	c.place(menus, func(o fyne.CanvasObject, at fyne.Position) {
		o.Move(at)
		o.Resize(o.MinSize())
	})
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
