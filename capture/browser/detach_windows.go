package browser

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

// detached gives the process a group of its own and no console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

// openFiles is 0: Windows has no such limit.
func openFiles() uint64 { return 0 }

// Alive reports whether a process with that number runs; it need not be the one that had the number once. One that has
// ended has its number as long as a program holds on to it, as who has started it does.
func Alive(pid int) bool {
	p, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED) // another user's
	}
	defer func() { _ = windows.CloseHandle(p) }() // only looked at
	state, err := windows.WaitForSingleObject(p, 0)
	return err == nil && state == uint32(windows.WAIT_TIMEOUT)
}
