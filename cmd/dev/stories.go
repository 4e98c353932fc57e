package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// storiesStage opens the real window on a display in memory, once for each story, and
// does with keys and mouse what a person would do: review a recorded failure, find why an
// element is missing, edit a profile and see the effect, export a picture for a model,
// follow an agent. It waits for what the window's trace tells. The last picture of each
// story stays in out/story-NAME.png; those of the README are made so.
func storiesStage(ctx context.Context, t *test) (output string, err error) {
	return playStories(ctx, t, stories())
}

// lookTask plays the stories for their last pictures, which people look at.
func lookTask(ctx context.Context, d *dev, args []string) error {
	flags := flag.NewFlagSet("look", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	yes := flags.Bool("y", false, "install what is missing without asking")
	only := flags.String("run", "", "the story to play")
	list := flags.Bool("list", false, "name the stories and end")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return usageError{fmt.Errorf("look: %w", cmp.Or(err, errors.New("it takes flags only")))}
	}
	var chosen []story
	var names []string
	for _, s := range stories() {
		names = append(names, s.name)
		if *only == "" || s.name == *only {
			chosen = append(chosen, s)
		}
	}
	switch {
	case *list:
		d.say("%s", strings.Join(names, "\n"))
		return nil
	case len(chosen) == 0:
		return usageError{fmt.Errorf("look: no story %q; there are: %s", *only, strings.Join(names, ", "))}
	}
	if err := d.setUp(ctx, testNeeds(d.machine), *yes); err != nil {
		return err
	}
	t := &test{dev: d, begin: time.Now()}
	out, err := playStories(ctx, t, chosen)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, visible(out))
	}
	for _, s := range chosen {
		d.say("%s", t.artifact("story-"+s.name+".png"))
	}
	return nil
}

// playStories opens the window for each story and takes its last picture.
func playStories(ctx context.Context, t *test, chosen []story) (output string, err error) {
	if t.machine.goos != "linux" {
		return "", fmt.Errorf("%w: it needs Xvfb, so Linux", errSkipped)
	}
	if err := os.MkdirAll(t.artifact(""), 0o755); err != nil {
		return "", fmt.Errorf("stories: %w", err)
	}
	program, err := t.buildWindow(ctx)
	if err != nil {
		return "", err
	}
	ctl := filepath.Join(t.root, "bin", "refscopectl")
	if out, err := t.tool(ctx, []string{"CGO_ENABLED=0"}, "go", "build", "-o", ctl, "./cmd/refscopectl"); err != nil {
		return out, err
	}
	shop := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(t.root, "assets", "demo"))))
	defer shop.Close()
	screen, err := openScreen(ctx, t, image.Pt(1600, 960))
	if err != nil {
		return "", err
	}
	defer screen.server.end()
	stop := t.pulse(ctx, "the window is open on display "+screen.display)
	defer stop()
	for _, s := range chosen {
		home, err := os.MkdirTemp("", "refscope-story-")
		if err != nil {
			return "", fmt.Errorf("story %s: %w", s.name, err)
		}
		d := &driver{test: t, screen: screen, home: home, ctl: ctl, shop: shop.URL}
		said, err := d.tell(ctx, program, s)
		if s.before != nil { // its commands left a browser running for the next one
			out, end := d.run(context.WithoutCancel(ctx), "browser", "close")
			if end != nil {
				err = errors.Join(err, fmt.Errorf("%w\n%s", end, out))
			}
		}
		_ = os.RemoveAll(home) // a stray temporary folder does no harm
		if err != nil {
			return said, fmt.Errorf("story %q: %w", s.name, err)
		}
	}
	return "", nil
}

// story is one thing that people do.
type story struct {
	name string
	// before happens before the window opens; nil for nothing.
	before func(ctx context.Context, d *driver) error
	do     func(ctx context.Context, d *driver) error
}

// driver is the hands of a person at the window, and their home folder.
type driver struct {
	test            *test
	screen          *screen
	window          *window
	home, ctl, shop string
}

// tell opens the window, does what the story says, takes its last picture, and closes
// the window.
func (d *driver) tell(ctx context.Context, program string, s story) (said string, err error) {
	if s.before != nil {
		if err := s.before(ctx, d); err != nil {
			return "", err
		}
	}
	return withWindow(ctx, d.test, d.screen, "story-"+s.name+"-trace.jsonl", program, d.home, func(w *window) error {
		d.window = w
		if _, err := d.await(ctx, "the demo page", func(s windowState) bool {
			return s.Browser == "ready" && s.Turn > 0 && s.Busy == "" && s.Chars > 0
		}); err != nil {
			return err
		}
		if _, err := d.screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Refscope", "windowfocus",
			"--sync"); err != nil {
			return err
		}
		if err := s.do(ctx, d); err != nil {
			_, shot := d.screen.shoot(ctx, d.test.artifact("story-"+s.name+"-failed.png"))
			return errors.Join(err, shot)
		}
		// The window draws a frame or two after it has told its state.
		var last *image.RGBA
		_, err := settled(ctx, d.screen, d.test.artifact("story-"+s.name+".png"), func(p *image.RGBA) error {
			before := last
			last = p
			if before == nil || differ(before, p) > p.Rect.Dx()*p.Rect.Dy()/1000 { // a cursor may blink
				return errors.New("the window is still drawing")
			}
			return busy(p, p.Rect.Inset(40))
		})
		return err
	})
}

// keys presses keys one after another.
func (d *driver) keys(ctx context.Context, keys ...string) error {
	_, err := d.screen.tool(ctx, "xdotool", append([]string{"key", "--delay", "40"}, keys...)...)
	return err
}

// write types a text, line by line: a line feed is the Return key.
func (d *driver) write(ctx context.Context, text string) error {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			if err := d.keys(ctx, "Return"); err != nil {
				return err
			}
		}
		if _, err := d.screen.tool(ctx, "xdotool", "type", "--delay", "25", "--", line); err != nil {
			return err
		}
	}
	return nil
}

// await waits for a state of the window.
func (d *driver) await(ctx context.Context, what string, wanted func(windowState) bool) (windowState, error) {
	return d.window.trace.await(ctx, what, 60*time.Second, wanted)
}

// press presses keys and waits for what comes of it.
func (d *driver) press(ctx context.Context, what string, wanted func(windowState) bool, keys ...string) (windowState,
	error) {
	if err := d.keys(ctx, keys...); err != nil {
		return windowState{}, err
	}
	return d.await(ctx, what, wanted)
}

// choose runs a command by the palette: its words are typed and the first row taken.
func (d *driver) choose(ctx context.Context, words, what string, wanted func(windowState) bool) (windowState, error) {
	if _, err := d.press(ctx, "the palette", dialog("palette"), "ctrl+shift+p"); err != nil {
		return windowState{}, err
	}
	if err := d.write(ctx, words); err != nil {
		return windowState{}, err
	}
	return d.press(ctx, what, wanted, "Return")
}

// open opens a session by its name.
func (d *driver) open(ctx context.Context, name string, wanted func(windowState) bool) (windowState, error) {
	if _, err := d.press(ctx, "the list of sessions", dialog("sessions"), "ctrl+o"); err != nil {
		return windowState{}, err
	}
	if err := d.write(ctx, name); err != nil {
		return windowState{}, err
	}
	return d.press(ctx, "session "+name, func(s windowState) bool {
		return s.Name == name && s.Turn > 0 && s.Chars > 0 &&
			wanted(s)
	}, "Return")
}

// run runs refscopectl in this home.
func (d *driver) run(ctx context.Context, args ...string) (string, error) {
	return d.test.tool(ctx, []string{"REFSCOPE_HOME=" + d.home}, d.ctl, args...)
}

// dialog is a state with that dialog open; "" is none.
func dialog(name string) func(windowState) bool {
	return func(s windowState) bool { return s.Dialog == name }
}

// side is a state with that side in view.
func side(title string) func(windowState) bool {
	return func(s windowState) bool { return strings.HasPrefix(s.Side, title) }
}
