package app

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/engine"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/refscope/refscope/snapshot/turn"
)

// buildVersion is the program's version in turns and in --version. The build of a release sets it.
var buildVersion = "0.1.0-dev"

// Flags are the command line of the window. They are spelled as in refscopectl.
type Flags struct {
	Chrome, Attach, Session, Home string
	Viewport                      image.Point // CSS px
	Headed, Debug, Trace          bool
	// Look is "" for the one that is remembered.
	Look        core.Look
	Timeout     time.Duration
	ChromeFlags []string
	URL         string

	// viewport and timeout report whether these were given; else what is remembered holds.
	viewport, timeout bool
}

// ParseFlags reads the command line. It answers --help and --version on out with
// [flag.ErrHelp]; any other error is a wrong call, in one sentence.
func ParseFlags(args []string, env func(string) string, out io.Writer) (Flags, error) {
	o := Flags{Session: "window", Home: env("REFSCOPE_HOME"), Viewport: image.Pt(core.DefaultWidth, core.DefaultHeight),
		ChromeFlags: strings.Fields(env("REFSCOPE_CHROME_FLAGS"))}
	fs := flag.NewFlagSet("refscope", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.Chrome, "chrome", "", "path of the Chrome or Chromium to start; also $CHROME_PATH")
	fs.StringVar(&o.Attach, "attach", "", "use a running browser: HOST:PORT or a ws:// address")
	fs.BoolVar(&o.Headed, "headed", false, "start Chrome with a window of its own")
	fs.StringVar(&o.Session, "session", o.Session, "name of the session that turns go to")
	fs.StringVar(&o.Home, "home", o.Home, "folder for sessions; default ~/.refscope, or $REFSCOPE_HOME")
	fs.DurationVar(&o.Timeout, "timeout", core.DefaultWait*time.Second, "for loading a page")
	look := func(name, usage string, l core.Look) {
		fs.BoolFunc(name, usage, func(string) error {
			if o.Look != "" && o.Look != l {
				return errors.New("--dark, --light and --high-contrast exclude each other: give one of them")
			}
			o.Look = l
			return nil
		})
	}
	look("light", "light colours", core.LookLight)
	look("dark", "dark colours (the default)", core.LookDark)
	look("high-contrast", "high contrast, dark or light as the desktop", core.LookContrast)
	fs.BoolVar(&o.Debug, "debug", false, "log what happens on standard error")
	fs.BoolVar(&o.Trace, "trace", false,
		"print what the window shows as JSON lines on standard output, one for each change")
	version := fs.Bool("version", false, "print the version")
	fs.Func("viewport", "viewport of the page in CSS px, WIDTHxHEIGHT (default 1280x720)", func(s string) (err error) {
		o.Viewport, err = parseViewport(s)
		return err
	})
	fs.Func("chrome-flag", "a further flag for the Chrome that is started; may be given again", func(s string) error {
		o.ChromeFlags = append(o.ChromeFlags, s)
		return nil
	})
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			fmt.Fprint(out, "refscope [flags] [URL | page.html | SESSION | FOLDER]\n\nFlags:\n")
			fs.SetOutput(out)
			fs.PrintDefaults()
			return o, err
		}
		return o, fmt.Errorf("%w: see refscope --help", err)
	}
	if *version {
		fmt.Fprintln(out, "refscope", buildVersion)
		return o, flag.ErrHelp
	}
	fs.Visit(func(f *flag.Flag) {
		o.viewport, o.timeout = o.viewport || f.Name == "viewport", o.timeout || f.Name == "timeout"
	})
	if fs.NArg() > 1 {
		return o, fmt.Errorf("one page at most, but there are %d: flags come before it", fs.NArg())
	}
	o.URL = fs.Arg(0)
	folder, of := o.URL, ""
	if at := strings.LastIndexByte(folder, '#'); at > 0 && !isDir(folder) {
		folder, of = folder[:at], folder[at:]
	}
	// out/night is that folder, and no page of a host named out. A word alone is a session in this folder before one in
	// the home, as refscopectl has it.
	_, err := os.Stat(filepath.Join(folder, "session.json"))
	if folder != "" && (err == nil || strings.ContainsAny(folder, `/\`) && isDir(folder)) {
		if abs, err := filepath.Abs(folder); err == nil {
			o.URL = abs + of
		}
	}
	if err := turn.CheckName(o.Session); err != nil {
		return o, err
	}
	if o.Timeout <= 0 {
		return o, fmt.Errorf("--timeout %s: it must be greater than 0", o.Timeout)
	}
	if o.Home == "" {
		dir, err := os.UserHomeDir()
		if err != nil {
			return o, fmt.Errorf("no home folder is known: name one with --home")
		}
		o.Home = filepath.Join(dir, ".refscope")
	}
	return o, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func parseViewport(s string) (image.Point, error) {
	w, h, ok := strings.Cut(s, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width < 1 || height < 1 || width > 10000 || height > 10000 {
		return image.Point{}, fmt.Errorf("write it as WIDTHxHEIGHT in CSS px, such as 1280x720")
	}
	return image.Pt(width, height), nil
}

// Shell are the options of a window with a real engine for these flags. The app,
// and the trace where one is wanted, are the caller's to set.
func (o Flags) Shell(log *slog.Logger) Options {
	prefs, err := loadPrefs(o.Home)
	if err != nil {
		log.Warn("settings", "error", err)
	}
	o = o.with(prefs.Startup)
	live := engine.New(engine.Options{
		Browser: browser.Options{
			Chrome: o.Chrome, Attach: o.Attach, Headed: o.Headed, Width: o.Viewport.X, Height: o.Viewport.Y,
			Flags: o.ChromeFlags, Log: log,
		},
		Home: o.Home, Session: o.Session, URL: o.URL, Timeout: o.Timeout, Version: buildVersion, Tool: "refscope " +
			buildVersion, Log: log,
	})
	return Options{Engine: live, URL: o.URL, Viewport: o.Viewport, Prefs: prefs, Look: o.Look, Home: o.Home,
		Log: log, Counter: &tokens.Counter{}}
}

// with are the flags with what was set in the window, where no flag and no variable says otherwise.
func (o Flags) with(s core.Startup) Flags {
	if o.Chrome == "" && os.Getenv("CHROME_PATH") == "" {
		o.Chrome = s.Chrome
	}
	if !o.viewport && s.Sized() {
		o.Viewport = image.Pt(s.Width, s.Height)
	}
	if !o.timeout && s.Wait > 0 && s.Wait <= core.MaxWait {
		o.Timeout = time.Duration(s.Wait) * time.Second
	}
	return o
}
