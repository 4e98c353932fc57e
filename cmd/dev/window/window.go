package window

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// Stage opens the real window on a display in memory, with a real browser, and
// does what a person does first: capture the demo page, click a box, see that the box
// lights up and its line is the selected one; then close the window, open it again,
// and find the turns there. It waits for events in the window's trace and then looks
// at the screen, so it has no sleep in it. What it saw stays in out/: window.png,
// window-before.png, window-trace.jsonl.
func Stage(ctx context.Context, t *setup.Test) (output string, err error) {
	if t.Machine.GOOS != "linux" {
		return "", fmt.Errorf("%w: it needs Xvfb, so Linux", setup.ErrSkipped)
	}
	if err := os.MkdirAll(t.Artifact(""), 0o755); err != nil {
		return "", fmt.Errorf("window test: %w", err)
	}
	program, err := t.BuildWindow(ctx)
	if err != nil {
		return "", err
	}
	home, err := os.MkdirTemp("", "refscope-window-")
	if err != nil {
		return "", fmt.Errorf("window test: %w", err)
	}
	defer func() { _ = os.RemoveAll(home) }() // a stray temporary folder does no harm

	// Larger than the window, so that the pointer has a place outside of it.
	size := image.Pt(1680, 1040)
	screen, err := openScreen(ctx, t, size)
	if err != nil {
		return "", err
	}
	defer screen.server.End()
	stop := t.Pulse(ctx, "the window is open on display "+screen.display)
	defer stop()
	turns := 0
	said, err := withWindow(ctx, t, screen, "window-trace.jsonl", program, home, func(w *window) (err error) {
		turns, err = clickThrough(ctx, t, screen, w, size)
		return err
	})
	if err != nil {
		return said, err
	}
	return withWindow(ctx, t, screen, "window-again-trace.jsonl", program, home, func(w *window) error {
		_, err := w.trace.await(ctx, fmt.Sprintf("the %d turns of the window before", turns), 60*time.Second,
			func(s windowState) bool {
				return s.Session == "ready" && s.Turns >= turns
			})
		return err
	})
}

// withWindow opens the window, with further arguments, passes it on and closes it. On failure it returns the
// program's output.
func withWindow(ctx context.Context, t *setup.Test, screen *screen, trace, program, home string,
	do func(*window) error, args ...string) (said string, err error) {
	w, err := openWindow(ctx, t, screen, trace, program, home, args...)
	if err != nil {
		return "", err
	}
	err = do(w)
	w.close()
	if err != nil {
		said = "what the window said:\n" + setup.Tail(w.said(), 30)
	}
	return said, err
}

// clickThrough captures, clicks and looks. It returns how many turns there are then.
func clickThrough(ctx context.Context, t *setup.Test, screen *screen, w *window, size image.Point) (turns int,
	err error) {
	away := size.Sub(image.Pt(4, 4))
	// Opening a page takes a turn of it.
	opened, err := w.trace.await(ctx, "the demo page", 90*time.Second, func(s windowState) bool {
		return s.Browser == "ready" && strings.HasPrefix(s.Tab, "http://127.0.0.1:") && s.Turn > 0 && s.Busy == ""
	})
	if err != nil {
		return 0, err
	}
	at, err := screen.origin(ctx, "^Refscope")
	if err != nil {
		return 0, err
	}
	if _, err := screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Refscope", "windowfocus", "--sync",
		"key", "ctrl+r"); err != nil {
		return 0, err
	}
	captured, err := w.trace.await(ctx, "a turn by Ctrl+R", 60*time.Second, func(s windowState) bool {
		return s.Turns > opened.Turns && s.Turn > opened.Turn && s.Busy == "" && len(s.Marks) > 0 && s.Chars > 0
	})
	if err != nil {
		return 0, err
	}
	if captured.Refs < 20 {
		return 0, fmt.Errorf("the capture of the demo page has %d refs, expected 20 and more", captured.Refs)
	}
	return captured.Turns, clickMark(ctx, t, screen, w, captured, at, away, "window")
}

// clickMark clicks a mark of the turn in view and looks whether its box lights up and its line is the selected one. The
// window begins at a place on the screen, and away is one outside of it. The screen stays in out/NAME-before.png and
// out/NAME.png.
func clickMark(ctx context.Context, t *setup.Test, screen *screen, w *window, captured windowState, at,
	away image.Point, name string) error {
	ref, box, err := clickable(captured, at)
	if err != nil {
		return err
	}
	if err := screen.point(ctx, away); err != nil {
		return err
	}
	before, err := settled(ctx, screen, t.Artifact(name+"-before.png"), func(p *image.RGBA) error {
		return errors.Join(busy(p, rectangle(captured.Picture, at)), busy(p, rectangle(captured.Text, at)))
	})
	if err != nil {
		return err
	}
	if err := screen.click(ctx, image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)); err != nil {
		return err
	}
	selected, err := w.trace.await(ctx, fmt.Sprintf("mark %d to be selected", ref), 20*time.Second,
		func(s windowState) bool { return s.Selected == ref })
	if err != nil {
		return err
	}
	if want := fmt.Sprintf("[%d]", ref); !strings.Contains(selected.LineText, want) {
		return fmt.Errorf("the click selected ref %d, but the selected line is %q", ref, selected.LineText)
	}
	// The pointer leaves, so that what lights up is the selection and not the hover.
	if err := screen.point(ctx, away); err != nil {
		return err
	}
	if _, err := w.trace.await(ctx, "nothing under the pointer", 20*time.Second,
		func(s windowState) bool { return s.Hover == 0 }); err != nil {
		return err
	}
	_, err = settled(ctx, screen, t.Artifact(name+".png"), func(after *image.RGBA) error {
		if share := outlined(before, after, box); share < 0.75 {
			return fmt.Errorf("ref %d at %v is selected, but a highlight runs along %.0f %% of its box only", ref, box,
				100*share)
		}
		if rows := newRows(before, after, rectangle(selected.Text, at)); len(rows) != 1 {
			return fmt.Errorf("the text pane shows %d newly highlighted rows, expected 1: %v", len(rows), rows)
		}
		return nil
	})
	return err
}

// clickable picks a mark to click: of a size that is easy to see, whole in the
// picture, and with nothing smaller at its middle.
func clickable(s windowState, window image.Point) (ref int, box image.Rectangle, err error) {
	pane := rectangle(s.Picture, window).Inset(12)
	for _, m := range s.Marks {
		box := rectangle(m.Rect, window)
		if !box.In(pane) || box.Dx() < 40 || box.Dy() < 16 || box.Dx() > pane.Dx()/2 || box.Dy() > 120 {
			continue
		}
		middle := image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)
		alone := true
		for _, o := range s.Marks {
			if o.Ref != m.Ref && middle.In(rectangle(o.Rect, window)) {
				alone = false
			}
		}
		if alone {
			return m.Ref, box, nil
		}
	}
	return 0, image.Rectangle{}, fmt.Errorf("none of the %d marks can be clicked", len(s.Marks))
}

// settled takes pictures of the screen until one is as it should be: the window
// reports its state in the trace at once, and draws it a frame or two later.
func settled(ctx context.Context, screen *screen, file string, good func(*image.RGBA) error) (*image.RGBA, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var fault error
	for {
		picture, err := screen.shoot(ctx, file)
		switch {
		case err != nil && ctx.Err() != nil && fault != nil:
			return nil, fault
		case err != nil:
			return nil, err
		}
		if fault = good(picture); fault == nil {
			return picture, nil
		}
		if ctx.Err() != nil {
			return nil, fault
		}
	}
}

// window is the running program with its trace.
type window struct {
	process *setup.Child
	trace   *follower
	log     *setup.Lines
	from    *os.File // the trace
	copy    *os.File // of the trace, for people
}

// openWindow starts the program on the screen; its trace comes on standard output.
func openWindow(ctx context.Context, t *setup.Test, screen *screen, trace, program, home string,
	args ...string) (*window, error) {
	cmd := setup.Command(ctx, t.Root, false, program, append([]string{"--home", home, "--trace"}, args...)...)
	cmd.Env = append(screen.env(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	return startWindow(t, trace, cmd)
}

// startWindow starts a command that opens the window and writes its trace to standard output. The pipe is ours and not
// [exec.Cmd]'s, so that all of it can be read after the end.
func startWindow(t *setup.Test, trace string, cmd *exec.Cmd) (*window, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open the window: %w", err)
	}
	defer func() { _ = to.Close() }() // the program has its own copy
	kept, err := os.Create(t.Artifact(trace))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the window: %w", err), from.Close())
	}
	w := &window{log: &setup.Lines{}, from: from, copy: kept}
	cmd.Stdout, cmd.Stderr = to, w.log
	if w.process, err = setup.Launch(cmd, "refscope"); err != nil {
		return nil, errors.Join(err, from.Close(), kept.Close())
	}
	w.trace = follow(from, kept)
	return w, nil
}

// said is the program's output.
func (w *window) said() string { return w.log.Text() }

// close ends the program and waits for the end of its trace.
func (w *window) close() {
	w.process.End()
	_ = w.from.Close()         // a browser that lives on could hold the other end open
	for range w.trace.states { // let the reader come to the end
	}
	<-w.trace.ended
	_ = w.copy.Close() // complete, whatever this returns
}
