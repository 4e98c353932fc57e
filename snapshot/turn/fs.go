package turn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// FS is the folder of one session. Names are slash-separated and relative to it,
// as in [io/fs]; "." is the folder itself. [Dir] is the real one.
//
// What the format promises after a crash rests on three of its methods: after
// File.Sync the content is durable, after SyncDir the names in that folder are,
// and Rename happens wholly or not at all.
type FS interface {
	// String is the folder's path, for messages.
	String() string
	// Open opens a file for reading.
	Open(name string) (fs.File, error)
	// ReadDir lists a folder, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Mkdir makes a folder; one that is there already is no error. Mkdir(".")
	// also makes the folders above it.
	Mkdir(name string) error
	// Create makes a new file; one that is there already is an error.
	Create(name string) (File, error)
	// Append opens a file that exists, cuts it to size bytes, and writes go to
	// its end.
	Append(name string, size int64) (File, error)
	Rename(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(name string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(name string) error
	// Wait waits while a folder's list of names is in the state that an earlier Wait
	// returned, and returns the state that it is in; at once where state is "". It
	// may return early, and must from time to time where a change may go unnoticed.
	// It ends with ctx's error when ctx is done.
	Wait(ctx context.Context, name, state string) (string, error)
	// Lock waits until no other process and no other caller holds the lock, or
	// until ctx is done.
	Lock(ctx context.Context) (unlock func() error, err error)
}

// File is a file that is being written.
type File interface {
	io.Writer
	// Sync makes the content durable.
	Sync() error
	Close() error
}

// Names in a session folder.
const (
	sessionFile = "session.json"
	ledgerFile  = "ledger"
	notesFile   = "notes"
	lockFile    = "lock"
	turnsDir    = "turns"
	partsDir    = "parts"
	tmpDir      = "tmp"
	turnFile    = "turn.json"
)

// readFile reads a whole file of at most limit bytes, from byte from on.
func readFile(fsys FS, name string, from, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	if st.Size()-from > limit {
		return nil, fmt.Errorf("%s has %d bytes, more than the %d allowed", name, st.Size(), limit)
	}
	if from > 0 {
		if err := skip(f, from); err != nil {
			return nil, err
		}
	}
	// One byte more shows a file that grew; the size is only a hint for the room.
	b := make([]byte, 0, max(0, st.Size()-from)+1)
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if int64(len(b)) > limit {
			return nil, fmt.Errorf("%s grew over the %d bytes allowed", name, limit)
		}
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func skip(f fs.File, n int64) error {
	if s, ok := f.(io.Seeker); ok {
		_, err := s.Seek(n, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, f, n)
	return err
}

// writeFile writes a new file and makes its content durable. Its name is durable
// only after SyncDir of its folder.
func writeFile(fsys FS, name string, b []byte) error {
	f, err := fsys.Create(name)
	if err != nil {
		return err
	}
	if err := writeSyncClose(f, b); err != nil {
		_ = fsys.Remove(name) // a full disk needs the room; what stays, sweep removes
		return err
	}
	return nil
}

// placeFile writes a file under tmp/ and renames it to its place, replacing what
// is there.
func placeFile(fsys FS, what, name string, b []byte) error {
	tmp := tmpName(what)
	if err := writeFile(fsys, tmp, b); err != nil {
		return err
	}
	if err := fsys.Rename(tmp, name); err != nil {
		_ = fsys.Remove(tmp)
		return err
	}
	return nil
}

func writeSyncClose(f File, b []byte) error {
	if _, err := f.Write(b); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// explainWrite turns an error of the file system into a sentence for a person.
func explainWrite(fsys FS, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("session %s: gave up waiting to write: %w", fsys, err)
	case noSpace(err):
		return fmt.Errorf("session %s: %w: free some space and try again; the turns written so far are safe: %w", fsys,
			ErrNoSpace, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), onWindows(err, 19): // ERROR_WRITE_PROTECT
		return fmt.Errorf("session %s: %w: check the folder's permissions or choose another folder: %w",
			fsys, ErrCannotWrite,
			err)
	}
	return fmt.Errorf("session %s: %w", fsys, err)
}

func noSpace(err error) bool {
	// ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL, ERROR_DISK_QUOTA_EXCEEDED
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || onWindows(err, 39, 112, 1295)
}

// onWindows reports whether an error is one of Windows' own numbers: syscall's names of Unix are none of them there.
func onWindows(err error, numbers ...syscall.Errno) bool {
	var number syscall.Errno
	return runtime.GOOS == "windows" && errors.As(err, &number) && slices.Contains(numbers, number)
}

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
	return dir{path: path}
}

type dir struct {
	path string
	root *os.Root // nil where the folder is opened for each call: it may have been replaced meanwhile
}

// in runs f with the folder opened as a root, which is what keeps names inside.
func (d dir) in(f func(r *os.Root) error) error {
	if d.root != nil {
		return f(d.root)
	}
	r, err := os.OpenRoot(d.path)
	if err != nil {
		return err
	}
	return errors.Join(f(r), r.Close())
}

func (d dir) String() string { return d.path }

func (d dir) Open(name string) (f fs.File, err error) {
	err = d.in(func(r *os.Root) error {
		file, err := openIn(r, name, os.O_RDONLY)
		if err == nil {
			f = file
		}
		return err
	})
	return f, err
}

// openIn opens a file or folder, and nothing else: a pipe, a device or a socket in the place of a part would keep its
// reader waiting for ever. Opened in this mode, none of them waits before its kind is known.
func openIn(r *os.Root, name string, flag int) (*os.File, error) {
	f, err := r.OpenFile(filepath.FromSlash(name), flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (d dir) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = d.in(func(r *os.Root) error {
		f, err := openIn(r, name, os.O_RDONLY)
		if err != nil {
			return err
		}
		names, err := f.Readdirnames(-1)
		slices.Sort(names)
		for _, n := range names {
			list = append(list, dirEntry{d, name + "/" + n})
		}
		return errors.Join(err, f.Close())
	})
	return list, err
}

// dirEntry is a name in a folder. What it is the name of is looked at only when somebody asks: os.Root would look at
// each of thousands of turns whenever they are listed.
type dirEntry struct {
	of   dir
	path string
}

func (e dirEntry) Name() string { return path.Base(e.path) }

func (e dirEntry) IsDir() bool { return e.Type().IsDir() }

func (e dirEntry) Type() fs.FileMode {
	st, err := e.Info()
	if err != nil {
		return fs.ModeIrregular
	}
	return st.Mode().Type()
}

func (e dirEntry) Info() (st fs.FileInfo, err error) {
	err = e.of.in(func(r *os.Root) error {
		st, err = r.Lstat(e.path)
		return err
	})
	return st, err
}

func (d dir) Mkdir(name string) error {
	if name == "." {
		if _, err := os.Stat(d.path); err == nil {
			return nil
		}
		if err := os.MkdirAll(d.path, 0o700); err != nil {
			return err
		}
		return syncDir(os.Open(filepath.Dir(d.path)))
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
		f, err = openIn(r, name, flag)
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
	return d.in(func(r *os.Root) error { return syncDir(openIn(r, name, os.O_RDONLY)) })
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
	l := flock.New(filepath.Join(d.path, lockFile))
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
