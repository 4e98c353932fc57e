//go:build unix

package guard_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testneed/guard"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	switch os.Getenv("GUARD_TEST") {
	case "run": // tests that never end, and have started what outlives them
		os.Exit(guard.Run(func() int { stay(true); return 0 }))
	case "short": // tests that end, and leave something
		os.Exit(guard.Run(func() int { stay(false); return 7 }))
	}
	os.Exit(guard.Run(m.Run))
}

// stay starts what a broker is, a process in a session of its own with a child, and prints their folder and numbers.
func stay(forever bool) {
	dir, err := os.MkdirTemp("", "large")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "file"), make([]byte, 11<<20), 0o400)
	}
	if err == nil {
		err = os.Chmod(dir, 0o500) // as Go's module cache
	}
	c := exec.Command("setsid", "sh", "-c", `trap "" INT; sleep 1000 & echo $$ $!; wait`)
	said, failed := c.StdoutPipe()
	if err = errors.Join(err, failed); err == nil {
		err = c.Start()
	}
	var numbers string
	if err == nil { // of the processes that were started
		numbers, err = bufio.NewReader(said).ReadString('\n')
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(numbers)
	fmt.Println("dir", dir)
	if forever {
		select {}
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test has seen the folder
}

// Whatever way a run ends, what it has started ends too, and its folder goes.
func TestNothingIsLeft(t *testing.T) {
	testneed.Program(t, "setsid", "util-linux")
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		testneed.Extra(t, "processes are known by their environment on Linux alone")
	}
	for _, way := range []string{"run", "short"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			require.NoError(t, err)
			c := exec.Command(self)
			c.Env = append(os.Environ(), "GUARD_TEST="+way)
			out, err := c.StdoutPipe()
			require.NoError(t, err)
			in, err := c.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, c.Start())
			var dir string
			var pids []int
			for lines := bufio.NewScanner(out); (dir == "" || len(pids) < 2) && lines.Scan(); {
				if d, ok := strings.CutPrefix(lines.Text(), "dir "); ok {
					dir = d
					continue
				}
				for _, word := range strings.Fields(lines.Text()) {
					pid, err := strconv.Atoi(word)
					require.NoError(t, err, lines.Text())
					pids = append(pids, pid)
				}
			}
			require.Len(t, pids, 2)
			require.DirExists(t, dir)
			if way == "run" {
				require.NoError(t, c.Process.Kill())
			}
			require.NoError(t, in.Close())
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the last process that holds it
			_ = c.Wait()
			if way == "short" {
				require.Equal(t, 7, c.ProcessState.ExitCode())
			}
			require.Eventually(t, func() bool {
				for _, pid := range pids {
					if !gone(pid) {
						return false
					}
				}
				_, err := os.Stat(filepath.Dir(dir))
				return os.IsNotExist(err)
			}, time.Minute, 10*time.Millisecond)
		})
	}
}

// gone reports whether a process has ended; one that nobody collects has.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ") || syscall.Kill(pid, 0) != nil
}
