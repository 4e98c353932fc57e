package main

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// childSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2): orphans below this process become its children.
const childSubreaper = 36

// runCounted runs a program to its end and returns its exit code, and the processor time of it and of all that it
// started which has ended. A broker and its browser leave the program that started them; they end here.
func runCounted(cmd *exec.Cmd) (code int, used time.Duration, err error) {
	if _, _, no := syscall.RawSyscall(syscall.SYS_PRCTL, childSubreaper, 1, 0); no != 0 {
		return 0, 0, fmt.Errorf("taking in orphans: %w", no)
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	for ended := false; ; {
		flags := 0
		if ended {
			flags = syscall.WNOHANG // what goes on after the program is not waited for
		}
		var status syscall.WaitStatus
		var times syscall.Rusage
		pid, err := syscall.Wait4(-1, &status, flags, &times)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case ended && (err != nil || pid == 0):
			return code, used, nil
		case err != nil:
			return 0, 0, fmt.Errorf("waiting for %s: %w", cmd.Path, err)
		}
		used += time.Duration(times.Utime.Nano() + times.Stime.Nano())
		if pid == cmd.Process.Pid {
			ended, code = true, status.ExitStatus()
		}
	}
}
