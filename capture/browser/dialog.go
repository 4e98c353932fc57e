package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/snapshot"
)

// DialogPolicy decides how a dialog that a page opens is answered (C-23, 19.2).
type DialogPolicy string

// The policies. A beforeunload dialog is accepted by all but [DialogAsk], or the tab could not
// be left.
const (
	DialogDismiss DialogPolicy = "dismiss" // the default: cancelled
	DialogAccept  DialogPolicy = "accept"  // OK, a prompt with its own text
	DialogAsk     DialogPolicy = "ask"     // it stays open until [Tab.AnswerDialog]
	// DialogQuestions keeps open what asks, a confirm or a prompt, and closes an alert: it has one answer.
	DialogQuestions DialogPolicy = "questions"
)

// Choices lists the policies.
func (DialogPolicy) Choices() []string {
	return []string{string(DialogAccept), string(DialogDismiss), string(DialogQuestions), string(DialogAsk)}
}

// keeps reports whether a dialog stays open.
func (p DialogPolicy) keeps(kind page.DialogType) bool {
	switch p {
	case DialogAsk:
		return true
	case DialogQuestions:
		return kind == page.DialogTypeConfirm || kind == page.DialogTypePrompt
	}
	return false
}

// DialogError: a dialog is open, and the page does nothing until it is answered. Calls
// that it blocks fail with it at once.
type DialogError struct{ Dialog snapshot.Dialog }

func (e *DialogError) Error() string {
	return fmt.Sprintf("the page waits for an answer to its %s dialog %q: answer it with the dialog step",
		e.Dialog.Type,
		e.Dialog.Message)
}

// ErrNoDialog: no dialog is open.
var ErrNoDialog = errors.New("no dialog is open")

// dialogGrace is how long a call may take while a dialog is open: what the browser itself
// answers comes in far less, what the page must answer never.
const dialogGrace = 250 * time.Millisecond

// dialogs answers the dialogs of one tab, or keeps one open. Its sessions share it.
type dialogs struct {
	mu     sync.Mutex
	policy DialogPolicy
	next   *dialogAnswer // for the next dialog, once
	open   *openDialog
	opened chan struct{} // closed while one is open
	closed chan struct{} // closed while none is
}

type dialogAnswer struct {
	accept bool
	text   *string // nil leaves a prompt's own
}

type openDialog struct {
	session *Session
	shown   snapshot.Dialog
	prompt  string // the text that a prompt offers
}

func newDialogs() *dialogs {
	d := &dialogs{policy: DialogDismiss, opened: make(chan struct{}), closed: make(chan struct{})}
	close(d.closed)
	return d
}

// opens decides about a dialog that has just opened, and reports whether it was accepted. It runs on the read loop.
func (d *dialogs) opens(s *Session, ev page.EventJavascriptDialogOpening, shown snapshot.Dialog) (accepted bool) {
	d.mu.Lock()
	var a *dialogAnswer
	switch {
	case d.next != nil:
		a, d.next = d.next, nil
	case d.policy.keeps(ev.Type):
		d.open = &openDialog{s, shown, ev.DefaultPrompt}
		close(d.opened)
		d.closed = make(chan struct{})
	case d.policy == DialogAccept, ev.Type == page.DialogTypeBeforeunload:
		a = &dialogAnswer{accept: true}
	default:
		a = &dialogAnswer{}
	}
	d.mu.Unlock()
	if a == nil {
		return false
	}
	_ = s.Post(context.Background(), page.HandleJavaScriptDialog.Method, a.params(ev.DefaultPrompt))
	return a.accept
}

func (a *dialogAnswer) params(own string) page.HandleJavaScriptDialogParams {
	p := page.HandleJavaScriptDialogParams{Accept: a.accept, PromptText: own}
	if a.text != nil {
		p.PromptText = *a.text
	}
	return p
}

// closes notes that the open dialog was answered, by whomever, or left with its page.
func (d *dialogs) closes() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		return
	}
	d.open = nil
	d.opened = make(chan struct{})
	close(d.closed)
}

// gate is a channel that is closed while a dialog is open.
func (d *dialogs) gate() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opened
}

// err is why calls fail, nil where no dialog is open.
func (d *dialogs) err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		return nil
	}
	return &DialogError{d.open.shown}
}

// SetDialogs sets the policy for the dialogs that the tab opens from now on.
func (t *Tab) SetDialogs(p DialogPolicy) {
	t.ask.mu.Lock()
	defer t.ask.mu.Unlock()
	t.ask.policy = p
}

// OpenDialog is the dialog that waits for an answer, and the text that a prompt offers;
// nil for none.
func (t *Tab) OpenDialog() (*snapshot.Dialog, string) {
	t.ask.mu.Lock()
	defer t.ask.mu.Unlock()
	if t.ask.open == nil {
		return nil, ""
	}
	d := t.ask.open.shown
	return &d, t.ask.open.prompt
}

// AnswerDialog answers the open dialog and waits until it is gone; [ErrNoDialog] where
// none is open. A nil text leaves what a prompt offers.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text *string) error {
	t.ask.mu.Lock()
	o, closed := t.ask.open, t.ask.closed
	t.ask.mu.Unlock()
	if o == nil {
		return ErrNoDialog
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a := dialogAnswer{accept, text}
	if err := call(ctx, o.session, page.HandleJavaScriptDialog, a.params(o.prompt)); err != nil {
		return fmt.Errorf("answering the dialog: %w", err)
	}
	select {
	case <-closed:
		t.log.answered(accept)
		return nil
	case <-t.session.Gone():
		return t.session.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leaveDialog dismisses the open dialog before the tab is left.
func (t *Tab) leaveDialog(ctx context.Context) {
	d, _ := t.OpenDialog()
	if d == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = t.AnswerDialog(ctx, d.Type == string(page.DialogTypeBeforeunload), nil) // one that is gone needs no answer
}

// AnswerNextDialog answers the next dialog that the tab opens, whatever the policy.
func (t *Tab) AnswerNextDialog(accept bool, text *string) {
	t.ask.mu.Lock()
	defer t.ask.mu.Unlock()
	t.ask.next = &dialogAnswer{accept, text}
}

// DialogsSince lists the dialogs after the first n of the tab, oldest first, redacted as
// [Tab.Dialogs], and how many there have been.
func (t *Tab) DialogsSince(n int) ([]snapshot.Dialog, int) {
	all := t.Dialogs(time.Now())
	t.log.mu.Lock()
	seen := t.log.seen
	t.log.mu.Unlock()
	return all[len(all)-min(len(all), max(0, seen-n)):], seen
}

// answered notes how the last dialog was answered.
func (j *journal) answered(accept bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.dialogs); n > 0 {
		j.dialogs[n-1].v.Accepted = accept
	}
}
