package wire

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Action is what an answer wants done to an element of the page.
type Action struct {
	Verb string `json:"verb"` // click, type …, as the answer spells it
	// Ref is the number or id of an element without what is around it: "12" of "[12]", "e12" of
	// "ref=e12"; "" without one.
	Ref string `json:"ref,omitempty"`
	// Named is the text by which the answer names the element where it has no ref.
	Named string `json:"named,omitempty"`
	// Point is a place in the space of Space; nil without one. A box counts by its middle.
	Point *[2]float64 `json:"point,omitempty"`
	// Thousandths: the point is in thousandths of the picture each way, else in px.
	Thousandths bool `json:"thousandths,omitempty"`
}

// Clicks reports whether the action presses something, so that what lies over it matters.
func (a Action) Clicks() bool {
	v := strings.ToLower(a.Verb)
	for _, word := range []string{"click", "tap", "press", "check", "select", "toggle"} {
		if strings.Contains(v, word) {
			return true
		}
	}
	return false
}

// Actions lists the actions of an answer: in calls of tools, in JSON in its text, and spelled as
// calls, such as click(7) or click(start_box='(120,340)'). What is not about an element, such as
// a switch of tabs, is left out.
func (a *Answer) Actions() []Action {
	r := actionReader{dialect: a.Dialect, model: strings.ToLower(a.Model)}
	for _, c := range a.Calls {
		var args any
		if json.Unmarshal(c.Arguments, &args) == nil {
			r.call(c.Name, args, 0)
		}
	}
	if len(r.out) == 0 {
		r.text(a.Text)
	}
	return r.out
}

type actionReader struct {
	dialect, model string
	out            []Action
}

// maxNesting is how deep arguments are looked into.
const maxNesting = 6

// aboutElements are what the names of actions on elements have in them.
func aboutElements(verb string) bool {
	v := strings.ToLower(verb)
	for _, other := range []string{"tab", "file_system", "write_file", "read_file", "todo", "done", "wait", "navigate"} {
		if strings.Contains(v, other) && !strings.HasPrefix(v, "tap") {
			return false
		}
	}
	for _, word := range []string{"click", "tap", "type", "fill", "input", "select", "hover", "press", "check", "drag", "upload",
		"focus", "scroll", "interact", "set_value", "setvalue", "clear", "dropdown", "act", "computer", "move", "element"} {
		if strings.Contains(v, word) {
			return true
		}
	}
	return false
}

// call reads the arguments of a call; where they hold the names of actions, as browser-use's
// {"action":[{"click":{"index":5}}]} do, those.
func (r *actionReader) call(verb string, args any, depth int) {
	if depth > maxNesting {
		return
	}
	switch v := args.(type) {
	case []any:
		for _, one := range v {
			r.call(verb, one, depth+1)
		}
		return
	case string:
		if verb == "action" {
			r.spelled(v)
		}
		return
	case map[string]any:
		own, _ := v["action"].(string)
		for _, key := range []string{"action", "type", "name", "tool"} { // computer tools name the action in their arguments
			if s, ok := v[key].(string); ok && (verb == "" || verb == "action" || strings.HasPrefix(verb, "computer")) {
				verb = s
				break
			}
		}
		if own != "" && strings.Contains(own, "(") {
			r.spelled(own)
			return
		}
		if aboutElements(verb) {
			if one, ok := r.action(verb, v); ok {
				r.out = append(r.out, one)
				return
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch inner := v[key].(type) {
			case map[string]any, []any:
				r.call(key, inner, depth+1)
			}
		}
	}
}

// action reads what one object says of its target.
func (r *actionReader) action(verb string, v map[string]any) (Action, bool) {
	a := Action{Verb: verb}
	for _, key := range []string{"ref", "target_ref", "index", "element_index", "elementIndex", "element_id", "elementId", "uid",
		"node_id", "nodeId", "i", "id", "element", "target", "selector"} {
		if ref, ok := refOf(key, v[key]); ok {
			a.Ref = ref
			return a, true
		}
	}
	for _, pair := range [][2]string{{"x", "y"}, {"start_x", "start_y"}} {
		x, okX := v[pair[0]].(float64)
		y, okY := v[pair[1]].(float64)
		if okX && okY {
			a.Point = &[2]float64{x, y}
		}
	}
	for _, key := range []string{"coordinate", "coordinates", "start_box", "startBox", "point", "position", "bbox", "box_2d"} {
		if p := pointOf(v[key]); p != nil && a.Point == nil {
			a.Point = p
			if key == "box_2d" { // Gemini: y first
				a.Point = &[2]float64{p[1], p[0]}
			}
		}
	}
	if a.Point != nil {
		a.Thousandths = r.thousandths(verb)
		return a, true
	}
	for _, key := range []string{"element", "target", "text", "label", "name", "description"} {
		if s, ok := v[key].(string); ok && s != "" && (key != "text" || a.Clicks()) {
			a.Named = s
			return a, true
		}
	}
	return a, false
}

// thousandths reports whether the model writes coordinates from 0 to 1000: Gemini, Qwen from its
// third vision generation on, and UI-TARS (their model cards and guides, November 2026).
func (r *actionReader) thousandths(verb string) bool {
	return r.dialect == Gemini || strings.Contains(r.model, "qwen3") || strings.Contains(r.model, "ui-tars") ||
		strings.Contains(r.model, "gemini") || strings.HasSuffix(verb, "_at")
}

var (
	refPattern    = regexp.MustCompile(`^(?:[a-z]{0,2}\d+)+$`)
	numberPattern = regexp.MustCompile(`-?\d+(?:\.\d+)?`)
	callPattern   = regexp.MustCompile(`\b([a-z]+(?:_[a-z]+|[A-Z][a-z]+)*)\(([^()\n]{0,200}(?:\([^()\n]{0,60}\)[^()\n]{0,200})?)\)`)
	argPattern    = regexp.MustCompile(`([a-zA-Z_]+)\s*=\s*(?:'([^']*)'|"([^"]*)"|([^,\s]+))`)
)

// refOf is the ref in an argument: a whole number, or text that is nothing but a ref with what
// formats write around one.
func refOf(key string, v any) (string, bool) {
	switch v := v.(type) {
	case float64:
		if v >= 0 && v == math.Trunc(v) && v < 1e9 && key != "element" && key != "target" {
			return strconv.Itoa(int(v)), true
		}
	case string:
		s := strings.TrimSpace(v)
		s = strings.TrimPrefix(strings.Trim(s, `[]"'@#`), "ref=")
		s = strings.Trim(s, `"'[]@`)
		if len(s) <= 24 && refPattern.MatchString(s) {
			return s, true
		}
	}
	return "", false
}

// pointOf reads [x, y], [x1, y1, x2, y2], {x, y}, or the same in a text.
func pointOf(v any) *[2]float64 {
	var n []float64
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			if f, ok := one.(float64); ok {
				n = append(n, f)
			}
		}
	case map[string]any:
		x, okX := v["x"].(float64)
		y, okY := v["y"].(float64)
		if okX && okY {
			n = []float64{x, y}
		}
	case string:
		for _, s := range numberPattern.FindAllString(v, 5) {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return nil
			}
			n = append(n, f)
		}
	}
	switch len(n) {
	case 2:
		return &[2]float64{n[0], n[1]}
	case 4:
		return &[2]float64{(n[0] + n[2]) / 2, (n[1] + n[3]) / 2}
	}
	return nil
}

// text reads the actions in a text: JSON documents in it, then calls that are spelled out.
func (r *actionReader) text(s string) {
	for at := 0; at < len(s); {
		open := strings.IndexAny(s[at:], "{[")
		if open < 0 {
			break
		}
		at += open
		d := json.NewDecoder(strings.NewReader(s[at:]))
		var doc any
		if d.Decode(&doc) != nil {
			at++
			continue
		}
		if m, ok := doc.(map[string]any); ok {
			r.call("", m, 0)
		} else if l, ok := doc.([]any); ok && len(l) > 0 {
			r.call("", l, 0)
		}
		at += int(d.InputOffset())
	}
	if len(r.out) == 0 {
		r.spelled(s)
	}
}

// spelled reads calls as they are written in programs.
func (r *actionReader) spelled(s string) {
	for _, m := range callPattern.FindAllStringSubmatch(s, 20) {
		if !aboutElements(m[1]) {
			continue
		}
		args := map[string]any{}
		for _, a := range argPattern.FindAllStringSubmatch(m[2], 10) {
			args[a[1]] = a[2] + a[3] + a[4]
		}
		if len(args) == 0 {
			first, _, _ := strings.Cut(m[2], ",")
			if ref, ok := refOf("ref", strings.TrimSpace(first)); ok {
				args["ref"] = ref
			} else if p := pointOf(m[2]); p != nil {
				args["point"] = []any{p[0], p[1]}
			}
		}
		if one, ok := r.action(m[1], args); ok {
			r.out = append(r.out, one)
		}
	}
}
