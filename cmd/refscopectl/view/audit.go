package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/inspect"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// AuditFlags are the flags of audit.
type AuditFlags struct {
	text               cli.TextFlags
	formats            []string
	sarif, list, table bool
	personal           bool
	asSent             bool
	least              float64 // of --min-share, percent
	out, picture       string
	threshold, allowed string
	perRule            int
	page               cli.CaptureFlags
	limits             *audit.Threshold // nil without a file
}

// Audit judges turns, captures or pages (N-3, N-8, N-10).
func Audit(a *cli.App) *cobra.Command { return new(AuditFlags).Command(a) }

// Command makes the command that reads f.
func (f *AuditFlags) Command(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "audit TARGET…",
		Short: "what a person sees and a dump lacks, and the other way round; names, targets, secrets",
		Example: `  refscopectl audit shop#1
  refscopectl audit shop#1 shop#2 --sarif -o out/audit.sarif
  refscopectl audit shop#1 --threshold limits.json --picture out/findings.png
  refscopectl audit shop --as-sent --min-share 90
  refscopectl audit --coverage assets/demo/index.html assets/demo/checkout.html`,
		ValidArgsFunction: a.Targets(),
		RunE:              func(c *cobra.Command, args []string) error { return runAudit(c.Context(), a, f, args) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.formats, "format", nil,
		"a `FORMAT` to audit; may be given again; default dddk and aria: "+cli.FormatNames())
	fs.BoolVar(&f.sarif, "sarif", false, "the findings as SARIF 2.1.0, for CI")
	fs.BoolVar(&f.list, "rules", false, "print the rules, and end")
	fs.BoolVar(&f.table, "coverage", false, "print only how much of what a person sees the formats, "+
		"and their originals (--compat), have: over all targets, in Markdown")
	fs.BoolVar(&f.asSent, "as-sent", false, "of sessions and recorded turns: what a person sees and the model was not "+
		"told in the agent's own text, what it was told and nobody sees, and the share of what it was told")
	fs.Float64Var(&f.least, "min-share", 0,
		"with --as-sent: the least share of what a person sees, in `PERCENT`; what is below makes the exit 1")
	fs.BoolVar(&f.personal, "personal", false, "look for personal data too: e-mail addresses, phone numbers, IBANs")
	fs.StringVarP(&f.out, "output", "o", "", "write the report to that `FILE` instead of standard output")
	fs.StringVar(&f.picture, "picture", "",
		"write the picture with the findings' numbers on it to that .png, .webp or .jpg `FILE`; of one target")
	fs.StringVar(&f.threshold, "threshold", "",
		"JSON `FILE` of limits; what is over them makes the exit 1: maxErrors, rules, coverage …")
	fs.StringVar(&f.allowed, "max-severity", "",
		"the worst severity that passes: `none|note|warning|error`; default warning, or error with --threshold")
	fs.IntVar(&f.perRule, "per-rule", audit.PerRule, "list `N` findings of one rule, -1 for all")
	cli.CompleteFlag(c, "format", cli.FormatList()...)
	cli.Alone(c, "rules")
	cli.Needs(c, "min-share", "as-sent")
	cli.CompleteFlag(c, "max-severity", "none", "note", "warning", "error")
	f.page.Register(c)
	f.page.RegisterJobs(c)
	f.text.Register(c)
	return c
}

// Check refuses flags that do not go together.
func (f *AuditFlags) Check(a *cli.App, targets []string) error {
	switch {
	case len(targets) == 0:
		return cli.Usagef("audit: name turns (SESSION#N), captures (.json), .html files, tabs or URLs")
	case f.sarif && a.JSON:
		return cli.Usagef("audit: --sarif and --json are two forms of the report: give one of them")
	case f.picture != "" && len(targets) > 1:
		return cli.Usagef("audit: --picture is of one target: name one")
	case f.table && (f.sarif || a.JSON || f.picture != "" || f.threshold != "" || f.allowed != "" || f.personal ||
		f.perRule != audit.PerRule):
		return cli.Usagef("audit: --coverage is a table alone: leave out --json, and what is about findings: " +
			"--sarif, --picture, --threshold, --max-severity, --personal, --per-rule")
	case f.perRule == 0:
		return cli.Usagef("audit: --per-rule is from 1 on, or -1")
	}
	if err := f.page.CheckJobs("audit"); err != nil {
		return err
	}
	switch f.allowed {
	case "":
		f.allowed = "warning"
		if f.threshold != "" {
			f.allowed = "error"
		}
	default:
		if err := checkSeverity("audit", f.allowed); err != nil {
			return err
		}
	}
	if f.picture != "" {
		if _, err := codec.FormatOf(f.picture); err != nil {
			return cli.Usagef("audit: %v", err)
		}
	}
	for _, name := range f.formats {
		if err := cli.CheckFormat("audit", name, f.text.Options); err != nil {
			return err
		}
	}
	if f.threshold != "" {
		data, err := os.ReadFile(f.threshold)
		if err != nil {
			return cli.Usagef("audit: --threshold %s: %v", f.threshold, export.Cause(err))
		}
		if f.limits, err = audit.ParseThreshold(data); err != nil {
			return cli.Usagef("audit: %s: %v", f.threshold, err)
		}
	}
	return f.text.Check("audit", f.views()...)
}

// views are the formats that are looked at: by default two for findings, five for the table of coverage.
func (f *AuditFlags) views() []dump.Format {
	switch {
	case len(f.formats) > 0:
		return cli.Named(f.formats)
	case f.table:
		return []dump.Format{format.DDDK, format.Wraith, format.Aria, format.DomTool, format.Semantic}
	}
	return []dump.Format{format.DDDK, format.Aria}
}

// Audited is the report of a target.
type Audited struct{ inspect.Audited }

func runAudit(ctx context.Context, a *cli.App, f *AuditFlags, targets []string) error {
	if f.list {
		return printRules(a, audit.Rules())
	}
	if f.asSent {
		return f.sent(ctx, a, targets)
	}
	if f.least != 0 {
		return cli.Usagef("audit: --min-share is of the agent's own text: add --as-sent")
	}
	if err := f.Check(a, targets); err != nil {
		return err
	}
	tabs := a.Opener()
	tabs.Pageless = !f.table && f.picture == "" // what is stored with a turn has its findings too
	defer tabs.Close()
	if f.table {
		return f.printCoverage(ctx, a, tabs, targets)
	}
	step, finish := a.Progress("pages", len(targets))
	var done []Audited
	var failed []error
	options := session.Options{Settle: f.page.Settle, NoPicture: f.picture == "", Action: "audit"}
	err := tabs.OpenAll(ctx, f.page.Jobs, targets, options, func(name string, r *target.Opened, err error) error {
		var got Audited
		if err == nil {
			got, err = f.One(a, name, r)
		}
		step(err != nil)
		if err != nil {
			failed = append(failed, err)
			return nil
		}
		done = append(done, got)
		return nil
	})
	finish()
	if err != nil {
		return err
	}
	if err := printReports(ctx, a, f.out, f.sarif, done); err != nil {
		return err
	}
	passed := true
	for _, d := range done {
		for _, b := range d.Breaches {
			a.Remark("%s: %s", d.Target, b.Text)
		}
		passed = passed && d.Passed
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	if !passed {
		return cli.ErrReported
	}
	return nil
}

// sent audits the agents' own texts of sessions and turns.
func (f *AuditFlags) sent(ctx context.Context, a *cli.App, targets []string) error {
	switch changed := f.text.Changed(); {
	case len(targets) == 0:
		return cli.Usagef("audit: name sessions, or turns (SESSION#N)")
	case f.sarif || f.table || f.personal || f.perRule != audit.PerRule || f.picture != "" || f.threshold != "" ||
		f.allowed != "" ||
		len(f.formats) > 0 || changed != "":
		return cli.Usagef("audit: --as-sent is about the text as it was: leave out flags of formats and findings")
	case !(f.least >= 0 && f.least <= 100):
		return cli.Usagef("audit: --min-share is from 0 to 100 percent")
	}
	var done []*inspect.SentAudit
	var failed []error
	for _, name := range targets {
		run, turns, err := a.RunOf(name)
		if err != nil {
			return err
		}
		lacking, told := error(nil), len(done)
		err = inspect.SentIn(ctx, run, turns, nil, func(_ int, s *inspect.Sent, err error) error {
			var got *inspect.SentAudit
			if err == nil {
				got, err = inspect.AuditSent(s, f.least/100)
			}
			_, none := errors.AsType[*inspect.NoTextError](err)
			switch {
			case err == nil:
				done = append(done, got)
			case none: // a session may have such turns
				lacking = cmp.Or(lacking, err)
			default:
				failed = append(failed, err)
			}
			return nil
		})
		run.Store.Close()
		if err != nil {
			return err
		}
		if told == len(done) && len(failed) == 0 {
			failed = append(failed, cmp.Or(lacking, error(&inspect.NoTextError{Name: name,
				Why: "it holds no request to a model; refscopectl tap records them"})))
		}
	}
	if err := cli.EmitAll(ctx, a, f.out, done); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	for _, d := range done {
		if !d.Passed {
			a.Remark("%s: the model was told %s of what a person sees, less than %g %%", d.Target, d.Percent(), f.least)
			failed = append(failed, cli.ErrReported)
		}
	}
	if len(failed) > 0 {
		return cli.ErrReported
	}
	return nil
}

// One audits a target that was opened.
func (f *AuditFlags) One(a *cli.App, name string, r *target.Opened) (Audited, error) {
	o := audit.Options{Personal: f.personal, PerRule: f.perRule, Profile: profileFacts(a, r.Capture)}
	options, err := f.text.Of(r.Capture)
	if err != nil {
		return Audited{}, fmt.Errorf("%s: %w", name, err)
	}
	for _, name := range f.views() {
		o.Views = append(o.Views, audit.View{Format: name, Options: options})
	}
	if r.Record != nil {
		o.Texts = audit.TextsOf(r.Record.Payloads, r.Record.Steps, r.Record.Answer)
	}
	report, err := audit.Run(r.Capture, o)
	if err != nil {
		return Audited{}, fmt.Errorf("%s: %w", name, err)
	}
	if f.picture != "" {
		if err := f.draw(r, report); err != nil {
			return Audited{}, err
		}
	}
	got := Audited{inspect.Audited{Target: target.Clean(name), Report: report, Breaches: []audit.Breach{}}}
	if none, ok := errors.AsType[*target.NoPageError](r.NeedPage()); ok { // its texts say nothing of a page
		got.Breaches = append(got.Breaches, audit.Breach{What: "page", Text: "no page belongs to it: " + none.Why})
	}
	if f.limits != nil {
		got.Breaches = append(got.Breaches, f.limits.Check(report)...)
	}
	if worst := report.Worst(); !passes(worst, f.allowed) {
		got.Breaches = append(got.Breaches, audit.Breach{
			What: "max-severity",
			Text: fmt.Sprintf("the worst finding is of severity %s, and at most %s passes", worst, f.allowed),
		})
	}
	got.Passed = len(got.Breaches) == 0
	return got, nil
}

// profileFacts are the rules of the site's profile with what they match on the page; none
// where there is no profile.
func profileFacts(a *cli.App, c *snapshot.Capture) []audit.ProfileFact {
	file, err := a.Profiles().Lookup(c.URL)
	if err != nil {
		return nil
	}
	p, _ := profiles.Parse(file.Text)
	var facts []audit.ProfileFact
	for _, r := range p.Try(c).Rules {
		// What a filter or a redaction took out when the page was read is not there any
		// more to be matched; that it worked can be seen in the verdicts.
		worked := r.Kind == profiles.FilterRule && c.Verdicts[snapshot.VerdictFiltered] > 0
		facts = append(facts, audit.ProfileFact{
			Line: r.Line, Kind: r.Kind, Rule: r.Rule, Matches: r.Matches, Problem: r.Problem, Profile: file.Domain,
			Optional: worked || r.Kind == profiles.PatternRule,
		})
	}
	return facts
}

// draw writes the picture with the findings' numbers.
func (f *AuditFlags) draw(r *target.Opened, report *audit.Report) error {
	img, err := r.Canvas(true)
	if err != nil {
		return err
	}
	scene := overlay.NewScene(report.Marks(r.Capture.Viewport), img.Rect.Size(),
		overlay.Options{View: overlay.ViewModel, All: true})
	format, err := codec.FormatOf(f.picture)
	if err != nil {
		return err
	}
	data, err := (&codec.Encoder{}).EncodeAs(export.Drawn(img, scene), format, false)
	if err != nil {
		return fmt.Errorf("%s: %w", f.picture, err)
	}
	return export.Write(f.picture, data)
}

// reported is a target's report as a command prints it: a text, JSON, or a run of SARIF.
type reported interface {
	Text() string
	sarif() audit.Audited
}

func (d Audited) sarif() audit.Audited {
	return audit.Audited{URI: artifact(d.Target), Report: d.Report}
}

// printReports writes reports into a file, or prints them where there is none: as SARIF, as JSON lines, or as texts.
func printReports[R reported](ctx context.Context, a *cli.App, path string, sarif bool, done []R) error {
	var b strings.Builder
	switch {
	case sarif:
		var list []audit.Audited
		for _, d := range done {
			list = append(list, d.sarif())
		}
		data, err := audit.SARIF(cli.Version, list...)
		if err != nil {
			return err
		}
		b.Write(data)
	case a.JSON:
		return cli.EmitAll(ctx, a, path, done)
	default:
		for i, d := range done {
			if i > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(text.EscapeOnce(d.Text()))
		}
	}
	if path != "" || sarif {
		return a.PrintTo(path, b.String())
	}
	return a.Show(ctx, b.String(), cli.PaintText)
}

// artifact is a target as SARIF names it: an address, or a path with slashes.
func artifact(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(filepath.ToSlash(name), "#", "%23"), " ", "%20")
}

// printRules lists what a command looks for.
func printRules(a *cli.App, rules []audit.Rule) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"schema": cli.ShapeOf("rules"), "rules": rules})
	}
	for _, r := range rules {
		source := ""
		if r.Source != "" {
			source = " (" + r.Source + ")"
		}
		if _, err := fmt.Fprintf(a.Stdout, "%-18s %-8s %s%s\n%28s%s\n%28s→ %s\n", r.ID, r.Worst,
			r.Title, source, "", r.Why,
			"", r.Action); err != nil {
			return err
		}
	}
	return nil
}

// coverageRow is one format over all pages, as it is and as its original was.
type coverageRow struct {
	format       dump.Format
	ours, theirs audit.Coverage // sums
}

// printCoverage prints, as a table in Markdown, how much of what a person sees each
// format has over all targets, and how much its original's profile (--compat) has:
// characters, controls and pictures of all pages are counted together. A target that
// cannot be read is an error of the whole.
func (f *AuditFlags) printCoverage(ctx context.Context, a *cli.App, tabs *target.Opener, targets []string) error {
	formats := f.views()
	rows := make([]coverageRow, len(formats))
	var o audit.Options
	o.PerRule = 1
	for k, name := range formats {
		rows[k].format = name
	}
	s := session.Options{Settle: f.page.Settle, NoPicture: true, Action: "audit"}
	err := tabs.OpenAll(ctx, f.page.Jobs, targets, s, func(name string, r *target.Opened, err error) error {
		if err != nil {
			return err
		}
		ours, err := f.text.Of(r.Capture)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		theirs := ours
		theirs.Compat = true
		o.Views = nil
		for _, row := range rows {
			o.Views = append(o.Views, audit.View{Format: row.format, Options: ours},
				audit.View{Format: row.format, Options: theirs})
		}
		report, err := audit.Run(r.Capture, o)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for k := range rows {
			sum(&rows[k].ours, report.Coverage[2*k])
			sum(&rows[k].theirs, report.Coverage[2*k+1])
		}
		return nil
	})
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| of what a person sees on %d pages | text in view | the original | "+
		"text of the whole page | the original | controls in view | the original |\n"+
		"|---|---|---|---|---|---|---|\n", len(targets))
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", row.format,
			ratio(row.ours.Text), ratio(row.theirs.Text), ratio(row.ours.Page), ratio(row.theirs.Page),
			ratio(row.ours.Controls), ratio(row.theirs.Controls))
	}
	return a.PrintTo(f.out, b.String())
}

func sum(to *audit.Coverage, c audit.Coverage) {
	for _, p := range [][2]*audit.Share{{&to.Text, &c.Text}, {&to.Page, &c.Page}, {&to.Controls, &c.Controls},
		{&to.Pictures, &c.Pictures}} {
		p[0].Seen += p[1].Seen
		p[0].Has += p[1].Has
	}
}

// ratio rounds down, so that 100 % is all.
func ratio(s audit.Share) string { return fmt.Sprintf("%.1f %%", float64(int(s.Ratio()*1000))/10) }
