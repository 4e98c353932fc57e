package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// privateMemory is what a process holds in memory and shares with none, in bytes. Its error is
// os.ErrNotExist for one that has ended.
func privateMemory(_ context.Context, pid int) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if errors.Is(err, syscall.ESRCH) {
		return 0, os.ErrNotExist
	}
	if err != nil {
		return 0, err
	}
	var size, resident, shared int64 // in pages
	if _, err := fmt.Sscan(string(data), &size, &resident, &shared); err != nil {
		return 0, fmt.Errorf("the memory of process %d: %w", pid, err)
	}
	return (resident - shared) * int64(os.Getpagesize()), nil
}
