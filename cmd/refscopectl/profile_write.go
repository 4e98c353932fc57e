package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/diff"
)

// profileText reads a profile's text from a file, or from standard input for "-".
func (a *app) profileText(name string) (string, error) {
	in, from := a.stdin(), "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", fmt.Errorf("%s: %w: name a file that is there", name, export.Cause(err))
		}
		defer f.Close()
		in, from = f, name
	} else if a.in == nil && terminal(os.Stdin) {
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
func (a *app) writeProfile(ctx context.Context, args []string, f profileFlags) error {
	if _, err := profiles.Domain(args[0]); err != nil {
		return err // before anything is read
	}
	name := "-"
	if len(args) > 1 {
		name = args[1]
	}
	text, err := a.profileText(name)
	if err != nil {
		return err
	}
	return a.saveProfile(ctx, args[0], text, f)
}

// restoreProfile makes a version of the history the newest.
func (a *app) restoreProfile(ctx context.Context, args []string, f profileFlags) error {
	n, err := revisionNumber("restore", args[1])
	if err != nil {
		return err
	}
	rev, err := a.revision(args[0], n)
	if err != nil {
		return err
	}
	return a.saveProfile(ctx, args[0], rev.text, f)
}

// revisionNumber reads the number of a version.
func revisionNumber(verb, s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, usagef("profile %s: %q is no version: they are numbered from 1 on, see profile history", verb, s)
	}
	return n, nil
}

// saveProfile saves a text as the domain's profile and says what it replaced. Without
// --base it replaces whatever is there; the store keeps that in the history.
func (a *app) saveProfile(ctx context.Context, domain, text string, f profileFlags) error {
	if err := checkBase(f.base); err != nil {
		return err
	}
	store := a.profiles()
	problems := profiles.Lint(text, time.Now())
	if problems == nil {
		problems = []profiles.Problem{}
	}
	if f.strict && len(problems) > 0 {
		if err := a.tellProblems(problems); err != nil {
			return err
		}
		return a.failWith(fmt.Errorf("profile %s was not written: lint finds %d problems in the text, and --strict allows none", domain, len(problems)), map[string]any{"problems": problems})
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
		var conflict *profiles.Conflict
		if errors.As(err, &conflict) {
			if f.base == "" && ctx.Err() == nil {
				continue // somebody saved between the two lines above: theirs goes to the history
			}
			return a.conflict(conflict)
		}
		if err != nil {
			return err
		}
		break
	}
	return a.written(before, now, problems)
}

// checkBase refuses a --base that can be no version.
func checkBase(s string) error {
	if s == "" || s == "none" {
		return nil
	}
	if len(s) < 8 || len(s) > 64 || strings.Trim(strings.ToLower(s), "0123456789abcdef") != "" {
		return usagef("profile: --base %q: write the hash that profile history or show --json tells, its first 8 digits or more, or none", s)
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

// shortVersion is as much of a version as people need.
func shortVersion(v profiles.Version) string {
	if v == "" {
		return "none"
	}
	return string(v[:min(12, len(v))])
}

// written tells what a save did.
func (a *app) written(before, now *profiles.File, problems []profiles.Problem) error {
	unchanged := before.Version == now.Version && !before.Fallback
	var replaced *profileVersion
	if before.Version != "" && before.Version != now.Version {
		replaced = &profileVersion{Version: before.Version, Bytes: len(before.Text)}
		list, err := a.profiles().History(now.Domain)
		if err != nil {
			return err
		}
		for _, rev := range list {
			if rev.Text == before.Text {
				replaced.N, replaced.Time = rev.N, rev.Time.UTC()
			}
		}
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"written": !unchanged, "domain": now.Domain, "path": now.Path, "version": now.Version, "bytes": len(now.Text), "replaced": replaced, "problems": problems,
		})
	}
	note := ""
	switch {
	case unchanged:
		note = "  unchanged"
	case replaced != nil:
		note = fmt.Sprintf("  replaced version %d (%s, %d bytes)", replaced.N, shortVersion(replaced.Version), replaced.Bytes)
	}
	if _, err := fmt.Fprintf(a.stdout, "%s  %d bytes  %s%s\n", now.Path, len(now.Text), shortVersion(now.Version), note); err != nil {
		return err
	}
	return a.tellProblems(problems)
}

// tellProblems prints what lint finds in a text; JSON answers have it in them.
func (a *app) tellProblems(problems []profiles.Problem) error {
	if a.json {
		return nil
	}
	for _, p := range problems {
		if _, err := fmt.Fprintln(a.stdout, visible(p.String())); err != nil {
			return err
		}
	}
	return nil
}

// conflict shows both texts of two writers.
func (a *app) conflict(c *profiles.Conflict) error {
	err := fmt.Errorf("%w with --base %s", c, shortVersion(c.Now))
	if a.json {
		return a.failWith(err, map[string]any{"conflict": map[string]any{
			"domain": c.Domain, "base": c.Base, "now": c.Now, "theirs": c.Theirs, "yours": c.Yours,
		}})
	}
	text := diff.Unified(diff.Lines(c.Theirs, c.Yours), "there now ("+shortVersion(c.Now)+")", "yours", 3, true)
	if _, werr := io.WriteString(a.stdout, visible(text)); werr != nil {
		return werr
	}
	return err
}

// failWith is an error whose JSON form has more to say than its message.
func (a *app) failWith(err error, more map[string]any) error {
	if !a.json {
		return err
	}
	more["status"] = "error"
	more["error"] = map[string]string{"type": "EXECUTION", "message": visible(err.Error())}
	if werr := json.NewEncoder(a.stdout).Encode(more); werr != nil {
		return werr
	}
	return errReported
}
