package main

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
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

// diffCommand compares two turns, captures or pages.
func diffCommand(a *app) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use: "diff A B", Short: "what differs between two turns, captures or pages",
		Example: `  refscopectl diff shop#1 shop#2
  refscopectl diff shop#1 assets/demo/index.html --text dddk
  refscopectl diff shop#3 shop#4 --as-sent
  refscopectl diff before.json after.json --json --exit-code`,
		ValidArgsFunction: a.targets(),
		RunE:              func(c *cobra.Command, args []string) error { return a.diff(c.Context(), &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "text", "", "compare the dumps in that `FORMAT` line by line instead: "+formatNames())
	fs.BoolVar(&f.asSent, "as-sent", false,
		"compare what the models of two recorded turns were told in the agent's own text "+
			"instead; the agent's numbers do not count")
	fs.IntVar(&f.lines, "context", diffContext, "with --text and --as-sent: `N` lines around each change, -1 for all")
	fs.BoolVar(&f.plain, "no-marks", false,
		"with --text: no lines that mark the words that differ, as patch(1) expects it")
	fs.Float64Var(&f.options.Move, "move", diff.MoveThreshold,
		"how far an edge must go to count, in CSS `PX`; below 0, boxes are not compared")
	fs.BoolVar(&f.exit, "exit-code", false, "exit 1 where something differs")
	needs(c, "context", "text", "as-sent")
	needs(c, "no-marks", "text")
	completeFlag(c, "text", formatList()...)
	return c
}

func (a *app) diff(ctx context.Context, f *diffFlags, targets []string) error {
	switch {
	case len(targets) != 2:
		return usagef("diff: name two: turns (SESSION#N), captures (.json), .html files, tabs or URLs")
	case f.format != "" && !isFormat(f.format):
		return usagef("diff: --text %q: choose from %s", f.format, formatNames())
	case f.format != "" && f.options.Move != diff.MoveThreshold:
		return usagef("diff: --move changes nothing with --text, which has no boxes: leave one of them out")
	case f.format != "" && a.json:
		return usagef("diff: --text is for people and --json for programs: give one of them")
	}
	if f.asSent {
		return f.sent(ctx, a, targets)
	}
	o := a.opener()
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
		err = errReported
	}
	return err
}

// sent prints what differs between what the models of two turns were told.
func (f *diffFlags) sent(ctx context.Context, a *app, targets []string) error {
	if a.json && f.lines != diffContext {
		return usagef("diff: --context is of the lines for people, and --json has them all: leave one of them out")
	}
	if f.format != "" || f.plain || f.options.Move != diff.MoveThreshold {
		return usagef("diff: --as-sent compares the texts as they were: leave out --text, --no-marks and --move")
	}
	o := a.opener()
	defer o.Close()
	var pair [2]*inspect.Sent
	for i, name := range targets {
		if _, ok := target.ParseTurn(a.home, name); !ok {
			return usagef("diff: --as-sent: %s is no recorded turn: name SESSION#N", name)
		}
		r, err := o.Open(ctx, name, session.Options{})
		if err != nil {
			return err
		}
		if pair[i], err = a.sentOf(ctx, r); err != nil {
			return err
		}
	}
	d := inspect.DiffSent(pair[0], pair[1])
	var err error
	if a.json {
		err = a.printJSON(d)
	} else if err = a.show(ctx, d.Unified(f.lines), paintSides); err == nil {
		a.remark("%s", d.Summary())
	}
	if err == nil && f.exit && d.Differs() {
		err = errReported
	}
	return err
}

// captures prints what differs between two captures.
func (f *diffFlags) captures(ctx context.Context, a *app, _ []string, pair [2]*snapshot.Capture) (differs bool,
	err error) {
	if f.options.Move == 0 { // to the flag 0 is no distance, to the options it is the default
		f.options.Move = 1e-9
	}
	d := diff.Captures(pair[0], pair[1], f.options)
	if a.json {
		return !d.Empty(), a.printJSON(d)
	}
	return !d.Empty(), a.show(ctx, d.Report()+"\n", paintSides)
}

// texts prints what differs between the dumps of two captures.
func (f *diffFlags) texts(ctx context.Context, a *app, targets []string, pair [2]*snapshot.Capture) (differs bool,
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
	return out != "", a.show(ctx, out, paintSides)
}

// whatIfFlags are the flags of whatif.
type whatIfFlags struct {
	text   textFlags
	format string
	drop   []string
}

// whatIfCommand renders a capture as it is by default and with the flags, and prints which
// lines come and go (N-6).
func whatIfCommand(a *app) *cobra.Command {
	var f whatIfFlags
	c := &cobra.Command{
		Use: "whatif TARGET --format F …", Short: "the lines that come and go with other limits, filters, options",
		Example: `  refscopectl whatif --max-chars 1000 shop#1
  refscopectl whatif --drop header --drop .ad shop#1
  refscopectl whatif --format aria --detail interactive --json shop#1`,
		ValidArgsFunction: first(a.targets()),
		RunE:              func(c *cobra.Command, args []string) error { return a.whatIf(c.Context(), &f, args) },
	}
	c.Flags().StringVar(&f.format, "format", string(format.DDDK), "text `FORMAT`: "+formatNames())
	c.Flags().StringArrayVar(&f.drop, "drop", nil,
		"`CSS` selector of elements to leave out with their contents; may be given again")
	completeFlag(c, "format", formatList()...)
	f.text.register(c)
	return c
}

func (a *app) whatIf(ctx context.Context, f *whatIfFlags, targets []string) error {
	if len(targets) != 1 {
		return usagef("whatif: %s", oneTarget)
	}
	if !isFormat(f.format) {
		return usagef("whatif: unknown format %q: choose from %s", f.format, formatNames())
	}
	if err := f.text.check("whatif", dump.Format(f.format)); err != nil {
		return err
	}
	tabs := a.opener()
	defer tabs.Close()
	c, err := tabs.OpenCapture(ctx, targets[0], "whatif")
	if err != nil {
		return err
	}
	o, err := f.text.of(c)
	if err != nil {
		return err
	}
	got, err := whatif.Compare(c, dump.Format(f.format), whatif.Setup{}, whatif.Setup{Options: o, Drop: f.drop})
	if err != nil {
		return &target.UsageError{Text: "whatif: " + err.Error()}
	}
	if a.json {
		return a.printJSON(got)
	}
	for _, line := range got.Lines {
		if err := a.print(whatIfLine(line) + "\n"); err != nil {
			return err
		}
	}
	a.remark("%d lines came, went or changed, %d stayed; %d characters became %d", len(got.Lines), got.Unchanged,
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
