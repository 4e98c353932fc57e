// Package browser finds, launches and attaches to Chrome, and owns the DevTools
// protocol sessions of its tabs. Start with [Start].
//
// chromedp starts the process, cleans up its profile folder and types the
// protocol; the sessions are ours. A [Conn] is one WebSocket to the browser; each
// [Session] on it is a flattened protocol session, of the browser itself, of a
// tab, or of an out-of-process frame inside a tab. chromedp's own target keeps a
// mirror of the DOM whose event queue can deadlock the connection when a page adds
// hundreds of frames, and it drops messages of sessions that it did not make.
//
// A browser that this package did not start is never closed, restarted or
// reconfigured: only tabs that were opened here are closed again.
package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
)

// Options configure which browser to use and how. The zero value launches the Chrome
// that [Find] finds, headless, 1280x720 at scale 1.
type Options struct {
	Chrome string // path of the program to launch; "" finds one
	// Attach is where a browser runs: HOST:PORT, or the http(s):// or ws(s):// address of it or of a gateway, with a
	// token in the query where it wants one. Then nothing is launched. No error names more of it than [Where].
	Attach string
	Header http.Header // sent to Attach, as a gateway may ask for
	// Isolated opens tabs as a browser that was just started would: pages see nothing of what others have stored
	// there, and what they store is gone with Close.
	Isolated bool
	// Profile is the folder that a launched browser keeps its data in. "" is a throw-away
	// one: what pages leave in it is gone with the browser.
	Profile string
	Headed  bool // launch with a visible window
	Width   int  // viewport width, CSS px; 0 means 1280
	Height  int  // viewport height, CSS px; 0 means 720
	Scale   float64
	// Flags are further command line flags of the launched browser, with or
	// without leading dashes, such as "lang=de".
	Flags []string
	Log   *slog.Logger // nil discards
}

func (o *Options) defaults() {
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Scale <= 0 {
		o.Scale = 1
	}
	o.Log = o.log()
}

// log is where to log, or nowhere.
func (o *Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// Browser is a running Chrome, launched or attached to. It is safe for
// concurrent use.
type Browser struct {
	conn     *Conn
	opt      Options
	version  string
	agent    string // its own user agent
	wsURL    string
	launched bool
	headless bool
	context  cdp.BrowserContextID // of the tabs that are opened, "" for the browser's own
	// downloads are those that are kept, nil where they are not.
	downloads *downloads
	stop      func() // ends a launched process and removes its profile; waits
}

// Start launches a browser, or attaches to the one that [Options.Attach] names.
// The context bounds the start only: a launched browser lives until Close.
func Start(ctx context.Context, o Options) (_ *Browser, err error) {
	o.defaults()
	b := &Browser{opt: o, stop: func() {}}
	var g *gateway
	if o.Attach != "" {
		if g, err = newGateway(o.Attach, o.Header); err != nil {
			return nil, err
		}
		if b.wsURL, err = g.websocket(ctx); err != nil {
			return nil, err
		}
	} else {
		if err := b.launch(ctx); err != nil {
			return nil, err
		}
		if g, err = newGateway(b.wsURL, nil); err != nil {
			b.stop()
			return nil, err
		}
	}
	transport, err := g.dial(ctx, b.wsURL)
	if err != nil {
		b.stop()
		return nil, err
	}
	b.conn = newConn(transport)
	v, err := cdp.Call(ctx, b.conn.Root(), protocol.GetVersion, cdp.Empty{})
	if err != nil {
		_ = b.Close()
		return nil, fmt.Errorf("asking the browser for its version: %w", err)
	}
	if err := tooOld(v.Product); err != nil {
		_ = b.Close()
		return nil, err
	}
	b.version, b.agent = v.Product, v.UserAgent
	// a flag can change the user agent
	b.headless = b.launched && !o.Headed || strings.Contains(v.UserAgent, "Headless")
	if o.Isolated {
		res, err := cdp.Call(ctx, b.conn.Root(), target.CreateBrowserContext,
			target.CreateBrowserContextParams{DisposeOnDetach: &o.Isolated})
		if err != nil {
			_ = b.Close()
			return nil, fmt.Errorf("keeping tabs apart from those of the browser: %w", err)
		}
		b.context = res.BrowserContextID
	}
	if b.launched || o.Isolated {
		// A page must not fill the disk: downloads are reported, not kept.
		_, err := cdp.Call(ctx, b.conn.Root(), protocol.SetDownloadBehavior,
			protocol.SetDownloadBehaviorParams{Behavior: protocol.SetDownloadBehaviorBehaviorDeny,
				BrowserContextID: b.context})
		if err != nil {
			o.Log.Warn("downloads could not be refused", "error", err)
		}
	}
	return b, nil
}

// launch starts Chrome through chromedp, which owns the process and its profile
// folder, and learns the address of its DevTools from the dial.
func (b *Browser) launch(ctx context.Context) error {
	path, err := Find(b.opt.Chrome)
	if err != nil {
		return err
	}
	if err := enoughFiles(openFiles()); err != nil {
		return fmt.Errorf("starting chrome at %q: %w", path, err)
	}
	profile, discard := b.opt.Profile, func() {}
	if profile == "" {
		if profile, discard, err = throwAway(ctx); err != nil {
			return err
		}
	}
	opts := chromedp.DefaultExecAllocatorOptions[:]
	opts = append(opts[:len(opts):len(opts)],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.Env(temporary(profile)...),
		chromedp.WSURLReadTimeout(time.Minute), // the context bounds the start; 20 s are too few on a busy machine
		chromedp.WindowSize(b.opt.Width, b.opt.Height),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("no-startup-window", !b.opt.Headed),
		// Or a page that calls pushState without end would hold up the whole browser.
		chromedp.Flag("disable-ipc-flooding-protection", false),
		chromedp.Flag("remote-debugging-address", "127.0.0.1"),
		chromedp.WithDialer(func(ctx context.Context, ws string) (chromedp.Transport, error) {
			b.wsURL = ws
			return remote.DialContext(ctx, ws)
		}),
	)
	if b.opt.Headed {
		opts = append(opts, chromedp.VisibleWindow)
	}
	if os.Getuid() == 0 {
		b.opt.Log.Warn("running as root: Chrome is started with --no-sandbox, so do not open pages you do not trust")
		opts = append(opts, chromedp.NoSandbox)
	}
	for _, f := range startFlags(b.opt.Flags, b.opt.Profile == "") {
		name, value, found := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if found {
			opts = append(opts, chromedp.Flag(name, value))
		} else {
			opts = append(opts, chromedp.Flag(name, true))
		}
	}
	// The process belongs to Close, not to the context of the start.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	alloc, cancelAlloc := chromedp.NewExecAllocator(life, opts...)
	quiet := func(string, ...any) {}
	cctx, cancel := chromedp.NewContext(alloc, chromedp.WithLogf(quiet),
		chromedp.WithErrorf(func(f string, args ...any) {
			b.opt.Log.Debug("chromedp", "message", fmt.Sprintf(f, args...))
		}))
	stop := func() { cancel(); cancelAlloc(); end(); discard() }

	started := make(chan error, 1)
	go func() {
		_, err := chromedp.CallBrowser(cctx, protocol.GetVersion, cdp.Empty{})
		started <- err
	}()
	select {
	case err = <-started:
	case <-ctx.Done():
		end() // kills the process; the goroutine above then returns
		<-started
		err = ctx.Err()
	}
	if err != nil {
		stop()
		return fmt.Errorf("starting chrome at %q: %w", path, launchReason(err))
	}
	b.launched, b.stop = true, stop
	return nil
}

// leastFiles is how many files a Chrome has open at least while it shows a page; with 128 it ends without a word.
const leastFiles = 160

// enoughFiles fails where a process started here may open fewer files than Chrome needs; 0 is any number.
func enoughFiles(limit uint64) error {
	if limit == 0 || limit >= leastFiles {
		return nil
	}
	return fmt.Errorf("it may open %d files only, and needs %d or more: raise the limit with ulimit -n 1024",
		limit, leastFiles)
}

// launchReason shortens chromedp's report, which carries Chrome's whole output.
func launchReason(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "permission denied"):
		return errors.New("permission denied: name the Chrome program itself with --chrome")
	case strings.Contains(text, "exec format error"):
		return errors.New("it is not a program for this machine: name the Chrome program itself with --chrome")
	}
	if i := strings.IndexByte(text, '\n'); i > 0 {
		text = text[:i]
	}
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	if bare := strings.TrimRight(text, ": "); bare != text || bare == "" {
		text = strings.TrimSpace(bare +
			": it ended at once and said nothing: name the Chrome program itself with --chrome")
	}
	return errors.New(text)
}

// endpoint is the WebSocket address of a running browser's DevTools.
func endpoint(ctx context.Context, attach string) (string, error) {
	g, err := newGateway(attach, nil)
	if err != nil {
		return "", err
	}
	return g.websocket(ctx)
}

// oldest is the first version of Chrome that is read whole: 115 describes no closed shadow roots, and those before it
// no nodes at all.
const oldest = 119

// ErrTooOld is why an older one is refused.
var ErrTooOld = fmt.Errorf("older than Chrome %d, which is needed to read all that is on a page", oldest)

var productName = regexp.MustCompile(`^(?:Headless)?(?:Chrome|Edg)/(\d+)\.`)

// tooOld is the [ErrTooOld] for a browser that is older than that; nil where its product string does not say so.
func tooOld(product string) error {
	if m := productName.FindStringSubmatch(product); m != nil {
		if major, err := strconv.Atoi(m[1]); err == nil && major < oldest {
			return fmt.Errorf("the browser is %s: %w", product, ErrTooOld)
		}
	}
	return nil
}

// Version is the browser's product string, such as "Chrome/156.0.8078.79".
func (b *Browser) Version() string { return b.version }

// Launched reports whether this process started the browser.
func (b *Browser) Launched() bool { return b.launched }

// Done is closed when the browser is gone.
func (b *Browser) Done() <-chan struct{} { return b.conn.Done() }

// Close ends a launched browser, waits for its process and removes its profile;
// an attached one only loses this connection.
func (b *Browser) Close() error {
	err := b.conn.Close()
	b.stop()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// TabInfo names one tab of the browser.
type TabInfo struct {
	ID    string `json:"id"` // the protocol's target id
	URL   string `json:"url"`
	Title string `json:"title"`
	// Opener is the id of the tab whose page opened it, "" for none.
	Opener string `json:"-"`
	// Context is the id of its browser context: those of one share what pages store.
	Context string `json:"-"`
}

// Tabs lists the browser's tabs in the order that the browser gives.
func (b *Browser) Tabs(ctx context.Context) ([]TabInfo, error) {
	res, err := cdp.Call(ctx, b.conn.Root(), target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil, fmt.Errorf("listing tabs: %w", err)
	}
	var tabs []TabInfo
	for _, t := range res.TargetInfos {
		if isTab(t) {
			tabs = append(tabs, TabInfo{ID: string(t.TargetID), URL: t.URL, Title: t.Title, Opener: string(t.OpenerID),
				Context: string(t.BrowserContextID)})
		}
	}
	return tabs, nil
}

// isTab reports whether a target is a tab: the browser's own panels are pages to the protocol, and nobody's tabs.
func isTab(t *target.Info) bool {
	return t.Type == "page" && !strings.HasPrefix(t.URL, "devtools://") && !strings.HasPrefix(t.URL, "chrome://omnibox")
}

// EachTarget calls tab with the id of each tab that is opened from now on, and program with that of each program of an
// extension that starts: its worker, its page in the background or at the side. It lasts until the context or the
// browser ends. Where it is the first to listen, it calls both with those that are there, too.
func (b *Browser) EachTarget(ctx context.Context, tab, program func(id string)) error {
	root := b.conn.Root()
	made, stop := root.Subscribe(target.TargetCreated.Method)
	defer stop()
	changed, stopChanged := root.Subscribe(target.TargetInfoChanged.Method)
	defer stopChanged()
	if err := call(ctx, root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true}); err != nil {
		return fmt.Errorf("listening for new tabs: %w", err)
	}
	programs := map[target.ID]bool{} // a page has its id before its address
	for {
		var raw jsonv2.Value
		var more, isNew bool
		select {
		case raw, more = <-made:
			isNew = true
		case raw, more = <-changed:
		case <-ctx.Done():
			return nil
		}
		if !more {
			return nil
		}
		var ev target.EventTargetCreated
		if jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) != nil || ev.TargetInfo == nil {
			continue
		}
		id := ev.TargetInfo.TargetID
		if isNew && isTab(ev.TargetInfo) {
			tab(string(id))
		}
		if !programs[id] && isProgram(ev.TargetInfo) {
			programs[id] = true
			program(string(id))
		}
	}
}

// isProgram reports whether a target runs an extension's code: it may be an agent that lives in the browser.
func isProgram(t *target.Info) bool {
	return strings.HasPrefix(t.URL, "chrome-extension://") && t.Type != "tab"
}

// AttachProgram attaches to a program of an extension, by the id that [Browser.EachTarget] gave, and listens to its
// network. It calls fn with its session, and with those of workers and frames that it starts, before they ask for
// anything: fn must return at once and must not call. [Browser.Leave] leaves it.
func (b *Browser) AttachProgram(ctx context.Context, id string, fn func(s *Session)) (*Session, error) {
	s, err := b.enter(ctx, target.ID(id))
	if err != nil {
		return nil, fmt.Errorf("attaching to a program of an extension: %w", err)
	}
	b.overhear(s, fn)
	wait := begin(ctx, s, network.Enable, network.EnableParams{})
	_ = s.Post(ctx, target.SetAutoAttach.Method, attachAll()) // not every kind of program starts others
	if err := wait(); err != nil {
		_ = b.Leave(context.WithoutCancel(ctx), s)
		return nil, fmt.Errorf("listening to a program of an extension: %w", err)
	}
	return s, nil
}

// overhear calls fn with a session and with those that it attaches to by itself, which go on then.
func (b *Browser) overhear(s *Session, fn func(s *Session)) {
	fn(s)
	on(s, target.AttachedToTarget, func(ev target.EventAttachedToTarget) {
		child := b.conn.session(ev.SessionID)
		b.overhear(child, fn)
		_ = child.Post(context.Background(), network.Enable.Method, network.EnableParams{})
		_ = child.Post(context.Background(), target.SetAutoAttach.Method, attachAll())
		_ = child.Post(context.Background(), runtime.RunIfWaitingForDebugger.Method, cdp.Empty{}) // it may be gone
	})
}

// enter attaches to any target.
func (b *Browser) enter(ctx context.Context, id target.ID) (*Session, error) {
	flat := true
	res, err := cdp.Call(ctx, b.conn.Root(), target.AttachToTarget,
		target.AttachToTargetParams{TargetID: id, Flatten: &flat})
	if err != nil {
		return nil, err
	}
	return b.conn.session(res.SessionID), nil
}

// Leave detaches from a target.
func (b *Browser) Leave(ctx context.Context, s *Session) error {
	err := call(ctx, b.conn.Root(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: s.id})
	b.conn.drop(s.id)
	return err
}
