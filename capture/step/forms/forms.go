package forms

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Steps are the steps about forms (seed 11.10 to 11.12).
func Steps() []stepdef.StepDef {
	return []stepdef.StepDef{
		stepdef.Define(formState, stepdef.StepDef{
			Name: "formState", Summary: "the fields of a form and what is in them",
			Forms: []param.Form{
				{`"#login"`, "a form by selector or ref"}, {`{"selector":"#login"}`, "the same as an object"},
			},
		}),
		stepdef.Define(validate, stepdef.StepDef{
			Name: "validate", Summary: "whether a field's value is valid, and the browser's message",
			Forms: []param.Form{
				{`"#email"`, "a field by selector or ref"}, {`{"ref":"s1e4"}`, "the same as an object"},
			},
		}),
		stepdef.Define(submit, stepdef.StepDef{
			Name: "submit", Summary: "submit a form if its fields are valid", Hooks: true, Acts: map[string]any{},
			Forms: []param.Form{
				{`"#login"`, "a form, or a button or field of it"}, {`{"selector":"#login"}`, "the same as an object"},
			},
		}),
	}
}

// fieldsJS lists the controls of a form, or of what is not one the controls inside, with
// what only the browser knows of them. No value is among it: values come from the
// capture. A form's properties are read through the prototype: a control named
// "elements" hides them.
//
//go:embed fields.js
var fieldsJS string

// liveForm is the result of fieldsJS.
type liveForm struct {
	Form       bool        `json:"form"`
	Total      int         `json:"total"`
	Novalidate bool        `json:"novalidate"`
	Fields     []liveField `json:"fields"`
}

type liveField struct {
	UID       int      `json:"uid"`
	Name      string   `json:"name"`
	Type      string   `json:"type"`
	Tag       string   `json:"tag"`
	Required  bool     `json:"required"`
	Disabled  bool     `json:"disabled"`
	Validates bool     `json:"validates"`
	Valid     bool     `json:"valid"`
	Message   string   `json:"message"`
	Flags     []string `json:"flags"`

	node *snapshot.Node // nil where the capture does not hold it
}

// field is a control as formState reports it (seed 11.10).
type field struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Label    string `json:"label,omitempty"`
	Ref      string `json:"ref,omitempty"`
	Value    string `json:"value"` // withheld where it is a secret
	Checked  any    `json:"checked,omitempty"`
	Required bool   `json:"required"`
	Valid    bool   `json:"valid"`
	Disabled bool   `json:"disabled"`
	Message  string `json:"message,omitempty"` // of the browser, where it is not valid
}

type formOutput struct {
	Fields     []field `json:"fields"`
	Valid      bool    `json:"valid"`
	FieldCount int     `json:"fieldCount"`
	Truncated  bool    `json:"truncated,omitempty"` // there are more than 1,000
}

// readForm reads a form. Texts of the page are sealed, as a message of the page's
// own may repeat what was typed.
func readForm(ctx context.Context, e *stepdef.Env, f *element.Found) (*stepdef.View, *liveForm, error) {
	var live liveForm
	v, err := e.Read(ctx, func(ctx context.Context, res *collect.Result) error {
		text, err := f.Realm.Call(ctx, fieldsJS, []int64{f.Element.Node})
		switch {
		case errors.Is(err, browser.ErrNavigated), err == nil && text == "":
			return &action.StaleError{What: "the form", Err: err}
		case err != nil:
			return fmt.Errorf("reading the form: %w", err)
		}
		if err := json.Unmarshal([]byte(text), &live); err != nil {
			return fmt.Errorf("reading the form: %w", err)
		}
		var texts []string
		for _, l := range live.Fields {
			texts = append(texts, l.Message, l.Name)
		}
		for i, s := range res.Seal(ctx, texts) {
			if l := &live.Fields[i/2]; i%2 == 0 {
				l.Message = s
			} else {
				l.Name = s
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range live.Fields {
		l := &live.Fields[i]
		l.node = v.Node(f.Realm.Frame, f.Realm.Loader, l.UID)
		if l.secret() && l.Message != "" {
			l.Message = "the value is not valid: " + strings.Join(l.Flags, ", ")
		}
	}
	return v, &live, nil
}

// secret reports whether the value may be secret and must not leave: a control that was not
// examined may be anything.
func (l *liveField) secret() bool {
	return l.node == nil || slices.Contains(l.node.Redacted, "value") || slices.Contains(l.node.Redacted, "element")
}

// wrong reports whether it keeps its form from being submitted.
func (l *liveField) wrong() bool { return l.Validates && !l.Valid }

func formState(ctx context.Context, e *stepdef.Env, p *stepdef.Element) (any, error) {
	f, err := e.Present(ctx, p.To())
	if err != nil {
		return nil, err
	}
	_, live, err := readForm(ctx, e, f)
	if err != nil {
		return nil, err
	}
	out := &formOutput{Fields: []field{}, Valid: true, Truncated: live.Total > 1000}
	for i := range live.Fields {
		l := &live.Fields[i]
		if l.wrong() {
			out.Valid = false
		}
		one := field{Name: l.Name, Type: l.Type, Required: l.Required, Valid: !l.wrong(), Disabled: l.Disabled,
			Message: l.Message}
		switch n := l.node; {
		case n == nil:
			one.Value = "[redacted: not looked at]"
		default:
			one.Label, one.Ref, one.Value = text.Start(n.Name, 300), e.Elements.Spell(n.Ref),
				text.Start(n.Value, 10_000)
			if one.Value == "" && !l.secret() {
				one.Value = text.Start(n.Attr("value"), 10_000) // of a button, a box, a hidden field
			}
			if l.Type == "checkbox" || l.Type == "radio" {
				one.Checked = n.States["checked"]
			}
		}
		out.Fields = append(out.Fields, one)
	}
	out.FieldCount = len(out.Fields)
	return out, nil
}

// validity is the output of validate (seed 11.11).
type validity struct {
	Valid    bool            `json:"valid"`
	Message  string          `json:"message"`
	Validity map[string]bool `json:"validity"`
}

// flags are the members of ValidityState (HTML 4.10.20.2).
var flags = []string{"badInput", "customError", "patternMismatch", "rangeOverflow", "rangeUnderflow", "stepMismatch",
	"tooLong", "tooShort", "typeMismatch", "valueMissing"}

func validate(ctx context.Context, e *stepdef.Env, p *stepdef.Element) (any, error) {
	f, err := e.Present(ctx, p.To())
	if err != nil {
		return nil, err
	}
	v, live, err := readForm(ctx, e, f)
	if err != nil {
		return nil, err
	}
	n, err := v.NodeOf(ctx, f.Element)
	if err != nil {
		return nil, err
	}
	for _, l := range live.Fields {
		if l.UID != n.UID {
			continue
		}
		out := &validity{Valid: l.Valid, Message: l.Message, Validity: map[string]bool{"valid": l.Valid}}
		for _, name := range flags {
			out.Validity[name] = slices.Contains(l.Flags, name)
		}
		return out, nil
	}
	if n.Tag != "form" && n.Tag != "fieldset" {
		return nil, fmt.Errorf("<%s> is not a field: name an input, a textarea or a select", n.Tag)
	}
	out := &validity{Valid: true, Validity: map[string]bool{}}
	for _, l := range live.Fields {
		if l.wrong() {
			if out.Valid {
				out.Message = l.called() + ": " + l.Message
			}
			out.Valid = false
		}
	}
	out.Validity["valid"] = out.Valid
	return out, nil
}

// called is the field in words for a person.
func (l *liveField) called() string {
	if l.node != nil && l.node.Name != "" {
		return text.Start(l.node.Name, 100)
	}
	if l.Name != "" {
		return l.Name
	}
	return l.Type
}

// submitOutput is the output of submit (seed 11.12).
type submitOutput struct {
	Submitted bool          `json:"submitted"`
	Valid     bool          `json:"valid"`
	Errors    []submitError `json:"errors,omitempty"`
	Navigated bool          `json:"navigated,omitempty"`
	URL       string        `json:"url,omitempty"`
}

type submitError struct {
	Field   string `json:"field"`
	Ref     string `json:"ref,omitempty"`
	Message string `json:"message"`
}

// submitJS submits as the browser does when the button is pressed: with its checks, its
// submit event, and the button's own value. A form's own method may be hidden.
//
//go:embed submit.js
var submitJS string

func submit(ctx context.Context, e *stepdef.Env, p *stepdef.Element) (any, error) {
	t := p.To()
	f, err := e.Find(ctx, t) // it acts, so it waits as actions do
	if err != nil {
		return nil, err
	}
	_, live, err := readForm(ctx, e, f)
	if err != nil {
		return nil, err
	}
	if !live.Form {
		return nil, fmt.Errorf("%s is neither a form nor in one", t)
	}
	out := &submitOutput{Valid: true}
	for i := range live.Fields {
		l := &live.Fields[i]
		if l.wrong() && !live.Novalidate {
			out.Valid = false
			wrong := submitError{Field: l.called(), Message: l.Message}
			if l.node != nil {
				wrong.Ref = e.Elements.Spell(l.node.Ref)
			}
			out.Errors = append(out.Errors, wrong)
		}
	}
	if !out.Valid {
		return out, nil
	}
	before, err := e.Where(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := f.Realm.Call(ctx, submitJS, []int64{f.Element.Node})
	switch {
	case errors.Is(err, browser.ErrNavigated):
		// The page left while the script was still on its way back.
	case err != nil:
		return nil, fmt.Errorf("submitting: %w", err)
	case answer != "done":
		return nil, &action.StaleError{What: "the form"}
	}
	out.Submitted = true
	m, err := e.Moved(ctx, before)
	if err != nil {
		return nil, err
	}
	if out.Navigated = m.Navigated; m.Navigated {
		out.URL = m.NewURL
	}
	return out, nil
}
