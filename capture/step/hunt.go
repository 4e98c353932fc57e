package step

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/refscope/refscope/capture/action"
)

// scrollHunt scrolls on until the element is there (seed 8.10). It is written as true
// or as an object.
type scrollHunt struct {
	On          bool    `json:"-"`
	Direction   string  `json:"direction,omitempty"`   // down if empty; up, left, right
	Distance    float64 `json:"distance,omitempty"`    // CSS px at once; 500 if 0
	MaxAttempts int     `json:"maxAttempts,omitempty"` // 20 if 0
}

// UnmarshalJSON reads true, false or an object.
func (h *scrollHunt) UnmarshalJSON(b []byte) error {
	if shape(b) == "bool" {
		return json.Unmarshal(b, &h.On)
	}
	type plain scrollHunt
	h.On = true
	if err := decode(b, (*plain)(h)); err != nil {
		return err
	}
	if h.Direction != "" && h.Direction != "down" && h.Direction != "up" && h.Direction != "left" && h.Direction != "right" {
		return unknown("direction", h.Direction, []string{"down", "up", "left", "right"})
	}
	return nil
}

// findOrScroll is find; with a hunt it scrolls on between two looks, until the page
// ends or the attempts are used up.
func (r *Runner) findOrScroll(ctx context.Context, t *target, h *scrollHunt) (*found, error) {
	if h == nil || !h.On {
		return r.find(ctx, t)
	}
	step := h.Distance
	if step <= 0 {
		step = 500
	}
	tries := h.MaxAttempts
	if tries <= 0 {
		tries = 20
	}
	dx, dy := 0.0, step
	switch h.Direction {
	case "up":
		dy = -step
	case "right":
		dx, dy = step, 0
	case "left":
		dx, dy = -step, 0
	}
	for try := 0; ; try++ {
		f, err := r.findNow(ctx, t)
		var none *action.NotFoundError
		if err == nil || !errors.As(err, &none) {
			return f, err
		}
		if try == tries {
			return nil, &action.NotFoundError{What: none.What, Hint: "not after scrolling " + strconv.Itoa(tries) + " times either"}
		}
		if _, err := r.page.ScrollBy(ctx, r.frame, dx, dy); err != nil {
			return nil, err
		}
		// What the scroll made the page load comes soon or not at all.
		r.calm(ctx, &waitAfter{StableTime: 100, Timeout: 1000})
	}
}

// waitAfter waits until the page has stopped changing (seed 9.1). It is written as true
// or as an object.
type waitAfter struct {
	Timeout    float64 `json:"timeout,omitempty"`    // ms; 5000 if 0
	StableTime float64 `json:"stableTime,omitempty"` // ms without a change; 300 if 0
}

// UnmarshalJSON reads true or an object.
func (w *waitAfter) UnmarshalJSON(b []byte) error {
	if shape(b) == "bool" {
		var on bool
		if err := json.Unmarshal(b, &on); err != nil {
			return err
		}
		if !on {
			return errors.New("want true or an object")
		}
		return nil
	}
	type plain waitAfter
	return decode(b, (*plain)(w))
}

// calm waits until nothing in the page and on the network has changed for a while. It
// never fails: what did not calm down is a warning.
func (r *Runner) calm(ctx context.Context, w *waitAfter) {
	quiet, limit := 300*time.Millisecond, 5*time.Second
	if w.StableTime > 0 {
		quiet = ms(w.StableTime)
	}
	if w.Timeout > 0 {
		limit = ms(w.Timeout)
	}
	in, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := r.page.WaitQuiet(in, r.frame, quiet); err != nil && ctx.Err() == nil {
		r.warn("the page did not come to rest within %d ms", limit.Milliseconds())
	}
}
