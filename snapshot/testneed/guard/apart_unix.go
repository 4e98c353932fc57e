//go:build unix

package guard

import (
	"os/exec"
	"syscall"
)

// apart gives a guard a session of its own: a signal to the group of what it guards passes it by.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
