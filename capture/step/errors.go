package step

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/domtool"
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
	var virtual *domtool.Error
	if errors.As(err, &virtual) {
		return virtual.RetrySuggested
	}
	switch Subtype(err) {
	case "TimeoutError", "StaleElementError", "DialogBlockedError", "ContextDestroyedError", "NavigationAbortedError":
		return true
	}
	return false
}
