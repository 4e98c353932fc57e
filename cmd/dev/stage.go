package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stage is one named part of the test. do returns what to show where it fails; a
// stage that cannot run on this system returns [errSkipped].
type stage struct {
	name, what string
	traits     traits
	do         func(ctx context.Context, t *test) (output string, err error)
}

// traits are what the run of all stages has to know of one.
type traits uint8

const (
	byDefault    traits = 1 << iota // runs without -all
	buildsWindow                    // finds out whether the window can be built
	wantsWindow                     // compiles or opens the window, so it is of no use where that cannot be built
)

func (s stage) is(t traits) bool { return s.traits&t != 0 }

// errSkipped is why a stage was not run; it counts neither as passed nor as failed.
var errSkipped = errors.New("skipped")

// errSaid is a failure that is reported already: nothing follows the summary.
var errSaid = errors.New("test failed")

// test is one run of the stages.
type test struct {
	*dev
	verbose bool
	times   bool          // show the slowest packages of a stage
	within  time.Duration // no stage begins after it; 0 is no limit
	begin   time.Time     // of the stage in progress
}

// testTask sets up, runs the stages in order, all of them even where one fails, and
// ends with the line "N passed, N failed". Packages as arguments run alone.
func testTask(ctx context.Context, d *dev, args []string) error {
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	yes := flags.Bool("y", false, "install what is missing without asking")
	verbose := flags.Bool("v", false, "show the output of stages that pass too")
	list := flags.Bool("list", false, "name the stages and end")
	only := flags.String("run", "", "the stages to run, with commas between them")
	onWine := flags.Bool("wine", false, "run the stage wine: the programs for Windows")
	all := flags.Bool("all", false, "run every stage, not the default ones alone")
	rest := flags.Bool("rest", false, "run the stages that are not default ones")
	times := flags.Bool("times", false, "show which packages took longest")
	within := flags.Duration("within", 0, "begin no stage after this time; 0 is no limit")
	if err := flags.Parse(args); err != nil {
		return usageError{fmt.Errorf("test: %w", err)}
	}
	if *onWine {
		*only = strings.Trim(*only+",wine", ",")
	}
	rooms := flags.Args()
	for _, room := range rooms {
		if !strings.HasPrefix(room, "./") {
			return usageError{fmt.Errorf("test takes packages such as ./gui/text, no argument %q", room)}
		}
	}
	if named := *only != ""; named && (*all || *rest) || *all && *rest || len(rooms) > 0 && (named || *rest) {
		return usageError{errors.New("test takes one of -run, -all, -rest and packages, which may be with -all")}
	}
	if *list {
		for _, s := range stages() {
			tier := "-all"
			if s.is(byDefault) {
				tier = ""
			}
			d.say("%-12s %-5s %s", s.name, tier, s.what)
		}
		lines, err := longByRoom(d.root)
		if err != nil {
			return err
		}
		d.say("\nThe stage long runs in whole, the stage test in part or not at all:")
		for _, line := range lines {
			d.say("  %s", line)
		}
		return nil
	}
	chosen, err := choose(stages(), *only)
	if err != nil {
		return usageError{err}
	}
	needs := testNeeds(d.machine)
	switch {
	case len(rooms) > 0:
		chosen, needs = []stage{roomStage(rooms, *all)}, []need{chromeNeed()}
	case *only == "" && !*all:
		chosen = slices.DeleteFunc(chosen,
			func(s stage) bool { return s.is(byDefault) == *rest && !s.is(buildsWindow) })
	}
	if err := d.setUp(ctx, needs, *yes); err != nil {
		return err
	}
	return runStages(ctx, &test{dev: d, verbose: *verbose, times: *times, within: *within}, chosen)
}

// choose picks stages by name, in their own order; no name picks all.
func choose(all []stage, names string) ([]stage, error) {
	if names == "" {
		return all, nil
	}
	var known []string
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(names, ",") {
		wanted[strings.TrimSpace(name)] = true
	}
	var chosen []stage
	for _, s := range all {
		known = append(known, s.name)
		if wanted[s.name] {
			chosen = append(chosen, s)
			delete(wanted, s.name)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("no stage %q; there are: %s", name, strings.Join(known, ", "))
	}
	return chosen, nil
}

func runStages(ctx context.Context, t *test, chosen []stage) error {
	type result struct {
		stage
		took time.Duration
		err  error
	}
	var results []result
	started, noWindow := time.Now(), false
	for i, s := range chosen {
		t.say("[%d/%d] %s: %s", i+1, len(chosen), s.name, s.what)
		t.begin = time.Now()
		var out string
		var err error
		switch {
		case noWindow && s.is(wantsWindow):
			err = fmt.Errorf("%w: the window does not build, see above", errSkipped)
		case t.within > 0 && time.Since(started) > t.within:
			err = fmt.Errorf("%w: the %s for these stages are over", errSkipped, t.within)
		default:
			out, err = s.do(ctx, t)
		}
		took := time.Since(t.begin)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, result{s, took, err})
		failed := err != nil && !errors.Is(err, errSkipped)
		noWindow = noWindow || failed && s.is(buildsWindow)
		if t.times {
			t.sayTimes(slowest(out, 10))
		}
		if out = strings.TrimRight(out, "\n"); out != "" && (failed || t.verbose) {
			t.say("%s", visible(out))
		}
		switch {
		case failed:
			t.say("      FAILED after %s: %v", seconds(took), err)
		case err != nil:
			t.say("      %v", err)
		default:
			t.say("      ok, %s", seconds(took))
		}
	}
	passed, failed, whole := 0, 0, time.Duration(0)
	t.say("")
	for _, r := range results {
		word := "ok"
		switch {
		case r.err == nil:
			passed++
		case errors.Is(r.err, errSkipped):
			word = "skipped"
		default:
			word = "FAILED"
			failed++
		}
		whole += r.took
		t.say("%-12s %-8s %10s", r.name, word, seconds(r.took))
	}
	t.say("%-12s %-8s %10s", "", "", seconds(whole))
	t.say("")
	t.say("%d passed, %d failed", passed, failed)
	if failed > 0 {
		return fmt.Errorf("%w: %d of %d stages", errSaid, failed, len(results))
	}
	return nil
}

// visible keeps lines and tabs of a tool's output and drops other control characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, text)
}

// tool runs a program for a stage, with a sign of life.
func (t *test) tool(ctx context.Context, env []string, name string, args ...string) (string, error) {
	stop := t.pulse(ctx, short(name, args))
	defer stop()
	return t.output(ctx, nil, env, name, args...)
}

// pulse shows every second how long a stage has been running. The caller must call
// the function it returns, which waits for the pulse to end.
func (t *test) pulse(ctx context.Context, what string) func() {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { // ends with the function returned below
		defer close(done)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			t.status("      %s  %s", seconds(time.Since(t.begin)), what)
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return func() { cancel(); <-done }
}

// artifact is the path of a file that the test leaves in out/ for a person to look at.
func (t *test) artifact(name string) string { return filepath.Join(t.root, "out", name) }
