// Package harden attacks refscopectl as a hostile world would: pages that never end, programs that are killed while
// they write, disks that are full, files that lie, callers that send nonsense. What must hold is the same everywhere:
// a command ends in time with exit status 0, 1 or 2 and a sentence, never with a stack trace; what was there before is
// whole; the next command works; nothing of it is left running.
//
// Start with [Run], which performs all attacks until its time is over, or each short one once. An attack is decided by
// its seed alone, so a failure that is printed with its seed can be repeated.
package harden

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// errUnable is the error of an attack that this machine does not allow; it counts as not tried.
var errUnable = errors.New("not possible here")

// trial is one kind of attack. Try performs it once; nil means that it was withstood.
type trial struct {
	Name, What string
	Short      bool // it is one of the short version, which every test runs
	Try        func(ctx context.Context, b *bench, r *rand.Rand) error
}

// bench is where the attacks happen: the program, the repository and a temporary folder with a recorded session.
type bench struct {
	Program, Root, Dir string
	Short              bool   // small pages, short times
	session            string // a recorded session of one turn
	profiles           string // $TMPDIR of the programs, so that what they leave there can be seen
}

// Row is how often a trial was performed and with what result.
type Row struct {
	Name, What    string
	Tried, Failed int
	Took          time.Duration
	First         string // the first failure, with its seed
	Unable        string // why it could not be tried
}

// Options are what [Run] is to do.
type Options struct {
	Program string        // the refscopectl to attack
	Root    string        // the repository
	For     time.Duration // 0 for the short version
	Seed    uint64
	Only    string // names of trials, with commas between; "" for all
	Say     func(format string, args ...any)
}

// Run performs the trials in turns until the time is over; the one in progress comes to its end. Without a time it
// performs each of the short version once.
func Run(ctx context.Context, o Options) ([]Row, error) {
	dir, err := os.MkdirTemp("", "rsh") // short: the paths of sockets are limited
	if err != nil {
		return nil, fmt.Errorf("harden: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a stray temporary folder does no harm
	b := &bench{Program: o.Program, Root: o.Root, Dir: dir, Short: o.For == 0, profiles: filepath.Join(dir, "t")}
	if err := b.record(ctx); err != nil {
		return nil, err
	}
	defer b.sweep()
	var trials []trial
	for _, t := range allTrials(o.For) {
		if chosen(o.Only, t.Name) && (t.Short || o.For > 0) {
			trials = append(trials, t)
		}
	}
	if len(trials) == 0 {
		return nil, fmt.Errorf("harden: there is no trial %q", o.Only)
	}
	rows := make([]Row, len(trials))
	begin := time.Now()
	for round := uint64(0); round == 0 || time.Since(begin) < o.For; round++ {
		for i, t := range trials {
			row := &rows[i]
			row.Name, row.What = t.Name, t.What
			if row.Unable != "" || round > 0 && time.Since(begin) >= o.For {
				continue
			}
			seed := o.Seed + round
			o.Say("%s: seed %d", t.Name, seed)
			at := time.Now()
			err := t.Try(ctx, b, rand.New(rand.NewPCG(seed, uint64(i))))
			row.Took += time.Since(at)
			switch {
			case ctx.Err() != nil:
				return rows, ctx.Err()
			case errors.Is(err, errUnable):
				row.Unable = err.Error()
				continue
			case err != nil:
				row.Failed++
				if row.First == "" {
					row.First = fmt.Sprintf("seed %d: %v", seed, err)
				}
			}
			row.Tried++
		}
	}
	return rows, nil
}

func chosen(only, name string) bool {
	if only == "" {
		return true
	}
	for want := range strings.SplitSeq(only, ",") {
		if want == name || strings.HasSuffix(want, "*") && strings.HasPrefix(name, strings.TrimSuffix(want, "*")) {
			return true
		}
	}
	return false
}

// Table is the result for people.
func Table(rows []Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %6s %7s %8s  %s\n", "attack", "tried", "failed", "time", "what")
	tried, failed := 0, 0
	for _, r := range rows {
		tried, failed = tried+r.Tried, failed+r.Failed
		what := r.What
		if r.Unable != "" {
			what += " (" + r.Unable + ")"
		}
		fmt.Fprintf(&b, "%-22s %6d %7d %7.0fs  %s\n", r.Name, r.Tried, r.Failed, r.Took.Seconds(), what)
	}
	fmt.Fprintf(&b, "%-22s %6d %7d\n", "", tried, failed)
	for _, r := range rows {
		if r.First != "" {
			fmt.Fprintf(&b, "\n%s: %s\n", r.Name, r.First)
		}
	}
	return b.String()
}

// record makes the session that the attacks on recorded turns use.
func (b *bench) record(ctx context.Context) error {
	if err := os.MkdirAll(b.profiles, 0o700); err != nil {
		return err
	}
	b.session = filepath.Join(b.Dir, "recorded")
	page := filepath.Join(b.Root, "assets", "demo", "index.html")
	if r := b.run(ctx, time.Minute, nil, "turn", page, "--no-broker", "-o", b.session); r.fault(0) != nil {
		return fmt.Errorf("harden: record a session to attack: %w", r.fault(0))
	}
	return nil
}

// home makes an empty home folder.
func (b *bench) home() (string, error) { return os.MkdirTemp(b.Dir, "h") }

// result is how a command ended.
type result struct {
	args        []string
	code        int // -1 where it was killed or did not end
	out, stderr []byte
	took        time.Duration
	late        bool // it was ended because its time was over
}

// command is a call of refscopectl with a home folder of its own.
func (b *bench) command(ctx context.Context, home string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, b.Program, append([]string{"--quiet"}, args...)...)
	c.Dir = b.Dir
	c.Env = append(os.Environ(), "REFSCOPE_HOME="+home, "TMPDIR="+b.profiles, "NO_COLOR=1")
	c.WaitDelay = 2 * time.Second
	return c
}

// run performs a command; one that has not ended after its time is killed, which is a fault.
func (b *bench) run(ctx context.Context, limit time.Duration, stdin []byte, args ...string) result {
	home, err := b.home()
	if err != nil {
		return result{args: args, code: -1, stderr: []byte(err.Error())}
	}
	return b.runIn(ctx, home, limit, stdin, args...)
}

func (b *bench) runIn(ctx context.Context, home string, limit time.Duration, stdin []byte, args ...string) result {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := b.command(ctx, home, args...)
	c.Stdin = bytes.NewReader(stdin)
	var out, stderr bytes.Buffer
	c.Stdout, c.Stderr = &out, &stderr
	begin := time.Now()
	err := c.Run()
	r := result{args: args, code: c.ProcessState.ExitCode(), out: out.Bytes(), stderr: stderr.Bytes(),
		took: time.Since(begin), late: ctx.Err() != nil}
	if c.ProcessState == nil && err != nil {
		r.code, r.stderr = -1, []byte(err.Error())
	}
	return r
}

var trace = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ \[|SIG[A-Z]+: )`)

// fault is what is wrong with the end of a command: a stack trace, another exit status than the permitted ones, a
// failure without a sentence, no end in time, bytes that are no text.
func (r result) fault(permitted ...int) error {
	call := strings.Join(r.args, " ")
	if len(call) > 160 {
		call = call[:160] + "…"
	}
	said := string(r.stderr)
	if len(said) > 600 {
		said = said[:600] + "…"
	}
	switch {
	case trace.Match(r.stderr) || trace.Match(r.out):
		return fmt.Errorf("%s: a stack trace: %s%s", call, said, first(r.out, 600))
	case r.late:
		return fmt.Errorf("%s: no end after %.0f s: %s", call, r.took.Seconds(), said)
	case !utf8.Valid(r.stderr):
		return fmt.Errorf("%s: the error is no UTF-8: %q", call, said)
	case bytes.ContainsRune(r.stderr, 0x1b):
		return fmt.Errorf("%s: the error steers the terminal: %q", call, said)
	}
	for _, code := range permitted {
		if r.code != code {
			continue
		}
		if code == 1 && len(bytes.TrimSpace(r.stderr)) == 0 && len(bytes.TrimSpace(r.out)) == 0 {
			return fmt.Errorf("%s: it fails without a word", call)
		}
		return nil
	}
	return fmt.Errorf("%s: exit status %d: %s", call, r.code, said)
}

func first(b []byte, n int) string { return string(b[:min(n, len(b))]) }

// sweep ends what the attacks have left running: programs whose environment names this bench's folder. There are such
// after a kill only, and it is known to /proc, so to Linux.
func (b *bench) sweep() {
	for _, pid := range b.running() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // gone already is fine
		}
	}
}

// running are the processes that were started by the bench and run still, this one not among them.
func (b *bench) running() []int {
	var pids []int
	entries, _ := os.ReadDir("/proc") // elsewhere there is none
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscanf(e.Name(), "%d", &pid); err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(env, []byte("TMPDIR="+b.profiles)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// copySession copies the recorded session, so that an attack has one of its own.
func (b *bench) copySession(to string) error {
	return filepath.WalkDir(b.session, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		short, err := filepath.Rel(b.session, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, short), 0o700)
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, short), body, 0o600)
	})
}
