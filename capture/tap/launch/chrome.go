package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lookEvery is how often processes are looked at for a browser.
const lookEvery = 300 * time.Millisecond

// portWait is how long a browser may take to open the port that its flags ask for, on a busy machine.
const portWait = 20 * time.Second

// Browsers calls found for each browser with a debugging port that runs below pid, with its HOST:PORT and a context that
// ends when the browser does, until ctx ends. It reads /proc, and returns an error at once where there is none. piped,
// where it is not nil, is called once, with the first browser that nobody else can look into: it is driven through a
// pipe. found and piped must return at once.
func Browsers(ctx context.Context, pid int, found func(ctx context.Context, address string), piped func(Piped)) error {
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		return errors.New("the agent's browser is found automatically on Linux only: name it with --attach")
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	open := map[string]context.CancelFunc{} // by address
	defer func() {
		for _, end := range open {
			end()
		}
	}()
	began := map[int]time.Time{} // of browsers without a port, by process
	for {
		there := map[string]bool{}
		for _, p := range below(pid) {
			b := browserOf(p.argv)
			if port := b.debuggingPort(); port != "" {
				address := net.JoinHostPort("127.0.0.1", port)
				if there[address] = true; open[address] == nil {
					var in context.Context
					in, open[address] = context.WithCancel(ctx)
					found(in, address)
				}
				continue
			}
			if !b.piped || piped == nil {
				continue
			}
			if began[p.pid].IsZero() {
				began[p.pid] = time.Now()
			}
			if b.port == "" || time.Since(began[p.pid]) > portWait { // Chrome opens none for a person's own profile
				piped(Piped{Profile: b.profile, Above: p.above})
				piped = nil
			}
		}
		for address, end := range open {
			if !there[address] {
				end()
				delete(open, address)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// Piped is a browser that is driven through a pipe.
type Piped struct {
	Profile string // its folder, "" where it has the usual one
	// Above are the command lines of the processes between the command and the browser, the command's own first.
	Above [][]string
}

// ByCodex reports whether Codex runs what drives the browser: it hands on a few variables only, and so not [NodeEnv].
func (p Piped) ByCodex() bool {
	return slices.ContainsFunc(p.Above, func(argv []string) bool {
		return len(argv) > 0 && filepath.Base(argv[0]) == "codex"
	})
}

// drivers are libraries and programs that start a browser with a pipe: what their processes or their profiles are
// called, and what makes them give it a port.
var drivers = []struct{ name, process, profile, setting string }{
	{"browser-use", "/browser-use/", "", "give its session cdp_url"},
	{"Playwright", "", "playwright_", "add --remote-debugging-port=0 to the args of launch"},
	{"Puppeteer", "", "puppeteer_", "start it with pipe: false"},
	{"Playwright", "/playwright", "", "add --remote-debugging-port=0 to the args of launch"},
	{"Puppeteer", "/puppeteer", "", "start it with pipe: false"},
}

// Setting says what a person can change so that the browser has a port, for the driver that is recognised.
func (p Piped) Setting() string {
	for _, d := range drivers {
		inside := slices.ContainsFunc(p.Above, func(argv []string) bool {
			return d.process != "" && strings.Contains(strings.Join(argv, " "), d.process)
		})
		if inside || d.profile != "" && strings.HasPrefix(filepath.Base(p.Profile), d.profile) {
			return "with " + d.name + ", " + d.setting
		}
	}
	return "let the agent start it with --remote-debugging-port=0, or connect to a Chrome that runs"
}

// process is one that was started below another.
type process struct {
	pid   int
	argv  []string
	above [][]string // command lines of those above it, from the one that was asked about
}

// below are the processes that a process has started, and theirs.
func below(pid int) []process {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; a name may hold spaces and brackets.
		rest := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		own, err1 := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if len(rest) < 2 || err1 != nil {
			continue
		}
		if parent, err := strconv.Atoi(rest[1]); err == nil {
			children[parent] = append(children[parent], own)
		}
	}
	var out []process
	var walk func(pid int, above [][]string)
	walk = func(pid int, above [][]string) {
		above = append(slices.Clip(above), commandLine(pid))
		for _, child := range children[pid] {
			out = append(out, process{child, commandLine(child), above})
			walk(child, above)
		}
	}
	walk(pid, nil)
	return out
}

// commandLine is that of a process, nil where it has ended.
func commandLine(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
}

// browserFlags are what a command line says of a browser's main process; empty for any other process.
type browserFlags struct {
	port, profile string
	piped         bool
}

func browserOf(argv []string) browserFlags {
	var b browserFlags
	for _, arg := range argv {
		name, v, _ := strings.Cut(arg, "=")
		switch name {
		case "--remote-debugging-port":
			b.port = v
		case "--remote-debugging-pipe":
			b.piped = true
		case "--user-data-dir":
			b.profile = v
		case "--type": // of a renderer and the like
			return browserFlags{}
		}
	}
	return b
}

// debuggingPort is the port of a browser, by its own flag, or by the file that it writes into its profile folder where
// the flag leaves the choice to it; "" where it has none, or none yet.
func (b browserFlags) debuggingPort() string {
	port := b.port
	if port == "0" {
		written, err := os.ReadFile(filepath.Join(b.profile, "DevToolsActivePort"))
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
