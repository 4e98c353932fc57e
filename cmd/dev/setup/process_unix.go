//go:build unix

package setup

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a new process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// EndGroup asks the child's whole group to end, or ends it at once with force.
func EndGroup(cmd *exec.Cmd, force bool) error {
	if cmd.Process == nil {
		return nil
	}
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	return syscall.Kill(-cmd.Process.Pid, signal)
}

// isRoot reports whether this process may install packages without sudo.
func isRoot() bool { return syscall.Geteuid() == 0 }
