package view

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
	"github.com/spf13/cobra"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	options diff.Options
	format  string
	lines   int
	plain   bool
	exit    bool
	asSent  bool
}

// diffContext is how many lines stand around a change.
const diffContext = 3

// Diff compares two turns, captures or pages.
func Diff(a *cli.App) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use: "diff A B", Short: "what differs between two turns, captures or pages",
		Example: `  refscopectl diff shop#1 shop#2
  refscopectl diff shop#1 assets/demo/index.html --text dddk
  refscopectl diff shop#3 shop#4 --as-sent
  refscopectl diff before.json after.json --json --exit-code`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return runDiff(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "text", "", "compare the dumps in that `FORMAT` line by line instead: "+cli.FormatNames())
	fs.BoolVar(&f.asSent, "as-sent", false,
		"compare what the models of two recorded turns were told in the agent's own text "+
			"instead; the agent's numbers do not count")
	fs.IntVar(&f.lines, "context", diffContext, "with --text and --as-sent: `N` lines around each change, -1 for all")
	fs.BoolVar(&f.plain, "no-marks", false,
		"with --text: no lines that mark the words that differ, as patch(1) expects it")
	fs.Float64Var(&f.options.Move, "move", diff.MoveThreshold,
		"how far an edge must go to count, in CSS `PX`; below 0, boxes are not compared")
	fs.BoolVar(&f.exit, "exit-code", false, "exit 1 where something differs")
	cli.Needs(c, "context", "text", "as-sent")
	cli.Needs(c, "no-marks", "text")
	cli.CompleteFlag(c, "text", cli.FormatList()...)
	return c
}

func runDiff(ctx context.Context, a *cli.App, f *diffFlags, targets []string) error {
	switch {
	case len(targets) != 2:
		return cli.Usagef("diff: name two: turns (SESSION#N), captures (.json), .html files, tabs or URLs")
	case f.format != "" && !cli.IsFormat(f.format):
		return cli.Usagef("diff: --text %q: choose from %s", f.format, cli.FormatNames())
	case f.format != "" && f.options.Move != diff.MoveThreshold:
		return cli.Usagef("diff: --move changes nothing with --text, which has no boxes: leave one of them out")
	case f.format != "" && a.JSON:
		return cli.Usagef("diff: --text is for people and --json for programs: give one of them")
	}
	if f.asSent {
		return f.sent(ctx, a, targets)
	}
	o := a.Opener()
	defer o.Close()
	var pair [2]*snapshot.Capture
	for i, target := range targets {
		var err error
		if pair[i], err = o.OpenCapture(ctx, target, "diff"); err != nil {
			return err
		}
	}
	compare := f.captures
	if f.format != "" {
		compare = f.texts
	}
	differs, err := compare(ctx, a, targets, pair)
	if err == nil && f.exit && differs {
		err = cli.ErrReported
	}
	return err
}

// sent prints what differs between what the models of two turns were told.
func (f *diffFlags) sent(ctx context.Context, a *cli.App, targets []string) error {
	if a.JSON && f.lines != diffContext {
		return cli.Usagef("diff: --context is of the lines for people, and --json has them all: leave one of them out")
	}
	if f.format != "" || f.plain || f.options.Move != diff.MoveThreshold {
		return cli.Usagef("diff: --as-sent compares the texts as they were: leave out --text, --no-marks and --move")
	}
	o := a.Opener()
	o.Pageless = true
	defer o.Close()
	var pair [2]*inspect.Sent
	for i, name := range targets {
		if _, ok := target.ParseTurn(a.Home, name); !ok {
			return cli.Usagef("diff: --as-sent: %s is no recorded turn: name SESSION#N", name)
		}
		r, err := o.Open(ctx, name, session.Options{})
		if err != nil {
			return err
		}
		if pair[i], err = sentOf(ctx, a, r); err != nil {
			return err
		}
	}
	d := inspect.DiffSent(pair[0], pair[1])
	var err error
	if a.JSON {
		err = a.PrintJSON(d)
	} else if err = a.Show(ctx, d.Unified(f.lines), cli.PaintSides); err == nil {
		a.Remark("%s", d.Summary())
	}
	if err == nil && f.exit && d.Differs() {
		err = cli.ErrReported
	}
	return err
}

// captures prints what differs between two captures.
func (f *diffFlags) captures(ctx context.Context, a *cli.App, _ []string, pair [2]*snapshot.Capture) (differs bool,
	err error) {
	if f.options.Move == 0 { // to the flag 0 is no distance, to the options it is the default
		f.options.Move = 1e-9
	}
	d := diff.Captures(pair[0], pair[1], f.options)
	if a.JSON {
		return !d.Empty(), a.PrintJSON(d)
	}
	return !d.Empty(), a.Show(ctx, d.Report()+"\n", cli.PaintSides)
}

// texts prints what differs between the dumps of two captures.
func (f *diffFlags) texts(ctx context.Context, a *cli.App, targets []string, pair [2]*snapshot.Capture) (differs bool,
	err error) {
	var texts [2]string
	for i, c := range pair {
		d, err := format.Render(c, dump.Format(f.format), format.Options{Common: dump.Common{MaxChars: -1}})
		if err != nil {
			return false, fmt.Errorf("%s: %w", targets[i], err)
		}
		texts[i] = d.Text
	}
	out := diff.Unified(diff.Lines(texts[0], texts[1]), targets[0], targets[1], f.lines, !f.plain)
	return out != "", a.Show(ctx, out, cli.PaintSides)
}

// whatIfFlags are the flags of whatif.
type whatIfFlags struct {
	text   cli.TextFlags
	format string
	drop   []string
}

// WhatIf renders a capture as it is by default and with the flags, and prints which
// lines come and go (N-6).
func WhatIf(a *cli.App) *cobra.Command {
	var f whatIfFlags
	c := &cobra.Command{
		Use: "whatif TARGET --format F …", Short: "the lines that come and go with other limits, filters, options",
		Example: `  refscopectl whatif --max-chars 1000 shop#1
  refscopectl whatif --drop header --drop .ad shop#1
  refscopectl whatif --format aria --detail interactive --json shop#1`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return whatIf(c.Context(), a, &f, args) },
	}
	c.Flags().StringVar(&f.format, "format", string(format.DDDK), "text `FORMAT`: "+cli.FormatNames())
	c.Flags().StringArrayVar(&f.drop, "drop", nil,
		"`CSS` selector of elements to leave out with their contents; may be given again")
	cli.CompleteFlag(c, "format", cli.FormatList()...)
	f.text.Register(c)
	return c
}

func whatIf(ctx context.Context, a *cli.App, f *whatIfFlags, targets []string) error {
	if len(targets) != 1 {
		return cli.Usagef("whatif: %s", cli.OneTarget)
	}
	if !cli.IsFormat(f.format) {
		return cli.Usagef("whatif: unknown format %q: choose from %s", f.format, cli.FormatNames())
	}
	if err := f.text.Check("whatif", dump.Format(f.format)); err != nil {
		return err
	}
	tabs := a.Opener()
	defer tabs.Close()
	c, err := tabs.OpenCapture(ctx, targets[0], "whatif")
	if err != nil {
		return err
	}
	o, err := f.text.Of(c)
	if err != nil {
		return err
	}
	got, err := whatif.Compare(c, dump.Format(f.format), whatif.Setup{}, whatif.Setup{Options: o, Drop: f.drop})
	if err != nil {
		return &target.UsageError{Text: "whatif: " + err.Error()}
	}
	if a.JSON {
		return a.PrintJSON(got)
	}
	for _, line := range got.Lines {
		if err := a.Print(whatIfLine(line) + "\n"); err != nil {
			return err
		}
	}
	a.Remark("%d lines came, went or changed, %d stayed; %d characters became %d", len(got.Lines), got.Unchanged,
		utf8.RuneCountInString(got.Before.Text), utf8.RuneCountInString(got.After.Text))
	return nil
}

// whatIfLine is one line of the answer: +, - or ~, the text, and why.
func whatIfLine(c whatif.LineChange) string {
	var why []string
	for _, r := range c.Why {
		s := r.Reason
		if r.Detail != "" {
			s += ": " + text.CollapseSpace(r.Detail)
		}
		why = append(why, s)
	}
	reason := ""
	if len(why) > 0 {
		reason = "   # " + strings.Join(why, "; ")
	}
	switch c.Kind {
	case whatif.Came:
		return "+ " + text.CollapseSpace(c.To)
	case whatif.Went:
		return "- " + text.CollapseSpace(c.From) + reason
	}
	return "~ " + text.CollapseSpace(c.From) + "  →  " + text.CollapseSpace(c.To) + reason
}
