package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Action is what an answer wants done to an element of the page.
type Action struct {
	Verb string `json:"verb"` // click, type …, as the answer spells it
	// Ref is the number or id of an element without what is around it: "12" of "[12]", "e12" of
	// "ref=e12" and "@e12", "114" of "[mmid='114']"; "" without one.
	Ref string `json:"ref,omitempty"`
	// Selector is a CSS selector, an XPath, or a locator of Playwright, as the answer writes it.
	Selector string `json:"selector,omitempty"`
	// Named is the text by which the answer names the element where it has no ref.
	Named string `json:"named,omitempty"`
	// Point is a place in the space of Space; nil without one. A box counts by its middle.
	Point *[2]float64 `json:"point,omitempty"`
	// Thousandths: the point is in thousandths of the picture each way, else in px.
	Thousandths bool `json:"thousandths,omitempty"`
}

// Clicks reports whether the action presses something, so that what lies over it matters.
func (a Action) Clicks() bool { return hasWord(a.Verb, pressing) }

// pressing are words of actions that press something.
var pressing = []string{"click", "tap", "press", "check", "select", "toggle"}

func hasWord(verb string, words []string) bool {
	v := strings.ToLower(verb)
	for _, w := range words {
		if strings.Contains(v, w) {
			return true
		}
	}
	return false
}

// Actions lists the actions of an answer in its order: in calls of tools, in JSON in its text,
// in programs that call tools (code.go), spelled as calls, such as click(7) or click(start_box='(120,340)'), and as
// commands, such as agent-browser click @e12. A drag is two, from where and to where. What is not about an element,
// such as a switch of tabs, is left out.
//
// This is the one reader of what an answer aims at. A spelling is a row of the table in its test; a
// new one is added here, or where a target is read, in aim.go.
//
// asked is the request, nil where it is not known: it may say how places are to be written.
func (a *Answer) Actions(asked *Request) []Action { return a.actions(asked).out }

// Typing is an action that types a text.
type Typing struct {
	Action
	Text  string
	Words string // that the answer has for the element, beside a ref too
}

// Typings are those of [Answer.Actions] that type. One without an element types where the focus is.
func (a *Answer) Typings(asked *Request) []Typing { return a.actions(asked).typed }

func (a *Answer) actions(asked *Request) *actionReader {
	r := &actionReader{dialect: a.Dialect, model: strings.ToLower(a.Model), asked: asked, places: asked.places()}
	for _, c := range a.Calls {
		r.tool = c.Name
		v, _, ok := decode(c.Arguments)
		program, _ := v.(string)
		switch {
		case len(ToolsInCode(program)) > 0:
			r.code(program)
		case ok:
			r.call(c.Name, v, 0)
		}
	}
	if r.tool = ""; len(r.out) == 0 {
		r.text(a.Text)
	}
	return r
}

type actionReader struct {
	dialect, model string
	asked          *Request // nil where it is not known
	places         places
	tool           string // whose arguments are read, "" for a text
	out            []Action
	typed          []Typing
	texts          int // within which others are read
}

// Limits of what is read of an answer.
const (
	maxNesting = 12  // of arguments
	maxActions = 200 // of one answer
)

// others are words of actions that are not about an element, whatever else is in their names.
var others = []string{"tab", "file_system", "write_file", "read_file", "todo", "done", "wait", "navigate",
	"screenshot", "zoom", "noop"}

// about are words of actions on elements.
var about = []string{"click", "tap", "type", "fill", "input", "select", "hover", "press", "check", "drag", "upload",
	"focus", "scroll",
	"interact", "set_value", "setvalue", "clear", "dropdown", "act", "computer", "move", "element", "swipe",
	"enter_text", "entertext", "send_keys", "sendkeys",
	"mouse",
	"left_double", "right_single", "mobile_use", "observe", "highlight", "long_press", "evaluate"}

// aboutElements reports whether the names of actions on elements are like that.
func aboutElements(verb string) bool {
	if v := strings.ToLower(verb); !strings.HasPrefix(v, "tap") && !strings.HasPrefix(v, "screenshot_click") &&
		hasWord(v, others) {
		return false
	}
	return hasWord(verb, about)
}

// object is a JSON object with its members in their order.
type object []member

type member struct {
	key   string
	value any // object, []any, string, float64, bool or nil
}

func (o object) get(key string) any {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func (o object) text(key string) string {
	s, _ := o.get(key).(string)
	return s
}

// longestDocument is how much of a text is read as one JSON document, bytes.
const longestDocument = 1 << 20

// decode reads the JSON value at the beginning of a text, and how many bytes it takes.
func decode(text []byte) (v any, size int, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text[:min(len(text), longestDocument)]))
	v, ok = decodeValue(d, 0)
	return v, int(d.InputOffset()), ok
}

func decodeValue(d *json.Decoder, depth int) (any, bool) {
	t, err := d.Token()
	if err != nil || depth > 100 {
		return nil, false
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, false
			}
			v, ok := decodeValue(d, depth+1)
			if !ok {
				return nil, false
			}
			name, _ := key.(string)
			o = append(o, member{name, v})
		}
		_, err = d.Token()
		return o, err == nil
	case json.Delim('['):
		l := []any{}
		for d.More() {
			v, ok := decodeValue(d, depth+1)
			if !ok {
				return nil, false
			}
			l = append(l, v)
		}
		_, err = d.Token()
		return l, err == nil
	}
	return t, true
}

// naming are the members that name the action of an object, in the order in which they count.
var naming = []string{"action", "action_type", "actionType", "method", "type", "name", "tool", "variant"}

// naturally are members with a sentence or a command and not with a target.
var naturally = []string{"action", "instruction", "command", "cmd", "code"}

// scripts are members with a program that runs in the page: its calls are the page's, and spell no action.
var scripts = []string{"script", "function", "expression"}

// call reads the arguments of a call; where they hold the names of actions, as browser-use's
// {"action":[{"click":{"index":5}}]} do, those.
func (r *actionReader) call(verb string, args any, depth int) {
	if depth > maxNesting || len(r.out) >= maxActions {
		return
	}
	switch v := args.(type) {
	case []any:
		for _, one := range v {
			r.call(verb, one, depth+1)
		}
	case string:
		// A call in a text, or the arguments of one.
		if inner, _, ok := decode([]byte(v)); ok && strings.HasPrefix(strings.TrimSpace(v), "{") {
			r.call(verb, inner, depth+1)
		} else if isOne(verb, naturally) {
			r.text(v)
		} else if isOne(verb, scripts) && !r.locators(v) {
			r.queries(v)
		}
	case object:
		r.object(verb, v, depth)
	}
}

func isOne(s string, of []string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

// object reads one object: a call of a tool in a text, an action with its target, or what holds such.
func (r *actionReader) object(verb string, v object, depth int) {
	// {"name": "computer_use", "arguments": {…}}, with the arguments under any of these names; "tool" is of batches.
	if name := cmp.Or(v.text("name"), v.text("tool")); name != "" {
		for _, key := range []string{"arguments", "args", "parameters", "input", "params"} {
			if inner := v.get(key); inner != nil {
				r.call(name, inner, depth+1)
				return
			}
		}
	}
	outer := verb
	for _, key := range naming { // computer tools name the action in their arguments
		s := v.text(key)
		if s == "" {
			continue
		}
		if key == "action" && strings.Contains(s, "(") {
			r.text(s)
			return
		}
		if (verb == "" || isOne(verb, containers) || strings.HasPrefix(verb, "computer") || strings.HasPrefix(verb,
			"mobile_use") ||
			verb == "browser" || verb == "interact" || key == "method") && !strings.Contains(s, " ") {
			verb = s
			break
		}
	}
	if isOne(outer, []string{"action", "actions", "param", "params", "locate"}) && verb == outer {
		verb = v.text("verb")
	}
	before := len(r.out)
	if aboutElements(verb) || namesElement(outer, v) {
		if found := r.aims(verb, v); len(found) > 0 {
			r.out = append(r.out, found...)
			return
		}
	} else if verb != outer && verb != "" && !isOne(verb, []string{"object", "function"}) && hasWord(verb, others) {
		return // a wait, a screenshot
	}
	for _, m := range v {
		if isOne(m.key, []string{"selector", "selectors"}) { // what to look at, where no action has taken it
			continue
		}
		switch m.value.(type) {
		case object, []any:
			next := m.key
			// The target of an action may be in an object of its own.
			if isOne(m.key, containers) || isOne(m.key, []string{"elements", "fields", "entry", "entries", "locate",
				"param", "params", "locator"}) {
				next = verb
			}
			r.call(next, m.value, depth+1)
		case string:
			if isOne(m.key, naturally) || isOne(m.key, scripts) {
				r.call(m.key, m.value, depth+1)
			}
		}
	}
	// A sentence for an act, such as {"action": "click the sign in button"}.
	if s := v.text("action"); len(r.out) == before && isOne(outer, []string{"act", "stagehand_act",
		"browserbase_stagehand_act"}) && s != "" {
		r.out = append(r.out, Action{Verb: outer, Named: s})
	}
}

// containers are members that hold actions, and no target of their own.
var containers = []string{"action", "actions", "arguments", "args", "parameters", "tool_calls", "steps", "function"}

// text reads the actions in a text: JSON documents in it, then calls that are spelled out, and
// commands.
func (r *actionReader) text(s string) {
	if r.texts++; r.texts > maxNesting {
		return
	}
	defer func() { r.texts-- }()
	before := len(r.out)
	tries := 0 // a text full of brackets is no list of actions
	for at := 0; at < len(s) && len(r.out) < maxActions; {
		open := strings.IndexAny(s[at:], "{[")
		if open < 0 {
			break
		}
		at += open
		doc, size, ok := decode([]byte(s[at:]))
		if !ok {
			if tries++; tries > 1000 {
				break
			}
			at++
			continue
		}
		r.document(doc, taggedVerb(s[max(0, at-200):at]))
		at += max(size, 1)
	}
	if len(r.out) == before && !r.locators(s) && !r.queries(s) {
		r.spelled(s)
	}
	if len(r.out) == before {
		r.commands(s)
	}
}

// document reads one JSON document in a text, with the verb that a tag before it names. One that is nothing but a
// place is where Midscene asked for the element of a step.
func (r *actionReader) document(doc any, verb string) {
	o, _ := doc.(object)
	at := slices.ContainsFunc([]string{"bbox", "bbox_2d", "point", "point_2d"},
		func(key string) bool { return pointOf(o.get(key)) != nil })
	if verb == "" && at && !slices.ContainsFunc(o, func(m member) bool { return isOne(m.key, naming) }) {
		verb = "locate"
	}
	if verb != "" {
		if found := r.aims(verb, o); len(found) > 0 {
			r.out = append(r.out, found...)
			return
		}
	}
	r.call("", doc, 0)
}

// taggedVerb is the verb of the last tag that names one, such as Midscene's <action-type>Tap</action-type>, where what
// follows it is its parameters; "" for none.
func taggedVerb(before string) string {
	if m := verbTag.FindStringSubmatch(before); m != nil {
		return m[1]
	}
	return ""
}

var (
	verbTag     = regexp.MustCompile(`<action-type>\s*(\w+)\s*</action-type>\s*<action-param-json>\s*$`)
	callPattern = regexp.MustCompile(`\b((?:[a-z]+\.)?[a-z]+(?:_[a-z]+|[A-Z][a-z]+)*)\(`)
	argPattern  = regexp.MustCompile(`([a-zA-Z_]+)\s*=\s*(?:'([^']*)'|"([^"]*)"|([\[(][^\])]*[\])])|([^,\s]+))`)
	// A command line of agent-browser, Playwright's, chrome-devtools-axi or Browserbase's: tool, version, an option or
	// two, verb, ref.
	commandPattern = regexp.MustCompile(`(?m)(?:\b(?:agent-browser|playwright-cli|chrome-devtools-axi)|` +
		`@playwright/cli|(?:^\s*|[;&|]\s*|/browse-cli\s+|\.bin/)(browse))(?:@[\w.-]+)?` +
		`(?:\s+--?[\w-]+(?:[= ][\w./:-]+)?){0,3}` +
		`\s+([a-z]+(?:_xy)?)\s+("[^"\n]*"|'[^'\n]*'|[^\s"';&|]+)(?:\s+([^\s"';&|]+))?`)
)

// spelled reads calls as they are written in programs.
func (r *actionReader) spelled(s string) {
	for _, m := range callPattern.FindAllStringSubmatchIndex(s, 5*maxActions) {
		module, verb, dotted := strings.Cut(s[m[2]:m[3]], ".")
		if !dotted {
			verb = module
		}
		written, ok := inParentheses(s[m[1]:])
		if !ok {
			continue
		}
		args := object{}
		for _, a := range argPattern.FindAllStringSubmatch(written, 10) {
			args = append(args, member{a[1], a[2] + a[3] + a[4] + a[5]})
		}
		if verb == "do" { // AutoGLM's do(action="Tap", element=[120,340])
			verb = args.text("action")
		}
		if !aboutElements(verb) || len(r.out) >= maxActions {
			continue
		}
		// A library that moves the mouse knows places only.
		places := dotted && isOne(module, []string{"pyautogui", "mouse"}) || strings.HasPrefix(verb, "mouse_")
		if len(args) == 0 {
			args = r.positional(verb, written, places)
		}
		if places {
			args = args.without("ref")
		}
		r.out = append(r.out, r.aims(verb, args)...)
	}
}

// longestCall is how long the arguments of a call may be, bytes.
const longestCall = 4096

// inParentheses is what comes before the parenthesis that closes a call; false where none does, or
// where a line ends outside of quotes.
func inParentheses(s string) (string, bool) {
	depth, quote := 1, byte(0)
	for i := range min(len(s), longestCall) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote && s[i-1] != '\\' {
				quote = 0
			}
		case c == '\n':
			return "", false
		case c == '"', c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return s[:i], true
			}
		}
	}
	return "", false
}

func (o object) without(key string) object {
	var out object
	for _, m := range o {
		if m.key != key {
			out = append(out, m)
		}
	}
	return out
}

// positional are the arguments of a call without names. Two numbers are a place, one is a ref.
func (r *actionReader) positional(verb, s string, places bool) object {
	if n := numbers(s); len(n) > 0 && onlyNumbers(s) {
		switch {
		case strings.Contains(strings.ToLower(verb), "scroll") && len(n) > 1:
			return nil // how far
		case len(n) == 2:
			return object{{"point", []any{n[0], n[1]}}}
		case len(n) == 4 && hasWord(verb, []string{"drag", "swipe"}):
			return object{{"start_point", []any{n[0], n[1]}}, {"end_point", []any{n[2], n[3]}}}
		case len(n) == 4:
			return object{{"bbox", []any{n[0], n[1], n[2], n[3]}}}
		}
	}
	if places {
		return nil
	}
	parts := strings.Split(s, ",")
	first := strings.TrimSpace(parts[0])
	out := object{{"ref", strings.Trim(first, `"'`)}}
	if strings.Contains(strings.ToLower(verb), "drag") && len(parts) > 1 {
		out = append(out, member{"to", strings.Trim(strings.TrimSpace(parts[1]), `"'`)})
	}
	if _, ok := refOf("ref", out[0].value); !ok {
		if p := pointOf(s); p != nil && strings.ContainsAny(s, "([<") {
			return object{{"point", []any{p[0], p[1]}}}
		}
		if quoted := first != strings.Trim(first, `"'`); !quoted {
			return nil
		}
		return object{{"selector", out[0].value}}
	}
	return out
}

// commands reads the command lines of browser tools.
func (r *actionReader) commands(s string) {
	for _, m := range commandPattern.FindAllStringSubmatch(s, maxActions) {
		verb := m[2]
		if !aboutElements(verb) && verb != "dblclick" && verb != "scrollintoview" {
			continue
		}
		args := object{{"target", strings.Trim(m[3], `"'`)}}
		if verb == "drag" && m[4] != "" {
			args = append(args, member{"to", m[4]})
		}
		if verb == "press" || verb == "scroll" || verb == "mouse" {
			continue
		}
		if m[1] != "" { // Browserbase's browse has places for some, and types where the focus is
			if verb == "type" {
				continue
			}
			_, x := number(m[3])
			if _, y := number(m[4]); x && y {
				args = object{{"point", m[3] + "," + m[4]}}
			}
		}
		r.out = append(r.out, r.aims(verb, args)...)
	}
}
