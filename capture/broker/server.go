package broker

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/refscope/refscope/snapshot/redact"
)

// Idle is how long a broker waits for the next command before it ends.
const Idle = 30 * time.Minute

// lastWord is how long a client that was greeted may take to ask once the broker ends.
const lastWord = 500 * time.Millisecond

// ErrRunning is the error of a server whose home folder has a broker already.
var ErrRunning = errors.New("a broker is running already")

// Server is the broker. Its fields are set before Serve.
type Server struct {
	Home  string
	Build Build
	Idle  time.Duration // 0 means [Idle]
	// Handle does what a request asks for. Its context ends when the client goes away.
	// It is called by several goroutines at once.
	Handle func(ctx context.Context, body []byte) ([]byte, error)
	// Holds is the number of connected browsers and of kept tabs. Lost is called when a
	// browser is gone: a broker that had one and has none left is useless.
	Holds func() (browsers, tabs int)
	Lost  <-chan struct{}
	// Secrets is what the sessions have met, by their names. Commands that read their tabs by
	// themselves ask for it; it goes over the socket and nowhere else.
	Secrets func() map[string]redact.Kept
	// Learn remembers what another process has met in sessions, by their names.
	Learn func(map[string]redact.Kept)
	Log   *slog.Logger // nil discards

	started time.Time

	mu     sync.Mutex
	busy   int               // connections in progress
	silent map[net.Conn]bool // those that have not requested anything yet
	served int
	last   time.Time // end of the last command
	ending bool
	end    chan struct{} // closed by the first reason to end
	why    string
}

// Serve listens until there is a reason to end, waits for the commands in progress, and
// returns the reason. Its error is [ErrRunning], or one of the listener.
func (s *Server) Serve(ctx context.Context) (why string, err error) {
	if s.Idle <= 0 {
		s.Idle = Idle
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(s.Home, 0o700); err != nil {
		return "", fmt.Errorf("making the home folder: %w", err)
	}
	lock := flock.New(filepath.Join(s.Home, lockName))
	switch got, err := lock.TryLock(); {
	case err != nil:
		return "", fmt.Errorf("locking the home folder: %w", err)
	case !got:
		return "", ErrRunning
	}
	defer func() { _ = lock.Unlock() }()
	l, token, remove, err := listen(s.Home)
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	s.started, s.last, s.end, s.silent = time.Now(), time.Now(), make(chan struct{}), map[net.Conn]bool{}
	run, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { s.accept(run, l, token, &work) })
	work.Go(func() { s.watch(run) })
	<-s.end
	remove() // first, so that no client connects to a broker that ends
	_ = l.Close()
	// A command in progress may finish; a program that is ordered to quit is cancelled.
	if ctx.Err() != nil {
		cancel()
	}
	s.drain(ctx)
	cancel()
	work.Wait()
	return s.why, nil
}

// stop sets the reason to end; the first counts.
func (s *Server) stop(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopLocked(why)
}

func (s *Server) stopLocked(why string) {
	if s.ending {
		return
	}
	s.ending, s.why = true, why
	for c := range s.silent {
		_ = c.SetReadDeadline(time.Now().Add(lastWord))
	}
	close(s.end)
}

// drain waits for the commands in progress, as long as the context allows.
func (s *Server) drain(ctx context.Context) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		s.mu.Lock()
		busy := s.busy
		s.mu.Unlock()
		if busy == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// watch looks for reasons to end.
func (s *Server) watch(ctx context.Context) {
	idle := time.NewTimer(s.Idle)
	defer idle.Stop()
	for {
		select {
		case <-s.end:
			return
		case <-ctx.Done():
			s.stop("it was asked to")
			return
		case <-s.Lost:
			s.mu.Lock()
			s.useless()
			s.mu.Unlock()
		case <-idle.C:
			s.mu.Lock()
			left := s.Idle - time.Since(s.last)
			if s.busy > 0 {
				left = s.Idle
			}
			if left <= 0 {
				s.stopLocked("no command came for " + s.Idle.String())
			}
			s.mu.Unlock()
			idle.Reset(max(left, time.Millisecond))
		}
	}
}

// useless ends a broker that holds no browser and does nothing; mu is held.
func (s *Server) useless() {
	if s.busy > 0 || s.served == 0 {
		return
	}
	if browsers, _ := s.Holds(); browsers == 0 {
		s.stopLocked("it holds no browser any more")
	}
}

func (s *Server) accept(ctx context.Context, l net.Listener, token string, work *sync.WaitGroup) {
	for {
		c, err := l.Accept()
		if err != nil {
			s.stop("it cannot listen any more: " + err.Error())
			return
		}
		s.mu.Lock()
		if s.ending {
			s.mu.Unlock()
			_ = c.Close()
			continue
		}
		s.busy++
		s.silent[c] = true
		// A silent client delays nobody.
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		hello := Hello{s.Build, os.Getpid(), s.started, s.busy - 1}
		s.mu.Unlock()
		work.Go(func() { s.serve(ctx, c, token, hello) })
	}
}

// serve is one connection.
func (s *Server) serve(ctx context.Context, c net.Conn, token string, hello Hello) {
	ran := false
	defer func() {
		_ = c.Close()
		s.mu.Lock()
		s.busy--
		if ran {
			s.last = time.Now()
			s.useless()
		}
		s.mu.Unlock()
	}()
	r := bufio.NewReader(c)
	var q request
	err := writeLine(c, hello)
	if err == nil {
		err = readLine(r, &q)
	}
	s.mu.Lock()
	delete(s.silent, c)
	s.mu.Unlock()
	if err != nil {
		return // the client has read the greeting and left
	}
	_ = c.SetDeadline(time.Time{})
	if subtle.ConstantTimeCompare([]byte(q.Token), []byte(token)) != 1 {
		_ = writeLine(c, reply{Error: "the token is wrong"})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	gone := make(chan struct{})
	go func() { // ends with the connection, which the deferred Close ends
		defer close(gone)
		_, _ = r.ReadByte() // no more input follows: this is the end
		cancel()
	}()
	var reply reply
	switch q.Op {
	case opRun:
		ran = true
		body, err := s.Handle(ctx, q.Body)
		s.mu.Lock()
		s.served++ // before the reply: a client that has it finds it counted
		s.mu.Unlock()
		reply.Body = body
		if err != nil {
			reply.Error = err.Error()
		}
	case opStatus:
		reply.write(s.status(hello))
	case opSecrets:
		reply.write(s.Secrets())
	case opLearn:
		var kept map[string]redact.Kept
		if json.Unmarshal(q.Body, &kept) == nil {
			s.Learn(kept)
		} else {
			reply.Error = "what sessions have met: it is not of this protocol"
		}
	case opStop:
		s.Log.Info("asked to end")
	default:
		reply.Error = fmt.Sprintf("unknown operation %.40q", q.Op)
	}
	if err := writeLine(c, reply); err != nil {
		s.Log.Debug("the client is gone", "error", err)
	}
	if q.Op == opStop {
		s.stop("it was asked to")
	}
	_ = c.Close()
	<-gone
}

// write makes a value the reply.
func (r *reply) write(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		r.Error = err.Error()
	}
	r.Body = b
}

func (s *Server) status(h Hello) Status {
	browsers, tabs := s.Holds()
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{Hello: h, Served: s.served, Browsers: browsers, Tabs: tabs, Idle: time.Since(s.last), IdleEnd: s.Idle}
}
