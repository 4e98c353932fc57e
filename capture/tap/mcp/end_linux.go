package mcp

import (
	"os/exec"
	"syscall"
)

// endWithParent lets a program end when this one does, however that comes.
func endWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
