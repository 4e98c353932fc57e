package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

// TestHostileSessions opens sessions that mean no good, one after the other, in one window with the real engine: turns
// whose every value may be another one, with sums that are right, and files with bytes changed. Each is opened, gone
// through, drawn and left: nothing may crash, hang or grow, and no session may be changed by being looked at.
func TestHostileSessions(t *testing.T) {
	testneed.Long(t, "hostile sessions are opened in the window")
	sessions := testneed.Cases(0, 16, 400)
	home := t.TempDir()
	o := Flags{Home: home, Chrome: filepath.Join(home, "no-chrome"), Session: "window", Timeout: 30 * time.Second,
		Viewport: image.Pt(1280, 720), viewport: true}.Shell(slog.New(slog.DiscardHandler))
	b := &bench{t: t, posted: make(chan func(), 1024)}
	o.App, o.Post, o.Ask = test.NewTempApp(t), func(fn func()) { b.posted <- fn }, b
	s, err := New(o)
	require.NoError(t, err)
	b.shell = s
	t.Cleanup(s.Close)
	s.win.Resize(fyne.NewSize(1200, 760))
	idle := func(s core.State) bool { return len(s.Tasks) == 0 }
	b.await("the window", idle)

	records := recordsOf(t, filepath.Join("..", "..", "cmd", "dev", "testdata", "agent.refscope"),
		filepath.Join("..", "..", "snapshot", "turn", "testdata", "releases", "0.1.0.refscope"))
	random := rand.New(rand.NewPCG(42, 7))
	made, refused, opened, looks := 0, 0, 0, 0
	var heap uint64
	var goroutines int
	for n := range sessions {
		name := fmt.Sprintf("hostile-%d", n)
		dir := filepath.Join(home, "sessions", name)
		m, r := hostileSession(t, dir, records, random)
		made, refused = made+m, refused+r
		if n%4 == 3 {
			flipFiles(t, dir, random)
		}
		before := treeOf(t, dir)
		s.Dispatch(core.SessionChosen(name))
		state := b.await(name, idle)
		if state.Session.Name == name {
			opened++
		}
		turns := state.Session.Turns
		for range min(2, len(turns)) {
			s.Dispatch(core.TurnChosen{N: turns[random.IntN(len(turns))].N})
			state = b.await("a turn of "+name, idle)
			if c := state.Current; c != nil && len(c.Capture.Nodes) > 0 {
				n := c.Capture.Nodes[random.IntN(len(c.Capture.Nodes))]
				s.Dispatch(core.Picked{Ref: n.Ref, Source: core.PanePicture})
			}
			for _, side := range state.Sides() {
				b.command(side.Command)
				b.await(side.Title+" of "+name, idle)
				s.win.Canvas().Capture()
				looks++
			}
		}
		require.Equal(t, before, treeOf(t, dir), "%s was changed by being looked at", name)
		require.NoError(t, os.RemoveAll(dir))
		if n == sessions/2 || n == sessions-1 {
			debug.FreeOSMemory()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if n == sessions-1 && heap > 0 {
				t.Logf("heap %d MB after half, %d MB at the end; goroutines %d, %d", heap>>20, m.HeapAlloc>>20, goroutines,
					runtime.NumGoroutine())
				// As in TestSoak: the test driver keeps renderers.
				require.LessOrEqual(t, m.HeapAlloc, heap+heap/4+48<<20+uint64(looks)*32<<10, "the heap grew")
				require.LessOrEqual(t, runtime.NumGoroutine(), goroutines+8, "goroutines are left over")
			}
			heap, goroutines = m.HeapAlloc, runtime.NumGoroutine()
		}
	}
	t.Logf("%d sessions, %d opened; %d hostile turns written, %d refused when they were written; %d views drawn",
		sessions, opened, made, refused, looks)
	require.Greater(t, opened, sessions/2)
	require.Greater(t, made, sessions)
}

// recordsOf are the turns of recorded sessions.
func recordsOf(t *testing.T, archives ...string) []*turn.Record {
	t.Helper()
	var out []*turn.Record
	for _, path := range archives {
		store, err := turn.OpenPath(path)
		require.NoError(t, err)
		list, damage, err := store.List(t.Context())
		require.NoError(t, err)
		require.Empty(t, damage)
		for _, s := range list {
			rec, err := store.Load(t.Context(), s.N)
			require.NoError(t, err)
			out = append(out, rec)
		}
		require.NoError(t, store.Close())
	}
	return out
}

// hostileSession writes some of the records, each with some values changed; a store may refuse to write one.
func hostileSession(t *testing.T, dir string, records []*turn.Record, r *rand.Rand) (made, refused int) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o700))
	require.NoError(t, turn.Build(t.Context(), dir, "hostile 1", func(s *turn.Store) error {
		for tries, want := 0, made+3; made < want && tries < 30; tries++ {
			rec := hostileRecord(t, records[r.IntN(len(records))], r)
			if rec == nil {
				refused++
				continue
			}
			_, err := s.Append(t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
				l.Assign("A", 1, rec.Capture)
				return rec, nil
			})
			if err != nil {
				refused++
				continue
			}
			made++
		}
		return nil
	}))
	return made, refused
}

// hostileRecord is a record in which some values are others, nil where no record can have them.
func hostileRecord(t *testing.T, rec *turn.Record, r *rand.Rand) *turn.Record {
	t.Helper()
	data, err := json.Marshal(rec)
	require.NoError(t, err)
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	leaves := 0
	changed(v, func(any) any { leaves++; return nil })
	for range 1 + r.IntN(12) {
		at, n := r.IntN(leaves), 0
		changed(v, func(old any) any {
			if n++; n-1 != at {
				return nil
			}
			return hostileValue(old, r)
		})
	}
	data, err = json.Marshal(v)
	require.NoError(t, err)
	out := new(turn.Record)
	if json.Unmarshal(data, out) != nil {
		return nil
	}
	out.Parts, out.N = nil, 0
	return out
}

// changed puts in the place of each leaf what fn makes of it; nil leaves it.
func changed(v any, fn func(old any) any) {
	put := func(old any, set func(any)) {
		switch old.(type) {
		case map[string]any, []any:
			changed(old, fn)
		default:
			if other := fn(old); other != nil {
				set(other)
			}
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) { // a map alone has another order each time
			put(v[k], func(o any) { v[k] = o })
		}
	case []any:
		for i := range v {
			put(v[i], func(o any) { v[i] = o })
		}
	}
}

// hostileValue is another value of the same kind.
func hostileValue(old any, r *rand.Rand) any {
	pick := func(of ...any) any { return of[r.IntN(len(of))] }
	switch old := old.(type) {
	case json.Number:
		return pick(json.Number("-1"), json.Number("0"), json.Number("2147483647"), json.Number("-2147483648"),
			json.Number("1e300"), json.Number("-1e300"), json.Number("0.0000001"), json.Number("99999"))
	case bool:
		return !old
	case string:
		return pick("", "\x1b[31m\u202e\u0000"+old, strings.Repeat("W", 200_000), old+old, "../../../etc/passwd",
			"<script>alert(1)</script>", strings.Repeat("a\n", 20_000), strings.Repeat("[", 5_000), "\u200b\ufeff\u2028",
			`{"a":1}`)
	}
	return nil
}

// flipFiles changes bytes of some files of a session.
func flipFiles(t *testing.T, dir string, r *rand.Rand) {
	t.Helper()
	files := slices.Sorted(maps.Keys(treeOf(t, dir)))
	for range 1 + r.IntN(3) {
		name := filepath.Join(dir, files[r.IntN(len(files))])
		body, err := os.ReadFile(name)
		require.NoError(t, err)
		if len(body) == 0 {
			continue
		}
		switch at := r.IntN(len(body)); r.IntN(3) {
		case 0:
			body[at] ^= 1 << r.IntN(8)
		case 1:
			body = body[:at]
		case 2:
			body = append(body[:at:at], append([]byte("\x00null{[\xff"), body[at:]...)...)
		}
		require.NoError(t, os.WriteFile(name, body, 0o600))
	}
}

// treeOf are the files of a session with their contents; locks and notes are the reviewer's own.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || strings.HasSuffix(name, "lock") {
			return err
		}
		body, err := os.ReadFile(path)
		out[name] = string(body)
		return err
	}))
	return out
}
