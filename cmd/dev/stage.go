package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// stage is one named part of the test. do returns what to show where it fails; a
// stage that cannot run on this system returns [setup.ErrSkipped].
type stage struct {
	name, what string
	traits     traits
	do         func(ctx context.Context, t *setup.Test) (output string, err error)
}

// traits are what the run of all stages has to know of one.
type traits uint8

const (
	byDefault    traits = 1 << iota // runs without -all
	buildsWindow                    // finds out whether the window can be built
	wantsWindow                     // compiles or opens the window, so it is of no use where that cannot be built
)

func (s stage) is(t traits) bool { return s.traits&t != 0 }

// errSaid is a failure that is reported already: nothing follows the summary.
var errSaid = errors.New("test failed")

// testTask sets up, runs the stages in order, all of them even where one fails, and
// ends with the line "N passed, N failed". Packages as arguments run alone.
func testTask(ctx context.Context, d *setup.Dev, args []string) error {
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
		return setup.Usagef("test: %w", err)
	}
	if *onWine {
		*only = strings.Trim(*only+",wine", ",")
	}
	rooms := flags.Args()
	for _, room := range rooms {
		if !strings.HasPrefix(room, "./") {
			return setup.Usagef("test takes packages such as ./gui/text, no argument %q", room)
		}
	}
	if named := *only != ""; named && (*all || *rest) || *all && *rest || len(rooms) > 0 && (named || *rest) {
		return setup.Usagef("test takes one of -run, -all, -rest and packages, which may be with -all")
	}
	if *list {
		for _, s := range stages() {
			tier := "-all"
			if s.is(byDefault) {
				tier = ""
			}
			d.Say("%-12s %-5s %s", s.name, tier, s.what)
		}
		lines, err := longByRoom(d.Root)
		if err != nil {
			return err
		}
		d.Say("\nThe stage long runs in whole, the stage test in part or not at all:")
		for _, line := range lines {
			d.Say("  %s", line)
		}
		return nil
	}
	chosen, err := choose(stages(), *only)
	if err != nil {
		return setup.Usagef("%w", err)
	}
	needs := setup.TestNeeds(d.Machine)
	switch {
	case len(rooms) > 0:
		chosen, needs = []stage{roomStage(rooms, *all)}, []setup.Need{setup.ChromeNeed()}
	case *only == "" && !*all:
		chosen = slices.DeleteFunc(chosen,
			func(s stage) bool { return s.is(byDefault) == *rest && !s.is(buildsWindow) })
	}
	if err := d.SetUp(ctx, needs, *yes); err != nil {
		return err
	}
	return runStages(ctx, &setup.Test{Dev: d, Verbose: *verbose, Times: *times, Within: *within}, chosen)
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

// outcome is how a stage went.
type outcome struct {
	stage
	took time.Duration
	err  error
}

func (o outcome) failed() bool { return o.err != nil && !errors.Is(o.err, setup.ErrSkipped) }

// run runs a stage and says how it went, in lines that begin with lead.
func (s stage) run(ctx context.Context, t *setup.Test, lead string) outcome {
	t.Begin = time.Now()
	out, err := s.do(ctx, t)
	o := outcome{s, time.Since(t.Begin), err}
	if ctx.Err() != nil {
		return o
	}
	if t.Times {
		sayTimes(t, slowest(out, 10))
	}
	if out = strings.TrimRight(out, "\n"); out != "" && (o.failed() || t.Verbose) {
		t.Say("%s", setup.Visible(out))
	}
	switch {
	case o.failed():
		t.Say("%sFAILED after %s: %v", lead, setup.Seconds(o.took), err)
	case err != nil:
		t.Say("%s%v", lead, err)
	default:
		t.Say("%sok, %s", lead, setup.Seconds(o.took))
	}
	return o
}

// runStages runs the stages in their order. The window is built beside those that do without it: for most of that time
// one core compiles one package.
func runStages(ctx context.Context, t *setup.Test, chosen []stage) error {
	const indent = "      "
	results := make([]outcome, len(chosen))
	started, window := time.Now(), -1 // window is the place of the stage that builds it
	var building sync.WaitGroup
	defer building.Wait()
	for i, s := range chosen {
		if s.is(buildsWindow) {
			t.Say("[%d/%d] %s: %s, beside what follows", i+1, len(chosen), s.name, s.what)
			window = i
			beside := *t
			beside.Dev = t.Beside()
			building.Go(func() { results[i] = s.run(ctx, &beside, indent+s.name+": ") })
			continue
		}
		t.Say("[%d/%d] %s: %s", i+1, len(chosen), s.name, s.what)
		if s.is(wantsWindow) {
			building.Wait()
		}
		switch {
		case s.is(wantsWindow) && window >= 0 && results[window].failed():
			s.do = skipped("the window does not build, see above")
		case t.Within > 0 && time.Since(started) > t.Within:
			s.do = skipped(fmt.Sprintf("the %s for these stages are over", t.Within))
		}
		if results[i] = s.run(ctx, t, indent); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if building.Wait(); ctx.Err() != nil {
		return ctx.Err()
	}
	whole := time.Since(started)
	passed, failed := 0, 0
	t.Say("")
	for _, r := range results {
		word := "ok"
		switch {
		case r.err == nil:
			passed++
		case r.failed():
			word = "FAILED"
			failed++
		default:
			word = "skipped"
		}
		t.Say("%-12s %-8s %10s", r.name, word, setup.Seconds(r.took))
	}
	t.Say("%-12s %-8s %10s", "", "", setup.Seconds(whole))
	t.Say("")
	t.Say("%d passed, %d failed", passed, failed)
	if failed > 0 {
		return fmt.Errorf("%w: %d of %d stages", errSaid, failed, len(results))
	}
	return nil
}

// skipped is what a stage does that is not to run.
func skipped(why string) func(context.Context, *setup.Test) (string, error) {
	return func(context.Context, *setup.Test) (string, error) {
		return "", fmt.Errorf("%w: %s", setup.ErrSkipped, why)
	}
}
