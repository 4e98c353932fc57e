package launch

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// StartTied starts a program that ends when this one ends, however that comes, and with it all that it has started:
// Windows has no signal by which it could do that itself. The caller calls untie when it has ended by itself: what it
// has left running is to go on then. Where Windows refuses a job the program is not tied.
func StartTied(c *exec.Cmd) (untie func(), err error) {
	job, jobErr := windows.CreateJobObject(nil, nil)
	if jobErr == nil {
		jobErr = limit(job, windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
	}
	if err := c.Start(); err != nil {
		if job != 0 {
			_ = windows.CloseHandle(job) // nobody is in it
		}
		return func() {}, err
	}
	if jobErr == nil {
		_ = c.Process.WithHandle(func(process uintptr) {
			_ = windows.AssignProcessToJobObject(job, windows.Handle(process)) // one that has ended needs no job
		})
	}
	return func() {
		if job != 0 && limit(job, 0) == nil {
			_ = windows.CloseHandle(job) // it ends nobody any more
		}
	}, nil
}

// limit sets the flags of a job.
func limit(job windows.Handle, flags uint32) error {
	var l windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	l.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&l)), uint32(unsafe.Sizeof(l)))
	return err
}
