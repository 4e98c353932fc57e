package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/tokens"
)

// formatCost is what one format takes up.
type formatCost struct {
	Format string `json:"format"`
	tokens.Size
	Tokens    int            `json:"tokens"`    // o200k_base, counted
	Estimates map[string]int `json:"estimates"` // by the agents' rules of thumb
	Omitted   int            `json:"omitted"`   // elements, or parts of them, that it leaves out
	Truncated bool           `json:"truncated"`
}

// countTokens says what a page costs: by format, and by region in one format.
func countTokens(ctx context.Context, a *app, args []string) error {
	var f textFlags
	var format string
	targets, err := a.globals("refscopectl tokens", args, func(fs *flag.FlagSet) {
		fs.StringVar(&format, "format", string(dump.DDDK), "format whose regions are listed: "+formatNames())
		f.register(fs)
	})
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usagef("tokens: name one turn (SESSION#N), capture (.json), .html file or URL")
	}
	if !isFormat(format) {
		return usagef("tokens: there is no format %q: choose from %s", format, formatNames())
	}
	if err := f.check("tokens"); err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	c, err := l.capture(ctx, targets[0], "tokens")
	if err != nil {
		return err
	}
	o, err := f.of(c)
	if err != nil {
		return err
	}
	costs, regions, err := costsOf(c, dump.Format(format), o, &f.counter)
	if err != nil {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"formats": costs, "format": format, "regions": regions})
	}
	return a.printCosts(costs, format, regions)
}

// costsOf measures every format, and the regions of one.
func costsOf(c *snapshot.Capture, format dump.Format, o dump.Options, counter *tokens.Counter) ([]formatCost, []dump.Region, error) {
	var costs []formatCost
	var regions []dump.Region
	names := dump.Plain()
	if o.Query != "" {
		names = dump.Formats()
	}
	for _, name := range names {
		d, err := dump.Render(c, name, o)
		if err != nil {
			return nil, nil, err
		}
		k := formatCost{
			Format: string(name), Size: tokens.Measure(d.Text), Tokens: counter.Count(d.Text), Estimates: map[string]int{},
			Omitted: len(d.Omitted), Truncated: d.Truncated,
		}
		for _, m := range tokens.Estimates() {
			k.Estimates[m.Name] = m.Count(d.Text)
		}
		costs = append(costs, k)
		if name == format {
			regions = dump.Regions(c, d, counter.Spread)
		}
	}
	return costs, regions, nil
}

// printCosts is the answer for people, the costly regions first.
func (a *app) printCosts(costs []formatCost, format string, regions []dump.Region) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "format\ttokens (%s)\tcharacters / 4\tcharacters\tbytes\tleft out\t\n", tokens.Encoding)
	for _, k := range costs {
		cut := ""
		if k.Truncated {
			cut = "cut"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", k.Format, k.Tokens, k.Estimates["chars/4"], k.Chars, k.Bytes, k.Omitted, cut)
	}
	fmt.Fprintf(w, "\nregion of %s\ttokens\twithout inner regions\telements\t\t\t\n", format)
	whole := max(1, regions[0].All.Tokens)
	slices.SortStableFunc(regions, func(x, y dump.Region) int { return cmp.Compare(y.All.Tokens, x.All.Tokens) })
	for _, r := range regions {
		name := r.Kind
		if r.Ref > 0 {
			name = fmt.Sprintf("[%d] %s", r.Ref, r.Kind)
		}
		if r.Name != "" {
			name += " " + string(dump.AppendJSON(nil, r.Name))
		}
		fmt.Fprintf(w, "%s\t%d (%d %%)\t%d\t%d\t\t\t\n", visible(oneLine(name)), r.All.Tokens, r.All.Tokens*100/whole, r.Own.Tokens, r.All.Nodes)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	return nil
}
