package input

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/step/stepdef"
)

// scrollSearch scrolls on until an element is there (seed 8.10). It is written as true or
// as an object.
type scrollSearch struct {
	_           struct{} `form:"true" want:"true or an object"`
	Off         *bool    `json:"-" form:"bool"` // false is written
	Direction   string   `json:"direction,omitempty" choices:"down,up,left,right" what:"where to scroll; down"`
	Distance    float64  `json:"distance,omitempty" unit:"CSS px" what:"how far at once; 500"`
	MaxAttempts int      `json:"maxAttempts,omitempty" what:"how often; 20"`
}

// findOrScroll is find; with a search it scrolls on between two looks, until the page
// ends or the attempts are used up.
func findOrScroll(ctx context.Context, e *stepdef.Env, t *element.Target, s *scrollSearch) (*element.Found, error) {
	if s == nil || s.Off != nil {
		return e.Find(ctx, t)
	}
	step := s.Distance
	if step <= 0 {
		step = 500
	}
	tries := s.MaxAttempts
	if tries <= 0 {
		tries = 20
	}
	dx, dy := 0.0, step
	switch s.Direction {
	case "up":
		dy = -step
	case "right":
		dx, dy = step, 0
	case "left":
		dx, dy = -step, 0
	}
	for try := 0; ; try++ {
		f, err := e.Elements.FindNow(ctx, t)
		var none *action.NotFoundError
		if err == nil || !errors.As(err, &none) {
			return f, err
		}
		if try == tries {
			return nil, &action.NotFoundError{
				What: none.What, Hint: "not after scrolling " + strconv.Itoa(tries) + " times either",
			}
		}
		if _, err := e.Page.ScrollBy(ctx, e.Frame(), dx, dy); err != nil {
			return nil, err
		}
		// What the scroll made the page load comes soon or not at all.
		waitQuiet(ctx, e, &waitAfter{StableTime: 100, Timeout: 1000})
	}
}

// waitAfter waits until the page has stopped changing (seed 9.1). It is written as true
// or as an object.
type waitAfter struct {
	_          struct{} `form:"true" want:"true or an object"`
	Timeout    float64  `json:"timeout,omitempty" unit:"ms" what:"how long at most; 5000"`
	StableTime float64  `json:"stableTime,omitempty" unit:"ms" what:"time without a change; 300"`
}

// waitQuiet waits until nothing in the page and on the network has changed for a while. It
// never fails: a page that does not become quiet is a warning.
func waitQuiet(ctx context.Context, e *stepdef.Env, w *waitAfter) {
	quiet, limit := 300*time.Millisecond, 5*time.Second
	if w.StableTime > 0 {
		quiet = stepdef.Milliseconds(w.StableTime)
	}
	if w.Timeout > 0 {
		limit = stepdef.Milliseconds(w.Timeout)
	}
	in, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := e.Page.WaitQuiet(in, e.Frame(), quiet, quiet); err != nil && ctx.Err() == nil {
		e.Warn("the page did not come to rest within %d ms", limit.Milliseconds())
	}
}
