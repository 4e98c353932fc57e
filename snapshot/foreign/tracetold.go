package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/turn"
)

// findSecrets finds out which actions type into secret fields, and learns what. It comes
// before the first turn: what is typed late may stand in what was logged early.
func (t *trace) findSecrets() {
	for _, a := range t.actions {
		var p struct{ Selector, Value, Text, Key string }
		if len(a.Params) == 0 || json.Unmarshal(a.Params, &p) != nil {
			continue
		}
		for _, v := range []string{p.Value, p.Text, p.Key} {
			if v != "" {
				a.typed = v
				break
			}
		}
		if a.typed == "" {
			continue
		}
		if a.secret = t.secretTarget(a); a.secret == "" {
			a.secret = t.s.spoken(p.Selector)
		}
		if a.secret == "" {
			for _, l := range a.logs {
				if strings.Contains(l.text, `type="password"`) {
					a.secret = "password"
				}
			}
		}
		if a.secret != "" {
			t.s.learn(a.typed)
		}
	}
}

// secretTarget is the kind of secret of the field that an action is about: the one that
// the snapshots mark, else a secret field that holds what was typed, as the keyboard types
// into whatever has the focus.
func (t *trace) secretTarget(a *action) string {
	holder := ""
	for _, key := range a.moments() {
		for _, d := range t.docs[key] {
			fields := fieldsOf(d.root)
			if len(fields) == 0 {
				continue
			}
			sc := newScope(d.root, MaxNodes)
			for _, n := range fields {
				mark, marked := n.attrs[pwTarget]
				marked = marked && (mark == "" || mark == a.CallID)
				holds := strings.Contains(n.attr(pwValue), a.typed)
				if !marked && (!holds || holder != "") {
					continue
				}
				kind := t.s.kind(field{tag: n.tag, attrs: n.attrs, label: sc.label(n), value: a.typed}, t.s.clean)
				if marked {
					return kind
				}
				holder = kind
			}
		}
	}
	return holder
}

// fieldsOf are the fields of a document that hold text or are marked, shadow trees
// included, at most 1,000.
func fieldsOf(root *dom) []*dom {
	var out []*dom
	left := MaxNodes
	var walk func(n *dom, depth int)
	walk = func(n *dom, depth int) {
		if left--; left < 0 || depth > MaxDepth || len(out) >= 1_000 {
			return
		}
		if (n.tag == "input" || n.tag == "textarea") && (n.has(pwTarget) || n.attr(pwValue) != "") {
			out = append(out, n)
		}
		for _, k := range n.kids {
			walk(k, depth+1)
		}
	}
	walk(root, 0)
	return out
}

// caption is the action in one line, such as "fill #user".
func (t *trace) caption(a *action) string {
	words := []string{a.name()}
	if _, m, ok := strings.Cut(words[0], "."); ok && a.ofPage() {
		words[0] = m
	}
	var p struct{ Selector, URL, Value, Text, Key string }
	if len(a.Params) > 0 && json.Unmarshal(a.Params, &p) == nil {
		for _, v := range []string{p.Selector, p.URL, p.Key, p.Value, p.Text} {
			switch {
			case v == "":
			case v == a.typed && a.secret != "":
				words = append(words, "[redacted: "+a.secret+"]")
			default:
				words = append(words, strings.Join(strings.Fields(t.s.without(cut(v, 300), a.hide())), " "))
			}
		}
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		words = append(words, "(failed)")
	}
	return strings.Join(words, " ")
}

// hide is the value that is withheld from all that is told of the action.
func (a *action) hide() string {
	if a.secret == "" {
		return ""
	}
	return a.typed
}

// told is one step as a record has it.
type toldStep struct {
	Action string          `json:"action"`
	Params json.RawMessage `json:"params,omitempty"`
	Start  time.Time       `json:"start,omitzero"`
	Ms     float64         `json:"ms"` // how long it took
	Point  *pointOf        `json:"point,omitempty"`
	Box    *boxOf          `json:"box,omitempty"` // CSS px
}

// toldAnswer is what became of a step.
type toldAnswer struct {
	Action string          `json:"action"`
	Status string          `json:"status"` // ok, error, unknown
	Error  json.RawMessage `json:"error,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Log    []string        `json:"log,omitempty"`
}

// tell sets the record's steps and answer: all actions since the last turn.
func (t *trace) tell(rec *turn.Record, actions []*action) error {
	steps, answers := make([]toldStep, 0, len(actions)), make([]toldAnswer, 0, len(actions))
	for _, a := range actions {
		step := toldStep{Action: t.s.text(cut(a.name(), 400)), Params: t.s.json(a.Params, a.secret, a.hide()), Start: a.base.at(a.StartTime), Point: a.Point, Box: a.Box}
		answer := toldAnswer{Action: step.Action, Status: "unknown", Error: t.s.json(a.Error, a.secret, a.hide()), Result: t.s.json(a.Result, a.secret, a.hide())}
		if a.ended {
			step.Ms, answer.Status = math.Round(1000*(a.EndTime-a.StartTime))/1000, "ok"
		}
		if len(answer.Error) > 0 && string(answer.Error) != "null" {
			answer.Status = "error"
		}
		for _, l := range a.logs[:min(len(a.logs), 1_000)] {
			answer.Log = append(answer.Log, t.s.without(cut(l.text, 4<<10), a.hide()))
		}
		steps, answers = append(steps, step), append(answers, answer)
	}
	return tellSteps(rec, steps, answers, slices.ContainsFunc(answers, func(a toldAnswer) bool { return a.Status == "error" }))
}

// tellSteps sets a record's steps and their answer, in the shape of our own: a "steps"
// list, and for the answer a status before it.
func tellSteps(rec *turn.Record, steps, answers any, failed bool) error {
	status := "ok"
	if failed {
		status = "error"
	}
	var err error
	if rec.Steps, err = json.Marshal(struct {
		Steps any `json:"steps"`
	}{steps}); err == nil {
		rec.Answer, err = json.Marshal(struct {
			Status string `json:"status"`
			Steps  any    `json:"steps"`
		}{status, answers})
	}
	if err != nil {
		return fmt.Errorf("writing the steps of a turn: %w", err)
	}
	if len(rec.Steps) > maxTold || len(rec.Answer) > maxTold {
		rec.Steps, rec.Answer = nil, nil
		rec.Lacks = append(rec.Lacks, "its steps have more bytes than a turn can hold")
	}
	return nil
}

// maxTold is how many bytes of steps a record gets; package turn allows 16 MiB.
const maxTold = 15 << 20

// trail adds what came after the last turn to that turn, as its note.
func (t *trace) trail(rec *turn.Record, actions []*action) {
	var b bytes.Buffer
	for _, a := range actions {
		fmt.Fprintf(&b, "after this turn: %s\n", t.caption(a))
	}
	for _, e := range t.errors {
		fmt.Fprintf(&b, "the test failed: %s\n", t.s.text(cut(e, 4<<10)))
	}
	rec.Note = strings.TrimSpace(cut(b.String(), 60<<10))
}
