package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
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

// skillCommand prints or installs the guide for agents (C-24).
func skillCommand(a *cli.App) *cobra.Command {
	show := &cobra.Command{
		Use: "print [FILE]", Short: "print the guide, or one file of it", Example: "  refscopectl skill print SKILL.md",
		Args: cli.Between(0, 1, ""),
		RunE: func(_ *cobra.Command, args []string) error { return printSkill(a, args) },
	}
	show.ValidArgs, _ = skillFiles() // an unreadable guide is reported by print itself
	var f skillFlags
	install := &cobra.Command{
		Use: "install", Short: "install the guide for the agents of this machine",
		Example: `  refscopectl skill install --dry-run
  refscopectl skill install --for claude --yes`,
		Args: cli.Between(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return installSkill(c.Context(), a, &f) },
	}
	fs := install.Flags()
	fs.StringVar(&f.agents, "for", "",
		"`AGENTS` to install it for, with commas: claude, codex; default those that are on this machine")
	fs.StringVar(&f.dir, "dir", "", "the `FOLDER` of skills instead, in which the folder "+skillName+" is made")
	fs.BoolVar(&f.yes, "yes", false, "do not ask")
	fs.BoolVar(&f.link, "link", false, "link to the source tree that this is run in; the default there")
	fs.BoolVar(&f.copy, "copy", false, "copy the files; the default elsewhere")
	fs.BoolVar(&f.dryRun, "dry-run", false, "print the plan, and do nothing")
	cli.CompleteFlag(install, "for", skillAgents...)
	cli.Must(install.MarkFlagDirname("dir"))
	return cli.Family("skill print|install", "the guide for agents: print it, or install it for them",
		"  refscopectl skill install --dry-run", show, install)
}

// skillAgents are the agents whose folder of skills is known.
var skillAgents = []string{"claude", "codex"}

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
func printSkill(a *cli.App, only []string) error {
	names, err := skillFiles()
	if err != nil {
		return err
	}
	if len(only) > 0 {
		if !slices.Contains(names, only[0]) {
			return cli.Usagef("skill print: there is no %q: choose from %s", only[0], strings.Join(names, " | "))
		}
		names = only
	}
	type file struct {
		Name    string `json:"name"`
		Content string `json:"content"`
	}
	var files []file
	for i, name := range names {
		b, err := fs.ReadFile(assets.Skill(), name)
		if err != nil {
			return fmt.Errorf("reading the guide: %w", err)
		}
		if files = append(files, file{name, string(b)}); a.JSON {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		if _, err := a.Stdout.Write(b); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"files": files})
	}
	return nil
}

// skillDirs are the folders of skills that the flags name.
func (f *skillFlags) skillDirs() ([]string, error) {
	if f.dir != "" {
		if f.agents != "" {
			return nil, cli.Usagef("skill install: --for and --dir both name the place: give one of them")
		}
		dir, err := filepath.Abs(f.dir)
		return []string{dir}, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, cli.Usagef("skill install: no home folder is known: name the folder of skills with --dir")
	}
	var dirs []string
	if f.agents == "" {
		for _, name := range skillAgents {
			if st, err := os.Stat(filepath.Join(home, "."+name)); err == nil && st.IsDir() {
				dirs = append(dirs, filepath.Join(home, "."+name, "skills"))
			}
		}
		if len(dirs) == 0 {
			return nil, cli.Usagef("skill install: neither ~/.claude nor ~/.codex is there: " +
				"choose with --for claude,codex, or name a folder with --dir")
		}
		return dirs, nil
	}
	for name := range strings.SplitSeq(f.agents, ",") {
		if !slices.Contains(skillAgents, name) {
			return nil, cli.Usagef("skill install: unknown agent %q: choose from %s, or name its folder of skills "+
				"with --dir",
				name, strings.Join(skillAgents, " | "))
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
			if st, serr := os.Stat(guide); serr == nil && st.IsDir() &&
				strings.HasPrefix(string(mod), "module github.com/refscope/refscope\n") {
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

// skillMarker lies beside the copied files and describes what they were, so that the next
// installation knows those that somebody has changed since.
const skillMarker = ".refscope.json"

// skillMark is its content.
type skillMark struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // name → SHA-256, hexadecimal
}

// skillStep is one thing that an installation does.
type skillStep struct {
	Path string `json:"path"`
	Do   string `json:"do"` // write, keep, link, unlink
	Note string `json:"note,omitempty"`
	To   string `json:"to,omitempty"` // of a link

	data []byte
	save bool // what is there goes to PATH.bak first
}

func (s *skillStep) String() string {
	line := fmt.Sprintf("%-6s %s", s.Do, s.Path)
	if s.To != "" {
		line += " -> " + s.To
	}
	if s.Note != "" {
		line += "  (" + s.Note + ")"
	}
	return line
}

// installSkill describes what it will do, asks, and does it.
func installSkill(ctx context.Context, a *cli.App, f *skillFlags) error {
	if f.link && f.copy {
		return cli.Usagef("skill install: --link and --copy exclude each other")
	}
	source := sourceTree()
	if f.link && source == "" {
		return cli.Usagef("skill install: --link needs the source tree: run it in there, or use --copy")
	}
	link := source != "" && !f.copy
	dirs, err := f.skillDirs()
	if err != nil {
		return err
	}
	var plan []skillStep
	for _, dir := range dirs {
		steps, err := planSkill(filepath.Join(dir, skillName), source, link)
		if err != nil {
			return err
		}
		plan = append(plan, steps...)
	}
	todo := 0
	lines := make([]string, len(plan))
	for i := range plan {
		if plan[i].Do != "keep" {
			todo++
		}
		lines[i] = plan[i].String()
	}
	if !a.JSON {
		if err := a.PrintLines(lines); err != nil {
			return err
		}
	}
	done := false
	if todo > 0 && !f.dryRun {
		if !f.yes {
			if err := a.Agreed(ctx, "skill install", "Install the guide there?"); err != nil {
				return err
			}
		}
		for i := range plan {
			if err := plan[i].run(); err != nil {
				return err
			}
		}
		done = true
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"status": "ok", "done": done, "steps": plan})
	}
	switch {
	case todo == 0:
		a.Remark("the guide is there already, and nothing of it has changed")
	case f.dryRun:
		a.Remark("nothing was done: leave --dry-run out")
	default:
		a.Remark("the guide is installed")
	}
	return nil
}

// planSkill plans the changes of one folder. Nothing is done yet.
func planSkill(dir, source string, link bool) ([]skillStep, error) {
	st, err := os.Lstat(dir)
	there := err == nil
	linked := there && st.Mode()&os.ModeSymlink != 0
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", dir, export.Cause(err))
	case there && !linked && !st.IsDir():
		return nil, fmt.Errorf("%s is a file: move it away", dir)
	case !link:
		return planCopy(dir, linked)
	case linked:
		to, err := os.Readlink(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, export.Cause(err))
		}
		if to == source {
			return []skillStep{{Path: dir, Do: "keep", To: source, Note: "it is linked already"}}, nil
		}
		return []skillStep{{Path: dir, Do: "unlink", Note: "it leads to " + to}, {Path: dir, Do: "link", To: source}},
			nil
	case there:
		return nil, fmt.Errorf("%s is a folder already: remove it, or use --copy to bring its files up to date", dir)
	}
	return []skillStep{{Path: dir, Do: "link", To: source}}, nil
}

// planCopy plans the changes of the files. A link is taken away, and never written through: it
// leads to the sources of a user.
func planCopy(dir string, linked bool) ([]skillStep, error) {
	var steps []skillStep
	mark := skillMark{Files: map[string]string{}}
	if linked {
		steps = append(steps, skillStep{Path: dir, Do: "unlink", Note: "the files are copied instead"})
	} else if b, err := os.ReadFile(filepath.Join(dir, skillMarker)); err == nil && json.Unmarshal(b, &mark) != nil {
		mark.Files = nil // it was edited: its content is not trusted
	}
	names, err := skillFiles()
	if err != nil {
		return nil, err
	}
	now := skillMark{cli.Version, map[string]string{}}
	changed := linked
	for _, name := range names {
		data, err := fs.ReadFile(assets.Skill(), name)
		if err != nil {
			return nil, fmt.Errorf("reading the guide: %w", err)
		}
		now.Files[name] = hashOf(data)
		s := skillStep{Path: filepath.Join(dir, name), Do: "write", Note: "new", data: data}
		if !linked {
			is, err := os.ReadFile(s.Path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return nil, fmt.Errorf("%s: %w", s.Path, export.Cause(err))
			case bytes.Equal(is, data):
				s.Do, s.Note = "keep", "up to date"
			case mark.Files[name] == hashOf(is):
				s.Note = "brings it up to date"
			default:
				s.Note, s.save = "it was CHANGED since it was installed; what is there goes to "+name+".bak", true
			}
		}
		changed = changed || s.Do != "keep"
		steps = append(steps, s)
	}
	if changed {
		b, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			return nil, err
		}
		steps = append(steps, skillStep{Path: filepath.Join(dir, skillMarker), Do: "write", Note: "what was installed",
			data: append(b, '\n')})
	}
	return steps, nil
}

func hashOf(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }

// run does one step.
func (s *skillStep) run() error {
	var err error
	switch s.Do {
	case "unlink":
		err = os.Remove(s.Path)
	case "link":
		if err = os.MkdirAll(filepath.Dir(s.Path), 0o755); err == nil {
			err = os.Symlink(s.To, s.Path)
		}
	case "write":
		if err = os.MkdirAll(filepath.Dir(s.Path), 0o755); err != nil {
			break
		}
		if s.save {
			if err = os.Rename(s.Path, s.Path+".bak"); err != nil {
				break
			}
		}
		return export.Write(s.Path, s.data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, export.Cause(err))
	}
	return nil
}
