package view

import (
	"context"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/spf13/cobra"
)

// whyFlags are the flags of why.
type whyFlags struct {
	text    cli.TextFlags
	formats []string
	limit   int
}

// Why explains why an element is, or is not, in what the agent read (N-2).
func Why(a *cli.App) *cobra.Command {
	var f whyFlags
	c := &cobra.Command{
		Use: "why TARGET ELEMENT", Short: "why an element is, or is not, in what the agent read",
		Long: "ELEMENT is a number, a CSS selector, or X,Y in CSS px of the viewport. A number is that of the " +
			"agent's own\ntext where a recorded turn has one with it, as the agent writes it (e17, f2e7, 3_14, 0-36, " +
			"[12], bid a12),\nelse that of the capture; own:12 is always the latter.",
		Example: `  refscopectl why shop#1 12
  refscopectl why shop#3 e17
  refscopectl why shop#1 "#password"
  refscopectl why assets/demo/index.html 640,360 --format aria`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return runWhy(c.Context(), a, &f, args) },
	}
	c.Flags().StringArrayVar(&f.formats, "format", nil,
		"ask about that `FORMAT` alone; may be given again; default all: "+cli.FormatNames())
	c.Flags().IntVar(&f.limit, "limit", 10, "of the elements that a place or a selector names, explain `N`, -1 for all")
	cli.CompleteFlag(c, "format", cli.FormatList()...)
	f.text.Register(c)
	return c
}

func runWhy(ctx context.Context, a *cli.App, f *whyFlags, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("why: %s, and then an element: its number, a CSS selector or X,Y", cli.OneTarget)
	}
	if f.limit == 0 {
		return cli.Usagef("why: --limit is from 1 on, or -1")
	}
	if _, recorded := target.ParseTurn(a.Home, args[0]); !recorded { // a turn may have numbers of the agent's own
		if _, err := why.ParseQuestion(args[1]); err != nil {
			return &target.UsageError{Text: err.Error()}
		}
	}
	for _, name := range f.formats {
		if err := cli.CheckFormat("why", name, f.text.Options); err != nil {
			return err
		}
	}
	asked := format.Names()
	if len(f.formats) > 0 {
		asked = cli.Named(f.formats)
	}
	if err := f.text.Check("why", asked...); err != nil {
		return err
	}
	tabs := a.Opener()
	tabs.Pageless = true // its agent's own text may be asked about
	defer tabs.Close()
	r, err := tabs.Open(ctx, args[0], session.Options{NoPicture: true, Action: "why"})
	if err != nil {
		return err
	}
	o, err := f.text.Of(r.Capture)
	if err != nil {
		return err
	}
	answer, err := inspect.Why(ctx, r, inspect.WhyOptions{Question: args[1], Views: viewsOf(f.formats, o),
		Limit: f.limit})
	if err != nil {
		return err
	}
	if err := a.Emit(ctx, answer); err != nil {
		return err
	}
	if answer.More > 0 && !a.JSON {
		a.Remark("%d more elements are named by %s: --limit -1 explains them too", answer.More, answer.Question)
	}
	return nil
}

// viewsOf are these formats with the options, all that need no query for none.
func viewsOf(formats []string, o format.Options) []why.View {
	var views []why.View
	if len(formats) == 0 {
		views = why.Views()
	}
	for _, name := range formats {
		views = append(views, why.View{Format: dump.Format(name)})
	}
	for i := range views {
		views[i].Options = o
	}
	return views
}
