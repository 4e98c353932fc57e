package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
	"github.com/spf13/cobra"
)

// whyAnswer is the output of why with --json.
type whyAnswer struct {
	Schema       string             `json:"schema"`
	Target       string             `json:"target"`
	Question     string             `json:"question"`
	Explanations []*why.Explanation `json:"explanations"`
	// More is how many elements the question names besides.
	More int `json:"more"`
}

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
		Long: "ELEMENT is a number of the capture, a CSS selector, or X,Y in CSS px of the viewport.",
		Example: `  refscopectl why shop#1 12
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
	q, err := why.ParseQuestion(args[1])
	if err != nil {
		return &target.UsageError{Text: err.Error()}
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
	e := why.New(r.Capture, viewsOf(f.formats, o)...)
	found, err := e.Find(q)
	if err != nil {
		return err
	}
	answer := whyAnswer{Schema: why.Schema, Target: target.Clean(args[0]), Question: q.String(),
		Explanations: []*why.Explanation{}}
	if f.limit > 0 && len(found) > f.limit {
		answer.More, found = len(found)-f.limit, found[:f.limit]
	}
	ledger, err := ledgerOf(ctx, r)
	if err != nil {
		return err
	}
	for _, el := range found {
		x, err := e.Explain(el.Node)
		if err != nil {
			return err
		}
		if ledger != nil {
			x.History = why.History(ledger, el.Ref)
		}
		answer.Explanations = append(answer.Explanations, x)
	}
	if a.json {
		return a.printJSON(answer)
	}
	if q.IsPlace() {
		if err := a.printPlace(q, found, answer.More); err != nil {
			return err
		}
	}
	for _, x := range answer.Explanations {
		if err := a.print(x.Text() + "\n"); err != nil {
			return err
		}
	}
	if answer.More > 0 {
		a.remark("%d more elements are named by %s: --limit -1 explains them too", answer.More, q)
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

// ledgerOf is the ledger of the session that a recorded turn is of, nil for none.
func ledgerOf(ctx context.Context, r *target.Opened) (*turn.Ledger, error) {
	if r.Record == nil {
		return nil, nil
	}
	store, err := turn.OpenPath(r.Where)
	if err != nil {
		return nil, fmt.Errorf("opening the session %s: %w", r.Where, err)
	}
	defer store.Close()
	ledger, err := store.Ledger(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger of %s: %w", r.Where, err)
	}
	return ledger, nil
}

// printPlace lists what lies at a place before the explanations.
func (a *app) printPlace(q why.Question, found []why.Element, more int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "at %s, from the topmost down:\n", q)
	for i, el := range found {
		kept := "kept"
		if !el.Kept {
			kept = string(el.Verdict)
		}
		fmt.Fprintf(&b, "  %d. %s  %s\n", i+1, el.Say(), kept)
	}
	if more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	return a.print(b.String() + "\n")
}
