package device

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
)

// View asks for a window by numbers.
type View struct{ *parts.Form }

// New makes the dialog.
func New(w *parts.Window) View {
	var width, height, scale *parts.Entry
	mobile := parts.NewCheck("Phone: touch, and the page's own viewport", func(bool) {}, w.Leave)
	do := func() {
		w.Send(Typed{Width: width.Text, Height: height.Text, Scale: scale.Text, Mobile: mobile.Checked})
	}
	entry := func(placeholder string) *parts.Entry {
		return parts.NewEntry(placeholder, false, func(string) { do() }, w.Leave)
	}
	width, height, scale = entry("1280"), entry("720"), entry("1")
	fields := widget.NewForm(widget.NewFormItem("Width, CSS px", width), widget.NewFormItem("Height, CSS px", height),
		widget.NewFormItem("Image px per CSS px", scale), widget.NewFormItem("", mobile))
	return View{parts.NewForm(w, "Custom size", "Set", 480, do, width, fields)}
}

// Show shows what is wrong with the numbers.
func (v View) Show(s core.State) { v.Say(s.Device.Problem, s.Device.Problem != "") }

// deviceGroups are the families of the menu, by how the names of their presets begin.
var deviceGroups = [...]struct {
	title    string
	prefixes []string
}{
	{"iPhone", []string{"iphone-"}}, {"iPad", []string{"ipad"}}, {"Pixel", []string{"pixel-"}}, {
		"Galaxy", []string{"galaxy-"}},
	{"Laptops and desktops", []string{"laptop", "macbook", "desktop"}},
}

// sizes are windows that are requested by their numbers, CSS px.
var sizes = [...][2]int{{1280, 720}, {1280, 800}, {1440, 900}, {1920, 1080}, {1024, 768}, {768, 1024}, {390, 844},
	{320, 568}}

// DropDown drops the devices down from the button with the size of the page.
func DropDown(w *parts.Window, under fyne.CanvasObject) {
	s := w.State()
	now := s.Device.Now
	if now.Tab != s.Browser.Tab {
		now = core.DeviceState{}
	}
	menu := fyne.NewMenu("")
	add := func(to *fyne.Menu, title string, checked bool, m core.Msg) {
		to.Items = append(to.Items, w.MenuItem(title, checked, m))
	}
	plain := fyne.NewMenu("")
	for _, z := range sizes {
		add(plain, fmt.Sprintf("%d × %d", z[0], z[1]), now.Name == "" && !now.Own && now.Width == z[0] &&
			now.Height == z[1], Chosen{Width: z[0], Height: z[1], Scale: 1})
	}
	for _, g := range deviceGroups {
		sub := fyne.NewMenu("")
		for _, d := range device.Presets() {
			if d.Landscape || !begins(d.Name, g.prefixes) {
				continue
			}
			title := fmt.Sprintf("%s   %d × %d", d.Name, d.Width, d.Height)
			if d.Scale != 1 {
				title += " @" + strconv.FormatFloat(d.Scale, 'f', -1, 64)
			}
			add(sub, title, d.Name == now.Name, Chosen{Preset: d.Name})
		}
		item := fyne.NewMenuItem(g.title, nil)
		item.ChildMenu, item.Checked = sub, now.Name != "" && begins(now.Name, g.prefixes)
		menu.Items = append(menu.Items, item)
	}
	windows := fyne.NewMenuItem("Window sizes", nil)
	windows.ChildMenu = plain
	menu.Items = append(menu.Items, windows)
	if d, ok := device.Find(now.Name); ok && d.Mobile {
		turned, on := strings.CutSuffix(d.Name, "-landscape")
		if !on {
			turned = d.Name + "-landscape"
		}
		menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
		add(menu, "Landscape", on, Chosen{Preset: turned})
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
	for _, id := range []string{CmdDeviceCustom, CmdDeviceOwn, "", CmdDeviceLight, CmdDeviceDark, CmdDeviceStill} {
		if id == "" {
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			continue
		}
		for _, c := range s.Commands() {
			if c.ID == id {
				add(menu, c.Title, c.Checked != nil && c.Checked(s), core.CommandChosen{ID: id})
			}
		}
	}
	w.DropDown(menu, under)
}

func begins(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
