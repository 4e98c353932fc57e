package element

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Target identifies an element (C-5, seed 6). As a string it is a ref in any spelling, else a CSS
// selector: [ParseTarget].
type Target struct {
	Selector string `json:"selector,omitempty" finds:"selector" what:"a CSS selector, or a ref"`
	Ref      Text   `json:"ref,omitempty" finds:"ref" what:"a ref of a snapshot, in any spelling"`
	Text     string `json:"text,omitempty" finds:"text" what:"the text that a person sees"`
	Label    string `json:"label,omitempty" finds:"label" what:"the label of a field"`
	Role     string `json:"role,omitempty" finds:"role" what:"the role"`
	Name     string `json:"name,omitempty" what:"the name, with role"` // with Role
	Exact    bool   `json:"exact,omitempty" what:"the text, label or name is the whole one"`
	// WithinSelector limits Text to what is inside the elements that it matches.
	WithinSelector string `json:"withinSelector,omitempty" what:"only inside what this CSS selector matches"`
	// Selectors are tried in turn.
	Selectors []string `json:"selectors,omitempty" finds:"selector" what:"several selectors, tried in turn"`
	X         *float64 `json:"x,omitempty" unit:"CSS px" what:"a point of the viewport"` // CSS px of the viewport
	Y         *float64 `json:"y,omitempty" unit:"CSS px" what:"a point of the viewport"`
	// SearchFrames looks in all frames, the present one first (seed 13.3).
	SearchFrames bool `json:"searchFrames,omitempty" what:"look in all frames, the present one first"`
	StrictTarget

	// Patience is how long an element that is not there is waited for; [action.DefaultTimeout] if 0.
	Patience time.Duration `json:"-"`
}

// StrictTarget are members of a target for an agent that allows no guesses (W-6).
type StrictTarget struct {
	// Fallback is a CSS selector that is asked where the element of a ref is gone from its document: the only
	// element that matches it is taken, if it has the lost one's tag, role and name.
	Fallback string `json:"fallback,omitempty" what:"a CSS selector for where the ref is gone"`
	// Only refuses a selector that matches several elements.
	Only bool `json:"only,omitempty" what:"refuse a selector that matches several elements"`
}

// ParseTarget reads a target that is written as one string or number.
func ParseTarget(s string) Target {
	if IsRef(s) {
		return Target{Ref: Text(s)}
	}
	return Target{Selector: s}
}

// ways are the ways in which a target names its element; a good one has one.
func (t *Target) ways() int {
	n := 0
	for _, is := range []bool{
		t.Selector != "", t.Ref != "", t.Text != "", t.Label != "", t.Role != "", len(t.Selectors) > 0, t.X != nil ||
			t.Y != nil,
	} {
		if is {
			n++
		}
	}
	return n
}

// inWords reports whether the target is named in words that a person sees, which are looked for in a reading.
func (t *Target) inWords() bool { return t.Text != "" || t.Label != "" || t.Role != "" }

// Check refuses a target that names nothing, or two things.
func (t *Target) Check() error {
	switch ways := t.ways(); {
	case ways == 0:
		return errors.New("it names no element: give a selector, ref, text, label or role")
	case ways > 1:
		return errors.New("it names the element in several ways: give one of " +
			"selector, ref, text, label, role, selectors, x and y")
	case (t.X == nil) != (t.Y == nil):
		return errors.New("x and y belong together")
	case t.Ref != "" && !IsRef(string(t.Ref)):
		return fmt.Errorf("%q is not a ref: write its number as in the snapshot, such as 12", string(t.Ref))
	case t.Name != "" && t.Role == "":
		return errors.New("name belongs to role")
	case t.Fallback != "" && t.Ref == "":
		return errors.New("fallback belongs to ref")
	case t.Only && t.Selector == "":
		return errors.New("only belongs to selector")
	}
	return nil
}

// Empty reports whether it names no element at all.
func (t *Target) Empty() bool { return t.ways() == 0 }

// String names the target for a person.
func (t *Target) String() string {
	switch {
	case t.Ref != "":
		return "ref " + string(t.Ref)
	case t.Text != "":
		return strconv.Quote(t.Text)
	case t.Label != "":
		return "the field " + strconv.Quote(t.Label)
	case t.Role != "":
		return t.Role + " " + strconv.Quote(t.Name)
	case len(t.Selectors) > 0:
		return fmt.Sprintf("one of %d selectors", len(t.Selectors))
	case t.X != nil && t.Y != nil:
		return fmt.Sprintf("%g,%g", *t.X, *t.Y)
	}
	return t.Selector
}
