package core

import (
	"fmt"
	"math"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Tone is how something should strike a reader. Widgets map it to colours of the
// theme, and never convey anything by colour alone.
type Tone int

const (
	// ToneNormal is plain text.
	ToneNormal Tone = iota
	// ToneMuted steps back: secondary facts.
	ToneMuted
	// ToneGood is a check that passed.
	ToneGood
	// ToneWarn wants a look.
	ToneWarn
	// ToneBad is something that will go wrong, such as a click that never arrives.
	ToneBad
)

// StatusItem is one fact in the bar at the bottom.
type StatusItem struct {
	Text string
	Tone Tone
}

// Moment reports whether picture and text of the turn show the same moment.
func (t *Turn) Moment() StatusItem {
	c := t.Capture
	switch {
	case t.Pageless():
		return StatusItem{"No page belongs to this turn", ToneWarn}
	case t.Image == nil: // it was not taken, or is damaged
		return StatusItem{"● Text without a picture", ToneMuted}
	case c.Moment == snapshot.Moment{} && len(t.Lacks) > 0: // as another tool recorded it
		return StatusItem{"● Text and picture not compared", ToneMuted}
	case c.Moment.Torn:
		return StatusItem{"● Page changed while it was read: " + text.Count(c.Moment.MutationsDuring, "change",
			"changes"), ToneWarn}
	case !c.Settled:
		return StatusItem{"● Text and picture match, page still busy", ToneWarn}
	}
	return StatusItem{"● Text and picture match", ToneGood}
}

// Millis is a time in ms, never below 0.
func Millis(ms float64) string { return fmt.Sprintf("%.0f ms", max(ms, 0)) }

// OrNone is a text, or none where it is empty.
func OrNone(s, none string) string {
	if strings.TrimSpace(s) == "" {
		return none
	}
	return s
}

// ToneIfEmpty mutes an empty text.
func ToneIfEmpty(s string) Tone {
	if strings.TrimSpace(s) == "" {
		return ToneMuted
	}
	return ToneNormal
}

// Px writes a length in CSS px without needless decimals.
func Px(v float64) string {
	if r := math.Round(v); math.Abs(v-r) < 0.05 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.1f", v)
}

// Percent is [text.Percent].
func Percent(share float64) string { return text.Percent(share) }
