package step

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/step/navigation"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// Suggestion is one completion.
type Suggestion struct {
	// Insert replaces the bytes From to To of the text; Caret is the position of the caret
	// afterwards, in bytes of Insert.
	Insert string
	Caret  int
	// Label is what is offered, What describes it in one line.
	Label, What string
}

// Known is an element that a suggestion can name.
type Known struct {
	Ref        int
	Role, Name string
}

// maxSuggestions bounds a list that a person is to choose from.
const maxSuggestions = 60

// Complete returns the completions of a draft at a caret, in bytes: names of steps, their
// parameters, their examples, and the refs of the elements that are known. The
// suggestions replace the bytes from to to of the text. A draft need not be JSON yet.
func Complete(text string, caret int, known []Known) (list []Suggestion, from, to int) {
	caret = min(max(caret, 0), len(text))
	for caret > 0 && caret < len(text) && !utf8.RuneStart(text[caret]) {
		caret--
	}
	c := cursorAt(text[:caret])
	from, to = c.from, caret
	if c.quoted { // the rest of the string goes with it
		end := strings.IndexAny(text[caret:], "\"\n")
		if end >= 0 && text[caret+end] == '"' && !strings.ContainsAny(text[caret:caret+end], ":,{}[]") {
			to = caret + end + 1
		}
	}
	keyed := strings.HasPrefix(strings.TrimLeft(text[to:], " \t"), ":") // the key has its value already
	for _, s := range c.offers(known) {
		if keyed && c.key {
			if s.Insert, _, _ = strings.Cut(s.Insert, ": "); s.Caret > len(s.Insert) {
				s.Caret = len(s.Insert)
			}
		}
		list = append(list, s)
	}
	return filter(list, c.partial), from, to
}

// filter keeps the names that begin with what is written, then those that contain it.
func filter(list []Suggestion, partial string) []Suggestion {
	partial = strings.ToLower(strings.TrimSpace(partial))
	var begin, hold []Suggestion
	for _, s := range list {
		label := strings.ToLower(s.Label)
		switch {
		case strings.HasPrefix(label, partial),
			strings.HasPrefix(strings.TrimLeft(label, "\"{[e"), strings.TrimLeft(partial, "{[e")):
			begin = append(begin, s)
		case strings.Contains(label+" "+strings.ToLower(s.What), partial):
			hold = append(hold, s)
		}
	}
	out := append(begin, hold...)
	return out[:min(len(out), maxSuggestions)]
}

// offers are all suggestions at the caret.
func (c *cursor) offers(known []Known) []Suggestion {
	if c.done {
		return nil
	}
	levels, list := c.inStep()
	switch {
	case list && !c.quoted:
		return stepOffers(len(c.levels) == 0)
	case len(levels) == 0:
		if len(c.levels) == 1 && c.key {
			return []Suggestion{keyOffer("steps", "[]", 1, "the list of steps")}
		}
		return nil
	}
	first := &levels[0]
	if len(levels) == 1 {
		if c.key {
			return keyOffers(first.keys, len(c.levels) == 1)
		}
		return valueOffers(lookup(first.last()), first.last(), known)
	}
	k := lookup(first.last())
	if k == nil {
		return nil
	}
	l := &levels[len(levels)-1]
	switch {
	case l.array:
		return nil
	case c.key && len(levels) == 2:
		return paramOffers(k, l.keys)
	case c.key:
		return nil
	}
	return memberOffers(k, l.last(), known)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

func keyOffer(name, value string, caret int, what string) Suggestion {
	head := quote(name) + ": "
	return Suggestion{Insert: head + value, Caret: len(head) + caret, Label: name, What: what}
}

// tabless are the steps but those that bring, list and close tabs: a draft is for a tab
// that is there.
func tabless() []stepdef.StepDef { return Table()[len(navigation.TabSteps()):] }

// stepOffers are whole steps.
func stepOffers(alone bool) []Suggestion {
	var out []Suggestion
	for _, k := range tabless() {
		s := keyOffer(k.Name, "", 0, k.Summary)
		s.Insert, s.Caret = "{"+s.Insert+"}", s.Caret+1
		out = append(out, s)
	}
	if alone {
		out = append(out, Suggestion{
			Insert: `{"steps": []}`, Caret: len(`{"steps": [`), Label: "steps",
			What: "several steps, one after the other",
		})
	}
	return out
}

// keyOffers are the keys of a step.
func keyOffers(given []string, alone bool) []Suggestion {
	var out []Suggestion
	var has *stepdef.StepDef
	for _, g := range given {
		if k := lookup(g); k != nil {
			has = k
		}
	}
	if has == nil {
		for _, k := range tabless() {
			out = append(out, keyOffer(k.Name, "", 0, k.Summary))
		}
		if alone && len(given) == 0 {
			out = append(out, keyOffer("steps", "[]", 1, "several steps, one after the other"))
		}
	}
	beside := []Suggestion{
		keyOffer("optional", "true", 4, "a failure does not stop the run"),
		keyOffer("timeout", "5000", 4, "how long this step may take, in ms"),
	}
	if has != nil && has.Hooks {
		beside = append(beside, hookOffers()...)
	}
	for _, s := range beside {
		if !slices.Contains(given, s.Label) {
			out = append(out, s)
		}
	}
	return out
}

func hookOffers() []Suggestion {
	return []Suggestion{
		keyOffer("readyWhen", `"() => true"`, 7, "wait for this before the action"),
		keyOffer("settledWhen", `"() => true"`, 7, "wait for this after the action"),
		keyOffer("observe", `"() => document.title"`, 7, "and answer with what this gives"),
	}
}

// takesRef reports whether a kind has a form that is a ref alone.
func takesRef(k *stepdef.StepDef) bool {
	return slices.ContainsFunc(k.Forms, func(f param.Form) bool {
		return strings.HasPrefix(f.Example(), `"#`) || strings.HasPrefix(f.Example(), `"s1e`)
	})
}

// valueOffers are the parameters of a step as a whole.
func valueOffers(k *stepdef.StepDef, key string, known []Known) []Suggestion {
	if k == nil {
		if key == "optional" {
			return boolOffers()
		}
		return nil
	}
	var out []Suggestion
	if takesRef(k) {
		out = refOffers(known)
	}
	for _, f := range k.Forms {
		out = append(out, Suggestion{Insert: f.Example(), Caret: len(f.Example()), Label: f.Example(), What: f.What()})
	}
	return out
}

func boolOffers() []Suggestion {
	return []Suggestion{{Insert: "true", Caret: 4, Label: "true"}, {Insert: "false", Caret: 5, Label: "false"}}
}

// refOffers name the elements that are known. Any spelling of a ref is right.
func refOffers(known []Known) []Suggestion {
	out := make([]Suggestion, len(known))
	for i, n := range known {
		ref := fmt.Sprintf("e%d", n.Ref)
		s := quote(ref)
		out[i] = Suggestion{Insert: s, Caret: len(s), Label: ref, What: strings.TrimSpace(n.Role + " " + n.Name)}
	}
	return out
}

// paramNames are the names of a step's parameters, those of its examples first.
func paramNames(d *stepdef.StepDef) []string {
	var out []string
	params := d.Params()
	for _, f := range d.Forms {
		names, _, err := param.Members(json.RawMessage(f.Example()))
		for _, n := range names {
			known := slices.ContainsFunc(params, func(p param.Param) bool { return p.Name == n })
			if err == nil && known && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	for _, p := range params {
		if !slices.Contains(out, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// example is the value of a parameter in the first example that has it.
func example(k *stepdef.StepDef, name string) (value string, in param.Form) {
	for _, f := range k.Forms {
		if _, values, err := param.Members(json.RawMessage(f.Example())); err == nil && values[name] != nil {
			return string(values[name]), f
		}
	}
	return "", param.Form{}
}

func paramOffers(k *stepdef.StepDef, given []string) []Suggestion {
	var out []Suggestion
	for _, name := range paramNames(k) {
		if slices.Contains(given, name) {
			continue
		}
		s := keyOffer(name, "", 0, declared(k, name).What)
		if value, _ := example(k, name); value != "" {
			s.What += ", such as " + value
		}
		out = append(out, s)
	}
	if k.Hooks {
		for _, s := range hookOffers() {
			if !slices.Contains(given, s.Label) {
				out = append(out, s)
			}
		}
	}
	return out
}

// memberOffers are values of one parameter.
func memberOffers(k *stepdef.StepDef, name string, known []Known) []Suggestion {
	var out []Suggestion
	p := declared(k, name)
	one := p.Type != "list" && (p.Finds == "ref" || p.Finds == "selector")
	if one || name == "source" || name == "target" {
		out = refOffers(known)
	}
	value, f := example(k, name)
	switch {
	case value == "true" || value == "false" || p.Type == "true or false":
		out = append(out, boolOffers()...)
	case len(p.Choices) > 0:
		for _, c := range p.Choices {
			out = append(out, Suggestion{Insert: quote(c), Caret: len(quote(c)), Label: quote(c), What: p.What})
		}
	case value != "" && name != "ref":
		out = append(out, Suggestion{Insert: value, Caret: len(value), Label: value, What: f.What()})
	}
	return out
}

// declared is a parameter of a step, the zero one where the step declares none of that name.
func declared(k *stepdef.StepDef, name string) param.Param {
	for _, p := range k.Params() {
		if p.Name == name {
			return p
		}
	}
	return param.Param{}
}
