package view

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/spf13/cobra"
)

// doctorFlags are the flags of doctor.
type doctorFlags struct {
	sarif, list  bool
	out, allowed string
}

// Doctor finds what is wrong with the requests of a session.
func Doctor(a *cli.App) *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use: "doctor SESSION|TURN…", Short: "what a model was sent at each turn, and what is wrong with it",
		Long: `Reads the requests of a session section by section: tokens, ` +
			`each picture at the size that the vendor makes of it,
what is new, where the prompt cache broke; finds the element of the page that the answer means; and lists
findings: a picture that is missing, old, scaled or cropped, a ref that the request does not hold or that is
covered, hidden or gone, a text that is cut off, a secret, instructions from the page.`,
		Example: `  refscopectl doctor out/session
  refscopectl doctor out/session#4 --json
  refscopectl doctor out/session --sarif -o out/doctor.sarif`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return runDoctor(c.Context(), a, &f, args) },
	}
	fs := c.Flags()
	fs.BoolVar(&f.sarif, "sarif", false, "the findings as SARIF 2.1.0, for CI")
	fs.BoolVar(&f.list, "rules", false, "print the rules, and end")
	fs.StringVarP(&f.out, "output", "o", "", "write the report to that `FILE` instead of standard output")
	fs.StringVar(&f.allowed, "max-severity", "warning", "the worst severity that passes: `none|note|warning|error`")
	cli.Alone(c, "rules")
	cli.CompleteFlag(c, "max-severity", "none", "note", "warning", "error")
	return c
}

// Examined is the report of one turn with what it is of.
type Examined struct {
	Target string `json:"target"`
	*doctor.Report
	Passed bool `json:"passed"`
}

func runDoctor(ctx context.Context, a *cli.App, f *doctorFlags, targets []string) error {
	switch {
	case f.list:
		return printRules(a, doctor.Rules())
	case len(targets) == 0:
		return cli.Usagef("doctor: name sessions, or turns (SESSION#N)")
	case f.sarif && a.JSON:
		return cli.Usagef("doctor: --sarif and --json are two forms of the report: give one of them")
	}
	if err := checkSeverity("doctor", f.allowed); err != nil {
		return err
	}
	var done []Examined
	var failed []error
	counter := &tokens.Counter{}
	for _, name := range targets {
		if err := examine(ctx, a, name, counter, func(n int, r *doctor.Report, err error) error {
			if err != nil {
				failed = append(failed, err)
				return nil
			}
			name := target.Clean(name)
			if !strings.Contains(name, "#") {
				name = fmt.Sprintf("%s#%d", name, n)
			}
			done = append(done, Examined{name, r, passes(r.Audit().Worst(), f.allowed)})
			return nil
		}); err != nil {
			return err
		}
	}
	if len(done)+len(failed) == 0 {
		if a.JSON { // a report that has looked at nothing, so that what reads it need not expect less
			for _, name := range targets {
				r := &doctor.Report{Schema: doctor.Schema, Sections: []doctor.Section{}, Findings: []audit.Finding{}}
				done = append(done, Examined{target.Clean(name), r, true})
			}
		}
		a.Remark("doctor: no turn holds a request to a model: refscopectl tap records them")
	}
	if err := printReports(ctx, a, f.out, f.sarif, done); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	for _, d := range done {
		if !d.Passed {
			return cli.ErrReported
		}
	}
	return nil
}

// examine examines a session, or one turn of it.
func examine(ctx context.Context, a *cli.App, name string, counter *tokens.Counter,
	each func(n int, r *doctor.Report, err error) error) error {
	var turns []int
	if at, ok := target.ParseTurn(a.Home, name); ok {
		name, turns = at.Dir, []int{at.N}
	}
	store, err := a.OpenSession(name)
	if err != nil {
		return err
	}
	defer store.Close()
	return export.Examine(ctx, store, counter, turns, func(e export.Examined) error {
		return each(e.N, e.Report, e.Err)
	})
}

// passes reports whether the worst finding is of a severity that is allowed.
func passes(worst audit.Severity, allowed string) bool {
	return worst == "" || allowed == "error" || worst.Rank() >= audit.Severity(allowed).Rank()
}

// checkSeverity refuses a --max-severity that there is not.
func checkSeverity(command, allowed string) error {
	switch allowed {
	case "none", "note", "warning", "error":
		return nil
	}
	return cli.Usagef("%s: unknown --max-severity %q: choose from none | note | warning | error", command, allowed)
}

func (d Examined) sarif() audit.Audited {
	return audit.Audited{URI: artifact(d.Target), Report: d.Audit(), Rules: doctor.Rules()}
}
