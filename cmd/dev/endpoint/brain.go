package endpoint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the endpoint's patience.
const (
	maxTasks = 1000 // that are remembered; the oldest go
	maxTries = 4    // of one clause
	maxLooks = 8    // scrolls in search of something
)

// brain remembers its tasks. It is not safe for concurrent use.
type brain struct {
	tasks map[string]*assignment
	order []string
	count int
}

// assignment is one task.
type assignment struct {
	id   string
	plan []clause // what is left to do
	// doing: an action was named, and the next request describes its outcome.
	doing bool
	// after is done once the action in the way is: a dialog was dismissed.
	aside  bool
	tries  int
	looks  int
	scroll string // the scroll position in the last request that had one
	asked  bool   // for the skeleton of this page
	form   *form  // in progress
	last   string // the error of the last try
}

// form is a form that is being filled.
type form struct {
	fields []filling
	at     int
}

// filling is a field and what goes into it.
type filling struct{ id, name, do, with string }

func newBrain() *brain { return &brain{tasks: map[string]*assignment{}} }

// answer describes what to do about a request.
func (b *brain) answer(q *request) reply {
	t := b.tasks[q.TaskID]
	if t == nil {
		b.count++
		t = &assignment{id: fmt.Sprintf("task-%d", b.count)}
		var err error
		if t.plan, err = readTask(q.Query); err != nil {
			return reply{Status: "failed", TaskID: t.id, Thought: "I have rules and no model: " + err.Error()}
		}
		b.tasks[t.id] = t
		if b.order = append(b.order, t.id); len(b.order) > maxTasks {
			delete(b.tasks, b.order[0])
			b.order = b.order[1:]
		}
	}
	a := t.next(q)
	a.TaskID = t.id
	a.Status = cmp.Or(a.Status, "in_progress")
	return a
}

// next is the next action of the task.
func (t *assignment) next(q *request) reply {
	if q.Scroll != "" {
		t.scroll = q.Scroll
	}
	if q.resumed() { // the page was opened again, so is the task
		if plan, err := readTask(q.Query); err == nil {
			*t = assignment{id: t.id, plan: plan, scroll: t.scroll}
		}
	}
	if t.doing {
		t.doing = false
		t.learn(q)
	}
	for len(t.plan) > 0 {
		if t.tries >= maxTries {
			return reply{Status: "failed", Thought: fmt.Sprintf("I tried %d times to %s: %s", t.tries,
				t.plan[0], t.last)}
		}
		a, ok := t.step(q)
		if ok {
			return a
		}
		t.over()
	}
	return reply{Status: "completed", Thought: "All of it is done."}
}

// over moves on to the next clause.
func (t *assignment) over() {
	t.plan = t.plan[1:]
	t.tries, t.looks, t.asked, t.form, t.last = 0, 0, false, nil, ""
}

// learn takes in the outcome of the last action.
func (t *assignment) learn(q *request) {
	passed := q.LastStatus == "success" && (q.Verified == nil || *q.Verified)
	switch {
	case t.aside: // what was in the way is gone, or it is not: the clause is tried again
		t.aside = false
	case passed && t.form != nil:
		t.form.at++
		t.tries = 0
	case passed && t.looks > 0 && t.plan[0].do != "scroll":
		t.asked = false // a look further down: nothing is done yet
	case passed:
		t.over()
	default:
		t.tries++
		if t.last = q.Says; q.LastError != nil {
			t.last = q.LastError.Message
		}
		if t.form != nil && t.tries > 1 { // one field that cannot be filled is no reason to give up
			t.form.at++
			t.tries = 0
		}
	}
}

// step is the next action of the clause that is in progress; false where it is done.
func (t *assignment) step(q *request) (reply, bool) {
	c := &t.plan[0]
	switch c.do {
	case "form":
		return t.fill(q)
	case "key":
		return t.act(reply{Thought: "I press " + c.what + ".", Action: "press(" + quote(c.what) + ")",
			Expect: c.expect()}), true
	}
	list := q.page()
	e := called(list, c.what, c.kinds()...)
	if e == nil {
		return t.missing(q)
	}
	if a, ok := t.wayFree(q, e); !ok {
		return a, true
	}
	t.looks = 0
	switch c.do {
	case "fill":
		return t.act(reply{Thought: "I fill " + c.what + ".", Action: "setValue(" + e.ID + ", " + quote(c.with) + ")"}),
			true
	case "choose":
		return t.act(reply{Thought: "I choose " + c.with + ".", Action: "select(" + e.ID + ", " + quote(c.with) + ")"}),
			true
	case "check", "uncheck":
		return t.act(reply{Thought: "I " + c.do + " " + c.what + ".", Action: c.do + "(" + e.ID + ")"}), true
	case "scroll":
		return t.act(reply{Thought: "There may be more in " + c.what + ".", Action: "scroll(" + e.ID + ")"}), true
	}
	return t.act(reply{Thought: "I click " + e.Name + ".", Action: "click(" + e.ID + ")", Expect: c.expect()}), true
}

// kinds are the roles that a clause can be about.
func (c *clause) kinds() []string {
	switch {
	case len(c.roles) > 0:
		return c.roles
	case c.do == "fill":
		return []string{"inp", "combobox", "spinbutton"}
	case c.do == "choose":
		return []string{"sel", "combobox", "listbox"}
	case c.do == "check" || c.do == "uncheck":
		return []string{"chk", "switch", "radio", "menuitemcheckbox", "menuitemradio"}
	}
	return nil
}

// expect is the expected effect of a click, nil for the usual.
func (c *clause) expect() any {
	switch c.until {
	case "":
		return nil
	case "\n":
		return map[string]any{"type": "navigation", "timeout": 3000}
	}
	return map[string]any{"type": "element_appears", "text": c.until}
}

// act names an action and waits for its outcome.
func (t *assignment) act(a reply) reply {
	t.doing = true
	return a
}

// missing is what to do about an element that the request does not have: ask for more of
// the page once, then look further down, then give up.
func (t *assignment) missing(q *request) (reply, bool) {
	c := &t.plan[0]
	switch {
	case q.Skeleton == "" && !t.asked:
		t.asked = true
		return reply{Status: "needs_context", Thought: "I do not see " + c.what + ", so I ask for the skeleton.",
			Skeleton: true,
			Reason:   "the element is not in the tree", Element: c.what}, true
	case c.ifThere:
		return reply{}, false
	case t.looks < maxLooks && t.scroll != "100%":
		t.looks++
		return t.act(reply{Thought: "I look for " + c.what + " further down.", Action: "scroll()",
			Expect: "any_change"}), true
	}
	return reply{Status: "failed", Thought: fmt.Sprintf("there is no %q on the page", c.what)}, true
}

// closers are the names of buttons that get a dialog out of the way, the best first.
var closers = []string{"only essential", "reject all", "decline", "no thanks", "close", "understood", "keep looking",
	"not now", "accept all", "accept", "ok"}

// wayFree reports whether nothing lies over an element; else the answer gets it away.
func (t *assignment) wayFree(q *request, e *element) (reply, bool) {
	covered := e.Covered || q.LastError != nil && q.LastError.Code == "COVERED" && t.tries > 0
	if !covered || t.tries > 1 {
		return reply{}, true
	}
	for _, name := range closers {
		for i := range q.Tree {
			if x := &q.Tree[i]; x.Role == "btn" && strings.EqualFold(strings.TrimSpace(x.Name), name) && !x.Covered &&
				x.ID != e.ID {
				t.aside = true
				t.tries++
				return t.act(reply{Thought: "Something lies over " + e.Name + "; I click " + x.Name + ".",
					Action: "click(" + x.ID +
						")"}), false
			}
		}
	}
	return reply{}, true
}

// fill puts a form's fields into a list, from a skeleton, and fills one after the other.
func (t *assignment) fill(q *request) (reply, bool) {
	if t.form == nil {
		if q.Skeleton == "" {
			return reply{Status: "needs_context", Thought: "I need the kinds of the fields, so I ask for the skeleton.",
				Skeleton: true,
				Reason:   "the tree has no types of fields", Element: "the form's fields"}, true
		}
		t.form = &form{}
		for _, e := range elements(q.Skeleton) {
			if do, with, ok := entry(&e); ok {
				t.form.fields = append(t.form.fields, filling{e.ID, first(e.Name, e.field, e.kind), do, with})
			}
		}
	}
	if t.form.at >= len(t.form.fields) {
		return reply{}, false
	}
	f := t.form.fields[t.form.at]
	if i := slices.IndexFunc(q.Tree, func(e element) bool { return e.ID == f.id }); i >= 0 {
		if a, ok := t.wayFree(q, &q.Tree[i]); !ok {
			return a, true
		}
	}
	thought := fmt.Sprintf("Field %d of %d: %s.", t.form.at+1, len(t.form.fields), f.name)
	switch f.do {
	case "check":
		return t.act(reply{Thought: thought, Action: "check(" + f.id + ")"}), true
	case "choose":
		return t.act(reply{Thought: thought, Action: "select(" + f.id + ", " + quote(f.with) + ")"}), true
	}
	return t.act(reply{Thought: thought, Action: "setValue(" + f.id + ", " + quote(f.with) + ")"}), true
}

// quote is a text as an action has it.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // no string does that
	}
	return string(b)
}
