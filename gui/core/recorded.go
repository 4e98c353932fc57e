package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"

	"github.com/disintegration/imaging"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/turn"
)

// Recorded is a turn as the engine gives it.
type Recorded struct {
	N       int
	Action  string
	Capture *snapshot.Capture
	PNG     []byte      // clean picture, nil where there is none
	Image   *image.RGBA // PNG decoded, where that was done already
	Note    string
	Stored  []Stored // payloads that were stored with it
	Lacks   []string // what it lacks, in words
	// Steps and Answer are what was asked to be done and what came of it, as JSON; nil
	// where there is none. Profile is the name of the site profile that applied, Tool the
	// program that took the turn.
	Steps, Answer []byte
	Profile, Tool string
}

// Ready makes the turn ready for the window: decodes, scales, places marks.
func (r *Recorded) Ready() (*Turn, error) {
	img, err := r.decoded()
	if err != nil {
		return nil, err
	}
	t := NewTurn(r.N, r.Action, r.Capture, r.PNG, img)
	t.Note, t.Stored, t.Lacks, t.Profile, t.Tool = r.Note, r.Stored, r.Lacks, r.Profile, r.Tool
	t.Activity = NewTurnActivity(r.Capture, r.Steps, r.Answer)
	t.Steps, t.Answer = StepsText(r.Steps), NewAnswer(r.Answer)
	var answer struct{ Status string }
	t.AnswerOK = json.Unmarshal(r.Answer, &answer) == nil && answer.Status == "ok"
	return t, nil
}

func (r *Recorded) decoded() (*image.RGBA, error) {
	if r.Image != nil || len(r.PNG) == 0 {
		return r.Image, nil
	}
	img, err := overlay.DecodePNG(r.PNG)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", r.N, err)
	}
	return img, nil
}

// ErrorsSince counts what went wrong in the turn: the errors of the page that the turn before
// did not show yet, and the steps that failed. before may be nil.
func (r *Recorded) ErrorsSince(before *Recorded) int {
	var earlier *snapshot.Capture
	if before != nil {
		earlier = before.Capture
	}
	return NewErrors(r.Capture, earlier) + turn.FailedSteps(r.Answer)
}

// ChangeSince is how the turn differs from an earlier one.
func (r *Recorded) ChangeSince(before *Recorded) *TurnChange {
	c := countChanges(before.N, diff.Captures(before.Capture, r.Capture, diff.Options{}))
	return &c
}

// Thumbnails are made at twice the size of their cell, in px, for sharp screens and for
// the magnifier.
const (
	thumbWidth  = 320
	thumbHeight = 180
)

// Thumb is a small picture of img, nil for nil.
func Thumb(img *image.RGBA) image.Image {
	if img == nil {
		return nil
	}
	small := imaging.Fill(img, thumbWidth, thumbHeight, imaging.Top, imaging.Box)
	out := image.NewRGBA(small.Bounds()) // Fyne uploads RGBA as it is
	copy(out.Pix, small.Pix)             // a screenshot is opaque, so NRGBA is RGBA
	return out
}

// StepsText writes the steps of a turn, as they are stored, to be read and edited: a list
// without the tab, one step a line.
func StepsText(stored []byte) string {
	var c struct{ Steps []json.RawMessage }
	if json.Unmarshal(stored, &c) != nil || len(c.Steps) == 0 {
		return ""
	}
	if len(c.Steps) == 1 {
		return string(c.Steps[0])
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, s := range c.Steps {
		b.WriteString("  ")
		b.Write(s)
		if i+1 < len(c.Steps) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]")
	return b.String()
}

// NewAnswer makes an answer ready to be shown; nil where there is none.
func NewAnswer(body []byte) *Built {
	if len(body) == 0 {
		return nil
	}
	return NewBuilt(Built{Body: body, Media: "application/json"})
}
