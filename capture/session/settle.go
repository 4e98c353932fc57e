package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
)

// Settle bounds the wait for a quiet page (S-19).
type Settle struct {
	Quiet   time.Duration // without mutations; 0 means 300 ms
	Max     time.Duration // of the whole wait; 0 means 3 s
	Network time.Duration // without requests in progress; 0 means 500 ms
	For     string        // CSS selector of an element that must be rendered, "" for none
	// Beside reads the page while it is waited for, where it has no request in progress: it is read again where it
	// has changed by the end of the wait, so the capture is never older than the quiet.
	Beside bool
}

// besides reports whether the page may be read beside the wait.
func (s Settle) besides(tab *browser.Tab) bool {
	over := make(chan struct{})
	close(over)
	return s.Beside && s.For == "" && tab.NetworkQuiet(over, 0)
}

func (s Settle) defaults() Settle {
	if s.Quiet <= 0 {
		s.Quiet = 300 * time.Millisecond
	}
	if s.Max <= 0 {
		s.Max = 3 * time.Second
	}
	if s.Network <= 0 {
		s.Network = 500 * time.Millisecond
	}
	return s
}

// settleJS waits in the page and answers what it came to.
//
//go:embed settle.js
var settleJS string

// settle waits until the document is loaded, has not changed for Quiet and has had
// no request in progress for Network, and reports whether that succeeded within Max.
// Quiet that was seen before the call counts, and a page that is loaded and has nothing in it
// that could change it is not waited for. Where the element that is waited for
// does not appear, or cannot, why is the reason.
func settle(ctx context.Context, tab *browser.Tab, s Settle) (settled bool, why string, err error) {
	s = s.defaults()
	tree, err := tab.KnownFrames(ctx)
	if err != nil {
		return false, "", err
	}
	if len(tree) == 0 {
		return false, "", nil
	}
	if end, ok := ctx.Deadline(); ok {
		half := (time.Until(end) / 2).Round(time.Millisecond)
		s.Max = min(s.Max, max(half, time.Millisecond)) // the rest is for what reads the page then
	}
	until, cancel := context.WithTimeout(ctx, s.Max)
	defer cancel()
	var network bool
	var work sync.WaitGroup
	over, stopNetwork := context.WithCancel(until)
	defer stopNetwork()
	work.Go(func() { network = tab.NetworkQuiet(over.Done(), s.Network) })
	// The page may be too busy to answer at all; then the wait is over a little
	// after Max, and the walk that follows has a deadline of its own.
	grace, stop := browser.Within(ctx, s.Max+time.Second)
	defer stop()
	wanted, err := json.Marshal(s.For)
	if err != nil {
		return false, "", err
	}
	expr := strings.NewReplacer("QUIET", fmt.Sprint(s.Quiet.Milliseconds()), "MAX", fmt.Sprint(s.Max.Milliseconds()),
		"FOR", string(wanted)).Replace(settleJS)
	answer, err := tab.Session().Await(grace, tree[0].ID, expr)
	still := answer == "still"
	if still {
		stopNetwork()
	}
	work.Wait()
	if still {
		network = tab.NetworkQuiet(until.Done(), 0) // nothing will ask for more when these are there
	}
	if err != nil {
		if ctx.Err() != nil {
			return false, "", err
		}
		if grace.Err() != nil || errors.Is(err, browser.ErrNavigated) {
			return false, "", nil
		}
		return false, "", err
	}
	switch answer {
	case "missing":
		why = fmt.Sprintf("the element %q that the profile waits for did not come within %s", s.For, s.Max)
	case "wrong":
		why = fmt.Sprintf("the profile waits for %q, which is not a valid CSS selector", s.For)
	}
	return network && (still || answer == "quiet"), why, nil
}
