package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/capture/export"
)

// skillMarker lies beside the copied files and says what they were, so that the next
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

// installSkill says what it will do, asks, and does it.
func (a *app) installSkill(_ context.Context, f *skillFlags) error {
	if f.link && f.copy {
		return usagef("skill install: --link and --copy exclude each other")
	}
	source := sourceTree()
	if f.link && source == "" {
		return usagef("skill install: --link needs the source tree: run it in there, or use --copy")
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
	for i := range plan {
		if plan[i].Do != "keep" {
			todo++
		}
		if !a.json {
			fmt.Fprintln(a.stdout, visible(plan[i].String()))
		}
	}
	done := false
	if todo > 0 && !f.dryRun {
		if !f.yes {
			if err := a.agreed(); err != nil {
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
	if a.json {
		return json.NewEncoder(a.stdout).Encode(map[string]any{"status": "ok", "done": done, "steps": plan})
	}
	switch {
	case todo == 0:
		a.remark("the guide is there already, and nothing of it has changed")
	case f.dryRun:
		a.remark("nothing was done: leave --dry-run out")
	default:
		a.remark("the guide is installed")
	}
	return nil
}

// agreed asks the person. Where nobody can be asked, it is an error that says what to do.
func (a *app) agreed() error {
	if a.in == nil && !terminal(os.Stdin) {
		return usagef("skill install: nothing was done, for there is nobody to ask: add --yes")
	}
	fmt.Fprint(a.stderr, "Install the guide there? [y/N] ")
	answer, err := bufio.NewReader(a.stdin()).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	if err != nil && answer == "" {
		fmt.Fprintln(a.stderr)
	}
	if answer != "y" && answer != "yes" {
		return errors.New("skill install: nothing was done, as you did not say yes")
	}
	return nil
}

// planSkill is what one folder needs. Nothing is done yet.
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
		steps, err := planCopy(dir, linked)
		return steps, err
	case linked:
		to, err := os.Readlink(dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, export.Cause(err))
		}
		if to == source {
			return []skillStep{{Path: dir, Do: "keep", To: source, Note: "it is linked already"}}, nil
		}
		return []skillStep{{Path: dir, Do: "unlink", Note: "it leads to " + to}, {Path: dir, Do: "link", To: source}}, nil
	case there:
		return nil, fmt.Errorf("%s is a folder already: remove it, or use --copy to bring its files up to date", dir)
	}
	return []skillStep{{Path: dir, Do: "link", To: source}}, nil
}

// planCopy is what the files need. A link is taken away, and never written through: it
// leads to somebody's sources.
func planCopy(dir string, linked bool) ([]skillStep, error) {
	var steps []skillStep
	mark := skillMark{Files: map[string]string{}}
	if linked {
		steps = append(steps, skillStep{Path: dir, Do: "unlink", Note: "the files are copied instead"})
	} else if b, err := os.ReadFile(filepath.Join(dir, skillMarker)); err == nil && json.Unmarshal(b, &mark) != nil {
		mark.Files = nil // somebody has changed it: what it says is not believed
	}
	names, err := skillFiles()
	if err != nil {
		return nil, err
	}
	now := skillMark{version, map[string]string{}}
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
		steps = append(steps, skillStep{Path: filepath.Join(dir, skillMarker), Do: "write", Note: "what was installed", data: append(b, '\n')})
	}
	return steps, nil
}

func hashOf(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

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
