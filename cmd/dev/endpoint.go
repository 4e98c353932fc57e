package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/refscope/refscope/cmd/dev/endpoint"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// endpointTask serves the reference endpoint until it is interrupted.
func endpointTask(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("endpoint", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	addr := flags.String("addr", "127.0.0.1:0", "where to listen")
	quiet := flags.Bool("q", false, "do not tell of requests")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("endpoint: %w", err)
	}
	if flags.NArg() > 0 {
		return setup.Usagef("endpoint takes no argument %q", flags.Arg(0))
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	tell := func(line string) { fmt.Fprintln(os.Stderr, line) }
	if *quiet {
		tell = func(string) {}
	}
	s := &http.Server{Handler: endpoint.New(tell), ReadHeaderTimeout: 10 * time.Second}
	d.Say("http://%s%s", l.Addr(), endpoint.Path)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Shutdown below
	select {
	case err := <-served:
		return fmt.Errorf("endpoint: %w", err)
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := s.Shutdown(end); err != nil {
		_ = s.Close() // a client that still waits gets no answer
	}
	<-served
	return ctx.Err()
}
