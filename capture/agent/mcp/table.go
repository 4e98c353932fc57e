package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/overlay/vision"
)

// tools is the table of tools: those of Wraith first, by its names (W-7).
func tools() []tool {
	return slices.Concat(pageTools(), actionTools(), moveTools(), otherTools())
}

func pageTools() []tool {
	return []tool{
		{name: "browse_navigate", title: "Open an address", safe: true,
			what: "Open an address and list the page's elements with their numbers. The first call opens a tab.",
			params: slices.Concat([]param{
				{name: "url", kind: text, required: true, what: "http or https address"},
				{name: "wait_until", kind: text, enum: []string{"commit", "domcontentloaded", "load", "networkidle"}, what: "how far the page must have come; default load"},
				{name: "new_tab", kind: boolean, what: "open a tab of its own for it"},
				{name: "snapshot", kind: boolean, what: "list the page's elements; default true"},
			}, viewParams(), expectParams()),
			plan: func(d *door, a args) (*plan, error) {
				if err := a.checkView(d); err != nil {
					return nil, err
				}
				to := map[string]any{"url": a.str("url")}
				if w := a.str("wait_until"); w != "" {
					to["waitUntil"] = w
				}
				p := &plan{view: a.viewIf(d, "snapshot", true)}
				if d.current() == "" || a.is("new_tab") {
					p.fresh, p.steps = true, []map[string]any{{"openTab": true}}
				}
				p.steps = append(p.steps, map[string]any{"goto": to})
				return p, nil
			}},
		{name: "browse_snapshot", title: "List the page's elements", readOnly: true,
			what:   "List what is on the page now, with a number for each element. Numbers stay with their elements.",
			params: viewParams(),
			plan: func(d *door, a args) (*plan, error) {
				return &plan{look: true, view: a.viewIf(d, "", true)}, a.checkView(d)
			}},
		{name: "browse_screenshot", title: "Take a picture", readOnly: true,
			what: "Take a picture of the visible part of the page with the elements' numbers drawn on it, in the size that the model sees without resizing. Secrets are filled flat.",
			params: []param{
				{name: "model", kind: text, what: "name of the vision model whose image rules hold, such as gpt-4o; none leaves the picture as it is"},
				{name: "marks", kind: boolean, what: "draw the numbers; default true"},
			},
			plan: func(_ *door, a args) (*plan, error) {
				if m := a.str("model"); m != "" {
					if _, ok := vision.Lookup(m); !ok {
						return nil, fmt.Errorf("model %q is not known: name one such as gpt-4o, claude-sonnet-4-5 or gemini-2.5-pro, or leave model out", m)
					}
				}
				return &plan{look: true, picture: &glance{model: a.str("model"), plain: !a.or("marks", true)}}, nil
			}},
	}
}

func actionTools() []tool {
	return []tool{
		{name: "browse_click", title: "Click an element",
			what: "Click an element. Hidden, disabled and covered elements are refused with the reason; force clicks them all the same.",
			params: targeted("element to click",
				param{name: "button", kind: text, enum: []string{"left", "middle", "right"}, what: "mouse button; default left"},
				param{name: "double", kind: boolean, what: "click twice"}),
			plan: func(d *door, a args) (*plan, error) {
				p := a.ready(map[string]any{})
				if b := a.str("button"); b != "" {
					p["button"] = b
				}
				if a.is("double") {
					p["doubleClick"] = true
				}
				return act("click", d, a, p)
			}},
		{name: "browse_fill", title: "Fill a field", again: true,
			what: "Put a text into a field in place of what is there.",
			params: targeted("field",
				param{name: "value", kind: text, required: true, typed: true, what: "the text; empty clears the field"}),
			plan: func(d *door, a args) (*plan, error) {
				return act("fill", d, a, a.ready(map[string]any{"value": a.str("value")}))
			}},
		{name: "browse_select", title: "Choose in a list box", again: true,
			what: "Choose the option of a list box that has this value, or else this label.",
			params: targeted("list box",
				param{name: "value", kind: text, required: true, what: "the option's value or label"}),
			plan: func(d *door, a args) (*plan, error) {
				return act("selectOption", d, a, a.ready(map[string]any{"option": a.str("value")}))
			}},
		{name: "browse_type", title: "Type on the keyboard",
			what: "Type a text key by key, after what is there: for fields that react to keys. Without ref it goes to what has the focus.",
			params: targeted("field",
				param{name: "text", kind: text, required: true, typed: true, what: "the text"}),
			plan: func(d *door, a args) (*plan, error) {
				p := map[string]any{"text": a.str("text")}
				if !a.has("ref") && a.str("selector") == "" {
					return &plan{steps: []map[string]any{{"type": p}}, view: a.viewIf(d, "snapshot", false)}, nil
				}
				return act("type", d, a, a.ready(p))
			}},
		{name: "browse_press", title: "Press a key",
			what: "Press a key, such as Enter, Escape, ArrowDown or Control+a. With ref the element gets the focus first.",
			params: slices.Concat([]param{
				{name: "key", kind: text, required: true, what: "the key by its name, with Control, Alt, Shift or Meta and + before it"},
				refParam("element that gets the key"), selectorParam(), showParam(),
			}, expectParams()),
			plan: func(d *door, a args) (*plan, error) {
				p := map[string]any{"key": a.str("key")}
				if !a.has("ref") && a.str("selector") == "" {
					return &plan{steps: []map[string]any{{"press": p}}, view: a.viewIf(d, "snapshot", false)}, nil
				}
				return act("press", d, a, p)
			}},
		{name: "browse_hover", title: "Move the mouse over an element", safe: true, again: true,
			what:   "Move the mouse over an element, for what shows only then.",
			params: targeted("element"),
			plan: func(d *door, a args) (*plan, error) {
				return act("hover", d, a, a.ready(map[string]any{"captureResult": true}))
			}},
	}
}

func moveTools() []tool {
	travel := func(name, title, what string) tool {
		return tool{name: "browse_" + name, title: title, what: what, safe: true, params: append([]param{showParam()}, expectParams()...),
			plan: func(d *door, a args) (*plan, error) {
				return &plan{steps: []map[string]any{{name: true}}, view: a.viewIf(d, "snapshot", false)}, nil
			}}
	}
	return []tool{
		{name: "browse_scroll_to", title: "Scroll to an element", safe: true, again: true,
			what:   "Bring an element to the middle of the view.",
			params: []param{refParam("element"), selectorParam(), showParam()},
			plan: func(d *door, a args) (*plan, error) {
				return act("scroll", d, a, map[string]any{})
			}},
		{name: "browse_scroll", title: "Scroll", safe: true,
			what: "Scroll the page, or with ref what is inside that element.",
			params: []param{
				{name: "to", kind: text, enum: []string{"top", "bottom"}, what: "an end of the page"},
				{name: "delta_y", kind: integer, min: -1e6, max: 1e6, what: "distance in CSS px, down above 0"},
				{name: "delta_x", kind: integer, min: -1e6, max: 1e6, what: "distance in CSS px, right above 0"},
				refParam("container to scroll in"), showParam(),
			},
			plan: func(d *door, a args) (*plan, error) {
				out := &plan{ref: a.num("ref"), view: a.viewIf(d, "snapshot", false)}
				moves := a.num("delta_x") != 0 || a.num("delta_y") != 0
				switch {
				case a.str("to") != "" && (moves || a.has("ref")):
					return nil, errors.New("to stands alone: leave delta_x, delta_y and ref out")
				case a.str("to") != "":
					out.steps = []map[string]any{{"scroll": a.str("to")}}
					return out, nil
				case !moves:
					return nil, errors.New("say where to: give to, delta_y or delta_x")
				}
				p := map[string]any{"deltaX": a.num("delta_x"), "deltaY": a.num("delta_y")}
				if a.has("ref") {
					p["ref"] = a.num("ref")
				}
				out.steps = []map[string]any{{"scroll": p}}
				return out, nil
			}},
		travel("back", "Go back", "Go back in the tab's history."),
		travel("forward", "Go forward", "Go forward in the tab's history."),
		travel("reload", "Reload", "Load the page again."),
		{name: "browse_wait", title: "Wait", readOnly: true,
			what: "Wait until something is so. Give one of text, gone, selector, url, load and ms.",
			params: []param{
				{name: "text", kind: text, what: "until this text can be read"}, {name: "selector", kind: text, what: "until an element that this CSS selector matches can be seen"},
				{name: "gone", kind: text, what: "until nothing that this CSS selector matches can be seen"}, {name: "url", kind: text, what: "until the address holds this"},
				{name: "load", kind: text, enum: []string{"domcontentloaded", "load", "networkidle"}, what: "until the page has come so far"},
				{name: "ms", kind: integer, min: 1, max: 300_000, what: "this long"},
				{name: "timeout_ms", kind: integer, min: 1, max: 300_000, what: "give up after; default 30000"}, showParam(),
			},
			plan: planWait},
	}
}

func planWait(d *door, a args) (*plan, error) {
	p, n := map[string]any{}, 0
	for _, name := range []string{"text", "selector", "gone", "url", "load", "ms"} {
		if v, ok := a[name]; ok {
			p[name] = v
			n++
		}
	}
	if n != 1 {
		return nil, errors.New("give one of text, gone, selector, url, load and ms")
	}
	step := map[string]any{"wait": p}
	if a.has("timeout_ms") {
		step["timeout"] = a.num("timeout_ms")
	}
	return &plan{steps: []map[string]any{step}, view: a.viewIf(d, "snapshot", false)}, nil
}

func otherTools() []tool {
	return []tool{
		{name: "browse_tabs", title: "Tabs",
			what: "List the browser's tabs, go to one (select), or close one. browse_navigate with new_tab opens one.",
			params: []param{
				{name: "action", kind: text, enum: []string{"list", "select", "close"}, required: true, what: "what to do"},
				{name: "tab", kind: text, what: "alias such as t2, or target id, as the list says; of close: the present one if left out"}, showParam(),
			},
			plan: planTabs},
		{name: "browse_dialog", title: "Answer a dialog",
			what: "Answer the alert, confirm or prompt that is open, or say what becomes of those that come: by default they are dismissed, with policy ask they stay open until they are answered.",
			params: []param{
				{name: "accept", kind: boolean, what: "true is OK, false is Cancel"}, {name: "prompt_text", kind: text, typed: true, what: "the text of a prompt"},
				{name: "policy", kind: text, enum: []string{"ask", "accept", "dismiss"}, what: "from now on; instead of accept"}, showParam(),
			},
			plan: func(d *door, a args) (*plan, error) {
				p := map[string]any{}
				switch {
				case a.has("accept") == a.has("policy"):
					return nil, errors.New("give one of accept and policy")
				case a.has("prompt_text") && !a.is("accept"):
					return nil, errors.New("prompt_text goes with accept: true")
				case a.has("policy"):
					p["policy"] = a.str("policy")
				default:
					p["accept"] = a.is("accept")
					if a.has("prompt_text") {
						p["promptText"] = a.str("prompt_text")
					}
				}
				return &plan{steps: []map[string]any{{"dialog": p}}, view: a.viewIf(d, "snapshot", false)}, nil
			}},
		{name: runSteps, title: "Run steps",
			what: "Run several steps in one go, as refscopectl run does: {\"steps\":[{\"fill\":{\"ref\":12,\"value\":\"…\"}},{\"click\":13},{\"assert\":{\"text\":\"Thank you\"}}]}. " +
				"All steps are checked before the first one runs. Steps: " + stepNames() + ".",
			params: []param{
				{name: "steps", kind: list, required: true, what: "objects with one step each; optional:true and timeout (ms) may stand beside it"},
				{name: "tab", kind: text, what: "alias of the tab; the present one if left out"}, {name: "timeout", kind: integer, min: 1, max: 300_000, what: "ms for each step; default 30000"},
				{name: "stopOnError", kind: boolean, what: "stop at the first step that fails; default true"},
			},
			plan: planSteps},
		{name: "profile_read", title: "Read what is known of a site", readOnly: true, closed: true,
			what:   "Read the notes on a site: its quirks, strategies, regions and recipes.",
			params: []param{{name: "domain", kind: text, required: true, what: "domain or address"}},
			plan: func(_ *door, a args) (*plan, error) {
				return &plan{tabless: true, steps: []map[string]any{{"readSiteProfile": a.str("domain")}}}, nil
			}},
		{name: "profile_write", title: "Write what is known of a site", closed: true, safe: true, again: true,
			what: "Replace the notes on a site with this Markdown; the version before is kept. Read them first. Sections: Environment, Quirks, Strategies, Regions, Recipes.",
			params: []param{
				{name: "domain", kind: text, required: true, what: "domain or address"}, {name: "content", kind: text, required: true, what: "the whole text"},
			},
			plan: func(_ *door, a args) (*plan, error) {
				return &plan{tabless: true, steps: []map[string]any{{"writeSiteProfile": map[string]any{"domain": a.str("domain"), "content": a.str("content")}}}}, nil
			}},
	}
}

func planTabs(d *door, a args) (*plan, error) {
	tab := a.str("tab")
	out := &plan{tabless: true, view: a.viewIf(d, "snapshot", false)}
	switch a.str("action") {
	case "list":
		if tab != "" {
			return nil, errors.New("tab does not go with list")
		}
		out.steps, out.view = []map[string]any{{"listTabs": true}}, nil
		return out, nil
	case "select":
		if tab == "" {
			return nil, errors.New("tab is missing: name the tab to go to, as list says it")
		}
		if !isTab(tab) {
			return nil, fmt.Errorf("tab %q is none: name it as list says it, t1 or the target id", tab)
		}
		out.steps = []map[string]any{{"connectTab": tab}}
		return out, nil
	}
	if tab == "" {
		if tab = d.current(); tab == "" {
			return nil, errNoTab
		}
	}
	if !isTab(tab) {
		return nil, fmt.Errorf("tab %q is none: name it as list says it, t1 or the target id", tab)
	}
	out.steps, out.view = []map[string]any{{"closeTab": tab}}, nil
	return out, nil
}

// planSteps gives the present tab to a command that names none.
func planSteps(d *door, a args) (*plan, error) {
	command := map[string]any{"steps": a["steps"]}
	for _, name := range []string{"timeout", "stopOnError"} {
		if v, ok := a[name]; ok {
			command[name] = v
		}
	}
	tab := a.str("tab")
	if tab == "" && !begins(a["steps"].(json.RawMessage)) {
		tab = d.current()
	}
	if tab != "" {
		command["tab"] = tab
	}
	raw, err := json.Marshal(command)
	if err != nil {
		return nil, err
	}
	return &plan{raw: raw}, nil
}

// begins reports whether the first step brings a tab of its own.
func begins(steps json.RawMessage) bool {
	var l []map[string]json.RawMessage
	if json.Unmarshal(steps, &l) != nil || len(l) == 0 {
		return false
	}
	_, opens := l[0]["openTab"]
	_, connects := l[0]["connectTab"]
	return opens || connects
}

// stepNames are the steps that a batch can have.
func stepNames() string {
	var names []string
	for _, k := range step.Table() {
		names = append(names, k.Name)
	}
	return strings.Join(names, ", ")
}

// isTab reports whether a name can be that of a tab.
func isTab(name string) bool { return registry.IsAlias(name) || registry.IsTarget(name) }
