package launch

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// parents are the processes that run, each with the one that started it.
func parents() (map[int]int, error) {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, fmt.Errorf("listing the processes: %w", err)
	}
	defer func() { _ = windows.CloseHandle(list) }()
	out := map[int]int{}
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(list, &entry); err == nil; err = windows.Process32Next(list, &entry) {
		out[int(entry.ProcessID)] = int(entry.ParentProcessID)
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, fmt.Errorf("listing the processes: %w", err)
	}
	return out, nil
}

// commandLine is that of a process, nil where it has ended or is another user's.
func commandLine(pid int) []string {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(p) }()
	// A UNICODE_STRING and, behind it, what it points to: at most 32,767 characters of two bytes.
	buffer := make([]windows.NTUnicodeString, 1+(2<<15)/unsafe.Sizeof(windows.NTUnicodeString{}))
	size := uint32(uintptr(len(buffer)) * unsafe.Sizeof(buffer[0]))
	if windows.NtQueryInformationProcess(p, windows.ProcessCommandLineInformation, unsafe.Pointer(&buffer[0]), size,
		&size) != nil {
		return nil
	}
	argv, err := windows.DecomposeCommandLine(buffer[0].String())
	if err != nil {
		return nil
	}
	return argv
}
