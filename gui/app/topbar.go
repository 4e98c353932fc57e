package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/parts"
)

// topBar is the bar with the address. It sends messages and shows a
// [core.BarVM].
type topBar struct {
	vm      BarVM
	address *addressEntry
	clean   string // text of the entry that nobody has changed since
	back    *widget.Button
	forward *widget.Button
	reload  *widget.Button
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

// addressEntry hands keys to the window that mean something there, and gives the
// focus up on Esc.
type addressEntry struct {
	widget.Entry
	key    func(*fyne.KeyEvent)
	escape func()
	// shortcut gets those that mean nothing in an entry.
	shortcut func(fyne.Shortcut)
	focused  bool
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

func newAddressEntry(submit func(string), key func(*fyne.KeyEvent), escape func()) *addressEntry {
	e := &addressEntry{key: key, escape: escape}
	e.ExtendBaseWidget(e)
	e.PlaceHolder = "URL, localhost:8080, an .html file, or a session: NAME, NAME#3, its folder"
	e.OnSubmitted = submit
	return e
}

// TypedKey implements fyne.Focusable.
func (e *addressEntry) TypedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyEscape:
		e.escape()
	default:
		if len(k.Name) > 1 && k.Name[0] == 'F' { // F1 to F12
			e.key(k)
			return
		}
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable.
func (e *addressEntry) TypedShortcut(s fyne.Shortcut) {
	if _, ok := s.(*desktop.CustomShortcut); ok {
		e.shortcut(s)
		return
	}
	e.Entry.TypedShortcut(s)
}

// leastAddress is how wide the address stays in a narrow window, in Fyne units.
const leastAddress = 180

// newTopBar makes the bar; run runs a command by its id.
func newTopBar(send func(core.Msg), run func(id string), key func(*fyne.KeyEvent), escape, leave, export func()) *topBar {
	b := &topBar{}
	icon := func(res fyne.Resource, id string) *widget.Button {
		w := widget.NewButtonWithIcon("", res, func() { run(id) })
		w.Importance = widget.LowImportance
		return w
	}
	b.back = icon(fynetheme.NavigateBackIcon(), core.CmdBack)
	b.forward = icon(fynetheme.NavigateNextIcon(), core.CmdForward)
	b.reload = icon(fynetheme.ViewRefreshIcon(), core.CmdReload)
	b.address = newAddressEntry(func(s string) {
		b.clean = s
		leave() // the keys go back to the picture
		send(core.AddressEntered{Text: s})
	}, key, escape)
	b.badge = parts.NewChip(parts.Tab, "", nil)
	b.badge.Hide()
	b.live = parts.NewChip(parts.Tab, "Back to live tab", func() { run(core.CmdLive) })
	b.live.Hide()
	b.field = container.New(parts.Field{}, b.address, container.New(parts.Slim{}, b.badge), container.New(parts.Slim{}, b.live))
	b.tab = parts.NewChip(parts.Button, "", func() { run(core.CmdTabs) })
	b.view = parts.NewChip(parts.Button, "", func() { run(device.CmdDevices) })
	b.capture = parts.NewChip(parts.Button, "Capture", func() { run(core.CmdCapture) })
	b.export = parts.NewChip(parts.Button, "Export…", export)
	b.follow = parts.NewChip(parts.Toggle, "", func() { run(core.CmdFollow) })

	left := container.NewHBox(b.back, b.forward, b.reload)
	bar := container.New(parts.Bar{Least: leastAddress}, left, b.field)
	for _, c := range []*parts.Chip{b.follow, b.tab, b.view, b.capture, b.export} {
		bar.Add(container.New(parts.Slim{}, c))
	}
	b.box = parts.Padded(6, 6, 6, 8, bar)
	return b
}

// set shows vm.
func (b *topBar) set(vm BarVM) {
	// What a person is typing is not overwritten by a page that moves meanwhile.
	if vm.Address != b.vm.Address && (!b.address.focused || b.address.Text == b.clean) {
		b.clean = vm.Address.Text
		b.address.SetText(vm.Address.Text)
	}
	enable(b.back, vm.CanBack)
	enable(b.forward, vm.CanForward)
	enable(b.reload, vm.CanReload)
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
	if vm.Recorded != b.vm.Recorded || vm.ShowFollow != b.vm.ShowFollow || vm.Tab != b.vm.Tab || vm.Viewport != b.vm.Viewport || vm.Follow.Text != b.vm.Follow.Text {
		b.box.Refresh() // their widths changed
	}
	b.vm = vm
}

func enable(w fyne.Disableable, on bool) {
	switch {
	case on && w.Disabled():
		w.Enable()
	case !on && !w.Disabled():
		w.Disable()
	}
}
