package input

import (
	"errors"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// Steps are the steps that act on elements (seed 9).
func Steps() []stepdef.StepDef {
	done := map[string]any{}
	return []stepdef.StepDef{
		stepdef.Define(click, stepdef.StepDef{
			Name: "click", Summary: "click an element, or a point",
			Also: []string{"tap", "doubleclick", "dblclick"}, Hooks: true,
			Acts: map[string]any{"clicked": true, "method": "cdp"},
			Forms: []param.Form{
				{`"#submit"`, "a CSS selector"}, {`"s1e4"`, "a ref, in any spelling"}, {`{"ref":"s1e4"}`, "a ref"},
				{`{"text":"Sign In","exact":true,"withinSelector":"form"}`, "the text that a person sees"},
				{`{"x":100,"y":200}`, "a point of the viewport, CSS px"},
				{`{"selectors":["#a","[data-action=submit]"]}`, "the first of several that is there"},
				{`{"selector":"#menu","doubleClick":true,"timeout":2000}`,
					"with options: doubleClick, button, force, jsClick, nativeOnly, stable, strict, " +
						"scrollUntilVisible, waitAfter, searchFrames"},
			},
		}),
		stepdef.Define(fill, stepdef.StepDef{
			Name: "fill", Summary: "put a text into a field, or into several",
			Also: []string{"input", "setvalue"}, Hooks: true, Acts: done,
			Forms: []param.Form{
				{`{"selector":"#email","value":"ada@example.org"}`,
					"by selector; clear:false adds to what is there, react:true sets the value by script"},
				{`{"ref":"s1e4","value":"ada@example.org"}`, "by ref"},
				{`{"label":"Email Address","value":"ada@example.org"}`, "by the label that a person sees"},
				{`{"#firstName":"Ada","#lastName":"Lovelace","s1e4":"ada@example.org"}`,
					"several fields at once, by selector or ref"},
				{`{"fields":{"#firstName":"Ada"},"react":true}`, "several fields, with options"},
				{`"hello"`, "the field that has the focus"}, {`{"value":"hello","clear":true}`,
					"the same, with options"},
			},
		}),
		stepdef.Define(typeText, stepdef.StepDef{
			Name: "type", Summary: "type a text key by key", Hooks: true, Acts: done,
			Forms: []param.Form{
				{`{"selector":"#search","text":"refscope","delay":20}`,
					"into a field, with a pause in ms between keys"},
				{`{"ref":"s1e4","text":"refscope"}`, "by ref"},
				{`"refscope"`, "into what has the focus"},
			},
		}),
		stepdef.Define(press, stepdef.StepDef{
			Name: "press", Summary: "press a key, with modifiers",
			Also: []string{"key", "keypress", "presskey", "sendkeys"}, Hooks: true, Acts: done,
			Forms: []param.Form{
				{`"Enter"`, "a key by its name"},
				{`"Control+a"`, "with Control (Ctrl), Alt, Meta (Cmd, Command) or Shift"},
				{`{"key":"Escape","selector":"#search"}`, "with an element that gets the focus first"},
			},
		}),
		stepdef.Define(hover, stepdef.StepDef{
			Name: "hover", Summary: "move the mouse over an element", Hooks: true, Acts: done,
			Forms: []param.Form{
				{`"#menu"`, "a CSS selector or ref"},
				{`{"ref":"s1e4","duration":500}`, "staying there, in ms"},
				{`{"selector":"#menu","captureResult":true}`, "and say what appeared"},
			},
		}),
		stepdef.Define(drag, stepdef.StepDef{
			Name: "drag", Summary: "drag from one place to another",
			Also: []string{"draganddrop", "dragto"}, Hooks: true, Acts: done,
			Forms: []param.Form{
				{`{"source":"#card","target":"#list"}`,
					"from element to element; method auto, mouse or html5; steps, delay"},
				{`{"source":{"ref":"s1e4","offsetX":10,"offsetY":-5},"target":{"x":300,"y":120}}`,
					"with offsets from the middle, or to a point"},
			},
		}),
		stepdef.Define(scroll, stepdef.StepDef{
			Name: "scroll", Summary: "scroll the page or a container", Hooks: true, Acts: done,
			Forms: []param.Form{
				{`"top"`, "to the top"},
				{`"bottom"`, "to the bottom"},
				{`"#footer"`, "an element (selector or ref) to the middle of the view"},
				{`{"deltaY":500}`, "by a distance, CSS px"},
				{`{"x":0,"y":1000}`, "to a place, CSS px"},
				{`{"selector":"#list","deltaY":300}`, "what is inside a container"},
			},
		}),
		stepdef.Define(selectOption, stepdef.StepDef{
			Name: "selectOption", Summary: "choose in a list box",
			Also: []string{"select", "choose", "selectoptions"}, Hooks: true, Acts: done,
			Forms: []param.Form{
				{`{"selector":"#size","value":"l"}`, "by value"},
				{`{"ref":"s1e4","label":"Large"}`, "by what a person reads; option is the value, or else that"},
				{`{"selector":"#size","index":2}`, "by place, from 0"},
				{`{"selector":"#tags","values":["a","b"]}`, "several"},
			},
		}),
		stepdef.Define(upload, stepdef.StepDef{
			Name: "upload", Summary: "give a file input its files",
			Also: []string{"setinputfiles", "uploadfile"}, Hooks: true, Acts: done,
			Forms: []param.Form{
				{`{"selector":"input[type=file]","files":["photo.png"]}`, "paths of files that are there"},
				{`{"ref":"12","files":["photo.png"]}`, "also what a click on opens a file chooser"},
			},
		}),
	}
}

// forced warns of an element that was not ready and was acted on anyway.
func forced(e *stepdef.Env, why *action.NotReadyError) bool {
	if why == nil {
		return false
	}
	if err := named(e, why); err != nil {
		e.Warn("forced: %v", err)
	}
	return true
}

// changed reports whether a field did not take a text as it was, and warns of what it holds instead; name is the
// field's, where there are several.
func changed(e *stepdef.Env, name string, done *action.Filled) bool {
	if done.Holds != nil {
		if name != "" {
			name += ": "
		}
		e.Warn("%s%s", name, done.Holds)
	}
	return !done.Kept
}

// named gives the obstacle in an error its ref.
func named(e *stepdef.Env, err error) error {
	var not *action.NotReadyError
	if !errors.As(err, &not) || not.By == nil || not.By.Ref != 0 {
		return err
	}
	for c := range e.Elements.Captures() {
		for _, uid := range not.By.UIDs {
			for k := range c.Nodes {
				n := &c.Nodes[k]
				if n.UID == uid && n.Ref > 0 && n.Frame >= 0 && n.Frame < len(c.Frames) &&
					c.Frames[n.Frame].ID == not.By.Frame {
					not.By.Ref = n.Ref
					return err
				}
			}
		}
	}
	return err
}

// replaced reports the substitute of a ref that was gone.
func replaced(e *stepdef.Env, f *element.Found) replacement {
	if !f.Replaced() {
		return replacement{}
	}
	return replacement{true, &substitute{e.Elements.Spell(f.Ref), e.Elements.Spell(f.NewRef)}}
}
