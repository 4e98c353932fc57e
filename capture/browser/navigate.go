package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/refscope/refscope/snapshot/text"
)

// NavError is a navigation that did not end on the page requested.
type NavError struct {
	URL  string
	Code string // Chrome's net error such as "net::ERR_NAME_NOT_RESOLVED", or ""
	Why  string // what it means and what to do
	Slow bool   // the page did not answer in time
	Busy bool   // it did, and its requests never paused
}

// longestAddress is how many characters of an address an error quotes: what is wrong comes after it and is to be read
// too, also in one line of a window. [NavError.URL] has all of it.
const longestAddress = 80

// Error is one sentence that names the address.
func (e *NavError) Error() string {
	s := fmt.Sprintf("opening %s: %s", text.Cut(e.URL, longestAddress), e.Why)
	if e.Code != "" {
		s += " (" + e.Code + ")"
	}
	return s
}

// Navigate opens the URL and waits for the document's load event.
func (t *Tab) Navigate(ctx context.Context, url string) error {
	return t.NavigateUntil(ctx, url, UntilLoad)
}

// readReserve is the most that a navigation leaves of a command's time.
const readReserve = 10 * time.Second

// Until is what a navigation waits for (C-4).
type Until string

// What a navigation can wait for, the earliest first.
const (
	UntilCommit  Until = "commit"           // the new document has begun
	UntilParsed  Until = "domcontentloaded" // it has been parsed
	UntilLoad    Until = "load"             // and what it shows has come
	UntilNetwork Until = "networkidle"      // and no request was in progress for 500 ms
)

// Choices lists what a navigation can wait for.
func (Until) Choices() []string {
	return []string{string(UntilCommit), string(UntilParsed), string(UntilLoad), string(UntilNetwork)}
}

// idle is how long no request may be in progress for networkidle (seed "CDP-Skill" 18.3).
const idle = 500 * time.Millisecond

// NavigateUntil opens the URL and waits for that event, up to the context's end. A third of the time that the context
// leaves, at most readReserve, is for reading the page then: where the load event does not fire before, but the
// document has begun to arrive, that is success, and the settle wait reports that the page did not settle.
func (t *Tab) NavigateUntil(ctx context.Context, url string, until Until) error {
	var enough <-chan time.Time
	if end, ok := ctx.Deadline(); ok && until == UntilLoad {
		left := time.Until(end)
		timer := time.NewTimer(left - min(left/3, readReserve))
		defer timer.Stop()
		enough = timer.C
	}
	err := t.load(ctx, url, until, enough, func() (cdp.LoaderID, error) {
		t.net.reset()
		res, err := cdp.Call(ctx, t.session, page.Navigate, page.NavigateParams{URL: url})
		switch {
		case err != nil:
			return "", err
		case res.IsDownload:
			return "", &NavError{URL: url, Why: "it is a download, not a page: name a page to look at"}
		case res.ErrorText != "":
			return "", &NavError{URL: url, Code: res.ErrorText, Why: explain(res.ErrorText)}
		}
		return res.LoaderID, nil
	})
	if err == nil && until == UntilNetwork && !t.NetworkQuiet(ctx.Done(), idle) {
		return &NavError{URL: url, Slow: true, Busy: true,
			Why: "requests were still under way when the time was over: wait for load instead, or for an element"}
	}
	return err
}

// Landed fails where the tab shows Chrome's own error page in place of a page, as
// after a load that failed, or a step back to one. It asks the browser: what is known from events lacks the error page
// of a load that has just failed.
func (t *Tab) Landed(ctx context.Context) error {
	tree, err := t.FramesNow(ctx)
	if err != nil {
		return fmt.Errorf("asking what the tab shows: %w", err)
	}
	if len(tree) > 0 && tree[0].Unreachable != "" {
		why := cmp.Or(t.blocked.of(string(t.id)), "open another address, or load it again")
		return &NavError{URL: tree[0].Unreachable,
			Why: "it could not be loaded, so there is no page in the tab: " + why}
	}
	return nil
}

// Reload loads the present document again.
func (t *Tab) Reload(ctx context.Context) error {
	return t.load(ctx, "the page again", UntilLoad, nil, func() (cdp.LoaderID, error) {
		_, err := cdp.Call(ctx, t.session, page.Reload, page.ReloadParams{})
		return "*", err
	})
}

// beginsWithin is how long after its cause a navigation may begin. Nothing announces that none will.
const beginsWithin = 200 * time.Millisecond

// errNoLoad: what was done had the tab load nothing.
var errNoLoad = errors.New("no page is loaded")

// LoadsAfter does something that may have the tab load a page, such as a key that reloads it; where it has, the page
// is waited for as by [Tab.Reload].
func (t *Tab) LoadsAfter(ctx context.Context, do func() error) error {
	begun, stop := t.session.Subscribe(page.FrameStartedNavigating.Method)
	defer stop()
	err := t.load(ctx, "the page again", UntilLoad, nil, func() (cdp.LoaderID, error) {
		if err := do(); err != nil {
			return "", err
		}
		timer := time.NewTimer(beginsWithin)
		defer timer.Stop()
		for {
			select {
			case raw, ok := <-begun:
				var ev page.EventFrameStartedNavigating
				switch {
				case !ok:
					return "", errNoLoad
				case jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) == nil &&
					string(ev.FrameID) == string(t.id):
					return "*", nil
				}
			case <-timer.C:
				return "", errNoLoad
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	})
	if errors.Is(err, errNoLoad) {
		return nil
	}
	return err
}

// ErrNoHistory is the error of Back and Forward where there is nowhere to go.
var ErrNoHistory = errors.New("there is no page to go to")

// Back goes one entry back in the tab's history.
func (t *Tab) Back(ctx context.Context) error { return t.travel(ctx, -1) }

// Forward goes one entry forward in the tab's history.
func (t *Tab) Forward(ctx context.Context) error { return t.travel(ctx, +1) }

func (t *Tab) travel(ctx context.Context, by int64) error {
	h, err := cdp.Call(ctx, t.session, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return fmt.Errorf("reading the tab's history: %w", err)
	}
	i := h.CurrentIndex + by
	if i < 0 || i >= int64(len(h.Entries)) {
		return ErrNoHistory
	}
	return t.load(ctx, h.Entries[i].URL, UntilLoad, nil, func() (cdp.LoaderID, error) {
		_, err := cdp.Call(ctx, t.session, page.NavigateToHistoryEntry,
			page.NavigateToHistoryEntryParams{EntryID: h.Entries[i].ID})
		return "*", err
	})
}

// load starts a navigation and waits for what until names. start names the loader to
// wait for: "" none (same document), "*" whichever the main frame commits next. From
// enough on a document that has begun to arrive is waited for no longer: a script, or the body itself, may never end.
func (t *Tab) load(ctx context.Context, what string, until Until, enough <-chan time.Time,
	start func() (cdp.LoaderID, error)) error {
	life, stopLife := t.session.Subscribe(page.LifecycleEvent.Method)
	defer stopLife()
	within, stopWithin := t.session.Subscribe(page.NavigatedWithinDocument.Method)
	defer stopWithin()
	commits, stopCommits := t.session.Subscribe(page.FrameNavigated.Method)
	defer stopCommits()
	loader, err := start()
	if err != nil {
		return t.startError(ctx, what, err)
	}
	dialog := t.ask.gate()
	main := cdp.FrameID(t.id) // a tab's main frame has the target's id
	// What was seen of each document, as its events may come before its name does.
	committed, parsed, loaded := map[cdp.LoaderID]bool{}, map[cdp.LoaderID]bool{}, map[cdp.LoaderID]bool{}
	hurry := false
	for {
		if loaded[loader] || hurry && (parsed[loader] || committed[loader]) || until == UntilParsed && parsed[loader] ||
			until == UntilCommit &&
				committed[loader] {
			return nil
		}
		select {
		case raw, ok := <-life:
			var ev page.EventLifecycleEvent
			if !ok || jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) != nil || ev.FrameID != main {
				continue
			}
			switch ev.Name {
			case "DOMContentLoaded":
				parsed[ev.LoaderID] = true
			case "load":
				loaded[ev.LoaderID] = true
			}
		case raw, ok := <-commits:
			var ev page.EventFrameNavigated
			if !ok || jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) != nil || ev.Frame == nil ||
				ev.Frame.ID != main {
				continue
			}
			if ev.Type == page.NavigationTypeBackForwardCacheRestore {
				return nil // it comes back loaded
			}
			// The requested one, or one that the page itself redirected to.
			loader = ev.Frame.LoaderID
			committed[loader] = true
		case raw, ok := <-within:
			var ev page.EventNavigatedWithinDocument
			if !ok || jsonv2.Unmarshal(raw, &ev, chromedp.DefaultUnmarshalOptions) != nil {
				continue
			}
			// A navigation within the document has no load event. Its own event means that
			// the history has it.
			if ev.FrameID == main && (loader == "" || loader == "*" && ev.URL == what) {
				return nil
			}
		case <-dialog:
			if err := t.ask.err(); err != nil {
				return fmt.Errorf("opening %s: %w", what, err)
			}
			dialog = t.ask.gate() // it was answered meanwhile
		case <-enough:
			hurry = true
		case <-t.session.Gone():
			return fmt.Errorf("opening %s: %w", what, t.session.Err())
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.stopLoading(ctx)
				return fmt.Errorf("opening %s: %w", what, ctx.Err())
			}
			if parsed[loader] {
				return nil
			}
			return t.tooSlow(ctx, what)
		}
	}
}

// startError explains why a navigation did not even start.
func (t *Tab) startError(ctx context.Context, what string, err error) error {
	var nav *NavError
	var reply *cdproto.Error
	switch {
	case errors.As(err, &nav):
		if nav.Code == "net::ERR_ABORTED" {
			// A crash looks like this too; then the renderer no longer answers.
			if _, ping := t.session.FrameTree(ctx); errors.Is(ping, ErrCrashed) {
				return fmt.Errorf("opening %s: %w", what, ErrCrashed)
			}
		}
		return err
	case errors.As(err, &reply) && strings.Contains(reply.Message, "invalid URL"):
		return &NavError{URL: what, Why: explain("INVALID_URL")}
	case errors.Is(err, context.DeadlineExceeded):
		return t.tooSlow(ctx, what)
	case errors.Is(err, context.Canceled):
		t.stopLoading(ctx)
	}
	return fmt.Errorf("opening %s: %w", what, err)
}

// stopLoading stops what the tab loads. A navigation that nobody waits for any more would
// keep other commands of the page waiting.
func (t *Tab) stopLoading(ctx context.Context) {
	_ = t.session.Post(context.WithoutCancel(ctx), page.StopLoading.Method,
		cdp.Empty{}) // a tab that is gone loads nothing
}

// tooSlow gives up on a page that did not answer and stops its loading.
func (t *Tab) tooSlow(ctx context.Context, what string) error {
	t.stopLoading(ctx)
	return &NavError{URL: what, Why: "the page did not answer in time: try again, or allow more with --timeout",
		Slow: true}
}

// Err is why the session ended, nil while it lives.
func (s *Session) Err() error {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	return s.err
}

// explain describes what Chrome's net errors mean and what to do.
func explain(code string) string {
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(code, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("NAME_NOT_RESOLVED", "NAME_RESOLUTION_FAILED"):
		return "the host name cannot be found: check the address and the network"
	case has("CONNECTION_REFUSED"):
		return "nothing answers at that host and port: check that the server runs"
	case has("CERT_", "SSL_"):
		return "its certificate is not trusted or TLS failed: fix the certificate, or open it over http where the " +
			"server allows it"
	case has("TIMED_OUT"):
		return "the server did not answer in time: try again"
	case has("INTERNET_DISCONNECTED", "ADDRESS_UNREACHABLE", "NETWORK"):
		return "the host cannot be reached: check the network"
	case has("INVALID_URL", "UNKNOWN_URL_SCHEME", "DISALLOWED_URL_SCHEME"):
		return "it is not an address that Chrome can open: write it as https://host/path"
	case has("ERR_ABORTED"):
		return "the navigation was broken off, by the page or by a download"
	case has("TOO_MANY_REDIRECTS"):
		return "it redirects in a circle"
	case has("ACCESS_DENIED"):
		return "it may not be read: refscopectl's flag --files DIR opens a folder of this machine to steps"
	case has("FILE_NOT_FOUND"):
		return "the file does not exist"
	case has("UNSAFE_PORT"):
		return "Chrome refuses that port: serve the page on another one"
	}
	return "the page cannot be opened"
}
