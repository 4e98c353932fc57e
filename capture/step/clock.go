package step

import "time"

// clock bounds a command. Each step ends within its time, and the newest one ends within its time and [overrun]
// together with all that the command asks the page around it: connecting to the tab and reading it before the first
// step, verifying, saying why a step failed, and reading the page after the last.
type clock struct {
	began  time.Time
	newest time.Time // when the newest step began, without what came before the first
	limit  time.Duration
	first  bool // no step has begun
	// waits: the newest step's time is that of what it waits for, and not the page's.
	waits bool
	// stuck: the newest step timed out waiting for the page.
	stuck bool
}

const (
	// overrun is how long after the step's time its page may still be read.
	overrun = 1500 * time.Millisecond
	// shortest is the time for a question that comes when the step's time is used up.
	shortest = 500 * time.Millisecond
	// afterStuck is the time limit for reading a page that a step has just timed out on.
	afterStuck = time.Second
	// afterWait is how long a page may take to be read at least after a step that waits.
	afterWait = 10 * time.Second
)

// start begins a command whose steps have that time.
func (c *clock) start(limit time.Duration) {
	*c = clock{began: time.Now(), limit: limit, first: true}
}

// step begins a step and gives what it may take. The first one has what coming to the tab and reading it have left
// of its time.
func (c *clock) step(s *Step, limit time.Duration) time.Duration {
	now := time.Now()
	began := now
	if c.first && s.Timeout == 0 && !s.Def.Waits {
		began = c.began
	}
	*c = clock{began: began, newest: now, limit: limit, waits: s.Def.Waits}
	return c.left(afterStuck)
}

// left is the time that the newest step has left, at least that.
func (c *clock) left(least time.Duration) time.Duration {
	return max(c.limit-time.Since(c.began), min(least, c.limit))
}

// before is how long the page may take to be read before the steps: a third of the time is the first step's.
func (c *clock) before() time.Duration { return c.left(afterStuck) * 2 / 3 }

// after is how long the page may take to be read after the steps.
func (c *clock) after() time.Duration {
	switch {
	case c.stuck:
		return min(afterStuck, c.limit)
	case c.waits:
		return c.left(afterWait)
	}
	return max(c.limit+overrun-time.Since(c.began), min(afterStuck, c.limit))
}
