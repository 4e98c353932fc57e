package broker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed/guard"
	"github.com/stretchr/testify/require"
)

var (
	older = Build{"1.0.0", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	newer = Build{"1.1.0", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
)

// The test binary is also the broker that Connect starts.
func TestMain(m *testing.M) {
	if home := os.Getenv("BROKER_SERVE"); home != "" {
		s := &Server{
			Home: home, Build: newer, Idle: 20 * time.Second, Lost: make(chan struct{}), Holds: func() (int, int) { return 1, 0 },
			Handle: func(context.Context, []byte) ([]byte, error) {
				return []byte(fmt.Sprint(os.Getpid())), nil
			},
		}
		if _, err := s.Serve(context.Background()); err != nil && !errors.Is(err, ErrRunning) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(guard.Run(m.Run))
}

// served is a server under test.
type served struct {
	*Server
	lost     chan struct{}
	browsers chan int
	why      chan string
}

// serve starts a server that answers with what it was sent.
func serve(t *testing.T, home string, change func(*Server)) *served {
	t.Helper()
	s := &served{lost: make(chan struct{}, 1), why: make(chan string, 1), browsers: make(chan int, 1)}
	s.browsers <- 1
	s.Server = &Server{
		Home: home, Build: newer, Idle: time.Minute, Lost: s.lost,
		Holds: func() (int, int) { n := <-s.browsers; s.browsers <- n; return n, 0 },
		Handle: func(_ context.Context, b []byte) ([]byte, error) {
			if string(b) == `"fail"` {
				return nil, errors.New("as you wish")
			}
			return b, nil
		},
	}
	if change != nil {
		change(s.Server)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		why, err := s.Serve(ctx)
		if err != nil {
			why = err.Error()
		}
		s.why <- why
	}()
	t.Cleanup(func() { cancel(); <-done })
	return s
}

// client is a connection to the server, once it listens.
func client(t *testing.T, home string) *Client {
	t.Helper()
	var c *Client
	require.Eventually(t, func() (ok bool) {
		var err error
		c, err = Dial(t.Context(), home)
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestARequestGetsItsReply(t *testing.T) {
	home := t.TempDir()
	serve(t, home, nil)
	c := client(t, home)
	require.True(t, c.Hello.Same(newer))
	const body = `{"a": "\n", "b": "a > b & <c>"}` // comes out byte for byte: it is a turn's payload
	got, err := c.Run(t.Context(), []byte(body))
	require.NoError(t, err)
	require.Equal(t, body, string(got))
	_, err = client(t, home).Run(t.Context(), []byte(`"fail"`))
	require.EqualError(t, err, "as you wish")
	st, err := client(t, home).Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, st.Served)
	require.Equal(t, 1, st.Browsers)
	require.Equal(t, os.Getpid(), st.PID)
}

func TestReasonsToEnd(t *testing.T) {
	t.Run("asked", func(t *testing.T) {
		home := t.TempDir()
		s := serve(t, home, nil)
		require.NoError(t, client(t, home).Stop(t.Context()))
		require.Equal(t, "it was asked to", <-s.why)
		_, err := Dial(t.Context(), home)
		require.Error(t, err)
	})
	t.Run("idle", func(t *testing.T) {
		s := serve(t, t.TempDir(), func(s *Server) { s.Idle = 20 * time.Millisecond })
		require.Equal(t, "no command came for 20ms", <-s.why)
	})
	t.Run("last browser gone", func(t *testing.T) {
		home := t.TempDir()
		s := serve(t, home, nil)
		_, err := client(t, home).Run(t.Context(), []byte(`1`))
		require.NoError(t, err)
		<-s.browsers
		s.browsers <- 0
		s.lost <- struct{}{}
		require.Equal(t, "it holds no browser any more", <-s.why)
	})
	t.Run("a second one", func(t *testing.T) {
		home := t.TempDir()
		serve(t, home, nil)
		_ = client(t, home)
		second := serve(t, home, nil)
		require.Equal(t, ErrRunning.Error(), <-second.why)
		_ = client(t, home) // the first still answers
	})
}

// A client that is killed in mid-command has the command cancelled.
func TestAClientThatGoesCancelsItsCommand(t *testing.T) {
	home := t.TempDir()
	began, ended := make(chan struct{}), make(chan error, 1)
	serve(t, home, func(s *Server) {
		s.Handle = func(ctx context.Context, _ []byte) ([]byte, error) {
			close(began)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	})
	c := client(t, home)
	result := make(chan error, 1)
	go func() {
		_, err := c.Run(context.Background(), []byte(`1`))
		result <- err
	}()
	<-began
	require.NoError(t, c.Close())
	require.ErrorIs(t, <-ended, context.Canceled)
	require.ErrorIs(t, <-result, ErrLost)
}

// A command under way is let finish before the broker ends.
func TestEndingWaitsForTheCommandUnderWay(t *testing.T) {
	home := t.TempDir()
	began, finish := make(chan struct{}), make(chan struct{})
	s := serve(t, home, func(s *Server) {
		s.Handle = func(ctx context.Context, b []byte) ([]byte, error) {
			close(began)
			<-finish
			return b, ctx.Err()
		}
	})
	result := make(chan error, 1)
	c := client(t, home)
	go func() {
		_, err := c.Run(context.Background(), []byte(`1`))
		result <- err
	}()
	<-began
	require.NoError(t, client(t, home).Stop(t.Context()))
	close(finish)
	require.NoError(t, <-result)
	require.Equal(t, "it was asked to", <-s.why)
}

func TestConnectStartsOneBroker(t *testing.T) {
	home := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv("BROKER_SERVE", home)
	const n = 20
	type got struct {
		pid string
		err error
	}
	results := make(chan got, n)
	for range n {
		go func() {
			c, err := Connect(t.Context(), home, newer, self)
			if err != nil {
				results <- got{err: err}
				return
			}
			defer c.Close()
			b, err := c.Run(t.Context(), []byte(`1`))
			results <- got{string(b), err}
		}()
	}
	pids := map[string]bool{}
	for range n {
		r := <-results
		require.NoError(t, r.err)
		pids[r.pid] = true
	}
	require.Len(t, pids, 1)
	require.NoError(t, client(t, home).Stop(t.Context()))
}

func TestBrokersOfOtherBuilds(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	t.Run("an older one is replaced", func(t *testing.T) {
		home := t.TempDir()
		t.Setenv("BROKER_SERVE", home)
		s := serve(t, home, func(s *Server) { s.Build = older })
		_ = client(t, home)
		c, err := Connect(t.Context(), home, newer, self)
		require.NoError(t, err)
		defer c.Close()
		require.True(t, c.Hello.Same(newer))
		require.Equal(t, "it was asked to", <-s.why)
		require.NoError(t, client(t, home).Stop(t.Context()))
	})
	t.Run("a newer one stays", func(t *testing.T) {
		home := t.TempDir()
		serve(t, home, nil)
		_ = client(t, home)
		_, err := Connect(t.Context(), home, older, self)
		require.ErrorIs(t, err, ErrOlder)
		require.ErrorContains(t, err, "1.1.0")
		_ = client(t, home)
	})
}

func TestAProgramThatEndsAtOnceIsAnError(t *testing.T) {
	home := t.TempDir()
	_, err := Connect(t.Context(), home, newer, "/no/such/program")
	require.ErrorContains(t, err, "starting the broker")
}
