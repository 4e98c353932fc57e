package sentinel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// verdict reports whether the outcome occurred, the evidence, and the confidence.
type verdict struct {
	ok         bool
	e          *Expectation
	how        string // a sentence without its full stop
	confidence float64
	// shaky: an error message makes it a failure. Set where a change alone counts.
	shaky bool
	// moved: the main document is another one.
	moved bool
}

// How sure a finding is, 0 to 1.
const (
	sureSeen    = 0.95 // it was seen itself
	sureWent    = 0.9  // the address is another one
	sureNoted   = 0.8  // it came and went, as the observer noted
	sureReload  = 0.7  // the same address, another document
	sureOther   = 0.7  // it changed, but not to what was requested
	sureChange  = 0.6  // something in the document changed, whatever it is
	sureFailure = 0.8  // it did not occur in time
	sureError   = 0.95 // it did not occur, and the page shows an error
	unsure      = 0.3  // the page could not be asked
)

// verdict looks for the first outcome of the chain that occurred.
func (w *Watcher) verdict(now *scene) verdict {
	first := verdict{e: w.expect}
	i := 0 // of wanted
	for e := w.expect; e != nil; e = e.Or {
		var was, is found
		if e.Text != "" || e.Selector != "" || e.Ref > 0 {
			was, is = w.before.of(i), now.of(i)
			i++
		}
		v := w.one(e, was, is, now)
		v.e = e
		if v.ok {
			return v
		}
		if e == w.expect {
			first = v
		}
	}
	return first
}

func (w *Watcher) one(e *Expectation, was, is found, now *scene) verdict {
	switch e.Type {
	case Navigation:
		return w.went(now)
	case ElementAppears:
		return w.appeared(e, was, is, now)
	case ElementDisappears:
		return w.disappeared(e, was, is, now)
	case ValueChanges:
		return w.changedValue(e, was, is, now)
	case StateChanges:
		return w.changedState(e, was, is, now)
	case AnyChange:
		return w.changed(e, now)
	}
	if v := w.went(now); v.ok {
		return verdict{how: v.how}
	}
	return verdict{ok: true, how: "the page stayed where it was", confidence: sureSeen, shaky: true}
}

// went: the address is another one, or the main document.
func (w *Watcher) went(now *scene) verdict {
	switch {
	case now.url != w.before.url:
		return verdict{
			ok: true, how: "the address changed to " + w.address(now.url), confidence: sureWent,
			moved: now.main != w.before.main,
		}
	case now.main != w.before.main:
		return verdict{
			ok: true, how: "the page was loaded again at the same address", confidence: sureReload,
			shaky: true, moved: true,
		}
	}
	return verdict{how: "URL unchanged"}
}

func (w *Watcher) appeared(e *Expectation, was, is found, now *scene) verdict {
	what := e.named()
	switch {
	case is.Seen > was.Seen:
		return verdict{ok: true, how: what + " appeared", confidence: sureSeen}
	case e.Text == "":
	case w.noted(now, e.Text, "added", "changed") > 0 && was.Seen == 0,
		w.noted(now, e.Text, "added") > w.noted(now, e.Text, "removed"):
		return verdict{ok: true, how: what + " appeared and went away again", confidence: sureNoted}
	}
	if was.Seen > 0 {
		return verdict{how: what + " was there before the action already"}
	}
	return verdict{how: what + " did not appear"}
}

func (w *Watcher) disappeared(e *Expectation, was, is found, now *scene) verdict {
	what := e.named()
	switch {
	case was.Seen > 0 && is.Seen == 0:
		return verdict{ok: true, how: what + " disappeared", confidence: sureSeen}
	case was.Seen > is.Seen:
		return verdict{
			ok: true, how: fmt.Sprintf("%d of %d %s disappeared", was.Seen-is.Seen, was.Seen, what),
			confidence: sureOther,
		}
	case was.Seen > 0:
		return verdict{how: what + " is still there"}
	case is.Seen == 0 && e.Text != "" && w.noted(now, e.Text, "removed") > 0:
		return verdict{ok: true, how: what + " came and disappeared", confidence: sureNoted}
	}
	return verdict{how: what + " was not there before the action"}
}

// differ reports whether a hash of a document that was there before the action is another one now.
func (w *Watcher) differ(now *scene, hash func(*document) uint32) bool {
	return slices.ContainsFunc(now.keys, func(key string) bool {
		was := w.before.docs[key]
		return was != nil && hash(was) != hash(now.docs[key])
	})
}

func (w *Watcher) changedValue(e *Expectation, was, is found, now *scene) verdict {
	if e.Selector == "" && e.Ref == 0 {
		if w.differ(now, func(d *document) uint32 { return d.Values }) {
			return verdict{ok: true, how: "the value of a field changed", confidence: sureOther}
		}
		return verdict{how: "no field holds anything else than before"}
	}
	what := e.named()
	switch {
	case is.There == 0:
		return verdict{how: what + " no longer exists"}
	case is.Holds != nil && *is.Holds:
		return verdict{ok: true, how: what + " holds what was asked for", confidence: sureSeen}
	case was.There > 0 && was.Value == is.Value:
		return verdict{how: "the value of " + what + " did not change"}
	case is.Holds != nil:
		return verdict{
			ok: true, how: "the value of " + what + " changed, but it is not what was asked for", confidence: sureOther,
		}
	}
	return verdict{ok: true, how: "the value of " + what + " changed", confidence: sureSeen}
}

func (w *Watcher) changedState(e *Expectation, was, is found, now *scene) verdict {
	if e.Selector == "" && e.Ref == 0 {
		if w.differ(now, func(d *document) uint32 { return d.States }) {
			return verdict{ok: true, how: "the state of a control changed", confidence: sureOther}
		}
		return verdict{how: "no control is in another state than before"}
	}
	what := e.named()
	switch {
	case is.There == 0:
		return verdict{how: what + " no longer exists"}
	case was.There > 0 && was.State == is.State:
		return verdict{how: "the state of " + what + " did not change"}
	}
	return verdict{ok: true, how: "the state of " + what + " changed", confidence: sureSeen}
}

// changed: anything at all.
func (w *Watcher) changed(e *Expectation, now *scene) verdict {
	if v := w.went(now); v.ok {
		return v
	}
	if list, _ := w.page.Tab().DialogsSince(w.dialogs); len(list) > 0 {
		d := list[len(list)-1]
		return verdict{
			ok: true, how: fmt.Sprintf("a dialog came up (%s %q)", d.Type, d.Message), confidence: sureSeen,
			shaky: true,
		}
	}
	if w.page.Tab().Choosers() > w.choosers {
		return verdict{ok: true, how: "a file chooser opened", confidence: sureSeen, shaky: true}
	}
	if now.tabs > w.before.tabs {
		return verdict{ok: true, how: "a new tab was opened", confidence: sureSeen, shaky: true}
	}
	mutated := ""
	for _, k := range now.keys {
		b, d := w.before.docs[k], now.docs[k]
		switch {
		case b == nil:
			mutated = "a frame was loaded"
		case b.Values != d.Values:
			return verdict{ok: true, how: "the value of a field changed", confidence: sureWent, shaky: true}
		case b.States != d.States:
			return verdict{ok: true, how: "the state of a control changed", confidence: sureWent, shaky: true}
		case b.Scroll != d.Scroll:
			return verdict{ok: true, how: "the page was scrolled", confidence: sureWent, shaky: true}
		case d.Mutations > b.Mutations:
			mutated = "the document changed"
		case d.Rendered != b.Rendered && mutated == "":
			mutated = "something was shown or hidden"
		case b.Focus != d.Focus && (e.focus || e.pressed > 0 && d.Strayed):
			mutated = "the focus moved"
		}
	}
	if mutated != "" {
		return verdict{ok: true, how: mutated, confidence: sureChange, shaky: true}
	}
	if w.prepared { // coming there may show a hint or a menu, which is no outcome
		return verdict{how: "the action itself changed nothing"}
	}
	return verdict{how: "nothing changed"}
}

// noted counts the notes of these types since the action whose text has the words.
func (w *Watcher) noted(now *scene, text string, types ...string) int {
	n, words := 0, strings.ToLower(text)
	for _, m := range now.notes() {
		for _, t := range types {
			if m.Type == t && strings.Contains(strings.ToLower(m.Text), words) {
				n++
			}
		}
	}
	return n
}

// notes are what the documents noted since the action, oldest first within each. A document that the browser kept
// in its history has older notes too.
func (s *scene) notes() []snapshot.Mutation {
	var all []snapshot.Mutation
	for _, k := range s.keys {
		for _, n := range s.docs[k].Notes {
			if n.Age <= s.docs[k].elapsed {
				all = append(all, n.Mutation)
			}
		}
	}
	return all
}

// named is the subject of the expectation, in words for a person.
func (e *Expectation) named() string {
	switch {
	case e.Text != "":
		return strconv.Quote(e.Text)
	case e.Selector != "":
		return e.Selector
	case e.Spell != nil:
		return e.Spell(e.Ref)
	}
	return fmt.Sprintf("@e%d", e.Ref)
}

// address is a URL for display: redacted and truncated.
func (w *Watcher) address(url string) string {
	return text.Cut(w.redactor.Clean(url), 300)
}
