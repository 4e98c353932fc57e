package turn

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The test binary runs itself as a writer where this names the session folder,
// the tab, and how many turns to write ("0": until killed).
const childEnv = "REFSCOPE_TEST_TURN_WRITER"

func TestMain(m *testing.M) {
	if v := os.Getenv(childEnv); v != "" {
		if err := writer(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// writer appends turns and prints the number of each once it is reported safe.
func writer(v string) error {
	f := strings.Split(v, "|")
	path, tab := f[0], f[1]
	turns, err := strconv.Atoi(f[2])
	if err != nil {
		return err
	}
	ctx := context.Background()
	s, err := OpenOrCreate(ctx, Dir(path), "child "+tab)
	if err != nil {
		return err
	}
	fmt.Println("ready 0.")
	for i := 0; turns == 0 || i < turns; i++ {
		rec, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
			c := genCapture(pageSpec{nodes: 60, seed: uint64(i % 3), turn: l.NextTurn(), loader: fmt.Sprint(tab, "-", i%3)})
			l.Assign(tab, l.NextTurn(), c)
			return &Record{Capture: c, Picture: pngBytes(fmt.Sprint(tab, i))}, nil
		})
		if err != nil {
			return err
		}
		// The full stop shows that the line is whole.
		fmt.Printf("turn %d.\n", rec.N)
		if i%3 == 2 {
			a, err := s.Annotate(ctx, Annotation{Turn: rec.N, Verdict: "seen"})
			if err != nil {
				return err
			}
			fmt.Printf("note %d.\n", a.N)
		}
	}
	return nil
}

func child(path, tab string, turns int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", childEnv, path, tab, turns))
	cmd.Stderr = os.Stderr
	return cmd
}

// verify loads every turn of a session and checks that all numbers are unique.
func verify(t *testing.T, path string) (turns int) {
	ctx := context.Background()
	s, err := Open(Dir(path))
	require.NoError(t, err)
	damage, err := s.Check(ctx)
	require.NoError(t, err)
	require.True(t, Whole(damage), "%v", damage)
	list, _, err := s.List(ctx)
	require.NoError(t, err)
	owner := map[int]string{}
	for _, sum := range list {
		rec, err := s.Load(ctx, sum.N)
		require.NoError(t, err)
		for i := range rec.Capture.Nodes {
			if n := &rec.Capture.Nodes[i]; n.Ref > 0 {
				id := identity(rec.Capture, n)
				if was, ok := owner[n.Ref]; ok {
					require.Equal(t, was, id, "ref %d has two owners", n.Ref)
				}
				owner[n.Ref] = id
			}
		}
	}
	return len(list)
}

// TestTwoProcesses: two processes create and write one session at once, while a
// reader follows without the lock.
func TestTwoProcesses(t *testing.T) {
	path := t.TempDir() + "/s"
	const each = 12
	var mu sync.Mutex
	numbers := map[string]string{}
	var wg sync.WaitGroup
	for _, tab := range []string{"a", "b"} {
		wg.Go(func() {
			out, err := child(path, tab, each).Output()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("child %s: %v", tab, err)
			}
			for n := range strings.Lines(string(out)) {
				if !strings.HasPrefix(n, "turn ") {
					continue
				}
				if other, two := numbers[n]; two {
					t.Errorf("%q was written by %s and %s", n, other, tab)
				}
				numbers[n] = tab
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	seen := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		s, err := Open(Dir(path))
		if err != nil {
			continue // not made yet
		}
		list, damage, err := s.List(context.Background())
		require.NoError(t, err)
		require.Empty(t, damage, "a reader never sees half a turn")
		if len(list) > seen {
			seen = len(list)
			_, err := s.Load(context.Background(), list[seen-1].N)
			require.NoError(t, err)
		}
	}
	require.Len(t, numbers, 2*each)
	require.Equal(t, 2*each, verify(t, path))
}

// TestKilled kills a writer (kill -9) at random moments, again and again: what it
// reported is whole, nothing is half, and the next writer continues. 1,000 times
// where REFSCOPE_SLOW is set.
func TestKilled(t *testing.T) {
	rounds := 40
	switch {
	case os.Getenv("REFSCOPE_SLOW") != "":
		rounds = 1000
	case testing.Short():
		rounds = 20
	}
	const each = 20 // rounds with one session: all of it is verified after each
	r := rand.New(rand.NewPCG(9, uint64(rounds)))
	var path string
	told := map[string]map[int]bool{}
	turns, notes, left, hits := 0, 0, 0, 0
	for i := range rounds {
		if i%each == 0 {
			path = filepath.Join(t.TempDir(), "s")
			told, left = map[string]map[int]bool{"turn": {}, "note": {}, "ready": {}}, 0
		}
		cmd := child(path, "t", 0)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		// After some reports, and then at any moment of the next ones: a turn takes some
		// milliseconds, most of which the disk takes. Every fifth kill may hit the making
		// of the session, or the opening.
		lines := bufio.NewScanner(out)
		wait, reports := time.Duration(r.IntN(60_000))*time.Microsecond, r.IntN(4)
		var kill *time.Timer
		for n := 0; ; n++ {
			if kill == nil && (i%5 == 0 || n > reports) {
				kill = time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
			}
			if !lines.Scan() {
				break
			}
			var what string
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "%s %d.", &what, &n); err == nil && strings.HasSuffix(lines.Text(), ".") {
				told[what][n] = true
			}
		}
		require.Error(t, cmd.Wait(), "it was killed")
		kill.Stop()
		s, err := Open(Dir(path))
		if err != nil {
			require.Empty(t, told["turn"], "round %d: %v", i, err)
			continue
		}
		damage, err := s.Check(t.Context())
		require.NoError(t, err)
		require.True(t, Whole(damage), "round %d: %v", i, damage)
		if len(damage) > left { // a leftover or a burned number: the kill hit a write
			hits++
		}
		left = len(damage)
		list, listed, err := s.List(t.Context())
		require.NoError(t, err)
		require.Empty(t, listed, "round %d", i)
		there := map[int]bool{}
		for _, sum := range list {
			there[sum.N] = true
		}
		for n := range told["turn"] {
			require.True(t, there[n], "round %d: turn %d was reported as written", i, n)
		}
		said, _, err := s.Annotations(t.Context())
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(said), len(told["note"]), "round %d", i)
		if i%each == each-1 || i == rounds-1 {
			require.Equal(t, len(list), verify(t, path))
			turns, notes = turns+len(list), notes+len(said)
		}
	}
	t.Logf("%d kills, %d of them in the middle of a write; %d turns and %d notes", rounds, hits, turns, notes)
	require.Positive(t, turns)
}
