// Package launch runs an agent's own command with a tap in front of its vendors: [Env] are the variables that
// today's SDKs read their base URL from, [NodeEnv] is the one that gives a browser a debugging port, [Run] runs the
// command with its terminal untouched, and [Browsers] finds the browsers that the command starts.
//
// What must hold: the command notices nothing but its variables. Its input, output, exit code and signals are its own.
package launch

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/term"

	"github.com/refscope/refscope/capture/tap"
)

// further are variables that clients of a vendor read beside the one that [tap.Upstream] names.
var further = map[string][]string{"openai": {"OPENAI_API_BASE"}}

// Env are the variables that lead an agent to the tap, as NAME=URL, in the order of the vendors. Where the environment
// has a proxy, further ones keep requests to the tap off it: it cannot reach this machine's loopback.
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
	return append(out, Direct()...)
}

// Direct are the variables, as NAME=VALUE, that except this machine from the proxy of the environment, none where it
// has no proxy: for a command that is to reach a tap, or a browser that it is handed.
func Direct() []string {
	var proxy string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		proxy = cmp.Or(proxy, os.Getenv(name), os.Getenv(strings.ToLower(name)))
	}
	upper, lower := os.Getenv("NO_PROXY"), os.Getenv("no_proxy")
	if proxy == "" || cmp.Or(upper, lower) == "*" {
		return nil
	}
	var out []string
	for _, v := range [][2]string{{"NO_PROXY", cmp.Or(upper, lower)}, {"no_proxy", cmp.Or(lower, upper)}} {
		out = append(out, v[0]+"="+strings.TrimPrefix(v[1]+",127.0.0.1,localhost", ","))
	}
	return out
}

// elsewhere are agents that take their base URL from another place than the variables: what their command is called,
// and what leads them to the tap.
var elsewhere = []struct{ program, help string }{
	{"claude", "where a file of Claude Code's settings sets ANTHROPIC_BASE_URL, that one holds: run it by sh -c " +
		`'claude --settings "{\"env\":{\"ANTHROPIC_BASE_URL\":\"$ANTHROPIC_BASE_URL\"}}"'`},
	{"codex", "Codex reads no variable for it: run it by sh -c 'codex -c openai_base_url=$OPENAI_BASE_URL'"},
}

// Elsewhere says what leads the agent of a command to the tap, where its variables did not.
func Elsewhere(argv []string) string {
	for _, arg := range argv {
		for word := range strings.FieldsSeq(arg) { // also of what a shell is to run
			base := strings.TrimSuffix(filepath.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
			for _, e := range elsewhere {
				if base == e.program || base == e.program+"-code" {
					return e.help
				}
			}
		}
	}
	return "the agent's base URL is set in its code or its settings: give it the address that tap --env prints"
}

// Run runs a command with further variables, its standard streams those of this process, until it ends. Signals that
// this process gets are the command's too, and it ends with this process, also where that is killed (Linux, Windows):
// without the tap no request of it would be answered. It returns its exit code, 128 and the signal where one ended it.
// started is called with its process id.
func Run(argv, env []string, started func(pid int)) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := exec.Command(argv[0], argv[1:]...) // it ends by itself, by the signals that it gets, or with this process
	c.Env = append(os.Environ(), env...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	// Before it starts, or a signal that comes meanwhile would be lost.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM)
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		signal.Notify(signals, os.Interrupt) // a terminal sends it to the command itself
	}
	defer signal.Stop(signals)
	untie, err := StartTied(c)
	if err != nil {
		return 0, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	defer untie()
	if started != nil {
		started(c.Process.Pid)
	}
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
