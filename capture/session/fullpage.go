package session

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/snapshot"
)

// The largest full page. What is beyond is not in the capture's picture, and the
// capture records how much that is.
const (
	// MaxFullHeight is in CSS px: some seventy screens.
	MaxFullHeight = 50_000
	// MaxFullPixels is in image px, 256 MiB as RGBA: 50,000 CSS px of a page that is
	// 1280 wide at scale 1, and 13,100 at scale 2.
	MaxFullPixels = 64 << 20
	// maxFullWidth is in image px, half of what Chrome draws in one piece.
	maxFullWidth = 8192
)

const (
	// enlargements is how often a window is made taller because the page has become
	// taller with it.
	enlargements = 6
	// fringe is so little of the page, CSS px, that it is no use to go after it where
	// it stays as much in every larger window: a margin around what is as tall as the
	// window.
	fringe = 100
	// sideFringe is how far a page may hang over to the side, CSS px, without being
	// worth a wider picture: mostly a margin that somebody forgot.
	sideFringe = 16
	// unquiet is how long a page that did not become quiet is waited for again in each
	// larger window.
	unquiet = time.Second
	// restoreDeadline bounds giving the window back, which is done also when the
	// caller's time is over.
	restoreDeadline = 10 * time.Second
	// followsWindow is the part of the window's growth by which the page shrinks again
	// when the window does, from which on the page is laid out by the window's height.
	followsWindow = 0.1
)

// extentJS returns the window's measures that a full page needs.
//
//go:embed extent.js
var extentJS string

// restoreJS scrolls back what extentJS remembered.
//
//go:embed restore.js
var restoreJS string

// extent is the window of a tab and the page in it, CSS px.
type extent struct {
	Width    float64 `json:"width"` // scroll bars included
	Height   float64 `json:"height"`
	Density  float64 `json:"density"` // device px for one CSS px, zoom included
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	Sideways bool    `json:"sideways"` // it can be scrolled to the side
	Hidden   float64 `json:"hidden"`   // below the edge of a scroll container that fills the window

	inner   float64 // width without a scroll bar
	zoom    float64 // of the browser: device independent px for one CSS px
	content snapshot.Box
	begins  [2]float64 // see [begins]
}

// bottom is how tall the window would have to be to show all.
func (e *extent) bottom() float64 { return math.Ceil(e.content.Bottom() + e.Hidden) }

func readExtent(ctx context.Context, tab *browser.Tab, remember bool) (extent, error) {
	var e extent
	m, err := cdp.Call(ctx, tab.Session(), page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return e, err
	}
	if m.CSSLayoutViewport == nil || m.CSSContentSize == nil || m.CSSVisualViewport == nil ||
		m.CSSLayoutViewport.ClientWidth <= 0 {
		return e, errors.New("the page has no visible area")
	}
	text, err := tab.Session().Eval(ctx, tab.ID(), strings.ReplaceAll(extentJS, "REMEMBER", fmt.Sprint(remember)))
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return e, fmt.Errorf("decoding the window's size: %w", err)
	}
	e.inner = float64(m.CSSLayoutViewport.ClientWidth)
	e.zoom = m.CSSVisualViewport.Zoom
	if e.zoom <= 0 {
		e.zoom = 1
	}
	c := m.CSSContentSize
	e.begins = begins(m)
	e.content = snapshot.Box{c.X - e.begins[0], c.Y - e.begins[1], c.Width, c.Height}
	if e.Width <= 0 || e.Height <= 0 || e.Density <= 0 {
		return e, errors.New("the page has no visible area")
	}
	return e, nil
}

// fullPage is a tab whose window is as tall as its page, for one take.
//
// The window is enlarged because only what is in it can be hit, and because a header
// that stays in the window is then there once. Making it taller can make the page
// taller: it loads more, which is waited for, or it is laid out by the window's height
// (100vh), in which case what would be seen is no longer the page that people see. The
// two are distinguished by making the window small again: what was loaded stays. A page of
// the second kind is taken in its own window, and the picture reaches out of that.
type fullPage struct {
	tab    *browser.Tab
	before extent
	layout [2]float64 // the window that the page is laid out in, CSS px
	area   snapshot.Box
	begins [2]float64 // see [begins]
	cut    [2]float64
	why    []string // sentences for what is not as it seems
	rounds int      // of enlarging
	own    bool     // it is laid out in the window as it was, though it is taller
	given  bool     // the window was given back
}

// enlarge makes the window as tall as the page. On an error the window is given back.
func enlarge(ctx context.Context, tab *browser.Tab, s Settle) (_ *fullPage, err error) {
	before, err := readExtent(ctx, tab, true)
	if err != nil {
		return nil, fmt.Errorf("measuring the page: %w", err)
	}
	w := &fullPage{tab: tab, before: before, layout: [2]float64{before.Width, before.Height}}
	defer func() {
		if err != nil {
			_ = w.restore(ctx) // the first error is the one to return
		}
	}()
	if before.X != 0 || before.Y != 0 {
		if err := w.scroll(ctx, 0, 0); err != nil {
			return nil, err
		}
	}
	now, err := w.grow(ctx, s)
	if err != nil {
		return nil, err
	}
	w.frame(now)
	return w, nil
}

// grow enlarges the window until the page fits or stops at a bound.
func (w *fullPage) grow(ctx context.Context, s Settle) (extent, error) {
	now, limit := w.before, w.limit()
	inside, rest := w.before.Hidden > 0, math.Inf(1)
	for w.rounds < enlargements && min(now.bottom(), limit) > w.layout[1] {
		if more := now.bottom() - w.layout[1]; more < rest {
			rest = more
		} else if more <= fringe {
			break
		}
		hidden := now.Hidden
		var err error
		if now, err = w.lay(ctx, min(now.bottom(), limit), s); err != nil {
			return now, err
		}
		w.rounds++
		if hidden > 0 && now.Hidden >= hidden {
			now.Hidden = 0 // a container of a fixed height: a taller window shows no more of it
		}
	}
	if w.rounds < 2 || inside {
		return now, nil
	}
	// It grew with the window. Does it shrink with it?
	tall, large := w.layout[1], now
	small, err := w.lay(ctx, w.before.Height, s)
	if err != nil {
		return now, err
	}
	if large.bottom()-small.bottom() > followsWindow*(tall-w.before.Height) {
		w.own = true
		w.why = append(w.why,
			fmt.Sprintf("parts of the page are as tall as the window, so it was laid out in a window of "+
				"%g x %g CSS px; what is outside of that has no occlusion", w.before.Width, w.before.Height))
		return small, nil
	}
	return w.lay(ctx, min(max(small.bottom(), tall), limit), s)
}

// limit is how tall a picture may be, CSS px.
func (w *fullPage) limit() float64 {
	perRow := w.before.Width * w.before.Density * w.before.Density
	return math.Max(w.before.Height, math.Min(MaxFullHeight, math.Floor(MaxFullPixels/perRow)))
}

// lay gives the window that height, waits until the page is quiet again and measures
// it.
func (w *fullPage) lay(ctx context.Context, height float64, s Settle) (extent, error) {
	b := &w.before
	var err error
	if height == b.Height {
		err = w.reset(ctx)
	} else {
		// Without its scroll bar the page is as wide as it was beside it.
		err = setWindow(ctx, w.tab, b.inner*b.zoom, height*b.zoom, b.Density/b.zoom)
	}
	if err != nil {
		return extent{}, fmt.Errorf("enlarging the window to %g CSS px: %w", height, err)
	}
	w.layout = [2]float64{b.inner, height}
	// Pictures that are loaded when they come near begin a frame or two later, and
	// the page knows nothing of a new window before that. A timer of the page would
	// count up the numbers that its own timers get.
	quiet := s.defaults().Quiet
	wait := fmt.Sprintf("new Promise((done) => scheduler.postTask(() => done(''), { delay: %d }))",
		quiet.Milliseconds())
	pause, cancel := context.WithTimeout(ctx, quiet+5*time.Second)
	_, err = w.tab.Session().Await(pause, w.tab.ID(), wait)
	cancel()
	if ctx.Err() != nil {
		return extent{}, ctx.Err()
	}
	if err == nil {
		s.For = ""
		_, _, err = settle(ctx, w.tab, s)
	}
	if err != nil {
		return extent{}, fmt.Errorf("waiting for the page to settle in the larger window: %w", err)
	}
	now, err := readExtent(ctx, w.tab, false)
	if err != nil {
		return now, fmt.Errorf("measuring the page: %w", err)
	}
	if now.X != 0 || now.Y != 0 { // where the page is taller than the window may be
		err = w.scroll(ctx, 0, 0)
	}
	return now, err
}

// frame decides what the picture shows, now that the window has its size.
func (w *fullPage) frame(now extent) {
	width, height := math.Floor(w.layout[0]), w.layout[1]
	if now.Sideways {
		width = max(width, math.Floor(now.content.Right()))
	}
	if over := width - math.Floor(w.layout[0]); over > 0 && over <= sideFringe {
		w.cut[0] = over
		w.why = append(w.why,
			fmt.Sprintf("the page hangs over its right edge by %g CSS px: they are not in the picture",
				over))
		width -= over
	}
	if widest := math.Max(math.Floor(w.layout[0]), math.Floor(maxFullWidth/now.Density)); width > widest {
		w.cut[0] = width - widest
		w.why = append(w.why,
			fmt.Sprintf("the page is %g CSS px wide, more than the %g that a picture may have: "+
				"%g at its right are not in it", width, widest, w.cut[0]))
		width = widest
	}
	if now.Sideways && now.content.X() < 0 {
		w.why = append(w.why,
			fmt.Sprintf("the page reaches %g CSS px to the left of where it begins: they are not in the picture",
				-now.content.X()))
	}
	// What hangs over to the side counts as well.
	tallest := math.Min(MaxFullHeight, math.Floor(MaxFullPixels/(width*now.Density*now.Density)))
	if w.own {
		height = max(height, min(now.bottom(), tallest))
	}
	height = math.Floor(min(height, max(tallest, w.before.Height)))
	if rest := now.bottom() - height; rest >= 1 {
		w.cut[1] = rest
		reason := "a picture may have"
		if height < math.Floor(tallest) {
			reason = fmt.Sprintf("the window has after %d enlargements, with which the page grew", w.rounds)
		}
		w.why = append(w.why,
			fmt.Sprintf("the page is %g CSS px tall, more than the %g that %s: the lowest %g are not in the picture",
				now.bottom(), height, reason, rest))
	}
	w.area, w.begins = snapshot.Box{0, 0, width, height}, now.begins
}

// beyond reports whether the picture reaches out of the window.
func (w *fullPage) beyond() bool { return w.area.W() > w.layout[0] || w.area.H() > w.layout[1] }

// describe puts into a capture how it was taken.
func (w *fullPage) describe(c *snapshot.Capture) {
	b := &w.before
	c.FullPage = &snapshot.FullPage{
		Window: snapshot.Viewport{Width: b.Width, Height: b.Height, Scale: b.Density},
		Scroll: [2]float64{b.X, b.Y}, Layout: w.layout, Cut: w.cut,
	}
	for _, why := range w.why {
		c.Failed = append(c.Failed, snapshot.Failure{Layer: "full page", Why: why})
	}
}

// restore restores the window as it was found, once, also where ctx is over.
func (w *fullPage) restore(ctx context.Context) error {
	if w.given {
		return nil
	}
	w.given = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreDeadline)
	defer cancel()
	b := &w.before
	err := w.reset(ctx)
	if err == nil {
		var now extent
		if now, err = readExtent(ctx, w.tab, false); err == nil && (now.Width != b.Width || now.Height != b.Height ||
			now.Density != b.Density) {
			// Another program had given the tab its size, and ours took its place.
			err = setWindow(ctx, w.tab, b.Width*b.zoom, b.Height*b.zoom, b.Density/b.zoom)
		}
	}
	if err == nil {
		err = w.scroll(ctx, b.X, b.Y)
	}
	if err != nil && !errors.Is(err, browser.ErrGone) {
		return fmt.Errorf("giving the window its size back: %w", err)
	}
	return nil
}

// reset gives the window the size that the tab was opened with or that its own window
// has.
func (w *fullPage) reset(ctx context.Context) error {
	if width, height, scale, ok := w.tab.Viewport(); ok {
		return setWindow(ctx, w.tab, float64(width), float64(height), scale)
	}
	_, err := cdp.Call(ctx, w.tab.Session(), emulation.ClearDeviceMetricsOverride, cdp.Empty{})
	return err
}

// setWindow gives the tab a window of that size in device independent px, with so many
// device px for one of these.
func setWindow(ctx context.Context, tab *browser.Tab, width, height, density float64) error {
	return tab.Enlarge(ctx, math.Round(width), math.Ceil(height), density)
}

// scroll scrolls the window; to where it was, and with it everything else, or to its
// top.
func (w *fullPage) scroll(ctx context.Context, x, y float64) error {
	js := fmt.Sprintf("scrollTo({ left: %g, top: %g, behavior: 'instant' }); ''", x, y)
	if w.given {
		js = strings.NewReplacer("LEFT", fmt.Sprint(x), "TOP", fmt.Sprint(y)).Replace(restoreJS)
	}
	if _, err := w.tab.Session().Eval(ctx, w.tab.ID(), js); err != nil {
		return fmt.Errorf("scrolling: %w", err)
	}
	return nil
}
