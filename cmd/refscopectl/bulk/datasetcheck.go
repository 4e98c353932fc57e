package bulk

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/contact"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// datasetCheckFlags are the flags of dataset check.
type datasetCheckFlags struct {
	shape, sheet, allow string
	shown               int
	list                bool
}

func datasetCheckCommand(a *cli.App) *cobra.Command {
	var f datasetCheckFlags
	c := &cobra.Command{
		Use: "check DIR", Short: "what is wrong with a data set, ours or another's",
		Long: `Opens every picture of a set and holds its examples against it: ` +
			`boxes that reach out of their picture, hold nothing
or are of the other form, instructions that fit several elements, pictures that look the same, splits that share
a site or a picture. It exits 1 where something is found.`,
		Example: `  refscopectl dataset check out/set
  refscopectl dataset check out/set --sheet out/set.html --allow empty,duplicate
  refscopectl dataset check downloads/screenspot --as screenspot --json`,
		Args: cli.Between(0, 1, ""),
		RunE: func(c *cobra.Command, args []string) error { return checkDataset(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.shape, "as", "", "the form of the set, found out without it: `SHAPE` is "+
		strings.Join(cli.Strings(dataset.Shapes()), "|"))
	fs.StringVar(&f.sheet, "sheet", "", "a contact sheet to look at, an HTML `FILE` that holds all it shows")
	fs.IntVar(&f.shown, "examples", 120, "that many examples on the sheet, `N`, spread evenly")
	fs.StringVar(&f.allow, "allow", "", "`RULES` that may find something, with commas")
	fs.BoolVar(&f.list, "rules", false, "print the rules, and end")
	cli.Alone(c, "rules")
	cli.Needs(c, "examples", "sheet")
	cli.CompleteFlag(c, "as", cli.Strings(dataset.Shapes())...)
	return c
}

func checkDataset(ctx context.Context, a *cli.App, f *datasetCheckFlags, args []string) error {
	if f.list {
		var lines []string
		var rules []map[string]any
		for _, r := range dataset.Rules() {
			lines = append(lines, fmt.Sprintf("%-11s %s", r.Rule, r.What))
			rules = append(rules, map[string]any{"id": r.Rule, "title": r.What})
		}
		if a.JSON {
			return a.PrintJSON(map[string]any{"schema": cli.ShapeOf("rules"), "rules": rules})
		}
		return a.PrintLines(lines)
	}
	if len(args) == 0 {
		return cli.Usagef("dataset check: name the folder of a set")
	}
	allowed, err := f.allowed()
	if err != nil {
		return err
	}
	var shape dataset.Shape
	if f.shape != "" {
		if shape, err = dataset.ParseShape(f.shape); err != nil {
			return cli.Usagef("dataset check: --as: %v", err)
		}
	}
	dir := args[0]
	root, err := os.OpenRoot(dir) // links in it cannot lead out of it
	if err != nil {
		return fmt.Errorf("%s: %w: name the folder of a set", dir, export.Cause(err))
	}
	defer root.Close()
	set, err := dataset.Read(root.FS(), shape)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	step, done := a.Progress("pictures", len(set.Images))
	report, err := dataset.Check(ctx, root.FS(), set, func() { step(false) })
	done()
	if err != nil {
		return err
	}
	if f.sheet != "" {
		var b bytes.Buffer
		if err := contact.HTML(&b, filepath.Base(filepath.Clean(dir)), root.FS(), set, report,
			max(0, f.shown)); err != nil {
			return err
		}
		if err := export.Write(f.sheet, b.Bytes()); err != nil {
			return err
		}
	}
	passed := true
	for rule := range report.Counts {
		passed = passed && slices.Contains(allowed, rule)
	}
	if err := printCheck(a, dir, report, passed); err != nil || passed {
		return err
	}
	return cli.ErrReported
}

// allowed are the rules that may find something.
func (f *datasetCheckFlags) allowed() ([]dataset.Rule, error) {
	var known, out []dataset.Rule
	for _, r := range dataset.Rules() {
		known = append(known, r.Rule)
	}
	for word := range strings.SplitSeq(f.allow, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		if !slices.Contains(known, dataset.Rule(word)) {
			return nil, cli.Usagef("dataset check: --allow: unknown rule %q: choose from %s", word,
				strings.Join(cli.Strings(known), ", "))
		}
		out = append(out, dataset.Rule(word))
	}
	return out, nil
}

// printedFindings is how many findings are printed for people; --json and --sheet have more.
const printedFindings = 40

func printCheck(a *cli.App, dir string, r *dataset.Report, passed bool) error {
	if a.JSON {
		status := "ok"
		if !passed {
			status = "error"
		}
		r.Findings = cli.List(r.Findings)
		return a.PrintJSON(inspect.DatasetCheck{
			Schema: inspect.DatasetCheckSchema, Status: status, Dir: dir, Passed: passed, Report: r,
		})
	}
	lines := []string{fmt.Sprintf("%s: %s of %s, as %s", dir, text.Count(r.Examples, "example", "examples"),
		text.Count(r.Pictures, "picture", "pictures"), r.Shape)}
	for _, rule := range dataset.Rules() {
		if n := r.Counts[rule.Rule]; n > 0 {
			lines = append(lines, fmt.Sprintf("%6d  %-11s %s", n, rule.Rule, rule.What))
		}
	}
	for i, f := range r.Findings {
		if i == printedFindings {
			lines = append(lines, fmt.Sprintf("and %d more: --json lists them all", len(r.Findings)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", f.Where, f.Rule, text.Cut(text.Line(f.Message), 300)))
	}
	if len(r.Findings) == 0 {
		lines = append(lines, "nothing was found")
	}
	return a.PrintLines(lines)
}
