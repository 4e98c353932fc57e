// Command dev holds the tasks of people who work on Refscope. It is run from the
// repository, needs nothing but Go to start, and imports the standard library and packages
// of this module only; tasks of some size are packages below it:
//
//	go run ./cmd/dev run [-y] [ARGUMENTS]     set up, build the window and open it
//	go run ./cmd/dev test [-y] [-v] [-all | -rest | -run STAGE | [-all] PACKAGE…]   set up and check: every package
//	                                          once and a real window; -all with the race detector and what takes long
//	go run ./cmd/dev bare [-may] [COMMAND…]   the test, or that command, in a bare Debian made for it
//	go run ./cmd/dev bench [-run PATTERN] [-peers | -mcp | -phases | -growth | -pages | -marks | -numbers]   the Go
//	                                          benchmarks, captures and MCP servers beside peers, or their parts
//	go run ./cmd/dev package [-own] [-twice]  the programs for handing out, into dist/
//	go run ./cmd/dev harden [-for 1h]         attacks on refscopectl, and which it withstood
//	go run ./cmd/dev docs                     the documentation as pages, into out/docs
//	go run ./cmd/dev endpoint [--addr HOST:PORT]   the other side of refscopectl task, by rules
//	go run ./cmd/dev look [-y] [-run STORY]   pictures of the window for people, into out/
//	go run ./cmd/dev faults [-run GROUP]      which of 30 seeded faults the tests find
//	go run ./cmd/dev measure                  the figures of the house, for closing notes
//	go run ./cmd/dev exported [ROOM…]         exported identifiers that no other package uses
//	go run ./cmd/dev doctor                   what this machine has and what it lacks
//
// What a machine lacks is a list of needs (package setup), each with a probe that tries
// the real thing: the C compiler compiles, the headers are included. On Debian and
// Ubuntu the missing ones are installed with apt-get, after asking unless
// -y is given, CI is set or nobody sits at the terminal as root; elsewhere the
// sentence to act on is printed.
//
// Children run in process groups of their own and end with this program, also where it is killed
// (snapshot/testneed/guard). Exit: 0 all well, 1 something failed, 2 a wrong call.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/refscope/refscope/cmd/dev/bench"
	"github.com/refscope/refscope/cmd/dev/release"
	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/cmd/dev/window"
	"github.com/refscope/refscope/snapshot/testneed/guard"
)

// task is one thing that dev can do.
type task struct {
	name, what string
	do         func(ctx context.Context, d *setup.Dev, args []string) error
}

func tasks() []task {
	return []task{
		{"run", "set up, build the window and open it (arguments go to refscope)", runTask},
		{"test", "set up and check every package and a real window; -all for the race detector and what takes long " +
			"too, -rest for those alone, ./gui/text for one room, -run STAGE, -list for the names, " +
			"-times for the slowest packages, -v for all output", testTask},
		{"bare", "as root: run the test, or COMMAND, in a clone inside a bare Debian that is made for it and " +
			"removed; -may to run it here where none can be made", bareTask},
		{"bench", "run the Go benchmarks; -run PATTERN for some, -peers for captures beside Playwright's, " +
			"-mcp for MCP servers, " +
			"-phases for where their time goes, -growth for large pages, -pages for pages a second, -marks for " +
			"marked pictures, -numbers for those of the window, -waits for what a person waits for", bench.Task},
		{"package", "build the programs for handing out into dist/; -own for this system only, -twice to compare " +
			"with a clone",
			release.Task},
		{"harden", "attack refscopectl with hostile pages, kills, full disks, files that lie; -for 1h, -run NAME, " +
			"-seed N",
			hardenTask},
		{"docs", "write the documentation as pages into out/docs and check its links", docsTask},
		{"endpoint", "serve the reference endpoint of refscopectl task; --addr 127.0.0.1:0, -q", endpointTask},
		{"agents", "run four unmodified agents over the demo site and print how much of what a person sees each was " +
			"told; -modules FOLDER with their node_modules, -pages a.html,b.html", bench.Agents},
		{"look", "take the pictures of the window that people look at, into out/; -run STORY for one, -list for the " +
			"names",
			window.Look},
		{"faults", "put 30 seeded faults into the source, one at a time and on the side, and say which of them the " +
			"tests find; -run GROUP, -seed N", faultsTask},
		{"tour", "take all pictures of the documents in the real window, and film an agent's run for the README; -o " +
			"FILE", window.Tour},
		{"measure", "print the figures of the house: lines, types, crowded packages, long lines, exports without a " +
			"user",
			measureTask},
		{"exported", "list exported identifiers that no other package uses; ROOM for those of one folder",
			exportedTask},
		{"doctor", "say what this machine has and what it lacks", doctorTask},
	}
}

func main() {
	guard.Main()
	if len(os.Args) > 3 && os.Args[1] == timed {
		os.Exit(runTimed(os.Args[2], os.Args[3:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := guarded(ctx, os.Args[1:])
	interrupted := ctx.Err() != nil
	stop()
	switch wrong := (setup.UsageError{}); {
	case err == nil:
	case interrupted:
		fmt.Fprintln(os.Stderr, "dev: interrupted")
		os.Exit(130)
	case errors.Is(err, errSaid):
		os.Exit(1)
	case errors.As(err, &wrong):
		fmt.Fprintf(os.Stderr, "dev: %v\n\n%s", err, usage())
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "dev: %v\n", err)
		os.Exit(1)
	}
}

// guarded does a task with a guard over what it starts.
func guarded(ctx context.Context, args []string) error {
	over, err := guard.Start()
	if err != nil {
		return err
	}
	if err = goFolder(over); err == nil {
		err = perform(ctx, over, args)
	}
	return errors.Join(err, over.End())
}

func usage() string {
	var b strings.Builder
	b.WriteString("usage: go run ./cmd/dev TASK\n\n")
	for _, t := range tasks() {
		fmt.Fprintf(&b, "  %-8s %s\n", t.name, t.what)
	}
	b.WriteString("\n  -y       (run, test) install what is missing without asking\n")
	return b.String()
}

func perform(ctx context.Context, over *guard.Guard, args []string) error {
	if len(args) == 0 {
		return setup.Usagef("no task named")
	}
	if a := args[0]; a == "help" || a == "-h" || a == "--help" {
		fmt.Print(usage())
		return nil
	}
	for _, t := range tasks() {
		if t.name != args[0] {
			continue
		}
		root, err := repository(ctx)
		if err != nil {
			return err
		}
		console := setup.NewConsole(os.Stdout, os.Stdin)
		d := &setup.Dev{Console: console, Root: root, Machine: setup.ThisMachine(), Guard: over}
		return t.do(ctx, d, args[1:])
	}
	return setup.Usagef("no task %q", args[0])
}

// goFolder gives the go commands that are started a folder for what they build, which goes with this program: one that
// is killed leaves it behind.
func goFolder(over *guard.Guard) error {
	at, err := os.Getwd()
	if err != nil {
		return err
	}
	dir, err := steadyFolder(cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir()), at)
	if err != nil {
		return err
	}
	return errors.Join(over.Remove(dir), os.Setenv("GOTMPDIR", dir))
}

// steadyFolder makes a folder for the runs in a repository. Tests make their own folders in it, so that its name is one
// of their inputs: it is the same for each run, with another number while one is under way, or go's cache would never
// answer for a test.
func steadyFolder(parent, repository string) (string, error) {
	name := fmt.Sprintf("refscope-go-%08x-", crc32.ChecksumIEEE([]byte(repository)))
	for n := 0; ; n++ {
		dir := filepath.Join(parent, name+strconv.Itoa(n))
		if err := os.Mkdir(dir, 0o700); !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// repository is the folder of the go.mod in force.
func repository(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" {
		return "", errors.New("not inside the Refscope repository: change into its folder first")
	}
	return filepath.Dir(file), nil
}
