package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// privateMemory is what a process holds in memory, in bytes. Its error is os.ErrNotExist for one
// that has ended.
func privateMemory(ctx context.Context, pid int) (int64, error) {
	out, err := exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, os.ErrNotExist
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the memory of process %d: %w", pid, err)
	}
	return n << 10, nil
}
