//go:build !windows

package browser

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// detached gives the process a session of its own, so that the terminal's signals pass
// it by.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// openFiles is how many files a process may have open, 0 where that is not known.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur) // signed on some systems
}

// Alive reports whether a process with that number runs; it need not be the one that had
// the number once. One that has ended and that nobody has asked for yet, as where the first process of a container
// asks for none, does not run.
func Alive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil { // Linux: PID (NAME) STATE …
		if _, state, ok := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " "); ok {
			return !strings.HasPrefix(state, "Z")
		}
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	return !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
