package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
	"sync"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/device"
)

// Place is the emulated geolocation of a tab (C-21).
type Place struct {
	Latitude  float64 `json:"latitude"`  // degrees, -90 to 90
	Longitude float64 `json:"longitude"` // degrees, -180 to 180
	Accuracy  float64 `json:"accuracy"`  // metres, 0 or more
}

// emulated is the emulation of a tab. All of it belongs to this connection: the browser
// drops it when the tab is detached.
type emulated struct {
	mu     sync.Mutex
	window *device.Device // of the tab as it was opened; nil where it was left as it is
	device *device.Device // what a step requested; nil for nothing
	media  Media
	place  *Place
	locale string          // "" for the browser's own
	asked  map[string]bool // origins that were allowed to ask for the place
}

// Resize sets the tab's window, in CSS px, at the browser's scale. It lasts as long
// as this connection, or until the next call.
func (t *Tab) Resize(ctx context.Context, width, height int) error {
	d := &device.Device{Width: width, Height: height, Scale: t.browser.opt.Scale}
	if err := t.setWindow(ctx, d, float64(width), float64(height), d.Scale); err != nil {
		return fmt.Errorf("setting the viewport to %dx%d: %w", width, height, err)
	}
	t.emu.mu.Lock()
	t.emu.window = d
	t.emu.mu.Unlock()
	return nil
}

// Device is the device that the tab emulates, nil for none.
func (t *Tab) Device() *device.Device {
	t.emu.mu.Lock()
	defer t.emu.mu.Unlock()
	return t.emu.device
}

// Viewport is the size in CSS px and the device px for one of these that the tab was
// given, and false where it was left as it is.
func (t *Tab) Viewport() (width, height int, scale float64, ok bool) {
	t.emu.mu.Lock()
	defer t.emu.mu.Unlock()
	d := t.emu.window
	if t.emu.device != nil {
		d = t.emu.device
	}
	if d == nil {
		return 0, 0, 0, false
	}
	return d.Width, d.Height, d.Scale, true
}

// Enlarge gives the tab for a moment a window of another size in device independent px,
// with so many device px for one of these. Whether it emulates a phone is unchanged.
func (t *Tab) Enlarge(ctx context.Context, width, height, scale float64) error {
	d := t.Device()
	if d == nil {
		d = &device.Device{}
	}
	return t.setWindow(ctx, d, width, height, scale)
}

func (t *Tab) setWindow(ctx context.Context, d *device.Device, width, height, scale float64) error {
	p := emulation.SetDeviceMetricsOverrideParams{
		Width: int64(math.Round(width)), Height: int64(math.Round(height)), DeviceScaleFactor: scale, Mobile: d.Mobile,
	}
	if d.Mobile {
		p.ScreenWidth, p.ScreenHeight = int64(d.Width), int64(d.Height)
	}
	if d.Landscape {
		p.ScreenOrientation = &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypeLandscapePrimary,
			Angle: 90}
	} else if d.Mobile {
		p.ScreenOrientation = &emulation.ScreenOrientation{Type: emulation.ScreenOrientationTypePortraitPrimary}
	}
	return call(ctx, t.session, emulation.SetDeviceMetricsOverride, p)
}

// Emulate makes the tab pass for a device; nil gives it the window back that it had. The
// user agent counts from the next document on; that is for the caller to load.
func (t *Tab) Emulate(ctx context.Context, d *device.Device) error {
	if d != nil {
		if err := d.Check(); err != nil {
			return err
		}
		if d.Scale == 0 {
			own := *d
			own.Scale = 1
			d = &own
		}
	}
	t.emu.mu.Lock()
	window, before := t.emu.window, t.emu.device
	t.emu.mu.Unlock()
	var err error
	switch {
	case d != nil:
		err = t.setWindow(ctx, d, float64(d.Width), float64(d.Height), d.Scale)
	case window != nil:
		err = t.setWindow(ctx, window, float64(window.Width), float64(window.Height), window.Scale)
	default:
		err = call(ctx, t.session, emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	}
	if err != nil {
		return fmt.Errorf("setting the viewport: %w", err)
	}
	t.emu.mu.Lock()
	t.emu.device = d
	t.emu.mu.Unlock()
	if d == nil && before == nil {
		return nil
	}
	return t.everywhere(ctx, func(s *Session) error { return t.pass(ctx, s) })
}

// everywhere does something in the sessions of the tab and its frames.
func (t *Tab) everywhere(ctx context.Context, do func(*Session) error) error {
	if err := do(t.session); err != nil {
		return err
	}
	ready, _ := t.FrameSessions(ctx) // one that could not be set up is in no capture either
	for _, s := range ready {
		if err := do(s); err != nil && !errors.Is(err, ErrDetached) {
			return err
		}
	}
	return nil
}

// join applies the tab's emulation to the session of a later frame.
func (t *Tab) join(ctx context.Context, s *Session) error {
	t.emu.mu.Lock()
	d, place, media, locale := t.emu.device, t.emu.place, t.emu.media, t.emu.locale
	t.emu.mu.Unlock()
	if media != (Media{}) {
		if err := t.tell(ctx, s); err != nil {
			return err
		}
	}
	if d != nil || locale != "" {
		if err := t.pass(ctx, s); err != nil {
			return err
		}
	}
	if place == nil {
		return nil
	}
	return t.locate(ctx, s, place)
}

// pass sets touch and user agent of one session.
func (t *Tab) pass(ctx context.Context, s *Session) error {
	d := t.Device()
	touch := emulation.SetTouchEmulationEnabledParams{}
	t.emu.mu.Lock()
	locale := t.emu.locale
	t.emu.mu.Unlock()
	agent := emulation.SetUserAgentOverrideParams{AcceptLanguage: locale}
	if locale != "" { // without a user agent Chrome takes no languages either
		agent.UserAgent = t.browser.agent
	}
	if d != nil {
		if touch.Enabled = d.Touch; d.Touch {
			touch.MaxTouchPoints = 5
		}
		version := t.browser.Major()
		agent.UserAgent, agent.Platform = cmp.Or(d.UserAgent(version), agent.UserAgent), d.Platform()
		if d.Android() {
			brands := []*emulation.UserAgentBrandVersion{{Brand: "Chromium", Version: version},
				{Brand: "Google Chrome", Version: version}, {Brand: "Not)A;Brand", Version: "24"}}
			agent.UserAgentMetadata = &emulation.UserAgentMetadata{Brands: brands, Platform: "Android",
				PlatformVersion: d.OS +
					".0.0", Model: d.Model, Mobile: d.Agent == device.AgentAndroid}
		}
	}
	if err := call(ctx, s, emulation.SetTouchEmulationEnabled, touch); err != nil {
		return fmt.Errorf("setting touch: %w", err)
	}
	if err := call(ctx, s, emulation.SetUserAgentOverride, agent); err != nil {
		return fmt.Errorf("setting the user agent: %w", err)
	}
	return nil
}

// Major is the browser's major version, such as "156".
func (b *Browser) Major() string {
	_, v, ok := strings.Cut(b.version, "/")
	if !ok {
		v = b.version
	}
	v, _, _ = strings.Cut(v, ".")
	return strings.TrimSpace(v)
}

// Locate sets the geolocation of the tab; nil restores the real one. The site that the tab
// shows, and those that it visits, get the permission: only these, as the browser may be
// the user's own.
func (t *Tab) Locate(ctx context.Context, p *Place) error {
	t.emu.mu.Lock()
	first := t.emu.asked == nil
	if first {
		t.emu.asked = map[string]bool{}
	}
	t.emu.place = p
	origins := make([]string, 0, len(t.emu.asked))
	for o := range t.emu.asked {
		origins = append(origins, o)
	}
	if p == nil {
		clear(t.emu.asked)
	}
	t.emu.mu.Unlock()
	if p == nil {
		for _, o := range origins {
			if err := call(ctx, t.browser.conn.Root(), protocol.SetPermission,
				permission(o, protocol.PermissionSettingPrompt)); err != nil {
				return fmt.Errorf("taking the permission to ask for the place back: %w", err)
			}
		}
	} else {
		if first {
			on(t.session, page.FrameNavigated, func(ev page.EventFrameNavigated) {
				if ev.Frame == nil || string(ev.Frame.ID) != string(t.id) {
					return
				}
				if o := t.allow(ev.Frame.URL); o != "" {
					_ = t.browser.conn.Root().Post(context.Background(), protocol.SetPermission.Method,
						permission(o, protocol.PermissionSettingGranted)) // a site without it reports that itself
				}
			})
		}
		info, err := t.Info(ctx)
		if err != nil {
			return err
		}
		if o := t.allow(info.URL); o != "" {
			if err := call(ctx, t.browser.conn.Root(), protocol.SetPermission,
				permission(o, protocol.PermissionSettingGranted)); err != nil {
				return fmt.Errorf("allowing %s to ask for the place: %w", o, err)
			}
		}
	}
	return t.everywhere(ctx, func(s *Session) error { return t.locate(ctx, s, p) })
}

// allow notes that a site may ask for the place, and gives its origin; "" where nothing
// is to be done.
func (t *Tab) allow(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	o := u.Scheme + "://" + u.Host
	t.emu.mu.Lock()
	defer t.emu.mu.Unlock()
	if t.emu.place == nil {
		return ""
	}
	t.emu.asked[o] = true
	return o
}

func permission(origin string, s protocol.PermissionSetting) protocol.SetPermissionParams {
	return protocol.SetPermissionParams{Permission: &protocol.PermissionDescriptor{Name: "geolocation"}, Setting: s,
		Origin: origin}
}

func (t *Tab) locate(ctx context.Context, s *Session, p *Place) error {
	var err error
	if p == nil {
		err = call(ctx, s, emulation.ClearGeolocationOverride, cdp.Empty{})
	} else {
		err = call(ctx, s, emulation.SetGeolocationOverride,
			emulation.SetGeolocationOverrideParams{Latitude: &p.Latitude,
				Longitude: &p.Longitude, Accuracy: &p.Accuracy})
	}
	if err != nil {
		return fmt.Errorf("setting the place: %w", err)
	}
	return nil
}

// Media are the user preferences that pages see: prefers-color-scheme and
// prefers-reduced-motion (Media Queries 5, 11). The zero value is the browser's own.
type Media struct {
	Scheme string // "light", "dark", or "" for the browser's own
	Still  bool   // reduced motion
}

// EmulateLocale gives the pages of the tab another language, as a BCP 47 tag such as de-DE or several with commas
// between them: in Accept-Language and navigator.languages. It counts from the next document on, as long as this
// connection lasts. Dates and numbers that a page formats by default keep the browser's own locale.
func (t *Tab) EmulateLocale(ctx context.Context, locale string) error {
	t.emu.mu.Lock()
	t.emu.locale = locale
	t.emu.mu.Unlock()
	if err := t.everywhere(ctx, func(s *Session) error { return t.pass(ctx, s) }); err != nil {
		return fmt.Errorf("setting the locale %s: %w", locale, err)
	}
	return nil
}

// Media is what was set on the tab last.
func (t *Tab) Media() Media {
	t.emu.mu.Lock()
	defer t.emu.mu.Unlock()
	return t.emu.media
}

// EmulateMedia sets the user preferences that the pages of the tab see, as long as this
// connection lasts. The page gets the change at once, like a change of the system's.
func (t *Tab) EmulateMedia(ctx context.Context, m Media) error {
	if m.Scheme != "" && m.Scheme != "light" && m.Scheme != "dark" {
		return fmt.Errorf("unknown colour scheme %q: choose light or dark", m.Scheme)
	}
	t.emu.mu.Lock()
	t.emu.media = m
	t.emu.mu.Unlock()
	return t.everywhere(ctx, func(s *Session) error { return t.tell(ctx, s) })
}

// tell applies it to one session.
func (t *Tab) tell(ctx context.Context, s *Session) error {
	m := t.Media()
	motion := ""
	if m.Still {
		motion = "reduce"
	}
	p := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: m.Scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}}
	if err := call(ctx, s, emulation.SetEmulatedMedia, p); err != nil {
		return fmt.Errorf("telling the page of its reader's wishes: %w", err)
	}
	return nil
}
