package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/geometry"
	"github.com/refscope/refscope/snapshot"
)

// visible is where the window lies, in CSS px of the document as [screenshot] counts them. Where a person has pinched
// the page larger, it is all that they can move over without scrolling it: boxes are counted from there, and Chrome
// draws it for whoever asks.
func visible(ctx context.Context, tab *browser.Tab) (snapshot.Box, error) {
	m, err := cdp.Call(ctx, tab.Session(), page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return snapshot.Box{}, err
	}
	v := m.CSSVisualViewport
	if v == nil || v.ClientWidth <= 0 || v.ClientHeight <= 0 {
		return snapshot.Box{}, errors.New("the page has no visible area")
	}
	from := begins(m)
	area := snapshot.Box{from[0] + v.PageX, from[1] + v.PageY, v.ClientWidth, v.ClientHeight}
	if l := m.CSSLayoutViewport; l != nil && float64(l.ClientWidth)-v.ClientWidth > 1 {
		area = snapshot.Box{area.X() - v.OffsetX, area.Y() - v.OffsetY, float64(l.ClientWidth), float64(l.ClientHeight)}
	}
	return area, nil
}

// begins is how far the place where a page begins, which it is scrolled from, lies from its left and upper edge, which
// pictures are counted from. It is not 0 where a page is written from right to left, or its columns are, and wider than
// the window: it can be scrolled to the left then, to below 0. Chrome rounds the layout viewport down.
func begins(m page.GetLayoutMetricsResult) [2]float64 {
	l, v := m.CSSLayoutViewport, m.CSSVisualViewport
	if l == nil || v == nil {
		return [2]float64{}
	}
	from := [2]float64{float64(l.PageX) - (v.PageX - v.OffsetX), float64(l.PageY) - (v.PageY - v.OffsetY)}
	for i := range from {
		if from[i] = math.Ceil(from[i]); from[i] < 1 {
			from[i] = 0
		}
	}
	return from
}

// pictureDeadline is how long one picture may take.
const pictureDeadline = 20 * time.Second

// noActivePage is what Chrome answers at the moment in which another page takes the place of this one. What the picture
// is of, [collect.Result.Moment] tells.
const noActivePage = "Not attached to an active page"

// screenshot is the PNG of a part of the document, CSS px from its left and upper edge, see [begins]. Without a
// clip Chrome would add what a scroll bar takes, and the scale could not be known. What lies outside of the window
// is white, but for beyond: Chrome then gives the page for a moment a window of 1 x 1 px, which the page can
// notice, and lays it out again as it was. An empty clip is what the window shows, see [fillsWindow].
func screenshot(ctx context.Context, tab *browser.Tab, clip snapshot.Box, beyond bool) ([]byte, error) {
	// A tab that does not paint, because it is hidden or its page is stuck, never
	// answers.
	ctx, cancel := browser.Within(ctx, pictureDeadline)
	defer cancel()
	fast := true
	params := page.CaptureScreenshotParams{
		Format:                page.CaptureScreenshotFormatPng,
		CaptureBeyondViewport: &beyond,
		OptimizeForSpeed:      &fast,
	}
	if !clip.Empty() {
		params.Clip = &page.Viewport{X: clip.X(), Y: clip.Y(), Width: clip.W(), Height: clip.H(), Scale: 1}
	}
	res, err := cdp.Call(ctx, tab.Session(), page.CaptureScreenshot, params)
	if reply, ok := errors.AsType[*cdproto.Error](err); ok && reply.Message == noActivePage {
		if _, gone := tab.FramesNow(ctx); gone == nil {
			res, err = cdp.Call(ctx, tab.Session(), page.CaptureScreenshot, params)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf(
			"taking the picture: the tab does not paint, it may be hidden or its page stuck: bring it "+
				"to the front, or load it again (%w)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("taking the picture: %w", err)
	}
	return res.Data, nil
}

// windowSize is the size of the window with its scroll bars, and of what is seen of the page.
const windowSize = `[innerWidth, innerHeight, visualViewport.width, visualViewport.height].join(' ')`

// fillsWindow reports whether a picture without a clip has these CSS px: the window has no scroll bars, and nobody has
// pinched the page larger. A clip ends what another client emulates, such as the size and the px of a phone (Chrome
// 156).
func fillsWindow(ctx context.Context, tab *browser.Tab, clip snapshot.Box) bool {
	said, err := tab.Session().Eval(ctx, tab.ID(), windowSize)
	var w, h, seenW, seenH float64
	if _, bad := fmt.Sscan(said, &w, &h, &seenW, &seenH); err != nil || bad != nil {
		return false
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1 }
	return near(w, clip.W()) && near(seenW, clip.W()) && near(h, clip.H()) && near(seenH, clip.H())
}

// takePicture is the picture of what the window shows; same: with a caret in the same phase every time. What another
// client emulates in its tab stays.
func takePicture(ctx context.Context, tab *browser.Tab, clip snapshot.Box, c *snapshot.Capture, same bool) (*picture,
	error) {
	if !tab.Own() && fillsWindow(ctx, tab, clip) {
		clip = snapshot.Box{}
	}
	shoot := func() ([]byte, error) { return screenshot(ctx, tab, clip, false) }
	var png []byte
	var err error
	if same {
		png, err = still(ctx, c, c.Viewport.Box(), shoot)
	} else {
		png, err = shoot()
	}
	if err != nil {
		return nil, err
	}
	return &picture{png: png}, nil
}

// earlyPicture is a picture of what the window shows that is drawn while the page is still being read: no element of
// the capture is needed for it, and [collect.Result.Moment] proves that both are of one state.
type earlyPicture struct {
	work  sync.WaitGroup
	begun bool
	ahead bool // it was begun before the page was read
	from  time.Time
	area  snapshot.Box
	pic   *picture
	err   error

	asked sync.WaitGroup // before the page is walked
	known snapshot.Box   // the visible area then, empty if unknown
}

// prepare asks what is visible before the page is walked.
func (e *earlyPicture) prepare(ctx context.Context, tab *browser.Tab) {
	e.asked.Go(func() {
		if area, err := visible(ctx, tab); err == nil {
			e.known = area
		}
	})
}

// beside begins the picture at once where ahead is set, else once the page was walked. What it returns is to be called
// each time when it was: another document may take the place of the one that was drawn.
func (e *earlyPicture) beside(ctx context.Context, tab *browser.Tab, ahead bool) (walked func()) {
	e.prepare(ctx, tab)
	if e.ahead = ahead; ahead {
		e.begin(ctx, tab)
	}
	drawn := ahead
	return func() {
		if drawn {
			drawn = false // by the picture that is on its way
			return
		}
		e.ahead = false
		e.begin(ctx, tab)
	}
}

// begin asks for the picture; work is over when it has come.
func (e *earlyPicture) begin(ctx context.Context, tab *browser.Tab) {
	e.work.Wait() // for that of a document that was left meanwhile
	e.begun, e.from, e.err = true, time.Now(), nil
	e.work.Go(func() {
		e.asked.Wait()
		// What was visible before is most often so still: the question and the picture go out at once.
		var png []byte
		var undrawn error
		drawn := e.known
		var drawing sync.WaitGroup
		if !drawn.Empty() {
			drawing.Go(func() { png, undrawn = screenshot(ctx, tab, drawn, false) })
		}
		e.area, e.err = visible(ctx, tab)
		drawing.Wait()
		switch {
		case e.err != nil:
			e.err = fmt.Errorf("measuring the page: %w", e.err)
			return
		case drawn.Empty() || e.area != drawn:
			png, undrawn = screenshot(ctx, tab, e.area, false)
		}
		e.pic, e.err = &picture{png: png}, undrawn
	})
}

// withheldBoxes are the parts of an element that would show what was kept out of the
// capture, in CSS px: its whole box where it shows a value or a placeholder or the
// profile withholds it, the lines of its own text where that is all. A name or an
// address is not drawn; the text that it was made of is, and has its own boxes.
func withheldBoxes(n *snapshot.Node) []snapshot.Box {
	if len(n.Redacted) == 0 {
		return nil
	}
	for _, field := range n.Redacted {
		switch field {
		// drawn where there is no image
		case "value", "element", "attr:value", "attr:placeholder", "attr:srcdoc", "attr:alt":
			if n.InViewport {
				return []snapshot.Box{n.VisibleBox()}
			}
		}
	}
	if !slices.Contains(n.Redacted, "text") {
		return nil
	}
	if len(n.TextRects) == 0 && n.InViewport {
		return []snapshot.Box{n.VisibleBox()} // drawn somewhere in it
	}
	return n.TextRects
}

// picture is a picture as it was taken: as Chrome encoded it, or assembled.
type picture struct {
	png []byte
	img *image.RGBA // nil where png is the picture
}

// width is the picture's in image px.
func (p *picture) width() (int, error) {
	if p.img != nil {
		return p.img.Rect.Dx(), nil
	}
	cfg, err := png.DecodeConfig(bytes.NewReader(p.png))
	if err != nil {
		return 0, fmt.Errorf("reading the picture's size: %w", err)
	}
	return cfg.Width, nil
}

// withheld are the boxes of all withheld values of a capture.
func withheld(c *snapshot.Capture) []snapshot.Box {
	var boxes []snapshot.Box
	for i := range c.Nodes {
		boxes = append(boxes, withheldBoxes(&c.Nodes[i])...)
	}
	return boxes
}

// decode makes img of png.
func (p *picture) decode() error {
	if p.img != nil {
		return nil
	}
	var err error
	p.img, err = codec.DecodePNG(p.png)
	return err
}

// fill fills the boxes of withheld values flat, s image px for one CSS px.
func (p *picture) fill(boxes []snapshot.Box, s float64) error {
	if len(boxes) == 0 {
		return nil
	}
	if err := p.decode(); err != nil {
		return fmt.Errorf("redacting the picture: %w", err)
	}
	rects := make([]image.Rectangle, 0, len(boxes))
	for _, b := range boxes {
		rects = append(rects, geometry.Touched(b.Scale(s, s)))
	}
	overlay.Redact(p.img, rects, "redacted")
	p.png = nil
	return nil
}

// encoded is the picture as PNG. Only what [picture.fill] has filled may be stored or passed on.
func (p *picture) encoded() ([]byte, error) {
	if len(p.png) > 0 {
		return p.png, nil
	}
	out, err := codec.EncodePNG(p.img, true)
	if err != nil {
		return nil, fmt.Errorf("redacting the picture: %w", err)
	}
	return out, nil
}
