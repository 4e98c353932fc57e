package mcp

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/refscope/refscope/capture/tap/launch"
	"github.com/refscope/refscope/snapshot/text"
)

// Stdio is a server that is run behind these streams.
type Stdio struct {
	Argv     []string
	Env      []string  // further variables of the server, as NAME=VALUE
	In       io.Reader // what the client writes
	Out, Err io.Writer // what the client reads, and where the server's remarks go
	Recorder *Recorder
	Started  func(pid int) // is called with the server's process id; nil for nobody
}

// copySize is how much is passed on at a time, at most, bytes.
const copySize = 256 << 10

// way is which way bytes went.
type way bool

const (
	sent     way = false // by the client
	received way = true  // by the client
)

// piece is a copy of bytes that passed.
type piece struct {
	way   way
	bytes []byte
}

// feed takes copies of what passes to whoever records, in its order, so that passing on waits for nobody.
type feed struct {
	mu     sync.Mutex
	more   sync.Cond
	pieces []piece
	size   int
	ended  bool
	lost   int64 // bytes for which there was no room
}

// maxFeed is how many bytes wait to be recorded at most.
const maxFeed = 512 << 20

func newFeed() *feed {
	f := &feed{}
	f.more.L = &f.mu
	return f
}

// put takes a copy of p.
func (f *feed) put(w way, p []byte) {
	copied := bytes.Clone(p)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended || f.size+len(p) > maxFeed {
		f.lost += int64(len(p))
		return
	}
	f.pieces, f.size = append(f.pieces, piece{w, copied}), f.size+len(p)
	f.more.Signal()
}

// end says that nothing comes any more.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.more.Signal()
}

// each calls take with what comes, until the end.
func (f *feed) each(take func(p piece)) {
	for {
		f.mu.Lock()
		for len(f.pieces) == 0 && !f.ended {
			f.more.Wait()
		}
		pieces := f.pieces
		f.pieces, f.size = nil, 0
		f.mu.Unlock()
		if len(pieces) == 0 {
			return
		}
		for _, p := range pieces {
			take(p)
		}
	}
}

// Run runs the server until it ends, and returns its exit code, 128 and the signal where one ended it. What the client
// writes is passed on as it comes, and its end; signals that this process gets are the server's too.
func (s Stdio) Run() (int, error) {
	// The server ends with this program, also where that is killed.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	defer signal.Stop(signals)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE) // a client that is gone is an error of writing, and no end of this program
	defer signal.Stop(pipes)

	c := exec.Command(s.Argv[0], s.Argv[1:]...) // it ends by itself, by the signals that it gets, or with this program
	c.Stderr, c.WaitDelay = s.Err, drain
	c.Env = append(os.Environ(), s.Env...)
	stdin, err := c.StdinPipe()
	if err != nil {
		return 0, err
	}
	output, outputEnd, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer output.Close()
	c.Stdout = outputEnd
	untie, err := launch.StartTied(c)
	_ = outputEnd.Close()
	if err != nil {
		return 0, fmt.Errorf("starting %s: %w", s.Argv[0], err)
	}
	defer untie()
	if s.Started != nil {
		s.Started(c.Process.Pid)
	}
	copies := newFeed()
	var recording sync.WaitGroup
	recording.Go(func() { s.record(copies) })
	go func() { // ends with the client, or with this program
		pass(stdin, s.In, func(p []byte) { copies.put(sent, p) })
		_ = stdin.Close()
		if in, ok := s.In.(io.Closer); ok { // where the server reads no more, the client is to notice it
			_ = in.Close()
		}
	}()
	passed := make(chan struct{})
	go func() { // ends when the output is closed
		defer close(passed)
		pass(s.Out, output, func(p []byte) { copies.put(received, p) })
		_ = output.Close() // where the client is gone, the server is to notice it as it would without us
	}()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // ends with the server
	var code int
	for running := true; running; {
		select {
		case sig := <-signals:
			_ = c.Process.Signal(sig) // a server that has ended needs none
		case err = <-ended:
			code, err = launch.ExitCode(err)
			running = false
		}
	}
	select { // what it has left behind may hold its output open
	case <-passed:
	case <-time.After(drain):
		_ = output.Close()
		<-passed
	}
	copies.end() // what the client writes from now on nobody reads
	recording.Wait()
	if copies.lost > 0 {
		s.Recorder.o.Log.Warn("not all that passed was recorded: it came too fast", "bytes", copies.lost)
	}
	why := fmt.Sprintf("the server ended with exit status %d before it answered", code)
	if err != nil {
		why = "the server ended before it answered: " + text.Line(err.Error())
	}
	s.Recorder.End(why)
	return code, err
}

// drain is how long the output of a server that has ended is still read.
const drain = 2 * time.Second

// record gives the lines of what passes to the recorder.
func (s Stdio) record(copies *feed) {
	var to, from lines
	client := func(line, tail []byte, size int) { s.Recorder.Client("", line, tail, size) }
	server := func(line, tail []byte, size int) { s.Recorder.Server("", line, tail, size) }
	copies.each(func(p piece) {
		if p.way == sent {
			to.add(p.bytes, client)
		} else {
			from.add(p.bytes, server)
		}
	})
	to.end(client)
	from.end(server)
}

// pass writes what it reads, at once, until there is no more or nobody takes it, and gives a copy of it before.
func pass(to io.Writer, from io.Reader, taken func(p []byte)) {
	buffer := make([]byte, copySize)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			taken(buffer[:n])
			if _, failed := to.Write(buffer[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
