package domtool

import (
	"errors"
	"strings"

	"github.com/chromedp/cdproto"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
)

// Kind is what went wrong, in the original's words (B-10).
type Kind string

// The kinds of errors. "" is an error of the browser itself, such as a crash.
const (
	NotFound        Kind = "NOT_FOUND"        // the id is of nothing on the page, or of what is gone
	NotActionable   Kind = "NOT_ACTIONABLE"   // hidden, disabled, covered, or of the wrong sort
	CrossOrigin     Kind = "CROSS_ORIGIN"     // a frame whose document cannot be read
	SecurityBlocked Kind = "SECURITY_BLOCKED" // the browser forbids it
)

// Error is the error of an action.
type Error struct {
	Kind   Kind
	NodeID string
	Why    string
	// RetrySuggested: after a new snapshot the same may well succeed.
	RetrySuggested bool
	Err            error
}

func (e *Error) Error() string {
	s := string(e.Kind)
	if e.NodeID != "" {
		s += " " + e.NodeID
	}
	return strings.TrimSpace(s + ": " + e.Why)
}

func (e *Error) Unwrap() error { return e.Err }

// kindOf sorts an error of the engine.
func kindOf(err error) Kind {
	var (
		own      *Error
		none     *action.NotFoundError
		stale    *action.StaleError
		gone     *collect.GoneError
		notReady *action.NotReadyError
		locked   *action.NotEditableError
		option   *action.NoOptionError
		dialog   *browser.DialogError
		reply    *cdproto.Error
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &own):
		return own.Kind
	case errors.As(err, &none), errors.As(err, &stale), errors.As(err, &gone), errors.Is(err, browser.ErrNavigated), errors.Is(err, browser.ErrDetached):
		return NotFound
	case errors.As(err, &notReady), errors.As(err, &locked), errors.As(err, &option), errors.As(err, &dialog):
		return NotActionable
	case errors.As(err, &reply) && (strings.Contains(reply.Message, "Cannot access") || strings.Contains(reply.Message, "Not allowed") || strings.Contains(reply.Message, "not allowed")):
		return SecurityBlocked
	}
	return ""
}

// typed is an error with its kind; one that has none stays as it is.
func typed(nodeID string, err error) error {
	k := kindOf(err)
	if k == "" {
		return err
	}
	var own *Error
	if errors.As(err, &own) {
		own.NodeID = nodeID
		return own
	}
	var notReady *action.NotReadyError
	return &Error{Kind: k, NodeID: nodeID, Why: err.Error(), RetrySuggested: k == NotFound || errors.As(err, &notReady), Err: err}
}

// notThere is the error of an id that a capture does not have.
func notThere(c *snapshot.Capture, id string) error {
	switch {
	case strings.HasPrefix(id, "nv_iframe_"):
		for i := range c.Frames {
			if !c.Frames[i].Readable {
				return &Error{Kind: CrossOrigin, Why: "what is in this frame cannot be read: " + c.Frames[i].Why}
			}
		}
		return &Error{Kind: NotActionable, Why: "it stands for the document of a frame: name an element in it"}
	case strings.HasPrefix(id, "nv_summary"), strings.HasPrefix(id, "nv_text_"), strings.HasPrefix(id, "nv_shadow_"):
		return &Error{Kind: NotActionable, Why: "it stands for a text or a summary, not for an element"}
	}
	return &Error{Kind: NotFound, Why: "no element of the page has this id: take a new snapshot", RetrySuggested: true}
}
