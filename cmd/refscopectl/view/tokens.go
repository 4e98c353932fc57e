package view

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/treemap"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/tokenmap"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/spf13/cobra"
)

// tokensFlags are the flags of tokens.
type tokensFlags struct {
	text            cli.TextFlags
	page            cli.CaptureFlags
	format, by, out string
	fullPage        bool
	price           float64 // of a million tokens
	model           string  // that the picture of hybrid is for
}

// seedPrice is what the seed's table of modes reckons with (S-23): $0.01 for 1,000 tokens.
const seedPrice = 10

// Tokens measures what a page costs: by format, and within one by region, tag and
// repeated row, with what its limits saved.
func Tokens(a *cli.App) *cobra.Command {
	var f tokensFlags
	c := &cobra.Command{
		Use: "tokens TARGET", Short: "what a page costs by format, region, tag, repeated row",
		Example: `  refscopectl tokens shop#1
  refscopectl tokens shop#1 --format aria --by region
  refscopectl tokens assets/demo/index.html --map out/tokens.png`,
		ValidArgsFunction: cli.First(a.Targets()),
		RunE:              func(c *cobra.Command, args []string) error { return runTokens(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", string(format.DDDK), "`FORMAT` that is taken apart: "+cli.FormatNames())
	fs.StringVar(&f.by, "by", "", "only that table: `"+strings.Join(costTables, "|")+"`")
	fs.StringVar(&f.out, "map", "", "the picture with each region tinted by its cost, a .png or .webp `FILE`")
	fs.Float64Var(&f.price, "price", seedPrice,
		"`PRICE` of 1,000,000 tokens of input, for the column of costs; the default is the dollars that the modes' "+
			"original reckons with, so give your vendor's")
	fs.StringVar(&f.model, "model", "gpt-4o",
		"`NAME` of the model whose arithmetic the picture of hybrid is counted by")
	fs.BoolVar(&f.fullPage, "full-page", false, "the whole page and not the window's part of it")
	cli.CompleteFlag(c, "format", cli.FormatList()...)
	cli.CompleteFlag(c, "by", costTables...)
	f.text.Register(c)
	f.page.Register(c)
	return c
}

// costTables are the tables that --by chooses from.
var costTables = []string{"format", "region", "tag", "repeat", "cut"}

func (f *tokensFlags) check(a *cli.App) error {
	switch {
	case !cli.IsFormat(f.format):
		return cli.Usagef("tokens: unknown format %q: choose from %s", f.format, cli.FormatNames())
	case f.by != "" && !slices.Contains(costTables, f.by):
		return cli.Usagef("tokens: --by %q: choose from %s", f.by, strings.Join(costTables, " | "))
	}
	switch {
	case f.by != "" && a.JSON:
		return cli.Usagef("tokens: --by chooses a table for people, and --json has them all: leave one of them out")
	case f.by == "format" && f.format != string(format.DDDK) && f.out == "":
		return cli.Usagef("tokens: --format changes nothing with --by format, which has them all: leave one of them " +
			"out")
	}
	if f.price < 0 {
		return cli.Usagef("tokens: --price %g: it must not be below zero", f.price)
	}
	if _, known := vision.Lookup(f.model); !known {
		return cli.Usagef("tokens: --model %q is not known: refscopectl mark --help lists the models", f.model)
	}
	if f.out != "" {
		if format, err := codec.FormatOf(f.out); err != nil || format == codec.JPEG {
			return cli.Usagef("tokens: --map %s: end its name in .png or .webp", f.out)
		}
	}
	return f.text.Check("tokens", format.Names()...)
}

func runTokens(ctx context.Context, a *cli.App, f *tokensFlags, targets []string) error {
	if len(targets) != 1 {
		return cli.Usagef("tokens: %s", cli.OneTarget)
	}
	if err := f.check(a); err != nil {
		return err
	}
	tabs := a.Opener()
	defer tabs.Close()
	r, err := tabs.Open(ctx, targets[0], session.Options{
		NoPicture: f.out == "", FullPage: f.fullPage, Settle: f.page.Settle, Action: "tokens",
	})
	if err != nil {
		return err
	}
	if f.fullPage && r.Capture.FullPage == nil {
		return cli.Usagef("tokens: --full-page: %s was recorded of what the window showed: name the page itself",
			targets[0])
	}
	o, err := f.text.Of(r.Capture)
	if err != nil {
		return err
	}
	k, err := inspect.CostsOf(r.Capture, inspect.CostOptions{Options: o, Format: dump.Format(f.format), Price: f.price,
		Model: f.model, Counter: &f.text.Counter})
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := f.draw(a, r, k.Map); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(k)
	}
	return printCosts(a, k, f.by)
}

// draw writes the map on the picture.
func (f *tokensFlags) draw(a *cli.App, r *target.Opened, m *tokenmap.Map) error {
	img, err := r.Canvas(true)
	if err != nil {
		return err
	}
	t, err := treemap.New(r.Capture, m, img.Rect.Size())
	if err != nil {
		return err
	}
	format, err := codec.FormatOf(f.out)
	if err != nil {
		return err
	}
	var e codec.Encoder
	data, err := e.EncodeAs(t.Draw(img), format, false)
	if err != nil {
		return fmt.Errorf("%s: %w", f.out, err)
	}
	if err := export.Write(f.out, data); err != nil {
		return err
	}
	a.Remark("%s: %d regions of %s", f.out, len(m.Regions), m.Format)
	return nil
}

// Rows of a table for people; what is left out is in its last row.
const (
	regionRows = 40
	repeatRows = 10
)

// printCosts is the answer for people: one table, or all but that of tags.
func printCosts(a *cli.App, k *inspect.Costs, by string) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	first := true
	for _, t := range []struct {
		name  string
		write func(io.Writer, *inspect.Costs)
	}{{"format", byFormat}, {"region", byRegion}, {"tag", byTag}, {"repeat", byRepeat}, {"cut", byCut}} {
		if by == t.name || by == "" && t.name != "tag" {
			if !first {
				fmt.Fprintln(w)
			}
			t.write(w, k)
			first = false
			if err := w.Flush(); err != nil {
				return fmt.Errorf("printing the table: %w", err)
			}
		}
	}
	return nil
}

func byFormat(w io.Writer, k *inspect.Costs) {
	fmt.Fprintf(w, "format\ttokens (%s)\tpicture\tcost\tcharacters / 4\tcharacters\tbytes\tleft out\t\n",
		tokens.Encoding)
	for _, f := range k.Formats {
		cut, picture := "", ""
		if f.Truncated {
			cut = "cut"
		}
		if f.Picture > 0 {
			picture = "+" + strconv.Itoa(f.Picture)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%.6f\t%d\t%d\t%d\t%d\t%s\n", f.Format, f.Tokens, picture, f.Cost,
			f.Estimates["chars/4"], f.Chars, f.Bytes, f.Omitted, cut)
	}
	fmt.Fprintf(w, "cost: at %g for 1,000,000 tokens (--price); the picture as %s counts it (--model)\n",
		k.Price, k.Model)
}

// byRegion prints the tree, siblings by their cost. The column of what each region has
// without those inside it adds up to the whole.
func byRegion(w io.Writer, k *inspect.Costs) {
	fmt.Fprintf(w, "region of %s\ttokens\tshare\twithout inner regions\tshare\telements\n", k.Format)
	shown := costly(k.Regions)
	inner := make([][]int, len(k.Regions))
	for i, r := range k.Regions {
		if r.Parent >= 0 {
			inner[r.Parent] = append(inner[r.Parent], i)
		}
	}
	own, left := 0, 0
	type step struct{ region, depth int }
	for stack := []step{{0, 0}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		r := &k.Regions[at.region]
		if shown[at.region] {
			own += r.Own.Tokens
			fmt.Fprintf(w, "%s%s\t%d\t%.1f %%\t%d\t%.1f %%\t%d\n", strings.Repeat("  ", min(at.depth, 20)),
				text.CollapseSpace(r.Title()),
				r.All.Tokens, 100*r.Share, r.Own.Tokens, 100*r.OwnShare, r.All.Nodes)
		} else {
			left++
		}
		next := inner[at.region]
		slices.SortStableFunc(next, func(x, y int) int { // the first to be printed is the last of the stack
			return cmp.Or(cmp.Compare(k.Regions[x].All.Tokens, k.Regions[y].All.Tokens), cmp.Compare(y, x))
		})
		for _, i := range next {
			stack = append(stack, step{i, at.depth + 1})
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "and %d cheaper ones\t\t\t%d\t\t\n", left, k.Whole.Tokens-own)
	}
	fmt.Fprintf(w, "together\t\t\t%d\t\t\n", k.Whole.Tokens)
}

// costly chooses the regions that are printed; what is around them costs more.
func costly(rs []tokenmap.Region) map[int]bool {
	order := make([]int, len(rs))
	for i := range rs {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(rs[y].All.Tokens, rs[x].All.Tokens) })
	out := map[int]bool{}
	for _, i := range order[:min(len(order), regionRows)] {
		out[i] = true
	}
	return out
}

func byTag(w io.Writer, k *inspect.Costs) {
	fmt.Fprintf(w, "tag in %s\ttokens\tshare\telements\tcharacters\n", k.Format)
	whole := float64(max(1, k.Whole.Tokens))
	for _, t := range k.Tags {
		name := text.CollapseSpace(t.Tag)
		if name == "" {
			name = "(header, remarks)"
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%d\t%d\n", text.Visible(name), t.Tokens, 100*float64(t.Tokens)/whole, t.Nodes,
			t.Chars)
	}
	fmt.Fprintf(w, "together\t%d\t\t\t%d\n", k.Whole.Tokens, k.Whole.Chars)
}

func byRepeat(w io.Writer, k *inspect.Costs) {
	if len(k.Repeats) == 0 {
		fmt.Fprintf(w, "no row of %s is there three times\n", k.Format)
		return
	}
	fmt.Fprintf(w, "times\ttokens\tdifferent\trow of %s that repeats but for its numbers\n", k.Format)
	for _, r := range k.Repeats[:min(len(k.Repeats), repeatRows)] {
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\n", r.Count, r.Tokens, r.Distinct, text.CollapseSpace(r.Text))
	}
	if n := len(k.Repeats) - repeatRows; n > 0 {
		left := 0
		for _, r := range k.Repeats[repeatRows:] {
			left += r.Tokens
		}
		fmt.Fprintf(w, "\t%d\t\tand %d further rows\n", left, n)
	}
}

// byCut describes what limits and filters saved; its column adds up to the whole page.
func byCut(w io.Writer, k *inspect.Costs) {
	l := k.Lost
	fmt.Fprintf(w, "%s without limits and filters\telements\ttokens\n", k.Format)
	fmt.Fprintf(w, "given\t\t%d\n", l.Given)
	for _, r := range l.Reasons {
		fmt.Fprintf(w, "left out: %s\t%d\t%d\n", r.Reason, r.Nodes, r.Tokens)
	}
	if l.Notes != 0 {
		fmt.Fprintf(w, "header and remarks\t\t%+d\n", l.Notes)
	}
	fmt.Fprintf(w, "the whole page\t\t%d\n", l.Whole)
	for _, r := range l.Regions[:min(len(l.Regions), repeatRows)] {
		fmt.Fprintf(w, "  of it from %s\t%d\t%d\n", text.CollapseSpace(r.Region.Title()), r.Nodes, r.Tokens)
	}
	if n := len(l.Regions) - repeatRows; n > 0 {
		fmt.Fprintf(w, "  and from %d further regions\t\t\n", n)
	}
}
