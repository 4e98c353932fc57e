package launch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// parents are the processes that run, each with the one that started it.
func parents() (map[int]int, error) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	if len(stats) == 0 {
		return nil, errors.New("/proc lists no process")
	}
	out := map[int]int{}
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; a name may hold spaces and brackets.
		rest := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		own, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if len(rest) < 2 || err != nil {
			continue
		}
		if parent, err := strconv.Atoi(rest[1]); err == nil {
			out[own] = parent
		}
	}
	return out, nil
}

// commandLine is that of a process, nil where it has ended.
func commandLine(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}
