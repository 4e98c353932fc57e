//go:build cgo

// Refscope is the desktop inspector: it shows what a browser agent sees of a page,
// the picture and the text side by side with the same numbers on them.
//
//	refscope [flags] [URL | page.html | SESSION | FOLDER]
//
// Without arguments it starts Chrome, opens on its built-in demo site, and keeps
// its turns in the session "window". This package only wires: everything that it
// does lives in gui/app.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"

	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	"github.com/go-gl/glfw/v3.4/glfw"

	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/gui/app"
)

func main() { os.Exit(run()) }

// workArea is what windows may take of the screen, in px as the window's scale counts them; zero where none is known.
func workArea() image.Point {
	m := glfw.GetPrimaryMonitor()
	if m == nil {
		return image.Point{}
	}
	_, _, w, h := m.GetWorkarea()
	if mode := m.GetVideoMode(); (w <= 0 || h <= 0) && mode != nil {
		w, h = mode.Width, mode.Height
	}
	return image.Pt(w, h)
}

// followPointer makes what lies under the pointer let go of it when it leaves the window: Fyne is told of moves inside
// only, and what lit up below the pointer would stay lit. What is being dragged is dragged outside too.
func followPointer(w fyne.Window) {
	gl, ok := w.(interface{ RunWithContext(do func()) })
	if !ok {
		return
	}
	gl.RunWithContext(func() {
		win := glfw.GetCurrentContext()
		if win == nil {
			return
		}
		moved := win.SetCursorPosCallback(nil)
		win.SetCursorPosCallback(moved)
		win.SetCursorEnterCallback(func(win *glfw.Window, entered bool) {
			for b := glfw.MouseButton1; b <= glfw.MouseButtonLast; b++ {
				entered = entered || win.GetMouseButton(b) == glfw.Press
			}
			if !entered && moved != nil {
				moved(win, -1, -1)
			}
		})
	})
}

func run() int {
	o, err := app.ParseFlags(os.Args[1:], os.Getenv, os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(os.Stderr, "refscope:", err)
		return 2
	}
	level := slog.LevelWarn
	if o.Debug {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))

	if cache, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(cache, 0o700) // a new account has none, and Fyne would complain
	}
	if os.Getenv("GOGC") == "" {
		// Turns of 20,000 elements are made of millions of small objects and let go one after the other: what is kept
		// may grow by two fifths before it is collected, and not to the double.
		debug.SetGCPercent(40)
	}
	a := fyneapp.NewWithID("io.github.refscope.refscope")
	a.SetIcon(fyne.NewStaticResource("refscope.png", assets.Icon()))
	so := o.Shell(log)
	so.App = a
	so.CopyImage = new(imageClipboard).write
	loop := new(rest)
	so.Post = loop.post
	painted := make(chan struct{})
	so.Painted = painted
	if o.Trace {
		so.Trace = slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	s, err := app.New(so)
	if err != nil {
		fmt.Fprintln(os.Stderr, "refscope:", err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s.QuitWhen(ctx.Done())
	resting, wake := context.WithCancel(ctx)
	var rests sync.WaitGroup
	s.Window().SetOnClosed(func() {
		loop.set(false)
		wake()
		s.Close()
	})
	a.Lifecycle().SetOnStarted(func() {
		close(painted)
		loop.set(true)
		rests.Go(func() { loop.run(resting, s.Window(), func() bool { return len(s.State().Tasks) > 0 }) })
		followPointer(s.Window())
		s.FitScreen(workArea)
	})
	s.Window().ShowAndRun()
	wake()
	rests.Wait()
	s.Close()
	return 0
}
