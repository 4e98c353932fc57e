package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// turnFlags are the flags of turn.
type turnFlags struct {
	dir  string
	page captureFlags
}

// turnCommand takes one turn of each target and prints a line once it is safe on disk.
func turnCommand(a *app) *cobra.Command { return new(turnFlags).command(a) }

// command makes the command that reads f.
func (f *turnFlags) command(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "turn TARGET… -o DIR", Short: "whole turns into a session folder",
		Example: `  refscopectl turn assets/demo/checkout.html -o out/session
  refscopectl turn https://example.org/ https://example.org/shop --session shop
  refscopectl turn t1 --session shop`,
		ValidArgsFunction: a.targets(),
		RunE:              func(c *cobra.Command, args []string) error { return a.takeTurns(c.Context(), f, args) },
	}
	c.Flags().StringVarP(&f.dir, "output", "o", "", "the session folder `DIR`; created if missing")
	must(c.MarkFlagDirname("output"))
	f.page.register(c)
	f.page.registerKeep(c)
	registerWrites(c, &f.page.writes)
	f.page.registerJobs(c)
	return c
}

func (a *app) takeTurns(ctx context.Context, f *turnFlags, targets []string) error {
	if len(targets) == 0 {
		return usagef("turn: name a target: a URL, an .html file or a tab")
	}
	if err := f.page.checkJobs("turn"); err != nil {
		return err
	}
	if err := a.checkPages("turn", targets); err != nil {
		return err
	}
	store, err := f.store(ctx, a)
	if err != nil {
		return err
	}
	defer store.Close()
	o := a.opener()
	o.Keep = f.page.keep
	defer o.Close()
	step, done := a.progress("turns", len(targets))
	var failed []error
	options := session.Options{Store: store, Settle: f.page.settle, Action: "turn", PageWrites: f.page.writes}
	err = o.OpenAll(ctx, f.page.jobs, targets, options, func(_ string, r *target.Opened, err error) error {
		step(err != nil)
		if err != nil {
			failed = append(failed, err)
			if !a.json {
				a.report(err)
			}
			return nil
		}
		if err := a.printTurn(r); err != nil {
			return err
		}
		if f.page.keep {
			a.printKept(r)
		}
		f.page.remarkLost(a, r)
		return nil
	})
	done()
	switch {
	case err != nil:
		return err
	case len(failed) == 0:
		return nil
	case len(targets) == 1 && a.json:
		return failed[0]
	case a.json:
		return errors.Join(failed...)
	case len(targets) == 1:
		return errReported
	}
	return fmt.Errorf("%d of %d targets failed", len(failed), len(targets))
}

// store is the session that the turns go to.
func (f *turnFlags) store(ctx context.Context, a *app) (*turn.Store, error) {
	switch {
	case f.dir != "" && a.session != "":
		return nil, usagef("turn: -o and --session both name a session: give one of them")
	case f.dir != "":
		return target.OpenFolder(ctx, f.dir, tool())
	case a.session != "":
		return a.store(ctx, a.session)
	}
	return nil, usagef("turn: name the session folder with -o DIR, or a session with --session NAME")
}

// printTurn prints one line about a turn that was taken.
func (a *app) printTurn(r *target.Opened) error {
	c := r.Capture
	if a.json {
		line := map[string]any{
			"status": "ok", "target": target.Clean(r.Name), "turn": r.N, "session": r.Where, "url": c.URL,
			"title":   c.Title,
			"settled": c.Settled, "torn": c.Moment.Torn, "verdicts": c.Verdicts,
		}
		if why := c.CutOff(); why != "" {
			line["cutOff"] = why
		}
		if r.Tab != "" {
			line["tab"] = r.Tab
		}
		return a.printJSON(line)
	}
	note := ""
	if !c.Settled {
		note += "  not settled"
	}
	if c.Moment.Torn {
		note += "  torn"
	}
	if c.CutOff() != "" {
		note += "  cut off"
	}
	return a.printf("%s#%d  %d refs  %d elements  %s%s\n",
		r.Where, r.N, c.Verdicts[snapshot.VerdictRef], len(c.Nodes), target.Clean(r.Name), note)
}
