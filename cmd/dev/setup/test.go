package setup

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"
)

// ErrSkipped is why a stage was not run; it counts neither as passed nor as failed.
var ErrSkipped = errors.New("skipped")

// Test is one run of the stages.
type Test struct {
	*Dev
	Verbose bool
	Times   bool          // show the slowest packages of a stage
	Within  time.Duration // no stage begins after it; 0 is no limit
	Begin   time.Time     // of the stage in progress
}

// Visible keeps lines and tabs of a tool's output and drops other control characters.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, text)
}

// Tool runs a program for a stage, with a sign of life.
func (t *Test) Tool(ctx context.Context, env []string, name string, args ...string) (string, error) {
	stop := t.Pulse(ctx, Short(name, args))
	defer stop()
	return t.Output(ctx, nil, env, name, args...)
}

// Pulse shows every second how long a stage has been running. The caller must call
// the function it returns, which waits for the pulse to end.
func (t *Test) Pulse(ctx context.Context, what string) func() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { // ends with the function returned below
		defer close(done)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			t.Status("      %s  %s", Seconds(time.Since(t.Begin)), what)
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// Artifact is the path of a file that the test leaves in out/ for a person to look at.
func (t *Test) Artifact(name string) string { return filepath.Join(t.Root, "out", name) }
