package core

import (
	"fmt"
	"strconv"
	"strings"
)

// DialogDevice asks for a window by numbers.
const DialogDevice Dialog = "device"

// Commands of devices.
const (
	CmdDevices      = "device.menu"
	CmdDeviceCustom = "device.custom"
	CmdDeviceOwn    = "device.own"
	CmdDeviceDark   = "device.dark"
	CmdDeviceLight  = "device.light"
	CmdDeviceStill  = "device.still"
)

// DeviceChosen makes the tab in use pass for something. The zero value is its own window.
type DeviceChosen struct {
	Preset        string
	Width, Height int // CSS px; 0 for the preset's
	Scale         float64
	Mobile        bool
}

// DeviceCustomAsked asks for a window by numbers.
type DeviceCustomAsked struct{}

// DeviceTyped is that window as it was typed.
type DeviceTyped struct {
	Width, Height, Scale string
	Mobile               bool
}

// MediaChosen says what pages of the tab in use are told.
type MediaChosen struct{ Media MediaState }

// Emulated answers [EmulateMedia].
type Emulated struct {
	Task    int
	Device  DeviceState
	Problem *Problem
}

// EmulateMedia says what pages are told.
type EmulateMedia struct {
	Task  int
	Media MediaState
}

// DropDevices drops the list of devices down.
type DropDevices struct{}

func deviceCommands(State) []Command {
	const m = "Page"
	media := func(id, title string, on func(MediaState) bool, change func(*MediaState)) Command {
		return Command{ID: id, Title: title, Menu: m, Enabled: idle, Checked: func(s State) bool { return on(s.deviceNow().Media) },
			Msg: func(s State) Msg {
				v := s.deviceNow().Media
				change(&v)
				return MediaChosen{v}
			}}
	}
	scheme := func(to string) func(*MediaState) {
		return func(v *MediaState) {
			if v.Scheme == to {
				to = ""
			}
			v.Scheme = to
		}
	}
	return []Command{
		{ID: CmdDevices, Title: "Devices and sizes…", Menu: m, Key: "Ctrl+Shift+V", Gap: true, Enabled: idle, Msg: send(Wanted{DropDevices{}})},
		{ID: CmdDeviceCustom, Title: "Window by numbers…", Menu: m, Enabled: idle, Msg: send(DeviceCustomAsked{})},
		{ID: CmdDeviceOwn, Title: "The tab's own window", Menu: m, Enabled: idle, Checked: func(s State) bool { d := s.deviceNow(); return d.Tab == "" || d.Own }, Msg: send(DeviceChosen{})},
		media(CmdDeviceDark, "Page in dark colours", func(v MediaState) bool { return v.Scheme == "dark" }, func(v *MediaState) { scheme("dark")(v) }),
		media(CmdDeviceLight, "Page in light colours", func(v MediaState) bool { return v.Scheme == "light" }, func(v *MediaState) { scheme("light")(v) }),
		media(CmdDeviceStill, "Page with less motion", func(v MediaState) bool { return v.Still }, func(v *MediaState) { v.Still = !v.Still }),
	}
}

// deviceNow is what the tab in use passes for; its Tab is "" where nothing is known.
func (s State) deviceNow() DeviceState {
	if d := s.Device.Now; d.Tab == s.Browser.Tab {
		return d
	}
	return DeviceState{}
}

// apply runs the viewport step: there is one way to pass for a device. A phone's name
// counts from the next document on, so the page is loaded again.
func (m DeviceChosen) Apply(s State) (State, []Effect) {
	step := "null"
	switch {
	case m.Preset != "":
		step = jsonText(m.Preset)
	case m.Width > 0:
		scale := m.Scale
		if scale <= 0 {
			scale = 1
		}
		step = fmt.Sprintf(`{"width":%d,"height":%d,"deviceScaleFactor":%s,"mobile":%t,"hasTouch":%t}`, m.Width, m.Height, strconv.FormatFloat(scale, 'f', -1, 64), m.Mobile, m.Mobile)
	}
	was := s.deviceNow()
	text := `{"viewport":` + step + `}`
	if m.Preset != "" || was.Name != "" {
		text = "[" + text + `,{"reload":true}]`
	}
	return s.runSteps(text, false, false)
}

func (DeviceCustomAsked) Apply(s State) (State, []Effect) {
	s.Dialog, s.Device.Problem = DialogDevice, ""
	return s, nil
}

func (m DeviceTyped) Apply(s State) (State, []Effect) {
	if s.Dialog != DialogDevice {
		return s, nil
	}
	c, problem := m.read()
	if problem != "" {
		s.Device.Problem = problem
		return s, nil
	}
	s.close(DialogDevice)
	return c.Apply(s)
}

// read reads what was typed, or says what is wrong with it.
func (m DeviceTyped) read() (DeviceChosen, string) {
	c := DeviceChosen{Mobile: m.Mobile, Scale: 1}
	var err error
	for _, v := range []struct {
		name, text string
		to         *int
	}{{"width", m.Width, &c.Width}, {"height", m.Height, &c.Height}} {
		if *v.to, err = strconv.Atoi(strings.TrimSpace(v.text)); err != nil || *v.to < 1 || *v.to > 16384 {
			return c, "The " + v.name + " is a number of CSS px, from 1 to 16384."
		}
	}
	if text := strings.ReplaceAll(strings.TrimSpace(m.Scale), ",", "."); text != "" {
		if c.Scale, err = strconv.ParseFloat(text, 64); err != nil || !(c.Scale > 0 && c.Scale <= 8) {
			return c, "The scale is a number of image px for one CSS px, up to 8."
		}
	}
	return c, ""
}

func (m MediaChosen) Apply(s State) (State, []Effect) {
	if s.Session.ReadOnly {
		return s.capture(ActionCapture) // which says why not
	}
	s, effects, ok := s.free()
	if !ok {
		return s, effects
	}
	id := s.start(TaskNavigate, "Changing what the page is told")
	return s, append(effects, EmulateMedia{id, m.Media})
}

func (m Emulated) Apply(s State) (State, []Effect) {
	t, ok := s.finish(m.Task)
	if !ok {
		return s, nil
	}
	if m.Problem != nil {
		if !m.Problem.Canceled || s.Busy() == nil {
			s.complain(TaskNavigate, m.Problem)
		}
		return s, nil
	}
	s.Device.Now = m.Device
	if s.Busy() != nil || t.Stopping {
		return s, nil
	}
	return s.capture("media")
}

// deviceLabel is the text of the button with the size, "" where nothing is known but
// the size.
func (s State) deviceLabel() string {
	d := s.deviceNow()
	if d.Tab == "" {
		return ""
	}
	text := fmt.Sprintf("%d × %d", d.Width, d.Height)
	if d.Scale > 0 && d.Scale != 1 {
		text += " @" + strconv.FormatFloat(d.Scale, 'f', -1, 64)
	}
	if d.Name != "" {
		text = d.Name + " · " + text
	}
	if d.Media.Scheme != "" {
		text += " · " + d.Media.Scheme
	}
	if d.Media.Still {
		text += " · still"
	}
	return text
}

// deviceRoom is what the tab passes for.
func deviceRoom() Room {
	return Room{Name: "device", Commands: deviceCommands, Detached: func(s State) (State, []Effect) {
		s.Device.Now = DeviceState{}
		return s, nil
	}}
}
