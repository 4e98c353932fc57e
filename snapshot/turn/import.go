package turn

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// growth bounds what the parts of a session file unpack to, each counted for each
	// turn that names it, as a multiple of the file's size: a thousand turns of a big
	// page that hardly changes come to some 600 times. The first gigabyte is free.
	growth     = 4000
	growthFree = 1 << 30
	// importPrefix begins the name of a folder that is being filled. No session may
	// be called so.
	importPrefix = ".import-"
)

// Import copies a session, which most often is a file from elsewhere that
// [OpenPath] opened, to a new folder at path. Nothing in it is trusted: all of it
// is read and checked first, as by [Store.Check], and it may not unpack to
// absurdly more than it has. Files that no turn needs stay behind. The folder
// appears whole or not at all.
//
// A session that is not whole is a [*DamagedError]; where damaged is true what is
// there is taken, and what is wrong with it returned. Other errors: [ErrExists]
// where there is something at path, and those of writing a turn.
func (s *Store) Import(ctx context.Context, path string, damaged bool) ([]Damage, error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session %s %w", path, ErrExists)
	}
	if a, ok := s.fs.(*archive); ok {
		if err := s.weigh(ctx, a); err != nil {
			return nil, err
		}
	}
	damage, err := s.Check(ctx)
	if err != nil {
		return nil, err
	}
	if a, ok := s.fs.(*archive); ok {
		for _, d := range a.verify(ctx) {
			if !slices.ContainsFunc(damage, func(e Damage) bool { return e.Path == d.Path && !e.Note }) {
				damage = append(damage, d)
			}
		}
	}
	if !Whole(damage) && !damaged {
		return nil, &DamagedError{damage}
	}
	if err := aside(path, func(to FS) error { return explainWrite(to, s.copyTo(ctx, to)) }); err != nil {
		return nil, err
	}
	return damage, nil
}

// Build makes a session at path and has fill write its turns and annotations. Nobody
// else knows the folder until then, so that the lock, the ledger and the newest turns
// are read once, and everything is made durable at the end, not turn by turn: an
// import of many turns takes a small part of the time. The folder appears whole or
// not at all, whenever the process or the machine ends. tool is that of [Create].
//
// Errors: those of fill, [ErrExists] where there is something at path, and those of
// writing a turn.
func Build(ctx context.Context, path, tool string, fill func(s *Store) error) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("session %s %w", path, ErrExists)
	}
	return aside(path, func(to FS) error {
		s, err := Create(ctx, to, tool)
		if err != nil {
			return err
		}
		s.alone = true
		return fill(s)
	})
}

// aside has fill fill a new folder beside path, makes all of it durable, and renames it
// to path.
func aside(path string, fill func(to FS) error) error {
	up := filepath.Dir(path)
	if err := os.MkdirAll(up, 0o700); err != nil {
		return explainWrite(Dir(path), err)
	}
	sweepImports(up)
	tmp := filepath.Join(up, importPrefix+rand.Text()[:12])
	err := within(tmp, path, fill)
	if err == nil {
		err = explainWrite(Dir(path), syncTree(tmp))
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		if _, serr := os.Lstat(path); serr == nil { // somebody else was faster
			err = fmt.Errorf("%w: %w", ErrExists, err)
		}
		return errors.Join(explainWrite(Dir(path), err), os.RemoveAll(tmp))
	}
	return explainWrite(Dir(path), syncDir(os.Open(up)))
}

// within makes a folder and has fill fill it; name is what messages call it.
func within(path, name string, fill func(to FS) error) error {
	if err := os.Mkdir(path, 0o700); err != nil {
		return explainWrite(Dir(name), err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return explainWrite(Dir(name), err)
	}
	return errors.Join(fill(unsynced{dir{path, root}, name}), root.Close())
}

// unsynced is a folder that [aside] makes durable as a whole, by the name that it will have.
type unsynced struct {
	dir
	name string
}

func (u unsynced) String() string { return u.name }

func (u unsynced) Create(name string) (File, error) { return unsyncedFile(u.dir.Create(name)) }

func (u unsynced) Append(name string, size int64) (File, error) {
	return unsyncedFile(u.dir.Append(name, size))
}

func (unsynced) SyncDir(string) error { return nil }

func unsyncedFile(f File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return laterFile{f}, nil
}

// laterFile is a file whose Sync is left to [syncTree].
type laterFile struct{ File }

func (laterFile) Sync() error { return nil }

// weigh adds up the declared unpacked sizes of a session file's parts.
func (s *Store) weigh(ctx context.Context, a *archive) error {
	list, _, err := s.List(ctx)
	if err != nil {
		return err
	}
	packed, unpacked := int64(0), int64(0)
	for _, f := range a.files {
		packed += int64(f.UncompressedSize64)
	}
	for _, sum := range list {
		unpacked += sum.Size
		if unpacked > growthFree+growth*packed {
			return fmt.Errorf("session file %s: its %d bytes unpack to more than %d, by its own directory: "+
				"it is a bomb or damaged", s.fs,
				packed, unpacked)
		}
	}
	return nil
}

// copyTo writes all files of the session to a new folder.
func (s *Store) copyTo(ctx context.Context, to FS) error {
	for _, d := range []string{".", partsDir, tmpDir, turnsDir} {
		if err := to.Mkdir(d); err != nil {
			return err
		}
	}
	_, err := s.each(ctx, true, func(name string, b []byte) error {
		dir, _, ok := strings.Cut(name, "/"+turnFile)
		if ok {
			if err := to.Mkdir(dir); err != nil {
				return err
			}
		}
		if err := writeFile(to, name, b); err != nil || !ok {
			return err
		}
		return to.SyncDir(dir)
	})
	if err != nil {
		return err
	}
	for _, d := range []string{partsDir, tmpDir, turnsDir, "."} {
		if err := to.SyncDir(d); err != nil {
			return err
		}
	}
	return nil
}

// sweepImports removes what dead imports left, best effort.
func sweepImports(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), importPrefix) {
			continue
		}
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > leftoverAge {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
