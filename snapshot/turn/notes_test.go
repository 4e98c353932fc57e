package turn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnnotate(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	list, damage, err := s.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, damage)
	_, err = appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
	require.NoError(t, err)
	before, err := os.ReadFile(filepath.Join(path, turnsDir, "0001", turnFile))
	require.NoError(t, err)

	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	want := []Annotation{
		{Turn: 1, At: at, By: "Ada", Verdict: "fail", Text: "line one\nline two \u2028 </script>"},
		{Turn: 0, At: at, Text: "about the session"},
		{Turn: 1, At: at, Verdict: "pass"},
	}
	for i := range want {
		got, err := s.Annotate(ctx, want[i])
		require.NoError(t, err)
		want[i].N = i + 1
		require.Equal(t, want[i], got)
	}
	again, err := Open(Dir(path))
	require.NoError(t, err)
	now, err := again.Annotate(ctx, Annotation{Turn: 1, Text: "now"})
	require.NoError(t, err)
	require.False(t, now.At.IsZero())
	want = append(want, now)
	list, damage, err = s.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Equal(t, want, list)

	after, err := os.ReadFile(filepath.Join(path, turnsDir, "0001", turnFile))
	require.NoError(t, err)
	require.Equal(t, before, after)
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)

	for name, x := range map[string]struct {
		a    Annotation
		says string
	}{
		"no such turn": {Annotation{Turn: 2, Text: "x"}, "turn not found"},
		"negative":     {Annotation{Turn: -1, Text: "x"}, "turn not found"},
		"nothing":      {Annotation{Turn: 1, By: "me"}, "is empty"},
		"too long":     {Annotation{Turn: 1, Text: strings.Repeat("x", maxNote+1)}, "more than the"},
		"verdict":      {Annotation{Turn: 1, Verdict: strings.Repeat("x", 41)}, "verdict"},
		"author":       {Annotation{Turn: 1, Text: "x", By: strings.Repeat("x", 101)}, "author"},
		"not UTF-8":    {Annotation{Turn: 1, Text: "\xff"}, "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Annotate(ctx, x.a)
			require.ErrorContains(t, err, x.says)
		})
	}
}

// TestAnnotateDamaged: a line that cannot be read is said and hides no other, and
// the next note can be added.
func TestAnnotateDamaged(t *testing.T) {
	ctx := context.Background()
	cut := func(b []byte, n int) []byte { // without the n-th line, from 0
		l := bytes.SplitAfter(b, []byte("\n"))
		return bytes.Join(append(l[:n:n], l[n+1:]...), nil)
	}
	for name, x := range map[string]struct {
		do    func([]byte) []byte
		texts string
		says  string
		note  bool
		fatal bool
	}{
		"flipped": {func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, "2 3", "line 2: its checksum", false, false},
		"a line out": {func(b []byte) []byte { return cut(b, 2) }, "1 3", "1 lines before number 4 are missing", false,
			false},
		"a line twice": {func(b []byte) []byte {
			l := bytes.SplitAfter(b, []byte("\n"))
			return bytes.Join([][]byte{l[0], l[1], l[1], l[2], l[3]}, nil)
		}, "1 2 3", "number 2 is there a second time", false, false},
		"an empty line in": {func(b []byte) []byte { return bytes.Replace(b, []byte("\n"), []byte("\n\n"), 1) }, "1 2 3",
			"line 2: its checksum", false, false},
		"torn":          {func(b []byte) []byte { return b[:len(b)-5] }, "1 2", "never finished", true, false},
		"no first line": {func(b []byte) []byte { return cut(b, 0) }, "1 2 3", "1 lines before", false, false},
		"empty":         {func(b []byte) []byte { return nil }, "", "belongs to the session", false, false},
		"newer": {func(b []byte) []byte {
			l, err := sealLine(noteLine{K: kindNotes, S: 1, Format: "refscope.notes/2"})
			require.NoError(t, err)
			return append(l, cut(b, 0)...)
		}, "", "newer refscope", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, path := newSession(t)
			for i := range 3 {
				_, err := s.Annotate(ctx, Annotation{Text: fmt.Sprint(i + 1)})
				require.NoError(t, err)
			}
			file := filepath.Join(path, notesFile)
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, x.do(b), 0o600))
			texts := func() string {
				list, _, err := s.Annotations(ctx)
				require.NoError(t, err)
				var out []string
				for _, a := range list {
					out = append(out, a.Text)
				}
				return strings.Join(out, " ")
			}
			require.Equal(t, x.texts, texts())
			damage, err := s.Check(ctx)
			require.NoError(t, err)
			require.Equal(t, x.note, Whole(damage), "%v", damage)
			require.Contains(t, (&DamagedError{damage}).Error(), x.says)
			a, err := s.Annotate(ctx, Annotation{Text: "next"})
			if x.fatal {
				require.ErrorIs(t, err, ErrNewer)
				return
			}
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(x.texts+" next"), texts())
			require.Positive(t, a.N)
		})
	}
}

// TestAnnotateCrash lets the process die, and the disk fail, at each operation:
// a note that was reported is there, and others can follow.
func TestAnnotateCrash(t *testing.T) {
	ctx := context.Background()
	start := func() (*memFS, *Store) {
		fsys := newMemFS()
		s, err := Create(ctx, fsys, "test")
		require.NoError(t, err)
		return fsys, s
	}
	run := func(s *Store) (told int) {
		for i := range 2 {
			if _, err := s.Annotate(ctx, Annotation{Text: fmt.Sprint(i)}); err != nil {
				return told
			}
			told++
		}
		return told
	}
	whole, s := start()
	before := whole.ops
	require.Equal(t, 2, run(s))
	ops := whole.ops - before
	require.Greater(t, ops, 5)
	holds := func(fsys *memFS, told int) {
		s, err := Open(fsys)
		require.NoError(t, err)
		list, damage, err := s.Annotations(ctx)
		require.NoError(t, err)
		require.True(t, Whole(damage), "%v", damage)
		require.GreaterOrEqual(t, len(list), told)
		for i, a := range list {
			require.Equal(t, fmt.Sprint(i), a.Text)
		}
		a, err := s.Annotate(ctx, Annotation{Text: "more"})
		require.NoError(t, err)
		require.Equal(t, len(list)+1, a.N)
		damage, err = s.Check(ctx)
		require.NoError(t, err)
		require.True(t, Whole(damage), "%v", damage)
	}
	for _, how := range []crash{crashKill, crashPower} {
		for k := 1; k <= ops; k++ {
			fsys, s := start()
			fsys.diesAt = fsys.ops + k
			told := run(s)
			holds(fsys.reboot(how, uint64(k)), told)
		}
	}
	for k := 1; k <= ops; k++ {
		fsys, s := start()
		fsys.failAt, fsys.fail = fsys.ops+k, syscall.ENOSPC
		_, err := s.Annotate(ctx, Annotation{Text: "0"})
		if err != nil {
			require.True(t, errors.Is(err, ErrNoSpace))
			holds(fsys, 0)
		}
	}
}
