package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/refscope/refscope/profiles"
)

// lintProfiles checks profiles by domain, or files; all profiles where none is named.
func (a *app) lintProfiles(_ context.Context, names []string, _ profileFlags) error {
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
			b, err := a.profileText(name)
			if err != nil {
				return err
			}
			texts = append(texts, text{name, b})
			continue
		}
		f, err := a.profiles().Lookup(name)
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
