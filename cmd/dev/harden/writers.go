package harden

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// writer is a command that writes. The words {S}, {T}, {O} and {P} of its call are a session, its first turn, the file
// that it writes, and a page.
type writer struct {
	name   string
	call   []string
	chrome bool                 // it starts a browser
	whole  func(b []byte) error // what the file must be where it is there; nil for one without a file
}

func ends(with string) func([]byte) error {
	return func(b []byte) error {
		if !bytes.HasSuffix(bytes.TrimSpace(b), []byte(with)) {
			return fmt.Errorf("its last bytes are %q, not %q", b[max(0, len(b)-20):], with)
		}
		return nil
	}
}

func picture(b []byte) error { _, err := png.Decode(bytes.NewReader(b)); return err }

func writers() []writer {
	return []writer{
		{"turn", []string{"turn", "{P}", "--no-broker", "-o", "{S}"}, true, nil},
		{"note", []string{"session", "note", "{T}", "a note"}, false, nil},
		{"export", []string{"session", "export", "{S}", "-o", "{O}.refscope"}, false, nil},
		{"report", []string{"session", "report", "{S}", "-o", "{O}.html"}, false, ends("</html>")},
		{"mark", []string{"mark", "{T}", "-o", "{O}.png"}, false, picture},
		{"audit", []string{"audit", "{T}", "--sarif", "-o", "{O}.sarif"}, false, ends("}")},
		{"golden", []string{"golden", "accept", "{O}", "{P}", "--no-broker"}, true, nil},
	}
}

// with puts a folder's session and file into the call.
func (w writer) with(b *bench, dir string) (call []string, file string) {
	session := filepath.Join(dir, "s")
	put := strings.NewReplacer("{S}", session, "{T}", filepath.Join(session, "turns", "0001"), "{O}",
		filepath.Join(dir, "o"),
		"{P}", filepath.Join(b.Root, "assets", "demo", "index.html"))
	for _, word := range w.call {
		word = put.Replace(word)
		if strings.HasPrefix(filepath.Base(word), "o.") {
			file = word
		}
		call = append(call, word)
	}
	return call, file
}

// intact checks what a writer that did not come to its end has left: the session is whole, the file is whole or absent.
func (w writer) intact(ctx context.Context, b *bench, dir, file string) error {
	session := filepath.Join(dir, "s")
	check := b.run(ctx, time.Minute, nil, "session", "check", session)
	if err := check.fault(0); err != nil {
		return fmt.Errorf("the session is damaged: %w", err)
	}
	body, err := os.ReadFile(file)
	if file == "" || os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if w.whole != nil {
		if err := w.whole(body); err != nil {
			return fmt.Errorf("%s is half written: %w", filepath.Base(file), err)
		}
	}
	if strings.HasSuffix(file, ".refscope") {
		if err := b.run(ctx, time.Minute, nil, "session", "import", file).fault(0); err != nil {
			return fmt.Errorf("%s is half written: %w", filepath.Base(file), err)
		}
	}
	return nil
}

// tryKill ends a writer by SIGKILL at some moment, checks what is there, and lets it run to its end.
func tryKill(w writer) func(context.Context, *bench, *rand.Rand) error {
	return func(ctx context.Context, b *bench, r *rand.Rand) error {
		dir, err := os.MkdirTemp(b.Dir, "k")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a stray temporary folder does no harm
		if err := b.copySession(filepath.Join(dir, "s")); err != nil {
			return err
		}
		call, file := w.with(b, dir)
		home, err := b.home()
		if err != nil {
			return err
		}
		longest := 60 * time.Millisecond
		if w.chrome {
			longest = 4 * time.Second
		}
		rounds := 10
		if w.chrome || b.Short {
			rounds = 2
		}
		for range rounds {
			c := b.command(ctx, home, call...)
			if err := c.Start(); err != nil {
				return err
			}
			kill := time.AfterFunc(time.Duration(r.Int64N(int64(longest))), func() { _ = c.Process.Kill() })
			_ = c.Wait() // that it was killed is what is wanted
			kill.Stop()
			if err := w.intact(ctx, b, dir, file); err != nil {
				return fmt.Errorf("killed: %w", err)
			}
		}
		if w.chrome {
			if err := b.aged(ctx, home); err != nil {
				return err
			}
		}
		if err := b.runIn(ctx, home, 2*time.Minute, nil, call...).fault(0); err != nil {
			return fmt.Errorf("after a kill: %w", err)
		}
		return w.intact(ctx, b, dir, file)
	}
}

// aged makes the browsers' profiles of killed commands old, as they are when the next command comes a minute later,
// and checks that this one removes them, and that no browser outlived its command.
func (b *bench) aged(ctx context.Context, home string) error {
	deadline := time.Now().Add(20 * time.Second)
	for len(b.running()) > 0 && time.Now().Before(deadline) {
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	if left := b.running(); len(left) > 0 {
		defer b.sweep()
		return fmt.Errorf("%d processes outlive the command that was killed: %v", len(left), left)
	}
	profiles, _ := filepath.Glob(filepath.Join(b.profiles, "refscope-chrome-*")) // the pattern is right
	for _, dir := range profiles {
		if err := os.Chtimes(dir, time.Time{}, time.Now().Add(-2*time.Minute)); err != nil {
			return err
		}
	}
	page := filepath.Join(b.Root, "assets", "demo", "orders.html")
	if err := b.runIn(ctx, home, time.Minute, nil, "snap", page, "--no-broker").fault(0); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(b.profiles, "*"))
	left = slices.DeleteFunc(left, func(path string) bool { // this user's own, for files that answers of run name
		return regexp.MustCompile(`^refscope-\d+$`).MatchString(filepath.Base(path))
	})
	if len(left) > 0 {
		return fmt.Errorf("the next command left %d of %d folders of killed ones: %v", len(left), len(profiles), left)
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tryFull lets a writer write to a disk with little space: it fails with a sentence, and what was there is whole.
func tryFull(w writer) func(context.Context, *bench, *rand.Rand) error {
	return func(ctx context.Context, b *bench, r *rand.Rand) error {
		disk, err := os.MkdirTemp(b.Dir, "d")
		if err != nil {
			return err
		}
		if out, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs",
			disk).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: a small disk needs root: %s", errUnable, bytes.TrimSpace(out))
		}
		defer func() { _ = exec.Command("umount", disk).Run() }() // the folder stays then, which does no harm
		if err := b.copySession(filepath.Join(disk, "s")); err != nil {
			return err
		}
		call, file := w.with(b, disk)
		free := r.IntN(300 << 10)
		if err := fill(filepath.Join(disk, "ballast"), free); err != nil {
			return err
		}
		home := filepath.Join(disk, "h")
		if err := b.runIn(ctx, home, 2*time.Minute, nil, call...).fault(0, 1); err != nil {
			return fmt.Errorf("with %d bytes free: %w", free, err)
		}
		if err := w.intact(ctx, b, disk, file); err != nil {
			return fmt.Errorf("with %d bytes free: %w", free, err)
		}
		if err := os.Remove(filepath.Join(disk, "ballast")); err != nil {
			return err
		}
		if err := b.runIn(ctx, home, 2*time.Minute, nil, call...).fault(0); err != nil {
			return fmt.Errorf("with space again: %w", err)
		}
		return nil
	}
}

// fill writes a file until the disk is full, and cuts it so that about so many bytes are free.
func fill(path string, free int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	block := make([]byte, 4096)
	size := int64(0)
	for {
		n, err := f.Write(block)
		size += int64(n)
		if err != nil {
			break // it is full
		}
	}
	if err := f.Truncate(max(0, size-int64(free))); err != nil {
		return err
	}
	return f.Close()
}
