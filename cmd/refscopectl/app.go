package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/shell"
)

// app is one run of the program: its global flags and where it prints.
type app struct {
	args           []string // as they were typed
	stdout, stderr io.Writer
	in             io.Reader      // nil: standard input
	tree           *cobra.Command // of all commands

	chrome, attach, session, home, viewport string
	profileDir, traceFile                   string
	headed, noBroker, fresh, json           bool
	quiet, debug                            bool
	hush                                    bool // nothing is printed of turns: the terminal is an agent's
	timeout                                 time.Duration
	chromeFlags                             []string
	files                                   []string           // folders that steps may use
	writes                                  session.PageWrites // of run

	width, height int
	device        *device.Device  // that tabs pass for; nil for none
	attached      []string        // the values of --attach; attach is that of one browser that is no gateway
	attachHeader  string          // of --attach-header
	pool          *browser.Pool   // of gateways and several browsers, else nil
	helpErr       error           // of run --help STEP, which cobra has no way to return
	shape         string          // of what the command prints with --json
	recorder      *trace.Recorder // of --trace, else nil
	traced        []byte          // what --trace writes, where the broker recorded it
	temporary     []string        // folders that are removed when the command is over
	pipedFile     string          // what standard input was written to, "" before it was read
}

// register adds the global flags.
func (a *app) register(fs *pflag.FlagSet) {
	fs.StringVar(&a.chrome, "chrome", "", "`PATH` of the Chrome or Chromium to launch")
	fs.StringArrayVar(&a.attached, "attach", nil, "attach to a running browser: `HOST:PORT`, a ws(s):// or http(s):// "+
		"address, or @FILE with one on each line; of several, each captures one page at a time")
	fs.StringVar(&a.attachHeader, "attach-header", "",
		"send the headers in `@FILE`, NAME: VALUE on each line, to the browsers of --attach")
	fs.StringVar(&a.session, "session", "", "`NAME` of the session that turns go to")
	fs.StringVar(&a.home, "home", "", "`DIR` for sessions; default $REFSCOPE_HOME, or ~/.refscope")
	fs.StringVar(&a.viewport, "viewport", "1280x720",
		"viewport in CSS px, `WIDTHxHEIGHT`, 1280x720@2 for two px each, or a device such as iphone-14")
	fs.StringVar(&a.profileDir, "profile-dir", "",
		"`DIR` that the launched browser keeps its profile in; without it the profile is removed when the browser ends")
	fs.BoolVar(&a.headed, "headed", false, "launch the browser with a visible window")
	fs.BoolVar(&a.noBroker, "no-broker", false, "run in this process; nothing outlives the command")
	fs.StringVar(&a.traceFile, "trace", "", "write a Perfetto trace to `FILE`, which ui.perfetto.dev opens")
	fs.BoolVar(&a.fresh, "fresh", false, "never reuse the browser of run")
	fs.BoolVar(&a.json, "json", false, "errors, and lists, as JSON on standard output")
	fs.BoolVar(&a.quiet, "quiet", false, "no remarks on standard error")
	fs.BoolVar(&a.debug, "debug", false, "log what happens on standard error")
	fs.DurationVar(&a.timeout, "timeout", 30*time.Second, "`TIME` for opening a page and reading it")
	fs.BoolP("help", "h", false, "explain a command and its flags")
	fs.StringArrayVar(&a.chromeFlags, "chrome-flag", nil,
		"a further `FLAG` for the launched browser, after those of $REFSCOPE_CHROME_FLAGS; may be given again")
}

// check reads the global flags that are words.
func (a *app) check() error {
	d, preset, ok := viewportOf(a.viewport)
	if !ok && (d.Width > maxSide || d.Height > maxSide) {
		return usagef("--viewport %q: %d px a side are the most: name a smaller window, and --full-page where the "+
			"whole page is wanted", a.viewport, maxSide)
	}
	if !ok {
		return usagef("--viewport %q: write it as WIDTHxHEIGHT in CSS px, such as 1280x720 or 1280x720@2 for two px "+
			"each, or name a device such as iphone-14", a.viewport)
	}
	a.device, a.width, a.height = nil, d.Width, d.Height
	if preset {
		a.device = &d
	}
	if err := a.checkAttach(); err != nil {
		return err
	}
	if a.timeout <= 0 {
		return usagef("--timeout %s: it must be greater than 0", a.timeout)
	}
	if a.home == "" {
		a.home = os.Getenv("REFSCOPE_HOME")
	}
	if a.home == "" {
		if a.home = defaultHome(); a.home == "" {
			return usagef("cannot find the home directory: set --home")
		}
	}
	return nil
}

// maxSide is the longest side of a window by numbers, CSS px: far above every screen.
const maxSide = 10_000

// viewportOf reads a viewport: the name of a device, or WIDTHxHEIGHT in CSS px, which may be followed by @ and the px
// of the picture for each. Preset: it has a scale of its own, and so is a device.
func viewportOf(word string) (d device.Device, preset, ok bool) {
	if d, ok := device.Find(word); ok {
		return d, true, true
	}
	word, by, scaled := strings.Cut(word, "@")
	w, h, ok := strings.Cut(word, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	ok = ok && err1 == nil && err2 == nil && width >= 1 && height >= 1 && width <= maxSide && height <= maxSide
	d = device.Device{Width: width, Height: height}
	if scaled {
		var err error
		d.Scale, err = strconv.ParseFloat(by, 64)
		ok = ok && err == nil && d.Scale > 0 && d.Check() == nil
	}
	return d, scaled, ok
}

// defaultHome is ~/.refscope, "" where there is no home folder.
func defaultHome() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, ".refscope")
}

// profiles are the site profiles of the home folder.
func (a *app) profiles() *profiles.Store { return profiles.Home(a.home) }

func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	switch {
	case a.debug:
		level = slog.LevelDebug
	case a.quiet:
		level = slog.LevelError
	}
	return slog.New(&lineHandler{out: a.stderr, level: level})
}

// start launches the browser or attaches to it.
func (a *app) start(ctx context.Context) (*browser.Browser, error) {
	flags, err := a.browserFlags()
	if err != nil {
		return nil, err
	}
	if err := a.oneBrowser(); err != nil {
		return nil, err
	}
	if b := a.share(ctx); b != nil {
		return b, nil
	}
	return browser.Start(ctx, browser.Options{
		Chrome: a.chrome, Attach: a.attach, Profile: a.profileDir, Headed: a.headed, Width: a.width, Height: a.height,
		Flags: flags, Log: a.log(),
	})
}

// share connects to the browser of run where a suitable one runs: no start, and the page sees as little
// of other tabs as in a browser of its own. nil where there is none.
func (a *app) share(ctx context.Context) *browser.Browser {
	if a.fresh || a.noBroker || a.headed || a.attach+a.chrome+a.profileDir != "" || len(a.chromeFlags) > 0 {
		return nil
	}
	h, err := a.host()
	if err != nil {
		return nil // what is wrong will show in the start
	}
	defer h.Close()
	address := h.Running(ctx)
	if address == "" {
		return nil
	}
	b, err := browser.Start(ctx, browser.Options{
		Attach: address, Isolated: true, Width: a.width, Height: a.height, Log: a.log(),
	})
	if err != nil {
		a.log().Debug("the browser that runs could not be shared", "address", address, "error", err)
		return nil
	}
	return b
}

// host is where browsers and tabs that outlive the command are kept.
func (a *app) host() (*tabs.Host, error) {
	s, err := a.settings(nil)
	if err != nil {
		return nil, err
	}
	o := s.hostBeside(a)
	o.Words = commandWords()
	return tabs.NewHost(o), nil
}

// commandWords are what errors of commands advise, where those of run name its steps.
func commandWords() tabs.Words {
	return tabs.Words{
		List: "refscopectl browser tabs lists the tabs", Open: "open its page again",
		Start: "refscopectl run starts one with the step openTab",
	}
}

// browserFlags are the flags of a launched browser: those of $REFSCOPE_CHROME_FLAGS,
// which are words as a shell splits them, and then those of the command line.
func (a *app) browserFlags() ([]string, error) {
	flags, err := shell.Fields(os.Getenv("REFSCOPE_CHROME_FLAGS"), nil)
	if err != nil {
		return nil, usagef("$REFSCOPE_CHROME_FLAGS: %v: write it as a shell reads words, with quotes around spaces",
			err)
	}
	return append(flags, a.chromeFlags...), nil
}

// lineHandler writes what is logged as one plain line for people: the message, and then its attributes.
type lineHandler struct {
	out   io.Writer
	level slog.Level
	attrs []slog.Attr
}

func (h *lineHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *lineHandler) Handle(_ context.Context, r slog.Record) error {
	line := "refscopectl: " + r.Message
	add := func(at slog.Attr) bool {
		line += " " + at.Key + "=" + at.Value.String()
		return true
	}
	for _, at := range h.attrs {
		add(at)
	}
	r.Attrs(add)
	_, err := io.WriteString(h.out, text.EscapeOnce(strings.ReplaceAll(line, "\n", " "))+"\n")
	return err
}

func (h *lineHandler) WithAttrs(list []slog.Attr) slog.Handler {
	own := *h
	own.attrs = slices.Concat(h.attrs, list)
	return &own
}

// WithGroup is nothing: no name of a group would help a reader of a line.
func (h *lineHandler) WithGroup(string) slog.Handler { return h }
