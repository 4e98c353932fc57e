package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/exporter"
	"github.com/refscope/refscope/snapshot/turn"
)

const fakeURL = coretest.URL

// fake is an engine with hand-made captures. A gate that is set holds the call
// until it is closed or the call is cancelled.
type fake struct {
	mu       sync.Mutex
	turns    []*core.Recorded
	damaged  []core.Damage
	noFolder error
	noChrome error
	openErr  error
	gate     chan struct{} // for Capture
	gone     chan struct{} // closed when the browser ends
	tab      core.Tab
	gotos    []string                    // addresses that were opened
	others   map[string][]*core.Recorded // sessions that can be opened, by name
	own      []*core.Recorded            // of the window's own session, while another is away from it
	away     bool
	second   []*core.Recorded    // of the session that was compared
	written  chan *core.Recorded // what somebody else writes to the session in use
	asked    []string            // sessions that were opened
	closed   int
	longer   int
	profiles fakeProfiles
	in       fakeTab
	notes    fakeNotes
}

func newFake() *fake {
	return &fake{gone: make(chan struct{}), written: make(chan *core.Recorded, 8),
		notes: fakeNotes{said: make(chan struct{}, 8)}, tab: core.Tab{ID: "A", URL: "about:blank"}}
}

func (f *fake) OpenSession(_ context.Context, name string) (core.Session, int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := core.Session{Name: "window", Path: "/home/window", Kept: f.noFolder == nil, Damaged: f.damaged}
	n := 0
	if name != "" {
		f.asked = append(f.asked, name)
		head, number, _ := strings.Cut(name, "#")
		turns, ok := f.others[head]
		if !ok {
			return core.Session{}, 0, fmt.Errorf("%w: %s", core.ErrNoSession, name)
		}
		n, _ = strconv.Atoi(number)
		if !f.away {
			f.own, f.away = f.turns, true
		}
		f.turns, s.Name, s.Path, s.Damaged, s.ReadOnly = turns, head, "/home/"+head, nil, true
	} else if f.away {
		f.turns, f.away = f.own, false
	}
	for _, r := range f.turns {
		s.Turns = append(s.Turns, fakeRow(r))
	}
	return s, n, f.noFolder
}

// sessions are those that were opened by name.
func (f *fake) sessions() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

// opened are the addresses that were opened.
func (f *fake) opened() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.gotos)
}

func fakeRow(r *core.Recorded) core.TurnRow {
	return core.TurnRow{N: r.N, Action: r.Action, Refs: 7, URL: r.Capture.URL}
}

func (f *fake) Sessions(context.Context) ([]sessions.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows := []sessions.Row{{Name: "window", Path: "/home/window", Turns: len(f.turns),
		Last: time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)}}
	for _, name := range slices.Sorted(maps.Keys(f.others)) {
		rows = append(rows, sessions.Row{Name: name, Turns: len(f.others[name]), Damaged: 1})
	}
	return rows, nil
}

func (f *fake) Batch(context.Context, string) (*report.Batch, error) {
	return nil, errors.New("there is no batch")
}

func (f *fake) BatchPictures(context.Context, string, []string) map[string]image.Image { return nil }

func (f *fake) Follow(ctx context.Context, after int, arrived func(core.TurnRow, *core.Damage)) error {
	for {
		select {
		case r := <-f.written:
			f.mu.Lock()
			f.turns = append(f.turns, r)
			f.mu.Unlock()
			if r.N > after {
				arrived(fakeRow(r), nil)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *fake) Load(_ context.Context, n int) (*core.Recorded, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.turns {
		if r.N == n {
			return r, nil
		}
	}
	return nil, fmt.Errorf("there is no turn %d", n)
}

func (f *fake) Start(_ context.Context, progress func(string)) (core.Browser, error) {
	progress("waiting for it to answer")
	f.mu.Lock()
	defer f.mu.Unlock()
	b := core.Browser{Viewport: image.Pt(1280, 800), Demo: fakeURL}
	if f.noChrome != nil {
		return b, f.noChrome
	}
	select {
	case <-f.gone: // started again
		f.gone = make(chan struct{})
	default:
	}
	b.Version, b.Tab, b.Tabs = "Chrome/156.0.8078.79", f.tab.ID, []core.Tab{f.tab}
	return b, nil
}

func (f *fake) Wait(ctx context.Context, _ func(string, error)) error {
	f.mu.Lock()
	gone := f.gone
	f.mu.Unlock()
	select {
	case <-gone:
		return core.ErrBrowserGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) Tabs(context.Context) ([]core.Tab, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return []core.Tab{f.tab, {ID: "B", URL: "https://b.example/", Title: "Another tab with quite a long title"}}, nil
}

func (f *fake) SelectTab(_ context.Context, id string) (core.Tab, error) {
	return core.Tab{ID: id, URL: "https://b.example/"}, nil
}

func (f *fake) Open(_ context.Context, t address.Target, progress func(string)) (core.Tab, error) {
	progress("waiting for the server")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gotos = append(f.gotos, t.URL+t.Path)
	if f.openErr != nil {
		return core.Tab{}, f.openErr
	}
	f.tab.URL, f.tab.Title = t.URL, "Demo shop — Checkout"
	return f.tab, nil
}

func (f *fake) WaitLonger() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.longer++
}

func (f *fake) Move(context.Context, core.Move) (core.Tab, error) { return f.tab, nil }

func (f *fake) Capture(ctx context.Context, action string, progress func(string)) (*core.Recorded, error) {
	progress("reading the page")
	f.mu.Lock()
	gate := f.gate
	f.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c := coretest.Checkout()
	c.URL = f.tab.URL
	turn.NewLedger().Assign("A", 1, c)
	rec := &core.Recorded{Record: turn.Record{N: len(f.turns) + 1, Action: action, Capture: c, Picture: coretest.Picture(c)}}
	f.turns = append(f.turns, rec)
	return rec, nil
}

func (f *fake) ExportSession(_ context.Context, path string) error {
	return os.WriteFile(path, []byte("session"), 0o600)
}

func (f *fake) ExportDataset(_ context.Context, _ string, _ dataset.Options, progress func(n, of int)) (dataset.Counts, error) {
	progress(1, 1)
	return dataset.Counts{Examples: 3, Pictures: 1}, nil
}

func (f *fake) ExportSessionAs(_ context.Context, path string, format exporter.Format) ([]string, error) {
	return []string{"pictures are not in it"}, os.WriteFile(path, []byte(format), 0o600)
}

func (f *fake) Version() string { return "1.0.0" }

func (f *fake) ExportReport(_ context.Context, path string) error {
	return os.WriteFile(path, []byte("<!doctype html>"), 0o600)
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}
