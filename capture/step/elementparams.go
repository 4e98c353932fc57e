package step

import (
	"errors"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/step/param"
)

// Target is the element that a step is about: as a string or number alone it is a ref in
// any spelling, else a CSS selector.
type Target struct{ target }

// ReadShort reads a selector or ref.
func (t *Target) ReadShort(s string) { t.target = targetOf(s) }

// CheckParams refuses a target that names nothing, or two things.
func (t *Target) CheckParams() error { return t.check() }

// within is the target, waited for as long as that; 0 is the default.
func (t *Target) within(wait time.Duration) *target {
	t.patience = wait
	return &t.target
}

// OptionalTarget is a target that need not be named.
type OptionalTarget struct{ target }

// CheckParams refuses a target that names two things.
func (t *OptionalTarget) CheckParams() error {
	if t.empty() {
		return nil
	}
	return t.check()
}

// OptionalElement is an element by selector or ref only, for steps whose other parameters
// have the names of a target's. It need not be named.
type OptionalElement struct {
	Selector string     `json:"selector,omitempty" what:"a CSS selector, or a ref"`
	Ref      param.Text `json:"ref,omitempty" what:"a ref of a snapshot, in any spelling"`
	careful
}

// to is the target, waited for as long as the options say.
func (o *OptionalElement) to(wait time.Duration) *target {
	return &target{Selector: o.Selector, Ref: text(o.Ref), careful: o.careful, patience: wait}
}

// CheckParams refuses an element that is named in two ways.
func (o *OptionalElement) CheckParams() error {
	if t := o.to(0); !t.empty() {
		return t.check()
	}
	return nil
}

// Element is an element by selector or ref, which must be named and is not waited for.
type Element struct {
	Selector string     `json:"selector,omitempty" what:"a CSS selector, or a ref"`
	Ref      param.Text `json:"ref,omitempty" what:"a ref of a snapshot, in any spelling"`
}

// ReadShort reads a selector or ref.
func (o *Element) ReadShort(s string) { o.Selector = s }

// CheckParams refuses what names no element, or two.
func (o *Element) CheckParams() error {
	if o.Selector != "" && o.Ref != "" {
		return errors.New("give a selector or a ref, not both")
	}
	t := o.to()
	if t.empty() {
		return errors.New("it names no element: give a selector or a ref")
	}
	return t.check()
}

func (o *Element) to() *target {
	t := targetOf(strings.TrimSpace(o.Selector))
	if o.Ref != "" {
		t = target{Ref: text(o.Ref)}
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

func (o *Ready) options() action.Options {
	return action.Options{Timeout: ms(o.Timeout), Force: o.Force, Strict: o.Strict, Stable: o.Stable}
}

// wait is how long the element is waited for; 0 is the default.
func (o *Ready) wait() time.Duration { return ms(o.Timeout) }

// Limit is how many results are wanted.
type Limit struct {
	Limit *int `json:"limit,omitempty" min:"1" max:"1000" what:"how many results"`
}

func (l *Limit) or(otherwise int) int {
	if l.Limit == nil {
		return otherwise
	}
	return *l.Limit
}

func ms(n float64) time.Duration { return time.Duration(min(n, 1e9) * float64(time.Millisecond)) }
