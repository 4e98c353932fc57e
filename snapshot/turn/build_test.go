package turn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// importedTurn is turn i of a recording of a model: a page of few elements and what was asked and answered.
func importedTurn(i int) *Record {
	return &Record{
		Action:  fmt.Sprintf("ask %d", i),
		Capture: genCapture(pageSpec{nodes: 3, seed: uint64(i % 5), turn: i}),
		Payloads: []Payload{
			{Dialect: "openai-chat", Way: Request, Media: "application/json",
				Bytes: fmt.Appendf(nil, `{"model":"m","messages":[{"role":"user","content":"page %d %s"}]}`, i,
					strings.Repeat("- button ", 60))},
			{Dialect: "openai-chat", Way: Answer, Media: "application/json", Bytes: fmt.Appendf(nil, `{"answer":%d}`, i)},
		},
	}
}

// appendImported appends n of them.
func appendImported(ctx context.Context, s *Store, n int) error {
	for i := range n {
		rec := importedTurn(i)
		if _, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
			l.Assign("t", l.NextTurn(), rec.Capture)
			return rec, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// filesBelow are the files of a folder by name, without those that hold the session's own id and time.
func filesBelow(t *testing.T, folder string) map[string]string {
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == sessionFile || e.Name() == lockFile {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(folder, name)
		all[rel] = string(b)
		if rel == ledgerFile { // its first line names the session
			_, all[rel], _ = strings.Cut(string(b), "\n")
		}
		return err
	}))
	return all
}

// TestBuildIsAppend: what is built aside is, byte for byte, what turns that were appended one by one are; a turn that
// fails in the middle changes nothing.
func TestBuildIsAppend(t *testing.T) {
	ctx := context.Background()
	one, path := newSession(t)
	require.NoError(t, appendImported(ctx, one, 40))
	built := filepath.Join(t.TempDir(), "built")
	require.NoError(t, Build(ctx, built, "test 1", func(s *Store) error {
		if err := appendImported(ctx, s, 20); err != nil {
			return err
		}
		_, err := s.Append(ctx, func(*Ledger) (*Record, error) { return nil, errors.New("cannot be read") })
		require.ErrorContains(t, err, "cannot be read")
		for i := 20; i < 40; i++ {
			rec := importedTurn(i)
			if _, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
				l.Assign("t", l.NextTurn(), rec.Capture)
				return rec, nil
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	want, got := filesBelow(t, path), filesBelow(t, built)
	require.Len(t, got, len(want))
	for name, b := range want {
		require.Equal(t, b, got[name], name)
	}
	s, err := OpenPath(built)
	require.NoError(t, err)
	damage, err := s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.NoError(t, appendImported(ctx, s, 1), "a built session is one like any other")
}

// TestBuildIsWholeOrNot: of a build that fails nothing stays, and one never replaces what is there.
func TestBuildIsWholeOrNot(t *testing.T) {
	ctx := context.Background()
	up := t.TempDir()
	path := filepath.Join(up, "s")
	err := Build(ctx, path, "test 1", func(s *Store) error {
		require.NoError(t, appendImported(ctx, s, 2))
		require.NoDirExists(t, path)
		return errors.New("the file ends too early")
	})
	require.ErrorContains(t, err, "the file ends too early")
	left, err := os.ReadDir(up)
	require.NoError(t, err)
	require.Empty(t, left)

	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	err = Build(ctx, path, "test 1", func(*Store) error { return nil })
	require.ErrorIs(t, err, ErrExists)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "mine", string(b))
}

// BenchmarkBuild is an import: turns a second, each durable alone and all at once.
func BenchmarkBuild(b *testing.B) {
	const turns = 500
	ctx := context.Background()
	for name, run := range map[string]func(path string) error{
		"aside": func(path string) error {
			return Build(ctx, path, "test 1", func(s *Store) error { return appendImported(ctx, s, turns) })
		},
		"one by one": func(path string) error {
			s, err := Create(ctx, Dir(path), "test 1")
			if err != nil {
				return err
			}
			return appendImported(ctx, s, turns)
		},
	} {
		b.Run(name, func(b *testing.B) {
			folder := b.TempDir()
			for i := 0; b.Loop(); i++ {
				require.NoError(b, run(filepath.Join(folder, fmt.Sprint(i))))
			}
			b.ReportMetric(float64(turns*b.N)/b.Elapsed().Seconds(), "turns/s")
		})
	}
}
