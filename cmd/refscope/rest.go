//go:build cgo

package main

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/refscope/refscope/gui/app"
)

// Fyne asks the desktop for events 60 times a second, which costs more than one per cent of a core while nothing
// happens. The loop rests instead: it waits for an event where none came for as long as restsAfter, at most restsFor
// at a time, and blinksFor where a caret blinks.
const (
	restsAfter = time.Second
	restsFor   = time.Second
	blinksFor  = 100 * time.Millisecond
)

// rest lets the window's loop rest.
type rest struct {
	mu   sync.Mutex
	open bool // the loop runs, so that it can be woken
}

// post runs a function on the window's goroutine, which is woken for it.
func (r *rest) post(f func()) {
	app.FynePost(f)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		glfw.PostEmptyEvent()
	}
}

// set says whether the loop runs.
func (r *rest) set(open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = open
}

// run lets the loop rest until ctx ends. busy is asked on the window's goroutine whether something moves in the window.
func (r *rest) run(ctx context.Context, win fyne.Window, busy func() bool) {
	rested := make(chan bool, 1)
	wait := func() {
		at, most := time.Now(), restsFor
		if _, caret := win.Canvas().Focused().(interface{ SelectedText() string }); caret {
			most = blinksFor
		}
		if !busy() && ctx.Err() == nil {
			glfw.WaitEventsTimeout(most.Seconds())
		}
		rested <- time.Since(at) > most*9/10
	}
	awake := time.NewTimer(restsAfter)
	defer awake.Stop()
	for {
		select {
		case <-awake.C:
		case <-ctx.Done():
			return
		}
		for more := true; more; {
			app.FynePost(wait)
			select {
			case more = <-rested:
			case <-ctx.Done():
				return
			}
		}
		awake.Reset(restsAfter)
	}
}
