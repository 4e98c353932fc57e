package sentinel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/element"
)

// Type is a kind of outcome.
type Type string

// The kinds (seed 2.6.3).
const (
	// Navigation: the address is another one, or the document was loaded again.
	Navigation Type = "navigation"
	// ElementAppears: a text or an element can be seen that could not before.
	ElementAppears Type = "element_appears"
	// ElementDisappears: one that could be seen cannot any more.
	ElementDisappears Type = "element_disappears"
	// ValueChanges: a field holds something else.
	ValueChanges Type = "value_changes"
	// StateChanges: something is checked, expanded, selected, pressed, open or disabled
	// that was not, or the other way round.
	StateChanges Type = "state_changes"
	// AnyChange: the document, its fields, its scrolling or its address changed, without
	// an error message.
	AnyChange Type = "any_change"
	// NoChange: no error message came and the page is where it was. What else changed
	// does not count: the seed calls it verification only.
	NoChange Type = "no_change"
)

// Types lists the kinds.
func Types() []Type {
	return []Type{Navigation, ElementAppears, ElementDisappears, ValueChanges, StateChanges, AnyChange, NoChange}
}

// Limits of an expectation.
const (
	defaultTimeout = 2 * time.Second
	maxTimeout     = 30 * time.Second
	maxInput       = 16 << 10 // bytes
	maxText        = 500      // characters
	maxChain       = 4        // expectations that hang on each other
)

// Expectation is the expected effect of an action.
type Expectation struct {
	Type Type
	// Text, Selector and Ref identify what appears or disappears; one of them is set. Of
	// value_changes and state_changes Selector and Ref name the element, and without them
	// any will do.
	Text, Selector string
	Ref            int
	// Spelled is Ref as the agent wrote it where that names a frame, such as f1_12: an element of another frame
	// is not meant, and where numbers are counted for each frame they are not the session's.
	Spelled string
	// Spell writes Ref in results and in [Expectation.String], as the agent's lists do; nil is [12].
	Spell func(ref int) string
	// Value is the field's expected value after value_changes; nil is anything new.
	Value *string
	// Or is as good.
	Or *Expectation
	// Timeout is how long it may take; 0 means defaultTimeout. That of the longest one in
	// the chain counts.
	Timeout time.Duration

	// focus: that the focus moved is a change too. A key may be pressed for nothing else.
	focus bool
	// pressed is the number of the element that a click is on, 0 for none: it moves the focus to that, or to what
	// that is in, and anywhere else is a change.
	pressed int
}

// Parse reads an expectation; see the package comment for its grammar.
func Parse(data []byte) (*Expectation, error) {
	if len(data) > maxInput {
		return nil, fmt.Errorf("the expected outcome has %d bytes: at most %d are allowed", len(data), maxInput)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("the expected outcome is not UTF-8")
	}
	e, err := parse(data, 1)
	if err != nil {
		return nil, fmt.Errorf("the expected outcome: %w", err)
	}
	return e, nil
}

func parse(data []byte, depth int) (*Expectation, error) {
	if depth > maxChain {
		return nil, fmt.Errorf("more than %d expectations hang on each other", maxChain)
	}
	data = bytes.TrimSpace(data)
	if len(data) > 0 && data[0] == '"' {
		e := &Expectation{}
		if err := json.Unmarshal(data, (*string)(&e.Type)); err != nil {
			return nil, err
		}
		return e, e.check()
	}
	names, values, err := members(data)
	if err != nil {
		return nil, err
	}
	e := &Expectation{}
	set := map[string]string{} // what is set, by which name
	for _, name := range names {
		what, err := e.member(name, values[name], depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if other := set[what]; other != "" {
			return nil, fmt.Errorf("%s and %s say the same: give one of them", other, name)
		}
		set[what] = name
	}
	return e, e.check()
}

// member reads one member and returns the name of its field.
func (e *Expectation) member(name string, raw json.RawMessage, depth int) (string, error) {
	var err error
	switch name {
	case "type":
		err = json.Unmarshal(raw, (*string)(&e.Type))
	case "text":
		e.Text, err = expectedText(raw)
	case "selector":
		e.Selector, err = expectedText(raw)
	case "ref", "elementId", "element_id":
		e.Ref, e.Spelled, err = refOf(raw)
		name = "ref"
	case "value":
		if err = json.Unmarshal(raw, &e.Value); err == nil && e.Value == nil {
			err = errors.New("want a string, not null")
		}
	case "orOutcome", "or_outcome":
		e.Or, err = parse(raw, depth+1)
		name = "or"
	case "or_element_appears", "or_element_disappears":
		or := &Expectation{Type: Type(strings.TrimPrefix(name, "or_"))}
		or.Text, err = expectedText(raw)
		e.Or, name = or, "or"
	case "timeout":
		var ms float64
		if err = json.Unmarshal(raw, &ms); err == nil && (ms < 1 || ms > float64(maxTimeout.Milliseconds())) {
			err = fmt.Errorf("%g: want 1 to %d ms", ms, maxTimeout.Milliseconds())
		}
		e.Timeout = time.Duration(ms * float64(time.Millisecond))
	default:
		return "", errors.New(
			"unknown member: choose from type, text, selector, ref, value, orOutcome, " +
				"or_element_appears, or_element_disappears, timeout",
		)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf(
			"want a %s, not a %s", strings.NewReplacer("float64", "number").Replace(kind.Type.String()), kind.Value,
		)
	}
	return name, err
}

// expectedText is a text that is not empty.
func expectedText(raw json.RawMessage) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", err
	}
	switch s = strings.Join(strings.Fields(s), " "); {
	case s == "":
		return "", errors.New("it is empty")
	case utf8.RuneCountInString(s) > maxText:
		return "", fmt.Errorf("it has more than %d characters", maxText)
	}
	return s, nil
}

// refOf is a ref that is written as a number or in any spelling.
func refOf(raw json.RawMessage) (ref int, spelled string, err error) {
	if err := json.Unmarshal(raw, &spelled); err != nil {
		if err := json.Unmarshal(raw, &ref); err != nil || ref < 1 {
			return 0, "", errors.New("want the number of an element")
		}
		return ref, "", nil
	}
	r, ok := element.ParseRef(spelled)
	switch {
	case !ok || r.Number == 0:
		return 0, "", fmt.Errorf("%q is not a number of an element", spelled)
	case r.Frame == 0:
		spelled = ""
	}
	return r.Number, spelled, nil
}

// check refuses what a type has no use for, or lacks.
func (e *Expectation) check() error {
	given := 0
	for _, is := range []bool{e.Text != "", e.Selector != "", e.Ref > 0} {
		if is {
			given++
		}
	}
	shows := e.Type == ElementAppears || e.Type == ElementDisappears
	changes := e.Type == ValueChanges || e.Type == StateChanges
	switch {
	case e.Type == "":
		return errors.New("type is missing")
	case !slices.Contains(Types(), e.Type):
		return fmt.Errorf("unknown type %q: choose from %s", string(e.Type), typeNames())
	case given > 1:
		return errors.New("it names the element in several ways: give one of text, selector, ref")
	case shows && given == 0:
		return fmt.Errorf("%s: say what, with text, selector or ref", e.Type)
	case !shows && e.Text != "":
		return fmt.Errorf("%s has no use for text", e.Type)
	case !shows && !changes && given > 0:
		return fmt.Errorf("%s has no use for an element", e.Type)
	case e.Value != nil && (e.Type != ValueChanges || given == 0):
		return errors.New("value belongs to value_changes with a ref or a selector")
	}
	return nil
}

func typeNames() string {
	var names []string
	for _, t := range Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// limit is how long the outcome may take.
func (e *Expectation) limit() time.Duration {
	var longest time.Duration
	for x := e; x != nil; x = x.Or {
		longest = max(longest, x.Timeout)
	}
	if longest <= 0 {
		return defaultTimeout
	}
	return min(longest, maxTimeout)
}

// String describes the expectation: `navigation or "Thank you" appears`.
func (e *Expectation) String() string {
	what := e.Text
	switch {
	case what != "":
		what = strconv.Quote(what)
	case e.Selector != "":
		what = e.Selector
	case e.Ref > 0:
		what = e.named()
	}
	s := strings.ReplaceAll(string(e.Type), "_", " ")
	switch e.Type {
	case ElementAppears:
		s = what + " appears"
	case ElementDisappears:
		s = what + " disappears"
	case ValueChanges, StateChanges:
		if what != "" {
			s = s[:strings.IndexByte(s, ' ')] + " of " + what + " changes"
		}
	}
	if e.Or != nil {
		s += " or " + e.Or.String()
	}
	return s
}

// members lists the members of a JSON object in their order. A duplicate member is
// an error, and so is anything behind the object.
func members(data []byte) (names []string, values map[string]json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	first, err := d.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("it is empty")
		}
		return nil, nil, err
	}
	if first != json.Delim('{') {
		return nil, nil, errors.New("want an object, or the name of a type as a string")
	}
	values = map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		name, _ := key.(string) // the decoder lets nothing else be a key
		if _, twice := values[name]; twice {
			return nil, nil, fmt.Errorf("%s is given twice", name)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, nil, err
		}
		names, values[name] = append(names, name), raw
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errors.New("something follows behind the object")
	}
	return names, values, nil
}
