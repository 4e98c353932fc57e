package main

import (
	"context"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/spf13/cobra"
)

// whyFlags are the flags of why.
type whyFlags struct {
	text    textFlags
	formats []string
	limit   int
}

// whyCommand explains why an element is, or is not, in what the agent read (N-2).
func whyCommand(a *app) *cobra.Command {
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
		ValidArgsFunction: first(a.targets()),
		RunE:              func(c *cobra.Command, args []string) error { return a.why(c.Context(), &f, args) },
	}
	c.Flags().StringArrayVar(&f.formats, "format", nil,
		"ask about that `FORMAT` alone; may be given again; default all: "+formatNames())
	c.Flags().IntVar(&f.limit, "limit", 10, "of the elements that a place or a selector names, explain `N`, -1 for all")
	completeFlag(c, "format", formatList()...)
	f.text.register(c)
	return c
}

func (a *app) why(ctx context.Context, f *whyFlags, args []string) error {
	if len(args) != 2 {
		return usagef("why: %s, and then an element: its number, a CSS selector or X,Y", oneTarget)
	}
	if f.limit == 0 {
		return usagef("why: --limit is from 1 on, or -1")
	}
	if _, recorded := target.ParseTurn(a.home, args[0]); !recorded { // a turn may have numbers of the agent's own
		if _, err := why.ParseQuestion(args[1]); err != nil {
			return &target.UsageError{Text: err.Error()}
		}
	}
	for _, name := range f.formats {
		if err := checkFormat("why", name, f.text.options); err != nil {
			return err
		}
	}
	asked := format.Names()
	if len(f.formats) > 0 {
		asked = named(f.formats)
	}
	if err := f.text.check("why", asked...); err != nil {
		return err
	}
	tabs := a.opener()
	defer tabs.Close()
	r, err := tabs.Open(ctx, args[0], session.Options{NoPicture: true, Action: "why"})
	if err != nil {
		return err
	}
	o, err := f.text.of(r.Capture)
	if err != nil {
		return err
	}
	answer, err := inspect.Why(ctx, r, inspect.WhyOptions{Question: args[1], Views: viewsOf(f.formats, o),
		Limit: f.limit})
	if err != nil {
		return err
	}
	if err := a.emit(ctx, answer); err != nil {
		return err
	}
	if answer.More > 0 && !a.json {
		a.remark("%d more elements are named by %s: --limit -1 explains them too", answer.More, answer.Question)
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
