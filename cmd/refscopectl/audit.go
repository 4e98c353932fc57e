package main

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

// auditFlags are the flags of audit.
type auditFlags struct {
	text               textFlags
	formats            []string
	sarif, list, table bool
	personal           bool
	asSent             bool
	least              float64 // of --min-share, percent
	out, picture       string
	threshold, allowed string
	perRule            int
	page               captureFlags
	limits             *audit.Threshold // nil without a file
}

// auditCommand judges turns, captures or pages (N-3, N-8, N-10).
func auditCommand(a *app) *cobra.Command { return new(auditFlags).command(a) }

// command makes the command that reads f.
func (f *auditFlags) command(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "audit TARGET…",
		Short: "what a person sees and a dump lacks, and the other way round; names, targets, secrets",
		Example: `  refscopectl audit shop#1
  refscopectl audit shop#1 shop#2 --sarif -o out/audit.sarif
  refscopectl audit shop#1 --threshold limits.json --picture out/findings.png
  refscopectl audit shop --as-sent --min-share 90
  refscopectl audit --coverage assets/demo/index.html assets/demo/checkout.html`,
		ValidArgsFunction: a.targets(),
		RunE:              func(c *cobra.Command, args []string) error { return a.audit(c.Context(), f, args) },
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.formats, "format", nil,
		"a `FORMAT` to audit; may be given again; default dddk and aria: "+formatNames())
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
	completeFlag(c, "format", formatList()...)
	alone(c, "rules")
	needs(c, "min-share", "as-sent")
	completeFlag(c, "max-severity", "none", "note", "warning", "error")
	f.page.register(c)
	f.page.registerJobs(c)
	f.text.register(c)
	return c
}

func (f *auditFlags) check(a *app, targets []string) error {
	switch {
	case len(targets) == 0:
		return usagef("audit: name turns (SESSION#N), captures (.json), .html files, tabs or URLs")
	case f.sarif && a.json:
		return usagef("audit: --sarif and --json are two forms of the report: give one of them")
	case f.picture != "" && len(targets) > 1:
		return usagef("audit: --picture is of one target: name one")
	case f.table && (f.sarif || a.json || f.picture != "" || f.threshold != "" || f.allowed != "" || f.personal ||
		f.perRule != audit.PerRule):
		return usagef("audit: --coverage is a table alone: leave out --json, and what is about findings: --sarif, " +
			"--picture, --threshold, --max-severity, --personal, --per-rule")
	case f.perRule == 0:
		return usagef("audit: --per-rule is from 1 on, or -1")
	}
	if err := f.page.checkJobs("audit"); err != nil {
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
			return usagef("audit: %v", err)
		}
	}
	for _, name := range f.formats {
		if err := checkFormat("audit", name, f.text.options); err != nil {
			return err
		}
	}
	if f.threshold != "" {
		data, err := os.ReadFile(f.threshold)
		if err != nil {
			return usagef("audit: --threshold %s: %v", f.threshold, export.Cause(err))
		}
		if f.limits, err = audit.ParseThreshold(data); err != nil {
			return usagef("audit: %s: %v", f.threshold, err)
		}
	}
	return f.text.check("audit", f.views()...)
}

// views are the formats that are looked at: by default two for findings, five for the table of coverage.
func (f *auditFlags) views() []dump.Format {
	switch {
	case len(f.formats) > 0:
		return named(f.formats)
	case f.table:
		return []dump.Format{format.DDDK, format.Wraith, format.Aria, format.DomTool, format.Semantic}
	}
	return []dump.Format{format.DDDK, format.Aria}
}

// audited is the report of a target.
type audited struct{ inspect.Audited }

func (a *app) audit(ctx context.Context, f *auditFlags, targets []string) error {
	if f.list {
		return a.printRules(audit.Rules())
	}
	if f.asSent {
		return f.sent(ctx, a, targets)
	}
	if f.least != 0 {
		return usagef("audit: --min-share is of the agent's own text: add --as-sent")
	}
	if err := f.check(a, targets); err != nil {
		return err
	}
	tabs := a.opener()
	defer tabs.Close()
	if f.table {
		return f.printCoverage(ctx, a, tabs, targets)
	}
	step, finish := a.progress("pages", len(targets))
	var done []audited
	var failed []error
	options := session.Options{Settle: f.page.settle, NoPicture: f.picture == "", Action: "audit"}
	err := tabs.OpenAll(ctx, f.page.jobs, targets, options, func(name string, r *target.Opened, err error) error {
		var got audited
		if err == nil {
			got, err = f.one(a, name, r)
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
			a.remark("%s: %s", d.Target, b.Text)
		}
		passed = passed && d.Passed
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	if !passed {
		return errReported
	}
	return nil
}

// sent audits the agents' own texts of sessions and turns.
func (f *auditFlags) sent(ctx context.Context, a *app, targets []string) error {
	switch changed := f.text.changed(); {
	case len(targets) == 0:
		return usagef("audit: name sessions, or turns (SESSION#N)")
	case f.sarif || f.table || f.personal || f.perRule != audit.PerRule || f.picture != "" || f.threshold != "" ||
		f.allowed != "" ||
		len(f.formats) > 0 || changed != "":
		return usagef("audit: --as-sent is about the text as it was: leave out flags of formats and findings")
	case !(f.least >= 0 && f.least <= 100):
		return usagef("audit: --min-share is from 0 to 100 percent")
	}
	var done []*inspect.SentAudit
	var failed []error
	for _, name := range targets {
		run, turns, err := a.runOf(name)
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
	if err := emitAll(ctx, a, f.out, done); err != nil {
		return err
	}
	if len(failed) > 0 {
		return errors.Join(failed...)
	}
	for _, d := range done {
		if !d.Passed {
			a.remark("%s: the model was told %s of what a person sees, less than %g %%", d.Target, d.Percent(), f.least)
			failed = append(failed, errReported)
		}
	}
	if len(failed) > 0 {
		return errReported
	}
	return nil
}

// one audits a target that was opened.
func (f *auditFlags) one(a *app, name string, r *target.Opened) (audited, error) {
	o := audit.Options{Personal: f.personal, PerRule: f.perRule, Profile: a.profileFacts(r.Capture)}
	options, err := f.text.of(r.Capture)
	if err != nil {
		return audited{}, fmt.Errorf("%s: %w", name, err)
	}
	for _, name := range f.views() {
		o.Views = append(o.Views, audit.View{Format: name, Options: options})
	}
	if r.Record != nil {
		o.Texts = audit.TextsOf(r.Record.Payloads, r.Record.Steps, r.Record.Answer)
	}
	report, err := audit.Run(r.Capture, o)
	if err != nil {
		return audited{}, fmt.Errorf("%s: %w", name, err)
	}
	if f.picture != "" {
		if err := f.draw(r, report); err != nil {
			return audited{}, err
		}
	}
	got := audited{inspect.Audited{Target: target.Clean(name), Report: report, Breaches: []audit.Breach{}}}
	if f.limits != nil {
		got.Breaches = f.limits.Check(report)
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
func (a *app) profileFacts(c *snapshot.Capture) []audit.ProfileFact {
	file, err := a.profiles().Lookup(c.URL)
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
func (f *auditFlags) draw(r *target.Opened, report *audit.Report) error {
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

func (d audited) sarif() audit.Audited {
	return audit.Audited{URI: artifact(d.Target), Report: d.Report}
}

// printReports writes reports into a file, or prints them where there is none: as SARIF, as JSON lines, or as texts.
func printReports[R reported](ctx context.Context, a *app, path string, sarif bool, done []R) error {
	var b strings.Builder
	switch {
	case sarif:
		var list []audit.Audited
		for _, d := range done {
			list = append(list, d.sarif())
		}
		data, err := audit.SARIF(version, list...)
		if err != nil {
			return err
		}
		b.Write(data)
	case a.json:
		return emitAll(ctx, a, path, done)
	default:
		for i, d := range done {
			if i > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(text.EscapeOnce(d.Text()))
		}
	}
	if path != "" || sarif {
		return a.printTo(path, b.String())
	}
	return a.show(ctx, b.String(), paintText)
}

// artifact is a target as SARIF names it: an address, or a path with slashes.
func artifact(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(filepath.ToSlash(name), "#", "%23"), " ", "%20")
}

// printRules lists what a command looks for.
func (a *app) printRules(rules []audit.Rule) error {
	if a.json {
		return a.printJSON(map[string]any{"schema": shapeOf("rules"), "rules": rules})
	}
	for _, r := range rules {
		source := ""
		if r.Source != "" {
			source = " (" + r.Source + ")"
		}
		if _, err := fmt.Fprintf(a.stdout, "%-18s %-8s %s%s\n%28s%s\n%28s→ %s\n", r.ID, r.Worst,
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
func (f *auditFlags) printCoverage(ctx context.Context, a *app, tabs *target.Opener, targets []string) error {
	formats := f.views()
	rows := make([]coverageRow, len(formats))
	var o audit.Options
	o.PerRule = 1
	for k, name := range formats {
		rows[k].format = name
	}
	s := session.Options{Settle: f.page.settle, NoPicture: true, Action: "audit"}
	err := tabs.OpenAll(ctx, f.page.jobs, targets, s, func(name string, r *target.Opened, err error) error {
		if err != nil {
			return err
		}
		ours, err := f.text.of(r.Capture)
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
	return a.printTo(f.out, b.String())
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
