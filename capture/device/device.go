// Package device is the table of devices that a tab can emulate: their window, touch and
// user agent (C-21; seed "CDP-Skill" 18.5). It does no I/O.
package device

import (
	"errors"
	"fmt"
	"strings"
)

// Device is a device that a tab emulates. The zero value of a member leaves the browser's own.
type Device struct {
	// Name is that of the preset, "" for a window that was given by numbers.
	Name   string  `json:"name,omitempty"`
	Width  int     `json:"width"` // of the window, CSS px
	Height int     `json:"height"`
	Scale  float64 `json:"scale,omitempty"` // device px for one CSS px
	// Mobile: the page's viewport meta is heeded and scroll bars lie over the page.
	Mobile bool `json:"mobile,omitempty"`
	// Touch: there are touch events, and no mouse that hovers.
	Touch     bool `json:"touch,omitempty"`
	Landscape bool `json:"landscape,omitempty"`
	// Agent is the user agent that is emulated; AgentOwn for the browser's own.
	Agent Agent `json:"agent,omitempty"`
	// Model is the device's name in the client hints of Android, and OS the version of
	// its system.
	Model string `json:"model,omitempty"`
	OS    string `json:"os,omitempty"`
}

// Agent is a family of user agents.
type Agent string

// The families.
const (
	AgentOwn     Agent = ""        // the browser's own
	AgentIPhone  Agent = "iphone"  // Safari on an iPhone
	AgentIPad    Agent = "ipad"    // Safari on an iPad that asks for the mobile site
	AgentAndroid Agent = "android" // Chrome on an Android phone
	AgentTablet  Agent = "tablet"  // Chrome on an Android tablet
)

// Limits of what is emulated here: far above every screen, far below what would take all
// memory for one picture.
const (
	maxSide  = 16_384
	maxScale = 8
)

// Check refuses a window that no screen has.
func (d *Device) Check() error {
	switch {
	case d.Width < 1 || d.Height < 1:
		return errors.New("width and height are both needed, in CSS px, 1 at least")
	case d.Width > maxSide || d.Height > maxSide:
		return fmt.Errorf("%d x %d CSS px: at most %d a side", d.Width, d.Height, maxSide)
	case d.Scale < 0 || d.Scale > maxScale:
		return fmt.Errorf("deviceScaleFactor: %g: want more than 0 and at most %d", d.Scale, maxScale)
	}
	return nil
}

// UserAgent is the header of that name, for a browser whose major version is chrome; ""
// where the browser's own is right.
//
// Chrome sends "Android 10; K" on every Android since its version 110 (User-Agent
// Reduction), and the model only in client hints. Safari's numbers are frozen too, but
// for its own version.
func (d *Device) UserAgent(chrome string) string {
	switch d.Agent {
	case AgentIPhone:
		return "Mozilla/5.0 (iPhone; CPU iPhone OS " + strings.ReplaceAll(d.OS, ".", "_") +
			" like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/" + d.OS + " Mobile/15E148 Safari/604.1"
	case AgentIPad:
		return "Mozilla/5.0 (iPad; CPU OS " + strings.ReplaceAll(d.OS, ".", "_") +
			" like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/" + d.OS + " Mobile/15E148 Safari/604.1"
	case AgentAndroid:
		return "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + chrome +
			".0.0.0 Mobile Safari/537.36"
	case AgentTablet:
		return "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + chrome +
			".0.0.0 Safari/537.36"
	}
	return ""
}

// Platform is navigator.platform, "" for the browser's own.
func (d *Device) Platform() string {
	switch d.Agent {
	case AgentIPhone:
		return "iPhone"
	case AgentIPad:
		return "iPad"
	case AgentAndroid, AgentTablet:
		return "Linux armv81"
	}
	return ""
}

// Android reports whether the device sends client hints as Chrome on Android does. An
// iPhone's Safari sends none.
func (d *Device) Android() bool { return d.Agent == AgentAndroid || d.Agent == AgentTablet }

// Find is the preset with that name: in any case, with hyphens, underscores, points or
// spaces.
func Find(name string) (Device, bool) {
	name = key(name)
	for _, d := range Presets() {
		if d.Name == name {
			return d, true
		}
	}
	return Device{}, false
}

// Names lists the presets' names in the table's order.
func Names() []string {
	list := Presets()
	out := make([]string, len(list))
	for i, d := range list {
		out[i] = d.Name
	}
	return out
}

func key(name string) string {
	return strings.NewReplacer("_", "-", " ", "-", ".", "-", `"`, "", "+",
		"-plus").Replace(strings.ToLower(strings.TrimSpace(name)))
}
