package action

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/stretchr/testify/require"
)

// TestPinched: on a page that a person has pinched larger, a click lands on what it is for, wherever it lies.
func TestPinched(t *testing.T) {
	var b []byte
	for y := range 20 {
		for x := range 4 {
			b = fmt.Appendf(b, `<button id=b%d-%d style="left:%dpx;top:%dpx">%d %d</button>`,
				x, y, 300*x+20, 70*y+10, x, y)
		}
	}
	p, ctx := open(t, `<style>button,p{position:absolute;width:80px;height:30px}</style>`+string(b)+
		`<script>hear('button','click')</script>`)
	_, err := cdp.Call(ctx, p.Tab().Session(), emulation.SetPageScaleFactor,
		emulation.SetPageScaleFactorParams{PageScaleFactor: 2.5})
	require.NoError(t, err)
	for _, id := range []string{"b0-0", "b3-9", "b0-19", "b2-0", "b1-12", "b3-19", "b0-0"} {
		eval(t, p, "heard.length = 0")
		done, err := p.Click(ctx, p.must(t, "#"+id), ClickOptions{})
		require.NoError(t, err, id)
		require.Nil(t, done.Forced, id)
		require.Equal(t, MethodCDP, done.Method, id)
		require.Equal(t, id+":click", eval(t, p, "heard.join()"))
	}
	_, err = p.Click(ctx, p.must(t, "#b3-19"), ClickOptions{})
	require.NoError(t, err)
	outside := &OutsideError{}
	require.ErrorAs(t, p.InViewport(ctx, 20, 20), &outside)
	require.ErrorContains(t, outside, "pinched larger: 512 x 288 CSS px")
	require.NoError(t, p.InViewport(ctx, outside.Seen.X()+20, outside.Seen.Y()+20))

	eval(t, p, `document.body.insertAdjacentHTML('beforeend',
		'<p id=d draggable=true style="left:700px;top:900px">take</p>' +
		'<p id=z style="left:800px;top:1000px" ondragover="event.preventDefault()">here</p>'),
		hear('#d', 'dragstart'), hear('#z', 'drop'), heard.length = 0`)
	take, here := p.must(t, "#d"), p.must(t, "#z")
	drag, err := p.Drag(ctx, End{Element: &take}, End{Element: &here}, DragOptions{})
	require.NoError(t, err)
	require.Equal(t, DragHTML5, drag.Method)
	require.Equal(t, "d:dragstart,z:drop", eval(t, p, "heard.join()"))
}
