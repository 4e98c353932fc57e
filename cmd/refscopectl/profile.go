package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/format"
)

// profiles are the site profiles of the home folder.
func (a *app) profiles() *profiles.Store { return profiles.Home(a.home) }

// profileFlags are the flags of profile's verbs.
type profileFlags struct {
	base    string // a version, or "none"; "" where none is given
	strict  bool
	save    bool
	file    string
	format  string
	context int
}

// profileCommand runs the verbs of profile.
func profileCommand(ctx context.Context, a *app, args []string) error {
	var f profileFlags
	var set *flag.FlagSet
	rest, err := a.globals("refscopectl profile", args, func(fs *flag.FlagSet) {
		set = fs
		fs.StringVar(&f.base, "base", "", "write, restore: the hash of the text that was read, or its first 8 digits or more, or none where there was none; another text that is there by now is not replaced")
		fs.BoolVar(&f.strict, "strict", false, "write, new --save: refuse a text that lint finds anything in")
		fs.BoolVar(&f.save, "save", false, "new: write it where there is no profile yet, instead of printing it")
		fs.StringVar(&f.file, "file", "", "try: the text of a file, or - for standard input, instead of the site's profile")
		fs.StringVar(&f.format, "format", string(format.DDDK), "try: text format: "+formatNames())
		fs.IntVar(&f.context, "context", 3, "diff: lines around each change, -1 for all")
	})
	if err != nil {
		return err
	}
	verbs := []struct {
		name, args string
		flags      []string
		least      int // arguments
		most       int // -1: any number
		run        func(ctx context.Context, args []string, f profileFlags) error
	}{
		{"list", "", nil, 0, 0, a.listProfiles},
		{"show", "DOMAIN", nil, 1, 1, a.showProfile},
		{"path", "DOMAIN", nil, 1, 1, a.profilePath},
		{"lint", "[DOMAIN|FILE…]", nil, 0, -1, a.lintProfiles},
		{"write", "DOMAIN [FILE|-]", []string{"base", "strict"}, 1, 2, a.writeProfile},
		{"history", "DOMAIN", nil, 1, 1, a.profileHistory},
		{"restore", "DOMAIN N", []string{"base"}, 2, 2, a.restoreProfile},
		{"diff", "DOMAIN N [M]", []string{"context"}, 2, 3, a.diffProfile},
		{"import", "[DIR]", nil, 0, 1, a.importProfiles},
		{"new", "TARGET", []string{"save", "strict"}, 1, 1, a.newProfile},
		{"try", "TARGET", []string{"file", "format"}, 1, 1, a.tryProfile},
	}
	var forms []string
	for _, v := range verbs {
		forms = append(forms, strings.TrimSpace(v.name+" "+v.args))
	}
	say := "say " + strings.Join(forms, ", ")
	if len(rest) == 0 {
		return usagef("profile: %s", say)
	}
	for _, v := range verbs {
		if v.name != rest[0] {
			continue
		}
		if n := len(rest) - 1; n < v.least || v.most >= 0 && n > v.most {
			return usagef("profile %s: say %s; DOMAIN is a host or a URL", v.name, strings.TrimSpace("profile "+v.name+" "+v.args))
		}
		for _, name := range []string{"base", "strict", "save", "file", "format", "context"} {
			if given(set, name) && !slices.Contains(v.flags, name) {
				return usagef("profile %s: it has no flag -%s", v.name, name)
			}
		}
		err := v.run(ctx, rest[1:], f)
		if errors.Is(err, profiles.ErrNoDomain) {
			return &usageError{"profile " + v.name + ": " + err.Error()}
		}
		return err
	}
	return usagef("profile: there is no %q: %s", rest[0], say)
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
	Versions int       `json:"versions"` // that were replaced
}

func (a *app) listProfiles(context.Context, []string, profileFlags) error {
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
		lines = append(lines, profileLine{f.Domain, f.Path, string(f.Version), len(f.Text), f.Modified, f.Fallback, len(profiles.Lint(f.Text, time.Now())), len(history)})
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

func (a *app) showProfile(_ context.Context, args []string, _ profileFlags) error {
	name := args[0]
	f, err := a.profiles().Lookup(name)
	switch {
	case a.json && errors.Is(err, profiles.ErrNotFound):
		domain, derr := profiles.Domain(name)
		if derr != nil {
			return derr
		}
		return json.NewEncoder(a.stdout).Encode(map[string]any{"found": false, "domain": domain})
	case err != nil:
		return err
	case a.json:
		return json.NewEncoder(a.stdout).Encode(map[string]any{"found": true, "domain": f.Domain, "path": f.Path, "version": f.Version, "content": f.Text})
	}
	text := visible(f.Text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err = fmt.Fprint(a.stdout, text)
	return err
}

// profilePath prints where a domain's profile is, or would be made.
func (a *app) profilePath(_ context.Context, args []string, _ profileFlags) error {
	name, store := args[0], a.profiles()
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
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"domain": domain, "path": path, "found": err == nil})
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}
