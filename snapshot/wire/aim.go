package wire

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Members that hold a target, in the order in which they count. The first that can be read is the
// target: a ref beside a description is the ref.
var (
	// refKeys hold an id, whatever it looks like.
	refKeys = []string{"ref", "target_ref", "uid", "index", "element_index", "elementIndex", "element_id", "elementId",
		"unique_id",
		"mmid", "bid", "node_id", "nodeId", "backend_node_id", "backendNodeId", "highlight_index"}
	// mixedKeys hold an id, a selector, a place or words.
	mixedKeys = []string{"i", "id", "target", "element", "selector", "query_selector", "css_selector",
		"cssSelector", "querySelector", "css", "xpath", "locator"}
	// placeKeys hold a point or a box.
	placeKeys = []string{"coordinate", "coordinates", "start_coordinate", "startCoordinates", "start_box", "startBox",
		"start_point", "point",
		"position", "bbox", "bbox_2d", "point_2d", "box_2d", "box", "locate"}
	// pairs hold a point in two members.
	pairs = [][2]string{{"x", "y"}, {"coordinate_x", "coordinate_y"}, {"start_x", "start_y"}, {"startX", "startY"},
		{"from_x", "from_y"}}
	// frameKeys hold the selector of the frame in which another selector is looked for.
	frameKeys = []string{"iframeSelector", "iframe_selector", "frameSelector", "frame_selector"}
	// namedKeys hold words of an element.
	namedKeys = []string{"element", "target", "text", "label", "name", "description", "describe",
		"element_description", "prompt"}
)

// The same of where a drag ends.
var (
	fromKeys = []string{"from_uid", "startRef", "start_ref", "source_ref", "from", "source", "startTarget",
		"start_selector", "sourceUid"}
	toKeys = []string{"to_uid", "endRef", "end_ref", "target_ref", "to", "destination", "endTarget",
		"end_selector", "targetUid"}
	toPlaceKeys = []string{"end_coordinate", "endCoordinates", "coordinate2", "end_box", "endBox", "end_point", "end"}
	toPairs     = [][2]string{{"destination_x", "destination_y"}, {"end_x", "end_y"}, {"endX", "endY"}, {"to_x",
		"to_y"}}
	dragVerbs    = []string{"drag", "swipe"}
	namesTargets = []string{"element", "target", "description", "describe"}
	// typing are words of actions that type, and typedKeys hold what.
	typing = []string{"send_keys", "sendkeys", "type", "fill", "input", "enter", "set_value", "setvalue",
		"write", "paste", "act"}
	typedKeys = []string{"text", "value", "input_text", "inputText", "text_to_type", "content", "arguments", "args"}
)

// HoldsElement reports whether a member of an action holds the number or id of an element, or may.
func HoldsElement(key string) bool {
	for _, of := range [][]string{refKeys, mixedKeys, fromKeys, toKeys} {
		if isOne(key, of) {
			return true
		}
	}
	return false
}

// playwrightTool is what the names of Playwright MCP's tools begin with. Their target is a ref or a selector.
const playwrightTool = "browser_"

// uidPattern is an id of chrome-devtools-mcp, which stands for nothing but an element.
var uidPattern = regexp.MustCompile(`^\d+_\d+$`)

// namesElement reports whether an object names an element whatever is to be done with it, as chrome-devtools-mcp's uid
// does and Playwright's ref, beside the element's description or in one of its own tools: a picture or the styles of
// it, for instance.
func namesElement(verb string, v object) bool {
	isRef := func(key string) bool { return v.text(key) != "" && refPattern.MatchString(v.text(key)) }
	return uidPattern.MatchString(v.text("uid")) ||
		(v.text("element") != "" || strings.HasPrefix(verb, playwrightTool)) && (isRef("ref") || isRef("target"))
}

// aims are the targets of one object: none, one, or where a drag begins and ends, or what a script is given.
func (r *actionReader) aims(verb string, v object) []Action {
	out := r.aimsOf(verb, v)
	unread := len(out) == 0 && slices.ContainsFunc(v, func(m member) bool { return HoldsElement(m.key) })
	if unread || !hasWord(verb, typing) {
		return out
	}
	t := Typing{Action: Action{Verb: verb}}
	if len(out) > 0 {
		t.Action = out[0]
	}
	for _, key := range typedKeys {
		t.Text = v.text(key)
		if list, ok := v.get(key).([]any); ok && len(list) > 0 { // Stagehand's
			t.Text, _ = list[0].(string)
		}
		if t.Text != "" {
			break
		}
	}
	for _, key := range namedKeys {
		if s := v.text(key); t.Words == "" && s != t.Text {
			t.Words = s
		}
	}
	if t.Text != "" {
		r.typed = append(r.typed, t)
	}
	return out
}

func (r *actionReader) aimsOf(verb string, v object) []Action {
	if path, ok := v.get("path").([]any); ok && len(path) > 1 && hasWord(verb, dragVerbs) { // a drag of OpenAI's
		var out []Action
		for _, p := range []any{path[0], path[len(path)-1]} {
			if at := pointOf(p); at != nil {
				out = append(out, r.at(verb, "path", p, *at))
			}
		}
		return out
	}
	if given, ok := v.get("args").([]any); ok && hasWord(verb, []string{"evaluate"}) {
		var out []Action
		for _, one := range given {
			if s, ok := one.(string); ok && uidPattern.MatchString(s) {
				out = append(out, Action{Verb: verb, Ref: s})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	if s := located(v); s != "" {
		return []Action{{Verb: verb, Selector: s}}
	}
	if hasWord(verb, dragVerbs) {
		var out []Action
		from, okFrom := r.aim(verb, v, fromKeys, nil, []string{"start_coordinate", "startCoordinates", "start"}, nil)
		to, okTo := r.aim(verb, v, toKeys, nil, toPlaceKeys, toPairs)
		if okFrom && !okTo { // Anthropic's coordinate is where a drag with a start ends
			to, okTo = r.aim(verb, v, nil, nil, placeKeys[:1], nil)
		}
		if !okFrom {
			from, okFrom = r.aim(verb, v, refKeys, mixedKeys, placeKeys, pairs)
		}
		if okFrom {
			out = append(out, from)
		}
		if okTo {
			out = append(out, to)
		}
		return out
	}
	if a, ok := r.aim(verb, v, refKeys, mixedKeys, placeKeys, pairs); ok {
		for _, key := range frameKeys {
			if frame := strings.TrimSpace(v.text(key)); frame != "" && a.Selector != "" {
				a.Selector = frame + " >> " + enterFrame + " >> " + a.Selector
			}
		}
		return []Action{a}
	}
	if ways, ok := v.get("selectors").([]any); ok { // ways to find the one element, the best first
		for _, way := range ways {
			if way, ok := way.(object); ok {
				return r.aims(verb, way)
			}
		}
	}
	for _, key := range namedKeys {
		s := strings.TrimSpace(v.text(key))
		// The text of an input is what is typed, and that of a press is a key or a button's words.
		if s == "" || key == "text" && (!hasWord(verb, pressing) || v.get("key") != nil) || key == "name" && s == verb {
			continue
		}
		if !isOne(key, namesTargets) && !hasWord(verb, pressing) && !hasWord(verb, []string{"hover", "focus"}) {
			continue
		}
		return []Action{{Verb: verb, Named: s}}
	}
	return nil
}

// aim reads the first target of an object among these members.
func (r *actionReader) aim(verb string, v object, refs, mixed, places []string, pairs [][2]string) (Action, bool) {
	a := Action{Verb: verb}
	for _, key := range refs {
		value := v.get(key)
		if inner, ok := value.(object); ok && (key == "from" || key == "to") { // Midscene's
			if a, ok := r.aim(verb, inner, nil, nil, placeKeys, pairs); ok {
				return a, true
			}
		}
		if ref, ok := refOf(key, value); ok {
			a.Ref = ref
			return a, true
		}
		if p := pointOf(value); p != nil && !isText(value) || p != nil && onlyNumbers(value.(string)) {
			return r.at(verb, key, value, *p), true
		}
		if s := v.text(key); selects(s) || described(verb, v, key) {
			a.Selector = selectorOf(s)
			return a, true
		}
	}
	for _, key := range mixed {
		value := v.get(key)
		if ref, ok := refOf(key, value); ok && !bareSelector(verb, ref) {
			a.Ref = ref
			return a, true
		}
		s, text := value.(string)
		switch {
		case text && strings.TrimSpace(s) == "":
		case text && onlyNumbers(s) && pointOf(value) != nil, !text && pointOf(value) != nil:
			return r.at(verb, key, value, *pointOf(value)), true
		case text && (selects(s) || strings.HasSuffix(strings.ToLower(key), "selector") || key == "css" ||
			key == "xpath" || key == "locator" || described(verb, v, key)):
			a.Selector = selectorOf(strings.TrimSpace(s))
			return a, true
		}
	}
	for _, pair := range pairs {
		if pair[0] == "x" && hasWord(verb, []string{"scroll"}) && !slices.ContainsFunc(v, saysHowFar) {
			continue // x and y are how far it scrolls
		}
		x, okX := number(v.get(pair[0]))
		y, okY := number(v.get(pair[1]))
		if okX && okY {
			return r.at(verb, pair[0], nil, [2]float64{x, y}), true
		}
	}
	for _, key := range places {
		if inner, ok := v.get(key).(object); ok && key == "locate" { // Midscene's
			return r.aim(verb, inner, nil, nil, placeKeys, pairs)
		}
		if p := pointOf(v.get(key)); p != nil {
			return r.at(verb, key, v.get(key), *p), true
		}
	}
	return a, false
}

// saysHowFar reports whether a member says how far or where to a scroll at a place goes.
func saysHowFar(m member) bool {
	return hasWord(m.key, []string{"scroll", "delta", "amount", "direction", "magnitude", "distance", "dx", "dy",
		"clicks", "pixels", "wheel"})
}

// located is the selector of an element that is named by WebDriver's strategies (W3C WebDriver 2, 12.3.1) and
// Selenium's further ones, {"by": "css", "value": "#go"}: the first that matches. "" for none.
func located(v object) string {
	by, value := strings.ToLower(v.text("by")), v.text("value")
	switch by = strings.TrimSuffix(strings.TrimSuffix(by, " selector"), " name"); {
	case value == "":
		return ""
	case by == "id" || by == "name":
		value = "[" + by + "=" + strconv.Quote(value) + "]"
	case by == "class":
		value = "." + value
	case by == "xpath":
		value = "xpath=" + value
	case by != "css" && by != "tag":
		return ""
	}
	return value + " >> nth=0"
}

// described reports whether a target has words for people beside it, as Playwright's may have, or is a selector in one
// of Playwright's tools: it is a ref or a selector then, whatever it looks like, and the words decide nothing.
func described(verb string, v object, key string) bool {
	words, ok := map[string]string{"target": "element", "startTarget": "startElement", "endTarget": "endElement"}[key]
	if !ok || v.text(key) == "" || v.text(words) == "" {
		return ok && bareSelector(verb, v.text(key))
	}
	_, ref := refOf("target", v.text(words))
	return !ref
}

// bareSelector reports whether a target of one of Playwright's tools is a selector that has no other sign of one: the
// name of an element, or a chain.
func bareSelector(verb, target string) bool {
	return strings.HasPrefix(verb, playwrightTool) &&
		(elementPattern.MatchString(target) || strings.Contains(target, " >> "))
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// at is an action at a place.
func (r *actionReader) at(verb, key string, value any, p [2]float64) Action {
	yFirst := r.dialect == Gemini || r.dialect == Interactions || strings.Contains(r.model, "gemini")
	if r.places.ordered {
		yFirst = r.places.yFirst
	}
	_, list := value.([]any)
	if key == "box_2d" || yFirst && list && (key == "bbox" || key == "point") {
		p[0], p[1] = p[1], p[0]
	}
	a := Action{Verb: verb, Point: &p, Thousandths: r.thousandths(verb, key)}
	s, _ := value.(string)
	switch {
	// The tags of Qwen2-VL and of Doubao's UI-TARS stand around thousandths.
	case strings.Contains(s, "<|box_start|>"), strings.Contains(s, "<point>"):
		a.Thousandths = true
	// Shares of the picture.
	case p[0] >= 0 && p[1] >= 0 && p[0] <= 1 && p[1] <= 1 && (p[0] != math.Trunc(p[0]) || p[1] != math.Trunc(p[1])):
		p[0], p[1], a.Thousandths = p[0]*1000, p[1]*1000, true
	}
	return a
}

// places is how a request asks for places, where it says so.
type places struct {
	said, thousandths bool
	ordered, yFirst   bool // which of the two comes first
}

var (
	// placesAsked are the words of Midscene's instructions, whatever the model's family.
	placesAsked = regexp.MustCompile(`should be \[(x|y)(?:min)?, ?[xy][^\]]*\] ` +
		`(?:normalized to 0-(\d+) relative to the screenshot|in actual pixel coordinates)`)
	// resolutionAsked are those of Qwen's computer_use, which may stand in the instructions: the space of its places.
	resolutionAsked = regexp.MustCompile(`screen's resolution is (\d{3,5}) ?x ?(\d{3,5})\b`)
	// gridAsked are words of instructions that have places in thousandths.
	gridAsked = regexp.MustCompile(`(?i)normali[sz]ed[^.\n]{0,60}\b` + thousand + `|\b` + thousand +
		`[^.\n]{0,30}\bcoordinate|` +
		`\b(?:999 ?[x×] ?999|1000 ?[x×] ?1000)\b[^.\n]{0,30}\b(?:coordinate|grid|space)`)
	// ofThousand and ofPixels are words by which a tool says what the numbers of its places are.
	ofThousand = regexp.MustCompile(`(?i)(?:coordinates?|normali[sz]ed|position|\b[xy]\b)[^"]{0,80}\b` + thousand +
		`|\b` + thousand + `[^"]{0,60}(?:coordinate|normali[sz]ed|grid)`)
	ofPixels = regexp.MustCompile(`(?i)\b(?:coordinates?|position)\b[^"]{0,60}\b(?:pixels?|px|viewport)\b|` +
		`\b(?:pixels?|px)\b[^"]{0,40}\bcoordinates?\b`)
)

const thousand = `0\s*(?:-|–|to|and|through|\.\.+)\s*(?:999|1000)\b`

// declares adds a tool that the model may call.
func (r *Request) declares(name string, declared []byte) {
	r.Tools = append(r.Tools, name)
	said := places{said: true, thousandths: ofThousand.Match(declared)}
	qwen := isOne(name, []string{"computer_use", "mobile_use"}) // it speaks of pixels to each generation of its models
	switch {
	case r.readResolution(string(declared)), !said.thousandths && (qwen || !ofPixels.Match(declared)):
	case r.asksOf == nil:
		r.asksOf = map[string]places{name: said}
	default:
		r.asksOf[name] = said
	}
}

// readResolution reads the size of the screen that a text declares, and reports whether one does. One of about 1000
// each way has no px.
func (r *Request) readResolution(s string) bool {
	m := resolutionAsked.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	w, _ := strconv.Atoi(m[1]) // digits
	h, _ := strconv.Atoi(m[2])
	if r.asks = (places{said: true, thousandths: w == h && (w == 1000 || w == 999)}); !r.asks.thousandths {
		r.Display = [2]int{w, h}
	}
	return true
}

// places reads how the instructions ask for places.
func (r *Request) places() places {
	if r == nil {
		return places{}
	}
	for _, p := range r.instructions() {
		if m := placesAsked.FindStringSubmatch(p.Text); m != nil && (m[2] == "" || m[2] == "1000") {
			return places{said: true, thousandths: m[2] != "", ordered: true, yFirst: m[1] == "y"}
		}
		if !r.asks.said && gridAsked.MatchString(p.Text) {
			return places{said: true, thousandths: true}
		}
	}
	return r.asks
}

// instructions are the parts of the first message where it is the agent's own: others may hold the words of a page.
func (r *Request) instructions() []Part {
	if len(r.Messages) == 0 || !isOne(r.Messages[0].Role, []string{"system", "developer"}) {
		return nil
	}
	return r.Messages[0].Parts
}

// ofView are the tools that move the mouse to CSS px of the view, whichever model calls them: Playwright MCP's
// browser_mouse_click_xy and its kin, and chrome-devtools-mcp's click_at, whose name one of Gemini's own has too.
func (r *actionReader) ofView(verb, key string) bool {
	if !strings.HasSuffix(verb, "click_at") || r.asked == nil || r.asked.builtin {
		return strings.Contains(verb, "browser_mouse_") || key == "coordinate_x" // browser-use's
	}
	return slices.Contains(r.asked.Tools, verb) && !slices.Contains(r.asked.Tools, "type_text_at")
}

// thousandths reports whether a place is from 0 to 1000: the tool or the instructions may say so. Else the model's
// family does: Gemini, Qwen from its third vision generation on, GLM and UI-TARS write those (their model cards and
// guides, November 2026). UI-TARS-1.5, where it is not the one that Doubao hosts, writes px of the picture (issue 157
// of its project).
func (r *actionReader) thousandths(verb, key string) bool {
	if r.asked != nil {
		if of, ok := r.asked.asksOf[r.tool]; ok {
			return of.thousandths
		}
	}
	switch {
	case r.places.said:
		return r.places.thousandths
	case r.ofView(verb, key):
		return false
	case r.dialect == Gemini, r.dialect == Interactions:
		return true
	case strings.Contains(r.model, "ui-tars-1.5") && !strings.Contains(r.model, "doubao"):
		return false
	}
	for _, family := range []string{"qwen3", "ui-tars", "gemini", "doubao", "gui-plus", "autoglm"} {
		if strings.Contains(r.model, family) {
			return true
		}
	}
	return seeingGLM.MatchString(r.model)
}

// seeingGLM are the names of the GLM models that see: glm-4.5v, glm-4.6v-flash, glm-5v-turbo.
var seeingGLM = regexp.MustCompile(`\bglm-\d+(?:\.\d+)?v\b`)

var (
	refPattern   = regexp.MustCompile(`^(?:[a-z]{0,2}\d+)+$`)
	idPattern    = regexp.MustCompile(`^[A-Za-z0-9]+(?:[._:-][A-Za-z0-9]+)*$`)
	mixedPattern = regexp.MustCompile(`^(?:(?:[a-z]{0,2}\d+)+|(?:g\d+:)?\d+[_-]\d+|` +
		`(?:s|f|ref|uid)_?\d+(?:[_-]?e?\d+)*|[A-Z0-9]{3,6})$`)
	numberPattern = regexp.MustCompile(`-?\d+(?:\.\d+)?`)
	// The attributes in which agents keep their ids, as a selector.
	attrPattern = regexp.MustCompile(`^\w*\[(?:mmid|bid|unique_id|uid|data-ref|data-uid|aria-ref|data-[a-z-]*hig` +
		`hlight-index)\s*=\s*['"]?([\w.:-]+)['"]?\]$|` +
		`^(?:aria-ref|ref|uid|bid|mmid)\s*=\s*['"]?([\w.:-]+)['"]?$`)
)

// refOf is the ref in an argument: a whole number, or text that is nothing but a ref with what
// formats write around one. Two numbers with a comma are a place.
func refOf(key string, v any) (string, bool) {
	switch v := v.(type) {
	case float64:
		if v >= 0 && v == math.Trunc(v) && v < 1e12 {
			return strconv.FormatFloat(v, 'f', 0, 64), true
		}
	case string:
		s := strings.TrimSpace(v)
		if m := attrPattern.FindStringSubmatch(s); m != nil {
			return m[1] + m[2], true
		}
		s = strings.TrimPrefix(strings.Trim(s, `[]"'@#`), "ref=")
		s = strings.Trim(s, `"'[]@`)
		if len(s) > 64 || s == "" {
			return "", false
		}
		switch {
		case isOne(key, mixedKeys):
			return s, mixedPattern.MatchString(s) && !strings.HasPrefix(strings.TrimSpace(v), "#")
		case isOne(key, refKeys) || isOne(key, fromKeys) || isOne(key, toKeys):
			return s, idPattern.MatchString(s) && strings.ContainsAny(s, "0123456789") || idPattern.MatchString(s) &&
				len(s) <= 6 && s == strings.ToUpper(s)
		}
		return s, len(s) <= 24 && refPattern.MatchString(s)
	}
	return "", false
}

// selects reports whether a text is a selector: CSS with a sign of it, an XPath, or a locator of
// Playwright.
func selects(s string) bool {
	s = strings.TrimSpace(s)
	for _, start := range []string{"//", "./", "(//", "/html", "xpath=", "css=", "text=", "role=", "id=", "#", ".",
		"[", "getBy", "locator(", "frameLocator(", "internal:", "data-testid=",
		"aria/", "pierce/", ">>>"} {
		if strings.HasPrefix(s, start) && len(s) > len(start) && !strings.HasPrefix(s, "...") {
			return true
		}
	}
	return cssPattern.MatchString(s)
}

// elementPattern is the name of an element that a page often has once.
var elementPattern = regexp.MustCompile(`^(?:a|body|button|dialog|footer|form|h[1-6]|header|img|input|main|nav|` +
	`select|table|textarea|ul|video)$`)

// cssPattern is CSS that begins with the name of an element.
var cssPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*(?:[.#][\w-]+|\[[^\]]+\]|:[a-z-]+(?:\([^)]*\))?|\s*[>~+]\s*` +
	`[a-z.#*][\w.#-]*)+`)

// number is a number, also one in a text.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsInf(v, 0)
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	}
	return 0, false
}

// numbers are those in a text, five at most.
func numbers(s string) (out []float64) {
	for _, n := range numberPattern.FindAllString(s, 5) {
		if f, err := strconv.ParseFloat(n, 64); err == nil && !math.IsInf(f, 0) {
			out = append(out, f)
		}
	}
	return out
}

// onlyNumbers reports whether a text is two numbers or more, with nothing but commas, brackets and
// tags of models around them.
func onlyNumbers(s string) bool {
	rest := numberPattern.ReplaceAllString(tagPattern.ReplaceAllString(s, " "), "")
	return strings.Trim(rest, " \t,;()[]<>") == "" && len(numbers(s)) > 1
}

// tagPattern are the tags that models write around a place.
var tagPattern = regexp.MustCompile(`<\|?/?(?:box_start|box_end|point|bbox|box|loc)\|?>`)

// pointOf reads [x, y], [x1, y1, x2, y2], [[x1, y1], [x2, y2]], {x, y}, or the same in a text; nil for
// anything else. A box counts by its middle.
func pointOf(v any) *[2]float64 {
	var n []float64
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			switch one := one.(type) {
			case []any:
				for _, inner := range one {
					f, ok := number(inner)
					if !ok {
						return nil
					}
					n = append(n, f)
				}
			default:
				f, ok := number(one)
				if !ok {
					return nil
				}
				n = append(n, f)
			}
		}
	case object:
		x, okX := number(v.get("x"))
		y, okY := number(v.get("y"))
		if !okX || !okY {
			return nil
		}
		n = []float64{x, y}
		w, okW := number(v.get("width"))
		h, okH := number(v.get("height"))
		if okW && okH {
			n = []float64{x, y, x + w, y + h}
		}
	case string:
		if !onlyNumbers(v) {
			return nil
		}
		n = numbers(tagPattern.ReplaceAllString(v, " "))
	}
	switch len(n) {
	case 2:
		return &[2]float64{n[0], n[1]}
	case 4:
		return &[2]float64{(n[0] + n[2]) / 2, (n[1] + n[3]) / 2}
	}
	return nil
}

// refWords are what people and formats write before an id: uid=3_14, bid a12.
var refWords = regexp.MustCompile(`^(?:bid|uid|ref|mmid|unique_id|element(?:_?[iI]d)?|index)(?:\s*[:=]\s*|\s+)`)

// SpelledRef is the id of an element that a text is, without what agents, formats and people write around one: e17,
// [17], @e17, ref=e17, uid=3_14, [0-36], bid a12; "" for a text that is none.
func SpelledRef(s string) string {
	s = strings.TrimSpace(s)
	ref, _ := refOf("ref", refWords.ReplaceAllString(s, ""))
	return ref
}
