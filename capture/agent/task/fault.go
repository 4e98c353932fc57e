package task

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/payload"
)

// fault describes why an action was not done.
func (r *run) fault(err error, a *Action, c *snapshot.Capture) *payload.ActionError {
	e := &payload.ActionError{
		Message: r.clean(err.Error()), Action: a.String(), ElementID: element.Number(r.ref(a.ID)), Code: "FAILED",
	}
	var (
		none   *action.NotFoundError
		stale  *action.StaleError
		gone   *collect.GoneError
		older  *element.OlderError
		unread *element.UnreadError
		ready  *action.NotReadyError
		locked *action.NotEditableError
		option *action.NoOptionError
		nav    *browser.NavError
		dialog *browser.DialogError
		bad    *badExpectation
	)
	switch {
	case errors.As(err, &bad):
		e.Code = "INVALID_EXPECTATION"
	case errors.As(err, &gone):
		e.Code = "STALE_ELEMENT"
		e.Message += r.candidates(gone, c)
	case errors.As(err, &older),
		errors.As(err, &stale),
		errors.Is(err, browser.ErrNavigated),
		errors.Is(err, browser.ErrDetached):
		e.Code = "STALE_ELEMENT"
	case errors.As(err, &none):
		e.Code = "UNKNOWN_ELEMENT"
	case errors.As(err, &unread):
		e.Code = "FRAME_NOT_READ"
	case errors.As(err, &ready):
		e.Code = "NOT_READY"
		if by := ready.InTheWay(); by != nil {
			e.Code = "COVERED"
			obstacle(by, c)
			e.Message = r.clean(err.Error())
		}
	case errors.As(err, &locked):
		e.Code = "NOT_EDITABLE"
	case errors.As(err, &option):
		e.Code = "NO_OPTION"
	case errors.As(err, &nav), errors.Is(err, browser.ErrNoHistory):
		e.Code = "NAVIGATION"
	case errors.As(err, &dialog):
		e.Code = "DIALOG"
	}
	return e
}

// candidates are elements that resemble one that is gone, as the page has them.
func (r *run) candidates(gone *collect.GoneError, c *snapshot.Capture) string {
	s := ""
	for _, k := range gone.Candidates {
		at := "without a number"
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.UID == k.Node.UID && n.UID != 0 && n.Frame == k.Node.Frame && n.Ref > 0 {
				at = "[" + strconv.Itoa(n.Ref) + "]"
			}
		}
		if s == "" {
			s = "; most like it: "
		} else {
			s += ", "
		}
		s += r.clean(fmt.Sprintf("%s %s %q (%.2f)", at, k.Node.Role, k.Node.Name, k.Score))
	}
	return s
}

// obstacle gives what is in the way its number.
func obstacle(by *action.Obstacle, c *snapshot.Capture) {
	for _, uid := range by.UIDs {
		for i := range c.Nodes {
			n := &c.Nodes[i]
			if n.UID == uid && n.Ref > 0 && n.Frame >= 0 && n.Frame < len(c.Frames) &&
				c.Frames[n.Frame].ID == by.Frame {
				by.Ref = n.Ref
				return
			}
		}
	}
}
