package browser

import "syscall"

// detached gives the process a group of its own and no console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}

// openFiles is 0: Windows has no such limit.
func openFiles() uint64 { return 0 }
