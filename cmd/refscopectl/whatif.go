package main

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
	"github.com/spf13/cobra"
)

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
		"`CSS` selector of elements to leave out with all they hold; may be given again")
	completeFlag(c, "format", formatList()...)
	f.text.register(c)
	return c
}

func (a *app) whatIf(ctx context.Context, f *whatIfFlags, targets []string) error {
	if len(targets) != 1 {
		return usagef("whatif: %s", oneTarget)
	}
	if !isFormat(f.format) {
		return usagef("whatif: there is no format %q: choose from %s", f.format, formatNames())
	}
	if err := f.text.check("whatif"); err != nil {
		return err
	}
	tabs := a.opener()
	defer tabs.close()
	c, err := tabs.openCapture(ctx, targets[0], "whatif")
	if err != nil {
		return err
	}
	o, err := f.text.of(c)
	if err != nil {
		return err
	}
	got, err := whatif.Compare(c, dump.Format(f.format), whatif.Setup{}, whatif.Setup{Options: o, Drop: f.drop})
	if err != nil {
		return &usageError{"whatif: " + err.Error()}
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
			s += ": " + text.Squash(r.Detail)
		}
		why = append(why, s)
	}
	reason := ""
	if len(why) > 0 {
		reason = "   # " + strings.Join(why, "; ")
	}
	switch c.Kind {
	case whatif.Came:
		return "+ " + text.Squash(c.To)
	case whatif.Went:
		return "- " + text.Squash(c.From) + reason
	}
	return "~ " + text.Squash(c.From) + "  →  " + text.Squash(c.To) + reason
}
