// Refscopectl is Refscope without a window: it captures pages, prints what an agent
// would see in them, marks pictures, keeps sessions of turns and exports payloads.
//
// A command is a pipeline of four stages, and each stage has one owner:
//
//	target   capture/target   resolves TARGET (a URL, an .html file, a tab, a turn, a capture) and opens it
//	answer   capture/inspect  answers a question that other doors ask too
//	render   cli/render.go    makes text of the capture as the flags ask
//	write    cli/output.go    standard output, files, JSON lines, remarks on standard error
//
// Here is the tree of commands (root.go), and those that are about the program itself. The others are rooms: view shows
// one page, bulk many, drive acts on them, record keeps sessions; cli is what all share. Each file is one command or a
// family of them.
//
// It needs no cgo and no display. Its spellings are a contract that scripts rely
// on: exit 0 is well, 1 is that something failed, 2 is a wrong call. Errors are one
// line on standard error that names the object and describes what to do.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
)

// commit is set by the build of a release; "" where the go command knows it.
var commit string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop() // what a second Ctrl-C would interrupt is over
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	a := &cli.App{Args: args, Stdout: stdout, Stderr: stderr}
	err := dispatch(ctx, a, args)
	if code, ok := errors.AsType[cli.ExitCode](err); ok {
		return int(code)
	}
	if err != nil && ctx.Err() != nil {
		return a.Interrupted(context.Cause(ctx), errors.Is(err, cli.ErrReported))
	}
	return a.Report(err)
}
