// Package launch runs an agent's own command with a tap in front of its vendors: [Env] are the variables that
// today's SDKs read their base URL from, [Run] runs the command with its terminal untouched, and [Chrome] finds the
// debugging port of the browser that the command starts.
//
// What must hold: the command notices nothing but its variables. Its input, output, exit code and signals are its own.
package launch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/refscope/refscope/capture/tap"
)

// further are variables that clients of a vendor read beside the one that [tap.Upstream] names.
var further = map[string][]string{"openai": {"OPENAI_API_BASE"}}

// Env are the variables that lead an agent to the tap, as NAME=URL, in the order of the vendors.
func Env(urls []tap.BaseURL) []string {
	var out []string
	for _, u := range urls {
		if u.Upstream.Variable == "" {
			continue
		}
		for _, name := range append([]string{u.Upstream.Variable}, further[u.Upstream.Name]...) {
			out = append(out, name+"="+u.URL)
		}
	}
	return out
}

// Run runs a command with further variables, its standard streams those of this process, until it ends. Signals that
// this process gets are the command's too. It returns its exit code, 128 and the signal where one ended it. started is
// called with its process id.
func Run(argv, env []string, started func(pid int)) (int, error) {
	c := exec.Command(argv[0], argv[1:]...) // it ends by itself, or by the signals that it gets
	c.Env = append(os.Environ(), env...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return 0, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	if started != nil {
		started(c.Process.Pid)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM)
	if st, err := os.Stdin.Stat(); err != nil || st.Mode()&os.ModeCharDevice == 0 {
		signal.Notify(signals, os.Interrupt) // a terminal sends it to the command itself
	}
	defer signal.Stop(signals)
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case s := <-signals:
			_ = c.Process.Signal(s) // a command that has ended needs none
		case err := <-ended:
			code, err := ExitCode(err)
			if err != nil {
				err = fmt.Errorf("%s: %w", argv[0], err)
			}
			return code, err
		}
	}
}

// ExitCode is the exit code of a program, by the error of its Wait: 128 and the signal where one ended it. Another
// error is returned as it is.
func ExitCode(err error) (int, error) {
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case !errors.As(err, &failed):
		return 0, err
	case failed.ExitCode() >= 0:
		return failed.ExitCode(), nil
	}
	if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return 1, nil
}

// lookEvery is how often processes are looked at for a browser.
const lookEvery = 300 * time.Millisecond

// Chrome waits until a process below pid is a browser with a debugging port, and returns it as HOST:PORT. It reads
// /proc, and returns an error at once where there is none, and that of the context when that ends.
func Chrome(ctx context.Context, pid int) (string, error) {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		return "", errors.New("the agent's browser is found automatically on Linux only: name it with --attach")
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		for _, p := range below(pid) {
			if port := debuggingPort(p); port != "" {
				return net.JoinHostPort("127.0.0.1", port), nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// below are the processes that a process has started, and theirs.
func below(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; a name may hold spaces and brackets.
		rest := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		own, err1 := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if len(rest) < 2 || err1 != nil {
			continue
		}
		if parent, err := strconv.Atoi(rest[1]); err == nil {
			children[parent] = append(children[parent], own)
		}
	}
	var out []int
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		out = append(out, children[todo[0]]...)
		todo = append(todo, children[todo[0]]...)
	}
	return out
}

// debuggingPort is the port of a browser's main process, by its own flag, or by the file that it writes into its
// profile folder where the flag leaves the choice to it; "" for any other process.
func debuggingPort(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	port, folder, renderer := "", "", false
	for _, arg := range strings.Split(string(data), "\x00") {
		if v, ok := strings.CutPrefix(arg, "--remote-debugging-port="); ok {
			port = v
		}
		if v, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			folder = v
		}
		renderer = renderer || strings.HasPrefix(arg, "--type=")
	}
	if renderer || port == "" {
		return ""
	}
	if port == "0" {
		written, err := os.ReadFile(filepath.Join(folder, "DevToolsActivePort"))
		if err != nil {
			return "" // not yet
		}
		port, _, _ = strings.Cut(string(written), "\n")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return ""
	}
	return port
}
