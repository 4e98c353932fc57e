package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"runtime"

	"github.com/refscope/refscope/capture/browser"
)

// ServersBrowser is the browser of a server.
type ServersBrowser struct {
	Watched  *browser.Browser // nil where there is none to watch yet
	Handed   string           // HOST:PORT, where it is to be handed over
	launched *browser.Browser // nil where it was not started here
}

// Close leaves the browser, and ends one that was started here.
func (s ServersBrowser) Close() error {
	var errs []error
	for _, b := range []*browser.Browser{s.Watched, s.launched} {
		if b != nil {
			errs = append(errs, b.Close())
		}
	}
	return errors.Join(errs...)
}

// OpenBrowser starts the browser that the server is to use, or attaches to it, and tells remark what it does. s is nil
// for a server that is not known, o what a person said of the browser: it goes before the server's own switches.
func (s *Server) OpenBrowser(ctx context.Context, argv []string, o browser.Options,
	remark func(format string, args ...any)) (_ ServersBrowser, err error) {
	said := s.Browser(argv, os.Getenv)
	var b ServersBrowser
	attach := o.Attach
	if attach == "" {
		attach = said.Own
		why := ""
		switch {
		case attach != "":
		case s == nil:
			why = "this server is not known: its browser is found by its debugging port, or named with --attach"
		case said.Named:
			why = "the server's own switches choose its browser: it is found by its debugging port, or named with " +
				"--attach"
		case said.Other:
			why = "the server uses a browser that is no Chrome: its calls are recorded without pages"
		case s.Note != "":
			why = s.Name + ": " + s.Note
		}
		if why != "" {
			remark("tap mcp: %s", why)
			return b, nil
		}
	}
	what := "the browser"
	if attach == "" {
		if b.launched, err = s.start(ctx, o, said); err != nil {
			return ServersBrowser{}, fmt.Errorf("%w; --no-browser records without pages", err)
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, b.Close())
			}
		}()
		attach, what = b.launched.Endpoint(), "a Chrome with a throw-away profile, or that of --profile-dir,"
	}
	// A browser that was started elsewhere is left as it is; so is this one, for who watches it.
	if b.Watched, err = browser.Start(ctx, browser.Options{Attach: attach, Log: o.Log}); err != nil {
		if o.Attach != "" || b.launched != nil {
			return b, err
		}
		// the server tells what is wrong, or starts it
		remark("tap mcp: the server's browser is not watched: %v", err)
		return ServersBrowser{}, nil
	}
	if said.Named || s == nil {
		return b, nil
	}
	u, err := url.Parse(b.Watched.Endpoint())
	if err != nil || u.Port() == "" {
		return b, errors.New("the browser's address has no port to hand over")
	}
	b.Handed = u.Host
	remark("tap mcp: %s gets %s at %s", s.Name, what, b.Handed)
	return b, nil
}

// start opens a browser as the switches of a server describe the one that it would start.
func (s *Server) start(ctx context.Context, o browser.Options, said Browser) (*browser.Browser, error) {
	o.Chrome, o.Profile = cmp.Or(o.Chrome, said.Chrome), cmp.Or(o.Profile, said.Profile)
	o.Headed = o.Headed || !said.Headless && hasDisplay()
	o.Flags = said.Flags
	if said.Width > 0 && said.Height > 0 {
		o.Width, o.Height = said.Width, said.Height
	}
	b, err := browser.Start(ctx, o)
	if err != nil || !s.Tab || o.Headed { // one with a window has a tab
		return b, err
	}
	t, err := b.OpenTab(ctx)
	if err == nil {
		err = t.Detach(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// hasDisplay reports whether a window can be shown.
func hasDisplay() bool {
	return runtime.GOOS != "linux" || os.Getenv("DISPLAY")+os.Getenv("WAYLAND_DISPLAY") != ""
}
