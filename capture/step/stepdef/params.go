package stepdef

import (
	"errors"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
)

// Target is the element that a step is about: as a string or number alone it is a ref in any spelling, else a
// CSS selector.
type Target struct{ element.Target }

// ReadShort reads a selector or ref.
func (t *Target) ReadShort(s string) { t.Target = element.ParseTarget(s) }

// CheckParams refuses a target that names nothing, or two things.
func (t *Target) CheckParams() error { return t.Check() }

// Within is the target, waited for as long as that; 0 is the default.
func (t *Target) Within(wait time.Duration) *element.Target {
	t.Patience = wait
	return &t.Target
}

// OptionalTarget is a target that need not be named.
type OptionalTarget struct{ element.Target }

// CheckParams refuses a target that names two things.
func (t *OptionalTarget) CheckParams() error {
	if t.Empty() {
		return nil
	}
	return t.Check()
}

// OptionalElement is an element by selector or ref only, for steps whose other parameters have the names of a
// target's. It need not be named.
type OptionalElement struct {
	Selector string       `json:"selector,omitempty" finds:"selector" what:"a CSS selector, or a ref"`
	Ref      element.Text `json:"ref,omitempty" finds:"ref" what:"a ref of a snapshot, in any spelling"`
	element.StrictTarget
}

// To is the target, waited for as long as that.
func (o *OptionalElement) To(wait time.Duration) *element.Target {
	return &element.Target{Selector: o.Selector, Ref: o.Ref, StrictTarget: o.StrictTarget, Patience: wait}
}

// CheckParams refuses an element that is named in two ways.
func (o *OptionalElement) CheckParams() error {
	if t := o.To(0); !t.Empty() {
		return t.Check()
	}
	return nil
}

// errUnnamed: a step that wants an element by selector or ref got none.
var errUnnamed = errors.New("it names no element: give a selector or a ref")

// Named refuses an element that is not named, or in two ways.
func (o *OptionalElement) Named() error {
	t := o.To(0)
	if t.Empty() {
		return errUnnamed
	}
	return t.Check()
}

// Element is an element by selector or ref, which must be named and is not waited for.
type Element struct {
	Selector string       `json:"selector,omitempty" finds:"selector" what:"a CSS selector, or a ref"`
	Ref      element.Text `json:"ref,omitempty" finds:"ref" what:"a ref of a snapshot, in any spelling"`
}

// ReadShort reads a selector or ref.
func (o *Element) ReadShort(s string) { o.Selector = s }

// CheckParams refuses what names no element, or two.
func (o *Element) CheckParams() error {
	if o.Selector != "" && o.Ref != "" {
		return errors.New("give a selector or a ref, not both")
	}
	t := o.To()
	if t.Empty() {
		return errUnnamed
	}
	return t.Check()
}

// To is the target.
func (o *Element) To() *element.Target {
	t := element.ParseTarget(strings.TrimSpace(o.Selector))
	if o.Ref != "" {
		t = element.Target{Ref: o.Ref}
	}
	return &t
}

// Ready are the options that all actions on elements share.
type Ready struct {
	Force   bool    `json:"force,omitempty" what:"act also on what is hidden, disabled or covered"`
	Strict  bool    `json:"strict,omitempty" what:"fail where else the action is forced"`
	Stable  bool    `json:"stable,omitempty" what:"wait until the element does not move"`
	Timeout float64 `json:"timeout,omitempty" min:"0" unit:"ms" what:"how long to wait for the element; 5000"`
}

// Options are the options of the action.
func (o *Ready) Options() action.Options {
	return action.Options{Timeout: o.Wait(), Force: o.Force, Strict: o.Strict, Stable: o.Stable}
}

// Wait is how long the element is waited for; 0 is the default.
func (o *Ready) Wait() time.Duration { return Milliseconds(o.Timeout) }

// Milliseconds is a time that a step gives in ms.
func Milliseconds(n float64) time.Duration {
	return time.Duration(min(n, 1e9) * float64(time.Millisecond))
}

// MaxItems is how many results a limit may ask for.
const MaxItems = 1_000

// Limit is how many results are wanted.
type Limit struct {
	Limit *int `json:"limit,omitempty" min:"1" max:"1000" what:"how many results"`
}

// Or is the limit, or another one where none is given.
func (l *Limit) Or(otherwise int) int {
	if l.Limit == nil {
		return otherwise
	}
	return *l.Limit
}
