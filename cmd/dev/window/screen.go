// Package window drives the real window on a screen of its own, as a person does: keys, clicks, and looks at the
// pixels. Comes in: the repository, of which it builds the window; goes out: what a stage of the test says, pictures in
// out/, a film, and how long a person waits. What the window says of itself is read from its trace, never guessed.
//
// Start with [Stage], the small test, and [Stories], what people do. [Wine] does both programs for Windows.
package window

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// screen is a display in memory: an Xvfb of our own, whose number it picks itself.
type screen struct {
	server  *setup.Child
	display string // ":7"
}

// openScreen starts Xvfb with one screen of the given size in px. Keys do not repeat on it: on a
// busy machine the release of a key can come late, and what is typed would hold a letter twice.
// The caller ends it.
func openScreen(ctx context.Context, t *setup.Test, size image.Point) (*screen, error) {
	ready, tell, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open a display: %w", err)
	}
	defer func() { _ = ready.Close() }() // only read
	log, err := os.Create(t.Artifact("xvfb.log"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open a display: %w", err), tell.Close())
	}
	defer func() { _ = log.Close() }() // the server has its own copy
	cmd := setup.Command(ctx, t.Root, false, "Xvfb", "-displayfd", "3", "-screen", "0",
		fmt.Sprintf("%dx%dx24", size.X, size.Y),
		"-nolisten", "tcp", "-noreset", "-r")
	cmd.ExtraFiles = []*os.File{tell}
	cmd.Stdout, cmd.Stderr = log, log
	server, err := setup.Launch(cmd, "Xvfb")
	_ = tell.Close() // the server's copy is the one that counts
	if err != nil {
		return nil, err
	}
	// The server writes its number when it takes connections, or ends and closes the pipe.
	number, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil {
		server.End()
		return nil, fmt.Errorf("start Xvfb: see out/%s", filepath.Base(log.Name()))
	}
	return &screen{server: server, display: ":" + strings.TrimSpace(number)}, nil
}

// env is the environment of programs that use the screen. Mesa draws without a
// graphics card, and Fyne wants a locale that it can parse.
func (s *screen) env() []string {
	env := []string{"DISPLAY=" + s.display, "LIBGL_ALWAYS_SOFTWARE=1", "LANG=en_US.UTF-8"}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "DISPLAY" && name != "WAYLAND_DISPLAY" && name != "LANG" &&
			name != "LC_ALL" {
			env = append(env, v)
		}
	}
	return env
}

// tool runs a short program on the screen and returns what it prints.
func (s *screen) tool(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = s.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", setup.Short(name, args), err, setup.FirstLine(string(out), err))
	}
	return string(out), nil
}

// origin is where on the screen the window with that title begins, in px.
func (s *screen) origin(ctx context.Context, title string) (image.Point, error) {
	out, err := s.tool(ctx, "xdotool", "search", "--sync", "--onlyvisible", "--name", title, "getwindowgeometry",
		"--shell")
	if err != nil {
		return image.Point{}, err
	}
	var at image.Point
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		n, err := strconv.Atoi(value)
		switch {
		case err != nil:
		case key == "X":
			at.X = n
		case key == "Y":
			at.Y = n
		}
	}
	return at, nil
}

// point moves the pointer to a place on the screen.
func (s *screen) point(ctx context.Context, p image.Point) error {
	_, err := s.tool(ctx, "xdotool", "mousemove", "--sync", strconv.Itoa(p.X), strconv.Itoa(p.Y))
	return err
}

// click presses the left button at a place on the screen.
func (s *screen) click(ctx context.Context, p image.Point) error {
	_, err := s.tool(ctx, "xdotool", "mousemove", "--sync", strconv.Itoa(p.X), strconv.Itoa(p.Y), "click", "1")
	return err
}

// shoot takes a picture of the whole screen into a PNG file and reads it.
func (s *screen) shoot(ctx context.Context, file string) (*image.RGBA, error) {
	if _, err := s.tool(ctx, "import", "-window", "root", "-depth", "8", "png:"+file); err != nil {
		return nil, err
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("picture of the screen: %w", err)
	}
	defer func() { _ = in.Close() }() // only read
	decoded, err := png.Decode(in)
	if err != nil {
		return nil, fmt.Errorf("picture of the screen: %w", err)
	}
	return rgba(decoded), nil
}

// rgba is a picture with its pixels at hand.
func rgba(decoded image.Image) *image.RGBA {
	picture := image.NewRGBA(decoded.Bounds())
	draw.Draw(picture, picture.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	return picture
}
