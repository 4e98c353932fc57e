package settings

import (
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/theme"
)

// View is the dialog.
type View struct {
	filling            bool // the state is being shown: nobody chose
	drawn              bool
	look, scale        *parts.Select
	chrome, page, wait *parts.Entry
	home               *widget.Label
	vendor             *parts.Select
	key                *parts.Entry
	keys               *parts.Facts
	said               *widget.Label
	box                fyne.CanvasObject
}

// width is how wide the dialog is where there is room, in Fyne units.
const width = 660

// scales are the sizes to choose from, in percent.
func scales() []string {
	var out []string
	for p := int(core.MinScale * 100); p <= int(core.MaxScale*100); p += 10 {
		out = append(out, percent(p))
	}
	return out
}

func percent(p int) string { return fmt.Sprintf("%d %%", p) }

// New makes the dialog.
func New(w *parts.Window) *View {
	v := &View{}
	send := func(m core.Msg) {
		if !v.filling {
			w.Send(m)
		}
	}
	var looks []string
	for _, l := range core.Looks() {
		looks = append(looks, theme.Mode(l).Title())
	}
	v.look = parts.NewSelect(looks, func(string) {
		send(core.LookChosen{Look: core.Looks()[max(0, v.look.SelectedIndex())]})
	}, w.Leave)
	v.scale = parts.NewSelect(scales(), func(string) {
		send(core.ScaleChosen(core.MinScale + 0.1*float64(max(0, v.scale.SelectedIndex()))))
	}, w.Leave)
	startup := func() {
		send(startupTyped{Chrome: v.chrome.Text, Page: v.page.Text, Wait: v.wait.Text})
	}
	entry := func() *parts.Entry { return parts.NewEntry("", false, func(string) { startup() }, w.Leave) }
	v.chrome, v.page, v.wait = entry(), entry(), entry()
	v.home = widget.NewLabel("")
	v.home.Truncation = fyne.TextTruncateEllipsis
	v.vendor = parts.NewSelect(nil, func(string) {}, w.Leave)
	store := func() {
		send(keyTyped{Vendor: v.vendor.Selected, Key: newSecret(v.key.Text)})
		v.key.SetText("")
	}
	v.key = parts.NewEntry("its key, for the keyring", true, func(string) { store() },
		w.Leave)
	v.keys, v.said = parts.NewFacts(false, 14), widget.NewLabel("")
	v.said.Wrapping = fyne.TextWrapWord
	button := func(title string, do func()) *parts.PushButton {
		return parts.NewPushButton(title, false, do, w.Leave)
	}
	form := container.New(layout.NewFormLayout(),
		widget.NewLabel("Colours"), parts.Border(nil, nil, nil,
			container.NewHBox(widget.NewLabel("Size"), v.scale), v.look),
		widget.NewLabel("Chrome"), v.chrome,
		widget.NewLabel("Pages, CSS px"), v.page,
		widget.NewLabel("Load at most, s"), v.wait,
		widget.NewLabel("Sessions"), v.home,
		widget.NewLabel("Keys of models"), parts.Padded(8, 0, 8, 0, v.keys),
		widget.NewLabel(""), parts.Border(nil, nil, v.vendor, container.NewHBox(button("Store", store),
			button("Remove", func() { send(keyTyped{Vendor: v.vendor.Selected, Remove: true}) })), v.key))
	hint := parts.Hint("Chrome, pages and loading hold from the next start; flags come before them. Another folder: " +
		"--home or REFSCOPE_HOME.")
	hint.Wrapping = fyne.TextWrapWord
	foot := parts.Border(nil, nil, button("Commands and keys", func() { w.Run(core.CmdHelp) }),
		container.NewHBox(button("Close", w.Leave), parts.NewPushButton("Save", true, startup, w.Leave)))
	v.box = parts.Border(parts.Head("Settings"), foot, nil, nil, container.NewVBox(form, hint, v.said))
	return v
}

// Object returns the object to lay out, Focus the one that gets the keyboard, Size how large it is.
func (v *View) Object() fyne.CanvasObject { return v.box }
func (v *View) Focus() fyne.Focusable     { return v.look }
func (v *View) Size(window fyne.Size) fyne.Size {
	return fyne.NewSize(min(width, window.Width*0.9), 0)
}

// Show shows the state. What is being typed stays.
func (v *View) Show(s core.State) {
	v.filling = true
	defer func() { v.filling = false }()
	vm := viewOf(s)
	v.look.SetSelectedIndex(max(0, slices.Index(core.Looks(), vm.Look)))
	v.scale.SetSelected(percent(int(vm.Scale*100 + 0.5)))
	v.chrome.SetPlaceHolder(vm.Chrome)
	v.page.SetPlaceHolder(vm.Page)
	v.wait.SetPlaceHolder(vm.Wait)
	if !v.drawn {
		v.drawn = true
		v.chrome.SetText(vm.Startup.Chrome)
		if vm.Startup.Sized() {
			v.page.SetText(fmt.Sprintf("%dx%d", vm.Startup.Width, vm.Startup.Height))
		}
		if vm.Startup.Wait > 0 {
			v.wait.SetText(strconv.Itoa(vm.Startup.Wait))
		}
	}
	v.home.SetText(vm.Home)
	v.keys.Set(vm.Keys)
	if f := of(s).Facts; f != nil && len(v.vendor.Options) == 0 && len(f.Keys) > 0 {
		for _, k := range f.Keys {
			v.vendor.Options = append(v.vendor.Options, k.Vendor)
		}
		v.vendor.SetSelectedIndex(0)
	}
	v.said.Importance = widget.SuccessImportance
	if vm.Bad {
		v.said.Importance = widget.DangerImportance
	}
	v.said.SetText(vm.Said)
}
