package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/whatif"
)

// whatIf renders a capture as it is by default and with the flags, and prints which
// lines come and go (N-6). With a recorded turn no browser is needed.
func whatIf(ctx context.Context, a *app, args []string) error {
	var f textFlags
	var name string
	var drop []string
	targets, err := a.globals("refscopectl whatif", args, func(fs *flag.FlagSet) {
		fs.StringVar(&name, "format", string(format.DDDK), "text format: "+formatNames())
		fs.Func("drop", "CSS selector of elements to leave out with all they hold; may be given again", func(s string) error {
			drop = append(drop, s)
			return nil
		})
		f.register(fs)
	})
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usagef("whatif: name one turn (SESSION#N), capture (.json), .html file or URL")
	}
	if !isFormat(name) {
		return usagef("whatif: there is no format %q: choose from %s", name, formatNames())
	}
	if err := f.check("whatif"); err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	c, err := l.capture(ctx, targets[0], "whatif")
	if err != nil {
		return err
	}
	o, err := f.of(c)
	if err != nil {
		return err
	}
	got, err := whatif.Compare(c, dump.Format(name), whatif.Setup{}, whatif.Setup{Options: o, Drop: drop})
	if err != nil {
		return &usageError{"whatif: " + err.Error()}
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(got)
	}
	for _, line := range got.Lines {
		if _, err := fmt.Fprintln(a.stdout, visible(whatIfLine(line))); err != nil {
			return err
		}
	}
	a.remark("%d lines came, went or changed, %d stayed; %d characters became %d", len(got.Lines), got.Unchanged, len([]rune(got.Before.Text)), len([]rune(got.After.Text)))
	return nil
}

// whatIfLine is one line of the answer: +, - or ~, the text, and why.
func whatIfLine(c whatif.LineChange) string {
	var why []string
	for _, r := range c.Why {
		s := r.Reason
		if r.Detail != "" {
			s += ": " + oneLine(r.Detail)
		}
		why = append(why, s)
	}
	reason := ""
	if len(why) > 0 {
		reason = "   # " + strings.Join(why, "; ")
	}
	switch c.Kind {
	case whatif.Came:
		return "+ " + oneLine(c.To)
	case whatif.Went:
		return "- " + oneLine(c.From) + reason
	}
	return "~ " + oneLine(c.From) + "  →  " + oneLine(c.To) + reason
}
