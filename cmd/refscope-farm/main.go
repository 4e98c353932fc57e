// Refscope-farm is the queue of a farm on one machine: a NATS server with JetStream, in one program,
// for those who run none. It is a program of its own because the server would make refscopectl
// larger by more than 10 MB.
//
//	refscope-farm --store DIR
//
// prints the address of the queue on standard output, with the token that opens it, and serves
// until it is told to end, or its standard input is closed where --until-eof is given. What is in
// the queue is in DIR, and is there again after the next start.
//
// Where others on the network shall reach it, run a nats-server with TLS and accounts instead: to
// refscopectl it is the same.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "refscope-farm: %v\n", err)
		os.Exit(1)
	}
}

// startPatience is how long the server may take to start.
const startPatience = 30 * time.Second

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	fs := flag.NewFlagSet("refscope-farm", flag.ContinueOnError)
	store := fs.String("store", "", "`DIR` that the queue is kept in")
	port := fs.Int("port", -1, "`PORT` on loopback; -1 takes a free one")
	untilEOF := fs.Bool("until-eof", false, "end when standard input is closed")
	fs.SetOutput(io.Discard) // main prints the error
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(out)
		fmt.Fprint(out, "refscope-farm --store DIR [flags]\n\nFlags:\n")
		fs.PrintDefaults()
		return err
	} else if err != nil {
		return fmt.Errorf("%w: see refscope-farm --help", err)
	}
	if *store == "" || fs.NArg() > 0 {
		return errors.New("name the folder of the queue, and nothing else: refscope-farm --store DIR")
	}
	token := os.Getenv("REFSCOPE_FARM_TOKEN")
	if token == "" {
		token = rand.Text()
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: *port, JetStream: true, StoreDir: *store, Authorization: token,
		NoSigs: true, NoLog: true,
	})
	if err != nil {
		return fmt.Errorf("the queue in %s: %w", *store, err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(startPatience) {
		return fmt.Errorf("the queue in %s did not start within %s: is its port taken, or the folder in use?",
			*store, startPatience)
	}
	at, err := url.Parse(s.ClientURL())
	if err != nil {
		return err
	}
	at.User = url.User(token)
	if _, err := fmt.Fprintln(out, at); err != nil {
		return err
	}
	closed := make(chan struct{})
	if *untilEOF {
		go func() { // ends with the input, or with the program
			_, _ = io.Copy(io.Discard, in)
			close(closed)
		}()
	}
	select {
	case <-ctx.Done():
	case <-closed:
	}
	return nil
}
