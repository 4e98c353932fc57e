package turn

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

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
	for i := 0; turns == 0 || i < turns; i++ {
		rec, err := s.Append(ctx, func(l *Ledger) (*Record, error) {
			c := genCapture(pageSpec{nodes: 60, seed: uint64(i % 3), turn: l.NextTurn(), loader: fmt.Sprint(tab, "-", i%3)})
			l.Assign(tab, l.NextTurn(), c)
			return &Record{Capture: c, Picture: pngBytes(fmt.Sprint(tab, i))}, nil
		})
		if err != nil {
			return err
		}
		fmt.Println(rec.N)
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
			for n := range strings.FieldsSeq(string(out)) {
				if other, two := numbers[n]; two {
					t.Errorf("turn %s was written by %s and %s", n, other, tab)
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

// TestKilled kills a writer in the middle of its work, again and again.
func TestKilled(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	path := t.TempDir() + "/s"
	told := 0
	for i := range rounds {
		cmd := child(path, "t", 0)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		// Killed while the turn after the i-th report is being written.
		lines := bufio.NewScanner(out)
		for range i%4 + 1 {
			require.True(t, lines.Scan())
			told++
		}
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() {
			if _, err := strconv.Atoi(lines.Text()); err == nil {
				told++
			}
		}
		_ = cmd.Wait() // it was killed
		require.GreaterOrEqual(t, verify(t, path), told)
	}
}
