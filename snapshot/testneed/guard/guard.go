// Package guard ends what a run of tests has started where the run itself cannot any more, because it was killed:
// browsers, brokers, displays, and the folder for temporary files.
//
// [Start] starts a second process of the same program, which waits until the first one has ended, in whatever way. What
// the first one has started is known by a variable of the environment, which all descendants inherit, also those that
// have a session of their own (Linux; elsewhere only folders are removed). A program that calls Start calls [Main]
// before anything else.
package guard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	guarding = "REFSCOPE_GUARD_PROCESS" // set for a guard itself: the mark that it looks for
	marks    = "REFSCOPE_GUARDED"       // of a process: the marks of the guards over it, each between colons
)

// Unmarked is what a child has in its environment that is to go on where this process is killed.
const Unmarked = marks + "="

// grace is how long what was started may take to end by itself once it was asked to.
const grace = 2 * time.Second

// Guard is the process that waits for the end of this one.
type Guard struct {
	cmd  *exec.Cmd
	tell io.WriteCloser
	done chan error
}

// Main is the whole program where this process is a guard, and returns where it is none.
func Main() {
	mark := os.Getenv(guarding)
	if mark == "" {
		return
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // it ends with what it guards
	var folders []string
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); { // until the other end is gone
		folders = append(folders, lines.Text())
	}
	endMarked(mark)
	left := 0
	for _, f := range folders {
		// Something that was killed may still be letting go of a file.
		for end := time.Now().Add(grace); removeAll(f) != nil; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				left = 1
				break
			}
		}
	}
	os.Exit(left)
}

// removeAll removes a folder, also one whose folders nobody may write into, as those of Go's module cache.
func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// Start starts a guard over this process and all that it will start.
func Start() (*Guard, error) {
	if os.Getenv(guarding) != "" {
		return nil, errors.New(
			"starting a guard: this process is one, and did not call guard.Main before anything else")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	mark := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	g := &Guard{cmd: exec.Command(self), done: make(chan error, 1)}
	g.cmd.Env = append(os.Environ(), guarding+"="+mark)
	g.cmd.Stderr = os.Stderr
	apart(g.cmd)
	if g.tell, err = g.cmd.StdinPipe(); err == nil {
		err = g.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("starting a guard: %w", err)
	}
	go func() { g.done <- g.cmd.Wait() }() // End waits for it
	before := os.Getenv(marks)
	if before == "" {
		before = ":"
	}
	return g, os.Setenv(marks, before+mark+":")
}

// Mark is what a child with an environment of its own has to have in it.
func Mark() string { return marks + "=" + os.Getenv(marks) }

// Remove has a folder removed at the end. The name has no line break.
func (g *Guard) Remove(dir string) error {
	_, err := fmt.Fprintln(g.tell, dir)
	return err
}

// End ends what is left of what this process has started, and removes the folders.
func (g *Guard) End() error {
	if err := g.tell.Close(); err != nil {
		return err
	}
	return <-g.done
}

// Run runs tests under a guard, with a folder for temporary files that goes when they end, and gives their exit code.
// It is for TestMain.
func Run(tests func() int) int {
	Main()
	g, err := Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code, err := inside(g, tests)
	if err = errors.Join(err, g.End()); err != nil {
		fmt.Fprintln(os.Stderr, "what the tests have started was not all ended or removed:", err)
		return max(code, 1)
	}
	return code
}

func inside(g *Guard, tests func() int) (int, error) {
	dir := filepath.Join(os.TempDir(), "r"+strconv.FormatInt(int64(os.Getpid()), 36)) // short: sockets lie in it
	if err := os.Mkdir(dir, 0o700); err != nil {
		if dir, err = os.MkdirTemp("", "rt"); err != nil {
			return 1, err
		}
	}
	if err := errors.Join(g.Remove(dir), os.Setenv("TMPDIR", dir)); err != nil {
		return 1, err
	}
	return tests(), nil
}

// endMarked ends all processes with the mark: first it asks them to, as at a terminal.
func endMarked(mark string) {
	for asked, end := false, time.Now().Add(grace); ; asked = true {
		found := marked(mark)
		if len(found) == 0 {
			return
		}
		for _, pid := range found {
			p, err := os.FindProcess(pid)
			switch {
			case err != nil:
			case time.Now().After(end):
				_ = p.Kill()
			case !asked:
				_ = p.Signal(os.Interrupt)
			}
		}
		if time.Now().After(end.Add(10 * grace)) {
			return // they are in the kernel, and end when it lets go of them
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// marked are the processes with the mark, without guards and what has ended.
func marked(mark string) []int {
	list, _ := filepath.Glob("/proc/[0-9]*/environ")
	var found []int
	for _, file := range list {
		env, err := os.ReadFile(file)
		if err != nil || len(env) == 0 {
			continue
		}
		mine, guard := false, false
		for v := range strings.SplitSeq(string(env), "\x00") {
			name, value, _ := strings.Cut(v, "=")
			mine = mine || name == marks && strings.Contains(value, ":"+mark+":")
			guard = guard || name == guarding
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil && mine && !guard {
			found = append(found, pid)
		}
	}
	return found
}
