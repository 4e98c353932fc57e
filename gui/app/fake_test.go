package app

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/address"
	"github.com/refscope/refscope/snapshot/turn"
)

const fakeURL = "http://127.0.0.1:20417/"

// fake is an engine with hand-made captures. A gate that is set holds the call
// until it is closed or the call is cancelled.
type fake struct {
	mu       sync.Mutex
	turns    []*Recorded
	damaged  []core.Damage
	noFolder error
	noChrome error
	openErr  error
	gate     chan struct{} // for Capture
	gone     chan struct{} // closed when the browser ends
	tab      core.Tab
	opened   []string
	others   map[string][]*Recorded // sessions that can be opened, by name
	written  chan *Recorded         // what somebody else writes to the session in use
	asked    []string               // sessions that were opened
	closed   int
	longer   int
	profiles fakeProfiles
	in       fakeTab
	notes    fakeNotes
}

func newFake() *fake {
	return &fake{gone: make(chan struct{}), written: make(chan *Recorded, 8), notes: fakeNotes{said: make(chan struct{}, 8)}, tab: core.Tab{ID: "A", URL: "about:blank"}}
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
		f.turns, s.Name, s.Path, s.Damaged = turns, head, "/home/"+head, nil
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

func fakeRow(r *Recorded) core.TurnRow {
	return core.TurnRow{N: r.N, Action: r.Action, Refs: 7, URL: r.Capture.URL}
}

func (f *fake) Sessions(context.Context) ([]sessions.Row, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows := []sessions.Row{{Name: "window", Path: "/home/window", Turns: len(f.turns), Last: time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)}}
	for _, name := range slices.Sorted(maps.Keys(f.others)) {
		rows = append(rows, sessions.Row{Name: name, Turns: len(f.others[name]), Damaged: 1})
	}
	return rows, nil
}

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

func (f *fake) Load(_ context.Context, n int) (*Recorded, error) {
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

func (f *fake) Wait(ctx context.Context) error {
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
	f.opened = append(f.opened, t.URL+t.Path)
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

func (f *fake) Capture(ctx context.Context, action string, progress func(string)) (*Recorded, error) {
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
	c := fakeCapture()
	c.URL = f.tab.URL
	turn.NewLedger().Assign("A", 1, c)
	rec := &Recorded{N: len(f.turns) + 1, Action: action, Capture: c, PNG: fakePicture(c)}
	f.turns = append(f.turns, rec)
	return rec, nil
}

func (f *fake) ExportSession(_ context.Context, path string) error {
	return os.WriteFile(path, []byte("session"), 0o600)
}

func (f *fake) ExportReport(_ context.Context, path string) error {
	return os.WriteFile(path, []byte("<!doctype html>"), 0o600)
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}

// fakeCapture is a checkout page with a banner over its main button.
func fakeCapture() *snapshot.Capture {
	cover := 9
	node := func(i, parent int, tag, role, name string, box snapshot.Box, why ...string) snapshot.Node {
		n := snapshot.Node{I: i, Parent: parent, Tag: tag, Role: role, Name: name, Box: box, Interactive: why, UID: i + 1,
			BackendNodeID: int64(100 + i), Visible: true, InViewport: true, Verdict: snapshot.VerdictRef,
			Path: fmt.Sprintf("html > body > %s:nth-child(%d)", tag, i), NameFrom: "content"}
		if len(why) > 0 {
			x, y := box.Center()
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1, Click: [2]float64{x, y}}
		}
		if name != "" && role != "textbox" && role != "banner" && role != "form" && role != "dialog" {
			n.Text, n.Runs = name, []snapshot.Run{{Text: name, Before: -1}}
		}
		return n
	}
	nodes := []snapshot.Node{
		node(0, -1, "html", "", "", snapshot.Box{0, 0, 1280, 800}),
		node(1, 0, "header", "banner", "", snapshot.Box{0, 0, 1280, 64}),
		node(2, 1, "a", "link", "Home", snapshot.Box{160, 18, 60, 28}, "native"),
		node(3, 1, "a", "link", "Products", snapshot.Box{236, 18, 84, 28}, "native"),
		node(4, 0, "h1", "heading", "Checkout", snapshot.Box{40, 90, 190, 40}),
		node(5, 0, "form", "form", "Delivery", snapshot.Box{40, 150, 480, 300}),
		node(6, 5, "input", "textbox", "Full name", snapshot.Box{40, 180, 420, 40}, "native"),
		node(7, 5, "input", "textbox", "Street", snapshot.Box{40, 260, 420, 40}, "native"),
		node(8, 5, "button", "button", "Place order", snapshot.Box{640, 610, 200, 48}, "native", "listener"),
		node(9, 0, "dialog", "dialog", "We use cookies", snapshot.Box{0, 640, 1280, 160}),
		node(10, 9, "button", "button", "Accept all", snapshot.Box{900, 690, 130, 44}, "native"),
		node(11, 9, "button", "button", "Reject", snapshot.Box{1050, 690, 110, 44}, "native"),
	}
	nodes[0].Verdict = snapshot.VerdictWrapper
	nodes[6].Value = "Ada Lovelace"
	nodes[6].Attrs = map[string]string{"type": "text"}
	nodes[7].Attrs = map[string]string{"type": "text", "placeholder": "Street"}
	nodes[8].Occlusion = &snapshot.Occlusion{State: snapshot.Partly, VisibleShare: 0.6, HitShare: 0.6, Click: [2]float64{740, 625}, Coverer: &cover,
		Points: [][3]float64{{740, 625, 8}, {642, 612, 8}, {838, 612, 8}, {642, 656, 9}, {838, 656, 9}}}
	c := &snapshot.Capture{
		Schema: snapshot.Schema, URL: fakeURL, Title: "Demo shop — Checkout", Settled: true, Chrome: "Chrome/156.0.8078.79",
		Viewport: snapshot.Viewport{Width: 1280, Height: 800, Scale: 1}, Scroll: snapshot.Scroll{MaxY: 1240},
		Frames:  []snapshot.Frame{{ID: "F", Parent: -1, Readable: true, Owner: -1, Loader: "L"}},
		Nodes:   nodes,
		Timings: snapshot.Timings{Walk: 14, Screenshot: 38, Total: 52},
	}
	c.Verdicts = c.CountVerdicts()
	c.Verdicts[snapshot.VerdictDisplayNone] = 112
	return c
}

// fakePicture paints the boxes of a capture.
func fakePicture(c *snapshot.Capture) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 1280, 800))
	paint := func(b snapshot.Box, col color.RGBA) {
		draw.Draw(img, image.Rect(int(b.X()), int(b.Y()), int(b.Right()), int(b.Bottom())), image.NewUniform(col), image.Point{}, draw.Src)
	}
	paint(snapshot.Box{0, 0, 1280, 800}, color.RGBA{255, 255, 255, 255})
	for _, n := range c.Nodes[1:] {
		switch n.Tag {
		case "header":
			paint(n.Box, color.RGBA{31, 51, 80, 255})
		case "dialog":
			paint(n.Box, color.RGBA{35, 35, 35, 255})
		case "button":
			paint(n.Box, color.RGBA{42, 109, 240, 255})
		case "input":
			paint(n.Box, color.RGBA{230, 232, 238, 255})
		}
	}
	paint(c.Nodes[9].Box.Intersect(c.Nodes[8].Box), color.RGBA{35, 35, 35, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // an image in memory always encodes
	}
	return b.Bytes()
}
