package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
)

// profileFlags are the flags of profile's verbs.
type profileFlags struct {
	base    string // a version, or "none"; "" where none is given
	strict  bool
	save    bool
	file    string
	format  string
	context int
}

// domainNote describes what DOMAIN means in the use line of a verb.
const domainNote = "; DOMAIN is a host or a URL"

// Profile is the family of commands about what is known of a site.
func Profile(a *cli.App) *cobra.Command {
	verb := cli.Verbs[profileFlags]{App: a, Family: "profile", Note: domainNote,
		Flags: profileFlags{context: 3, format: string(format.DDDK)}}.Verb
	base := func(fs *pflag.FlagSet, f *profileFlags) {
		fs.StringVar(&f.base, "base", "",
			"the `HASH` of the text that was read, or its first 8 digits or more, or none "+
				"where there was none; another text that is there by now is not replaced")
	}
	strict := func(fs *pflag.FlagSet, f *profileFlags) {
		fs.BoolVar(&f.strict, "strict", false, "refuse a text that lint finds anything in")
	}
	try := verb("try TARGET", "what a profile would do to a recorded page", "try shop#1 --file draft.md", 1, 1,
		tryProfile, func(fs *pflag.FlagSet, f *profileFlags) {
			fs.StringVar(&f.file, "file", "",
				"the text of a `FILE`, or - for standard input, instead of the site's profile")
			fs.StringVar(&f.format, "format", f.format, "text `FORMAT`: "+cli.FormatNames())
		})
	cli.CompleteFlag(try, "format", cli.FormatList()...)
	rules := verb("help [RULE]", "the rules and the text of a profile, with an example of each", "help redact", 0, 1,
		profileHelp)
	rules.ValidArgs = profiles.RuleNames()
	c := cli.Family("profile VERB", "what is known of a site: list, show, write, try, …",
		`  refscopectl profile new https://example.org/ --save
  refscopectl profile show example.org
  refscopectl profile try shop#1 --file draft.md`,
		verb("list", "list the profiles", "list --json", 0, 0, listProfiles),
		verb("show DOMAIN", "the text of a profile", "show example.org", 1, 1, showProfile),
		verb("path DOMAIN", "where a profile is, or would be made", "path example.org", 1, 1, profilePath),
		verb("lint [DOMAIN|FILE…]", "what is wrong with profiles, or with texts", "lint draft.md",
			0, -1, lintProfiles),
		verb("write DOMAIN [FILE|-]", "replace a profile by a text", "write example.org draft.md --strict", 1, 2,
			writeProfile, base, strict),
		verb("history DOMAIN", "the versions of a profile", "history example.org", 1, 1, profileHistory),
		verb("restore DOMAIN N", "make a version the newest again", "restore example.org 3", 2, 2,
			restoreProfile, base),
		verb("diff DOMAIN N [M]", "what differs between two versions", "diff example.org 3", 2, 3, diffProfile,
			func(fs *pflag.FlagSet, f *profileFlags) {
				fs.IntVar(&f.context, "context", f.context, "`N` lines around each change, -1 for all")
			}),
		verb("import [DIR]", "copy the profiles of cdp-skill, or of a folder", "import old/profiles",
			0, 1, importProfiles),
		verb("new TARGET", "a first profile, filled in from the page", "new https://example.org/ --save",
			1, 1, newProfile,
			func(fs *pflag.FlagSet, f *profileFlags) {
				fs.BoolVar(&f.save, "save", false, "write it where there is no profile yet, instead of printing it")
			}, strict),
		rules, try)
	for _, v := range c.Commands() {
		run := v.RunE
		v.RunE = func(v *cobra.Command, args []string) error {
			err := run(v, args)
			if errors.Is(err, profiles.ErrNoDomain) {
				return &target.UsageError{Text: "profile " + v.Name() + ": " + err.Error()}
			}
			return err
		}
	}
	return c
}

// profileHelp prints what a profile can say, or what a rule of it can.
func profileHelp(_ context.Context, a *cli.App, args []string, _ *profileFlags) error {
	if len(args) > 0 {
		example := profiles.RuleExample(args[0])
		if example == "" {
			return cli.Usagef("profile help: unknown rule %q: choose from %s", args[0],
				strings.Join(profiles.RuleNames(), " | "))
		}
		if a.JSON {
			return a.PrintJSON(map[string]any{"help": example})
		}
		return a.Print(example)
	}
	help := fmt.Sprintf(`A profile is one Markdown file for each domain, at most %d MiB. `+
		`Rules stand at its start, between two lines ---:

`, profiles.MaxText>>20) + profiles.Rules + `
A comment stands on a line of its own, or after " # ". Keys begin at the start of a line; items are indented.
filter and wait for take CSS selectors; a selector that no browser can use is refused when the profile is written.
What redact withholds is withheld in texts, pictures, requests, answers, console, network and exports.

Below the rules is the text for agents, in sections: ## ` + strings.Join(profiles.SectionNames(), ", ## ") + `.

The profile for the host with its port applies, else that for the host, else that for a parent domain.
  refscopectl profile new TARGET --save     a first one, filled in from the page
  refscopectl profile try SESSION#N         what the rules change on a recorded page
`
	if a.JSON {
		return a.PrintJSON(map[string]any{"help": help})
	}
	return a.Print(help)
}

// profileLine is a profile in a list.
type profileLine struct {
	Domain   string    `json:"domain"`
	Path     string    `json:"path"`
	Version  string    `json:"version"` // SHA-256 of the text, hexadecimal
	Bytes    int       `json:"bytes"`
	Modified time.Time `json:"modified"`
	Fallback bool      `json:"fallback,omitempty"` // of cdp-skill's folder
	Problems int       `json:"problems"`
	Versions int       `json:"versions"`      // that were replaced
	Why      string    `json:"why,omitempty"` // it could not be read
}

func listProfiles(_ context.Context, a *cli.App, _ []string, _ *profileFlags) error {
	store := a.Profiles()
	files, err := store.List()
	if err != nil {
		return err
	}
	lines := []profileLine{}
	for _, f := range files {
		history, err := store.History(f.Domain)
		if err != nil {
			return err
		}
		line := profileLine{f.Domain, f.Path, string(f.Version), len(f.Text), f.Modified, f.Fallback,
			len(profiles.Lint(f.Text, time.Now())), len(history), ""}
		if f.Err != nil {
			line.Problems, line.Why = 1, f.Err.Error()
		}
		lines = append(lines, line)
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"profiles": lines})
	}
	out := make([]string, len(lines))
	for k, l := range lines {
		if l.Why != "" {
			out[k] = l.Domain + "  cannot be read: " + text.CollapseSpace(l.Why)
			continue
		}
		out[k] = fmt.Sprintf("%s  %d bytes  %s", l.Domain, l.Bytes, l.Modified.Format(time.DateOnly))
		if l.Problems > 0 {
			out[k] += "  " + text.Count(l.Problems, "problem", "problems")
		}
		if l.Fallback {
			out[k] += "  read from " + filepath.Dir(l.Path)
		}
	}
	return a.PrintLines(out)
}

func showProfile(_ context.Context, a *cli.App, args []string, _ *profileFlags) error {
	name := args[0]
	f, err := a.Profiles().Lookup(name)
	switch {
	case a.JSON && errors.Is(err, profiles.ErrNotFound):
		domain, derr := profiles.Domain(name)
		if derr != nil {
			return derr
		}
		return a.PrintJSON(map[string]any{"found": false, "domain": domain})
	case err != nil:
		return err
	case a.JSON:
		return a.PrintJSON(map[string]any{"found": true, "domain": f.Domain, "path": f.Path, "version": f.Version,
			"content": f.Text})
	}
	return a.Print(strings.TrimSuffix(f.Text, "\n") + "\n")
}

// profilePath prints where a domain's profile is, or would be made.
func profilePath(_ context.Context, a *cli.App, args []string, _ *profileFlags) error {
	name, store := args[0], a.Profiles()
	domain, err := profiles.Domain(name)
	if err != nil {
		return err
	}
	path := store.Path(domain)
	f, err := store.Lookup(name)
	if err == nil {
		path = f.Path
	} else if !errors.Is(err, profiles.ErrNotFound) {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"domain": domain, "path": path, "found": err == nil})
	}
	return a.Print(path + "\n")
}

// profileText reads a profile's text from a file, or from standard input for "-".
func profileText(ctx context.Context, a *cli.App, name string) (string, error) {
	in, from := a.Stdin(ctx), "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w: name a file that is there", name, export.Cause(err))
		}
		defer f.Close()
		in, from = f, name
	} else if a.NothingPiped() {
		return "", errors.New("there is no text: name a file, or pipe it in")
	}
	b, err := io.ReadAll(io.LimitReader(in, profiles.MaxText+1))
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", from, export.Cause(err))
	}
	if len(b) > profiles.MaxText {
		return "", fmt.Errorf("%s has more than the %d bytes that a profile may have", from, profiles.MaxText)
	}
	return string(b), nil
}

// writeProfile replaces a domain's profile by a text.
func writeProfile(ctx context.Context, a *cli.App, args []string, f *profileFlags) error {
	if _, err := profiles.Domain(args[0]); err != nil {
		return err // before anything is read
	}
	name := "-"
	if len(args) > 1 {
		name = args[1]
	}
	text, err := profileText(ctx, a, name)
	if err != nil {
		return err
	}
	return saveProfile(ctx, a, args[0], text, f)
}

// restoreProfile makes a version of the history the newest.
func restoreProfile(ctx context.Context, a *cli.App, args []string, f *profileFlags) error {
	n, err := revisionNumber("restore", args[1])
	if err != nil {
		return err
	}
	rev, err := revision(a, args[0], n)
	if err != nil {
		return err
	}
	return saveProfile(ctx, a, args[0], rev.text, f)
}

// revisionNumber reads the number of a version.
func revisionNumber(verb, s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, cli.Usagef("profile %s: %q is not a version: they are numbered from 1 on, see profile history", verb,
			s)
	}
	return n, nil
}

// saveProfile saves a text as the domain's profile and describes what it replaced. Without
// --base it replaces whatever is there; the store keeps that in the history.
func saveProfile(ctx context.Context, a *cli.App, domain, text string, f *profileFlags) error {
	if err := checkBase(f.base); err != nil {
		return err
	}
	store := a.Profiles()
	problems := cli.List(profiles.Lint(text, time.Now()))
	if f.strict && len(problems) > 0 {
		if err := printProblems(a, problems); err != nil {
			return err
		}
		err := fmt.Errorf("profile %s was not written: lint finds %d problems in the text, and --strict allows none",
			domain, len(problems))
		return a.FailWith(err, map[string]any{"problems": problems})
	}
	var before, now *profiles.File
	for {
		var err error
		before, err = store.Load(domain)
		if errors.Is(err, profiles.ErrNotFound) {
			before, err = &profiles.File{}, nil
		}
		if err != nil {
			return err
		}
		now, err = store.Save(ctx, domain, text, baseOf(f.base, before.Version))
		if conflict, ok := errors.AsType[*profiles.Conflict](err); ok {
			if f.base == "" && ctx.Err() == nil {
				continue // somebody saved between the two lines above: theirs goes to the history
			}
			return conflictError(a, conflict)
		}
		if _, ok := errors.AsType[*profiles.BrokenError](err); ok {
			return a.FailWith(err, map[string]any{"problems": problems})
		}
		if err != nil {
			return err
		}
		break
	}
	return written(a, before, now, problems)
}

// checkBase refuses a --base that can be no version.
func checkBase(s string) error {
	if s == "" || s == "none" {
		return nil
	}
	if len(s) < 8 || len(s) > 64 || strings.Trim(strings.ToLower(s), "0123456789abcdef") != "" {
		return cli.Usagef("profile: --base %q: write the hash that profile history or show --json prints, "+
			"its first 8 digits or more, or none", s)
	}
	return nil
}

// baseOf is the version that --base means, where now is the one that is there.
func baseOf(s string, now profiles.Version) profiles.Version {
	switch low := strings.ToLower(s); {
	case s == "none":
		return ""
	case s == "", strings.HasPrefix(string(now), low):
		return now
	default:
		return profiles.Version(low)
	}
}

// written reports what a save did.
func written(a *cli.App, before, now *profiles.File, problems []profiles.Problem) error {
	unchanged := before.Version == now.Version && !before.Fallback
	var replaced *profileVersion
	if before.Version != "" && before.Version != now.Version {
		replaced = &profileVersion{Version: before.Version, Bytes: len(before.Text)}
		list, err := a.Profiles().History(now.Domain)
		if err != nil {
			return err
		}
		for _, rev := range list {
			if rev.Text == before.Text {
				replaced.N, replaced.Time = rev.N, rev.Time.UTC()
			}
		}
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{
			"written": !unchanged, "domain": now.Domain, "path": now.Path, "version": now.Version,
			"bytes": len(now.Text), "replaced": replaced, "problems": problems,
		})
	}
	note := ""
	switch {
	case unchanged:
		note = "  unchanged"
	case replaced != nil:
		note = fmt.Sprintf("  replaced version %d (%s, %d bytes)", replaced.N, replaced.Version.Short(),
			replaced.Bytes)
	}
	if err := a.Printf("%s  %d bytes  %s%s\n", now.Path, len(now.Text), now.Version.Short(), note); err != nil {
		return err
	}
	return printProblems(a, problems)
}

// printProblems prints what lint finds in a text; JSON answers have it in them.
func printProblems(a *cli.App, problems []profiles.Problem) error {
	if a.JSON {
		return nil
	}
	return a.PrintLines(cli.StringsOf(problems))
}

// conflictError shows both texts of two writers.
func conflictError(a *cli.App, c *profiles.Conflict) error {
	err := fmt.Errorf("%w with --base %s", c, c.Now.Short())
	if a.JSON {
		return a.FailWith(err, map[string]any{"conflict": map[string]any{
			"domain": c.Domain, "base": c.Base, "now": c.Now, "theirs": c.Theirs, "yours": c.Yours,
		}})
	}
	lines := diff.Lines(c.Theirs, c.Yours)
	if werr := a.Print(diff.Unified(lines, "there now ("+c.Now.Short()+")", "yours", 3, true)); werr != nil {
		return werr
	}
	return err
}

// profileVersion is one text of a profile. N is 0 and Time when it was saved for the
// newest; for the others Time is when they were replaced.
type profileVersion struct {
	N       int              `json:"n,omitempty"`
	Time    time.Time        `json:"time"`
	Bytes   int              `json:"bytes"`
	Version profiles.Version `json:"version"` // SHA-256 of the text, hexadecimal
	text    string
}

// versions are the texts of a domain's profile, oldest first, the newest last. It is
// the profile of exactly that domain.
func versions(a *cli.App, domain string) (name string, list []profileVersion, err error) {
	store := a.Profiles()
	if name, err = profiles.Domain(domain); err != nil {
		return "", nil, err
	}
	history, err := store.History(domain)
	if err != nil {
		return "", nil, err
	}
	for _, rev := range history {
		list = append(list, profileVersion{rev.N, rev.Time.UTC(), len(rev.Text), profiles.VersionOf(rev.Text),
			rev.Text})
	}
	f, err := store.Load(domain)
	switch {
	case errors.Is(err, profiles.ErrNotFound) && len(list) > 0:
		return name, list, nil // it was removed by hand
	case err != nil:
		return "", nil, err
	}
	return name, append(list, profileVersion{0, f.Modified.UTC(), len(f.Text), f.Version, f.Text}), nil
}

// revision is one version of the history.
func revision(a *cli.App, domain string, n int) (profileVersion, error) {
	name, list, err := versions(a, domain)
	if err != nil {
		return profileVersion{}, err
	}
	i := slices.IndexFunc(list, func(v profileVersion) bool { return v.N == n })
	if i < 0 && n == 0 {
		return profileVersion{}, fmt.Errorf("profile %s: %w now: name two versions, see profile history", name,
			profiles.ErrNotFound)
	}
	if i < 0 {
		return profileVersion{}, fmt.Errorf("profile %s has no version %d: see profile history", name, n)
	}
	return list[i], nil
}

// profileHistory lists the versions of a domain's profile.
func profileHistory(_ context.Context, a *cli.App, args []string, _ *profileFlags) error {
	name, list, err := versions(a, args[0])
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"domain": name, "versions": list})
	}
	lines := make([]string, len(list))
	for k, v := range list {
		n, what := "now", "saved"
		if v.N > 0 {
			n, what = fmt.Sprint(v.N), "replaced"
		}
		lines[k] = fmt.Sprintf("%-4s %s %s  %d bytes  %s", n, what, v.Time.Format(time.RFC3339), v.Bytes,
			v.Version.Short())
	}
	return a.PrintLines(lines)
}

// diffProfile compares two versions of a domain's profile line by line; without a
// second number, a version with what is there now.
func diffProfile(_ context.Context, a *cli.App, args []string, f *profileFlags) error {
	var pair [2]profileVersion
	for k := range pair {
		n := 0
		if k+1 < len(args) {
			var err error
			if n, err = revisionNumber("diff", args[k+1]); err != nil {
				return err
			}
		}
		v, err := revision(a, args[0], n)
		if err != nil {
			return err
		}
		pair[k] = v
	}
	var names [2]string
	for k, v := range pair {
		names[k] = "now (" + v.Version.Short() + ")"
		if v.N > 0 {
			names[k] = fmt.Sprintf("version %d (%s)", v.N, v.Version.Short())
		}
	}
	changes := diff.Unified(diff.Lines(pair[0].text, pair[1].text), names[0], names[1], f.context, !a.JSON)
	if a.JSON {
		name, err := profiles.Domain(args[0])
		if err != nil {
			return err
		}
		return a.PrintJSON(map[string]any{"domain": name, "from": pair[0], "to": pair[1], "diff": changes})
	}
	if changes == "" {
		a.Remark("the two are the same")
	}
	return a.Print(changes)
}

// newProfile prints a first profile for a site, filled in from the page where it can be
// captured, or writes it where there is none.
func newProfile(ctx context.Context, a *cli.App, args []string, f *profileFlags) error {
	if f.strict && !f.save {
		return cli.Usagef("profile new: --strict is about what --save writes")
	}
	t, err := target.Parse(a.Home, args[0])
	if err != nil {
		return err
	}
	tabs := a.Opener()
	defer tabs.Close()
	c, failed := tabs.OpenCapture(ctx, t.Name, "profile new")
	address := t.Name
	switch {
	case failed != nil && (t.Kind != target.PageKind || t.Page.Path != "" || ctx.Err() != nil):
		return failed // nothing else gives the domain
	case failed != nil:
	case t.Page.Path != "":
		address = "127.0.0.1" // its port is another one each time
	default:
		address = c.URL
	}
	domain, err := profiles.Domain(address)
	if err != nil {
		return err
	}
	var draft, why string
	if failed == nil {
		draft = profiles.FromPage(domain, time.Now(), c)
	} else {
		draft, why = profiles.Template(domain, time.Now()), text.EscapeOnce(failed.Error())
		a.Remark("the regions are left to you, as the page could not be captured: %s", why)
	}
	if f.save {
		if _, err := a.Profiles().Load(domain); err == nil {
			return fmt.Errorf("there is a profile of %s already: see profile show %s, and change it with profile write",
				domain, domain)
		}
		f.base = "none"
		return saveProfile(ctx, a, domain, draft, f)
	}
	if a.JSON {
		out := map[string]any{
			"domain": domain, "path": a.Profiles().Path(domain), "content": draft, "captured": failed == nil,
		}
		if failed != nil {
			out["why"] = why
		}
		return a.PrintJSON(out)
	}
	return a.Print(draft)
}

// tryProfile shows what a profile would do to a recorded page, before it is saved: the
// rules with what they match, the texts that would be redacted, as they would be, and
// the lines that would go.
func tryProfile(ctx context.Context, a *cli.App, args []string, f *profileFlags) error {
	t, err := target.Parse(a.Home, args[0])
	if err == nil && !t.Recorded() {
		err = cli.Usagef("profile try: %s is not recorded: name a turn (SESSION#N) or a capture (.json), "+
			"as turn and snap --format capture --all make them", t.Name)
	}
	if err != nil {
		return err
	}
	target := t.Name
	if !cli.IsFormat(f.format) {
		return cli.Usagef("profile try: unknown format %q: choose from %s", f.format, cli.FormatNames())
	}
	tabs := a.Opener()
	defer tabs.Close()
	c, err := tabs.OpenCapture(ctx, target, "profile try")
	if err != nil {
		return err
	}
	name, draft, err := triedText(ctx, a, c, f.file)
	if err != nil {
		return err
	}
	p, _ := profiles.Parse(draft)
	problems := cli.List(profiles.Lint(draft, time.Now()))
	trial := p.Try(c)
	format := dump.Format(f.format)
	lines, err := whatif.Between(c, trial.Capture, format, whatif.Setup{}, whatif.Setup{Drop: trial.Drop})
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	withhold(lines.Lines, trial.Redacted)
	failed := slices.ContainsFunc(trial.Rules, func(r profiles.RuleTrial) bool { return r.Problem != "" }) ||
		slices.ContainsFunc(problems, func(p profiles.Problem) bool { return p.Fatal })
	if a.JSON {
		err = a.PrintJSON(map[string]any{
			"target": target, "profile": name, "problems": problems, "rules": trial.Rules, "redacted": trial.Redacted,
			"unknown": trial.Unknown, "lines": lines.Lines, "unchanged": lines.Unchanged,
		})
	} else {
		err = printTrial(a, trial, lines, problems)
	}
	if err == nil && failed {
		return cli.ErrReported
	}
	return err
}

// withhold takes out of lines what they were before, where the profile withholds something of them.
func withhold(lines []whatif.LineChange, redacted []profiles.Redacted) {
	of := map[int]bool{}
	for _, r := range redacted {
		of[r.Node] = true
	}
	for i := range lines {
		if l := &lines[i]; l.Kind == whatif.Changed || of[l.Node] {
			l.From = redact.Mark("")
		}
	}
}

// triedText is the text to try and what it is called: that of --file, or the profile of
// the recorded page's site.
func triedText(ctx context.Context, a *cli.App, c *snapshot.Capture, file string) (name, text string, err error) {
	if file != "" {
		text, err = profileText(ctx, a, file)
		return file, text, err
	}
	found, err := a.Profiles().Lookup(c.URL)
	if errors.Is(err, profiles.ErrNotFound) {
		return "", "", fmt.Errorf("%w: name the text to try with --file", err)
	}
	if err != nil {
		return "", "", err
	}
	return found.Path, found.Text, nil
}

func printTrial(a *cli.App, trial *profiles.Trial, diff *whatif.Comparison, problems []profiles.Problem) error {
	lines := cli.StringsOf(problems)
	add := func(s string) { lines = append(lines, text.CollapseSpace(s)) }
	for _, r := range trial.Rules {
		add(r.String())
	}
	unseen := 0
	for _, r := range trial.Redacted {
		if !r.Kept {
			unseen++
			continue
		}
		add(redactedLine(r))
	}
	for _, change := range diff.Lines {
		add(whatIfLine(change))
	}
	if err := a.PrintLines(lines); err != nil {
		return err
	}
	a.Remark("%d lines came, went or changed, %d stayed; %d texts are redacted, "+
		"%d of them in elements that no format shows",
		len(diff.Lines), diff.Unchanged, len(trial.Redacted), unseen)
	for _, u := range trial.Unknown {
		a.Remark("%s: take a turn with the profile to see it", u)
	}
	return nil
}

// redactedLine is one text as it would be; page text is between quotes.
func redactedLine(r profiles.Redacted) string {
	head := "page"
	switch {
	case r.Ref > 0:
		head = fmt.Sprintf("[%d] <%s>", r.Ref, r.Tag)
	case r.Node >= 0:
		head = fmt.Sprintf("<%s>", r.Tag)
	}
	quoted := text.QuoteLine(text.Cut(text.Line(r.Text), 200))
	why := "it repeats what is withheld"
	if r.Line > 0 {
		why = fmt.Sprintf("line %d", r.Line)
	}
	return fmt.Sprintf("! %s %s: %s   # %s", head, r.Field, quoted, why)
}

// lintProfiles checks profiles by domain, or files; all profiles where none is named.
func lintProfiles(ctx context.Context, a *cli.App, names []string, _ *profileFlags) error {
	type named struct {
		name, text string
		err        error // it cannot be read
	}
	var texts []named
	if len(names) == 0 {
		files, err := a.Profiles().List()
		if err != nil {
			return err
		}
		for _, f := range files {
			texts = append(texts, named{f.Path, f.Text, f.Err})
		}
	}
	for _, name := range names {
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			b, err := profileText(ctx, a, name)
			if err != nil {
				return err
			}
			texts = append(texts, named{name, b, nil})
			continue
		}
		f, err := a.Profiles().Lookup(name)
		if err != nil {
			return err
		}
		texts = append(texts, named{f.Path, f.Text, nil})
	}
	fatal := 0
	out := []map[string]any{}
	var lines []string
	for _, t := range texts {
		problems := cli.List(profiles.Lint(t.text, time.Now()))
		if t.err != nil {
			problems = []profiles.Problem{{Line: 1, Text: t.err.Error(), Fatal: true}}
		}
		for _, p := range problems {
			if p.Fatal {
				fatal++
			}
			lines = append(lines, fmt.Sprintf("%s:%d: %s", t.name, p.Line, p.Text))
		}
		out = append(out, map[string]any{"path": t.name, "problems": problems})
	}
	var err error
	if a.JSON {
		err = a.PrintJSON(map[string]any{"files": out})
	} else {
		err = a.PrintLines(lines)
	}
	if err != nil {
		return err
	}
	if fatal > 0 {
		a.Remark("%d lines do not do what they were meant to do", fatal)
		return cli.ErrReported
	}
	return nil
}

// importProfiles copies the profiles of a folder into the home folder; those that
// cdp-skill keeps for this user where none is named (C-17).
func importProfiles(ctx context.Context, a *cli.App, args []string, _ *profileFlags) error {
	store := a.Profiles()
	dir := store.Fallback()
	if len(args) > 0 {
		dir = args[0]
	}
	if dir == "" {
		return cli.Usagef("profile import: no home folder is known: name the folder to import")
	}
	files, err := store.Import(ctx, dir)
	if err != nil && len(files) == 0 {
		return err
	}
	count := map[profiles.Outcome]int{}
	for _, f := range files {
		count[f.Outcome]++
	}
	switch {
	case a.JSON && err == nil:
		if err := a.PrintJSON(map[string]any{"folder": dir, "files": cli.List(files)}); err != nil {
			return err
		}
	case a.JSON:
		return a.FailWith(err, map[string]any{"folder": dir, "files": files})
	default:
		lines := make([]string, len(files))
		for k, f := range files {
			lines[k] = fmt.Sprintf("%-8s  %s", f.Outcome, text.CollapseSpace(f.File))
			if f.Domain != "" {
				lines[k] += fmt.Sprintf("  as %s  %d bytes", f.Domain, f.Bytes)
			}
			if f.Why != "" {
				lines[k] += "  " + text.CollapseSpace(f.Why)
			}
		}
		if werr := a.PrintLines(lines); werr != nil {
			return werr
		}
		a.Remark("%d imported, %d the same, %d kept as they are here, %d refused",
			count[profiles.Taken], count[profiles.Same], count[profiles.Kept], count[profiles.Refused])
	}
	if err == nil && count[profiles.Refused] > 0 {
		return cli.ErrReported
	}
	return err
}
