package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
)

// conflict is a page that two folders have, and that is not the same in both.
type conflict struct {
	Key, Label string
	A, B       string // the folders
	What       string // where they differ
}

// conflictError lists the conflicts of a merge. Nothing was written.
type conflictError struct{ Conflicts []conflict }

// named is how many conflicts the error names.
const named = 10

func (e *conflictError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages are in two folders and differ: ", len(e.Conflicts))
	for i, c := range e.Conflicts {
		if i == named {
			fmt.Fprintf(&b, "; and %d more", len(e.Conflicts)-named)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s (%s) in %s and %s: %s", c.Label, c.Key, c.A, c.B, c.What)
	}
	return b.String()
}

// found is a page with the folder that it is in.
type found struct {
	*Entry
	dir string
}

// Merge puts the shards of one batch together in out, a folder that is not there yet or empty.
// A page that several have must be equal in all, but for one that failed where another is done,
// which counts for nothing; else the error names those that are not, and nothing is written.
// missing is how many pages of the list no folder has.
func Merge(out string, dirs ...string) (missing int, err error) {
	if list, err := os.ReadDir(out); err == nil && len(list) > 0 {
		return 0, fmt.Errorf("%s is not empty: name a new folder", out)
	}
	all := map[string]found{}
	var conflicts []conflict
	var whole Header
	for i, dir := range dirs {
		m, err := ReadManifest(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, fmt.Errorf("%s is not a batch folder: it has no %s", dir, ManifestFile)
		}
		if err != nil {
			return 0, err
		}
		h := m.Header
		h.Shard, h.Run = "", ""
		if i == 0 {
			whole = h
		}
		if err := whole.same(h); err != nil {
			return 0, fmt.Errorf("%s and %s are not of one batch: %s: %w", dirs[0], dir, dirs[0], err)
		}
		for _, e := range m.InOrder() {
			before, twice := all[e.Key]
			here := found{e, dir}
			if twice && before.Outcome == e.Outcome && before.Outcome == OK {
				what, err := differ(before, here)
				if err != nil {
					return 0, err
				}
				if what != "" {
					conflicts = append(conflicts, conflict{e.Key, e.Target, before.dir, dir, what})
				}
			}
			if !twice || before.Outcome != OK {
				all[e.Key] = here
			}
		}
	}
	if len(conflicts) > 0 {
		return 0, &conflictError{conflicts}
	}
	return max(0, whole.Pages-len(all)), put(out, whole, all)
}

// put writes the merged folder.
func put(out string, h Header, all map[string]found) error {
	m := &Manifest{Header: h, Entries: map[string]*Entry{}}
	if err := os.MkdirAll(filepath.Join(out, PagesDir), 0o700); err != nil {
		return fmt.Errorf("%s: %w", out, export.Cause(err))
	}
	for key, f := range all {
		m.Entries[key] = f.Entry
		from := filepath.Join(f.dir, PagesDir, key)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) && len(f.Files) == 0 {
			continue
		}
		if err := copyTree(filepath.Join(out, PagesDir, key), from); err != nil {
			return fmt.Errorf("page %s of %s: %w", key, f.dir, err)
		}
	}
	return m.write(out)
}

// copyTree copies a folder of files. What else it may hold, as links, is an error.
func copyTree(to, from string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}

// differ describes where a page of two folders differs, "" where it does not.
func differ(a, b found) (string, error) {
	x, y := *a.Entry, *b.Entry
	x.Work, y.Work = nil, nil
	left, err1 := json.Marshal(x)
	right, err2 := json.Marshal(y)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	if !bytes.Equal(left, right) {
		return "its result", nil
	}
	files, err := filesOf(filepath.Join(a.dir, PagesDir, a.Key))
	if err != nil {
		return "", err
	}
	others, err := filesOf(filepath.Join(b.dir, PagesDir, b.Key))
	if err != nil {
		return "", err
	}
	if !slices.Equal(files, others) {
		return "its files", nil
	}
	for _, name := range files {
		left, err1 := os.ReadFile(filepath.Join(a.dir, PagesDir, a.Key, name))
		right, err2 := os.ReadFile(filepath.Join(b.dir, PagesDir, b.Key, name))
		if err := errors.Join(err1, err2); err != nil {
			return "", fmt.Errorf("comparing page %s: %w", a.Key, err)
		}
		if !bytes.Equal(left, right) {
			return "file " + filepath.ToSlash(name), nil
		}
	}
	return "", nil
}

// filesOf are the files below a folder, sorted; none where it is not there.
func filesOf(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, rel)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}
