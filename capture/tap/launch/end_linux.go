package launch

import (
	"os/exec"
	"syscall"
)

// StartTied starts a program that gets the signal to end when this one ends, however that comes. It is not killed: so
// it can end the browser that it has started. Its parent is the thread that starts it, which the caller has to keep
// ([runtime.LockOSThread]). The caller calls untie when it has ended.
func StartTied(c *exec.Cmd) (untie func(), err error) {
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return func() {}, c.Start()
}
