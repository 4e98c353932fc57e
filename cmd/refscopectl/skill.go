package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/assets"
)

// skillName is the folder of the guide in an agent's folder of skills.
const skillName = "refscope"

// skillFlags are the flags of skill.
type skillFlags struct {
	agents string
	dir    string
	yes    bool
	link   bool
	copy   bool
	dryRun bool
}

func (f *skillFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.agents, "for", "", "install: agents to install it for, with commas between: claude, codex; default those that are on this machine")
	fs.StringVar(&f.dir, "dir", "", "install: the folder of skills instead, in which the folder "+skillName+" is made")
	fs.BoolVar(&f.yes, "yes", false, "install: do not ask")
	fs.BoolVar(&f.link, "link", false, "install: link to the source tree that this is run in; the default there")
	fs.BoolVar(&f.copy, "copy", false, "install: copy the files; the default elsewhere")
	fs.BoolVar(&f.dryRun, "dry-run", false, "install: say what would be done, and do nothing")
}

// skillCommand prints or installs the guide for agents (C-24).
func skillCommand(ctx context.Context, a *app, args []string) error {
	var f skillFlags
	rest, err := a.globals("refscopectl skill", args, f.register)
	if err != nil {
		return err
	}
	given := f != skillFlags{}
	switch {
	case len(rest) == 0:
		return usagef("skill: choose print or install")
	case rest[0] == "print" && len(rest) <= 2:
		if given {
			return usagef("skill print: its flags are those of install: leave them out")
		}
		return a.printSkill(rest[1:])
	case rest[0] == "install" && len(rest) == 1:
		return a.installSkill(ctx, &f)
	case rest[0] == "print", rest[0] == "install":
		return usagef("skill %s: %q is too much: see refscopectl skill --help", rest[0], rest[len(rest)-1])
	}
	return usagef("skill: there is no skill %q: choose print or install", rest[0])
}

// skillFiles are the names of the guide's files, that which is read first first.
func skillFiles() ([]string, error) {
	list, err := fs.ReadDir(assets.Skill(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading the guide: %w", err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	slices.SortFunc(names, func(a, b string) int { return -strings.Compare(a, b) })
	return names, nil
}

// printSkill prints the whole guide, or the file of it that is named.
func (a *app) printSkill(only []string) error {
	names, err := skillFiles()
	if err != nil {
		return err
	}
	if len(only) > 0 {
		if !slices.Contains(names, only[0]) {
			return usagef("skill print: there is no %q: choose from %s", only[0], strings.Join(names, " | "))
		}
		names = only
	}
	for i, name := range names {
		b, err := fs.ReadFile(assets.Skill(), name)
		if err != nil {
			return fmt.Errorf("reading the guide: %w", err)
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if _, err := a.stdout.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// skillDirs are the folders of skills that the flags name.
func (f *skillFlags) skillDirs() ([]string, error) {
	if f.dir != "" {
		if f.agents != "" {
			return nil, usagef("skill install: --for and --dir both name the place: give one of them")
		}
		dir, err := filepath.Abs(f.dir)
		return []string{dir}, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, usagef("skill install: no home folder is known: name the folder of skills with --dir")
	}
	agents := []string{"claude", "codex"}
	if f.agents == "" {
		var dirs []string
		for _, name := range agents {
			if st, err := os.Stat(filepath.Join(home, "."+name)); err == nil && st.IsDir() {
				dirs = append(dirs, filepath.Join(home, "."+name, "skills"))
			}
		}
		if len(dirs) == 0 {
			return nil, usagef("skill install: neither ~/.claude nor ~/.codex is there: say which with --for claude,codex, or name a folder with --dir")
		}
		return dirs, nil
	}
	var dirs []string
	for name := range strings.SplitSeq(f.agents, ",") {
		if !slices.Contains(agents, name) {
			return nil, usagef("skill install: there is no agent %q: choose from %s, or name its folder of skills with --dir", name, strings.Join(agents, " | "))
		}
		dirs = append(dirs, filepath.Join(home, "."+name, "skills"))
	}
	return dirs, nil
}

// sourceTree is the folder of the guide in the source tree that the program is run in, ""
// for none.
func sourceTree() string {
	dir, err := os.Getwd()
	for err == nil {
		mod, merr := os.ReadFile(filepath.Join(dir, "go.mod"))
		if merr == nil {
			guide := filepath.Join(dir, "assets", "skill")
			if st, serr := os.Stat(guide); serr == nil && st.IsDir() && strings.HasPrefix(string(mod), "module github.com/refscope/refscope\n") {
				return guide
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}
