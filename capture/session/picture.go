package session

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
)

// metrics are where the visual viewport lies, in CSS px of the document.
type metrics struct{ x, y, width, height float64 }

func readMetrics(ctx context.Context, tab *browser.Tab) (metrics, error) {
	m, err := cdp.Call(ctx, tab.Session(), page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return metrics{}, err
	}
	v := m.CSSVisualViewport
	if v == nil || v.ClientWidth <= 0 || v.ClientHeight <= 0 {
		return metrics{}, errors.New("the page has no visible area")
	}
	return metrics{v.PageX, v.PageY, v.ClientWidth, v.ClientHeight}, nil
}

// pictureDeadline is how long one picture may take.
const pictureDeadline = 20 * time.Second

// screenshot is the PNG of the visual viewport. Without a clip Chrome would add
// what a scroll bar takes, and the scale could not be known.
func screenshot(ctx context.Context, tab *browser.Tab, m metrics) ([]byte, error) {
	// A tab that does not paint, because it is hidden or its page is stuck, never
	// answers.
	ctx, cancel := context.WithTimeout(ctx, pictureDeadline)
	defer cancel()
	fast, beyond := true, false
	res, err := cdp.Call(ctx, tab.Session(), page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format:                page.CaptureScreenshotFormatPng,
		Clip:                  &page.Viewport{X: m.x, Y: m.y, Width: m.width, Height: m.height, Scale: 1},
		CaptureBeyondViewport: &beyond,
		OptimizeForSpeed:      &fast,
	})
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("taking the picture: the tab does not paint, it may be hidden or its page stuck: bring it to the front, or load it again (%w)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("taking the picture: %w", err)
	}
	return res.Data, nil
}

// withheldBoxes are the parts of an element that would show what was kept out of the
// capture, in CSS px: its whole box where a value or a placeholder stands in it or the
// profile withholds it, the lines of its own text where that is all. A name or an
// address is not drawn; the text that it was made of is, and has its own boxes.
func withheldBoxes(n *snapshot.Node) []snapshot.Box {
	if len(n.Redacted) == 0 {
		return nil
	}
	for _, field := range n.Redacted {
		switch field {
		case "value", "element", "attr:value", "attr:placeholder", "attr:srcdoc":
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

// redactPicture fills the boxes of withheld values flat before the picture is
// stored or handed on. It returns the picture as it is where there are none.
func redactPicture(png []byte, c *snapshot.Capture) ([]byte, error) {
	var boxes []snapshot.Box
	for i := range c.Nodes {
		n := &c.Nodes[i]
		boxes = append(boxes, withheldBoxes(n)...)
	}
	if len(boxes) == 0 {
		return png, nil
	}
	img, err := overlay.DecodePNG(png)
	if err != nil {
		return nil, fmt.Errorf("redacting the picture: %w", err)
	}
	s := c.Viewport.Scale
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
