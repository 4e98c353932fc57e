package core

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// Tone is how something should strike a reader. Widgets map it to colours of the
// theme, and never say anything by colour alone.
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

// Copyable makes text safe to paste anywhere, a terminal included: line feeds and
// tabs stay, and every other control, format or direction character becomes an
// escape such as \u202e, which JSON reads back as the character; a byte that is not
// UTF-8 becomes U+FFFD. Joiners stay where they stand between characters beyond ASCII.
func Copyable(s string) string {
	var b strings.Builder
	before := rune(0)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString("\uFFFD")
		case r == '\n', r == '\t', Joins(r) && before >= utf8.RuneSelf:
			b.WriteRune(r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
			if r > 0xffff {
				hi, lo := utf16.EncodeRune(r) // as JSON spells it
				fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			r = 0 // a joiner after an escape joins nothing
		default:
			b.WriteRune(r)
		}
		before, i = r, i+size
	}
	return b.String()
}

// StatusItem is one fact in the bar at the bottom.
type StatusItem struct {
	Text string
	Tone Tone
}

// MomentItem says whether picture and text show the same moment.
func MomentItem(c *snapshot.Capture) StatusItem {
	switch {
	case c.Moment.Torn:
		return StatusItem{"● torn: " + Plural(c.Moment.MutationsDuring, "change", "changes") + " while it was read", ToneWarn}
	case !c.Settled:
		return StatusItem{"● one moment, page still busy", ToneWarn}
	}
	return StatusItem{"● one moment", ToneGood}
}

func Millis(ms float64) string { return fmt.Sprintf("%.0f ms", max(ms, 0)) }

func OrNone(s, none string) string {
	if strings.TrimSpace(s) == "" {
		return none
	}
	return s
}

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

func Percent(share float64) string { return fmt.Sprintf("%.0f %%", share*100) }
