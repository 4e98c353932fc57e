package turn

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// pngBytes begins like a PNG: the store looks no further.
func pngBytes(s string) []byte { return []byte("\x89PNG\r\n\x1a\n" + s) }

// appendPage appends one turn of a made-up page.
func appendPage(t testing.TB, s *Store, p pageSpec, picture []byte) (*Record, error) {
	t.Helper()
	return s.Append(context.Background(), func(l *Ledger) (*Record, error) {
		p.turn = l.NextTurn()
		c := genCapture(p)
		l.Assign("tab-1", l.NextTurn(), c)
		return &Record{Capture: c, Picture: picture, Action: "capture"}, nil
	})
}

// world is what a test knows to be true about a session over several crashes.
type world struct {
	owner map[int]string // ref → the element that a reported turn gave it to
	turns map[int]bool   // turns that were reported as written
}

func identity(c *snapshot.Capture, n *snapshot.Node) string {
	return fmt.Sprintf("%s/%d", c.Frames[n.Frame].Loader, n.UID)
}

// reported takes in a turn whose Append returned without error.
func (w *world) reported(t *testing.T, rec *Record) {
	require.False(t, w.turns[rec.N], "turn %d a second time", rec.N)
	w.turns[rec.N] = true
	w.refs(t, rec)
}

func (w *world) refs(t *testing.T, rec *Record) {
	for i := range rec.Capture.Nodes {
		n := &rec.Capture.Nodes[i]
		if !n.Verdict.Kept() {
			require.Zero(t, n.Ref)
			continue
		}
		require.Positive(t, n.Ref)
		id := identity(rec.Capture, n)
		if was, ok := w.owner[n.Ref]; ok {
			require.Equal(t, was, id, "ref %d has two elements", n.Ref)
		}
		w.owner[n.Ref] = id
	}
}

// holds opens the session and checks every promise.
func (w *world) holds(t *testing.T, fsys FS) *Store {
	ctx := context.Background()
	s, err := Open(fsys)
	require.NoError(t, err)
	list, damage, err := s.List(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	there := map[int]bool{}
	for _, sum := range list {
		there[sum.N] = true
		rec, err := s.Load(ctx, sum.N)
		require.NoError(t, err)
		require.NotEmpty(t, rec.Picture)
		w.refs(t, rec)
	}
	for n := range w.turns {
		require.True(t, there[n], "turn %d was reported as written and is gone", n)
	}
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.True(t, Whole(damage), "%v", damage)
	return s
}

// TestCrashAnywhere lets the process die at every single operation of creating a
// session and of writing turns to it. Whatever the disk then has of what was
// not synced, whole turns are there or none, and no number has two owners.
func TestCrashAnywhere(t *testing.T) {
	pages := []pageSpec{
		{nodes: 40, seed: 1},
		{nodes: 44, seed: 1, change: 0.3},
		{nodes: 30, seed: 2, loader: "L2"},
	}
	// run plays a writer until it dies; it reports what it was told is written.
	run := func(t *testing.T, fsys *memFS, w *world) error {
		s, err := OpenOrCreate(context.Background(), fsys, "test")
		if err != nil {
			return err
		}
		for i, p := range pages {
			rec, err := appendPage(t, s, p, pngBytes(fmt.Sprint(i)))
			if err != nil {
				return err
			}
			w.reported(t, rec)
		}
		return nil
	}
	newWorld := func() *world { return &world{owner: map[int]string{}, turns: map[int]bool{}} }
	whole := newMemFS()
	require.NoError(t, run(t, whole, newWorld()))
	require.Greater(t, whole.ops, 40)
	for _, how := range []crash{crashKill, crashPower, crashMixed} {
		t.Run(string(how), func(t *testing.T) {
			seeds := 1
			if how == crashMixed {
				seeds = 2
			}
			step := 1
			if testing.Short() {
				step = 5
			}
			for k := 1; k <= whole.ops; k += step {
				for seed := range seeds {
					w := newWorld()
					fsys := newMemFS()
					fsys.diesAt = k
					require.Error(t, run(t, fsys, w))
					after := fsys.reboot(how, uint64(k*100+seed))
					if _, err := Open(after); err != nil {
						// Died before there was a session: nothing may have been promised.
						require.True(t, errors.Is(err, ErrNotSession), "operation %d: %v", k, err)
						require.Empty(t, w.turns)
					} else {
						w.holds(t, after)
					}
					// The next process goes on where the dead one stopped.
					require.NoError(t, run(t, after, w), "operation %d", k)
					w.holds(t, after)
				}
			}
		})
	}
}

// TestWriteFails lets every single operation fail once, as a full disk does. The
// session stays usable in the same process and numbers stay unique.
func TestWriteFails(t *testing.T) {
	start := func() (*memFS, *Store, *world) {
		fsys := newMemFS()
		w := &world{owner: map[int]string{}, turns: map[int]bool{}}
		s, err := Create(context.Background(), fsys, "test")
		require.NoError(t, err)
		rec, err := appendPage(t, s, pageSpec{nodes: 30, seed: 1}, pngBytes("a"))
		require.NoError(t, err)
		w.reported(t, rec)
		return fsys, s, w
	}
	fsys, s, _ := start()
	before := fsys.ops
	_, err := appendPage(t, s, pageSpec{nodes: 35, seed: 1}, pngBytes("b"))
	require.NoError(t, err)
	ops := fsys.ops - before
	for k := 1; k <= ops; k++ {
		fsys, s, w := start()
		fsys.failAt, fsys.fail = fsys.ops+k, syscall.ENOSPC
		_, err := appendPage(t, s, pageSpec{nodes: 35, seed: 1}, pngBytes("b"))
		require.ErrorIs(t, err, ErrNoSpace, "operation %d", k)
		require.ErrorContains(t, err, "free some space")
		w.holds(t, fsys)
		left, err := fsys.ReadDir(tmpDir)
		require.NoError(t, err)
		require.Empty(t, left, "operation %d: a full disk needs the room", k)
		rec, err := appendPage(t, s, pageSpec{nodes: 35, seed: 1}, pngBytes("b"))
		require.NoError(t, err, "operation %d", k)
		w.reported(t, rec)
		w.holds(t, fsys)
	}
}

func TestCreateFails(t *testing.T) {
	for k := 1; k < 20; k++ {
		fsys := newMemFS()
		fsys.failAt, fsys.fail = k, syscall.EROFS
		s, err := Create(context.Background(), fsys, "test")
		if fsys.ops < k {
			require.NoError(t, err)
			require.Greater(t, k, 8)
			return
		}
		require.ErrorIs(t, err, ErrCannotWrite)
		require.Nil(t, s)
		s, err = OpenOrCreate(context.Background(), fsys, "test")
		require.NoError(t, err, "operation %d", k)
		require.NotEmpty(t, s.info.ID)
	}
	t.Fatal("Create never came through")
}

// TestSweep: old leftovers go with the next turn, young and foreign ones stay.
func TestSweep(t *testing.T) {
	fsys := newMemFS()
	s, err := Create(context.Background(), fsys, "test")
	require.NoError(t, err)
	fsys.now = time.Now().Add(-2 * time.Hour)
	require.NoError(t, fsys.Mkdir("tmp/turn-0001-OLD"))
	require.NoError(t, writeFile(fsys, "tmp/turn-0001-OLD/turn.json", []byte("{")))
	require.NoError(t, writeFile(fsys, "tmp/part-OLD", []byte("x")))
	require.NoError(t, writeFile(fsys, "tmp/notes.txt", []byte("of somebody else")))
	fsys.now = time.Now()
	require.NoError(t, writeFile(fsys, "tmp/part-YOUNG", []byte("x")))
	_, err = appendPage(t, s, pageSpec{nodes: 10, seed: 1}, nil)
	require.NoError(t, err)
	list, err := fsys.ReadDir(tmpDir)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"notes.txt", "part-YOUNG"}, names)
}
