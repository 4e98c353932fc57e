package browser

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// TestJournalIsBounded: a page that never stops logging fills neither the list nor the
// memory, and what was cleared stays out of messages only.
func TestJournalIsBounded(t *testing.T) {
	j := newJournal()
	tab := &Tab{log: j}
	for range 3 * consoleLimit {
		j.addConsole(Message{Level: "log", Text: "x"})
	}
	require.Len(t, tab.Messages(), consoleLimit, "10,000 kept are 10,000")
	require.LessOrEqual(t, len(j.console), consoleLimit*11/10)
	require.Len(t, tab.Console(time.Now()), journalLimit)
	tab.ClearMessages()
	require.Empty(t, tab.Messages())
	require.Len(t, tab.Console(time.Now()), journalLimit)
	long := strings.Repeat("y", keptLimit)
	for range 9000 {
		j.addConsole(Message{Level: "log", Text: long})
	}
	require.LessOrEqual(t, j.size, consoleBytes)
	require.Equal(t, len(j.console), len(tab.Messages()), "what was cleared is gone by now")
	require.Less(t, len(tab.Messages()), 9000)
}

// TestJournalRewrites: what is learned late of a line comes to that line, and to none where it is gone.
func TestJournalRewrites(t *testing.T) {
	j := newJournal()
	first := j.addConsole(Message{Text: "first"})
	last := 0
	for range consoleLimit * 11 / 10 {
		last = j.addConsole(Message{Text: "x"})
	}
	j.rewrite(first, "gone")
	j.rewrite(last, "late")
	list := (&Tab{log: j}).Messages()
	require.Equal(t, "late", list[len(list)-1].Text)
	require.NotContains(t, list, Message{Text: "gone"})
}

// TestConsoleOfThePage: what an earlier page said is not in the console of this one, and
// still among the messages.
func TestConsoleOfThePage(t *testing.T) {
	j := newJournal()
	tab := &Tab{log: j}
	for range consoleLimit - 10 {
		j.addConsole(Message{Level: "error", Text: "the page before"})
	}
	j.turnPage()
	require.Empty(t, tab.Console(time.Now()))
	j.addConsole(Message{Level: "log", Text: "this page"})
	require.Len(t, tab.Console(time.Now()), 1)
	for range 20 { // the oldest go
		j.addConsole(Message{Level: "log", Text: "this page"})
	}
	require.Len(t, tab.Console(time.Now()), 21)
	require.Greater(t, len(tab.Messages()), 21)
}

// A dialog is on the list before a call fails because of it: else a step that opened it would be told as failed.
func TestADialogIsListedBeforeItIsOpen(t *testing.T) {
	j, ask := newJournal(), newDialogs()
	ask.policy = DialogAsk
	tab := &Tab{log: j, ask: ask}
	ask.mu.Lock() // nobody learns that it is open
	var opening sync.WaitGroup
	opening.Go(func() {
		j.opens(nil, ask, page.EventJavascriptDialogOpening{Type: page.DialogTypeAlert, Message: "Welcome"})
	})
	listed := func() bool { list, n := tab.DialogsSince(0); return len(list) == 1 && n == 1 }
	require.Eventually(t, listed, 5*time.Second, time.Millisecond)
	ask.mu.Unlock()
	opening.Wait()
	open, _ := tab.OpenDialog()
	require.Equal(t, "Welcome", open.Message)
}
