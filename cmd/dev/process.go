package main

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

// grace is the time between asking a child to end and killing it.
const grace = 5 * time.Second

// command is a child process in a group of its own: ending it ends its children.
// foreground leaves it in our group, for a program that asks at the terminal.
func command(ctx context.Context, dir string, foreground bool, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = grace
	if !foreground {
		ownGroup(cmd)
		cmd.Cancel = func() error { return endGroup(cmd, false) }
	}
	return cmd
}

// output runs a child to its end and returns both of its streams together, each
// line also going to line where that is given. The error carries the command.
func (d *dev) output(ctx context.Context, line func(string), env []string, name string, args ...string,
) (string, error) {
	cmd := command(ctx, d.root, false, name, args...)
	cmd.Env = append(os.Environ(), env...)
	all := &lines{each: line}
	cmd.Stdout, cmd.Stderr = all, all
	err := cmd.Run()
	_ = endGroup(cmd, true) // what the child left behind; nothing where it left nothing
	if ctx.Err() != nil {
		return all.text(), ctx.Err()
	}
	if err != nil {
		return all.text(), fmt.Errorf("%s: %w", short(name, args), err)
	}
	return all.text(), nil
}

// short is a command line for a message: long lists are cut.
func short(name string, args []string) string {
	text := name + " " + strings.Join(args, " ")
	if len(text) > 120 {
		text = text[:117] + "..."
	}
	return text
}

// lines collects what a child prints and passes on whole lines.
type lines struct {
	each func(string)

	mu   sync.Mutex
	all  bytes.Buffer
	part []byte
}

var _ io.Writer = (*lines)(nil)

func (l *lines) Write(p []byte) (int, error) {
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

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// child is a process that runs beside us until it ends or is ended.
type child struct {
	cmd  *exec.Cmd
	name string
	done chan struct{} // closed when it has ended
	err  error         // how, once done is closed
}

// launch starts cmd, which was made by command.
func launch(cmd *exec.Cmd, name string) (*child, error) {
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c := &child{cmd: cmd, name: name, done: make(chan struct{})}
	go func() { // ends with the process; end and the reader of done wait for it
		defer close(c.done)
		c.err = cmd.Wait()
	}()
	return c, nil
}

// end asks the process and its children to end, insists after the grace time, and
// returns when it is gone.
func (c *child) end() {
	_ = endGroup(c.cmd, false) // gone already is fine
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
	_ = endGroup(c.cmd, true)
	<-c.done
}
