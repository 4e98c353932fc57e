//go:build unix

package setup

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A child's own children end with it, also where the child would leave them behind.
func TestEndingAChildEndsItsChildren(t *testing.T) {
	cmd := Command(t.Context(), t.TempDir(), false, "sh", "-c", "sleep 1000 & echo $!; wait")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	c, err := Launch(cmd, "sh")
	require.NoError(t, err)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	grandchild, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(grandchild, 0), "it runs")
	c.End()
	require.Eventually(t, func() bool { return gone(grandchild) }, time.Minute, 5*time.Millisecond)
}

func TestCancelledOutput(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := &Dev{Root: t.TempDir()}
	_, err := d.Output(ctx, func(string) { cancel() }, nil, "sh", "-c", "echo up; sleep 1000")
	require.ErrorIs(t, err, context.Canceled)
}

// gone reports whether a process has ended, a zombie that nobody has collected included.
func gone(pid int) bool {
	if err := syscall.Kill(pid, 0); err != nil {
		return true
	}
	state, err := processState(pid)
	return err != nil || state == "Z"
}

// processState is the state letter of a process as Linux gives it (proc(5), stat).
func processState(pid int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return rest[:min(1, len(rest))], nil
}
