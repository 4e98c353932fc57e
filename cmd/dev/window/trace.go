package window

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"time"
)

// windowState is what the test reads of a record of the window's trace; gui/app
// (type Trace) describes what each field means. Rectangles are x, y, width, height in px
// of the window.
type windowState struct {
	At       time.Time    `json:"-"` // when the window wrote it
	Browser  string       `json:"browser"`
	Session  string       `json:"session"`
	Name     string       `json:"name"`
	Notes    int          `json:"notes"`
	Finding  bool         `json:"finding"`
	Found    int          `json:"found"`
	Why      bool         `json:"why"`
	Profile  string       `json:"profile"`
	Effect   string       `json:"effect"`
	Status   string       `json:"status"`
	Size     string       `json:"size"`
	Look     string       `json:"look"`
	Side     string       `json:"side"`
	Dialog   string       `json:"dialog"`
	Format   string       `json:"format"`
	Line     int          `json:"line"`
	Turn     int          `json:"turn"`
	Turns    int          `json:"turns"`
	Listed   int          `json:"listed"`
	Failed   int          `json:"failed"`
	Recorded string       `json:"recorded"`
	Hover    int          `json:"hover"`
	Rows     int          `json:"rows"`
	Act      bool         `json:"act"`
	Zoom     int          `json:"zoom"`
	Refs     int          `json:"refs"`
	URL      string       `json:"url"`
	Tab      string       `json:"tab"`
	Selected int          `json:"selected"`
	LineText string       `json:"lineText"`
	Chars    int          `json:"chars"`
	Busy     string       `json:"busy"`
	Notice   string       `json:"notice"`
	Tone     string       `json:"noticeTone"`
	Picture  [4]int       `json:"picture"`
	Text     [4]int       `json:"text"`
	Bar      [4]int       `json:"bar"`
	Cards    [4]int       `json:"cards"`
	Sides    [4]int       `json:"sides"`
	Details  [4]int       `json:"details"`
	Marks    []windowMark `json:"marks"`
}

// windowMark is one mark of the picture, with the role and name of its element.
type windowMark struct {
	Ref  int    `json:"ref"`
	Rect [4]int `json:"rect"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// rectangle moves a rectangle of the trace to where the window is on the screen.
func rectangle(r [4]int, window image.Point) image.Rectangle {
	return image.Rect(r[0], r[1], r[0]+r[2], r[1]+r[3]).Add(window)
}

// follower reads the window's trace as it is written and keeps a copy in a file.
type follower struct {
	states chan windowState
	ended  chan struct{} // closed when the trace has ended
	last   windowState
}

// follow reads from until its end, which comes when the window's process ends. The
// caller waits for ended after that.
func follow(from io.Reader, copyTo *os.File) *follower {
	f := &follower{states: make(chan windowState, 1024), ended: make(chan struct{})}
	go func() {
		defer close(f.ended)
		defer close(f.states)
		scanner := bufio.NewScanner(io.TeeReader(from, copyTo))
		scanner.Buffer(nil, 16<<20)
		for scanner.Scan() {
			var record struct {
				Time   time.Time    `json:"time"`
				Msg    string       `json:"msg"`
				Window *windowState `json:"window"`
			}
			if json.Unmarshal(scanner.Bytes(), &record) == nil && record.Msg == "state" && record.Window != nil {
				record.Window.At = record.Time
				f.states <- *record.Window
			}
		}
	}()
	return f
}

// errWindowEnded is the end of the trace before what was waited for.
var errWindowEnded = errors.New("the window ended")

// await returns the first state that is as wanted; the last one known counts too. It
// fails with what the window showed instead.
func (f *follower) await(ctx context.Context, what string, limit time.Duration,
	wanted func(windowState) bool) (windowState, error) {
	if wanted(f.last) {
		return f.last, nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		select {
		case s, ok := <-f.states:
			if !ok {
				return f.last, fmt.Errorf("waiting for %s: %w", what, errWindowEnded)
			}
			if f.last = s; wanted(s) {
				return s, nil
			}
		case <-ctx.Done():
			l := f.last
			return l, fmt.Errorf("waiting for %s: %w (browser %s, tab %q, turn %d of %d, recorded %q, %d characters, "+
				"selected %d, busy %q, notice %q)",
				what, ctx.Err(), l.Browser, l.Tab, l.Turn, l.Turns, l.Recorded, l.Chars, l.Selected, l.Busy, l.Notice)
		}
	}
}
