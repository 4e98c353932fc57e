package step

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/capture/tabs"
)

// Types of errors of a command (seed 16.1).
const (
	TypeParse      = "PARSE"
	TypeValidation = "VALIDATION"
	TypeConnection = "CONNECTION"
	TypeExecution  = "EXECUTION"
)

// Error is an error of a command before or beside its steps.
type Error struct {
	Type string
	// Step is the number of the step that is wrong, from 1; 0 for the command.
	Step int
	Err  error
}

func (e *Error) Error() string {
	if e.Step > 0 {
		return fmt.Sprintf("step %d: %v", e.Step, e.Err)
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

func invalid(step int, format string, args ...any) *Error {
	return &Error{TypeValidation, step, fmt.Errorf(format, args...)}
}

// typeOf is the type of a step's failure: CONNECTION where a browser or tab could not be reached, else EXECUTION.
func typeOf(err error) string {
	var e *Error
	var c *tabs.ConnectionError
	switch {
	case errors.As(err, &e):
		return e.Type
	case errors.As(err, &c):
		return TypeConnection
	}
	return TypeExecution
}

// slowPage reports whether a page did not answer in time.
func slowPage(err error) bool {
	var nav *browser.NavError
	return errors.As(err, &nav) && nav.Slow
}

// withoutDeadline is the text of an error without the words of the library for a time that is over.
func withoutDeadline(err error) string {
	return strings.TrimSuffix(strings.TrimSuffix(err.Error(), context.DeadlineExceeded.Error()), ": ")
}

// slow describes a step whose time was over: what was waited for, and how long. longer says what allows more.
func slow(step string, err error, took time.Duration, longer string) error {
	var (
		nav     *browser.NavError
		late    *stepdef.LateError
		busy    *browser.BusyError
		endless *action.EndlessError
	)
	what := withoutDeadline(err)
	ms := fmt.Sprintf("within %d ms", took.Milliseconds())
	switch {
	case errors.As(err, &nav) && nav.Slow && !nav.Busy:
		what = fmt.Sprintf("opening %s: the page did not answer %s", nav.URL, ms)
	case what == "":
		what = fmt.Sprintf("%s was not done %s", step, ms)
	case errors.As(err, &late), errors.As(err, &busy), errors.As(err, &endless): // it says how long itself
	default:
		what += ": it was not done " + ms
	}
	return &stepdef.LateError{Text: what + "; " + longer, Err: err}
}

// Subtype is the exact kind of a step's failure (seed 16.2), "" for one that has none.
func Subtype(err error) string {
	var (
		nav      *browser.NavError
		none     *action.NotFoundError
		selector *action.SelectorError
		locked   *action.NotEditableError
		stale    *action.StaleError
		gone     *collect.GoneError
		notReady *action.NotReadyError
		param    *Error
		key      *action.KeyError
		named    interface{ Subtype() string }
	)
	var waits *browser.DialogError
	if errors.As(err, &named) && named.Subtype() != "" { // of a chapter's own errors
		return named.Subtype()
	}
	var virtual *domtool.Error
	switch {
	case errors.As(err, &virtual):
		return string(virtual.Code)
	case errors.As(err, &waits), errors.Is(err, browser.ErrBlocked):
		return "DialogBlockedError"
	case errors.As(err, &param) && param.Type == TypeValidation, errors.As(err, &selector), errors.As(err, &key):
		return "StepValidationError"
	case errors.As(err, &nav):
		if nav.Slow {
			return "TimeoutError"
		}
		if nav.Code == "net::ERR_ABORTED" {
			return "NavigationAbortedError"
		}
		return "NavigationError"
	case errors.As(err, &none):
		return "ElementNotFoundError"
	case errors.As(err, &locked):
		return "ElementNotEditableError"
	case errors.As(err, &stale), errors.As(err, &gone):
		return "StaleElementError"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &notReady):
		return "TimeoutError"
	case errors.Is(err, browser.ErrCrashed):
		return "PageCrashedError"
	case errors.Is(err, browser.ErrNavigated), errors.Is(err, browser.ErrDetached):
		return "ContextDestroyedError"
	}
	return ""
}

// retry reports whether the same step may well succeed after a new snapshot or a
// moment (B-10: retrySuggested).
func retry(err error) bool {
	if virtual, ok := errors.AsType[*domtool.Error](err); ok {
		return virtual.RetrySuggested
	}
	switch Subtype(err) {
	case "TimeoutError", "StaleElementError", "DialogBlockedError", "ContextDestroyedError", "NavigationAbortedError":
		return true
	}
	return false
}
