// Package cli is what all commands of refscopectl share: the global flags and the environment of one run ([App]), how a
// TARGET is opened, how a capture becomes text as the flags ask, and how results, remarks and errors are printed. Comes
// in: what was typed; goes out: standard output and standard error, whose spellings scripts rely on.
//
// A command is a function that gets an [App] and makes its cobra command: flags, one call of a room of capture/, one
// [App.Emit]. Start with [App], [App.Opener] and [Usagef].
package cli

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

// App is one run of the program: its global flags and where it prints.
type App struct {
	Args           []string // as they were typed
	Stdout, Stderr io.Writer
	In             io.Reader      // nil: standard input
	Tree           *cobra.Command // of all commands

	tabs.Choice               // without Flags, which are ChromeFlags read: see [App.BrowserFlags]
	Home, Viewport, TraceFile string
	NoBroker, Fresh, JSON     bool
	Quiet, Debug              bool
	Hush                      bool // nothing is printed of turns: the terminal is an agent's
	Timeout                   time.Duration
	ChromeFlags               []string
	Files                     []string           // folders that steps may use
	Writes                    session.PageWrites // of run

	device       *device.Device  // that tabs pass for; nil for none
	attached     []string        // the values of --attach; attach is that of one browser that is no gateway
	attachHeader string          // of --attach-header
	Pool         *browser.Pool   // of gateways and several browsers, else nil
	HelpErr      error           // of run --help STEP, which cobra has no way to return
	Shape        string          // of what the command prints with --json
	Recorder     *trace.Recorder // of --trace, else nil
	Traced       []byte          // what --trace writes, where the broker recorded it
	temporary    []string        // folders that are removed when the command is over
	pipedFile    string          // what standard input was written to, "" before it was read
}

// Register adds the global flags.
func (a *App) Register(fs *pflag.FlagSet) {
	fs.StringVar(&a.Chrome, "chrome", "", "`PATH` of the Chrome or Chromium to launch")
	fs.StringArrayVar(&a.attached, "attach", nil, "attach to a running browser: `HOST:PORT`, a ws(s):// or http(s):// "+
		"address, or @FILE with one on each line; of several, each captures one page at a time")
	fs.StringVar(&a.attachHeader, "attach-header", "",
		"send the headers in `@FILE`, NAME: VALUE on each line, to the browsers of --attach")
	fs.StringVar(&a.Session, "session", "", "`NAME` of the session that turns go to")
	fs.StringVar(&a.Home, "home", "", "`DIR` for sessions; default $REFSCOPE_HOME, or ~/.refscope")
	fs.StringVar(&a.Viewport, "viewport", "1280x720",
		"viewport in CSS px, `WIDTHxHEIGHT`, 1280x720@2 for two px each, or a device such as iphone-14")
	fs.StringVar(&a.Profile, "profile-dir", "",
		"`DIR` that the launched browser keeps its profile in; without it the profile is removed when the browser ends")
	fs.BoolVar(&a.Headed, "headed", false, "launch the browser with a visible window")
	fs.BoolVar(&a.NoBroker, "no-broker", false, "run in this process; nothing outlives the command")
	fs.StringVar(&a.TraceFile, "trace", "", "write a Perfetto trace to `FILE`, which ui.perfetto.dev opens")
	fs.BoolVar(&a.Fresh, "fresh", false, "never reuse the browser of run")
	fs.BoolVar(&a.JSON, "json", false, "print JSON on standard output, errors and help too")
	fs.BoolVar(&a.Quiet, "quiet", false, "no remarks on standard error")
	fs.BoolVar(&a.Debug, "debug", false, "log what happens, and how long it takes, on standard error")
	fs.DurationVar(&a.Timeout, "timeout", 30*time.Second, "`TIME` for opening a page and reading it")
	fs.BoolP("help", "h", false, "explain a command and its flags")
	fs.StringArrayVar(&a.ChromeFlags, "chrome-flag", nil,
		"a further `FLAG` for the launched browser, after those of $REFSCOPE_CHROME_FLAGS; may be given again")
}

// Check reads the global flags that are words.
func (a *App) Check() error {
	d, preset, ok := ViewportOf(a.Viewport)
	if !ok && (d.Width > maxSide || d.Height > maxSide) {
		return Usagef("--viewport %q: %d px a side are the most: name a smaller window, and --full-page where the "+
			"whole page is wanted", a.Viewport, maxSide)
	}
	if !ok {
		return Usagef("--viewport %q: write it as WIDTHxHEIGHT in CSS px, such as 1280x720 or 1280x720@2 for two px "+
			"each, or name a device such as iphone-14", a.Viewport)
	}
	a.device, a.Width, a.Height = nil, d.Width, d.Height
	if preset {
		a.device = &d
	}
	if err := a.checkAttach(); err != nil {
		return err
	}
	if a.Timeout <= 0 {
		return Usagef("--timeout %s: it must be greater than 0", a.Timeout)
	}
	if a.Home == "" {
		a.Home = os.Getenv("REFSCOPE_HOME")
	}
	if a.Home == "" {
		if a.Home = DefaultHome(); a.Home == "" {
			return Usagef("cannot find the home directory: set --home")
		}
	}
	return nil
}

// maxSide is the longest side of a window by numbers, CSS px: far above every screen.
const maxSide = 10_000

// ViewportOf reads a viewport: the name of a device, or WIDTHxHEIGHT in CSS px, which may be followed by @ and the px
// of the picture for each. Preset: it has a scale of its own, and so is a device.
func ViewportOf(word string) (d device.Device, preset, ok bool) {
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

// DefaultHome is ~/.refscope, "" where there is no home folder.
func DefaultHome() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, ".refscope")
}

// Profiles are the site profiles of the home folder.
func (a *App) Profiles() *profiles.Store { return profiles.Home(a.Home) }

// Log is where what happens is told, on standard error.
func (a *App) Log() *slog.Logger {
	level := slog.LevelWarn
	switch {
	case a.Debug:
		level = slog.LevelDebug
	case a.Quiet:
		level = slog.LevelError
	}
	return slog.New(&lineHandler{out: a.Stderr, level: level})
}

// Start launches the browser or attaches to it.
func (a *App) Start(ctx context.Context) (*browser.Browser, error) {
	flags, err := a.BrowserFlags()
	if err != nil {
		return nil, err
	}
	if err := a.OneBrowser(); err != nil {
		return nil, err
	}
	if b := a.share(ctx); b != nil {
		return b, nil
	}
	o := a.Browser(a.Log())
	o.Flags = flags
	return browser.Start(ctx, o)
}

// share connects to the browser of run where a suitable one runs: no start, and the page sees as little
// of other tabs as in a browser of its own. nil where there is none.
func (a *App) share(ctx context.Context) *browser.Browser {
	if a.Fresh || a.NoBroker || a.Headed || a.Attach+a.Chrome+a.Profile != "" || len(a.ChromeFlags) > 0 {
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
		Attach: address, Isolated: true, Width: a.Width, Height: a.Height, Log: a.Log(),
	})
	if err != nil {
		a.Log().Debug("the browser that runs could not be shared", "address", address, "error", err)
		return nil
	}
	return b
}

// host is where browsers and tabs that outlive the command are kept.
func (a *App) host() (*tabs.Host, error) {
	s, err := a.Settings(nil)
	if err != nil {
		return nil, err
	}
	o := s.HostBeside(a)
	o.Words = CommandWords()
	return tabs.NewHost(o), nil
}

// CommandWords are what errors of commands advise, where those of run name its steps.
func CommandWords() tabs.Words {
	return tabs.Words{
		List: "refscopectl browser tabs lists the tabs", Open: "open its page again",
		Start: "refscopectl run starts one with the step openTab",
	}
}

// BrowserFlags are the flags of a launched browser: those of $REFSCOPE_CHROME_FLAGS,
// which are words as a shell splits them, and then those of the command line.
func (a *App) BrowserFlags() ([]string, error) {
	flags, err := shell.Fields(os.Getenv("REFSCOPE_CHROME_FLAGS"), nil)
	if err != nil {
		return nil, Usagef("$REFSCOPE_CHROME_FLAGS: %v: write it as a shell reads words, with quotes around spaces",
			err)
	}
	return append(flags, a.ChromeFlags...), nil
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
