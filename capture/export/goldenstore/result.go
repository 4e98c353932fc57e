package goldenstore

import (
	"errors"
	"fmt"
	"image"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/golden"
)

// Result is the outcome for one page of a check.
type Result struct {
	Name    string         `json:"name"`             // the page's name in the list
	Target  string         `json:"target,omitempty"` // the address or file that was captured
	Outcome golden.Outcome `json:"outcome"`
	// Sentence is the outcome in one line.
	Sentence   string             `json:"sentence"`
	Comparison *golden.Comparison `json:"comparison,omitempty"`
	Pixels     *Pixels            `json:"pixels,omitempty"`
	Replaced   []golden.Replaced  `json:"replaced,omitempty"` // of the page as it is now
	// Masked is what rules hid on both sides although it differs.
	Masked []golden.Masked `json:"masked,omitempty"`
	Notes  []string        `json:"notes,omitempty"` // what a person should know of the comparison, a sentence each

	before, now *Record
	difference  *image.RGBA
	capture     *snapshot.Capture // as it is now, for Fresh
}

// Pixels describes how far the two pictures differ.
type Pixels struct {
	Differ int     `json:"differ"` // px
	Of     int     `json:"of"`     // px
	Share  float64 `json:"share"`  // the part of the picture's px that differ, 0 to 1
	// Counts: more than the page allows differ, and pixels were to count.
	Counts bool `json:"counts"`
}

// Fail is the result of a page that could not be checked: the outcome contains the error
// where what was accepted cannot be read.
func Fail(p *golden.Page, outcome golden.Outcome, err error) *Result {
	if errors.Is(err, ErrNew) {
		outcome = golden.New
	}
	return &Result{Name: p.Name, Target: p.Target, Outcome: outcome, Sentence: err.Error()}
}

// Stray is the result of a folder that holds a page which the list does not have.
func Stray(folder string) *Result {
	return &Result{Name: folder, Outcome: golden.Extra,
		Sentence: "a page that the list does not have: list it, or delete its folder"}
}

// compare holds a capture against what was accepted. pixels makes differences of the
// picture count.
func compare(p *golden.Page, s *golden.Settings, before *Record, c *snapshot.Capture, picture []byte,
	pixels bool) (*Result, error) {
	now, err := makeRecord(c, picture, s, before)
	if err != nil {
		return nil, fmt.Errorf("page %q: %w", p.Name, err)
	}
	r := &Result{Name: p.Name, Target: p.Target, Outcome: golden.Same, Replaced: now.Replaced, before: before, now: now,
		Masked: golden.MaskedBetween(before.Replaced, now.Replaced), capture: c}
	r.Comparison = golden.Compare(&before.Side, &now.Side, s.Move)
	for _, name := range before.Restated {
		r.Comparison.Texts = append(r.Comparison.Texts, golden.TextDiff{Name: name,
			Why: "this version of Refscope prints the accepted page otherwise: look at it, and accept it again"})
	}
	if before.Key != s.Key {
		r.Notes = append(r.Notes, "the rules have changed since it was accepted, and were applied to both sides")
	}
	if before.Chrome != now.Chrome {
		r.Notes = append(r.Notes, fmt.Sprintf("it was accepted with %s, and this is %s", before.Chrome, now.Chrome))
	}
	if shifted(r.Comparison.Diff) {
		r.Notes = append(r.Notes,
			"most elements have only moved or have another size: other fonts or another browser do "+
				"that; accept the pages where they are checked, or let \"move\" in golden.json say how far is far")
	}
	r.Sentence = r.Comparison.Sentence()
	if !r.Comparison.Same() {
		r.Outcome = golden.Changed
	}
	r.pictures(p, pixels)
	return r, nil
}

// shifted reports whether half of the elements are elsewhere and are what they were.
func shifted(d *diff.Diff) bool {
	elsewhere := map[int]bool{}
	for i := range d.Changes {
		switch c := &d.Changes[i]; c.Kind {
		case diff.Moved, diff.Resized:
			elsewhere[c.After.Node] = true
		case diff.Added, diff.Removed, diff.Renamed, diff.Text, diff.Value:
			return false
		}
	}
	return len(elsewhere) > 0 && 2*len(elsewhere) >= d.After.Kept
}

// pictures compares the two pictures.
func (r *Result) pictures(p *golden.Page, count bool) {
	missing := func(why string) {
		r.Notes = append(r.Notes, why)
		if count {
			r.Outcome = golden.Changed
			r.Sentence += "; " + why
		}
	}
	if len(r.before.Picture) == 0 || len(r.now.Picture) == 0 {
		if len(r.before.Picture) != len(r.now.Picture) || count {
			missing("one of the two sides has no picture")
		}
		return
	}
	a, err1 := codec.DecodePNG(r.before.Picture)
	b, err2 := codec.DecodePNG(r.now.Picture)
	if err := errors.Join(err1, err2); err != nil {
		missing("the pictures cannot be compared: " + err.Error())
		return
	}
	px := &Pixels{}
	r.difference, px.Differ, px.Of = overlay.Differ(a, b)
	px.Share = float64(px.Differ) / float64(max(1, px.Of))
	r.Pixels = px
	if px.Differ == 0 {
		return
	}
	words := fmt.Sprintf("%d px of the picture (%.2f %%) differ", px.Differ, 100*px.Share)
	if count && px.Share > p.Pixels {
		px.Counts = true
		if r.Outcome == golden.Same {
			r.Outcome, r.Sentence = golden.Changed, words
		} else {
			r.Sentence += "; " + words
		}
		return
	}
	r.Notes = append(r.Notes, words+", which does not count")
}

// Case is the result for a report of JUnit's kind.
func (r *Result) Case() golden.Case {
	c := golden.Case{Name: r.Name, Target: r.Target, Outcome: r.Outcome, Sentence: r.Sentence, Detail: r.Sentence}
	if r.Comparison != nil && !r.Comparison.Same() {
		c.Detail = r.Comparison.Report()
	}
	return c
}

// Fresh is the page as it was seen in the check, with numbers of its own, to be
// accepted; nil where it was not captured.
func (r *Result) Fresh(s *golden.Settings) (*Record, error) {
	if r.now == nil {
		return nil, nil
	}
	return makeRecord(r.capture, r.now.Picture, s, nil)
}
