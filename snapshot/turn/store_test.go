package turn

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func newSession(t testing.TB) (*Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new", "session")
	s, err := Create(context.Background(), Dir(path), "test 1")
	require.NoError(t, err)
	return s, path
}

func TestRoundTrip(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	var want []*Record
	for i := range 3 {
		rec, err := appendPage(t, s, pageSpec{nodes: 300, seed: 4, change: 0.05 * float64(i), scroll: float64(100 * i)},
			pngBytes(fmt.Sprint(i)))
		require.NoError(t, err)
		require.Equal(t, i+1, rec.N)
		want = append(want, rec)
	}
	_, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
		c := capture("L9", el{tag: "a", uid: 1, node: 3, v: vr, name: "</script>\u2028\x1b[31m \"turn\""})
		c.TakenAt = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
		c.Nodes[1].States = snapshot.States{"checked": "mixed", "level": 2.0, "expanded": false}
		l.Assign("tab-2", l.NextTurn(), c)
		rec := &Record{Capture: c, Note: "no picture", Meta: Meta{Tool: "refscopectl 1", Target: "tab-2"}}
		want = append(want, rec)
		return rec, nil
	})
	require.NoError(t, err)

	again, err := Open(Dir(path))
	require.NoError(t, err)
	require.Equal(t, s.info.ID, again.info.ID)
	require.Equal(t, "test 1", again.info.Tool)
	list, damage, err := again.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 4)
	for i, sum := range list {
		rec, err := again.Load(ctx, i+1)
		require.NoError(t, err)
		require.Equal(t, want[i].Capture, rec.Capture)
		require.Equal(t, want[i].Picture, rec.Picture)
		require.Equal(t, want[i].Note, rec.Note)
		require.Equal(t, i+1, sum.N)
		require.Equal(t, want[i].Capture.URL, sum.URL)
		require.Equal(t, want[i].Capture.TakenAt, sum.Time)
		require.Equal(t, i < 3, sum.HasPicture)
		require.Equal(t, want[i].Capture.Verdicts[vr], sum.Counts.Refs)
	}
	require.Positive(t, list[0].Counts.Covered)
	require.Equal(t, "tab-2", list[3].Meta.Target)
	require.Equal(t, 1280.0, list[0].Meta.Viewport.Width)
	l, err := again.Ledger(ctx)
	require.NoError(t, err)
	e, ok := l.Entry(1)
	require.True(t, ok)
	require.Equal(t, [2]int{1, 3}, [2]int{e.First, e.Last})
	_, err = again.Load(ctx, 9)
	require.ErrorIs(t, err, ErrNoTurn)
	damage, err = again.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)

	// A writer that was opened later continues with the same numbers.
	rec, err := appendPage(t, again, pageSpec{nodes: 300, seed: 4}, nil)
	require.NoError(t, err)
	require.Equal(t, want[0].Capture.Nodes[20].Ref, rec.Capture.Nodes[20].Ref)
	require.Equal(t, 5, rec.N)
	// And one whose ledger in memory is behind reads what the other wrote.
	rec, err = appendPage(t, s, pageSpec{nodes: 310, seed: 4}, nil)
	require.NoError(t, err)
	require.Equal(t, 6, rec.N)
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}

// TestGolden freezes what a session looks like on disk.
func TestGolden(t *testing.T) {
	ctx := context.Background()
	path := t.TempDir()
	info := Info{Format: sessionFormat, ID: "exampleid", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Tool: "refscopectl 1.0"}
	require.NoError(t, create(ctx, Dir(path), info))
	s, err := Open(Dir(path))
	require.NoError(t, err)
	for i := range 2 {
		_, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
			c := capture("LOADER", el{tag: "form", uid: 1, node: 41, v: vr, name: "Search"},
				el{tag: "p", uid: 2, node: 42, v: vc, name: "Two results"},
				el{tag: "button", uid: 3, node: 43, v: vr, name: []string{"Go", "Going"}[i], parent: 1},
				el{tag: "a", uid: 4 + i, node: 44 + int64(i), v: vr, name: "Next"})
			c.TakenAt, c.Chrome, c.Settled = info.Created.Add(time.Duration(i)*time.Second), "Chrome/156.0.8078.79", true
			c.Viewport = snapshot.Viewport{Width: 1280, Height: 720, Scale: 1}
			l.Assign("TARGET", l.NextTurn(), c)
			rec := &Record{Capture: c, Picture: pngBytes("same"), Action: "capture", Note: "a note",
				Meta: Meta{Tool: "refscopectl 1.0", Target: "TARGET"}}
			if i == 1 {
				full := fullRecord(c)
				rec.Payloads, rec.Steps, rec.Answer, rec.Profile, rec.Lacks = full.Payloads, full.Steps, full.Answer, full.Profile,
					full.Lacks
			}
			return rec, nil
		})
		require.NoError(t, err)
	}
	_, err = s.Annotate(ctx, Annotation{Turn: 2, At: info.Created, By: "Ada", Verdict: "fail", Text: "two\nlines"})
	require.NoError(t, err)
	a := &txtar.Archive{Comment: []byte("A session of two turns; the files under parts/ by name only.\n\n")}
	require.NoError(t, filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(path, p)
		rel = filepath.ToSlash(rel)
		if err != nil || d.IsDir() {
			if err == nil && runtime.GOOS != "windows" && rel != "." {
				st, serr := d.Info()
				require.NoError(t, serr)
				require.Equal(t, fs.FileMode(0o700), st.Mode().Perm(), rel)
			}
			return err
		}
		f := txtar.File{Name: rel}
		if !strings.HasPrefix(rel, partsDir+"/") {
			f.Data, err = os.ReadFile(p)
		}
		a.Files = append(a.Files, f)
		return err
	}))
	got := masked(string(txtar.Format(a)))
	golden := filepath.Join("testdata", "session.txtar")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// masked puts placeholders for what follows from the JSON of the captures, which
// may gain members: hashes, the sizes of captures, checksums.
func masked(s string) string {
	names := map[string]string{}
	s = regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllStringFunc(s, func(h string) string {
		if names[h] == "" {
			names[h] = fmt.Sprintf("<SHA-256 %d>", len(names)+1)
		}
		return names[h]
	})
	s = regexp.MustCompile(`"crc":( ?)"[0-9a-f]{8}"`).ReplaceAllString(s, `"crc":$1"<CRC-32C>"`)
	return regexp.MustCompile(`"size": \d{3,}`).ReplaceAllString(s, `"size": <bytes>`)
}

func TestOpenErrors(t *testing.T) {
	ctx := context.Background()
	write := func(t *testing.T, dir, name, s string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600))
	}
	for name, x := range map[string]struct {
		make func(t *testing.T, dir string)
		is   error
		says string
	}{
		"not there": {func(t *testing.T, dir string) { require.NoError(t, os.Remove(dir)) }, fs.ErrNotExist,
			"does not exist"},
		"empty": {func(t *testing.T, dir string) {}, ErrNotSession, "no session.json"},
		"something else": {func(t *testing.T, dir string) { write(t, dir, "thesis.txt", "x") }, ErrNotSession,
			"is not a session folder"},
		"newer": {func(t *testing.T, dir string) {
			write(t, dir, sessionFile,
				`{"format":"refscope.session/2","id":7}`)
		}, ErrNewer, "this program reads refscope.session/1"},
		"another format": {func(t *testing.T, dir string) { write(t, dir, sessionFile, `{"format":"npm"}`) },
			ErrNotSession, `"npm"`},
		"JSON cut off": {func(t *testing.T, dir string) { write(t, dir, sessionFile, `{"format":"refscope.se`) },
			ErrNotSession, "unexpected end"},
		"a huge session.json": {func(t *testing.T, dir string) { write(t, dir, sessionFile, strings.Repeat(" ", maxText+1)) },
			ErrNotSession, "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x.make(t, dir)
			_, err := Open(Dir(dir))
			require.ErrorIs(t, err, x.is)
			require.ErrorContains(t, err, x.says)
			require.ErrorContains(t, err, dir)
		})
	}
	t.Run("create over a session", func(t *testing.T) {
		s, path := newSession(t)
		_, err := Create(ctx, Dir(path), "")
		require.ErrorIs(t, err, ErrExists)
		again, err := OpenOrCreate(ctx, Dir(path), "")
		require.NoError(t, err)
		require.Equal(t, s.info, again.info)
	})
	t.Run("create among other things", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "thesis.txt", "x")
		_, err := OpenOrCreate(ctx, Dir(dir), "")
		require.ErrorIs(t, err, ErrNotSession)
		require.ErrorContains(t, err, "thesis.txt")
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
	t.Run("cannot be written", func(t *testing.T) {
		if os.Geteuid() == 0 || runtime.GOOS == "windows" {
			testneed.Extra(t, "needs a user whom permissions stop; TestCreateFails covers the sentence")
		}
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, 0o500))
		_, err := Create(ctx, Dir(filepath.Join(dir, "s")), "")
		require.ErrorIs(t, err, ErrCannotWrite)
	})
	t.Run("a file in its place", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "s", "")
		_, err := OpenOrCreate(ctx, Dir(filepath.Join(dir, "s")), "")
		require.Error(t, err)
		require.ErrorContains(t, err, "s")
	})
}

func TestAppendRefuses(t *testing.T) {
	ctx := context.Background()
	s, _ := newSession(t)
	numbered := func(l *Ledger) *snapshot.Capture {
		c := capture("L", el{tag: "a", uid: 1, v: vr})
		l.Assign("t", l.NextTurn(), c)
		return c
	}
	boom := errors.New("boom")
	for name, x := range map[string]struct {
		fill func(l *Ledger) (*Record, error)
		says string
	}{
		"no record":  {func(l *Ledger) (*Record, error) { return nil, nil }, "there is no capture"},
		"no capture": {func(l *Ledger) (*Record, error) { return &Record{}, nil }, "there is no capture"},
		"fill fails": {func(l *Ledger) (*Record, error) { numbered(l); return nil, boom }, "boom"},
		"not numbered": {func(l *Ledger) (*Record, error) {
			return &Record{Capture: capture("L", el{tag: "a", uid: 1, v: vr})}, nil
		}, "call Assign first"},
		"another number": {func(l *Ledger) (*Record, error) { return &Record{N: 7, Capture: numbered(l)}, nil },
			"has the number 7"},
		"not a PNG": {func(l *Ledger) (*Record, error) {
			return &Record{Capture: numbered(l), Picture: []byte("GIF89a")},
				nil
		}, "not a PNG"},
		"a huge note": {func(l *Ledger) (*Record, error) {
			return &Record{Capture: numbered(l), Note: strings.Repeat("x", maxNote+1)}, nil
		}, "note"},
		"assigned in vain": {func(l *Ledger) (*Record, error) {
			c := numbered(l)
			l.Assign("t", 99, c)
			c.Nodes[1].Name = "x"
			l.Assign("t", 99, c)
			return &Record{Capture: c}, nil
		}, "turn 99"},
	} {
		t.Run(name, func(t *testing.T) {
			rec, err := s.Append(ctx, x.fill)
			require.ErrorContains(t, err, x.says)
			require.Nil(t, rec)
		})
	}
	t.Run("a panic in fill frees the lock", func(t *testing.T) {
		require.Panics(t, func() { _, _ = s.Append(ctx, func(*Ledger) (*Record, error) { panic("x") }) })
		_, err := appendPage(t, s, pageSpec{nodes: 10, seed: 1}, nil)
		require.NoError(t, err)
	})
	t.Run("waiting ends with the context", func(t *testing.T) {
		other, err := Open(s.fs)
		require.NoError(t, err)
		_, err = s.Append(ctx, func(l *Ledger) (*Record, error) {
			gone, cancel := context.WithCancel(ctx)
			cancel()
			_, err := s.Append(gone, nil)
			require.ErrorIs(t, err, context.Canceled)
			short, cancel := context.WithTimeout(ctx, 30*time.Millisecond)
			defer cancel()
			_, err = other.Append(short, nil)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorContains(t, err, "another process is writing")
			return nil, boom
		})
		require.ErrorIs(t, err, boom)
	})
	damage, err := s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
}
