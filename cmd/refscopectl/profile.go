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
	"time"

	"github.com/refscope/refscope/profiles"
)

// profiles are the site profiles of the home folder.
func (a *app) profiles() *profiles.Store { return profiles.Home(a.home) }

// profileCommand lists, shows, names and checks site profiles.
func profileCommand(_ context.Context, a *app, args []string) error {
	rest, err := a.globals("refscopectl profile", args, func(*flag.FlagSet) {})
	if err != nil {
		return err
	}
	const say = "say list, show DOMAIN, path DOMAIN or lint [DOMAIN|FILE…]"
	if len(rest) == 0 {
		return usagef("profile: %s", say)
	}
	verb, names := rest[0], rest[1:]
	switch verb {
	case "list":
		return a.listProfiles()
	case "show", "path":
		if len(names) != 1 {
			return usagef("profile %s: name one domain or URL", verb)
		}
		if verb == "path" {
			return a.profilePath(names[0])
		}
		return a.showProfile(names[0])
	case "lint":
		return a.lintProfiles(names)
	}
	return usagef("profile: there is no %q: %s", verb, say)
}

// profileLine is a profile in a list.
type profileLine struct {
	Domain   string    `json:"domain"`
	Path     string    `json:"path"`
	Bytes    int       `json:"bytes"`
	Modified time.Time `json:"modified"`
	Fallback bool      `json:"fallback,omitempty"` // of cdp-skill's folder
	Problems int       `json:"problems"`
	Versions int       `json:"versions"` // that were replaced
}

func (a *app) listProfiles() error {
	store := a.profiles()
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
		lines = append(lines, profileLine{f.Domain, f.Path, len(f.Text), f.Modified, f.Fallback, len(profiles.Lint(f.Text, time.Now())), len(history)})
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"profiles": lines})
	}
	for _, l := range lines {
		note := ""
		if l.Problems > 0 {
			note += fmt.Sprintf("  %d problems", l.Problems)
		}
		if l.Fallback {
			note += "  read from " + filepath.Dir(l.Path)
		}
		if _, err := fmt.Fprintf(a.stdout, "%s  %d bytes  %s%s\n", l.Domain, l.Bytes, l.Modified.Format(time.DateOnly), note); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showProfile(name string) error {
	f, err := a.profiles().Lookup(name)
	switch {
	case errors.Is(err, profiles.ErrNoDomain):
		return &usageError{err.Error()}
	case a.json && errors.Is(err, profiles.ErrNotFound):
		domain, derr := profiles.Domain(name)
		if derr != nil {
			return derr
		}
		return json.NewEncoder(a.stdout).Encode(map[string]any{"found": false, "domain": domain})
	case err != nil:
		return err
	case a.json:
		return json.NewEncoder(a.stdout).Encode(map[string]any{"found": true, "domain": f.Domain, "path": f.Path, "content": f.Text})
	}
	text := visible(f.Text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = fmt.Fprint(a.stdout, text)
	return err
}

// profilePath prints where a domain's profile is, or would be made.
func (a *app) profilePath(name string) error {
	store := a.profiles()
	domain, err := profiles.Domain(name)
	if err != nil {
		return &usageError{err.Error()}
	}
	path := store.Path(domain)
	f, err := store.Lookup(name)
	if err == nil {
		path = f.Path
	} else if !errors.Is(err, profiles.ErrNotFound) {
		return err
	}
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"domain": domain, "path": path, "found": err == nil})
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}

// lintProfiles checks profiles by domain, or files; all profiles where none is named.
func (a *app) lintProfiles(names []string) error {
	type text struct{ name, text string }
	var texts []text
	if len(names) == 0 {
		files, err := a.profiles().List()
		if err != nil {
			return err
		}
		for _, f := range files {
			texts = append(texts, text{f.Path, f.Text})
		}
	}
	for _, name := range names {
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			texts = append(texts, text{name, string(b)})
			continue
		}
		f, err := a.profiles().Lookup(name)
		if errors.Is(err, profiles.ErrNoDomain) {
			return &usageError{err.Error()}
		}
		if err != nil {
			return err
		}
		texts = append(texts, text{f.Path, f.Text})
	}
	fatal := 0
	out := []map[string]any{}
	for _, t := range texts {
		problems := profiles.Lint(t.text, time.Now())
		for _, p := range problems {
			if p.Fatal {
				fatal++
			}
			if !a.json {
				if _, err := fmt.Fprintf(a.stdout, "%s:%d: %s\n", visible(t.name), p.Line, visible(p.Text)); err != nil {
					return err
				}
			}
		}
		if problems == nil {
			problems = []profiles.Problem{}
		}
		out = append(out, map[string]any{"path": t.name, "problems": problems})
	}
	if a.json {
		if err := json.NewEncoder(a.stdout).Encode(map[string]any{"files": out}); err != nil {
			return err
		}
	}
	if fatal > 0 {
		a.remark("%d lines do not do what they were meant to do", fatal)
		return errReported
	}
	return nil
}
