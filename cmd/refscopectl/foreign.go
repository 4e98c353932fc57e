package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/importer"
	"github.com/refscope/refscope/snapshot/turn"
)

// importForeign imports the file of another agent, recognised by its content, as a new
// session. It reports false where the file is not one of those: a session of our own,
// a folder, or nothing at all, which [app.importSession] says better.
func (a *app) importForeign(ctx context.Context, path string) (done bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return false, nil
	}
	format, err := importer.Detect(f, st.Size())
	switch {
	case err != nil && turn.IsFileName(path), err == nil && format == importer.Session:
		return false, nil
	case err != nil:
		return true, fmt.Errorf("%s: %w", path, err)
	}
	name, err := a.importName(path)
	if err != nil {
		return true, err
	}
	dir := turn.SessionDir(a.home, name)
	if _, err := os.Stat(dir); err == nil {
		return true, fmt.Errorf("session %s %w: choose another name with --session", name, turn.ErrExists)
	}
	// Written aside and renamed, so that there is the whole session or none.
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return true, fmt.Errorf("importing %s: %w", path, export.Cause(err))
	}
	aside, err := os.MkdirTemp(filepath.Dir(dir), ".import-*")
	if err != nil {
		return true, fmt.Errorf("importing %s: %w", path, export.Cause(err))
	}
	defer os.RemoveAll(aside)
	rep, err := readForeign(ctx, f, st.Size(), path, aside)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
		if rep != nil && len(rep.Damage) > 0 {
			err = fmt.Errorf("%w: %s", err, strings.Join(rep.Damage, "; "))
		}
		return true, err
	}
	if err := os.Rename(aside, dir); err != nil {
		return true, fmt.Errorf("importing %s as session %s: %w", path, name, export.Cause(err))
	}
	return true, a.importedForeign(name, rep)
}

// readForeign writes a turn to the session in dir for each that the file has.
func readForeign(ctx context.Context, f *os.File, size int64, path, dir string) (*importer.Report, error) {
	store, err := turn.Create(ctx, turn.Dir(dir), "refscopectl "+version)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	var o importer.Options
	// Screenshots beside a history; nothing outside that folder, whatever links it holds.
	if root, err := os.OpenRoot(filepath.Dir(path)); err == nil {
		defer root.Close()
		o.Pictures = root.FS()
	}
	return importer.Read(ctx, f, size, o, func(rec *turn.Record) error {
		_, err := store.Append(ctx, func(l *turn.Ledger) (*turn.Record, error) {
			l.Assign(rec.Meta.Target, l.NextTurn(), rec.Capture)
			return rec, nil
		})
		return err
	})
}

// importName is the name of the session that a file is imported as: --session, else the
// file's own name, with what a session's name may not have replaced.
func (a *app) importName(path string) (string, error) {
	name := a.session
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		name = strings.Trim(strings.Map(func(r rune) rune {
			if r < 0x80 && (r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
				return r
			}
			return '-'
		}, name), "-._")
	}
	if err := turn.CheckName(name); err != nil {
		return "", usagef("session import: %v: name it with --session", err)
	}
	return name, nil
}

// importedForeign prints what was imported, what could not be read and what is lacking.
func (a *app) importedForeign(name string, rep *importer.Report) error {
	if a.json {
		list := func(s []string) []string { return append([]string{}, s...) }
		return json.NewEncoder(a.stdout).Encode(map[string]any{
			"status": "ok", "to": name, "turns": rep.Turns, "format": rep.Format, "tool": rep.Tool, "damage": list(rep.Damage), "lacks": list(rep.Lacks),
		})
	}
	for _, d := range rep.Damage {
		if _, err := fmt.Fprintf(a.stderr, "refscopectl: %s\n", visible(d)); err != nil {
			return err
		}
	}
	for _, l := range rep.Lacks {
		a.remark("%s", l)
	}
	_, err := fmt.Fprintf(a.stdout, "%s  %d turns  %s\n", name, rep.Turns, visible(rep.Tool))
	return err
}
