package collect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// orderJS asks the browser what lies at points all over the viewport, uppermost
// first, and gives how many neighbours in these lists there are and which of them
// js/paint.js would put the other way round.
const orderJS = `(() => {
  const { index, order } = globalThis.__refscope.shot;
  const above = (a, b) => { for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] > b[k]; return a.length > b.length };
  const wrong = new Map(); let pairs = 0;
  // A line of text or of inline boxes is hit where it has gaps too, as its block.
  const lines = (el) => getComputedStyle(el).display !== 'inline' && Array.from(el.children).some((c) => /^(inline|img)/.test(getComputedStyle(c).display) || c.localName === 'img');
  const name = (el) => el.localName + '#' + el.id + ' ' + (el.getAttribute('style') || '');
  for (let y = 3; y < innerHeight; y += 13) for (let x = 3; x < innerWidth; x += 13) {
    const stack = document.elementsFromPoint(x, y).filter((el) => index.get(el) !== undefined);
    for (let k = 0; k + 1 < stack.length; k++) {
      pairs++;
      const a = order.key(index.get(stack[k])), b = order.key(index.get(stack[k + 1]));
      if (!above(a, b) && !lines(stack[k])) wrong.set(stack[k].id + ' ' + stack[k + 1].id, [name(stack[k]), name(stack[k + 1]), a, b].join(' | '));
    }
  }
  return JSON.stringify({ pairs, wrong: [...wrong.values()] });
})()`

// randomBoxes is a page of nested boxes that overlap, with all that decides which
// lies over which. They hold no text: that is painted after the boxes, and a hit on it
// names its box.
func randomBoxes(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	id := 0
	var box func(b *strings.Builder, depth int)
	box = func(b *strings.Builder, depth int) {
		id++
		style := fmt.Sprintf("background:hsl(%d,60%%,70%%);margin:%dpx 0 0 %dpx;", r.IntN(360), r.IntN(50)-30, r.IntN(50)-20)
		tag := pick("div", "div", "section", "span", "button", "img")
		switch r.IntN(5) {
		case 0:
			style += fmt.Sprintf("position:absolute;left:%dpx;top:%dpx;width:120px;height:60px;", r.IntN(200), r.IntN(120))
		case 1:
			style += pick("position:relative;", "position:relative;", "position:sticky;top:0;") + fmt.Sprintf("left:%dpx;width:140px;min-height:40px;", r.IntN(60)-30)
		case 2:
			style += pick("float:left;", "float:right;") + "width:90px;min-height:40px;"
		default:
			style += "width:150px;min-height:30px;"
		}
		if tag == "span" {
			style += "padding:8px 40px;"
		}
		if tag != "span" || r.IntN(2) == 0 {
			style += pick("", "", "display:inline-block;", "display:flex;", "display:grid;", "display:block;", "display:inline-flex;")
		}
		if r.IntN(3) == 0 {
			style += "z-index:" + pick("-1", "0", "1", "2", "5") + ";"
		}
		style += pick("", "", "", "", "", "", "opacity:.9;", "transform:translateX(3px);", "filter:blur(0);", "isolation:isolate;", "will-change:transform;", "contain:paint;",
			"mix-blend-mode:multiply;", "perspective:100px;", "translate:2px;", "clip-path:inset(0);", "content-visibility:auto;", "contain:layout;", "backdrop-filter:blur(1px);", "overflow:hidden;", "overflow:auto;")
		fmt.Fprintf(b, `<%s id=b%d style="%s"`, tag, id, style)
		b.WriteByte('>')
		if tag == "img" {
			return
		}
		for range r.IntN(4) {
			if depth < 4 && (tag == "div" || tag == "section") {
				box(b, depth+1)
			}
		}
		b.WriteString("</" + tag + ">")
	}
	var b strings.Builder
	b.WriteString("<!doctype html><title>Boxes</title><body style='margin:0;font:12px/20px sans-serif'>")
	for range 14 {
		box(&b, 0)
	}
	if seed%3 == 0 {
		b.WriteString(`<dialog id=d style="width:200px;height:80px"><button id=db>in the dialog</button></dialog><div popover id=p>popover</div><script>d.showModal();p.showPopover()</script>`)
	}
	return b.String()
}

// TestPaintOrder: on random pages the computed order is the browser's own.
func TestPaintOrder(t *testing.T) {
	rounds := testneed.Cases[uint64](5, 15, 40) // seeds
	tab := chrome.Tab(t)
	pairs, wrong := 0, 0
	for seed := range rounds {
		ctx := chrometest.Context(t)
		require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, randomBoxes(seed))))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		text, err := tab.Session().Eval(ctx, res.Capture.Frames[0].ID, orderJS)
		require.NoError(t, err)
		res.Release(ctx)
		var got struct {
			Pairs int
			Wrong []string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		pairs += got.Pairs
		wrong += len(got.Wrong)
		for _, w := range got.Wrong[:min(3, len(got.Wrong))] {
			t.Logf("page %d: %s", seed, w)
		}
	}
	t.Logf("%d pairs on %d pages, %d pairs of elements in the wrong order", pairs, rounds, wrong)
	require.Greater(t, pairs, 1000)
	require.Zero(t, wrong)
}
