package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// stdin is standard input, or what a test gives instead. Its reads end with the context too: a person who presses
// Ctrl-C is not kept waiting for input that does not come.
func (a *app) stdin(ctx context.Context) io.Reader {
	in := a.in
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

// nothingPiped reports whether standard input is a person's terminal, from which nothing
// was piped.
func (a *app) nothingPiped() bool { return a.in == nil && terminal(os.Stdin) }

// askSecret asks at the terminal for a line and does not show it. The terminal is as it was when it returns, also
// where the person presses Ctrl-C.
func (a *app) askSecret(ctx context.Context, question string) ([]byte, error) {
	fd := int(os.Stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return nil, fmt.Errorf("reading the state of the terminal: %w", err)
	}
	fmt.Fprint(a.stderr, question)
	defer fmt.Fprintln(a.stderr)
	secret, err := interruptible(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	if ctx.Err() != nil { // it is left reading
		_ = term.Restore(fd, before)
	}
	return secret, err
}
