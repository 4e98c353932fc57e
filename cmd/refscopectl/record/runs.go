package record

import (
	"context"
	"fmt"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	html string
	all  bool
}

// Compare compares two runs.
func Compare(a *cli.App) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use: "compare A B", Short: "where two runs parted, and why: page, payload, answer or actuation",
		Long: "compare aligns the turns of two sessions and names the first thing that differs: what the agent\n" +
			"answered, what came of it, the page, or what the model was given of it. Times, ids, numbers of\n" +
			"elements and advertisements do not count. The exit status is 1 where something differs. A and B are\n" +
			"names, folders or " + turn.Extension + " files.",
		Example: `  refscopectl compare passed failed
  refscopectl compare passed failed --html out/compare.html
  refscopectl compare baseline nightly --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 2 {
				return cli.Usagef("compare: unexpected argument %q: name two sessions", args[2])
			}
			if len(args) != 2 {
				return cli.Usagef("compare: name two sessions: names, folders or %s files", turn.Extension)
			}
			return nil
		},
		ValidArgsFunction: a.Completer(cobra.ShellCompDirectiveDefault, (*cli.App).CompleteSessions),
		RunE:              func(c *cobra.Command, args []string) error { return compareRuns(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.html, "html", "", "write the comparison to this .html `FILE` too, with both pictures")
	fs.BoolVar(&f.all, "all", false, "print equal turns too")
	return c
}

func compareRuns(ctx context.Context, a *cli.App, f *compareFlags, names []string) error {
	if f.all && a.JSON {
		return cli.Usagef("compare: --all is for people, and --json has every turn: give one of them")
	}
	var both [2]inspect.Run
	for i, name := range names {
		s, err := a.OpenSession(name)
		if err != nil {
			return err
		}
		defer s.Close()
		both[i] = inspect.Run{Name: name, Store: s}
	}
	c, err := inspect.CompareRuns(ctx, both[0], both[1])
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if f.html != "" {
		page, err := inspect.ComparisonPage(ctx, c, both[0], both[1])
		if err != nil {
			return fmt.Errorf("compare: %w", err)
		}
		if err := export.Write(f.html, page); err != nil {
			return err
		}
	}
	if a.JSON {
		err = a.PrintJSON(c)
	} else {
		err = a.Print(c.Text(names[0], names[1], f.all))
	}
	if err == nil && c.Divergence() != nil {
		err = cli.ErrReported
	}
	return err
}
