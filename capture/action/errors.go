package action

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/text"
)

// NotFoundError: nothing on the page is what was requested.
type NotFoundError struct {
	What string
	Hint string // what to do, "" for nothing
}

func (e *NotFoundError) Error() string {
	s := "there is no " + e.What + " on the page"
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// SelectorError: a selector that the browser cannot read. It fails at once (C-23).
type SelectorError struct {
	Selector string
	// Position is where it stops making sense, in characters from 0; -1 if unknown.
	Position int
	Why      string // what is wrong there, "" where only the browser knows
}

// Unreadable is the error of a selector of which the browser reads no part.
func Unreadable(selector string) *SelectorError {
	e := &SelectorError{Selector: selector, Position: -1}
	var wrong *css.SyntaxError
	if _, err := css.Parse(selector); errors.As(err, &wrong) {
		e.Position, e.Why = utf8.RuneCountInString(selector[:wrong.At]), wrong.Why
	}
	return e
}

func (e *SelectorError) Error() string {
	if e.Position < 0 {
		return fmt.Sprintf("%q is not a CSS selector", e.Selector)
	}
	s := fmt.Sprintf("%q is not a CSS selector: it cannot be read from character %d on (%q)", e.Selector, e.Position,
		tail(e.Selector, e.Position))
	if e.Why != "" {
		s += ": " + e.Why
	}
	return s
}

// tail is the text after a character.
func tail(s string, at int) string { return text.Cut(strings.TrimPrefix(s, text.Start(s, at)), 21) }

// StaleError: the element was there and is not any more.
type StaleError struct {
	What string
	Ref  int    // its number, 0 where it has none
	Why  string // "is not in the document any more" if empty, or that the browser lost the command
	// Untouched: it went before anything was done to it, so what took its place can be acted on instead.
	Untouched bool
	Err       error
}

// untouched is err; where it says that the element is gone, it also says that nothing had been done to it yet.
func untouched(err error) error {
	if stale, ok := errors.AsType[*StaleError](err); ok {
		stale.Untouched = true
	}
	return err
}

func (e *StaleError) Error() string {
	why := cmp.Or(e.Why, "is not in the document any more")
	if e.Why == "" && errors.Is(e.Err, browser.ErrUnanswered) {
		why = "may not have got its command: the browser answered a later question and not this one"
	}
	return e.What + " " + why
}
func (e *StaleError) Unwrap() error { return e.Err }

// unrun is err of a function that was called on the element first: one that was gone by then is untouched.
func unrun(err error) error {
	if stale, ok := errors.AsType[*StaleError](err); ok && stale.Err == nil {
		stale.Untouched = true
	}
	return err
}

// NotEditableError: the element cannot take what it was to be given.
type NotEditableError struct {
	Why string
	To  string // what it cannot be: "chosen from"; "" for filled
}

func (e *NotEditableError) Error() string {
	return "the element cannot be " + cmp.Or(e.To, "filled") + ": " + e.Why
}

// Inertness is what makes an element inert, so that no click, key or focus gets to it.
type Inertness string

// The causes of inertness.
const (
	InertAttribute Inertness = "attribute" // an element has the attribute inert
	InertProperty  Inertness = "property"  // its style is interactivity: inert
	InertModal     Inertness = "modal"     // a modal dialog is open, and it is not in it
)

// NotReadyError: the element is there, but a person could not act on it in time.
type NotReadyError struct {
	// Why is the last thing that was wrong: "it is not visible (display: none)", …
	Why string
	// By is what would get the click instead, or what makes the element inert; nil where neither is the reason.
	By *Obstacle
	// Inert is why the element, or a frame that it is in, is inert; "" where that is not the reason.
	Inert Inertness
	// self: By is the element itself. outside: a frame that it is in is inert.
	self, outside bool
	// away: it lies outside the viewport, and no scrolling brings it in.
	away bool
}

func (e *NotReadyError) Error() string {
	switch {
	case e.Inert != "":
		return "the element is not ready: " + e.inertWords()
	case e.By != nil:
		return "the click would not reach the element: " + e.By.String() + " is in the way"
	}
	return "the element is not ready: " + e.Why
}

// inertWords is why the element is inert.
func (e *NotReadyError) inertWords() string {
	what, by := "it is inert because ", e.By.String()
	if e.outside {
		what = "its frame is inert because "
	}
	if e.Inert == InertModal {
		return what + by + " is open"
	}
	by = "<" + e.By.Tag + ">"
	if e.By.Selector != e.By.Tag {
		by += " (" + e.By.Selector + ")"
	}
	switch {
	case e.self && e.outside:
		by = "its <" + e.By.Tag + ">"
	case e.self:
		by = "it"
	}
	if e.Inert == InertProperty {
		return what + by + " has the style interactivity: inert"
	}
	return what + by + " has the attribute inert"
}

// InTheWay is what the page must be rid of before the element can be acted on; nil where that is not the reason.
func (e *NotReadyError) InTheWay() *Obstacle {
	if e.Inert == InertAttribute || e.Inert == InertProperty {
		return nil
	}
	return e.By
}

// Obstacle is the element that gets a click meant for another one.
type Obstacle struct {
	// Kind is cookie_banner, consent_dialog, modal, popup, notification, overlay, or
	// "" for a plain element: judged by its role and position.
	Kind string `json:"kind,omitempty"`
	Tag  string `json:"tag"`
	Role string `json:"role,omitempty"`
	Text string `json:"text,omitempty"` // its first words
	// Selector finds it again.
	Selector string `json:"selector,omitempty"`
	// Ref is its number, where it or an element around it has one; the caller sets it.
	Ref int `json:"ref,omitempty"`
	// UIDs are the page's own identities of it and the elements around it, nearest
	// first, for the caller to find the ref; Frame is their frame.
	UIDs  []int  `json:"uids,omitempty"`
	Frame string `json:"-"`
}

// String names it in a sentence.
func (o *Obstacle) String() string {
	var b strings.Builder
	if o.Kind != "" {
		b.WriteString(text.Article(strings.ReplaceAll(o.Kind, "_", " ")) + ", ")
	}
	b.WriteString("<" + o.Tag + ">")
	if o.Text != "" {
		fmt.Fprintf(&b, " %q", o.Text)
	}
	if o.Ref > 0 {
		fmt.Fprintf(&b, " @e%d", o.Ref)
	}
	return b.String()
}

// NoOptionError: a list box has no such option.
type NoOptionError struct {
	Want string
	// Options are the first ten that there are.
	Options []Option
	Total   int
}

func (e *NoOptionError) Error() string {
	names := make([]string, len(e.Options))
	for i, o := range e.Options {
		names[i] = fmt.Sprintf("%q (value %q)", o.Label, o.Value)
	}
	s := fmt.Sprintf("unknown option %s; there are %s", e.Want, strings.Join(names, ", "))
	if e.Total > len(e.Options) {
		s += fmt.Sprintf(" and %d more", e.Total-len(e.Options))
	}
	return s
}
