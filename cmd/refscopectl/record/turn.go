package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// TurnFlags are the flags of turn.
type TurnFlags struct {
	dir  string
	page cli.CaptureFlags
}

// Turn takes one turn of each target and prints a line once it is safe on disk.
func Turn(a *cli.App) *cobra.Command { return new(TurnFlags).Command(a) }

// Command makes the command that reads f.
func (f *TurnFlags) Command(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use: "turn TARGET… -o DIR", Short: "whole turns into a session folder",
		Example: `  refscopectl turn assets/demo/checkout.html -o out/session
  refscopectl turn https://example.org/ https://example.org/shop --session shop
  refscopectl turn t1 --session shop`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return takeTurns(c.Context(), a, f, args) },
	}
	c.Flags().StringVarP(&f.dir, "output", "o", "", "the session folder `DIR`; created if missing")
	cli.Must(c.MarkFlagDirname("output"))
	f.page.Register(c)
	f.page.RegisterKeep(c)
	cli.RegisterWrites(c, &f.page.Writes)
	f.page.RegisterJobs(c)
	return c
}

func takeTurns(ctx context.Context, a *cli.App, f *TurnFlags, targets []string) error {
	if len(targets) == 0 {
		return cli.Usagef("turn: name a target: a URL, an .html file or a tab")
	}
	if err := f.page.CheckJobs("turn"); err != nil {
		return err
	}
	if err := a.CheckPages("turn", targets); err != nil {
		return err
	}
	store, err := openStore(ctx, a, "turn", f.dir)
	if err != nil {
		return err
	}
	defer store.Close()
	o := a.Opener()
	o.Keep = f.page.Keep
	defer o.Close()
	step, done := a.Progress("turns", len(targets))
	var failed []error
	options := session.Options{Store: store, Settle: f.page.Settle, Action: "turn", PageWrites: f.page.Writes}
	err = o.OpenAll(ctx, f.page.Jobs, targets, options, func(_ string, r *target.Opened, err error) error {
		step(err != nil)
		if err != nil {
			failed = append(failed, err)
			if !a.JSON {
				a.Report(err)
			}
			return nil
		}
		if err := printTurn(a, r); err != nil {
			return err
		}
		if f.page.Keep {
			a.PrintKept(r)
		}
		f.page.RemarkLost(a, r)
		return nil
	})
	done()
	switch {
	case err != nil:
		return err
	case len(failed) == 0:
		return nil
	case len(targets) == 1 && a.JSON:
		return failed[0]
	case a.JSON:
		return errors.Join(failed...)
	case len(targets) == 1:
		return cli.ErrReported
	}
	return fmt.Errorf("%d of %d targets failed", len(failed), len(targets))
}

// openStore is the session that a command's turns go to: that of -o, or of --session.
func openStore(ctx context.Context, a *cli.App, command, dir string) (*turn.Store, error) {
	switch {
	case dir != "" && a.Session != "":
		return nil, cli.Usagef("%s: -o and --session both name a session: give one of them", command)
	case dir != "":
		return target.OpenFolder(ctx, dir, cli.Tool())
	case a.Session != "":
		return a.Store(ctx, a.Session)
	}
	return nil, cli.Usagef("%s: name the session folder with -o DIR, or a session with --session NAME", command)
}

// printTurn prints one line about a turn that was taken.
func printTurn(a *cli.App, r *target.Opened) error {
	c := r.Capture
	if a.JSON {
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
		return a.PrintJSON(line)
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
	return a.Printf("%s#%d  %d refs  %d elements  %s%s\n",
		r.Where, r.N, c.Verdicts[snapshot.VerdictRef], len(c.Nodes), target.Clean(r.Name), note)
}
