package window

import (
	"context"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// situation is a state of the window that people look at: how to reach it from the one
// before, and what the trace then contains.
type situation struct {
	name   string
	keys   []string
	wanted func(windowState) bool
}

// lookSizes are the screens and lookThemes the colours in which each situation is looked at, in
// the order of the command that switches them.
var (
	lookSizes  = []image.Point{{X: 1600, Y: 960}, {X: 1366, Y: 768}, {X: 1024, Y: 640}}
	lookThemes = []string{"dark", "light", "contrast", "system"}
)

// situations are those of a recorded session with a failed step, after an element of it was
// chosen.
func situations() []situation {
	return []situation{
		{"findings", []string{"a"}, side("Findings")},
		{"changes", []string{"d"}, side("Changes")},
		{"activity", []string{"i"}, side("Activity")},
		{"whatif", []string{"w"}, side("What-if")},
		{"tokens", []string{"shift+t", "t"}, side("Text")},
		{"profile", []string{"shift+t", "e"}, side("Profile")},
		{"export", []string{"Escape", "ctrl+e"}, dialog("export")},
	}
}

// lookAtAll takes a picture of every situation in all sizes and themes. They go to
// out/look/SITUATION-SIZE-THEME.png, to be looked at.
func lookAtAll(ctx context.Context, t *setup.Test) (output string, err error) {
	if err := os.MkdirAll(t.Artifact("look"), 0o755); err != nil {
		return "", fmt.Errorf("look: %w", err)
	}
	program, ctl, err := buildBoth(ctx, t)
	if err != nil {
		return "", err
	}
	shop := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(t.Root, "assets", "demo"))))
	defer shop.Close()
	home, err := os.MkdirTemp("", "refscope-look-")
	if err != nil {
		return "", fmt.Errorf("look: %w", err)
	}
	defer func() { _ = os.RemoveAll(home) }() // a stray temporary folder does no harm
	for i, size := range lookSizes {
		screen, err := openScreen(ctx, t, size)
		if err != nil {
			return "", err
		}
		d := &driver{test: t, screen: screen, home: home, ctl: ctl, shop: shop.URL}
		s := story{name: "look", do: func(ctx context.Context, d *driver) error { return d.lookAround(ctx, size) }}
		if i == 0 {
			s.before = recordFailure
		}
		said, err := d.tell(ctx, program, s)
		screen.server.End()
		if err != nil {
			return said, fmt.Errorf("look at %dx%d: %w", size.X, size.Y, err)
		}
	}
	if out, err := (&driver{test: t, home: home, ctl: ctl}).run(context.WithoutCancel(ctx), "browser",
		"close"); err != nil {
		return out, err
	}
	return "", nil
}

// lookAround goes through the situations at one size.
func (d *driver) lookAround(ctx context.Context, size image.Point) error {
	if _, err := d.screen.tool(ctx, "xdotool", "search", "--onlyvisible", "--name", "^Refscope", "windowsize", "--sync",
		strconv.Itoa(size.X), strconv.Itoa(size.Y)); err != nil {
		return err
	}
	if err := d.open("nightly", func(s windowState) bool { return s.Turns == 2 && len(s.Marks) > 0 })(ctx); err != nil {
		return err
	}
	marks := d.now().Marks
	ref := marks[len(marks)/3].Ref
	keys := []string{"ctrl+g"}
	for _, digit := range strconv.Itoa(ref) {
		keys = append(keys, string(digit))
	}
	element := situation{"element", append(keys, "Return", "t"),
		func(s windowState) bool { return s.Selected == ref && s.Why }}
	// last is the picture before, in another theme, and before those of the situation before.
	var last *image.RGBA
	before := map[string]*image.RGBA{}
	var acts []act
	for _, at := range append([]situation{element}, situations()...) {
		acts = append(acts, d.press(at.name, at.wanted, at.keys...))
		for i, theme := range lookThemes {
			acts = append(acts, d.await(theme, func(s windowState) bool { return s.Look == theme && s.Busy == "" }))
			if i < len(lookThemes)-1 { // the last is one of the others
				name := fmt.Sprintf("%s-%d-%s.png", at.name, size.X, theme)
				acts = append(acts, func(ctx context.Context) (err error) {
					if last, err = d.still(ctx, filepath.Join("look", name), last, before[theme]); err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					before[theme] = last
					return nil
				})
			}
			acts = append(acts, d.keys("ctrl+d"))
		}
	}
	return all(acts...)(ctx)
}
