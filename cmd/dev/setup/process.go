package setup

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Grace is the time between asking a child to end and killing it.
const Grace = 5 * time.Second

// Command is a child process in a group of its own: ending it ends its children.
// foreground leaves it in our group, for a program that asks at the terminal.
func Command(ctx context.Context, dir string, foreground bool, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = Grace
	if !foreground {
		ownGroup(cmd)
		cmd.Cancel = func() error { return EndGroup(cmd, false) }
	}
	return cmd
}

// Output runs a child to its end and returns both of its streams together, each
// line also going to line where that is given. The error carries the command.
func (d *Dev) Output(ctx context.Context, line func(string), env []string, name string, args ...string,
) (string, error) {
	cmd := Command(ctx, d.Root, false, name, args...)
	cmd.Env = append(os.Environ(), env...)
	all := &Lines{each: line}
	cmd.Stdout, cmd.Stderr = all, all
	err := cmd.Run()
	_ = EndGroup(cmd, true) // what the child left behind; nothing where it left nothing
	if ctx.Err() != nil {
		return all.Text(), ctx.Err()
	}
	if err != nil {
		return all.Text(), fmt.Errorf("%s: %w", Short(name, args), err)
	}
	return all.Text(), nil
}

// Short is a command line for a message: long lists are cut.
func Short(name string, args []string) string {
	text := name + " " + strings.Join(args, " ")
	if len(text) > 120 {
		text = text[:117] + "..."
	}
	return text
}

// Lines collects what a child prints and passes on whole lines.
type Lines struct {
	each func(string)

	mu   sync.Mutex
	all  bytes.Buffer
	part []byte
}

var _ io.Writer = (*Lines)(nil)

// Write passes whole lines on.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Write(p)
	if l.each == nil {
		return len(p), nil
	}
	l.part = append(l.part, p...)
	for {
		i := bytes.IndexByte(l.part, '\n')
		if i < 0 {
			return len(p), nil
		}
		l.each(strings.TrimRight(string(l.part[:i]), "\r"))
		l.part = l.part[i+1:]
	}
}

// Text is all that was printed.
func (l *Lines) Text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// Child is a process that runs beside us until it ends or is ended.
type Child struct {
	Cmd  *exec.Cmd
	name string
	Done chan struct{} // closed when it has ended
	err  error         // how, once done is closed
}

// Launch starts cmd, which was made by command.
func Launch(cmd *exec.Cmd, name string) (*Child, error) {
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c := &Child{Cmd: cmd, name: name, Done: make(chan struct{})}
	go func() { // ends with the process; end and the reader of done wait for it
		defer close(c.Done)
		c.err = cmd.Wait()
	}()
	return c, nil
}

// End asks the process and its children to end, insists after the grace time, and
// returns when it is gone.
func (c *Child) End() {
	_ = EndGroup(c.Cmd, false) // gone already is fine
	timer := time.NewTimer(Grace)
	defer timer.Stop()
	select {
	case <-c.Done:
	case <-timer.C:
	}
	_ = EndGroup(c.Cmd, true)
	<-c.Done
}
