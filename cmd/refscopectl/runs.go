package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	html string
	all  bool
}

// compareCommand compares two runs.
func compareCommand(a *app) *cobra.Command {
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
			if len(args) != 2 {
				return usagef("compare: name two sessions: names, folders or %s files", turn.Extension)
			}
			return nil
		},
		ValidArgsFunction: a.completer(cobra.ShellCompDirectiveDefault, (*app).completeSessions),
		RunE:              func(c *cobra.Command, args []string) error { return a.compareRuns(c.Context(), &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.html, "html", "", "write the comparison to this .html `FILE` too, with both pictures")
	fs.BoolVar(&f.all, "all", false, "print equal turns too")
	return c
}

func (a *app) compareRuns(ctx context.Context, f *compareFlags, names []string) error {
	reader := runs.NewReader(element.Number)
	var stores [2]*turn.Store
	for i, name := range names {
		s, err := a.openSession(name)
		if err != nil {
			return err
		}
		defer s.Close()
		stores[i] = s
	}
	var lists [2][]*runs.Turn
	var notes [2]string
	var failed [2]error
	var reading sync.WaitGroup
	for i, s := range stores {
		reading.Go(func() {
			lists[i], failed[i] = reader.Read(ctx, s)
			if _, damaged := errors.AsType[*turn.DamagedError](failed[i]); damaged {
				notes[i] = fmt.Sprintf("%s is damaged: refscopectl session check %s", text.Line(names[i]), text.ShellWord(names[i]))
				failed[i] = nil
			}
		})
	}
	reading.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	c, err := runs.Compare(ctx, lists[0], lists[1])
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	for _, n := range notes {
		if n != "" {
			c.Notes = append(c.Notes, n)
		}
	}
	for i, label := range []**runs.Label{&c.LabelA, &c.LabelB} {
		if *label, err = storeLabel(ctx, stores[i]); err != nil {
			return fmt.Errorf("compare: %w", err)
		}
	}
	if f.html != "" {
		if err := writeComparison(ctx, f.html, c, names, stores); err != nil {
			return err
		}
	}
	if a.json {
		err = a.printJSON(comparisonOf(c))
	} else {
		err = a.print(comparisonText(c, names, f.all))
	}
	if err == nil && c.Divergence() != nil {
		err = errReported
	}
	return err
}

// comparisonJSON is a comparison with its pairs of turns, 0 for none, and the first divergence as scripts read them.
type comparisonJSON struct {
	*runs.Comparison
	Pairs      [][2]int   `json:"pairs"`
	Divergence divergence `json:"divergence"`
}

type divergence struct {
	A     int        `json:"a"`
	B     int        `json:"b"`
	Cause runs.Cause `json:"cause"` // "none" where the runs are equal
	Why   string     `json:"why"`
}

func comparisonOf(c *runs.Comparison) comparisonJSON {
	out := comparisonJSON{Comparison: c, Pairs: make([][2]int, len(c.Rows)), Divergence: divergence{Cause: "none"}}
	for i, r := range c.Rows {
		out.Pairs[i] = [2]int{r.A, r.B}
	}
	if d := c.Divergence(); d != nil {
		out.Divergence = divergence{d.A, d.B, d.Cause, strings.Join(d.Details, "; ")}
	}
	return out
}

// writeComparison writes the HTML file.
func writeComparison(
	ctx context.Context, file string, c *runs.Comparison, names []string, stores [2]*turn.Store,
) error {
	out := report.Comparison{Comparison: c, NameA: names[0], NameB: names[1]}
	if d := c.Divergence(); d != nil {
		for i, p := range []struct {
			n       int
			picture *[]byte
		}{{d.A, &out.PictureA}, {d.B, &out.PictureB}} {
			if p.n == 0 {
				continue
			}
			rec, err := stores[i].Load(ctx, p.n)
			if rec == nil {
				return fmt.Errorf("compare: turn %d of %s: %w", p.n, names[i], err)
			}
			*p.picture = rec.Picture
		}
	}
	var b bytes.Buffer
	if err := report.WriteComparison(&b, out); err != nil {
		return err
	}
	return export.Write(file, b.Bytes())
}

// comparisonText is the comparison for people.
func comparisonText(c *runs.Comparison, names []string, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s) beside %s (%s)\n", text.Line(names[0]), text.Count(c.TurnsA, "turn", "turns"),
		text.Line(names[1]), text.Count(c.TurnsB, "turn", "turns"))
	for i, l := range []*runs.Label{c.LabelA, c.LabelB} {
		if l != nil {
			fmt.Fprintf(&b, "%s is labelled %s\n", text.Line(names[i]), text.Line(strings.TrimSpace(l.Label+" "+l.Note)))
		}
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	d := c.Divergence()
	if d != nil {
		fmt.Fprintf(&b, "First divergence, %s: %s\n", placeOf(d), d.Cause)
	}
	fmt.Fprintln(&b, c.Verdict())
	if d != nil {
		for _, line := range d.Details {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	header := "\nTurn by turn, the later ones perhaps as its consequence:\n"
	for i := range c.Rows {
		r := &c.Rows[i]
		if !all && r.Cause == "" && r.A > 0 && r.B > 0 {
			continue
		}
		word := string(r.Cause)
		switch {
		case word != "":
		case r.A > 0 && r.B > 0:
			word = "same"
		default:
			word = "in one run only"
		}
		if r.Again != "" {
			word += ", " + r.Again
		}
		fmt.Fprintf(&b, "%s  %4s  %4s  %s\n", header, number(r.A), number(r.B), word)
		header = ""
	}
	return b.String()
}

// placeOf names the turns of a row.
func placeOf(r *runs.Row) string {
	switch {
	case r.A == 0:
		return fmt.Sprintf("turn %d of the second", r.B)
	case r.B == 0:
		return fmt.Sprintf("turn %d of the first", r.A)
	}
	return fmt.Sprintf("turn %d of the first, turn %d of the second", r.A, r.B)
}

// number is the number of a turn, "-" for none.
func number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}
