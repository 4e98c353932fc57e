package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// words say what happened in this turn in sentences that need no knowledge of formats.
func (v *turnView) words(c *snapshot.Capture, beforeN int) {
	say := func(format string, args ...any) { v.Words = append(v.Words, fmt.Sprintf(format, args...)) }
	switch d := v.Changes; {
	case d == nil:
	case d.Navigated:
		say("The page is another one than in turn %d.", beforeN)
	case d.Empty:
		say("Nothing changed since turn %d.", beforeN)
	default:
		say("Since turn %d: %s", beforeN, d.Words)
	}
	if len(c.Nodes) > 0 {
		say("The agent could address %s and read %s.", many(count(c, snapshot.VerdictRef), "element", "elements"),
			many(count(c, snapshot.VerdictContent), "line of text", "lines of text"))
	}
	if v.covered > 0 {
		say("A click on %s would not arrive, because something lies over %s.", many(v.covered, "element", "elements"),
			itThem(v.covered))
	}
	for _, o := range c.Page.Overlays {
		kind := strings.ReplaceAll(dump.Printable(o.Kind), "_", " ")
		if o.Title != "" {
			kind += " “" + dump.Printable(o.Title) + "”"
		}
		say("Over the page: %s, %.0f %% of the view.", kind, 100*o.Share)
	}
	if len(v.Dialogs) > 0 {
		say("The page opened %s.", many(len(v.Dialogs), "dialog", "dialogs"))
	}
	if v.errors > 0 {
		say("The page reported %s.", many(v.errors, "error", "errors"))
	}
	for _, f := range c.Frames {
		if !f.Readable {
			say("A frame could not be read: %s", sentence(dump.Printable(f.Why)))
		}
	}
	if len(c.Nodes) > 0 && !c.Settled {
		say("The page was still changing when it was read.")
	}
	if c.Moment.Torn {
		say("Picture and text may not show the same moment: the page changed in between.")
	}
	if v.Stage == nil || v.Stage.Picture == "" {
		say("There is no picture of this turn.")
	}
	if v.redacted > 0 {
		say("%s withheld for being secret, such as a password.", capital(many(v.redacted, "value was", "values were")))
	}
}

func count(c *snapshot.Capture, verdict snapshot.Verdict) int {
	n := 0
	for i := range c.Nodes {
		if c.Nodes[i].Verdict == verdict {
			n++
		}
	}
	return n
}

// badges are the remarks that a turn has in the timeline too, the worst first.
func (v *turnView) badges() {
	put := func(on bool, t tone, format string, args ...any) {
		if on {
			v.Badges = append(v.Badges, badge{t, fmt.Sprintf(format, args...)})
		}
	}
	put(len(v.Damage) > 0, bad, "damaged")
	put(v.errors > 0, bad, "%s", many(v.errors, "error", "errors"))
	put(v.torn, warn, "torn")
	put(v.restless, warn, "not settled")
	put(len(v.Failed) > 0, warn, "%s unread", many(len(v.Failed), "layer", "layers"))
	put(v.covered > 0, warn, "%d covered", v.covered)
	put(len(v.Dialogs) > 0, plain, "%s", many(len(v.Dialogs), "dialog", "dialogs"))
	put(len(v.Lacks) > 0, plain, "incomplete")
	put(v.redacted > 0, plain, "%d withheld", v.redacted)
	put(v.moved, plain, "new page")
	put(v.Changes != nil && v.Changes.Empty, plain, "no change")
	if n := len(v.Notes); n > 0 {
		if last := v.verdict(); last != nil {
			put(true, last.Tone, "%s", last.Verdict)
		} else {
			put(true, plain, "%s", many(n, "note", "notes"))
		}
	}
}

// verdict is the last one that somebody gave, nil for none.
func (v *turnView) verdict() *note {
	for i := len(v.Notes) - 1; i >= 0; i-- {
		if v.Notes[i].Verdict != "" {
			return &v.Notes[i]
		}
	}
	return nil
}

// many is a number with its noun.
func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(n) + " " + more
}

func itThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// sentence is s with a full stop.
func sentence(s string) string {
	switch {
	case s == "":
		return "no reason is known."
	case strings.HasSuffix(s, "."):
		return s
	}
	return s + "."
}

// grouped is a whole number with a thin space between groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// sizeWords is a size in bytes for people: KB are 1,000 bytes.
func sizeWords(n int) string {
	switch {
	case n < 1000:
		return many(n, "byte", "bytes")
	case n < 1_000_000:
		return strconv.FormatFloat(math.Round(float64(n)/100)/10, 'f', -1, 64) + " KB"
	}
	return strconv.FormatFloat(math.Round(float64(n)/100_000)/10, 'f', -1, 64) + " MB"
}
