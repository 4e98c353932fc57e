// Refscopectl is Refscope without a window: it captures pages, prints what an agent
// would see in them, marks pictures, keeps sessions of turns and exports payloads.
//
// It needs no cgo and no display. Its spellings are a contract that scripts rely
// on: exit 0 is well, 1 is that something failed, 2 is a wrong call. Errors are one
// line on standard error that names the object and says what to do.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// version is set by the build of a release.
var version = "0.1.0-dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// usageError is a wrong call: exit 2.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// command is one word of the command line.
type command struct {
	name, args, what string
	run              func(ctx context.Context, a *app, args []string) error
}

// commands is the one table of commands; usage and dispatch come from it.
func commands() []command {
	return []command{
		{"run", "[JSON | -]", "one JSON object of steps in, one JSON object out; --help STEP says what a step takes", runSteps},
		{"snap", "TARGET…", "a text format or the capture itself on standard output", snap},
		{"mark", "TARGET -o OUT.png", "the picture with numbered boxes; --full-page, --tiles, --model, --scope", mark},
		{"turn", "TARGET… -o DIR", "whole turns into a session folder", takeTurns},
		{"payload", "TURN --dialect D", "the exact bytes for that dialect on standard output", payloadOf},
		{"diff", "A B", "what differs between two turns, captures or pages; --text FORMAT", diffCommand},
		{"find", "TARGET --text … --role …", "elements of a turn, capture or page by text, pattern, role, selector, place", findCommand},
		{"tokens", "TARGET", "what a page costs by format, region, tag, repeated row; --map OUT.png", countTokens},
		{"audit", "TARGET… --format F …", "what a person sees and a dump lacks, and the other way round; names, targets, secrets; --sarif, --threshold, --picture", auditCommand},
		{"why", "TARGET ELEMENT", "why an element is, or is not, in what the agent read: by number, selector or X,Y", whyCommand},
		{"whatif", "TARGET --format F …", "the lines that come and go with other limits, filters, options", whatIf},
		{"golden", "accept | check DIR", "pages held against what was accepted of them: --html, --junit, --update", goldenCommand},
		{"session", "list | show | export …", "the sessions: list, show, note, check, export, import, report", sessions},
		{"profile", "list | show | write | …", "what is known of a site: list, show, path, lint, write, history, restore, diff, import, new, try", profileCommand},
		{"browser", "status | tabs | close", "what runs between commands: the broker, started browsers, their tabs", browserCommand},
		{"version", "", "the version of this program", printVersion},
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr}
	err := a.dispatch(ctx, args)
	return a.report(err)
}

func (a *app) dispatch(ctx context.Context, args []string) error {
	rest, err := a.globals("refscopectl", args, nil)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		if ran, err := a.usesInput(ctx); ran {
			return err
		}
		return usagef("no command\n%s", usage())
	}
	if isSteps(rest[0]) {
		return runSteps(ctx, a, rest)
	}
	for _, c := range commands() {
		if c.name == rest[0] {
			return c.run(ctx, a, rest[1:])
		}
	}
	return usagef("there is no command %q: run refscopectl --help for the list", rest[0])
}

func usage() string {
	var b strings.Builder
	b.WriteString("refscopectl [global flags] COMMAND …\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-8s %-22s %s\n", c.name, c.args, c.what)
	}
	b.WriteString("\nTARGET is an http(s) URL, the path of an .html file, or a turn (SESSION#N or its folder).\nrefscopectl COMMAND --help lists a command's flags.\n")
	return b.String()
}

// errHelp asks for help: it was printed, and all is well.
var errHelp = errors.New("help")

// report prints an error as the contract says and gives the exit code.
func (a *app) report(err error) int {
	if err == nil || errors.Is(err, errHelp) {
		return 0
	}
	if errors.Is(err, errReported) {
		return 1
	}
	code, kind := 1, "EXECUTION"
	var u *usageError
	if errors.As(err, &u) {
		code, kind = 2, "USAGE"
	}
	text := visible(err.Error())
	if code != 2 {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	if a.json {
		out := struct {
			Status string `json:"status"`
			Error  struct {
				Type    string `json:"type"`
				Message string `json:"message"`
			} `json:"error"`
		}{Status: "error"}
		out.Error.Type, out.Error.Message = kind, text
		_ = json.NewEncoder(a.stdout).Encode(out)
		return code
	}
	fmt.Fprintf(a.stderr, "refscopectl: %s\n", text)
	return code
}
