package trace

import (
	"context"
	"time"

	"github.com/refscope/refscope/snapshot"
)

// Clock divides a stretch of time into named parts that follow each other without a gap,
// so that they add up to the whole. It is for one goroutine.
type Clock struct {
	began, last time.Time
	parts       []snapshot.Part
}

// NewClock is a clock whose first part begins now.
func NewClock() *Clock {
	now := time.Now()
	return &Clock{began: now, last: now}
}

// Part ends the part that began when the last one ended, and names it. Parts of one name
// are added up.
func (c *Clock) Part(ctx context.Context, name string) {
	if c == nil {
		return
	}
	now := time.Now()
	Add(ctx, LaneTurn, name, c.last, now.Sub(c.last))
	c.add(name, Ms(now.Sub(c.last)))
	c.last = now
}

// Join takes over the parts that another clock divided the time since the last part into;
// what they leave over is the part "collect".
func (c *Clock) Join(parts []snapshot.Part) {
	now := time.Now()
	left := Ms(now.Sub(c.last))
	for _, p := range parts {
		c.add(p.Name, p.Ms)
		left -= p.Ms
	}
	c.add("collect", max(left, 0))
	c.last = now
}

func (c *Clock) add(name string, ms float64) {
	for k := range c.parts {
		if c.parts[k].Name == name {
			c.parts[k].Ms += ms
			return
		}
	}
	c.parts = append(c.parts, snapshot.Part{Name: name, Ms: ms})
}

// Parts are the parts so far, in the order in which they came first.
func (c *Clock) Parts() []snapshot.Part { return c.parts }

// Total is the time from the clock's beginning to the end of its last part, ms.
func (c *Clock) Total() float64 { return Ms(c.last.Sub(c.began)) }

// Ms is a duration in ms, to the µs.
func Ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
