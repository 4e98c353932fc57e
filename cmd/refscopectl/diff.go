package main

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/spf13/cobra"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	options diff.Options
	format  string
	lines   int
	plain   bool
	exit    bool
}

// diffCommand compares two turns, captures or pages.
func diffCommand(a *app) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use: "diff A B", Short: "what differs between two turns, captures or pages",
		Example: `  refscopectl diff shop#1 shop#2
  refscopectl diff shop#1 assets/demo/index.html --text dddk
  refscopectl diff before.json after.json --json --exit-code`,
		ValidArgsFunction: a.targets(),
		RunE:              func(c *cobra.Command, args []string) error { return a.diff(c.Context(), &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "text", "", "compare the dumps in that `FORMAT` line by line instead: "+formatNames())
	fs.IntVar(&f.lines, "context", 3, "with --text: `N` lines around each change, -1 for all")
	fs.BoolVar(&f.plain, "no-marks", false,
		"with --text: no lines that mark the words that differ, as patch(1) wants it")
	fs.Float64Var(&f.options.Move, "move", diff.MoveThreshold,
		"how far an edge must go to count, in CSS `PX`; below 0, boxes are not compared")
	fs.BoolVar(&f.exit, "exit-code", false, "exit 1 where something differs")
	completeFlag(c, "text", formatList()...)
	return c
}

func (a *app) diff(ctx context.Context, f *diffFlags, targets []string) error {
	switch {
	case len(targets) != 2:
		return usagef("diff: name two: turns (SESSION#N), captures (.json), .html files, tabs or URLs")
	case f.format != "" && !isFormat(f.format):
		return usagef("diff: --text %q: choose from %s", f.format, formatNames())
	case f.format != "" && a.json:
		return usagef("diff: --text is for people and --json for programs: give one of them")
	}
	o := a.opener()
	defer o.close()
	var pair [2]*snapshot.Capture
	for i, target := range targets {
		var err error
		if pair[i], err = o.openCapture(ctx, target, "diff"); err != nil {
			return err
		}
	}
	compare := f.captures
	if f.format != "" {
		compare = f.texts
	}
	differs, err := compare(a, targets, pair)
	if err == nil && f.exit && differs {
		err = errReported
	}
	return err
}

// captures prints what differs between two captures.
func (f *diffFlags) captures(a *app, _ []string, pair [2]*snapshot.Capture) (differs bool, err error) {
	if f.options.Move == 0 { // to the flag 0 is no distance, to the options it is the default
		f.options.Move = 1e-9
	}
	d := diff.Captures(pair[0], pair[1], f.options)
	if a.json {
		return !d.Empty(), a.printJSON(d)
	}
	return !d.Empty(), a.print(d.Report() + "\n")
}

// texts prints what differs between the dumps of two captures.
func (f *diffFlags) texts(a *app, targets []string, pair [2]*snapshot.Capture) (differs bool, err error) {
	var text [2]string
	for i, c := range pair {
		d, err := format.Render(c, dump.Format(f.format), format.Options{Common: dump.Common{MaxChars: -1}})
		if err != nil {
			return false, fmt.Errorf("%s: %w", targets[i], err)
		}
		text[i] = d.Text
	}
	out := diff.Unified(diff.Lines(text[0], text[1]), targets[0], targets[1], f.lines, !f.plain)
	return out != "", a.print(out)
}
