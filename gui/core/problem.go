package core

import (
	"context"
	"errors"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Hinted is an error with a separate sentence about what to do, and the command that a person copies for it, "" for
// none.
type Hinted struct {
	Err           error
	Hint, Command string
}

func (e *Hinted) Error() string { return e.Err.Error() }
func (e *Hinted) Unwrap() error { return e.Err }

// ErrBrowserGone marks errors of an engine whose browser is not there any more.
var ErrBrowserGone = errors.New("chrome has ended")

// ErrSlow marks errors of an engine whose page did not answer in time.
var ErrSlow = errors.New("the page did not answer in time")

// ErrNoSession marks errors of an engine that was asked for a session that is not
// there.
var ErrNoSession = errors.New("session not found")

// NotASession is the error of [Engine.OpenSession] for what is no session, but something else that
// the window shows, such as a batch folder. Open shows it.
type NotASession struct{ Open Msg }

func (*NotASession) Error() string { return "it is no session" }

// ProblemOf makes an error ready for the strip: its text as a sentence, safe to
// show. It is nil for a nil error.
func ProblemOf(err error) *Problem {
	if err == nil {
		return nil
	}
	p := &Problem{
		Sentence:    Sentence(err.Error()),
		Canceled:    errors.Is(err, context.Canceled),
		BrowserGone: errors.Is(err, ErrBrowserGone),
		Slow:        errors.Is(err, ErrSlow),
	}
	if p.BrowserGone {
		p.Sentence = "" // the state has one sentence for it
	}
	if h, ok := errors.AsType[*Hinted](err); ok {
		p.Hint, p.Command = h.Hint, h.Command
	}
	return p
}

// Sentence starts with a capital letter, unless that is the first of a URL or a
// path, and ends with a full stop. Page text in it (a URL, a title) is made
// harmless.
func Sentence(s string) string {
	s = text.Cut(text.Line(strings.TrimSpace(s)), 300)
	if first, _, _ := strings.Cut(s, " "); !strings.ContainsAny(first, `/\`) {
		s = text.Capital(s)
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "!") && !strings.HasSuffix(s, "?") &&
		!strings.HasSuffix(s, "…") {
		s += "."
	}
	return s
}
