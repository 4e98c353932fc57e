package view

import (
	"context"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/find"
	"github.com/spf13/cobra"
)

// findFlags are the flags of find.
type findFlags struct {
	query find.Query
	near  string
	// number is that of an element, the agent's own or ours.
	number string
}

// Find searches a turn, a capture or a page for elements.
func Find(a *cli.App) *cobra.Command {
	var f findFlags
	c := &cobra.Command{
		Use: "find TARGET --text … --role …", Short: "elements by text, pattern, role, selector, place",
		Example: `  refscopectl find --role button shop#1
  refscopectl find --text "add to cart" --json shop#1
  refscopectl find --number e17 shop#3
  refscopectl find --near 640,360,100 assets/demo/index.html`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return runFind(c.Context(), a, &f, args) },
	}
	fs, q := c.Flags(), &f.query
	fs.StringVar(&q.Text, "text", "", "a part of name and value, a `TEXT` without case")
	fs.StringVar(&f.number, "number", "",
		"the element with that `NUMBER`: the agent's own in a recorded turn (e17, 3_14, "+
			"0-36), else the capture's")
	fs.BoolVar(&q.Exact, "exact", false, "--text is the whole name")
	fs.StringVar(&q.Pattern, "pattern", "", "regular `EXPRESSION` (RE2) for a part of name or value, without case")
	fs.StringVar(&q.Role, "role", "", "the `ROLE`; of an element without one, its tag as <p>")
	fs.StringVar(&q.Selector, "selector", "", "`CSS` selector")
	fs.StringVar(&f.near, "near", "",
		"`X,Y[,RADIUS]` in CSS px of the viewport: the middle of the box lies within RADIUS, "+
			"50 by default; nearest first")
	fs.IntVar(&q.Limit, "limit", find.Limit, "print at most `N`, -1 for all")
	fs.IntVar(&q.Context, "context", find.Levels, "name at most `N` ancestors in the path, -1 for none")
	cli.Needs(c, "exact", "text")
	cli.Alone(c, "number", "text", "exact", "pattern", "role", "selector", "near", "context")
	return c
}

func runFind(ctx context.Context, a *cli.App, f *findFlags, targets []string) error {
	switch len(targets) {
	case 1:
	case 2: // why takes its element so
		return cli.Usagef("find: it reads one target: give a part of a name as --text %q, a number as --number %[1]q",
			targets[1])
	default:
		return cli.Usagef("find: %s", cli.OneTarget)
	}
	if f.near != "" {
		var err error
		if f.query.Near, err = parseNear(f.near); err != nil {
			return err
		}
	}
	if f.query.Limit == 0 || f.query.Context == 0 {
		return cli.Usagef("find: --limit and --context are from 1 on, or -1")
	}
	tabs := a.Opener()
	tabs.Pageless = true // its agent's own text may be asked about
	defer tabs.Close()
	r, err := tabs.Open(ctx, targets[0], session.Options{NoPicture: true, Action: "find"})
	if err != nil {
		return err
	}
	answer, err := inspect.Find(ctx, r, inspect.FindOptions{Query: f.query, Number: f.number})
	if err != nil {
		return err
	}
	if err := a.Emit(ctx, answer); err != nil || a.JSON {
		return err
	}
	kept := "kept "
	if f.number != "" {
		kept = ""
	}
	a.Remark("%d of %d %selements match", answer.MatchCount, answer.SearchedElements, kept)
	if answer.DidYouMean != "" {
		a.Remark("no element has the role %q: did you mean %s?", f.query.Role, answer.DidYouMean)
	}
	return nil
}

// parseNear reads X,Y or X,Y,RADIUS.
func parseNear(s string) (*find.Near, error) {
	parts := strings.Split(s, ",")
	var v [3]float64
	ok := len(parts) == 2 || len(parts) == 3
	for i := range min(len(parts), len(v)) {
		f, err := strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		ok = ok && err == nil
		v[i] = f
	}
	if !ok {
		return nil, cli.Usagef("find: --near %q: write it as X,Y or X,Y,RADIUS in CSS px", s)
	}
	return &find.Near{X: v[0], Y: v[1], Radius: v[2]}, nil
}
