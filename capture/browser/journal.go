package browser

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/refscope/refscope/capture/browser/logged"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// How much is kept; the oldest go.
const (
	journalLimit = 500      // console lines in a capture
	dialogLimit  = 100      // dialogs
	consoleLimit = 10_000   // console lines (seed 17.2)
	consoleBytes = 32 << 20 // of all console lines
	stackLimit   = 20       // calls of one line's stack
)

// textLimit is how much of one line is given out, in characters. Longer lines are kept
// up to keptLimit, so that what is cut off in the middle of a secret is still known as
// one.
const (
	textLimit = 2000
	keptLimit = 4 * textLimit
)

// valuesAsked is how many lines are asked about at a time; a page that logs more at once keeps one level.
const valuesAsked = 16

// asking counts the lines that are being asked about.
type asking struct{ n atomic.Int32 }

// enter takes a place, false where all are taken.
func (a *asking) enter() bool {
	if a.n.Add(1) <= valuesAsked {
		return true
	}
	a.n.Add(-1)
	return false
}

func (a *asking) leave() { a.n.Add(-1) }

// journal keeps what a tab reports beside its document: console lines and dialogs. What
// looks like a secret is removed before a line is kept (N-10, B-11), so that nobody
// can read it; a site profile's patterns are applied whenever lines are read.
type journal struct {
	builtin *redact.Redactor
	asking  asking

	mu      sync.Mutex
	rules   *redact.Redactor // of the site's profile, nil for none
	console []Message
	size    int // bytes of console
	dropped int // how many lines came before console
	cleared int // how many of console were cleared: they are only in captures
	page    int // how many of console are of pages before the one in the tab
	dialogs []timed[snapshot.Dialog]
	seen    int // dialogs so far
}

type timed[T any] struct {
	at time.Time
	v  T
}

func newJournal() *journal { return &journal{builtin: redact.Standard()} }

// listen follows a session; top is the frame of the tab's page. later runs what asks the page.
func (j *journal) listen(s *Session, top string, ask *dialogs, later func(func())) {
	on(s, page.FrameNavigated, func(ev page.EventFrameNavigated) {
		if ev.Frame != nil && string(ev.Frame.ID) == top {
			j.turnPage()
		}
	})
	on(s, runtime.ConsoleAPICalled, func(ev runtime.EventConsoleAPICalled) {
		level := string(ev.Type)
		m := Message{Level: level, Text: j.keep(logged.Line(level, ev.Args)), Stack: j.stack(ev.StackTrace)}
		if ev.Type == runtime.ConsoleAPICalledTypeAssert { // one that has failed
			m.Level = "error"
		}
		if len(m.Stack) > 0 {
			m.URL, m.Line = m.Stack[0].URL, m.Stack[0].Line
		}
		n := j.addConsole(m)
		if slices.ContainsFunc(ev.Args, logged.Deep) && j.asking.enter() {
			later(func() {
				defer j.asking.leave()
				j.rewrite(n, j.keep(logged.Whole(s, level, ev.Args)))
			})
		}
	})
	on(s, runtime.ExceptionThrown, func(ev runtime.EventExceptionThrown) {
		if ev.ExceptionDetails == nil {
			return
		}
		d := ev.ExceptionDetails
		what := d.Text
		if d.Exception != nil {
			what += " " + logged.Describe(d.Exception)
		}
		j.addConsole(Message{Exception: true, Level: "error", Text: j.keep(what), URL: j.keep(d.URL),
			Line: int(d.LineNumber) +
				1, Stack: j.stack(d.StackTrace)})
	})
	on(s, page.JavascriptDialogOpening, func(ev page.EventJavascriptDialogOpening) { j.opens(s, ask, ev) })
	on(s, page.JavascriptDialogClosed, func(page.EventJavascriptDialogClosed) { ask.closes() })
}

// opens notes a dialog, and then has it decided about: a call that fails because of it finds it on the list.
func (j *journal) opens(s *Session, ask *dialogs, ev page.EventJavascriptDialogOpening) {
	d := snapshot.Dialog{Type: string(ev.Type), Message: j.keep(ev.Message), URL: j.keep(ev.URL)}
	j.mu.Lock()
	j.dialogs = push(j.dialogs, d)
	j.seen++
	j.mu.Unlock()
	if ask.opens(s, ev, d) {
		j.answered(true)
	}
}

// Message is one line of a tab's console.
type Message struct {
	At time.Time
	// Exception: nobody caught it; else it was logged.
	Exception bool
	Level     string // log, debug, info, warning, error, or another method of console
	Text      string
	URL       string
	Line      int    // from 1, 0 if unknown
	Stack     []Call // innermost first, at most 20
}

// Call is one call of a stack.
type Call struct {
	Function string `json:"function"` // "" for one without a name
	URL      string `json:"url"`
	Line     int    `json:"line"`   // from 1
	Column   int    `json:"column"` // from 1
}

func (m *Message) size() int {
	n := 200 + len(m.Text) + len(m.URL)
	for _, c := range m.Stack {
		n += 100 + len(c.Function) + len(c.URL)
	}
	return n
}

func (j *journal) stack(t *runtime.StackTrace) []Call {
	if t == nil {
		return nil
	}
	var out []Call
	for _, f := range t.CallFrames[:min(len(t.CallFrames), stackLimit)] {
		out = append(out, Call{j.keep(f.FunctionName), j.keep(f.URL), int(f.LineNumber) + 1, int(f.ColumnNumber) + 1})
	}
	return out
}

// turnPage begins the console of another page.
func (j *journal) turnPage() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.page = len(j.console)
}

// addConsole keeps a line and gives its number.
func (j *journal) addConsole(m Message) (n int) {
	m.At = time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	n = j.dropped + len(j.console)
	j.console = append(j.console, m)
	j.size += m.size()
	// A tenth at once, or a page that never stops logging would cost a copy for each line.
	if len(j.console) <= consoleLimit*11/10 && j.size <= consoleBytes {
		return n
	}
	drop := 0
	for drop < len(j.console)-1 && (len(j.console)-drop > consoleLimit || j.size > consoleBytes*9/10) {
		j.size -= j.console[drop].size()
		drop++
	}
	j.console = append(j.console[:0:0], j.console[drop:]...)
	j.cleared, j.page, j.dropped = max(0, j.cleared-drop), max(0, j.page-drop), j.dropped+drop
	return n
}

// rewrite changes the text of a line that is still kept.
func (j *journal) rewrite(n int, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n -= j.dropped; n >= 0 {
		j.size += len(text) - len(j.console[n].Text)
		j.console[n].Text = text
	}
}

func push[T any](list []timed[T], v T) []timed[T] {
	if len(list) >= dialogLimit {
		list = append(list[:0:0], list[1:]...)
	}
	return append(list, timed[T]{time.Now(), v})
}

// keep is the part of a text that may be kept: its start, without what looks like a secret.
func (j *journal) keep(s string) string { return j.builtin.Clean(text.Cut(s, keptLimit+1)) }

// give is the part of a kept text that is returned.
func (j *journal) give(s string) string {
	if j.rules != nil {
		s = j.rules.Clean(s)
	}
	return text.Cut(s, textLimit+1)
}

// Redact sets the rules of the site's profile that [Tab.Console] and [Tab.Dialogs]
// apply beside the built-in ones, to earlier lines too; nil for none.
func (t *Tab) Redact(r *redact.Redactor) {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.rules = r
}

// Console lists the last 500 console lines of the page in the tab, oldest first, with ages
// at that time; lines of an earlier page are not included. What looks like a secret, and what the rules of
// [Tab.Redact] name, is removed; values of password fields that the page itself logs are only known to the page:
// collect.Result.Seal removes them.
func (t *Tab) Console(at time.Time) []snapshot.ConsoleEntry {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	last := t.log.console[max(t.log.page, len(t.log.console)-journalLimit):]
	out := make([]snapshot.ConsoleEntry, len(last))
	for i, m := range last {
		out[i] = snapshot.ConsoleEntry{Age: age(at, m.At), Level: m.Level, Text: t.log.give(m.Text),
			URL:  t.log.give(m.URL),
			Line: m.Line}
	}
	return out
}

// Messages lists the console lines since [Tab.ClearMessages], at most the last 10,000,
// oldest first, redacted as [Tab.Console] is.
func (t *Tab) Messages() []Message {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	out := append([]Message{}, t.log.console[max(t.log.cleared, len(t.log.console)-consoleLimit):]...)
	for i := range out {
		m := &out[i]
		m.Text, m.URL = t.log.give(m.Text), t.log.give(m.URL)
		stack := m.Stack
		m.Stack = nil
		for _, c := range stack {
			m.Stack = append(m.Stack, Call{t.log.give(c.Function), t.log.give(c.URL), c.Line, c.Column})
		}
	}
	return out
}

// ClearMessages empties [Tab.Messages]. The console lines in captures stay.
func (t *Tab) ClearMessages() {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.cleared = len(t.log.console)
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
