package setup

import "os/exec"

// ownGroup does nothing: Windows ends the child alone.
func ownGroup(*exec.Cmd) {}

// EndGroup ends the child; Windows has no gentle signal for a process without a console.
func EndGroup(cmd *exec.Cmd, _ bool) error {
	if cmd.Process == nil {
		return nil
	}
	return cmd.Process.Kill()
}

// isRoot is of no use where there is no apt-get.
func isRoot() bool { return false }
