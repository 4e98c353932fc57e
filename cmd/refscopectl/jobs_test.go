package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInOrder(t *testing.T) {
	var running, most atomic.Int64
	gates := make([]chan struct{}, 20)
	for i := range gates {
		gates[i] = make(chan struct{})
	}
	var release sync.WaitGroup
	release.Go(func() { // the later of two neighbours is ready first
		for i := 0; i < len(gates); i += 2 {
			close(gates[i+1])
			close(gates[i])
		}
	})
	var got []int
	err := inOrder(context.Background(), 2, len(gates), func(_ context.Context, i int) int {
		most.Store(max(most.Load(), running.Add(1)))
		<-gates[i]
		running.Add(-1)
		return i * i
	}, func(i, square int) error {
		require.Equal(t, i*i, square)
		got = append(got, i)
		return nil
	})
	release.Wait()
	require.NoError(t, err)
	require.Len(t, got, 20)
	require.IsIncreasing(t, got)
	require.LessOrEqual(t, most.Load(), int64(2))

	broken := errors.New("disk full")
	var begun atomic.Int64
	err = inOrder(context.Background(), 3, 1000, func(ctx context.Context, i int) int {
		if begun.Add(1); i > 0 {
			<-ctx.Done()
		}
		return i
	}, func(int, int) error { return broken })
	require.ErrorIs(t, err, broken)
	require.Less(t, begun.Load(), int64(8), "what comes later is not begun")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, inOrder(ctx, 2, 5, func(context.Context, int) int { return 0 }, func(int, int) error { return nil }),
		context.Canceled)
}

// Pages that are captured side by side are printed and numbered as if they had been captured
// one after the other: the first is the slowest.
func TestJobsKeepTheOrder(t *testing.T) {
	needChrome(t)
	var targets []string
	for i := range 6 {
		html := fmt.Sprintf(`<title>Page %d</title><h1>Page %[1]d</h1><button>Go</button>`, i)
		if i == 0 {
			html += `<p id=p></p><script>let n = 0; const k = setInterval(() => { p.textContent = ++n; if (n === 5) clearInterval(k) }, 200)</script>`
		}
		targets = append(targets, page(t, html))
	}
	targets = append(targets[:3], append([]string{"./no-such.html"}, targets[3:]...)...)
	code, out, stderr := ctl(t, append([]string{"--quiet", "snap", "--jsonl", "--jobs", "3"}, targets...)...)
	require.Equal(t, 1, code, stderr)
	var names []string
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		var line struct{ Target, Status string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		require.Equal(t, line.Target == "./no-such.html", line.Status == "error")
		names = append(names, line.Target)
	}
	require.Equal(t, targets, names)

	pages := append(append([]string{}, targets[:3]...), targets[4:]...)
	dir := filepath.Join(t.TempDir(), "s")
	code, out, stderr = ctl(t, append([]string{"--quiet", "--json", "turn", "-o", dir, "--jobs", "3"}, pages...)...)
	require.Equal(t, 0, code, stderr)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 6)
	for i, l := range lines {
		var line struct {
			Turn  int
			Title string
		}
		require.NoError(t, json.Unmarshal([]byte(l), &line))
		require.Equal(t, i+1, line.Turn)
		require.Equal(t, fmt.Sprintf("Page %d", i), line.Title)
	}
	code, _, stderr = ctl(t, "snap", "--jsonl", "--jobs", "0", targets[0])
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "--jobs 0")
}
