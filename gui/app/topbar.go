package app

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/parts"
)

// topBar is the bar with the address. It sends messages and shows a
// [BarVM].
type topBar struct {
	w       *parts.Window
	vm      BarVM
	address *addressEntry
	clean   string // text of the entry that nobody has changed since
	back    *parts.IconButton
	forward *parts.IconButton
	reload  *parts.IconButton
	tab     *parts.Chip
	view    *parts.Chip
	capture *parts.Chip
	export  *parts.Chip
	follow  *parts.Chip
	badge   *parts.Chip
	live    *parts.Chip
	field   *fyne.Container
	box     fyne.CanvasObject
}

// addressEntry passes the window's shortcuts on to it, and is left on Esc.
type addressEntry struct {
	widget.Entry
	w       *parts.Window
	leave   func()
	focused bool
	free    *canvas.Rectangle // at its end, where the badge lies
}

// addressHint says what can be entered.
const addressHint = "URL, localhost:8080, an .html file, or a session: NAME, NAME#3, its folder"

// LeaveFree keeps the text out of so many units at the end.
func (e *addressEntry) LeaveFree(width float32) {
	if e.free.MinSize().Width == width {
		return
	}
	e.free.SetMinSize(fyne.NewSize(width, 0))
	parts.FitHint(&e.Entry, addressHint, e.Size().Width)
	e.Refresh()
}

// Resize implements fyne.CanvasObject.
func (e *addressEntry) Resize(size fyne.Size) {
	parts.FitHint(&e.Entry, addressHint, size.Width)
	e.Entry.Resize(size)
}

// AccessibilityLabel implements fyne.Accessible.
func (e *addressEntry) AccessibilityLabel() string { return "Address" }

// AccessibilityRole implements fyne.Accessible.
func (e *addressEntry) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// FocusGained implements fyne.Focusable.
func (e *addressEntry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (e *addressEntry) FocusLost() {
	e.focused = false
	e.Entry.FocusLost()
}

func newAddressEntry(w *parts.Window, submit func(string), leave func()) *addressEntry {
	e := &addressEntry{w: w, leave: leave, free: canvas.NewRectangle(color.Transparent)}
	e.ExtendBaseWidget(e)
	e.PlaceHolder, e.ActionItem = addressHint, e.free
	e.OnSubmitted = submit
	return e
}

// TypedKey implements fyne.Focusable.
func (e *addressEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		e.leave()
	default:
		if len(k.Name) > 1 && k.Name[0] == 'F' { // F1 to F12
			e.w.Key(k)
			return
		}
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *addressEntry) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*desktop.CustomShortcut); ok {
		e.w.Shortcut(s)
		return
	}
	e.Entry.TypedShortcut(s)
}

// leastAddress is how wide the address stays in a narrow window, in Fyne units.
const leastAddress = 180

// newTopBar makes the bar; leave is where the keyboard goes from the address.
func newTopBar(w *parts.Window, leave func()) *topBar {
	b := &topBar{w: w}
	icon := func(res fyne.Resource, id string) *parts.IconButton {
		return parts.NewIconButton(res, w.Title(id), func() { w.Run(id) })
	}
	b.back = icon(fynetheme.NavigateBackIcon(), core.CmdBack)
	b.forward = icon(fynetheme.NavigateNextIcon(), core.CmdForward)
	b.reload = icon(fynetheme.ViewRefreshIcon(), core.CmdReload)
	b.address = newAddressEntry(w, func(s string) {
		b.clean = s
		leave() // the keys go back to the picture
		w.Send(core.AddressEntered{Text: s})
	}, func() {
		b.clean = b.vm.Address.Text // what was typed and not entered is no page's address
		b.address.SetText(b.clean)
		w.Escape()
	})
	b.badge = parts.NewChip(parts.Tab, "", nil)
	b.badge.Hide()
	b.live = w.Chip(parts.Tab, "Back to live tab", core.CmdLive)
	b.live.Hide()
	b.field = container.New(parts.Field{}, b.address, container.New(parts.Slim{}, b.badge),
		container.New(parts.Slim{}, b.live))
	b.tab = w.Chip(parts.Button, "", core.CmdTabs)
	b.view = w.Chip(parts.Button, "", device.CmdDevices)
	b.capture = w.Chip(parts.Button, "Capture", core.CmdCapture)
	b.export = w.Chip(parts.Button, "Export…", core.CmdExport)
	b.follow = w.Chip(parts.Toggle, "", core.CmdFollow)

	left := container.NewHBox(b.back, b.forward, b.reload)
	bar := container.New(parts.Bar{Least: leastAddress}, left, b.field)
	for _, c := range []*parts.Chip{b.follow, b.tab, b.view, b.capture, b.export} {
		bar.Add(container.New(parts.Slim{}, c))
	}
	b.box = parts.Padded(6, 6, 6, 8, bar)
	return b
}

// do does what belongs to the bar.
func (b *topBar) do(e core.Effect) bool {
	switch e.(type) {
	case core.FocusAddress:
		b.w.Focus(b.address)
		b.address.TypedShortcut(&fyne.ShortcutSelectAll{})
	case core.ShowTabs:
		s := b.w.State()
		menu := fyne.NewMenu("")
		for _, t := range s.Browser.Tabs {
			menu.Items = append(menu.Items, b.w.MenuItem(tabLabel(t), t.ID == s.Browser.Tab, core.TabChosen(t.ID)))
		}
		under := fyne.CanvasObject(b.tab)
		if !b.tab.Visible() { // of a single tab
			under = b.address
		}
		b.w.DropDown(menu, under)
	case device.DropDevices:
		device.DropDown(b.w, b.view)
	default:
		return false
	}
	return true
}

// show shows the state.
func (b *topBar) show(s core.State) {
	vm := Bar(s)
	if vm == b.vm {
		return
	}
	// What a person is typing is not overwritten by a page that moves meanwhile.
	if vm.Address != b.vm.Address && (!b.address.focused || b.address.Text == b.clean) {
		b.clean = vm.Address.Text
		b.address.SetText(vm.Address.Text)
	}
	parts.Enable(b.back, vm.CanBack)
	parts.Enable(b.forward, vm.CanForward)
	parts.Enable(b.reload, vm.CanReload)
	b.tab.Set(vm.Tab+" ▾", false, vm.CanTabs)
	parts.Show(b.tab, vm.Tab != "")
	b.view.Set(vm.Viewport+" ▾", false, vm.CanDevice)
	parts.Show(b.view, vm.Viewport != "")
	b.capture.Set(vm.CaptureLabel, true, vm.CanCapture)
	b.export.Set("Export…", false, vm.CanExport)
	b.follow.Set(vm.Follow.Text, vm.Follow.On, vm.Follow.CanToggle)
	parts.Show(b.follow, vm.ShowFollow)
	b.badge.SetBadges(nil)
	if vm.Recorded != "" {
		b.badge.SetBadges([]core.StatusItem{{Text: vm.Recorded, Tone: core.ToneWarn}})
	}
	parts.Show(b.badge, vm.Recorded != "")
	parts.Show(b.live, vm.Recorded != "")
	b.live.Set("Back to live tab", false, vm.CanLive)
	if vm.Recorded != b.vm.Recorded || vm.ShowFollow != b.vm.ShowFollow || vm.Tab != b.vm.Tab ||
		vm.Viewport != b.vm.Viewport || vm.Follow.Text != b.vm.Follow.Text {
		b.box.Refresh() // their widths changed
	}
	b.vm = vm
}
