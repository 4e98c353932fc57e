package turn

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// exported is a session of some turns, notes and everything beside, as one file.
func exported(t testing.TB, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	damage, err := s.Export(context.Background(), &b, false)
	require.NoError(t, err)
	require.Empty(t, damage)
	return b.Bytes()
}

func variedSession(t testing.TB) (*Store, string) {
	t.Helper()
	s, path := newSession(t)
	for i := range 3 {
		_, err := appendPage(t, s, pageSpec{nodes: 200, seed: 1, change: .02 * float64(i)}, pngBytes(fmt.Sprint(i/2)))
		require.NoError(t, err)
	}
	_, err := appendFull(t, s, nil)
	require.NoError(t, err)
	_, err = s.Annotate(context.Background(), Annotation{Turn: 2, Verdict: "fail", Text: "the button is covered"})
	require.NoError(t, err)
	return s, path
}

func openBytes(t testing.TB, b []byte) *Store {
	t.Helper()
	s, err := openArchive(bytes.NewReader(b), int64(len(b)), "x.refscope")
	require.NoError(t, err)
	return s
}

// TestExport: a file holds all of a session, is read where it lies, and comes back
// to the same bytes after an import.
func TestExport(t *testing.T) {
	ctx := context.Background()
	s, path := variedSession(t)
	// What no turn needs stays behind.
	require.NoError(t, os.WriteFile(filepath.Join(path, partsDir, strings.Repeat("0", 64)), []byte("orphan"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(path, tmpDir, "part-X"), []byte("x"), 0o600))
	b := exported(t, s)
	require.Equal(t, b, exported(t, s), "the same session gives the same bytes")

	file := openBytes(t, b)
	want, damage, err := s.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	got, damage, err := file.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, want, got)
	for _, sum := range want {
		a, err := s.Load(ctx, sum.N)
		require.NoError(t, err)
		b, err := file.Load(ctx, sum.N)
		require.NoError(t, err)
		require.Equal(t, a, b)
	}
	notes, damage, err := file.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, notes, 1)
	damage, err = file.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	_, err = file.Append(ctx, func(*Ledger) (*Record, error) { t.Fatal("asked for a turn"); return nil, nil })
	require.ErrorContains(t, err, "import it first")
	_, err = file.Annotate(ctx, Annotation{Text: "x"})
	require.ErrorContains(t, err, "import it first")

	home := t.TempDir()
	to := filepath.Join(home, "sessions", "copy")
	damage, err = file.Import(ctx, to, false)
	require.NoError(t, err)
	require.Empty(t, damage)
	again, err := OpenPath(to)
	require.NoError(t, err)
	require.Equal(t, b, exported(t, again), "export, import, export: the same bytes")
	require.Equal(t, b, exported(t, file), "a file can be exported too")
	damage, err = again.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	_, err = file.Import(ctx, to, false)
	require.ErrorIs(t, err, ErrExists)
	left, err := os.ReadDir(filepath.Dir(to))
	require.NoError(t, err)
	require.Len(t, left, 1)
	// The copy continues with the numbers of the session.
	rec, err := appendPage(t, again, pageSpec{nodes: 200, seed: 1}, nil)
	require.NoError(t, err)
	require.Equal(t, 5, rec.N)

	other, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	require.NoError(t, err)
	var names []string
	for _, f := range other.File {
		names = append(names, f.Name)
		require.Equal(t, 1980, f.Modified.Year())
		r, err := f.Open()
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, r) // compares the checksum
		require.NoError(t, err)
	}
	require.True(t, slices.IsSorted(names))
	require.NotContains(t, strings.Join(names, " "), "000000")
}

func TestExportEmpty(t *testing.T) {
	s, _ := newSession(t)
	b := exported(t, s)
	file := openBytes(t, b)
	list, damage, err := file.List(context.Background())
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, damage)
	_, err = file.Import(context.Background(), filepath.Join(t.TempDir(), "s"), false)
	require.NoError(t, err)
}

// TestExportDamaged: damage is refused, or taken along and named; the turns that
// are whole stay so.
func TestExportDamaged(t *testing.T) {
	ctx := context.Background()
	for name, do := range map[string]func(path string, d *turnDoc) error{
		"picture changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, partsDir, d.part(rolePicture).SHA256), []byte("rust"), 0o600)
		},
		"capture missing": func(path string, d *turnDoc) error {
			return os.Remove(filepath.Join(path, partsDir, d.part(roleCapture).SHA256))
		},
		"turn.json changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, "turns/0003/turn.json"), []byte("rust"), 0o600)
		},
		"turn.json missing": func(path string, d *turnDoc) error {
			return os.Remove(filepath.Join(path,
				"turns/0003/turn.json"))
		},
		"session.json changed": func(path string, d *turnDoc) error {
			return os.WriteFile(filepath.Join(path, sessionFile), []byte("rust"), 0o600)
		},
		"ledger missing": func(path string, d *turnDoc) error { return os.Remove(filepath.Join(path, ledgerFile)) },
	} {
		t.Run(name, func(t *testing.T) {
			s, path := variedSession(t)
			d, _, err := s.readTurn(3)
			require.NoError(t, err)
			require.NoError(t, do(path, d))
			s, err = Open(Dir(path))
			require.NoError(t, err)
			var b bytes.Buffer
			_, err = s.Export(ctx, &b, false)
			var damaged *DamagedError
			require.ErrorAs(t, err, &damaged)
			b.Reset()
			damage, err := s.Export(ctx, &b, true)
			require.NoError(t, err)
			require.NotEmpty(t, damage)
			file := openBytes(t, b.Bytes())
			to := filepath.Join(t.TempDir(), "s")
			_, err = file.Import(ctx, to, false)
			if name != "turn.json missing" { // that one looks like a turn that was removed
				require.ErrorAs(t, err, &damaged)
				require.NoDirExists(t, to)
				_, err = file.Import(ctx, to, true)
			}
			require.NoError(t, err)
			again, err := OpenPath(to)
			require.NoError(t, err)
			for _, n := range []int{1, 2} {
				_, err := again.Load(ctx, n)
				require.NoError(t, err)
			}
		})
	}
}

// TestExportWhileWritten: files that are made while a process writes hold a whole
// prefix of the session.
func TestExportWhileWritten(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	done := make(chan error, 1)
	go func() { done <- child(path, "a", 12).Run() }()
	seen := 0
	for running := true; running; {
		select {
		case err := <-done:
			require.NoError(t, err)
			running = false
		default:
		}
		b := exported(t, s)
		file := openBytes(t, b)
		damage, err := file.Check(ctx)
		require.NoError(t, err)
		require.Empty(t, damage)
		list, _, err := file.List(ctx)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(list), seen)
		for i, sum := range list {
			require.Equal(t, i+1, sum.N)
		}
		seen = len(list)
	}
	require.Equal(t, 12, seen)
}

// readOnlyFS is a folder on a disk that cannot be written to.
type readOnlyFS struct{ FS }

func (readOnlyFS) Lock(context.Context) (func() error, error) {
	return nil, &fs.PathError{Op: "open", Path: lockFile, Err: syscall.EROFS}
}

func TestExportReadOnly(t *testing.T) {
	s, _ := variedSession(t)
	want := exported(t, s)
	s.fs = readOnlyFS{s.fs}
	require.Equal(t, want, exported(t, s))
	_, err := s.Annotate(context.Background(), Annotation{Text: "x"})
	require.ErrorIs(t, err, ErrCannotWrite)
}

// TestCopyFails lets each operation of an import fail, as a full disk does.
func TestCopyFails(t *testing.T) {
	ctx := context.Background()
	s, _ := variedSession(t)
	whole := newMemFS()
	require.NoError(t, s.copyTo(ctx, whole))
	require.Greater(t, whole.ops, 50)
	for k := 1; k <= whole.ops; k++ {
		fsys := newMemFS()
		fsys.failAt, fsys.fail = k, syscall.ENOSPC
		require.ErrorIs(t, explainWrite(fsys, s.copyTo(ctx, fsys)), ErrNoSpace, "operation %d", k)
	}
	// What was copied survives a power cut.
	after, err := Open(whole.reboot(crashPower, 1))
	require.NoError(t, err)
	damage, err := after.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, exported(t, s), exported(t, after))
}

// busyFS is a folder whose lock another process does not give back.
type busyFS struct{ FS }

func (busyFS) Lock(context.Context) (func() error, error) {
	return nil, fmt.Errorf("busy: %w", context.DeadlineExceeded)
}

// TestExportBusy: a batch in the ledger whose turn is not there yet stays out while
// a writer holds the lock, and stays in where nobody writes: it is burned then.
func TestExportBusy(t *testing.T) {
	ctx := context.Background()
	s, path := variedSession(t)
	require.NoError(t, os.RemoveAll(filepath.Join(path, "turns", "0004")))
	quiet, err := openArchive(bytes.NewReader(exported(t, s)), int64(len(exported(t, s))), "x")
	require.NoError(t, err)
	damage, err := quiet.Check(ctx)
	require.NoError(t, err)
	require.Contains(t, (&DamagedError{damage}).Error(), "turn 4 is not there")
	s.fs = busyFS{s.fs}
	busy := openBytes(t, exported(t, s))
	damage, err = busy.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}

// hookFS calls a function before a part is opened.
type hookFS struct {
	FS
	at   int
	hook func()
}

func (h *hookFS) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, partsDir+"/") {
		if h.at--; h.at == 0 {
			h.hook()
		}
	}
	return h.FS.Open(name)
}

// TestExportRemoved: a session that is deleted while it is exported is one clear
// error, and so is a copy of it; nothing is left.
func TestExportRemoved(t *testing.T) {
	ctx := context.Background()
	for at := 1; at < 12; at++ {
		s, path := variedSession(t)
		s.fs = &hookFS{s.fs, at, func() { require.NoError(t, os.RemoveAll(path)) }}
		_, err := s.Export(ctx, io.Discard, true)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, "was removed while it was read")
	}
	s, path := variedSession(t)
	s.fs = &hookFS{s.fs, 20, func() { require.NoError(t, os.RemoveAll(path)) }}
	to := filepath.Join(t.TempDir(), "s")
	_, err := s.Import(ctx, to, false)
	require.Error(t, err)
	left, err := os.ReadDir(filepath.Dir(to))
	require.NoError(t, err)
	require.Empty(t, left)
}
