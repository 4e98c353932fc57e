package launch

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// parents are the processes that run, each with the one that started it.
func parents() (map[int]int, error) {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("listing the processes: %w", err)
	}
	out := map[int]int{}
	for _, p := range list {
		out[int(p.Proc.P_pid)] = int(p.Eproc.Ppid)
	}
	return out, nil
}

// commandLine is that of a process, nil where it has ended or is another user's.
func commandLine(pid int) []string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return nil
	}
	return argvOf(raw)
}
