package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/capture/serve"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tabs"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// targetHelp describes what a TARGET can be; it is in the help of the program.
const targetHelp = `TARGET is an http(s) URL, the path of an .html file (served on loopback with its folder),
the alias of a tab (t1), a turn (SESSION#N or its folder) or a capture (.json). Turns and captures need no
browser.`

// oneTarget is the usage message of a command that reads one target.
const oneTarget = "name one turn (SESSION#N), capture (.json), .html file, tab or URL"

// targetKind is a form that a TARGET can have.
type targetKind int

const (
	turnTarget    targetKind = iota // a recorded turn
	captureTarget                   // a file that snap --format capture printed
	tabTarget                       // a tab that is open, by its alias
	pageTarget                      // a URL or an .html file
)

// target is a TARGET that was read.
type target struct {
	name string // as it was typed
	kind targetKind
	turn turn.Address
	page address.Target
	look *appearance // nil for that of the global flags
}

// appearance is how a page is shown.
type appearance struct {
	device *device.Device
	media  browser.Media
	locale string // "" for the browser's own
}

// show makes a tab show pages so.
func (l *appearance) show(ctx context.Context, tab *browser.Tab) error {
	if l.device != nil {
		if err := tab.Emulate(ctx, l.device); err != nil {
			return err
		}
	}
	if l.media != (browser.Media{}) {
		if err := tab.EmulateMedia(ctx, l.media); err != nil {
			return err
		}
	}
	if l.locale == "" {
		return nil
	}
	return tab.EmulateLocale(ctx, l.locale)
}

// recorded reports whether no browser is needed for it.
func (t target) recorded() bool { return t.kind == turnTarget || t.kind == captureTarget }

// parseTarget reads a TARGET. It is the only place that does.
func (a *app) parseTarget(name string) (target, error) {
	t := target{name: name}
	if at, ok := a.turnAddress(name); ok {
		t.kind, t.turn = turnTarget, at
		return t, nil
	}
	if !strings.Contains(name, "://") && strings.HasSuffix(strings.ToLower(name), ".json") {
		t.kind = captureTarget
		return t, nil
	}
	if turn.IsFileName(name) {
		return t, usagef("%s: name one of its turns, such as %s#1", name, name)
	}
	if registry.IsAlias(name) {
		t.kind = tabTarget
		return t, nil
	}
	t.kind = pageTarget
	low := strings.ToLower(name)
	if !strings.Contains(name, "://") && (strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm")) {
		if _, err := os.Stat(name); err == nil { // whatever else it could be read as
			t.page.Path = name
			return t, nil
		}
	}
	var err error
	if t.page, err = address.Parse(name); err != nil {
		return t, &usageError{err.Error()}
	}
	if t.page.Path != "" {
		if _, err := os.Stat(t.page.Path); err != nil {
			return t, fmt.Errorf("%s: %w: name an .html file that is there", t.page.Path, export.Cause(err))
		}
	}
	return t, nil
}

// turnAddress reports whether a target names a recorded turn, and which.
func (a *app) turnAddress(name string) (turn.Address, bool) {
	at, err := turn.ParseTarget(a.home, name)
	if err != nil {
		return turn.Address{}, false
	}
	if _, err := os.Stat(at.Dir); err != nil && !turn.IsFileName(at.Dir) {
		host, _, _ := strings.Cut(name, "#")
		if strings.Contains(name, "://") || strings.Contains(host, ".") && !strings.ContainsAny(name, `/\`) {
			return turn.Address{}, false // a URL with a fragment
		}
	}
	return at, true
}

// checkPages refuses targets that cannot be opened in a tab, before any is opened.
func (a *app) checkPages(command string, names []string) error {
	for _, name := range names {
		t, err := a.parseTarget(name)
		var wrong *usageError
		switch {
		case errors.As(err, &wrong):
			return err
		case t.recorded():
			return usagef("%s: %s is a turn already: name a URL or an .html file", command, name)
		}
	}
	return nil
}

// resolvedTarget is what a target shows: read from a turn or a file, or captured now.
type resolvedTarget struct {
	name    string
	capture *snapshot.Capture
	picture []byte          // the clean PNG, nil without one
	secrets collect.Secrets // for snap's own answer, nil without --allow-secrets
	turn    int             // number in its session, 0 for a throw-away turn
	where   string          // folder of that session
	record  *turn.Record    // of a turn that was read, else nil
	tab     string          // alias of the tab, "" for one that was closed again
}

// readTurn reads a recorded turn.
func readTurn(ctx context.Context, at turn.Address) (*resolvedTarget, error) {
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the session of %s: %w", at, err)
	}
	defer store.Close()
	rec, err := store.Load(ctx, at.N)
	if err != nil {
		return nil, fmt.Errorf("reading turn %s: %w", at, err)
	}
	return &resolvedTarget{capture: rec.Capture, picture: rec.Picture, turn: rec.N, where: at.Dir, record: rec}, nil
}

// readCapture reads a capture as snap --format capture prints it. It has no picture.
func readCapture(name string) (*resolvedTarget, error) {
	data, err := readRegular(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name a capture that is there", name, export.Cause(err))
	}
	c := &snapshot.Capture{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("%s is not a capture: %w", name, err)
	}
	if c.Schema != snapshot.Schema {
		return nil, fmt.Errorf("%s is not a capture: its schema is %q, not %q", name, c.Schema, snapshot.Schema)
	}
	return &resolvedTarget{capture: c, where: name}, nil
}

// readRegular reads a file whole. Of a pipe or a device, which may never end, it reads nothing.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	return os.ReadFile(name)
}

// clean decodes the picture.
func (r *resolvedTarget) clean() (*image.RGBA, error) {
	if len(r.picture) == 0 {
		return nil, export.ErrNoPicture
	}
	return overlay.DecodePNG(r.picture)
}

// findPicture looks for the picture that lies beside a capture file under its name.
func (r *resolvedTarget) findPicture(needed bool) error {
	if len(r.picture) > 0 || r.where != r.name {
		return nil
	}
	beside := strings.TrimSuffix(r.name, filepath.Ext(r.name)) + ".png"
	data, err := readRegular(beside)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s, the picture of %s: %w", beside, r.name, export.Cause(err))
	case err != nil && needed:
		return fmt.Errorf("%s has no picture, and there is none beside it as %s: name the page, or a recorded turn",
			r.name, beside)
	}
	r.picture = data
	return nil
}

// canvas is the picture that marks are drawn on: that of the turn, or one that lies beside
// a capture under its name. Where there is none and none is needed, its size is all that is
// in it.
func (r *resolvedTarget) canvas(needed bool) (*image.RGBA, error) {
	if err := r.findPicture(needed); err != nil {
		return nil, err
	}
	v := r.capture.Viewport
	want := image.Pt(int(v.Width*v.Scale+0.5), int(v.Height*v.Scale+0.5))
	if len(r.picture) == 0 {
		if needed || want.X <= 0 || want.Y <= 0 || !(v.Width*v.Scale*v.Height*v.Scale <= session.MaxFullPixels) {
			return nil, fmt.Errorf("%s: %w", r.name, export.ErrNoPicture)
		}
		return &image.RGBA{Stride: 4 * want.X, Rect: image.Rectangle{Max: want}}, nil
	}
	img, err := r.clean()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if d := img.Rect.Max.Sub(want); r.where == r.name && (d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1) {
		return nil, fmt.Errorf("%s: the picture beside it is %d x %d px, and not %d x %d: it is of another moment",
			r.name, img.Rect.Dx(), img.Rect.Dy(), want.X, want.Y)
	}
	return img, nil
}

// opener opens the targets of a command. It keeps one browser for all of them. It is safe for
// concurrent use once keep is set.
type opener struct {
	a *app
	// keep leaves tabs open, with an alias, in a browser that outlives the command.
	keep bool
	// ready, where it is not nil, is called with a tab that shows a page, before it is captured.
	ready func(ctx context.Context, tab *openedTab) error
	// made, where it is not nil, is called with the id of a tab that was opened to be closed again.
	made func(tab string)

	starting sync.Mutex
	b        *browser.Browser
	host     *tabs.Host // of kept tabs
}

func (a *app) opener() *opener { return &opener{a: a} }

// close ends the browser, if one was needed. Kept tabs stay.
func (o *opener) close() {
	if o.b != nil {
		if err := o.b.Close(); err != nil {
			o.a.log().Debug("closing the browser", "error", err)
		}
	}
	if o.host != nil {
		if err := o.host.Close(); err != nil {
			o.a.log().Debug("leaving the browser", "error", err)
		}
	}
}

// open returns what a target shows. Turns and captures are read, a tab is captured as it is,
// and a page is opened in a tab of its own, which is closed again unless it is to be kept.
//
// A capture of a tab with an alias is a turn of that tab's session, so that its numbers are
// those that the steps of a run go by, unless s names another session or allows secrets.
func (o *opener) open(ctx context.Context, name string, s session.Options) (*resolvedTarget, error) {
	return o.openAs(ctx, name, nil, s)
}

// openAs is open with an appearance for a page that is opened; nil for that of the global flags.
func (o *opener) openAs(ctx context.Context, name string, look *appearance, s session.Options) (*resolvedTarget, error) {
	t, err := o.a.parseTarget(name)
	if err != nil {
		return nil, err
	}
	t.look = look
	var r *resolvedTarget
	switch t.kind {
	case turnTarget:
		r, err = readTurn(ctx, t.turn)
	case captureTarget:
		r, err = readCapture(name)
	default:
		r, err = o.capture(ctx, t, s)
	}
	if err != nil {
		return nil, err
	}
	r.name = name
	for _, failed := range r.capture.Failed {
		switch failed.Layer {
		case snapshot.LayerWalk, "attributes", "frames", "full page":
			o.a.remark("%s: %s", name, failed.Why)
		}
	}
	return r, nil
}

// capture opens a tab and captures what it shows. Where it was a browser of a pool whose connection was lost, another
// one is tried, once.
func (o *opener) capture(ctx context.Context, t target, s session.Options) (*resolvedTarget, error) {
	r, lost, err := o.captureIn(ctx, t, s)
	if err != nil && lost && ctx.Err() == nil {
		o.a.log().Debug("the browser was lost: trying again", "target", cleanTarget(t.name), "error", err)
		r, _, err = o.captureIn(ctx, t, s)
	}
	return r, err
}

// captureIn captures what a target shows in one browser; lost reports that the connection to one of a pool was.
func (o *opener) captureIn(ctx context.Context, t target, s session.Options) (_ *resolvedTarget, lost bool, err error) {
	started := trace.Start(ctx, trace.LaneCommand, "start of the browser")
	b, leave, err := o.start(ctx, t)
	started()
	if err != nil {
		return nil, false, err
	}
	leave = sync.OnceValue(leave)
	defer func() { lost = leave() }()
	r, err := o.captureWith(ctx, b, t, s, func() { leave() })
	return r, false, err
}

// captureWith captures what a target shows in a browser, which it gives back early where its turn has to wait for
// others that may need it.
func (o *opener) captureWith(ctx context.Context, b *browser.Browser, t target, s session.Options, giveBack func()) (
	*resolvedTarget, error) {
	ctx, cancel := browser.Within(ctx, o.a.timeout) // opening and reading, without the start of a browser
	defer cancel()
	opened := trace.Start(ctx, trace.LaneCommand, "open")
	tab, err := o.openTab(ctx, b, t)
	opened()
	if err != nil {
		return nil, err
	}
	defer tab.leave()
	if wait := s.BeforeSave; wait != nil && o.a.pool != nil && !writesIntoPage(s) {
		s.BeforeSave = func() error {
			tab.leave()
			giveBack()
			return wait()
		}
	}
	if o.ready != nil {
		if err := o.ready(ctx, tab); err != nil {
			return nil, err
		}
	}
	defer trace.Start(ctx, trace.LaneCommand, "capture")()
	if s.Store == nil && tab.store != nil && !s.AllowSecrets {
		s.Store, s.NoPicture = tab.store, false
	}
	s.Tool, s.Profiles, s.Collect.Known = tool(), o.a.profiles(), tab.known
	shot, err := session.Take(ctx, tab.Tab, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	r := &resolvedTarget{
		capture: shot.Capture, picture: shot.Picture, turn: shot.N, secrets: shot.Secrets, tab: tab.alias,
	}
	if s.Store != nil {
		r.where = s.Store.Path()
	}
	return r, nil
}

// openCapture is the capture of a target, without a picture.
func (o *opener) openCapture(ctx context.Context, name, action string) (*snapshot.Capture, error) {
	r, err := o.open(ctx, name, session.Options{NoPicture: true, Action: action})
	if err != nil {
		return nil, err
	}
	return r.capture, nil
}

// openedTab is a tab that shows a target.
type openedTab struct {
	*browser.Tab
	alias   string        // "" for one that is closed again
	known   *redact.Known // what its session has met, nil for a page that was just opened
	store   *turn.Store   // session of the alias
	closers []func()
}

// leave closes the tab, or leaves it open, and ends what served it. Only the first call does something.
func (t *openedTab) leave() {
	closers := t.closers
	t.closers = nil
	for _, c := range slices.Backward(closers) {
		c()
	}
}

// writesIntoPage tells whether saving a turn needs the page that was captured.
func writesIntoPage(s session.Options) bool { return s.Stamp || s.DebugSurface }

// start is the browser that a target needs, started where that has not been done, or lent by the pool; nil for one
// that is found by the tab. leave gives it back, and reports whether the connection to one of the pool was lost.
func (o *opener) start(ctx context.Context, t target) (b *browser.Browser, leave func() (lost bool), err error) {
	nothing := func() bool { return false }
	if t.kind == pageTarget && !o.keep && o.a.pool != nil {
		lent, err := o.a.pool.Take(ctx)
		if err != nil {
			return nil, nil, err
		}
		leave = func() bool {
			defer lent.Return()
			return lent.Lost()
		}
		return lent.WithViewport(o.a.width, o.a.height), leave, nil
	}
	o.starting.Lock()
	defer o.starting.Unlock()
	switch {
	case t.kind == tabTarget:
	case o.keep && o.host == nil:
		o.host, err = o.a.host()
	case !o.keep && o.b == nil:
		ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
		defer cancel()
		o.b, err = o.a.start(ctx)
	}
	return o.b, nothing, err
}

// openTab opens a URL or an .html file in a tab of its own in a browser of [opener.start], or connects to an open tab.
func (o *opener) openTab(ctx context.Context, b *browser.Browser, t target) (_ *openedTab, err error) {
	tab := &openedTab{}
	defer func() {
		if err != nil {
			tab.leave()
		}
	}()
	if t.kind == tabTarget {
		ctx, cancel := browser.Within(ctx, o.a.timeout)
		defer cancel()
		return tab, o.attach(ctx, t.name, tab)
	}
	url := t.page.URL
	if t.page.Path != "" {
		srv, page, err := serve.File(ctx, t.page.Path)
		if err != nil {
			return nil, err
		}
		tab.closers = append(tab.closers, func() { _ = srv.Close() }) // nobody reads from it any more
		url = page
	}
	ctx, cancel := browser.Within(ctx, o.a.timeout)
	defer cancel()
	if o.keep {
		err = o.newKeptTab(ctx, tab)
	} else {
		err = o.newTab(ctx, b, tab)
	}
	if err != nil {
		return nil, err
	}
	look := t.look
	if look == nil {
		look = &appearance{device: o.a.device}
	}
	if err := look.show(ctx, tab.Tab); err != nil {
		return nil, err
	}
	return tab, tab.Navigate(ctx, url)
}

// newTab opens an empty tab that is closed again.
func (o *opener) newTab(ctx context.Context, b *browser.Browser, tab *openedTab) (err error) {
	if tab.Tab, err = b.OpenTab(ctx); err != nil {
		return err
	}
	if o.made != nil {
		o.made(tab.ID())
	}
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tab.Close(end) // a tab of a browser that is gone is closed
	})
	return nil
}

// newKeptTab opens an empty tab that stays, in the browser of run.
func (o *opener) newKeptTab(ctx context.Context, tab *openedTab) error {
	kept, err := o.host.Open(ctx, tabs.Place{})
	if err != nil {
		return err
	}
	tab.Tab, tab.alias, tab.store = kept.Tab, kept.Alias, kept.Store
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		kept.Release(end)
	})
	return nil
}

// attach connects to the tab with an alias. A tab that the broker keeps is left as it is, with
// what a run emulates in it; one of ours that nobody keeps has lost the viewport that it was
// opened with, and gets it again.
func (o *opener) attach(ctx context.Context, alias string, tab *openedTab) error {
	r := registry.Open(o.a.home)
	file, err := r.Load()
	if err != nil {
		return err
	}
	known, ok := file.Tabs[alias]
	if !ok {
		return fmt.Errorf("%s: %w: refscopectl browser tabs lists them", alias, registry.ErrNoTab)
	}
	if !browser.Answers(ctx, known.Address()) {
		return fmt.Errorf("%s: no browser answers at %s, so the tab is gone: open its page again", alias, known.Address())
	}
	unlock, err := r.LockTab(ctx, alias)
	if err != nil {
		return fmt.Errorf("waiting for the command that uses tab %s: %w", alias, err)
	}
	tab.closers = append(tab.closers, unlock)
	b, err := browser.Start(ctx, browser.Options{Attach: known.Address(), Log: o.a.log()})
	if err != nil {
		return fmt.Errorf("%s: %w", alias, err)
	}
	tab.closers = append(tab.closers, func() { _ = b.Close() }) // the browser stays, its connection ends
	if tab.Tab, err = b.AttachTab(ctx, known.TargetID); err != nil {
		return fmt.Errorf("%s: %w: refscopectl browser tabs lists the tabs that there are", alias, err)
	}
	tab.closers = append(tab.closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = tab.Detach(end) // a tab that is gone is left too
	})
	if status, err := o.a.brokerStatus(ctx); err != nil {
		return err
	} else if known.Own && len(known.Emulation) == 0 && (status == nil || status.Tabs == 0) {
		if err := tab.Resize(ctx, o.a.width, o.a.height); err != nil {
			return fmt.Errorf("%s: %w", alias, err)
		}
	}
	name := o.a.session
	if name == "" {
		name = alias
	}
	if tab.store, err = o.a.store(ctx, name); err != nil {
		return err
	}
	tab.alias, tab.known = alias, &redact.Known{}
	kept := o.a.brokerSecrets(ctx)
	for _, k := range kept { // what was typed may be shown by any tab
		tab.known.Learn(redact.Kept{Typed: k.Typed})
	}
	tab.known.Learn(kept[name])
	tab.known.Learn(kept[alias])
	tab.closers = append(tab.closers, func() { _ = tab.store.Close() }) // what was written is on disk
	return nil
}

// store opens the session with that name in the home folder, or makes it.
func (a *app) store(ctx context.Context, name string) (*turn.Store, error) {
	if err := turn.CheckName(name); err != nil {
		return nil, &usageError{"--session: " + err.Error()}
	}
	return openStore(ctx, turn.SessionDir(a.home, name))
}

func openStore(ctx context.Context, dir string) (*turn.Store, error) {
	s, err := turn.OpenOrCreate(ctx, turn.Dir(dir), tool())
	if err != nil {
		return nil, fmt.Errorf("session folder %s: %w", dir, err)
	}
	return s, nil
}

// printKept prints the alias of a tab that --keep left open, also with --quiet: it is a
// result of the command.
func (a *app) printKept(r *resolvedTarget) {
	if r.tab != "" {
		fmt.Fprintf(a.stderr, "tab %s\n", r.tab)
	}
}

// captureFlags describe how a page is captured: snap, mark, turn, audit, tokens, golden and task
// share them, --keep and what is written into the page only where they are requested.
type captureFlags struct {
	settle session.Settle
	keep   bool
	writes session.PageWrites
	jobs   int
}

const captureSection = "How the page is captured"

func (f *captureFlags) register(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.DurationVar(&f.settle.Quiet, "settle", 0, "`TIME` that the page must be quiet; 0 is the site's profile, else 300ms")
	fs.DurationVar(&f.settle.Max, "settle-max", 0, "`TIME` to wait for that; 0 is the site's profile, else 3s")
	addSection(c, captureSection, fs)
}

// registerKeep adds --keep.
func (f *captureFlags) registerKeep(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&f.keep, "keep", false,
		"leave the tab open, in the browser that run uses, and print its alias on standard error")
	addSection(c, captureSection, fs)
}

// registerWrites adds --stamp and --debug-surface.
func registerWrites(c *cobra.Command, w *session.PageWrites) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.BoolVar(&w.Stamp, "stamp", false, "write the numbers into the page as data-llm-id; it changes the page")
	fs.BoolVar(&w.DebugSurface, "debug-surface", false,
		"give the page window.__dddkDebug with its dump and messages; it changes the page")
	addSection(c, captureSection, fs)
}

// remarkLost warns that what was written was lost with the closed tab.
func (f *captureFlags) remarkLost(a *app, r *resolvedTarget) {
	if f.writes != (session.PageWrites{}) && r.record == nil && r.tab == "" {
		a.remark("%s: what --stamp and --debug-surface wrote went with its tab: add --keep, or name a tab that is open",
			cleanTarget(r.name))
	}
}
