package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/serve"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/turn"
)

// seen is what a target shows: taken now, or read from a turn.
type seen struct {
	capture *snapshot.Capture
	picture []byte
	secrets collect.Secrets // for snap's own answer, nil without --allow-secrets
	turn    int             // number in its session, 0 for a throw-away turn
	where   string          // folder of that session
	record  *turn.Record    // of a turn that was read, else nil
}

func (s *seen) image() (*image.RGBA, error) {
	if len(s.picture) == 0 {
		return nil, export.ErrNoPicture
	}
	return overlay.DecodePNG(s.picture)
}

// recorded reports whether a target names a turn, and which.
func (a *app) recorded(target string) (turn.Address, bool) {
	at, err := turn.ParseTarget(a.home, target)
	if err != nil {
		return turn.Address{}, false
	}
	if _, err := os.Stat(at.Dir); err != nil && !turn.IsFileName(at.Dir) {
		if strings.Contains(target, "://") || strings.Contains(strings.SplitN(target, "#", 2)[0], ".") && !strings.ContainsAny(target, `/\`) {
			return turn.Address{}, false // a URL with a fragment
		}
	}
	return at, true
}

// load reads a recorded turn.
func load(ctx context.Context, at turn.Address) (*seen, error) {
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the session of %s: %w", at, err)
	}
	defer store.Close()
	rec, err := store.Load(ctx, at.N)
	if err != nil {
		return nil, fmt.Errorf("reading turn %s: %w", at, err)
	}
	return &seen{capture: rec.Capture, picture: rec.Picture, turn: rec.N, where: at.Dir, record: rec}, nil
}

// isCapture reports whether a target is a capture as snap --format capture prints it.
func isCapture(target string) bool {
	return !strings.Contains(target, "://") && strings.HasSuffix(strings.ToLower(target), ".json")
}

// readCapture reads such a file. It has no picture.
func readCapture(name string) (*seen, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("%s: %w: name a capture that is there", name, err)
	}
	c := &snapshot.Capture{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("%s is not a capture: %w", name, err)
	}
	if c.Schema != snapshot.Schema {
		return nil, fmt.Errorf("%s is not a capture: its schema is %q, not %q", name, c.Schema, snapshot.Schema)
	}
	return &seen{capture: c, where: name}, nil
}

// live keeps one browser for the targets of a command.
type live struct {
	a *app
	b *browser.Browser
}

func (a *app) live() *live { return &live{a: a} }

// close ends the browser, if one was needed.
func (l *live) close() {
	if l.b != nil {
		if err := l.b.Close(); err != nil {
			l.a.log().Debug("closing the browser", "error", err)
		}
	}
}

// start starts the browser, where that has not been done.
func (l *live) start(ctx context.Context) (err error) {
	if l.b == nil {
		ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
		defer cancel()
		l.b, err = l.a.start(ctx)
	}
	return err
}

// see gives what a target shows. Turns and captures are read; anything else is opened
// in a tab of its own, which is closed again.
func (l *live) see(ctx context.Context, target string, o session.Options) (*seen, error) {
	if at, ok := l.a.recorded(target); ok {
		return load(ctx, at)
	}
	if isCapture(target) {
		return readCapture(target)
	}
	if turn.IsFileName(target) {
		return nil, usagef("%s: name one of its turns, such as %s#1", target, target)
	}
	if err := l.start(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := browser.Within(ctx, l.a.timeout)
	defer cancel()
	tab, shut, err := l.open(ctx, target)
	if err != nil {
		return nil, err
	}
	defer shut()
	o.Tool = "refscopectl " + version
	o.Profiles = l.a.profiles()
	shot, err := session.Take(ctx, tab, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	s := &seen{capture: shot.Capture, picture: shot.Picture, turn: shot.N, secrets: shot.Secrets}
	if o.Store != nil {
		s.where = o.Store.Path()
	}
	return s, nil
}

// open opens a URL or an .html file in a tab of its own. shut closes it, and ends what
// served the file.
func (l *live) open(ctx context.Context, target string) (_ *browser.Tab, shut func(), err error) {
	var closers []func()
	end := func() {
		for _, c := range slices.Backward(closers) {
			c()
		}
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	to, err := resolve(target)
	if err != nil {
		return nil, nil, err
	}
	url := to.URL
	if to.Path != "" {
		srv, page, err := serve.File(ctx, to.Path)
		if err != nil {
			return nil, nil, err
		}
		closers = append(closers, func() { _ = srv.Close() }) // nobody reads from it any more
		url = page
	}
	if err := l.start(ctx); err != nil {
		return nil, nil, err
	}
	ctx, cancel := browser.Within(ctx, l.a.timeout)
	defer cancel()
	tab, err := l.b.OpenTab(ctx)
	if err != nil {
		return nil, nil, err
	}
	closers = append(closers, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = tab.Close(end) // a tab of a browser that is gone is closed
	})
	if l.a.device != nil {
		if err := tab.Emulate(ctx, l.a.device); err != nil {
			return nil, nil, err
		}
	}
	if err := tab.Navigate(ctx, url); err != nil {
		return nil, nil, err
	}
	return tab, end, nil
}

// resolve reads a target that is no turn: an existing file, else an address.
func resolve(target string) (address.Target, error) {
	low := strings.ToLower(target)
	if !strings.Contains(target, "://") && (strings.HasSuffix(low, ".html") || strings.HasSuffix(low, ".htm")) {
		if _, err := os.Stat(target); err == nil {
			return address.Target{Path: target}, nil
		}
	}
	to, err := address.Parse(target)
	if err != nil {
		return to, &usageError{err.Error()}
	}
	if to.Path != "" {
		if _, err := os.Stat(to.Path); err != nil {
			return to, fmt.Errorf("%s: %w: name an .html file that is there", to.Path, errors.Unwrap(err))
		}
	}
	return to, nil
}
