package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	files "github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/gui/core"
)

// prefsName is the file in the home folder that holds what the window remembers.
const prefsName = "window.json"

// maxPrefs bounds the file that is read, in bytes.
const maxPrefs = 64 << 10

// loadPrefs reads what the window remembers in the home folder; nothing where there is
// nothing yet. On an error the defaults come with it.
func loadPrefs(home string) (core.Prefs, error) {
	path := filepath.Join(home, prefsName)
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return core.Prefs{}, nil
	case err != nil:
		return core.Prefs{}, fmt.Errorf("the window's settings cannot be read, so the defaults are used: %w", err)
	}
	defer f.Close()
	var p core.Prefs
	if err := json.NewDecoder(io.LimitReader(f, maxPrefs)).Decode(&p); err != nil {
		return core.Prefs{}, fmt.Errorf("the window's settings in %s cannot be read, so the defaults are used: %w",
			path, err)
	}
	return p, nil
}

// savePrefs writes what the window remembers, whole or not at all.
func savePrefs(home string, p core.Prefs) error {
	b, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the window's settings: %w", err)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("writing the window's settings: %w", files.Cause(err))
	}
	path := filepath.Join(home, prefsName)
	if err := files.Write(path, append(b, '\n')); err != nil {
		return fmt.Errorf("writing %s: %w", path, files.Cause(err))
	}
	return nil
}

// prefsKeeper writes settings one after another; a newer one that waits replaces an
// older one that does too.
type prefsKeeper struct {
	home string
	log  *slog.Logger

	mu      sync.Mutex
	saved   core.Prefs
	next    *core.Prefs // waits to be written
	writing bool
}

// keep has p written, in a goroutine of run's where none is at it. Without a home folder
// nothing is kept.
func (k *prefsKeeper) keep(p core.Prefs, run func(func())) {
	k.mu.Lock()
	if k.home == "" || k.next == nil && p == k.saved {
		k.mu.Unlock()
		return
	}
	idle := !k.writing
	k.next, k.writing = &p, true
	k.mu.Unlock() // run may write at once
	if idle {
		run(k.write)
	}
}

// write writes until nothing waits.
func (k *prefsKeeper) write() {
	for {
		k.mu.Lock()
		p := k.next
		k.next = nil
		if p == nil {
			k.writing = false
			k.mu.Unlock()
			return
		}
		k.mu.Unlock()
		if err := savePrefs(k.home, *p); err != nil {
			k.log.Warn("settings are not kept", "error", err)
		}
		k.mu.Lock()
		k.saved = *p
		k.mu.Unlock()
	}
}
