package task

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot/text"
)

// Limits of an action's text.
const (
	maxAction  = 64 << 10 // bytes
	maxWait    = 10 * time.Second
	maxURL     = 8 << 10 // bytes
	defaultNap = time.Second
)

// Action is the action that an endpoint requests.
type Action struct {
	Verb string
	// ID names the element as the endpoint spelled it, such as 7 or f1_12; "" for none.
	ID string
	// Text is what is typed, chosen, pressed or reported, an address, or a direction.
	Text string
	Wait time.Duration // of wait
}

// verb describes an action's arguments, in their order: i for the element, t for a
// text, k for a key, u for an address, d for a direction, m for ms. Small letters must be
// there, capital ones may.
type verb struct{ name, args, example, what string }

// verbs lists what can be done. The seed has click, setValue, scroll and navigate; the
// others are further actions of a person.
func verbs() []verb {
	return []verb{
		{"click", "i", "click(7)", "a click on an element"},
		{"doubleClick", "i", "doubleClick(7)", "two clicks in a row"},
		{"setValue", "it", `setValue(5, "Ada")`, "a field's text is replaced; of a list box an option is chosen"},
		{"select", "it", `select(5, "Express")`, "an option by its value, or else its label"},
		{"check", "i", "check(9)", "a box is checked; a checked one stays checked"},
		{"uncheck", "i", "uncheck(9)", "and unchecked"},
		{"hover", "i", "hover(7)", "the mouse is moved over an element"},
		{"press", "kI", `press("Enter")`, "a key, also Control+a; with an element, there"},
		{
			"scroll", "ID", "scroll(12)",
			`a container is scrolled on, another element into view; scroll(), scroll("up"), scroll(12, "top")`,
		},
		{"navigate", "u", `navigate("https://example.org/")`, "an http or https address is opened"},
		{"goBack", "", "goBack()", "one page back"},
		{"goForward", "", "goForward()", "one page forward"},
		{"reload", "", "reload()", "the page again"},
		{"wait", "M", "wait(500)", "ms, at most 10,000"},
		{"finish", "T", `finish("It is ordered")`, "the task is done"},
		{"fail", "T", `fail("There is no such product")`, "the task cannot be done"},
	}
}

// Verbs lists the actions with an example and what each does, for help.
func Verbs() [][2]string {
	var out [][2]string
	for _, v := range verbs() {
		out = append(out, [2]string{v.example, v.what})
	}
	return out
}

// argument is one argument as it was written.
type argument struct {
	name   string // before "=", "" for none
	text   string
	quoted bool
}

// parseAction reads an action:
//
//	action   = verb "(" [ argument { "," argument } ] ")"
//	argument = [ name "=" ] ( word | string )
//	word     = letters, digits and _ @ . + -, such as 7, f1_12, @e7
//	string   = as in JSON, also between single quotes, where \' is one; it may contain line breaks
//
// White space around the parts does not count. Names are id (also i, elementId), text
// (value, option), key, url, direction, ms, reason; who names one names all that follow.
// The error describes what is wrong: nothing is guessed, and nothing may follow.
func parseAction(s string) (*Action, error) {
	if len(s) > maxAction {
		return nil, fmt.Errorf("the action has %d bytes: at most %d are allowed", len(s), maxAction)
	}
	if !utf8.ValidString(s) {
		return nil, errors.New("the action is not UTF-8")
	}
	p := &scanner{s: s}
	name := p.word()
	v, known := verbOf(name)
	switch {
	case name == "":
		return nil, fmt.Errorf("the action %s names no verb: write it as click(7)", quoted(s))
	case !known:
		err := fmt.Errorf("unknown action %q: choose from %s", name, verbNames())
		if near := text.Nearest(name, strings.Split(verbNames(), ", ")); near != "" {
			err = fmt.Errorf("unknown action %q: did you mean %s?", name, near)
		}
		return nil, err
	}
	args, err := p.arguments()
	if err == nil {
		var a *Action
		if a, err = v.action(args); err == nil {
			return a, nil
		}
	}
	return nil, fmt.Errorf("%s: %w: write it as %s", name, err, v.example)
}

func verbOf(name string) (verb, bool) {
	for _, v := range verbs() {
		if v.name == name {
			return v, true
		}
	}
	return verb{}, false
}

func verbNames() string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// argNames are the names of each kind of argument.
func argNames(kind byte) []string {
	switch kind {
	case 'i':
		return []string{"id", "i", "elementId"}
	case 't':
		return []string{"text", "value", "option", "reason"}
	case 'k':
		return []string{"key"}
	case 'u':
		return []string{"url"}
	case 'd':
		return []string{"direction"}
	}
	return []string{"ms"}
}

// action interprets the arguments.
func (v verb) action(args []argument) (*Action, error) {
	a := &Action{Verb: v.name}
	at := 0 // of v.args
	set := map[byte]bool{}
	named := false
	for _, arg := range args {
		kind, err := v.kind(arg, &at, &named)
		if err != nil {
			return nil, err
		}
		if set[kind] {
			return nil, fmt.Errorf("%s is given twice", argNames(kind)[0])
		}
		set[kind] = true
		if err := a.take(kind, arg); err != nil {
			return nil, err
		}
	}
	for i := range len(v.args) {
		if k := v.args[i]; k >= 'a' && !set[k] {
			return nil, fmt.Errorf("%s is missing", argNames(k)[0])
		}
	}
	return a, nil
}

// kind is the kind of an argument: by its name, or by its place.
func (v verb) kind(arg argument, at *int, named *bool) (byte, error) {
	kinds := strings.ToLower(v.args)
	if arg.name != "" {
		*named = true
		for i := range len(kinds) {
			for _, n := range argNames(kinds[i]) {
				if n == arg.name {
					return kinds[i], nil
				}
			}
		}
		return 0, fmt.Errorf("it has no argument %q", arg.name)
	}
	if *named {
		return 0, errors.New("an argument without a name follows one with a name")
	}
	// scroll("up") leaves the element out.
	if v.name == "scroll" && *at == 0 && directions[arg.text] {
		*at = 1
	}
	if *at >= len(kinds) {
		return 0, fmt.Errorf("it takes %d arguments", len(kinds))
	}
	*at++
	return kinds[*at-1], nil
}

// directions are those of scroll.
var directions = map[string]bool{"up": true, "down": true, "left": true, "right": true, "top": true, "bottom": true}

func (a *Action) take(kind byte, arg argument) error {
	switch kind {
	case 'i':
		if r, ok := element.ParseRef(arg.text); !ok || r.Number == 0 {
			return fmt.Errorf("%s is not a number of an element", quoted(arg.text))
		}
		a.ID = strings.TrimSpace(arg.text)
	case 't':
		if !arg.quoted {
			return fmt.Errorf("the text %s is not between quotes", quoted(arg.text))
		}
		a.Text = arg.text
	case 'k':
		if _, err := action.ParseKeys(arg.text); err != nil {
			return err
		}
		a.Text = arg.text
	case 'u':
		if !arg.quoted {
			return errors.New("the address is not between quotes")
		}
		if len(arg.text) > maxURL || !httpURL(arg.text) {
			return fmt.Errorf("%s is not an http or https address", quoted(arg.text))
		}
		a.Text = arg.text
	case 'd':
		if !directions[arg.text] {
			return fmt.Errorf("unknown direction %s: choose from up, down, left, right, top, bottom", quoted(arg.text))
		}
		a.Text = arg.text
	case 'm':
		ms, err := strconv.ParseFloat(arg.text, 64)
		if err != nil || math.IsNaN(ms) || ms < 0 || ms > float64(maxWait.Milliseconds()) {
			return fmt.Errorf("%s: want 0 to %d ms", quoted(arg.text), maxWait.Milliseconds())
		}
		a.Wait = max(time.Duration(ms*float64(time.Millisecond)), time.Nanosecond)
	}
	return nil
}

// String is the action as it may be shown and kept: with what was typed only counted, for
// it may be a password.
func (a *Action) String() string {
	var args []string
	switch {
	case a.Verb == "press":
		args = append(args, strconv.Quote(a.Text))
		if a.ID != "" {
			args = append(args, a.ID)
		}
	default:
		if a.ID != "" {
			args = append(args, a.ID)
		}
		switch {
		case a.Verb == "setValue" || a.Verb == "select":
			args = append(args, fmt.Sprintf("[%d characters]", utf8.RuneCountInString(a.Text)))
		case a.Verb == "wait" && a.Wait > 0:
			args = append(args, strconv.FormatInt(a.Wait.Milliseconds(), 10))
		case a.Text != "":
			args = append(args, quoted(a.Text))
		}
	}
	return a.Verb + "(" + strings.Join(args, ", ") + ")"
}

// ends reports whether the action ends the task, and how.
func (a *Action) ends() (status string, ok bool) {
	switch a.Verb {
	case "finish":
		return statusCompleted, true
	case "fail":
		return statusFailed, true
	}
	return "", false
}

// quoted is a text of an endpoint in an error: as a JSON string, cut.
func quoted(s string) string { return text.Quote(text.Cut(s, 80)) }
