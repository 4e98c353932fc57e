package session_test

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/session"
	"github.com/stretchr/testify/require"
)

// TestPictureOfAPinchedPage: where a person has pinched the page larger, the picture is that of the boxes, and what is
// withheld is filled where it is drawn; the page is as large as it was afterwards and has not noticed.
func TestPictureOfAPinchedPage(t *testing.T) {
	tab := chrome.Tab(t)
	ctx := chrometest.Context(t)
	require.NoError(t, tab.Emulate(ctx, &device.Device{Width: 390, Height: 844, Scale: 2, Mobile: true, Touch: true}))
	chrometest.Load(t, tab, chrometest.Page(t, `<!doctype html><meta name=viewport content="width=device-width">
<title>Pinched</title><h1>Sign in</h1><input type=password value="Tr0ub4dor&amp;3"><p>words <a href=#>link</a>
<div style="height:1000px"></div><button>far</button>
<script>window.noticed = 0; const notice = () => noticed++;</script>`))
	before := take(t, tab, session.Options{})
	_, err := cdp.Call(ctx, tab.Session(), input.SynthesizePinchGesture, input.SynthesizePinchGestureParams{X: 150, Y: 300,
		ScaleFactor: 2})
	require.NoError(t, err)
	const view = "[visualViewport.scale.toFixed(2), visualViewport.offsetLeft, visualViewport.offsetTop].join()"
	pinched := inPage(t, tab, view)
	require.Equal(t, "2.00", pinched[:4])
	inPage(t, tab, "for (const e of ['resize', 'scroll']) visualViewport.addEventListener(e, notice); ''")
	after := take(t, tab, session.Options{})
	require.Equal(t, before.Capture.Viewport, after.Capture.Viewport)
	require.Equal(t, before.Picture, after.Picture)
	require.Equal(t, pinched, inPage(t, tab, view))
	require.Equal(t, "0", inPage(t, tab, "'' + noticed"))
}
