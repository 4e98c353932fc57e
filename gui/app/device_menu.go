package app

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/gui/core"
	deviceroom "github.com/refscope/refscope/gui/device"
)

// deviceGroups are the families of the menu, by how the names of their presets begin.
var deviceGroups = [...]struct {
	title    string
	prefixes []string
}{
	{"iPhone", []string{"iphone-"}}, {"iPad", []string{"ipad"}}, {"Pixel", []string{"pixel-"}}, {"Galaxy", []string{"galaxy-"}},
	{"Laptops and desktops", []string{"laptop", "macbook", "desktop"}},
}

// sizes are windows that are asked for by their numbers, CSS px.
var sizes = [...][2]int{{1280, 720}, {1280, 800}, {1440, 900}, {1920, 1080}, {1024, 768}, {768, 1024}, {390, 844}, {320, 568}}

// showDevices drops the devices down from the button with the size of the page.
func (s *Shell) showDevices() {
	st := s.store.State()
	now := st.Device.Now
	if now.Tab != st.Browser.Tab {
		now = core.DeviceState{}
	}
	menu := fyne.NewMenu("")
	add := func(to *fyne.Menu, title string, checked bool, m core.Msg) {
		item := fyne.NewMenuItem(title, func() { s.store.Dispatch(m) })
		item.Checked = checked
		to.Items = append(to.Items, item)
	}
	plain := fyne.NewMenu("")
	for _, z := range sizes {
		add(plain, fmt.Sprintf("%d × %d", z[0], z[1]), now.Name == "" && !now.Own && now.Width == z[0] && now.Height == z[1], deviceroom.Chosen{Width: z[0], Height: z[1], Scale: 1})
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
			add(sub, title, d.Name == now.Name, deviceroom.Chosen{Preset: d.Name})
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
		add(menu, "On its side", on, deviceroom.Chosen{Preset: turned})
	}
	menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
	for _, id := range []string{deviceroom.CmdDeviceCustom, deviceroom.CmdDeviceOwn, "", deviceroom.CmdDeviceLight, deviceroom.CmdDeviceDark, deviceroom.CmdDeviceStill} {
		if id == "" {
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			continue
		}
		for _, c := range s.commands {
			if c.ID == id {
				add(menu, c.Title, c.Checked != nil && c.Checked(st), core.CommandChosen{ID: id})
			}
		}
	}
	s.dropDown(menu, s.panes.bar.view)
}

func begins(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
