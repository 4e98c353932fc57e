// Package device is the emulation of the tab in use: phone, tablet, sizes, and the user
// preferences that its pages see.
package device

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/steps"
)

// Dialog asks for a window by numbers.
const Dialog core.Dialog = "device"

// Commands of devices.
const (
	CmdDevices      = "device.menu"
	CmdDeviceCustom = "device.custom"
	CmdDeviceOwn    = "device.own"
	CmdDeviceDark   = "device.dark"
	CmdDeviceLight  = "device.light"
	CmdDeviceStill  = "device.still"
)

// Chosen makes the tab in use pass for something. The zero value is its own window.
type Chosen struct {
	Preset        string
	Width, Height int // CSS px; 0 for the preset's
	Scale         float64
	Mobile        bool
}

// Typed is that window as it was typed.
type Typed struct {
	Width, Height, Scale string
	Mobile               bool
}

// EmulateMedia sets the user preferences that pages see. [Emulated] answers it.
type EmulateMedia struct {
	Task  int
	Media core.MediaState
}

// Engine emulates media.
type Engine interface {
	// EmulateMedia sets the user preferences that pages of the tab in use see.
	EmulateMedia(ctx context.Context, m core.MediaState) (core.DeviceState, error)
}

// Number implements [core.Numbered].
func (e EmulateMedia) Number() int { return e.Task }

// UsesTab implements [core.TabWork].
func (EmulateMedia) UsesTab() {}

// Do implements [core.Work].
func (e EmulateMedia) Do(ctx context.Context, w *core.Worker) core.Msg {
	d, err := core.EngineOf[Engine](w).EmulateMedia(ctx, e.Media)
	return Emulated(e.Task, d, w.Problem("media", err))
}

// DropDevices drops the list of devices down.
type DropDevices struct{}

func commands(core.State) []core.Command {
	const m = "Page"
	media := func(id, title string, on func(core.MediaState) bool, change func(*core.MediaState)) core.Command {
		return core.Command{ID: id, Title: title, Menu: m, Enabled: core.Idle, Checked: func(s core.State) bool {
			return on(deviceNow(s).Media)
		},
			Msg: func(s core.State) core.Msg {
				v := deviceNow(s).Media
				change(&v)
				return MediaChosen(v)
			}}
	}
	scheme := func(to string) func(*core.MediaState) {
		return func(v *core.MediaState) {
			if v.Scheme == to {
				to = ""
			}
			v.Scheme = to
		}
	}
	return []core.Command{
		{ID: CmdDevices, Title: "Devices and sizes…", Menu: m, Key: "Ctrl+Shift+V", Gap: true, Enabled: core.Idle,
			Msg: core.Send(core.Wanted(DropDevices{}))},
		{ID: CmdDeviceCustom, Title: "Custom size…", Menu: m, Enabled: core.Idle, Msg: core.Send(CustomAsked())},
		{ID: CmdDeviceOwn, Title: "No emulation", Menu: m, Enabled: core.Idle, Checked: func(s core.State) bool {
			d := deviceNow(s)
			return d.Tab == "" || d.Own
		}, Msg: core.Send(Chosen{})},
		media(CmdDeviceDark, "Page in dark colours", func(v core.MediaState) bool { return v.Scheme == "dark" },
			func(v *core.MediaState) { scheme("dark")(v) }),
		media(CmdDeviceLight, "Page in light colours", func(v core.MediaState) bool { return v.Scheme == "light" },
			func(v *core.MediaState) { scheme("light")(v) }),
		media(CmdDeviceStill, "Page with reduced motion", func(v core.MediaState) bool { return v.Still },
			func(v *core.MediaState) { v.Still = !v.Still }),
	}
}

// deviceNow is the emulation of the tab in use; its Tab is "" if unknown.
func deviceNow(s core.State) core.DeviceState {
	if d := s.Device.Now; d.Tab == s.Browser.Tab {
		return d
	}
	return core.DeviceState{}
}

// Apply runs the viewport step: there is one way to pass for a device. A phone's name
// counts from the next document on, so the page is loaded again.
func (m Chosen) Apply(s core.State) (core.State, []core.Effect) {
	step := "null"
	switch {
	case m.Preset != "":
		step = steps.JsonText(m.Preset)
	case m.Width > 0:
		scale := m.Scale
		if scale <= 0 {
			scale = 1
		}
		step = fmt.Sprintf(`{"width":%d,"height":%d,"deviceScaleFactor":%s,"mobile":%t,"hasTouch":%t}`, m.Width,
			m.Height, strconv.FormatFloat(scale, 'f', -1, 64), m.Mobile, m.Mobile)
	}
	was := deviceNow(s)
	text := `{"viewport":` + step + `}`
	if m.Preset != "" || was.Name != "" {
		text = "[" + text + `,{"reload":true}]`
	}
	return steps.RunText(s, text, false, false)
}

// CustomAsked asks for a window by numbers.
func CustomAsked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog, s.Device.Problem = Dialog, ""
		return s, nil
	})
}

func (m Typed) Apply(s core.State) (core.State, []core.Effect) {
	if s.Dialog != Dialog {
		return s, nil
	}
	c, problem := m.read()
	if problem != "" {
		s.Device.Problem = problem
		return s, nil
	}
	s.CloseDialog(Dialog)
	return c.Apply(s)
}

// read reads what was typed, or returns what is wrong with it.
func (m Typed) read() (Chosen, string) {
	c := Chosen{Mobile: m.Mobile, Scale: 1}
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

// MediaChosen sets the user preferences that pages of the tab in use see.
func MediaChosen(media core.MediaState) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Session.ReadOnly {
			return s.Capture(core.ActionCapture) // which explains why not
		}
		s, effects, ok := s.FreeBrowser()
		if !ok {
			return s, effects
		}
		id := s.StartTask(core.TaskNavigate, "Applying the device")
		return s, append(effects, EmulateMedia{id, media})
	})
}

// Emulated answers [EmulateMedia].
func Emulated(task int, device core.DeviceState, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		t, ok := s.FinishTask(task)
		if !ok {
			return s, nil
		}
		if problem != nil {
			if !problem.Canceled || s.Busy() == nil {
				s.Complain(core.TaskNavigate, problem)
			}
			return s, nil
		}
		s.Device.Now = device
		if s.Busy() != nil || t.Stopping {
			return s, nil
		}
		return s.Capture("media")
	})
}

// Label is the text of the button with the size, "" where nothing is known but
// the size.
func Label(s core.State) string {
	d := deviceNow(s)
	if d.Tab == "" {
		return ""
	}
	width, height := d.Width, d.Height
	if width <= 0 && s.Current != nil { // a tab that was left as it was: as it was captured
		width, height = int(s.Current.Capture.Viewport.Width), int(s.Current.Capture.Viewport.Height)
	}
	if width <= 0 {
		return ""
	}
	text := fmt.Sprintf("%d × %d", width, height)
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

// Room is the room for the emulation of the tab.
func Room() core.Room {
	return core.Room{Name: "device", Commands: commands,
		BrowserChanged: func(s core.State) (core.State, []core.Effect) {
			s.Device.Now = core.DeviceState{}
			return s, nil
		}}
}
