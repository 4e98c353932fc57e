package turn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how often a writer asks for a lock that another process holds.
const lockRetry = 15 * time.Millisecond

// A folder that is waited for is looked at ten times a second, by the time of its
// last change. One look takes 7 µs. Events of the system (inotify and its
// kin) would be no faster for a person, and are not sent for what another machine
// or a container writes to a shared folder. Every two seconds Wait returns anyway:
// times may be coarse, so that two changes have the same one.
const (
	lookEvery = 100 * time.Millisecond
	waitMost  = 2 * time.Second
)

// Dir is the session folder at path. Nothing outside the folder is read or
// written, whatever symbolic links a folder from elsewhere holds.
func Dir(path string) FS {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return dir(path)
}

type dir string

// in runs f with the folder opened as a root, which is what keeps names inside.
func (d dir) in(f func(r *os.Root) error) error {
	r, err := os.OpenRoot(string(d))
	if err != nil {
		return err
	}
	return errors.Join(f(r), r.Close())
}

func (d dir) String() string { return string(d) }

func (d dir) Open(name string) (f fs.File, err error) {
	err = d.in(func(r *os.Root) error {
		file, err := r.Open(filepath.FromSlash(name))
		if err == nil {
			f = file
		}
		return err
	})
	return f, err
}

func (d dir) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = d.in(func(r *os.Root) error {
		f, err := r.Open(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		list, err = f.ReadDir(-1)
		return errors.Join(err, f.Close())
	})
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}

func (d dir) Mkdir(name string) error {
	if name == "." {
		if _, err := os.Stat(string(d)); err == nil {
			return nil
		}
		if err := os.MkdirAll(string(d), 0o700); err != nil {
			return err
		}
		return syncDir(os.Open(filepath.Dir(string(d))))
	}
	return d.in(func(r *os.Root) error {
		err := r.Mkdir(filepath.FromSlash(name), 0o700)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if st, serr := r.Stat(filepath.FromSlash(name)); serr != nil || !st.IsDir() {
			return err
		}
		return nil
	})
}

func (d dir) Create(name string) (File, error) {
	return d.openFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
}

func (d dir) Append(name string, size int64) (File, error) {
	f, err := d.openFile(name, os.O_WRONLY)
	if err != nil {
		return nil, err
	}
	err = f.Truncate(size)
	if err == nil {
		_, err = f.Seek(size, 0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (d dir) openFile(name string, flag int) (f *os.File, err error) {
	err = d.in(func(r *os.Root) error {
		f, err = r.OpenFile(filepath.FromSlash(name), flag, 0o600)
		return err
	})
	return f, err
}

func (d dir) Rename(from, to string) error {
	return d.in(func(r *os.Root) error {
		return r.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
	})
}

func (d dir) Remove(name string) error {
	return d.in(func(r *os.Root) error { return r.Remove(filepath.FromSlash(name)) })
}

func (d dir) SyncDir(name string) error {
	return d.in(func(r *os.Root) error { return syncDir(r.Open(filepath.FromSlash(name))) })
}

// syncDir syncs and closes an open folder. Windows has no such call: there the
// file system orders changes of names itself.
func syncDir(f *os.File, err error) error {
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return f.Close()
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d dir) Wait(ctx context.Context, name, state string) (string, error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for range waitMost / lookEvery {
		now := ""
		err := d.in(func(r *os.Root) error {
			st, err := r.Stat(filepath.FromSlash(name))
			if err == nil {
				now = st.ModTime().Format(time.RFC3339Nano)
			}
			return err
		})
		if err != nil || now != state {
			return now, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	return state, nil
}

func (d dir) Lock(ctx context.Context) (func() error, error) {
	// Made through the root first: a lock that is a link to elsewhere is refused.
	f, err := d.openFile(lockFile, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(string(d), lockFile))
	ok, err := l.TryLockContext(ctx, lockRetry)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return nil, fmt.Errorf("another process is writing to it: %w", err)
		}
		return nil, err
	}
	if !ok {
		return nil, errors.New("its lock could not be taken")
	}
	return l.Unlock, nil
}
