package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// auditFlags are the flags of audit.
type auditFlags struct {
	text               textFlags
	formats            []string
	sarif, list, table bool
	personal           bool
	out, picture       string
	threshold, allowed string
	perRule            int
	settle             session.Settle
	limits             *audit.Threshold // nil without a file
}

func (f *auditFlags) register(fs *flag.FlagSet) {
	fs.Func("format", "a format to audit; may be given again; default dddk and aria: "+formatNames(), func(s string) error {
		f.formats = append(f.formats, s)
		return nil
	})
	fs.BoolVar(&f.sarif, "sarif", false, "the findings as SARIF 2.1.0, for CI")
	fs.BoolVar(&f.list, "rules", false, "print what is looked for, and end")
	fs.BoolVar(&f.table, "coverage", false, "print only how much of what a person sees the formats, and their originals (--compat), have: over all targets, in Markdown")
	fs.BoolVar(&f.personal, "personal", false, "look for personal data too: e-mail addresses, phone numbers, IBANs")
	fs.StringVar(&f.out, "o", "", "write the report to that file instead of standard output")
	fs.StringVar(&f.picture, "picture", "", "write the picture with the findings' numbers on it to that .png, .webp or .jpg; of one target")
	fs.StringVar(&f.threshold, "threshold", "", "JSON file of limits; what is over them makes the exit 1: maxErrors, rules, coverage …")
	fs.StringVar(&f.allowed, "max-severity", "", "the worst severity that passes: none | note | warning | error; default warning, or error with --threshold")
	fs.IntVar(&f.perRule, "per-rule", audit.PerRule, "how many findings of one rule are listed, -1 for all")
	settleFlags(fs, &f.settle)
	f.text.register(fs)
}

func (f *auditFlags) check(a *app, targets []string) error {
	switch {
	case len(targets) == 0:
		return usagef("audit: name turns (SESSION#N), captures (.json), .html files or URLs")
	case f.sarif && a.json:
		return usagef("audit: --sarif and --json are two forms of the report: give one of them")
	case f.picture != "" && len(targets) > 1:
		return usagef("audit: --picture is of one target: name one")
	case f.table && (f.sarif || a.json || f.picture != "" || f.threshold != ""):
		return usagef("audit: --coverage is a table alone: leave out --json, --sarif, --picture, --threshold")
	case f.perRule == 0:
		return usagef("audit: --per-rule is from 1 on, or -1")
	}
	switch f.allowed {
	case "":
		f.allowed = "warning"
		if f.threshold != "" {
			f.allowed = "error"
		}
	case "none", "note", "warning", "error":
	default:
		return usagef("audit: there is no --max-severity %q: choose from none | note | warning | error", f.allowed)
	}
	if f.picture != "" {
		if _, err := overlay.FormatOf(f.picture); err != nil {
			return usagef("audit: %v", err)
		}
	}
	if err := checkFormats("audit", f.formats, f.text.options); err != nil {
		return err
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
	return f.text.check("audit")
}

// audited is one line of --json: the report with its target and the limits it breaks.
type audited struct {
	Target string `json:"target"`
	*audit.Report
	Breaches []audit.Breach `json:"breaches"`
	Passed   bool           `json:"passed"`
}

// auditCommand judges turns, captures or pages (N-3, N-8, N-10).
func auditCommand(ctx context.Context, a *app, args []string) error {
	var f auditFlags
	targets, err := a.globals("refscopectl audit", args, f.register)
	if err != nil {
		return err
	}
	if f.list {
		return a.printRules()
	}
	if err := f.check(a, targets); err != nil {
		return err
	}
	l := a.live()
	defer l.close()
	if f.table {
		return f.printCoverage(ctx, a, l, targets)
	}
	var done []audited
	var failed []error
	for _, target := range targets {
		got, err := f.one(ctx, a, l, target)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		done = append(done, got)
	}
	if err := f.write(a, done); err != nil {
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

func (f *auditFlags) one(ctx context.Context, a *app, l *live, target string) (audited, error) {
	s, err := l.see(ctx, target, session.Options{Settle: f.settle, NoPicture: f.picture == "", Action: "audit"})
	if err != nil {
		return audited{}, err
	}
	o := audit.Options{Personal: f.personal, PerRule: f.perRule, Profile: a.profileFacts(s.capture)}
	options, err := f.text.of(s.capture)
	if err != nil {
		return audited{}, fmt.Errorf("%s: %w", target, err)
	}
	formats := f.formats
	if len(formats) == 0 {
		formats = []string{string(format.DDDK), string(format.Aria)}
	}
	for _, name := range formats {
		o.Views = append(o.Views, audit.View{Format: dump.Format(name), Options: options})
	}
	if s.record != nil {
		for i, p := range s.record.Payloads {
			o.Texts = append(o.Texts, audit.Text{Name: fmt.Sprintf("payload %d (%s)", i+1, p.Dialect), Text: string(p.Bytes)})
		}
		o.Texts = append(o.Texts, audit.Text{Name: "steps of the turn", Text: string(s.record.Steps)}, audit.Text{Name: "answer of the turn", Text: string(s.record.Answer)})
	}
	r, err := audit.Run(s.capture, o)
	if err != nil {
		return audited{}, fmt.Errorf("%s: %w", target, err)
	}
	if f.picture != "" {
		if err := f.draw(target, s, r); err != nil {
			return audited{}, err
		}
	}
	got := audited{Target: clean(target), Report: r, Breaches: []audit.Breach{}}
	if f.limits != nil {
		got.Breaches = f.limits.Check(r)
	}
	if worst := r.Worst(); worst != "" && f.allowed != "error" && worst.Rank() < audit.Severity(f.allowed).Rank() {
		got.Breaches = append(got.Breaches, audit.Breach{What: "max-severity", Text: fmt.Sprintf("the worst finding is of severity %s, and at most %s passes", worst, f.allowed)})
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
func (f *auditFlags) draw(target string, s *seen, r *audit.Report) error {
	img, err := s.marked(target, true)
	if err != nil {
		return err
	}
	scene := overlay.NewScene(r.Marks(s.capture.Viewport), img.Rect.Size(), overlay.Options{View: overlay.ViewModel})
	format, err := overlay.FormatOf(f.picture)
	if err != nil {
		return err
	}
	data, err := (&overlay.Encoder{}).EncodeAs(export.Drawn(img, scene), format, false)
	if err != nil {
		return fmt.Errorf("%s: %w", f.picture, err)
	}
	return export.Write(f.picture, data)
}

// write prints the reports in the form that was asked for.
func (f *auditFlags) write(a *app, done []audited) error {
	var b strings.Builder
	switch {
	case f.sarif:
		var list []audit.Audited
		for _, d := range done {
			list = append(list, audit.Audited{URI: artifact(d.Target), Report: d.Report})
		}
		data, err := audit.SARIF(version, list...)
		if err != nil {
			return err
		}
		b.Write(data)
	case a.json:
		for _, d := range done {
			if err := json.NewEncoder(&b).Encode(d); err != nil {
				return fmt.Errorf("writing the report of %s: %w", d.Target, err)
			}
		}
	default:
		for i, d := range done {
			if i > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(visible(d.Text()))
		}
	}
	return f.print(a, b.String())
}

// print writes to the file that was named, else to standard output.
func (f *auditFlags) print(a *app, s string) error {
	if f.out != "" {
		return export.Write(f.out, []byte(s))
	}
	_, err := fmt.Fprint(a.stdout, s)
	return err
}

// artifact is a target as SARIF names it: an address, or a path with slashes.
func artifact(target string) string {
	if strings.Contains(target, "://") {
		return target
	}
	return strings.ReplaceAll(strings.ReplaceAll(filepath.ToSlash(target), "#", "%23"), " ", "%20")
}

// printRules lists what audit looks for.
func (a *app) printRules() error {
	if a.json {
		return json.NewEncoder(a.stdout).Encode(audit.Rules())
	}
	for _, r := range audit.Rules() {
		source := ""
		if r.Source != "" {
			source = " (" + r.Source + ")"
		}
		if _, err := fmt.Fprintf(a.stdout, "%-18s %-8s %s%s\n%28s%s\n%28s→ %s\n", r.ID, r.Worst, r.Title, source, "", r.Why, "", r.Action); err != nil {
			return err
		}
	}
	return nil
}
