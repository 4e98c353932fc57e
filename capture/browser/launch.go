package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
)

// Detached configures a browser that outlives this program (C-2).
type Detached struct {
	Chrome   string // path of the program; "" finds one
	Port     int    // of its DevTools, on loopback only
	Profile  string // its folder, made where it is not there
	Forget   bool   // the profile is thrown away after, so nothing is remembered in it
	Headless bool
	// Width and Height are the window's, CSS px; 0 means 1280x720.
	Width, Height int
	Flags         []string // further ones, such as "lang=de"
}

// unneeded are features of Chrome that no capture needs. The suggestions below its address bar are pages of its own in
// each window, which cost as much processor time as the window itself. The first two are those that chromedp names.
const unneeded = "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// needed is a feature of Chrome that is on: its network runs in the browser's process, which spares one of its own.
const needed = "NetworkServiceInProcess2"

// startFlags are the flags of a browser that is started: the caller's own, and those that turn off what is not needed
// and, of a profile that is thrown away, what would remember the pages. Features that the caller turns on or off are
// added to ours, as Chrome heeds only one flag of a name.
func startFlags(own []string, forget bool) []string {
	var flags []string
	if forget {
		flags = forgetfulFlags()
	}
	on, off := needed, unneeded
	for _, f := range own {
		switch name, more, _ := strings.Cut(strings.TrimLeft(f, "-"), "="); name {
		case "enable-features":
			on += "," + more
		case "disable-features":
			off += "," + more
		default:
			flags = append(flags, f)
		}
	}
	return append(flags, "enable-features="+on, "disable-features="+off)
}

// startPatience is how long a started browser may take to answer (seed 4).
const startPatience = 10 * time.Second

// Launch starts the browser and waits until its DevTools answer. The process has a
// session of its own and continues when this program ends; it is killed here only if it
// does not answer in time.
func (d Detached) Launch(ctx context.Context) (pid int, err error) {
	path, err := Find(d.Chrome)
	if err != nil {
		return 0, err
	}
	if d.Forget {
		err = forget(d.Profile)
	} else {
		err = os.MkdirAll(d.Profile, 0o700)
	}
	if err != nil {
		return 0, fmt.Errorf("making the browser's profile folder: %w", err)
	}
	w, h := d.Width, d.Height
	if w <= 0 || h <= 0 {
		w, h = 1280, 720
	}
	args := []string{
		"--remote-debugging-port=" + strconv.Itoa(d.Port), "--remote-debugging-address=127.0.0.1",
		"--user-data-dir=" + d.Profile, "--no-first-run", "--no-default-browser-check", "--hide-crash-restore-bubble",
		"--disable-component-update", "--disable-background-networking", "--password-store=basic",
		"--use-mock-keychain",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-background-timer-throttling",
		fmt.Sprintf("--window-size=%d,%d", w, h),
	}
	if d.Headless {
		args = append(args, "--headless=new", "--hide-scrollbars", "--mute-audio")
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	for _, f := range startFlags(d.Flags, d.Forget) {
		args = append(args, "--"+strings.TrimLeft(f, "-"))
	}
	c := exec.Command(path, append(args, "about:blank")...)
	c.Env = append(os.Environ(), temporary(d.Profile)...)
	Outlive(c)
	if err := c.Start(); err != nil {
		return 0, fmt.Errorf("starting chrome at %q: %w", path, launchReason(err))
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // ends with the process, or with this program
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(d.Port))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := endpoint(ctx, address); err == nil {
			return c.Process.Pid, nil
		}
		select {
		case <-tick.C:
		case err := <-ended:
			if err == nil {
				err = errors.New("it handed over to a browser that runs already")
			}
			return 0, fmt.Errorf("starting chrome at %q: it ended at once: %w: is its profile %s in use?",
				path, err, d.Profile)
		case <-ctx.Done():
			_ = c.Process.Kill() // ours, and of no use to anybody
			return 0, fmt.Errorf("starting chrome at %q: it does not answer at %s: %w", path, address, ctx.Err())
		}
	}
}

// End closes the browser whose DevTools are at that WebSocket address, with all its tabs.
// It is for one that [Detached.Launch] has started, and for none else.
func End(ctx context.Context, endpoint string) error {
	b, err := Start(ctx, Options{Attach: endpoint})
	if err != nil {
		return err
	}
	defer b.Close()
	info, err := cdp.Call(ctx, b.conn.Root(), systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		slog.DebugContext(ctx, "no list of a browser's processes", "error", err) // it is closed without it
	}
	err = call(ctx, b.conn.Root(), protocol.Close, cdp.Empty{})
	if err != nil && !errors.Is(err, ErrGone) && !errors.Is(err, ErrDetached) {
		return fmt.Errorf("closing the browser: %w", err)
	}
	select {
	case <-b.Done():
	case <-ctx.Done():
		return fmt.Errorf("closing the browser: %w", ctx.Err())
	}
	awaitExit(ctx, info.ProcessInfo)
	return nil
}

// awaitExit waits until the processes of a browser that is ending are gone: they write to the profile after the last
// message, so that a folder that was removed before comes back. What has not ended after five seconds is left alone.
func awaitExit(ctx context.Context, processes []*systeminfo.ProcessInfo) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for _, p := range processes {
		for Alive(int(p.ID)) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Holds reports whether the browser whose DevTools are at that WebSocket address is the one that
// holds a profile folder: Chrome's own lock there names its process. Windows has no such lock.
func Holds(ctx context.Context, endpoint, profile string) bool {
	lock, err := os.Readlink(filepath.Join(profile, "SingletonLock")) // HOST-PID
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(lock[strings.LastIndexByte(lock, '-')+1:])
	if err != nil || !Alive(pid) {
		return false
	}
	b, err := Start(ctx, Options{Attach: endpoint})
	if err != nil {
		return false
	}
	defer b.Close()
	info, err := cdp.Call(ctx, b.conn.Root(), systeminfo.GetProcessInfo, cdp.Empty{})
	if err != nil {
		return false
	}
	for _, p := range info.ProcessInfo {
		if p.Type == "browser" {
			return int(p.ID) == pid
		}
	}
	return false
}

// Outlive lets a program that is about to be started continue when this one ends, and
// shields it from the terminal's signals.
func Outlive(c *exec.Cmd) { c.SysProcAttr = detached() }

// Endpoint is the WebSocket address of the DevTools that answer at HOST:PORT. It differs
// for every start of a browser, so it identifies the browser process. Where nothing listens the error comes at once;
// what listens is given time, as a browser on a busy machine needs it.
func Endpoint(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return endpoint(ctx, address)
}

// Answers reports whether a browser's DevTools answer at HOST:PORT.
func Answers(ctx context.Context, address string) bool {
	_, err := Endpoint(ctx, address)
	return err == nil
}

// ErrNotFound is the error of [Find] where no Chrome is installed.
var ErrNotFound = errors.New("no Chrome or Chromium found")

// FromEnvironment is the browser that $CHROME_PATH names, "" where it names none that can be started.
func FromEnvironment() string {
	path, err := exec.LookPath(os.Getenv("CHROME_PATH"))
	if err != nil {
		return ""
	}
	return path
}

// Find is the path of the browser to start: the one named, else that of $CHROME_PATH where it can be started,
// else the first Chrome, Chromium or Edge in $PATH and the usual folders. Its
// error explains what to do; it wraps [ErrNotFound] where nothing is installed.
func Find(named string) (string, error) {
	if named == "" {
		named = FromEnvironment()
	}
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("chrome at %q cannot be started (%w): name the program itself with --chrome",
				named, reason(err))
		}
		return path, nil
	}
	for _, c := range candidates() {
		if path, err := exec.LookPath(c); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s; or name it with --chrome", ErrNotFound, InstallAdvice().Text)
}

// installed is the name of the folder beside Chrome on Windows that its version is read from.
var installed = regexp.MustCompile(`^\d+(\.\d+){3}$`)

// Product is the name and version of the browser at a path, such as "Chromium 150.0.7871.181", without starting it to
// work. On Windows, where a Chrome that is asked opens a window instead, it is the newest version that lies beside it.
func Product(ctx context.Context, path string) (string, error) {
	if runtime.GOOS == "windows" {
		beside, err := os.ReadDir(filepath.Dir(path))
		for _, e := range slices.Backward(beside) {
			if installed.MatchString(e.Name()) {
				return strings.TrimSuffix(filepath.Base(path), ".exe") + " " + e.Name(), nil
			}
		}
		return "", errors.Join(fmt.Errorf("no version lies beside %s", path), err)
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	c := exec.CommandContext(ctx, path, "--version")
	c.WaitDelay = time.Second
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("asking %s for its version: %w", path, reason(err))
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), nil
}

// reason strips exec's repetition of the file name.
func reason(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err
	}
	return err
}

func candidates() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"google-chrome", "chromium",
		}
	case "windows":
		var list []string
		for _, base := range []string{os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"),
			os.Getenv("LocalAppData")} {
			if base == "" {
				continue
			}
			list = append(list,
				filepath.Join(base, `Google\Chrome\Application\chrome.exe`),
				filepath.Join(base, `Chromium\Application\chrome.exe`),
				filepath.Join(base, `Microsoft\Edge\Application\msedge.exe`))
		}
		return append(list, "chrome.exe", "msedge.exe")
	}
	return []string{
		"google-chrome", "google-chrome-stable", "chromium", "chromium-browser",
		"chrome", "microsoft-edge", "/snap/bin/chromium", "/usr/bin/chromium",
	}
}
