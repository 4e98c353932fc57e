package launch

import (
	"context"
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

// Browsers calls found for each browser with a debugging port that runs below pid, or below a daemon that was seen
// there, with its HOST:PORT and a context that ends when the browser does, until ctx ends. It returns an error at once
// where processes cannot be listed. piped, where it is not nil, is called once, with the first browser that nobody else
// can look into: it is driven through a pipe. found and piped must return at once.
func Browsers(ctx context.Context, pid int, found func(ctx context.Context, address string), piped func(Piped)) error {
	if _, err := parents(); err != nil {
		return fmt.Errorf("the agent's browser is not found automatically here: %w: name it with --attach", err)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	open := map[string]context.CancelFunc{} // by address
	defer func() {
		for _, end := range open {
			end()
		}
	}()
	ours := family{pid: pid}
	began := map[int]time.Time{} // of browsers without a port, by process
	for {
		there := map[string]bool{}
		for _, p := range ours.below() {
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
