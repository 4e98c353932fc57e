package turn

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/refscope/refscope/snapshot/text"
)

// Extension ends the name of a session file, one that [Store.Export] wrote.
const Extension = ".refscope"

// ErrNotFile: the file is not a session file; it may be something else that is
// whole.
var ErrNotFile = errors.New("is not a session file")

// errOneFile is why nothing can be written to a session file.
var errOneFile = errors.New("it is one file, which is only read: import it first, with refscopectl session import")

// maxDirectory is how many bytes of a zip file are read to learn what is in it;
// about 140,000 entries, so 45,000 turns.
const maxDirectory = 16 << 20

// archive is a session file as a folder that can only be read. Entries are read
// where they lie. What is in the zip file is checked when it is opened: see
// [newArchive].
type archive struct {
	name  string
	r     io.ReaderAt
	close func() error
	files map[string]*zip.File
	dirs  map[string][]fs.DirEntry
}

// OpenPath opens the session at path for reading: a folder, or a session file,
// whose entries are read where they lie. [Store.Close] lets the file go. Errors
// are those of [Open], and [ErrNotFile] for a file that is none.
func OpenPath(path string) (*Store, error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &missingError{path}
	}
	if err != nil || st.IsDir() {
		return Open(Dir(path))
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w: it is not a regular file", text.Line(path), ErrNotFile)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
	if err != nil {
		return nil, fmt.Errorf("session file %s cannot be read: %w", path, err)
	}
	s, err := openArchive(f, st.Size(), path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.fs.(*archive).close = f.Close
	return s, nil
}

// openArchive opens a session file of size bytes for reading; name is for messages.
// The caller closes r when it is done with the store.
func openArchive(r io.ReaderAt, size int64, name string) (*Store, error) {
	a, err := newArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	return Open(a)
}

// Close closes the file that [OpenPath] opened. For a folder there is nothing
// to do.
func (s *Store) Close() error {
	if a, ok := s.fs.(*archive); ok && a.close != nil {
		return a.close()
	}
	return nil
}

// newArchive reads the list of entries and refuses whatever [Store.Export] does
// not write: names that are not those of a session's own files (so none that is
// absolute, climbs, has a backslash, a drive letter or another case), a name
// twice, links, devices and folders, entries that are compressed or encrypted, or
// that together have more bytes than the file.
func newArchive(r io.ReaderAt, size int64, name string) (*archive, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("session file %s: %w", text.Line(name), fmt.Errorf(format, args...))
	}
	var head [4]byte
	if _, err := r.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, bad("it cannot be read: %w", err)
	}
	if string(head[:2]) != "PK" {
		return nil, fmt.Errorf("%s %w: it is no zip file", text.Line(name), ErrNotFile)
	}
	limited := &limitedReaderAt{r: r, left: maxDirectory}
	z, err := zip.NewReader(limited, size)
	if errors.Is(err, errTooMany) {
		return nil, bad("%w: a session of so many turns stays a folder", err)
	}
	if err != nil {
		return nil, bad("it is cut off or damaged: %w: fetch it again", err)
	}
	limited.left = math.MaxInt64
	if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == sessionFile }) {
		return nil, fmt.Errorf("%s %w: it is a zip file without %s", text.Line(name), ErrNotFile, sessionFile)
	}
	a := &archive{name: name, r: r, files: make(map[string]*zip.File, len(z.File)), dirs: map[string][]fs.DirEntry{}}
	total := uint64(0)
	for _, f := range z.File {
		total += f.UncompressedSize64
		switch {
		case !isEntry(f.Name):
			return nil, bad("it holds %.80q, which is not a file of a session that this program knows", f.Name)
		case a.files[f.Name] != nil:
			return nil, bad("it holds %q twice", f.Name)
		case !f.Mode().IsRegular():
			return nil, bad("its %q is a link or a device", f.Name)
		case f.Method != zip.Store || f.Flags&1 != 0 || f.CompressedSize64 != f.UncompressedSize64:
			return nil, bad("its %q is compressed or encrypted, which a session file never is: export the session "+
				"again", f.Name)
		case f.UncompressedSize64 > uint64(size) || total > uint64(size):
			return nil, bad("its %q has more bytes, by the directory, than the file has room for", f.Name)
		}
		a.files[f.Name] = f
	}
	a.fold()
	return a, nil
}

// isEntry reports whether a session file may hold an entry of that name.
func isEntry(name string) bool {
	switch name {
	case sessionFile, ledgerFile, notesFile:
		return true
	}
	if hash, ok := strings.CutPrefix(name, partsDir+"/"); ok {
		return isHash(hash)
	}
	dir, file := path.Split(name)
	number, ok := strings.CutPrefix(strings.TrimSuffix(dir, "/"), turnsDir+"/")
	_, isTurn := parseTurnDir(number)
	return ok && isTurn && file == turnFile
}

// fold sorts the entries into folders.
func (a *archive) fold() {
	add := func(dir string, e fs.DirEntry) { a.dirs[dir] = append(a.dirs[dir], e) }
	for _, d := range []string{partsDir, tmpDir, turnsDir} {
		a.dirs[d] = nil
		add(".", folder(d))
	}
	for name, f := range a.files {
		dir := path.Dir(name)
		if path.Dir(dir) == turnsDir {
			add(turnsDir, folder(path.Base(dir)))
		}
		add(dir, fs.FileInfoToDirEntry(f.FileInfo()))
	}
	for _, list := range a.dirs {
		slices.SortFunc(list, func(x, y fs.DirEntry) int { return cmp.Compare(x.Name(), y.Name()) })
	}
}

// verify compares the entries with the checksums of the zip file, which also
// cover session.json.
func (a *archive) verify(ctx context.Context) []Damage {
	var damage []Damage
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if ctx.Err() != nil {
			return damage
		}
		f, err := a.Open(name)
		sum := crc32.NewIEEE()
		if err == nil {
			_, err = io.Copy(sum, f)
		}
		if err == nil && sum.Sum32() != a.files[name].CRC32 {
			err = errors.New("it is not as it was when it was packed: it was cut off or changed")
		}
		if err != nil {
			damage = append(damage, Damage{Path: name, Why: err.Error()})
		}
	}
	return damage
}

func (a *archive) String() string { return text.Line(a.name) }

func (a *archive) Open(name string) (fs.File, error) {
	f := a.files[name]
	if f == nil {
		if _, ok := a.dirs[name]; ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a folder")}
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	at, err := f.DataOffset()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &archiveFile{io.NewSectionReader(a.r, at, int64(f.UncompressedSize64)), f.FileInfo()}, nil
}

func (a *archive) ReadDir(name string) ([]fs.DirEntry, error) {
	list, ok := a.dirs[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	return list, nil
}

// Wait waits for ctx alone: a session file does not change.
func (a *archive) Wait(ctx context.Context, _, state string) (string, error) {
	const only = "file"
	if state == only {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return only, nil
}

func (a *archive) Mkdir(string) error                         { return errOneFile }
func (a *archive) Create(string) (File, error)                { return nil, errOneFile }
func (a *archive) Append(string, int64) (File, error)         { return nil, errOneFile }
func (a *archive) Rename(string, string) error                { return errOneFile }
func (a *archive) Remove(string) error                        { return errOneFile }
func (a *archive) SyncDir(string) error                       { return errOneFile }
func (a *archive) Lock(context.Context) (func() error, error) { return nil, errOneFile }

// archiveFile is one entry, opened.
type archiveFile struct {
	*io.SectionReader
	info fs.FileInfo
}

func (f *archiveFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *archiveFile) Close() error               { return nil }

// folder is a folder of a session file, by its name.
type folder string

func (d folder) Name() string               { return string(d) }
func (d folder) IsDir() bool                { return true }
func (d folder) Type() fs.FileMode          { return fs.ModeDir }
func (d folder) Info() (fs.FileInfo, error) { return d, nil }
func (d folder) Size() int64                { return 0 }
func (d folder) Mode() fs.FileMode          { return fs.ModeDir | 0o700 }
func (d folder) ModTime() time.Time         { return time.Time{} }
func (d folder) Sys() any                   { return nil }

var errTooMany = fmt.Errorf("its list of entries has more than %d bytes", maxDirectory)

// limitedReaderAt reads at most left bytes in all.
type limitedReaderAt struct {
	r    io.ReaderAt
	left int64
}

func (l *limitedReaderAt) ReadAt(b []byte, at int64) (int, error) {
	if l.left -= int64(len(b)); l.left < 0 {
		return 0, errTooMany
	}
	return l.r.ReadAt(b, at)
}
