package domtool

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
)

// Code is the kind of an [Error] (seed, "Error Handling & Resilience").
type Code string

const (
	// NotFound: the target matches no element, or it is gone without a certain substitute.
	NotFound Code = "NOT_FOUND"
	// NotActionable: a person could not do that to the element.
	NotActionable Code = "NOT_ACTIONABLE"
	// CrossOrigin: the element is a frame whose document cannot be read.
	CrossOrigin Code = "CROSS_ORIGIN"
	// SecurityBlocked: the document is one of the browser's own, or an error page.
	SecurityBlocked Code = "SECURITY_BLOCKED"
)

// Error is an action that was not done, or not to its end.
type Error struct {
	Code Code
	// Target is the requested target.
	Target string
	// RetrySuggested: the same may well succeed after a new snapshot or a moment.
	RetrySuggested bool
	// Remedy describes what to do, in a sentence.
	Remedy string
	// By is what is in the way, nil where nothing is.
	By  *action.Obstacle
	Err error
}

func (e *Error) Error() string {
	s := string(e.Code)
	if e.Target != "" {
		s += ": " + e.Target
	}
	return fmt.Sprintf("%s: %v; %s", s, e.Err, e.Remedy)
}

func (e *Error) Unwrap() error { return e.Err }

// Classify is the error of a step about a node id as DomTool has it, with its code; another error is returned as it is.
func Classify(ctx context.Context, page *action.Page, target string, err error) error {
	if blocked := open(ctx, page, target); blocked != nil && err != nil {
		if own, ok := errors.AsType[*Error](blocked); ok {
			return own
		}
	}
	return typed(target, err)
}

// typed adds the code to an error. One that has none is returned as it is.
func typed(target string, err error) error {
	var (
		done      *Error
		none      *action.NotFoundError
		stale     *action.StaleError
		gone      *collect.GoneError
		ambiguous *element.AmbiguousError
		notReady  *action.NotReadyError
		locked    *action.NotEditableError
		unread    *element.UnreadError
		dialog    *browser.DialogError
	)
	switch {
	case err == nil, errors.As(err, &done):
		return err
	case errors.As(err, &unread):
		return &Error{Code: CrossOrigin, Target: target, Err: err,
			Remedy: "open the frame's address in a tab of its own"}
	case errors.As(err, &none):
		return &Error{
			Code: NotFound, Target: target, Err: err, RetrySuggested: true, Remedy: "take a new snapshot and choose",
		}
	case errors.As(err, &stale),
		errors.As(err, &gone),
		errors.Is(err, browser.ErrNavigated),
		errors.Is(err, browser.ErrDetached):
		return &Error{
			Code: NotFound, Target: target, Err: err, RetrySuggested: true, Remedy: "take a new snapshot and choose",
		}
	case errors.As(err, &ambiguous):
		return &Error{
			Code: NotFound, Target: target, Err: err, Remedy: "use a node id, or a selector that matches one element",
		}
	case errors.As(err, &notReady):
		e := &Error{
			Code: NotActionable, Target: target, Err: err, By: notReady.InTheWay(), RetrySuggested: true,
			Remedy: "wait until it can be operated, or use force",
		}
		if e.By != nil {
			e.Remedy = "deal with what is in the way first"
		}
		return e
	case errors.As(err, &locked):
		return &Error{Code: NotActionable, Target: target, Err: err, Remedy: "choose another element"}
	case errors.As(err, &dialog):
		return &Error{Code: NotActionable, Target: target, Err: err, RetrySuggested: true,
			Remedy: "answer the dialog first"}
	}
	return err
}
