package launch

import (
	"os/exec"
	"syscall"
)

// EndWithParent lets a program get the signal to end when this one ends, however that comes. It is not killed: so it
// can end the browser that it has started. Its parent is the thread that starts it, which the caller has to keep
// ([runtime.LockOSThread]).
func EndWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
