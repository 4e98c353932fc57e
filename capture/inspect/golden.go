package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export/goldenstore"
	"github.com/refscope/refscope/snapshot/golden"
	"github.com/refscope/refscope/snapshot/text"
)

// GoldenCheck is the answer of refscopectl golden.
type GoldenCheck struct {
	Schema string                `json:"schema"`
	Status string                `json:"status"` // ok, failed
	Pages  []*goldenstore.Result `json:"pages"`
}

// Text is each page in a line, with what changed below it, and how many came out how.
func (c GoldenCheck) Text() string {
	var b strings.Builder
	count := map[golden.Outcome]int{}
	var order []golden.Outcome
	for _, r := range c.Pages {
		if count[r.Outcome]++; count[r.Outcome] == 1 {
			order = append(order, r.Outcome)
		}
		fmt.Fprintf(&b, "%-9s  %s", r.Outcome, text.CollapseSpace(r.Name))
		if r.Outcome != golden.Same && r.Outcome != goldenstore.Accepted && r.Outcome != goldenstore.Unchanged {
			b.WriteString(": " + text.CollapseSpace(r.Sentence))
		}
		b.WriteByte('\n')
		if r.Comparison != nil && !r.Comparison.Same() {
			for line := range strings.SplitSeq(r.Comparison.Report(), "\n") {
				b.WriteString("    " + line + "\n")
			}
		}
		for _, n := range r.Notes {
			b.WriteString("    note: " + text.CollapseSpace(n) + "\n")
		}
		for _, x := range r.Replaced {
			var such []string
			for _, e := range x.Examples {
				such = append(such, text.CollapseSpace(e))
			}
			rule := text.CollapseSpace(x.Rule)
			fmt.Fprintf(&b, "    replaced %d × %s: %s\n", x.Count, rule, strings.Join(such, ", "))
		}
		for _, m := range r.Masked {
			fmt.Fprintf(&b, "    not compared, by the rule %s: %s → %s\n", text.CollapseSpace(m.Rule),
				cmp.Or(text.CollapseSpace(m.Was), "nothing"),
				cmp.Or(text.CollapseSpace(m.Now), "nothing"))
		}
	}
	var sums []string
	slices.SortStableFunc(order, func(x, y golden.Outcome) int { return cmp.Compare(count[y], count[x]) })
	for _, o := range order {
		sums = append(sums, fmt.Sprintf("%d %s", count[o], o))
	}
	fmt.Fprintf(&b, "%s: %s\n", text.Count(len(c.Pages), "page", "pages"), strings.Join(sums, ", "))
	return b.String()
}
