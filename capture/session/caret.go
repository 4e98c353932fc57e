package session

import (
	"bytes"
	"context"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// caretPhase is half a blink of a text caret: Chrome's own 500 ms.
const caretPhase = 500 * time.Millisecond

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

// stillCaret makes the picture of a page with a caret the same every time. The
// caret cannot be hidden without writing to the page, so pictures of both phases of
// its blink are taken and the one whose bytes sort first is kept: which one that is
// depends on the page and not on the clock. Two pictures half a blink apart show
// both phases; on a busy machine they may not, so a few more are taken until one
// differs from the first.
func stillCaret(ctx context.Context, tab *browser.Tab, clip snapshot.Box, beyond bool, first []byte) ([]byte, error) {
	best := first
	for _, wait := range []time.Duration{caretPhase, caretPhase / 2, caretPhase * 4 / 5, caretPhase * 7 / 10} {
		if err := browser.Pause(ctx, wait); err != nil {
			return nil, err
		}
		next, err := screenshot(ctx, tab, clip, beyond)
		if err != nil {
			return nil, err
		}
		same := bytes.Equal(next, first)
		if bytes.Compare(next, best) < 0 {
			best = next
		}
		if !same {
			break
		}
	}
	return best, nil
}
