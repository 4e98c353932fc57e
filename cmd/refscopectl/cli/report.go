package cli

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/refscope/refscope/capture/target"
	"github.com/refscope/refscope/snapshot/text"
)

// Version of the program, which the build of a release sets.
var Version = "0.1.0-dev"

// Tool names this program in what it records.
func Tool() string { return "refscopectl " + Version }

// Usagef is a wrong call: exit 2.
func Usagef(format string, args ...any) error {
	return &target.UsageError{Text: fmt.Sprintf(format, args...)}
}

// ExitCode is that of a command that was run for the caller, who gets it as it is.
type ExitCode int

func (c ExitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// ErrReported is an error whose line was printed already.
var ErrReported = errors.New("")

// Interrupted reports that a signal ended the command, where that was not reported, and gives the exit code that shells
// use for it.
func (a *App) Interrupted(cause error, reported bool) int {
	code := 128 + int(syscall.SIGINT)
	if strings.Contains(cause.Error(), syscall.SIGTERM.String()) {
		code = 128 + int(syscall.SIGTERM)
	}
	if !reported {
		a.Report(errors.New("interrupted"))
	}
	return code
}

// Report prints an error as the contract has it and gives the exit code.
func (a *App) Report(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, ErrReported) {
		return 1
	}
	code, kind := 1, "EXECUTION"
	if _, ok := errors.AsType[*target.UsageError](err); ok {
		code, kind = 2, "USAGE"
	}
	line := text.EscapeOnce(strings.ReplaceAll(err.Error(), "\n", " "))
	if a.JSON {
		out := struct {
			Schema string `json:"schema"`
			Status string `json:"status"`
			Error  struct {
				Type    string `json:"type"`
				Message string `json:"message"`
			} `json:"error"`
		}{Schema: ShapeOf("error"), Status: "error"}
		out.Error.Type, out.Error.Message = kind, line
		_ = a.PrintJSON(out)
		return code
	}
	name := "refscopectl:"
	if coloured(a.Stderr) {
		name = boldOn + redOn + name + allOff
	}
	fmt.Fprintf(a.Stderr, "%s %s\n", name, line)
	return code
}
