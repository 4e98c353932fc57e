package broker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/redact"
)

const (
	lockName  = "broker.lock"       // held by the broker
	startName = "broker-start.lock" // held by the one command that starts it
	logName   = "broker.log"
)

// startPatience is how long a started broker may take to answer.
const startPatience = 10 * time.Second

// ErrLost is the error of a command whose broker ended before it had answered: what was
// done of it is unknown.
var ErrLost = errors.New("the broker ended before it answered")

// ErrOlder is the error of a program that is older than the broker: the broker stays.
var ErrOlder = errors.New("the broker is of a newer refscopectl")

// Client is one connection to a broker, for one request.
type Client struct {
	Hello Hello

	conn  net.Conn
	r     *bufio.Reader
	token string
}

// Dial connects to the broker of a home folder, if one is there.
func Dial(ctx context.Context, home string) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, token, err := dial(ctx, home)
	if err != nil {
		return nil, fmt.Errorf("no broker answers: %w", err)
	}
	c := &Client{conn: conn, r: bufio.NewReader(conn), token: token}
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	if err := readLine(c.r, &c.Hello); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("the broker does not greet: %w", err)
	}
	_ = conn.SetReadDeadline(time.Time{})
	return c, nil
}

// Close leaves. A command that is in progress is cancelled by it.
func (c *Client) Close() error { return c.conn.Close() }

// Run sends a command and waits for its answer. When the context ends, the command
// is cancelled.
func (c *Client) Run(ctx context.Context, body []byte) ([]byte, error) {
	return c.do(ctx, request{Op: opRun, Body: body})
}

// Status asks how the broker is.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	b, err := c.do(ctx, request{Op: opStatus})
	if err != nil {
		return nil, err
	}
	st := &Status{}
	if err := json.Unmarshal(b, st); err != nil {
		return nil, fmt.Errorf("reading the broker's status: %w", err)
	}
	return st, nil
}

// Secrets returns the secrets that the broker's sessions have met, by session name. It is for
// a command that reads one of their tabs itself; they must not reach a disk.
func (c *Client) Secrets(ctx context.Context) (map[string]redact.Kept, error) {
	b, err := c.do(ctx, request{Op: opSecrets})
	if err != nil {
		return nil, err
	}
	var out map[string]redact.Kept
	if err := json.Unmarshal(b, &out); err != nil {
		return nil, errors.New("reading what the broker's sessions have met: it is not of this protocol")
	}
	return out, nil
}

// Learn tells the broker what sessions of this process have met, by their names: it answers those who come to their
// tabs when this process is gone, and before.
func (c *Client) Learn(ctx context.Context, kept map[string]redact.Kept) error {
	body, err := json.Marshal(kept)
	if err != nil {
		return fmt.Errorf("telling the broker what sessions have met: %w", err)
	}
	_, err = c.do(ctx, request{Op: opLearn, Body: body})
	return err
}

// Stop asks the broker to end once the commands in progress have.
func (c *Client) Stop(ctx context.Context) error {
	_, err := c.do(ctx, request{Op: opStop})
	return err
}

func (c *Client) do(ctx context.Context, q request) ([]byte, error) {
	defer context.AfterFunc(ctx, func() { _ = c.conn.Close() })()
	q.Token = c.token
	if err := writeLine(c.conn, q); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	var p reply
	if err := readLine(c.r, &p); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	if p.Error != "" {
		return p.Body, errors.New(p.Error)
	}
	return p.Body, nil
}

// Connect is Dial that starts the broker where none is there, by the program and
// arguments given, and replaces one of an older build. A newer one stays: [ErrOlder].
func Connect(ctx context.Context, home string, me Build, program string, args ...string) (*Client, error) {
	c, err := Dial(ctx, home)
	if err == nil && c.Hello.Same(me) {
		return c, nil
	}
	if err == nil && !me.Built.After(c.Hello.Built) {
		_ = c.Close()
		return nil, fmt.Errorf("%w (%s): run that one, or refscopectl browser close", ErrOlder, c.Hello.Version)
	}
	if err == nil {
		_ = c.Close()
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("making the home folder: %w", registry.Unwritable(err))
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	lock := flock.New(filepath.Join(home, startName))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, registry.Unwritable(err)
		}
		return nil, fmt.Errorf("waiting for another command to start the broker: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	// Another command may have done all this meanwhile.
	if c, err := Dial(ctx, home); err == nil {
		if c.Hello.Same(me) {
			return c, nil
		}
		if err := c.Stop(ctx); err != nil && !errors.Is(err, ErrLost) {
			_ = c.Close()
			return nil, fmt.Errorf("replacing the broker of an older refscopectl: %w", err)
		}
		_ = c.Close()
	}
	if err := vacant(ctx, home); err != nil {
		return nil, err
	}
	return start(ctx, home, program, args)
}

// vacant waits until no broker holds the home folder: one that was asked to end lets its
// commands finish.
func vacant(ctx context.Context, home string) error {
	l := flock.New(filepath.Join(home, lockName))
	if _, err := l.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("a broker that does not answer holds %s: %w", home, err)
	}
	return l.Unlock()
}

// start starts the program and waits until it answers.
func start(ctx context.Context, home, program string, args []string) (*Client, error) {
	log, err := os.OpenFile(filepath.Join(home, logName), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("starting the broker: %w", err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Stderr = log
	browser.Outlive(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the broker: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the broker, or with this program
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := Dial(ctx, home); err == nil {
			return c, nil
		}
		select {
		case <-tick.C:
		case err := <-ended:
			return nil, fmt.Errorf("the broker ended at once (%v): %s says why", err, log.Name())
		case <-ctx.Done():
			return nil, fmt.Errorf("the broker does not answer: %w: %s says why", ctx.Err(), log.Name())
		}
	}
}

// StatusOf asks the broker of a home folder; nil where none runs.
func StatusOf(ctx context.Context, home string) (*Status, error) {
	c, err := Dial(ctx, home)
	if err != nil {
		return nil, nil
	}
	defer c.Close()
	return c.Status(ctx)
}
