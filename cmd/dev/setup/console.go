package setup

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// quietFor is how long a log that is no terminal stays without a sign of life during
// long work.
const quietFor = 20 * time.Second

// Console is the terminal, or the log of a CI run. On a terminal the state of long
// work is one line that rewrites itself; in a log it is a line now and then.
type Console struct {
	mu     sync.Mutex
	out    io.Writer
	in     *bufio.Reader
	tty    bool // the output is a terminal
	person bool // somebody can answer a question
	shown  bool // a status line is there
	last   time.Time
}

// NewConsole is one of these streams; somebody can answer where both are a terminal.
func NewConsole(out io.Writer, in io.Reader) *Console {
	return &Console{
		out: out, in: bufio.NewReader(in),
		tty: terminal(out) && os.Getenv("TERM") != "dumb", person: terminal(in) && terminal(out),
		last: time.Now(),
	}
}

func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// Say prints a line.
func (c *Console) Say(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	_, _ = fmt.Fprintf(c.out, format+"\n", args...) // nothing to do if the terminal is gone
	c.last = time.Now()
}

// Status shows how far long work is.
func (c *Console) Status(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := strings.Map(printable, fmt.Sprintf(format, args...))
	if c.tty {
		if r := []rune(text); len(r) > 78 {
			text = string(r[:77]) + "…"
		}
		_, _ = fmt.Fprintf(c.out, "\r\x1b[2K%s", text)
		c.shown = true
		return
	}
	if time.Since(c.last) >= quietFor {
		c.last = time.Now()
		_, _ = fmt.Fprintln(c.out, text)
	}
}

// clear takes the status line away; the caller holds the lock.
func (c *Console) clear() {
	if c.shown {
		_, _ = fmt.Fprint(c.out, "\r\x1b[2K")
		c.shown = false
	}
}

// ask puts a question that Enter answers with yes.
func (c *Console) ask(question string) bool {
	c.mu.Lock()
	c.clear()
	_, _ = fmt.Fprintf(c.out, "%s [Y/n] ", question)
	c.mu.Unlock()
	line, err := c.in.ReadString('\n')
	if err != nil {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "", "y", "yes":
		return true
	}
	return false
}

// printable keeps what a tool prints from steering the terminal.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
		return -1
	}
	return r
}

// Seconds spells a duration for people.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	if d < 2*time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
}
