package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/snapshot/redact"
)

// app is one run of the program: its global flags and where it prints.
type app struct {
	stdout, stderr io.Writer
	in             io.Reader // nil: standard input

	chrome, attach, session, home, viewport string
	headed, noBroker, json, quiet, debug    bool
	timeout                                 time.Duration
	chromeFlags                             []string

	width, height int
	device        *device.Device // that tabs pass for; nil for none
}

// globals parses the global flags, and those that more adds, anywhere among args,
// and returns what is not a flag.
func (a *app) globals(name string, args []string, more func(*flag.FlagSet)) ([]string, error) {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	first := a.timeout == 0
	str := func(p *string, name, value, usage string) {
		if !first {
			value = *p
		}
		fs.StringVar(p, name, value, usage)
	}
	home := os.Getenv("REFSCOPE_HOME")
	str(&a.chrome, "chrome", "", "path of the Chrome or Chromium to launch")
	str(&a.attach, "attach", "", "attach to a running browser: HOST:PORT or a ws:// address")
	str(&a.session, "session", "", "name of the session that turns go to")
	str(&a.home, "home", home, "folder for sessions; default ~/.refscope, or $REFSCOPE_HOME")
	str(&a.viewport, "viewport", "1280x720", "viewport in CSS px, WIDTHxHEIGHT, or a device such as iphone-14")
	fs.BoolVar(&a.headed, "headed", a.headed, "launch the browser with a visible window")
	fs.BoolVar(&a.noBroker, "no-broker", a.noBroker, "run in this process; nothing outlives the command")
	fs.BoolVar(&a.json, "json", a.json, "errors, and lists, as JSON on standard output")
	fs.BoolVar(&a.quiet, "quiet", a.quiet, "no remarks on standard error")
	fs.BoolVar(&a.debug, "debug", a.debug, "log what happens on standard error")
	timeout := 30 * time.Second
	if !first {
		timeout = a.timeout
	}
	fs.DurationVar(&a.timeout, "timeout", timeout, "for opening a page and reading it")
	fs.Func("chrome-flag", "a further flag for the launched browser; may be given again", func(s string) error {
		a.chromeFlags = append(a.chromeFlags, s)
		return nil
	})
	if more != nil {
		more(fs)
	}
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				a.help(fs, name, more != nil)
				return nil, errHelp
			}
			return nil, usagef("%s: %v: see %s --help", name, err, name)
		}
		args = fs.Args()
		if len(args) == 0 || more == nil {
			rest = append(rest, args...)
			break
		}
		// Flags may follow targets.
		rest, args = append(rest, args[0]), args[1:]
	}
	return rest, a.check()
}

func (a *app) check() error {
	if d, ok := device.Find(a.viewport); ok {
		a.device, a.width, a.height = &d, d.Width, d.Height
		return a.rest()
	}
	a.device = nil
	w, h, ok := strings.Cut(a.viewport, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width < 1 || height < 1 || width > 10000 || height > 10000 {
		return usagef("--viewport %q: write it as WIDTHxHEIGHT in CSS px, such as 1280x720, or name a device such as iphone-14", a.viewport)
	}
	a.width, a.height = width, height
	return a.rest()
}

// rest checks the other global flags.
func (a *app) rest() error {
	if a.timeout <= 0 {
		return usagef("--timeout %s: it must be more than nothing", a.timeout)
	}
	if a.home == "" {
		if a.home = defaultHome(); a.home == "" {
			return usagef("no home folder is known: name one with --home")
		}
	}
	return nil
}

// defaultHome is ~/.refscope, "" where there is no home folder.
func defaultHome() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, ".refscope")
}

func (a *app) help(fs *flag.FlagSet, name string, isCommand bool) {
	if !isCommand {
		fmt.Fprint(a.stdout, usage(), "\nGlobal flags:\n")
	} else {
		fmt.Fprintf(a.stdout, "%s\n\nFlags:\n", name)
	}
	fs.SetOutput(a.stdout)
	fs.PrintDefaults()
}

func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	switch {
	case a.debug:
		level = slog.LevelDebug
	case a.quiet:
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, at slog.Attr) slog.Attr {
		if at.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return at
	}}))
}

// remark says something on standard error unless --quiet.
func (a *app) remark(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.stderr, visible(fmt.Sprintf(format, args...)))
	}
}

// start launches the browser or attaches to it. Flags from $REFSCOPE_CHROME_FLAGS
// come before those of the command line.
func (a *app) start(ctx context.Context) (*browser.Browser, error) {
	flags := append(splitFlags(os.Getenv("REFSCOPE_CHROME_FLAGS")), a.chromeFlags...)
	return browser.Start(ctx, browser.Options{
		Chrome: a.chrome, Attach: a.attach, Headed: a.headed, Width: a.width, Height: a.height, Flags: flags, Log: a.log(),
	})
}

// splitFlags splits a list of flags at spaces, with double quotes around values
// that hold some.
func splitFlags(s string) []string {
	var out []string
	var b strings.Builder
	quoted, any := false, false
	for _, r := range s {
		switch {
		case r == '"':
			quoted, any = !quoted, true
		case r == ' ' && !quoted:
			if any {
				out = append(out, b.String())
			}
			b.Reset()
			any = false
		default:
			b.WriteRune(r)
			any = true
		}
	}
	if any {
		out = append(out, b.String())
	}
	return out
}

// visible makes control and direction characters visible, so that page text cannot
// write to a terminal; line breaks and tabs stay.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case r >= 0x80 && r <= 0x9f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return '�'
		}
		return r
	}, s)
}

// clean is a target as it may be printed: an address can hold a token.
func clean(target string) string {
	return redact.Standard().Clean(target)
}
