package browser

import (
	"context"
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

// textLimit is how much of one line is kept, in characters.
const textLimit = 2000

// journal keeps what a tab said beside its document: console lines and dialogs.
type journal struct {
	mu      sync.Mutex
	console []timed[snapshot.ConsoleEntry]
	dialogs []timed[snapshot.Dialog]
}

type timed[T any] struct {
	at time.Time
	v  T
}

func newJournal() *journal { return &journal{} }

func (j *journal) listen(s *Session) {
	on(s, runtime.ConsoleAPICalled, func(ev runtime.EventConsoleAPICalled) {
		parts := make([]string, 0, len(ev.Args))
		for _, a := range ev.Args {
			parts = append(parts, describe(a))
		}
		e := snapshot.ConsoleEntry{Level: string(ev.Type), Text: cut(strings.Join(parts, " "))}
		if ev.StackTrace != nil && len(ev.StackTrace.CallFrames) > 0 {
			f := ev.StackTrace.CallFrames[0]
			e.URL, e.Line = f.URL, int(f.LineNumber)+1
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
		j.addConsole(snapshot.ConsoleEntry{Level: "error", Text: cut(text), URL: d.URL, Line: int(d.LineNumber) + 1})
	})
	on(s, page.JavascriptDialogOpening, func(ev page.EventJavascriptDialogOpening) {
		// Nobody is there to answer, and an open dialog blocks the tab and whoever
		// attaches next. beforeunload is accepted, or the tab could not be left.
		accept := ev.Type == page.DialogTypeBeforeunload
		_ = s.Post(context.Background(), page.HandleJavaScriptDialog.Method, page.HandleJavaScriptDialogParams{Accept: accept})
		j.mu.Lock()
		j.dialogs = push(j.dialogs, snapshot.Dialog{Type: string(ev.Type), Message: cut(ev.Message), URL: ev.URL, Accepted: accept})
		j.mu.Unlock()
	})
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
	case o.Type == runtime.RemoteObjectTypeString && len(o.Value) > 1:
		return strings.Trim(string(o.Value), `"`)
	case len(o.Value) > 0:
		return string(o.Value)
	case o.Description != "":
		return o.Description
	}
	return fmt.Sprint(o.Type)
}

func cut(s string) string {
	if r := []rune(s); len(r) > textLimit {
		return string(r[:textLimit]) + "…"
	}
	return s
}

// Console lists the console lines so far, oldest first, with ages at that time.
func (t *Tab) Console(at time.Time) []snapshot.ConsoleEntry {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	out := make([]snapshot.ConsoleEntry, 0, len(t.log.console))
	for _, e := range t.log.console {
		e.v.Age = age(at, e.at)
		out = append(out, e.v)
	}
	return out
}

// Dialogs lists the dialogs so far and how they were answered, oldest first.
func (t *Tab) Dialogs(at time.Time) []snapshot.Dialog {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	out := make([]snapshot.Dialog, 0, len(t.log.dialogs))
	for _, d := range t.log.dialogs {
		d.v.Age = age(at, d.at)
		out = append(out, d.v)
	}
	return out
}

// age is how long before at something happened, in whole ms.
func age(at, then time.Time) float64 { return float64(at.Sub(then).Milliseconds()) }
