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

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// visible is where the visual viewport lies, in CSS px of the document.
func visible(ctx context.Context, tab *browser.Tab) (snapshot.Box, error) {
	m, err := cdp.Call(ctx, tab.Session(), page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return snapshot.Box{}, err
	}
	v := m.CSSVisualViewport
	if v == nil || v.ClientWidth <= 0 || v.ClientHeight <= 0 {
		return snapshot.Box{}, errors.New("the page has no visible area")
	}
	return snapshot.Box{v.PageX, v.PageY, v.ClientWidth, v.ClientHeight}, nil
}

// pictureDeadline is how long one picture may take.
const pictureDeadline = 20 * time.Second

// screenshot is the PNG of a part of the document, CSS px. Without a clip Chrome would
// add what a scroll bar takes, and the scale could not be known. What lies outside of
// the window is white, but for beyond: Chrome then gives the page for a moment a window
// of 1 x 1 px, which the page can notice, and lays it out again as it was.
func screenshot(ctx context.Context, tab *browser.Tab, clip snapshot.Box, beyond bool) ([]byte, error) {
	// A tab that does not paint, because it is hidden or its page is stuck, never
	// answers.
	ctx, cancel := browser.Within(ctx, pictureDeadline)
	defer cancel()
	fast := true
	res, err := cdp.Call(ctx, tab.Session(), page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format:                page.CaptureScreenshotFormatPng,
		Clip:                  &page.Viewport{X: clip.X(), Y: clip.Y(), Width: clip.W(), Height: clip.H(), Scale: 1},
		CaptureBeyondViewport: &beyond,
		OptimizeForSpeed:      &fast,
	})
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

// takePicture is the picture of what the window shows; same: with a caret in the same phase every time.
func takePicture(ctx context.Context, tab *browser.Tab, clip snapshot.Box, c *snapshot.Capture, same bool) (*picture,
	error) {
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
	from  time.Time
	area  snapshot.Box
	pic   *picture
	err   error
}

// begin asks for the picture; work is over when it has come.
func (e *earlyPicture) begin(ctx context.Context, tab *browser.Tab) {
	e.work.Wait() // for that of a document that was left meanwhile
	e.begun, e.from, e.err = true, time.Now(), nil
	e.work.Go(func() {
		if e.area, e.err = visible(ctx, tab); e.err != nil {
			e.err = fmt.Errorf("measuring the page: %w", e.err)
			return
		}
		var png []byte
		png, e.err = screenshot(ctx, tab, e.area, false)
		e.pic = &picture{png: png}
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

// redacted is the picture as PNG with the boxes of withheld values filled flat, s image px for one CSS px. Only
// that may be stored or passed on.
func (p *picture) redacted(boxes []snapshot.Box, s float64) ([]byte, error) {
	if len(boxes) == 0 && p.img == nil {
		return p.png, nil
	}
	img := p.img
	if img == nil {
		var err error
		if img, err = overlay.DecodePNG(p.png); err != nil {
			return nil, fmt.Errorf("redacting the picture: %w", err)
		}
	}
	rects := make([]image.Rectangle, 0, len(boxes))
	for _, b := range boxes {
		b = b.Scale(s, s)
		rects = append(rects, image.Rect(
			int(math.Floor(b.X())), int(math.Floor(b.Y())),
			int(math.Ceil(b.Right())), int(math.Ceil(b.Bottom()))))
	}
	overlay.Redact(img, rects, "redacted")
	out, err := overlay.EncodePNG(img, true)
	if err != nil {
		return nil, fmt.Errorf("redacting the picture: %w", err)
	}
	return out, nil
}
