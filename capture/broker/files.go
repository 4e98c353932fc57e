package broker

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/refscope/refscope/capture/registry"
)

const (
	// homeName is the file in the folder of [Files] that names its home folder.
	homeName = "home"
	// sweepAge is how old the folder of a home that is not there has to be before it goes: a new home is
	// made a moment after it.
	sweepAge = time.Minute
	// unnamedAge is the same for a folder that names no home, which earlier versions have made.
	unnamedAge = 24 * time.Hour
)

// Files is the folder for pictures and snapshots that answers name (C-22), mode 0700: one for
// each home folder, because every home has a tab t1. It is below this user's own folder among
// the temporary ones, and is made where it is not there. What tabs and homes that are gone have
// left there is removed; see [SweepFiles].
func Files(home string) (string, error) {
	dir, abs, err := filesOf(home)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, homeName)
	if _, err := os.Lstat(name); err != nil {
		if err := os.WriteFile(name, []byte(abs), 0o600); err != nil {
			return "", err
		}
	}
	SweepFiles(home)
	return dir, nil
}

// filesOf is the path of the folder for a home folder, and of the latter.
func filesOf(home string) (dir, abs string, err error) {
	if dir, err = temp(); err != nil {
		return "", "", err
	}
	key, err := homeKey(home)
	if err != nil {
		return "", "", err
	}
	abs, err = filepath.Abs(home)
	return filepath.Join(dir, key), abs, err
}

// SweepFiles removes what nobody has any more: the pictures and snapshots of this home's tabs that are gone, the
// folders of homes that are gone, and sockets on which no broker listens. What cannot be removed stays for the next
// time.
func SweepFiles(home string) {
	dir, _, err := filesOf(home)
	if err != nil {
		return
	}
	if tabs, err := registry.Open(home).Load(); err == nil {
		files, _ := os.ReadDir(dir) // none where it is not there
		for _, f := range files {
			alias, _, _ := strings.Cut(f.Name(), ".")
			n, err := strconv.Atoi(strings.TrimPrefix(alias, "t"))
			if _, known := tabs.Tabs[alias]; err == nil && !known && registry.IsAlias(alias) && n < tabs.Next {
				_ = os.Remove(filepath.Join(dir, f.Name()))
			}
		}
	}
	all, _ := os.ReadDir(filepath.Dir(dir)) // none where it is not there
	for _, e := range all {
		path := filepath.Join(filepath.Dir(dir), e.Name())
		info, err := e.Info()
		switch {
		case err != nil || time.Since(info.ModTime()) < sweepAge || path == dir:
		case e.IsDir() && isKey(e.Name()) && abandoned(path, info.ModTime()):
			_ = os.RemoveAll(path)
		case info.Mode().Type() == fs.ModeSocket && !listens(path):
			_ = os.Remove(path)
		}
	}
}

// abandoned reports whether the home folder of a folder for files is gone.
func abandoned(dir string, changed time.Time) bool {
	home, err := os.ReadFile(filepath.Join(dir, homeName))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Since(changed) > unnamedAge
	}
	if err != nil || !filepath.IsAbs(string(home)) {
		return false
	}
	_, err = os.Stat(string(home))
	return errors.Is(err, fs.ErrNotExist)
}

// listens reports whether a program takes connections on a socket, or may.
func listens(path string) bool {
	c, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = c.Close()
	}
	return !errors.Is(err, syscall.ECONNREFUSED)
}

// isKey reports whether a name is one of [homeKey].
func isKey(name string) bool {
	_, err := strconv.ParseUint(name, 16, 64)
	return err == nil && len(name) == 16
}

// homeKey is a short name of a home folder, 16 hexadecimal digits.
func homeKey(home string) (string, error) {
	abs, err := filepath.Abs(home)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	return fmt.Sprintf("%x", sum[:8]), nil
}
