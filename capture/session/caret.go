package session

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// caretBlink is how often a text caret comes back: Chrome shows it for 500 ms and hides it for 500 ms.
const caretBlink = time.Second

// caretBlinks reports whether a picture of that part of the view, CSS px, may hold a
// text caret: a text field in it has the focus.
func caretBlinks(c *snapshot.Capture, part snapshot.Box) bool {
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.States.Is("focused") || !n.InViewport || n.VisibleBox().Intersect(part).Empty() {
			continue
		}
		switch n.Role {
		case "textbox", "searchbox", "combobox", "spinbutton":
			return true
		}
		for _, e := range n.Interactive {
			if e == "contenteditable" {
				return true
			}
		}
	}
	return false
}

// moment is when a picture was made: at some time between the request for it and the answer.
type moment struct{ from, to time.Duration }

// caretStep is the time from one picture to the next, the golden section of a blink: however many there are, they are
// spread evenly over the blink.
const caretStep = 382 * caretBlink / 1000

// mostPictures bounds how many pictures are made of a page with a caret. On a machine so busy that a picture takes half
// a blink, no number of them is sure to show both phases.
const mostPictures = 12

// still makes one picture of a part of the view, CSS px, which is the same every time although a caret blinks in it.
// The caret cannot be hidden without writing to the page, so pictures are made until two of them differ, and the one
// whose bytes sort first is kept: which one that is depends on the page and not on the clock. They end as well when
// both phases must have been seen: the caret is transparent, or the field takes no text.
func still(ctx context.Context, c *snapshot.Capture, part snapshot.Box, shoot func() ([]byte, error)) ([]byte, error) {
	begin := time.Now()
	first, err := shoot()
	if err != nil || !caretBlinks(c, part) {
		return first, err
	}
	seen := []moment{{0, time.Since(begin)}}
	for len(seen) < mostPictures && !bothPhases(seen) {
		if err := browser.Pause(ctx, max(0, seen[len(seen)-1].from+caretStep-time.Since(begin))); err != nil {
			return nil, err
		}
		from := time.Since(begin)
		next, err := shoot()
		if err != nil {
			return nil, err
		}
		seen = append(seen, moment{from, time.Since(begin)})
		switch bytes.Compare(next, first) {
		case -1:
			return next, nil
		case 1:
			return first, nil
		}
	}
	return first, nil
}

// bothPhases reports whether a caret that blinks was seen with and without its bar, whenever its blink began: a picture
// lies wholly in each stretch of half a blink. It is enough to ask that of the stretches that just miss a picture.
func bothPhases(seen []moment) bool {
	for _, missed := range seen {
		if !slices.ContainsFunc(seen, func(m moment) bool {
			after := ((m.from-missed.from)%caretBlink + caretBlink) % caretBlink
			return after > 0 && after+m.to-m.from <= caretBlink/2
		}) {
			return false
		}
	}
	return true
}
