package step

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot"
)

// emulationKinds are the steps that say what a tab passes for, and what becomes of its
// dialogs (C-21, C-23). What they set belongs to the alias: the next command finds it.
func emulationKinds() []Kind {
	return []Kind{
		{Name: "viewport", Summary: "set the size of the window, or pass for a device", parse: parseViewport, Forms: []Form{
			{`"iphone-15-pro"`, "a preset, in any case, with - or _; an unknown name lists those like it"},
			{`{"width":1440,"height":900,"deviceScaleFactor":2,"mobile":false,"hasTouch":false,"isLandscape":false}`, "by numbers, CSS px; width and height are needed"},
			{`{"preset":"pixel-7","width":412,"height":700}`, "a preset with another size"}, {`null`, "as the tab was"},
		}},
		{Name: "geolocation", Summary: "say where on earth the tab is", parse: parseGeolocation, Forms: []Form{
			{`{"latitude":52.52,"longitude":13.405,"accuracy":20}`, "degrees and metres; the sites that the tab shows may ask for it"}, {`null`, "where it really is"},
		}},
		{Name: "dialog", Summary: "answer a dialog, or say what becomes of dialogs", parse: parseDialog, Forms: []Form{
			{`{"accept":true}`, "the open dialog; the next one where none is open"}, {`{"accept":true,"promptText":"Ada"}`, "with the text of a prompt"}, {`{"accept":false}`, "cancel it"},
			{`{"policy":"ask"}`, "from now on: ask keeps dialogs open, accept and dismiss (default) answer them"},
		}},
	}
}

// emulation is what is kept of a tab between commands.
type emulation struct {
	Device  *device.Device       `json:"device,omitempty"`
	Place   *browser.Place       `json:"place,omitempty"`
	Dialogs browser.DialogPolicy `json:"dialogs,omitempty"`
}

// emulate makes a tab that a run comes to pass for what it did in the run before.
func (r *Runner) emulate(ctx context.Context, o *Opened) error {
	r.emulation = emulation{}
	if len(o.Entry.Emulation) == 0 {
		return nil
	}
	if err := json.Unmarshal(o.Entry.Emulation, &r.emulation); err != nil {
		return fmt.Errorf("the emulation of tab %s cannot be read: %w: set it again", o.Alias, err)
	}
	if o.Warm {
		return nil // it was kept with the tab
	}
	e := &r.emulation
	if e.Dialogs != "" {
		o.Tab.SetDialogs(e.Dialogs)
	}
	if e.Device != nil {
		if err := o.Tab.Emulate(ctx, e.Device); err != nil {
			return err
		}
	}
	if e.Place == nil {
		return nil
	}
	return o.Tab.Locate(ctx, e.Place)
}

// keepEmulation writes down what the next command is to find.
func (r *Runner) keepEmulation(ctx context.Context) error {
	if r.opt.Host == nil || !registry.IsAlias(r.opt.Alias) {
		return nil
	}
	var raw json.RawMessage
	if r.emulation != (emulation{}) {
		b, err := json.Marshal(&r.emulation)
		if err != nil {
			return fmt.Errorf("writing the emulation: %w", err)
		}
		raw = b
	}
	return r.opt.Host.reg.Update(ctx, func(f *registry.File) error {
		t, ok := f.Tabs[r.opt.Alias]
		if !ok {
			return fmt.Errorf("%s: %w", r.opt.Alias, registry.ErrNoTab)
		}
		t.Emulation = raw
		f.Tabs[r.opt.Alias] = t
		return nil
	})
}

type viewportParams struct {
	Preset            string   `json:"preset,omitempty"`
	Width             *int     `json:"width,omitempty"`
	Height            *int     `json:"height,omitempty"`
	DeviceScaleFactor *float64 `json:"deviceScaleFactor,omitempty"`
	Mobile            *bool    `json:"mobile,omitempty"`
	HasTouch          *bool    `json:"hasTouch,omitempty"`
	IsLandscape       *bool    `json:"isLandscape,omitempty"`
}

// viewported is the output of viewport.
type viewported struct {
	Preset            string  `json:"preset,omitempty"`
	Width             int     `json:"width,omitempty"`
	Height            int     `json:"height,omitempty"`
	DeviceScaleFactor float64 `json:"deviceScaleFactor,omitempty"`
	Mobile            bool    `json:"mobile"`
	HasTouch          bool    `json:"hasTouch"`
	IsLandscape       bool    `json:"isLandscape,omitempty"`
	UserAgent         string  `json:"userAgent,omitempty"` // the next document is asked for with it
	Reset             bool    `json:"reset,omitempty"`
}

func parseViewport(raw json.RawMessage) (Work, error) {
	var p viewportParams
	switch shape(raw) {
	case "null":
		return func(ctx context.Context, r *Runner) (any, error) { return r.viewport(ctx, nil) }, nil
	case "string":
		if err := decode(raw, &p.Preset); err != nil {
			return nil, err
		}
		if p.Preset == "" {
			return nil, errors.New("name a preset such as \"iphone-15\"")
		}
	case "object":
		if err := decode(raw, &p); err != nil {
			return nil, err
		}
	default:
		return nil, errShape(raw, "a preset's name, an object or null")
	}
	d := device.Device{Scale: 1}
	if p.Preset != "" {
		var ok bool
		if d, ok = device.Find(p.Preset); !ok {
			return nil, unknown("preset", p.Preset, device.Names())
		}
	}
	set(&d.Width, p.Width)
	set(&d.Height, p.Height)
	set(&d.Scale, p.DeviceScaleFactor)
	set(&d.Mobile, p.Mobile)
	set(&d.Touch, p.HasTouch)
	if p.IsLandscape != nil && p.Preset != "" && *p.IsLandscape != d.Landscape && p.Width == nil && p.Height == nil {
		d.Width, d.Height = d.Height, d.Width
	}
	set(&d.Landscape, p.IsLandscape)
	if d.Scale == 0 {
		return nil, errors.New("deviceScaleFactor: want more than 0")
	}
	return func(ctx context.Context, r *Runner) (any, error) { return r.viewport(ctx, &d) }, d.Check()
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (r *Runner) viewport(ctx context.Context, d *device.Device) (any, error) {
	tab := r.page.Tab()
	if err := tab.Emulate(ctx, d); err != nil {
		return nil, err
	}
	r.emulation.Device = d
	if err := r.keepEmulation(ctx); err != nil {
		return nil, err
	}
	if d == nil {
		w, h, scale, _ := tab.Viewport()
		return &viewported{Reset: true, Width: w, Height: h, DeviceScaleFactor: scale}, nil
	}
	return &viewported{
		Preset: d.Name, Width: d.Width, Height: d.Height, DeviceScaleFactor: d.Scale, Mobile: d.Mobile, HasTouch: d.Touch, IsLandscape: d.Landscape,
		UserAgent: d.UserAgent(tab.Browser().Major()),
	}, nil
}

func parseGeolocation(raw json.RawMessage) (Work, error) {
	var p *browser.Place
	if shape(raw) != "null" {
		var in struct {
			Latitude  *float64 `json:"latitude"`
			Longitude *float64 `json:"longitude"`
			Accuracy  *float64 `json:"accuracy,omitempty"`
		}
		if err := decode(raw, &in); err != nil {
			return nil, err
		}
		switch {
		case in.Latitude == nil || in.Longitude == nil:
			return nil, errors.New("latitude and longitude are both needed, in degrees")
		case math.Abs(*in.Latitude) > 90:
			return nil, fmt.Errorf("latitude: %g: want -90 to 90", *in.Latitude)
		case math.Abs(*in.Longitude) > 180:
			return nil, fmt.Errorf("longitude: %g: want -180 to 180", *in.Longitude)
		case in.Accuracy != nil && *in.Accuracy < 0:
			return nil, fmt.Errorf("accuracy: %g: want 0 m or more", *in.Accuracy)
		}
		p = &browser.Place{Latitude: *in.Latitude, Longitude: *in.Longitude, Accuracy: 10}
		set(&p.Accuracy, in.Accuracy)
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		if err := r.page.Tab().Locate(ctx, p); err != nil {
			return nil, err
		}
		r.emulation.Place = p
		if err := r.keepEmulation(ctx); err != nil {
			return nil, err
		}
		if p == nil {
			return map[string]any{"reset": true}, nil
		}
		return p, nil
	}, nil
}

type dialogParams struct {
	Accept     *bool                `json:"accept,omitempty"`
	PromptText *string              `json:"promptText,omitempty"`
	Policy     browser.DialogPolicy `json:"policy,omitempty"`
}

// answered is the output of dialog.
type answered struct {
	Answered bool `json:"answered,omitempty"`
	// Next: none was open, so the next one is answered so.
	Next     bool                 `json:"next,omitempty"`
	Accepted *bool                `json:"accepted,omitempty"`
	Dialog   *snapshot.Dialog     `json:"dialog,omitempty"`
	Policy   browser.DialogPolicy `json:"policy,omitempty"`
}

func parseDialog(raw json.RawMessage) (Work, error) {
	var p dialogParams
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	switch {
	case p.Policy != "" && (p.Accept != nil || p.PromptText != nil):
		return nil, errors.New("policy says what becomes of later dialogs, accept answers one: use two steps")
	case p.Policy == "" && p.Accept == nil:
		return nil, errors.New("give accept, true or false, or policy")
	case p.PromptText != nil && !*p.Accept:
		return nil, errors.New("promptText belongs to accept:true")
	}
	if p.Policy != "" {
		var names []string
		known := false
		for _, d := range browser.DialogPolicies() {
			names, known = append(names, string(d)), known || d == p.Policy
		}
		if !known {
			return nil, unknown("policy", string(p.Policy), names)
		}
	}
	return func(ctx context.Context, r *Runner) (any, error) {
		tab := r.page.Tab()
		if p.Policy != "" {
			tab.SetDialogs(p.Policy)
			if r.emulation.Dialogs = p.Policy; p.Policy == browser.DialogDismiss {
				r.emulation.Dialogs = ""
			}
			return &answered{Policy: p.Policy}, r.keepEmulation(ctx)
		}
		shown, _ := tab.OpenDialog()
		if shown == nil {
			tab.AnswerNextDialog(*p.Accept, p.PromptText)
			return &answered{Next: true, Accepted: p.Accept}, nil
		}
		if err := tab.AnswerDialog(ctx, *p.Accept, p.PromptText); err != nil {
			return nil, err
		}
		shown.Accepted = *p.Accept
		return &answered{Answered: true, Accepted: p.Accept, Dialog: shown}, nil
	}, nil
}

// Waiting is a dialog that is open when a step or a command ends.
type Waiting struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	// DefaultPrompt is what a prompt offers.
	DefaultPrompt string `json:"defaultPrompt,omitempty"`
}

// waiting is the dialog that is open, nil for none.
func (r *Runner) waiting() *Waiting {
	if r.page == nil || r.closed {
		return nil
	}
	d, prompt := r.page.Tab().OpenDialog()
	if d == nil {
		return nil
	}
	return &Waiting{Type: d.Type, Message: d.Message, DefaultPrompt: cut(prompt, 2000)}
}

// keepsTab reports whether the tab stays attached when the run ends.
func (r *Runner) keepsTab() bool {
	if len(r.opened) == 0 {
		return true // it was given, and is not ours to leave
	}
	o := r.opened[len(r.opened)-1]
	return o.host.opt.Keep && o.Entry.Own
}

// interrupted is the output of an action that opened a dialog which now waits for its
// answer: what it did is done, what it would have said cannot be asked of the page. nil
// where the error is another one, or the step only reads.
func (r *Runner) interrupted(s *Step, since int, err error) any {
	var waits *browser.DialogError
	if r.page == nil || !errors.As(err, &waits) {
		return nil
	}
	if list, _ := r.page.Tab().DialogsSince(since); len(list) == 0 {
		return nil // it was open before the step
	}
	out := map[string]any{"interrupted": true, "dialog": r.waiting()}
	switch s.Action {
	case "click":
		out["clicked"], out["method"] = true, "cdp"
	case "goto", "back", "forward", "reload", "openTab":
	default:
		if !s.Kind.Hooks || s.Action == "pageFunction" || s.Action == "poll" {
			return nil
		}
	}
	return out
}
