package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/whatif"
)

// tryProfile shows what a profile would do to a recorded page, before it is saved: the
// rules with what they match, the texts that would be redacted, as they would be, and
// the lines that would go.
func (a *app) tryProfile(ctx context.Context, args []string, f profileFlags) error {
	target := args[0]
	if _, ok := a.recorded(target); !ok && !isCapture(target) {
		return usagef("profile try: %s is not recorded: name a turn (SESSION#N) or a capture (.json), as turn and snap --format capture --all make them", target)
	}
	if !isFormat(f.format) {
		return usagef("profile try: there is no format %q: choose from %s", f.format, formatNames())
	}
	l := a.live()
	defer l.close()
	c, err := l.capture(ctx, target, "profile try")
	if err != nil {
		return err
	}
	name, text, err := a.triedText(c, f.file)
	if err != nil {
		return err
	}
	p, _ := profiles.Parse(text)
	problems := profiles.Lint(text, time.Now())
	if problems == nil {
		problems = []profiles.Problem{}
	}
	trial := p.Try(c)
	format := dump.Format(f.format)
	lines, err := whatif.Compare(trial.Capture, format, whatif.Setup{}, whatif.Setup{Drop: trial.Drop})
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	failed := false
	for _, r := range trial.Rules {
		failed = failed || r.Problem != ""
	}
	for _, p := range problems {
		failed = failed || p.Fatal
	}
	if a.json {
		err = json.NewEncoder(a.stdout).Encode(map[string]any{
			"target": target, "profile": name, "problems": problems, "rules": trial.Rules, "redacted": trial.Redacted, "lines": lines.Lines, "unchanged": lines.Unchanged,
		})
	} else {
		err = a.tellTrial(c, trial, lines, problems)
	}
	if err == nil && failed {
		return errReported
	}
	return err
}

// triedText is the text to try and what it is called: that of --file, or the profile of
// the recorded page's site.
func (a *app) triedText(c *snapshot.Capture, file string) (name, text string, err error) {
	if file != "" {
		text, err = a.profileText(file)
		return file, text, err
	}
	found, err := a.profiles().Lookup(c.URL)
	if errors.Is(err, profiles.ErrNotFound) {
		return "", "", fmt.Errorf("%w: name the text to try with --file", err)
	}
	if err != nil {
		return "", "", err
	}
	return found.Path, found.Text, nil
}

func (a *app) tellTrial(c *snapshot.Capture, trial *profiles.Trial, lines *whatif.Comparison, problems []profiles.Problem) error {
	say := func(line string) error {
		_, err := fmt.Fprintln(a.stdout, visible(oneLine(line)))
		return err
	}
	if err := a.tellProblems(problems); err != nil {
		return err
	}
	for _, r := range trial.Rules {
		if err := say(r.String()); err != nil {
			return err
		}
	}
	unseen := 0
	for _, r := range trial.Redacted {
		if !r.Kept {
			unseen++
			continue
		}
		if err := say(redactedLine(r)); err != nil {
			return err
		}
	}
	for _, line := range lines.Lines {
		if err := say(whatIfLine(line)); err != nil {
			return err
		}
	}
	a.remark("%d lines came, went or changed, %d stayed; %d texts are redacted, %d of them in elements that no format shows", len(lines.Lines), lines.Unchanged, len(trial.Redacted), unseen)
	if n := c.Verdicts[snapshot.VerdictFiltered]; n > 0 {
		a.remark("%d elements were left out already when the page was recorded", n)
	}
	return nil
}

// redactedLine is one text as it would be; page text stands between quotes.
func redactedLine(r profiles.Redacted) string {
	head := "page"
	switch {
	case r.Ref > 0:
		head = fmt.Sprintf("[%d] <%s>", r.Ref, r.Tag)
	case r.Node >= 0:
		head = fmt.Sprintf("<%s>", r.Tag)
	}
	text := string(dump.AppendJSON(nil, cutText(dump.Printable(r.Text))))
	why := "it repeats what is withheld"
	if r.Line > 0 {
		why = fmt.Sprintf("line %d", r.Line)
	}
	return fmt.Sprintf("! %s %s: %s   # %s", head, r.Field, text, why)
}

// cutText is as much of a text as a line has room for, 200 characters.
func cutText(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return s
}
