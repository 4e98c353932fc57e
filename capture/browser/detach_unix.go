//go:build !windows

package browser

import "syscall"

// detached gives the process a session of its own, so that the terminal's signals pass
// it by.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
