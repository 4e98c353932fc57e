package browser

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/refscope/refscope/snapshot"
)

// journalLimit is how many console lines and dialogs are kept; the oldest go.
const journalLimit = 500

// textLimit is how much of one line is given out, in characters. Longer lines are kept
// up to keptLimit, so that what is cut off in the middle of a secret is still known as
// one.
const (
	textLimit = 2000
	keptLimit = 4 * textLimit
)

// journal keeps what a tab said beside its document: console lines and dialogs. What
// looks like a secret is taken out before a line is kept (N-10, B-11), so that nobody
// can read it; a site profile's patterns are applied whenever lines are read.
type journal struct {
	builtin *snapshot.Redactor

	mu      sync.Mutex
	rules   *snapshot.Redactor // of the site's profile, nil for none
	console []timed[snapshot.ConsoleEntry]
	dialogs []timed[snapshot.Dialog]
	seen    int // dialogs so far
}

type timed[T any] struct {
	at time.Time
	v  T
}

func newJournal() (*journal, error) {
	builtin, err := snapshot.NewRedactor()
	if err != nil {
		return nil, err
	}
	return &journal{builtin: builtin}, nil
}

func (j *journal) listen(s *Session, ask *dialogs) {
	on(s, runtime.ConsoleAPICalled, func(ev runtime.EventConsoleAPICalled) {
		parts := make([]string, 0, len(ev.Args))
		for _, a := range ev.Args {
			parts = append(parts, describe(a))
		}
		e := snapshot.ConsoleEntry{Level: string(ev.Type), Text: j.keep(strings.Join(parts, " "))}
		if ev.StackTrace != nil && len(ev.StackTrace.CallFrames) > 0 {
			f := ev.StackTrace.CallFrames[0]
			e.URL, e.Line = j.keep(f.URL), int(f.LineNumber)+1
		}
		j.addConsole(e)
	})
	on(s, runtime.ExceptionThrown, func(ev runtime.EventExceptionThrown) {
		if ev.ExceptionDetails == nil {
			return
		}
		d := ev.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + describe(d.Exception)
		}
		j.addConsole(snapshot.ConsoleEntry{Level: "error", Text: j.keep(text), URL: j.keep(d.URL), Line: int(d.LineNumber) + 1})
	})
	on(s, page.JavascriptDialogOpening, func(ev page.EventJavascriptDialogOpening) {
		d := snapshot.Dialog{Type: string(ev.Type), Message: j.keep(ev.Message), URL: j.keep(ev.URL)}
		_, d.Accepted = ask.opens(s, ev, d)
		j.mu.Lock()
		j.dialogs = push(j.dialogs, d)
		j.seen++
		j.mu.Unlock()
	})
	on(s, page.JavascriptDialogClosed, func(page.EventJavascriptDialogClosed) { ask.closes() })
}

func (j *journal) addConsole(e snapshot.ConsoleEntry) {
	j.mu.Lock()
	j.console = push(j.console, e)
	j.mu.Unlock()
}

func push[T any](list []timed[T], v T) []timed[T] {
	if len(list) >= journalLimit {
		list = append(list[:0:0], list[1:]...)
	}
	return append(list, timed[T]{time.Now(), v})
}

func describe(o *runtime.RemoteObject) string {
	switch {
	case o.Type == runtime.RemoteObjectTypeString:
		// As it was logged: a secret behind an escaped line break is not known as one.
		var text string
		if json.Unmarshal(o.Value, &text) != nil {
			return string(o.Value)
		}
		return text
	case len(o.Value) > 0:
		return string(o.Value)
	case o.Description != "":
		return o.Description
	}
	return fmt.Sprint(o.Type)
}

// keep is what of a text may be kept: its start, without what looks like a secret.
func (j *journal) keep(s string) string { return j.builtin.Clean(cut(s, keptLimit)) }

// give is what of a kept text is given out.
func (j *journal) give(s string) string {
	if j.rules != nil {
		s = j.rules.Clean(s)
	}
	return cut(s, textLimit)
}

// cut is the start of a text, at most limit characters and an ellipsis.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Redact sets the rules of the site's profile that [Tab.Console] and [Tab.Dialogs]
// apply beside the built-in ones, to earlier lines too; nil for none.
func (t *Tab) Redact(r *snapshot.Redactor) {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.rules = r
}

// Console lists the console lines so far, oldest first, with ages at that time. What
// looks like a secret is taken out, and what the rules of [Tab.Redact] name; values of
// password fields that the page itself logs are only known to the page:
// collect.Result.Seal takes them out.
func (t *Tab) Console(at time.Time) []snapshot.ConsoleEntry {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	out := make([]snapshot.ConsoleEntry, 0, len(t.log.console))
	for _, e := range t.log.console {
		e.v.Age, e.v.Text, e.v.URL = age(at, e.at), t.log.give(e.v.Text), t.log.give(e.v.URL)
		out = append(out, e.v)
	}
	return out
}

// Dialogs lists the dialogs so far and how they were answered, oldest first, redacted
// as [Tab.Console] is.
func (t *Tab) Dialogs(at time.Time) []snapshot.Dialog {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	out := make([]snapshot.Dialog, 0, len(t.log.dialogs))
	for _, d := range t.log.dialogs {
		d.v.Age, d.v.Message, d.v.URL = age(at, d.at), t.log.give(d.v.Message), t.log.give(d.v.URL)
		out = append(out, d.v)
	}
	return out
}

// age is how long before at something happened, in whole ms.
func age(at, then time.Time) float64 { return float64(at.Sub(then).Milliseconds()) }
