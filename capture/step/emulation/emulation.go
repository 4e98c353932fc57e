package emulation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Steps are the steps that emulate a device, place or preference, and set how dialogs are
// answered (C-21, C-23). Their settings belong to the alias: the next command finds them.
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(viewport, stepdef.StepDef{
			Name: "viewport", Summary: "set the size of the window, or pass for a device",
			Also: []string{"resize", "setviewport", "setviewportsize", "emulate"},
			Forms: []param.Form{
				{`"iphone-15-pro"`, "a preset, in any case, with - or _; an unknown name lists those like it"},
				{`{"width":1440,"height":900,"deviceScaleFactor":2,"mobile":false,` +
					`"hasTouch":false,"isLandscape":false}`,
					"by numbers, CSS px; width and height are needed"},
				{`{"preset":"pixel-7","width":412,"height":700}`, "a preset with another size"},
				{`null`, "as the tab was"},
			},
		}),
		stepdef.Define(geolocation, stepdef.StepDef{
			Name: "geolocation", Summary: "say where on earth the tab is",
			Forms: []param.Form{
				{`{"latitude":52.52,"longitude":13.405,"accuracy":20}`,
					"degrees and metres; the sites that the tab shows may ask for it"},
				{`null`, "where it really is"},
			},
		}),
		stepdef.Define(dialog, stepdef.StepDef{
			Name: "dialog", Summary: "answer a dialog, or say what becomes of dialogs",
			Also: []string{"handledialog", "alert"},
			Forms: []param.Form{
				{`{"accept":true}`, "the open dialog; the next one where none is open"},
				{`{"accept":true,"promptText":"Ada"}`, "with the text of a prompt"},
				{`{"accept":false}`, "cancel it"},
				{`{"policy":"ask"}`, "from now on: accept and dismiss answer dialogs, questions keeps confirm and " +
					"prompt open, ask all; default dismiss, over MCP questions"},
			},
		}),
	}
}

// Restore applies to a command's tab the emulation that it had in the command before.
func Restore(ctx context.Context, e *stepdef.Env, o *tabs.Opened) error {
	e.Emulation = stepdef.Emulation{}
	if len(o.Entry.Emulation) > 0 {
		if err := json.Unmarshal(o.Entry.Emulation, &e.Emulation); err != nil {
			return fmt.Errorf("the emulation of tab %s cannot be read: %w: set it again", o.Alias, err)
		}
	}
	is := &e.Emulation
	o.Tab.SetDialogs(cmp.Or(is.Dialogs, e.Dialogs))
	if o.Warm {
		return nil // it was kept with the tab
	}
	if is.Device != nil {
		if err := o.Tab.Emulate(ctx, is.Device); err != nil {
			return err
		}
	}
	if is.Place == nil {
		return nil
	}
	return o.Tab.Locate(ctx, is.Place)
}

// keepEmulation writes down what the next command is to find.
func keepEmulation(ctx context.Context, e *stepdef.Env) error {
	if e.Host == nil || !registry.IsAlias(e.Alias) {
		return nil
	}
	var raw json.RawMessage
	if e.Emulation != (stepdef.Emulation{}) {
		b, err := json.Marshal(&e.Emulation)
		if err != nil {
			return fmt.Errorf("writing the emulation: %w", err)
		}
		raw = b
	}
	return e.Host.UpdateTab(ctx, e.Alias, func(t *registry.Tab) { t.Emulation = raw })
}

type viewportParams struct {
	_                 struct{} `want:"a preset's name, an object or null"`
	Reset             bool     `json:"-" form:"null"`
	Preset            *string  `json:"preset,omitempty" form:"string" what:"a device, such as iphone-15-pro"`
	Width             *int     `json:"width,omitempty" what:"CSS px"`
	Height            *int     `json:"height,omitempty" what:"CSS px"`
	DeviceScaleFactor *float64 `json:"deviceScaleFactor,omitempty" what:"image px for one CSS px; 1"`
	Mobile            *bool    `json:"mobile,omitempty" what:"pass for a phone"`
	HasTouch          *bool    `json:"hasTouch,omitempty" what:"pass for a touch screen"`
	IsLandscape       *bool    `json:"isLandscape,omitempty" what:"turned to the side"`

	device *device.Device // nil: as the tab was
}

// CheckParams makes the device.
func (p *viewportParams) CheckParams() error {
	if p.Reset {
		return nil
	}
	d := device.Device{Scale: 1}
	if p.Preset != nil && *p.Preset == "" {
		return errors.New("name a preset such as \"iphone-15\"")
	}
	if p.Preset != nil {
		var ok bool
		if d, ok = device.Find(*p.Preset); !ok {
			return param.Unknown("preset", *p.Preset, device.Names())
		}
	}
	param.Set(&d.Width, p.Width)
	param.Set(&d.Height, p.Height)
	param.Set(&d.Scale, p.DeviceScaleFactor)
	param.Set(&d.Mobile, p.Mobile)
	param.Set(&d.Touch, p.HasTouch)
	if p.IsLandscape != nil && p.Preset != nil && *p.IsLandscape != d.Landscape && p.Width == nil && p.Height == nil {
		d.Width, d.Height = d.Height, d.Width
	}
	param.Set(&d.Landscape, p.IsLandscape)
	if d.Scale == 0 {
		return errors.New("deviceScaleFactor: want more than 0")
	}
	p.device = &d
	return d.Check()
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
	UserAgent         string  `json:"userAgent,omitempty"` // the next document is requested with it
	Reset             bool    `json:"reset,omitempty"`
}

func viewport(ctx context.Context, e *stepdef.Env, p *viewportParams) (any, error) {
	tab, d := e.Page.Tab(), p.device
	if err := tab.Emulate(ctx, d); err != nil {
		return nil, err
	}
	e.Emulation.Device = d
	if err := keepEmulation(ctx, e); err != nil {
		return nil, err
	}
	if d == nil {
		w, h, scale, _ := tab.Viewport()
		return &viewported{Reset: true, Width: w, Height: h, DeviceScaleFactor: scale}, nil
	}
	return &viewported{
		Preset: d.Name, Width: d.Width, Height: d.Height, DeviceScaleFactor: d.Scale, Mobile: d.Mobile,
		HasTouch:    d.Touch,
		IsLandscape: d.Landscape,
		UserAgent:   d.UserAgent(tab.Browser().Major()),
	}, nil
}

type geolocationParams struct {
	Reset     bool     `json:"-" form:"null"`
	Latitude  *float64 `json:"latitude" min:"-90" max:"90" what:"degrees"`
	Longitude *float64 `json:"longitude" min:"-180" max:"180" what:"degrees"`
	Accuracy  *float64 `json:"accuracy,omitempty" min:"0" unit:"m" what:"metres; 10"`
}

// CheckParams refuses half a place.
func (p *geolocationParams) CheckParams() error {
	if !p.Reset && (p.Latitude == nil || p.Longitude == nil) {
		return errors.New("latitude and longitude are both needed, in degrees")
	}
	return nil
}

func geolocation(ctx context.Context, e *stepdef.Env, p *geolocationParams) (any, error) {
	var at *browser.Place
	if !p.Reset {
		at = &browser.Place{Latitude: *p.Latitude, Longitude: *p.Longitude, Accuracy: 10}
		param.Set(&at.Accuracy, p.Accuracy)
	}
	if err := e.Page.Tab().Locate(ctx, at); err != nil {
		return nil, err
	}
	e.Emulation.Place = at
	if err := keepEmulation(ctx, e); err != nil {
		return nil, err
	}
	if at == nil {
		return map[string]any{"reset": true}, nil
	}
	return at, nil
}

type dialogParams struct {
	Accept     *bool                `json:"accept,omitempty" what:"true is OK, false is Cancel"`
	PromptText *string              `json:"promptText,omitempty" secret:"" what:"the text of a prompt"`
	Policy     browser.DialogPolicy `json:"policy,omitempty" what:"what becomes of later dialogs"`
}

// CheckParams refuses an answer and a policy in one.
func (p *dialogParams) CheckParams() error {
	switch {
	case p.Policy != "" && (p.Accept != nil || p.PromptText != nil):
		return errors.New("policy is for later dialogs, accept answers one: use two steps")
	case p.Policy == "" && p.Accept == nil:
		return errors.New("give accept, true or false, or policy")
	case p.PromptText != nil && !*p.Accept:
		return errors.New("promptText belongs to accept:true")
	}
	return nil
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

func dialog(ctx context.Context, e *stepdef.Env, p *dialogParams) (any, error) {
	tab := e.Page.Tab()
	if policy := p.Policy; policy != "" {
		tab.SetDialogs(policy)
		if e.Emulation.Dialogs = policy; policy == e.Dialogs {
			e.Emulation.Dialogs = ""
		}
		return &answered{Policy: policy}, keepEmulation(ctx, e)
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
}

// Dialog is a dialog that is open when a step or a command ends.
type Dialog struct {
	Type    string `json:"type"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	// DefaultPrompt is the default answer of a prompt.
	DefaultPrompt string `json:"defaultPrompt,omitempty"`
}

// OpenDialog is the dialog that is open, nil for none.
func OpenDialog(e *stepdef.Env) *Dialog {
	if e.Page == nil || e.Closed {
		return nil
	}
	d, prompt := e.Page.Tab().OpenDialog()
	if d == nil {
		return nil
	}
	return &Dialog{Type: d.Type, Message: d.Message, DefaultPrompt: text.Start(prompt, 2000)}
}
