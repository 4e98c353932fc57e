//go:build !windows

package browser

import "syscall"

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
