package wire

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What a program does to elements by Playwright's locators, in JavaScript and in Python:
//
//	await page.getByRole('button', { name: 'Save' }).first().click()
//	page.get_by_label("Mail", exact=True).fill("ada@example.com")
//
// Each chain that ends in an action is one, with the selector that Playwright itself makes of it (utils/isomorphic/
// locatorUtils.ts; package find looks those up). A chain that begins at anything but a page, or with a part that is not
// known, such as a value that the program makes, is none: what it means cannot be told.
//
// What a script in the page does to what it finds by a selector, which looks into no shadow root, is read the same way:
//
//	document.querySelectorAll("li button")[2].click()
//	const field = document.querySelector("#mail"); field.value = "ada@example.com"

// chainStart is where a chain begins: at the first step that names elements.
var chainStart = regexp.MustCompile(`\.\s*(getBy[A-Z]\w+|get_by_\w+|locator|frameLocator|frame_locator|contentFrame|` +
	`content_frame)\s*\(`)

// ofPage is what a chain stands behind that begins at a page: page, this.page, page2, p.
var ofPage = regexp.MustCompile(`(?:^|[^\w$])(?:\w*[pP]age\d*|p)\s*$`)

// enterFrame is the part of a selector that goes on in the document of a frame.
const enterFrame = "internal:control=enter-frame"

// deeds are the last steps of chains that act on the element.
var deeds = map[string]bool{"click": true, "dblclick": true, "tap": true, "fill": true, "type": true, "press": true,
	"presssequentially": true, "check": true, "uncheck": true, "setchecked": true, "selectoption": true,
	"selecttext": true, "hover": true, "focus": true, "clear": true, "setinputfiles": true, "dragto": true,
	"scrollintoviewifneeded": true}

// stepName is a name as both languages have it: get_by_role is getByRole.
func stepName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// locators reads the actions by locators in a program, and reports whether there is one.
func (r *actionReader) locators(code string) bool {
	before, end := len(r.out), 0
	for _, m := range chainStart.FindAllStringSubmatchIndex(code, 5*maxActions) {
		if m[0] < end {
			continue // inside the chain before
		}
		p := literals{in: code, at: m[2]}
		verb, selector := p.chain()
		if selector != "" && ofPage.MatchString(code[max(end, m[0]-80):m[0]]) && len(r.out) < maxActions {
			r.out = append(r.out, Action{Verb: verb, Selector: selector})
		}
		end = p.at
	}
	return len(r.out) > before
}

// chain reads a chain up to its action, and behind it; selector is "" for one that is not known.
func (p *literals) chain() (verb, selector string) {
	var steps []string
	known := true
	for {
		p.blank()
		name := p.name()
		called := name != "" && p.next('(')
		if !called && !isOne(name, []string{"first", "last"}) { // in Python these two are no calls
			return "", ""
		}
		if called {
			if deeds[stepName(name)] {
				if p.arguments(); known && len(steps) > 0 {
					return name, strings.Join(steps, " >> ")
				}
				return "", ""
			}
			args, ok := p.arguments()
			step, ok2 := stepOf(stepName(name), args)
			if known = known && ok && ok2; step != "" {
				steps = append(steps, step)
			}
		} else {
			steps = append(steps, nths[name])
		}
		if !p.next('.') {
			return "", ""
		}
	}
}

// selectorOf is the selector of a locator that is written as a call, such as getByRole('button'); any other text is as
// it was.
func selectorOf(s string) string {
	call := strings.TrimPrefix(s, "page.")
	if !locatorCall.MatchString(call) {
		return s
	}
	p := literals{in: call + ".click()"}
	if _, selector := p.chain(); selector != "" && p.at == len(p.in) {
		return selector
	}
	return s
}

// locatorCall is what a locator that is written as a call begins with.
var locatorCall = regexp.MustCompile(`^(?:getBy[A-Z]|get_by_|(?:frameL|l)ocator\()`)

// nths are the parts of a selector for the first and the last element.
var nths = map[string]string{"first": "nth=0", "last": "nth=-1"}

// name reads the name of a step.
func (p *literals) name() string {
	from := p.at
	for p.at < len(p.in) && (p.in[p.at] == '_' || p.in[p.at] >= 'A' && p.in[p.at] <= 'z' && p.in[p.at] != '\\' &&
		strings.IndexByte("[]^`", p.in[p.at]) < 0) {
		p.at++
	}
	return p.in[from:p.at]
}

// arguments reads those of a call up to its bracket; named ones, as Python has them, are an object behind the others.
func (p *literals) arguments() (args []any, ok bool) {
	named := object{}
	ok = true
	for !p.next(')') {
		if p.at >= len(p.in) {
			return nil, false
		}
		at := p.at
		if name := p.name(); name != "" && p.next('=') && p.at < len(p.in) && p.in[p.at] != '>' && p.in[p.at] != '=' {
			v, read := p.value(0)
			named, ok = append(named, member{name, v}), ok && read
		} else {
			p.at = at
			v, read := p.value(0)
			args, ok = append(args, v), ok && read
		}
		if !p.next(',') && !p.ends(')') {
			p.skip()
			ok = false
			if !p.next(',') && !p.ends(')') {
				return nil, false
			}
		}
	}
	if len(named) > 0 {
		args = append(args, named)
	}
	return args, ok
}

// asked are the options of getByRole that a selector has under the same name.
var asked = []string{"checked", "disabled", "expanded", "level", "pressed", "selected"}

// stepOf is the part of a selector that a step is, "" for one that changes nothing; false where it is not known.
func stepOf(name string, args []any) (part string, ok bool) {
	var first any
	options := object{}
	if len(args) > 0 {
		first = args[0]
	}
	if o, is := first.(object); is {
		options = o
	} else if len(args) > 1 {
		if options, ok = args[1].(object); !ok {
			return "", false
		}
	}
	exact := false
	words, ok := "", true
	for _, o := range options {
		key := stepName(o.key)
		switch v := o.value.(type) {
		case bool:
			if key == "exact" {
				exact = v
			}
		case nil:
			return "", false
		}
		if !isOne(key, append([]string{"exact", "name", "hastext", "visible"}, asked...)) {
			return "", false // has, hasNot, includeHidden
		}
	}
	if first != nil {
		words = wordsOf(first, exact)
	}
	switch name {
	case "framelocator":
		part, _ = first.(string)
		return part + " >> " + enterFrame, part != "" && len(options) == 0
	case "contentframe":
		return enterFrame, true
	case "getbyrole":
		role, _ := first.(string)
		part = "internal:role=" + role
		for _, o := range options {
			switch key := stepName(o.key); {
			case key == "name":
				part += "[name=" + wordsOf(o.value, exact) + "]"
			case isOne(key, asked):
				part += fmt.Sprintf("[%s=%v]", key, o.value)
			}
		}
		return part, role != ""
	case "getbytext", "getbylabel":
		return "internal:" + strings.TrimPrefix(name, "getby") + "=" + words, words != ""
	case "getbyplaceholder", "getbytitle":
		return "internal:attr=[" + strings.TrimPrefix(name, "getby") + "=" + words + "]", words != ""
	case "getbyalttext":
		return "internal:attr=[alt=" + words + "]", words != ""
	case "getbytestid":
		words = wordsOf(first, true)
		return "internal:testid=[data-testid=" + words + "]", words != ""
	case "locator", "filter":
		part, _ = first.(string)
		for _, o := range options {
			more := ""
			switch key := stepName(o.key); {
			case key == "hastext":
				more = "internal:has-text=" + wordsOf(o.value, false)
			case key == "visible":
				more = fmt.Sprintf("visible=%v", o.value)
			}
			if part != "" && more != "" {
				part += " >> "
			}
			part += more
		}
		return part, part != ""
	case "first", "last":
		return nths[name], true
	case "nth":
		k, is := first.(float64)
		return "nth=" + strconv.Itoa(int(k)), is
	case "describe":
		return "", true
	}
	return "", false
}

// pattern is a regular expression that is written out, with its strokes and flags.
type pattern string

// wordsOf writes words as a selector has them; "" for what is none.
func wordsOf(v any, exact bool) string {
	switch v := v.(type) {
	case pattern:
		return string(v)
	case string:
		kind := "i"
		if exact {
			kind = "s"
		}
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"` + kind
	}
	return ""
}

var (
	// query is where a script finds an element, up to its selector.
	query = regexp.MustCompile(`(?:\b(?:const|let|var)\s+(\w+)\s*=\s*)?` +
		`\bdocument\s*\.\s*(querySelector|querySelectorAll|getElementById)\(`)
	// queried is what may come between an element that was found and what is done to it.
	queried = regexp.MustCompile(`^\s*(?:\[(\d+)\])?\s*[?!]?(;|\n|$|\.\s*(\w+)\s*(\(|=[^=]))`)
)

// scripted are what scripts do to elements, by what they call or set.
var scripted = map[string]bool{"click(": true, "focus(": true, "scrollIntoView(": true, "submit(": true,
	"select(": true, "dispatchEvent(": true, "value=": true, "checked=": true, "selected=": true,
	"selectedIndex=": true}

// queries reads what a script of a page does to the elements that it finds by selectors, and reports whether it looks
// for elements by these.
func (r *actionReader) queries(code string) bool {
	all := query.FindAllStringSubmatchIndex(code, 5*maxActions)
	for _, m := range all {
		p := literals{in: code, at: m[1]}
		args, ok := p.arguments()
		selector := ""
		if len(args) == 1 {
			selector, _ = args[0].(string)
		}
		after := queried.FindStringSubmatch(code[p.at:])
		if !ok || selector == "" || after == nil {
			continue
		}
		switch code[m[4]:m[5]] {
		case "getElementById":
			selector = "css:light=[id=" + strconv.Quote(selector) + "]"
		case "querySelector":
			selector = "css:light=" + selector + " >> nth=0"
		default:
			if after[1] == "" {
				continue // which of them is done something to is not known
			}
			selector = "css:light=" + selector + " >> nth=" + after[1]
		}
		does := [][]string{{after[3], after[4]}}
		if after[3] == "" && m[2] >= 0 { // in a variable
			name := regexp.MustCompile(`\b` + code[m[2]:m[3]] + `\s*[?!]?\.\s*(\w+)\s*(\(|=[^=])`)
			does = nil
			for _, d := range name.FindAllStringSubmatch(code[p.at:], maxActions) {
				does = append(does, d[1:])
			}
		}
		for _, d := range does {
			if verb := d[0]; d[0] != "" && scripted[verb+d[1][:1]] && len(r.out) < maxActions {
				r.out = append(r.out, Action{Verb: verb, Selector: selector})
			}
		}
	}
	return len(all) > 0
}
