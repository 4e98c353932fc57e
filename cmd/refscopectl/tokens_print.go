package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/refscope/refscope/snapshot/tokenmap"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Rows of a table for people; what is left out stands in its last row.
const (
	regionRows = 40
	repeatRows = 10
)

// printCosts is the answer for people: one table, or all but that of tags.
func (a *app) printCosts(k *costs, by string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	first := true
	for _, t := range []struct {
		name  string
		write func(io.Writer, *costs)
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

func byFormat(w io.Writer, k *costs) {
	fmt.Fprintf(w, "format\ttokens (%s)\tcharacters / 4\tcharacters\tbytes\tleft out\t\n", tokens.Encoding)
	for _, f := range k.Formats {
		cut := ""
		if f.Truncated {
			cut = "cut"
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", f.Format, f.Tokens, f.Estimates["chars/4"], f.Chars, f.Bytes, f.Omitted, cut)
	}
}

// byRegion prints the tree, siblings by their cost. The column of what each region has
// without those inside it adds up to the whole.
func byRegion(w io.Writer, k *costs) {
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
			fmt.Fprintf(w, "%s%s\t%d\t%.1f %%\t%d\t%.1f %%\t%d\n", strings.Repeat("  ", min(at.depth, 20)), visible(oneLine(r.Title())),
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

func byTag(w io.Writer, k *costs) {
	fmt.Fprintf(w, "tag in %s\ttokens\tshare\telements\tcharacters\n", k.Format)
	whole := float64(max(1, k.Whole.Tokens))
	for _, t := range k.Tags {
		name := oneLine(t.Tag)
		if name == "" {
			name = "(header, remarks)"
		}
		fmt.Fprintf(w, "%s\t%d\t%.1f %%\t%d\t%d\n", visible(name), t.Tokens, 100*float64(t.Tokens)/whole, t.Nodes, t.Chars)
	}
	fmt.Fprintf(w, "together\t%d\t\t\t%d\n", k.Whole.Tokens, k.Whole.Chars)
}

func byRepeat(w io.Writer, k *costs) {
	if len(k.Repeats) == 0 {
		fmt.Fprintf(w, "no row of %s stands there three times\n", k.Format)
		return
	}
	fmt.Fprintf(w, "times\ttokens\tdifferent\trow of %s that repeats but for its numbers\n", k.Format)
	for _, r := range k.Repeats[:min(len(k.Repeats), repeatRows)] {
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\n", r.Count, r.Tokens, r.Distinct, visible(oneLine(r.Text)))
	}
	if n := len(k.Repeats) - repeatRows; n > 0 {
		left := 0
		for _, r := range k.Repeats[repeatRows:] {
			left += r.Tokens
		}
		fmt.Fprintf(w, "\t%d\t\tand %d further rows\n", left, n)
	}
}

// byCut says what limits and filters saved; its column adds up to the whole page.
func byCut(w io.Writer, k *costs) {
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
		fmt.Fprintf(w, "  of it from %s\t%d\t%d\n", visible(oneLine(r.Region.Title())), r.Nodes, r.Tokens)
	}
	if n := len(l.Regions) - repeatRows; n > 0 {
		fmt.Fprintf(w, "  and from %d further regions\t\t\n", n)
	}
}
