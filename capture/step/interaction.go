package step

import (
	"errors"
	"fmt"
	"time"

	"github.com/refscope/refscope/capture/action"
)

// interactionKinds are the steps that act on elements (seed 9).
func interactionKinds() []Kind {
	return []Kind{
		{Name: "click", Summary: "click an element, or a point", Hooks: true, parse: parseClick, Forms: []Form{
			{`"#submit"`, "a CSS selector"}, {`"s1e4"`, "a ref, in any spelling"}, {`{"ref":"s1e4"}`, "a ref"},
			{`{"text":"Sign In","exact":true,"withinSelector":"form"}`, "the text that a person sees"}, {`{"x":100,"y":200}`, "a point of the viewport, CSS px"},
			{`{"selectors":["#a","[data-action=submit]"]}`, "the first of several that is there"},
			{`{"selector":"#menu","doubleClick":true,"timeout":2000}`, "with options: doubleClick, button, force, jsClick, nativeOnly, stable, strict, scrollUntilVisible, waitAfter, searchFrames"},
		}},
		{Name: "fill", Summary: "put a text into a field, or into several", Hooks: true, parse: parseFill, Forms: []Form{
			{`{"selector":"#email","value":"ada@example.org"}`, "by selector; clear:false adds to what is there, react:true sets the value by script"},
			{`{"ref":"s1e4","value":"ada@example.org"}`, "by ref"}, {`{"label":"Email Address","value":"ada@example.org"}`, "by the label that a person sees"},
			{`{"#firstName":"Ada","#lastName":"Lovelace","s1e4":"ada@example.org"}`, "several fields at once, by selector or ref"},
			{`{"fields":{"#firstName":"Ada"},"react":true}`, "several fields, with options"},
			{`"hello"`, "the field that has the focus"}, {`{"value":"hello","clear":true}`, "the same, with options"},
		}},
		{Name: "type", Summary: "type a text key by key", Hooks: true, parse: parseType, Forms: []Form{
			{`{"selector":"#search","text":"refscope","delay":20}`, "into a field, with a pause in ms between keys"}, {`{"ref":"s1e4","text":"refscope"}`, "by ref"}, {`"refscope"`, "into what has the focus"},
		}},
		{Name: "press", Summary: "press a key, with modifiers", Hooks: true, parse: parsePress, Forms: []Form{
			{`"Enter"`, "a key by its name"}, {`"Control+a"`, "with Control (Ctrl), Alt, Meta (Cmd, Command) or Shift"}, {`{"key":"Escape","selector":"#search"}`, "with an element that gets the focus first"},
		}},
		{Name: "hover", Summary: "move the mouse over an element", Hooks: true, parse: parseHover, Forms: []Form{
			{`"#menu"`, "a CSS selector or ref"}, {`{"ref":"s1e4","duration":500}`, "staying there, in ms"}, {`{"selector":"#menu","captureResult":true}`, "and say what appeared"},
		}},
		{Name: "drag", Summary: "drag from one place to another", Hooks: true, parse: parseDrag, Forms: []Form{
			{`{"source":"#card","target":"#list"}`, "from element to element; method auto, mouse or html5; steps, delay"},
			{`{"source":{"ref":"s1e4","offsetX":10,"offsetY":-5},"target":{"x":300,"y":120}}`, "with offsets from the middle, or to a point"},
		}},
		{Name: "scroll", Summary: "scroll the page or a container", Hooks: true, parse: parseScroll, Forms: []Form{
			{`"top"`, "to the top"}, {`"bottom"`, "to the bottom"}, {`"#footer"`, "an element (selector or ref) to the middle of the view"},
			{`{"deltaY":500}`, "by a distance, CSS px"}, {`{"x":0,"y":1000}`, "to a place, CSS px"}, {`{"selector":"#list","deltaY":300}`, "what is inside a container"},
		}},
		{Name: "selectOption", Summary: "choose in a list box", Hooks: true, parse: parseSelect, Forms: []Form{
			{`{"selector":"#size","value":"l"}`, "by value"}, {`{"ref":"s1e4","label":"Large"}`, "by what a person reads; option is the value, or else that"}, {`{"selector":"#size","index":2}`, "by place, from 0"}, {`{"selector":"#tags","values":["a","b"]}`, "several"},
		}},
		{Name: "upload", Summary: "give a file input its files", Hooks: true, parse: parseUpload, Forms: []Form{
			{`{"selector":"input[type=file]","files":["photo.png"]}`, "paths of files that are there"},
		}},
	}
}

// ready are the options that all actions on elements share.
type ready struct {
	Force   bool    `json:"force,omitempty"`
	Strict  bool    `json:"strict,omitempty"`  // fail where else the action is forced
	Stable  bool    `json:"stable,omitempty"`  // wait until it does not move
	Timeout float64 `json:"timeout,omitempty"` // ms; 5000 if 0
}

func (o ready) options() action.Options {
	return action.Options{Timeout: ms(o.Timeout), Force: o.Force, Strict: o.Strict, Stable: o.Stable}
}

func (o ready) check() error {
	if o.Timeout < 0 {
		return fmt.Errorf("timeout: %g: want 0 ms or more", o.Timeout)
	}
	return nil
}

func ms(n float64) time.Duration { return time.Duration(min(n, 1e9) * float64(time.Millisecond)) }

// forced warns of an element that was not ready and was acted on all the same.
func (r *Runner) forced(why *action.NotReadyError) bool {
	if why == nil {
		return false
	}
	if err := r.named(why); err != nil {
		r.warn("forced: %v", err)
	}
	return true
}

// named gives the obstacle in an error its ref.
func (r *Runner) named(err error) error {
	var not *action.NotReadyError
	if !errors.As(err, &not) || not.By == nil || not.By.Ref != 0 {
		return err
	}
	for c := range r.elements.Captures() {
		for _, uid := range not.By.UIDs {
			for k := range c.Nodes {
				n := &c.Nodes[k]
				if n.UID == uid && n.Ref > 0 && n.Frame >= 0 && n.Frame < len(c.Frames) && c.Frames[n.Frame].ID == not.By.Frame {
					not.By.Ref = n.Ref
					return err
				}
			}
		}
	}
	return err
}

// replaced reports the substitute of a ref that was gone.
func (r *Runner) replaced(f *found) (bool, *substitute) {
	if !f.Replaced() {
		return false, nil
	}
	return true, &substitute{r.spell(f.Ref), r.spell(f.NewRef)}
}
