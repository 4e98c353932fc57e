package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// Pages that are captured side by side are printed and numbered as if they had been captured
// one after the other: the first is the slowest.
func TestJobsKeepTheOrder(t *testing.T) {
	testneed.Long(t, "a batch with several jobs")
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
