// Refscopectl is Refscope without a window: it captures pages, prints what an agent
// would see in them, marks pictures, keeps sessions of turns and exports payloads.
//
// A command is a pipeline of four stages, and each stage has one owner:
//
//	target   capture/target   resolves TARGET (a URL, an .html file, a tab, a turn, a capture) and opens it
//	answer   capture/inspect  answers a question that other doors ask too
//	render   render.go        makes text of the capture as the flags ask
//	write    output.go        standard output, files, JSON lines, remarks on standard error
//
// cli.go is the command line itself: the tree of commands, global flags, help and
// errors. Every other file is one command or a family of them.
//
// It needs no cgo and no display. Its spellings are a contract that scripts rely
// on: exit 0 is well, 1 is that something failed, 2 is a wrong call. Errors are one
// line on standard error that names the object and describes what to do.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/text"
)

// version is set by the build of a release.
var version = "0.1.0-dev"

// commit is set likewise; "" where the go command knows it.
var commit string

// tool names this program in what it records.
func tool() string { return "refscopectl " + version }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop() // what a second Ctrl-C would interrupt is over
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &app{args: args, stdout: stdout, stderr: stderr}
	err := a.dispatch(ctx, args)
	if code, ok := errors.AsType[exitCode](err); ok {
		return int(code)
	}
	if err != nil && ctx.Err() != nil {
		return a.interrupted(context.Cause(ctx), errors.Is(err, errReported))
	}
	return a.report(err)
}

// usagef is a wrong call: exit 2.
func usagef(format string, args ...any) error {
	return &target.UsageError{Text: fmt.Sprintf(format, args...)}
}

// exitCode is that of a command that was run for the caller, who gets it as it is.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// errReported is an error whose line was printed already.
var errReported = errors.New("")

// interrupted reports that a signal ended the command, where that was not reported, and gives the exit code that shells
// use for it.
func (a *app) interrupted(cause error, reported bool) int {
	code := 128 + int(syscall.SIGINT)
	if strings.Contains(cause.Error(), syscall.SIGTERM.String()) {
		code = 128 + int(syscall.SIGTERM)
	}
	if !reported {
		a.report(errors.New("interrupted"))
	}
	return code
}

// report prints an error as the contract has it and gives the exit code.
func (a *app) report(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, errReported) {
		return 1
	}
	code, kind := 1, "EXECUTION"
	var wrong *target.UsageError
	if errors.As(err, &wrong) {
		code, kind = 2, "USAGE"
	}
	line := text.EscapeOnce(strings.ReplaceAll(err.Error(), "\n", " "))
	if a.json {
		out := struct {
			Schema string `json:"schema"`
			Status string `json:"status"`
			Error  struct {
				Type    string `json:"type"`
				Message string `json:"message"`
			} `json:"error"`
		}{Schema: shapeOf("error"), Status: "error"}
		out.Error.Type, out.Error.Message = kind, line
		_ = a.printJSON(out)
		return code
	}
	name := "refscopectl:"
	if coloured(a.stderr) {
		name = boldOn + redOn + name + allOff
	}
	fmt.Fprintf(a.stderr, "%s %s\n", name, line)
	return code
}
