package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/snapshot/turn"
)

// exportSession writes a session as one file.
func (a *app) exportSession(ctx context.Context, args []string, f sessionFlags) error {
	store, err := a.openSession(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	out := f.out
	if out == "" {
		path, err := filepath.Abs(store.Path())
		if err != nil {
			return fmt.Errorf("session %s: %w: name the file with -o", args[0], err)
		}
		out = filepath.Base(path)
		if !turn.IsFileName(out) {
			out += turn.Extension
		}
	}
	if same(out, store.Path()) {
		return usagef("session export: %s is the session itself: name another file with -o", out)
	}
	var damage []turn.Damage
	err = export.WritePrivateBy(out, func(w io.Writer) error {
		damage, err = store.Export(ctx, w, f.damaged)
		return err
	})
	if err != nil {
		return withoutDamaged(args[0], "exported", err)
	}
	st, err := os.Stat(out)
	if err != nil {
		return fmt.Errorf("%s was written and is gone: %w", out, err)
	}
	list, _, err := store.List(ctx)
	if err != nil {
		return err
	}
	return a.moved(out, len(list), st.Size(), damage)
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// importSession copies a session file into the home folder, or reads the file of another
// agent into a session.
func (a *app) importSession(ctx context.Context, args []string, f sessionFlags) error {
	if done, err := a.importForeign(ctx, args[0]); done {
		return err
	}
	store, err := turn.OpenPath(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	name := a.session
	if name == "" {
		name = filepath.Base(args[0])
		if turn.IsFileName(name) {
			name = name[:len(name)-len(turn.Extension)]
		}
		name = strings.ReplaceAll(name, " ", "-")
	}
	if err := turn.CheckName(name); err != nil {
		return usagef("session import: %v: name it with --session", err)
	}
	dir := turn.SessionDir(a.home, name)
	damage, err := store.Import(ctx, dir, f.damaged)
	if errors.Is(err, turn.ErrExists) {
		return fmt.Errorf("%w: choose another name with --session", err)
	}
	if err != nil {
		return withoutDamaged(args[0], "imported", err)
	}
	again, err := turn.OpenPath(dir)
	if err != nil {
		return err
	}
	list, _, err := again.List(ctx)
	if err != nil {
		return err
	}
	return a.moved(name, len(list), 0, damage)
}

// withoutDamaged says of damage that there is a way around it.
func withoutDamaged(name, done string, err error) error {
	var d *turn.DamagedError
	if !errors.As(err, &d) {
		return err
	}
	return fmt.Errorf("session %s is damaged and was not %s: %w: with --damaged what is whole is %s", name, done, err, done)
}

// moved prints what was exported or imported. Damage that was accepted is said.
func (a *app) moved(to string, turns int, size int64, damage []turn.Damage) error {
	if a.json {
		out := map[string]any{"status": "ok", "to": to, "turns": turns, "damage": damageLines(damage)}
		if size > 0 {
			out["bytes"] = size
		}
		return json.NewEncoder(a.stdout).Encode(out)
	}
	a.damaged(damage)
	line := fmt.Sprintf("%s  %d turns", to, turns)
	if size > 0 {
		line += fmt.Sprintf("  %d bytes", size)
	}
	_, err := fmt.Fprintln(a.stdout, line)
	return err
}
