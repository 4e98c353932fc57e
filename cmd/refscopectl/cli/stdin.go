package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Stdin is standard input, or what a test gives instead. Its reads end with the context too: a person who presses
// Ctrl-C is not kept waiting for input that does not come.
func (a *App) Stdin(ctx context.Context) io.Reader {
	in := a.In
	if in == nil {
		in = os.Stdin
	}
	return readerFunc(func(p []byte) (int, error) {
		own := make([]byte, len(p)) // p is the caller's again when the context has ended
		n, err := interruptible(ctx, func() (int, error) { return in.Read(own) })
		return copy(p, own[:n]), err
	})
}

// readerFunc is a function that reads as [io.Reader] does.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// interruptible calls read, which takes no context and waits for a person or a pipe, and ends with the context. A read
// that it left ends with its input, or with the program.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// NothingPiped reports whether standard input is a person's terminal or the null device: nothing was piped into it.
func (a *App) NothingPiped() bool {
	st, err := os.Stdin.Stat()
	return a.In == nil && err == nil && st.Mode()&os.ModeCharDevice != 0
}

// AskSecret asks at the terminal for a line and does not show it. The terminal is as it was when it returns, also
// where the person presses Ctrl-C.
func (a *App) AskSecret(ctx context.Context, question string) ([]byte, error) {
	fd := int(os.Stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, fmt.Errorf("reading the state of the terminal: %w", err)
	}
	fmt.Fprint(a.Stderr, question)
	defer fmt.Fprintln(a.Stderr)
	secret, err := interruptible(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	if ctx.Err() != nil { // it is left reading
		_ = term.Restore(fd, before)
	}
	return secret, err
}

// Agreed asks the person. Where nobody can be asked, it is an error that describes what to do.
func (a *App) Agreed(ctx context.Context, command, question string) error {
	if a.In == nil && !Terminal(os.Stdin) {
		return Usagef("%s: nothing was done: no terminal to ask on: add --yes", command)
	}
	fmt.Fprint(a.Stderr, question+" [y/N] ")
	answer, err := bufio.NewReader(a.Stdin(ctx)).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	if err != nil && answer == "" {
		fmt.Fprintln(a.Stderr)
	}
	if answer != "y" && answer != "yes" {
		return errors.New(command + ": nothing was done, as you did not say yes")
	}
	return nil
}
