//go:build !linux

package main

import (
	"errors"
	"os/exec"
	"time"
)

// runCounted runs a program to its end and returns its exit code, and the processor time of it and of what it waited
// for.
func runCounted(cmd *exec.Cmd) (code int, used time.Duration, err error) {
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		return 0, 0, err
	}
	return cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
