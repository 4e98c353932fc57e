package collect_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// reachJS asks the browser, for each [place, x, y] of an element and a point: does the point hit the element, what is
// in it or its label, and does any other point of its box.
const reachJS = `((asked) => {
  const { els } = globalThis.__refscope.shot
  const operated = 'a[href],button,details,iframe,input:not([type=hidden]),label,select,textarea'
  const hits = (el, x, y) => {
    let hit = document.elementFromPoint(x, y)
    for (let inner; hit?.shadowRoot && (inner = hit.shadowRoot.elementFromPoint(x, y)) && inner !== hit; ) hit = inner
    let other = false // is operated itself
    for (const labels = Array.from(el.labels || []); hit; hit = hit.parentElement || hit.getRootNode().host)
      if (hit === el || labels.includes(hit) && !other) return true
      else other = other || Element.prototype.matches.call(hit, operated)
    return false
  }
  return JSON.stringify(asked.map(([place, x, y]) => {
    const el = els[place], b = el.getBoundingClientRect()
    let any = false
    for (let at = b.top; at < b.bottom && !any; at += 2)
      for (let over = b.left; over < b.right && !any; over += 2) any = hits(el, over, at)
    return { Click: hits(el, x, y), Any: any, Is: el.outerHTML.slice(0, 120) }
  }))
})`

// TestClickPoint: the click point of what is clear or partly covered is a point of the element, that of what is covered
// is none; and where no click is said to reach an element, no point of it does.
func TestClickPoint(t *testing.T) {
	tab := chrome.Tab(t)
	controls, unreached := 0, 0
	for seed := range testneed.Cases[uint64](6, 20, 60) {
		ctx := chrometest.Context(t)
		url := chrometest.Folder(t, "testdata") + "/reach.html"
		if seed > 0 {
			url = chrometest.Page(t, odd(seed))
		}
		require.NoError(t, tab.Navigate(ctx, url))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		asked := [][3]float64{}
		var nodes []*snapshot.Node
		for i := range res.Capture.Nodes {
			n := &res.Capture.Nodes[i]
			if o := n.Occlusion; o != nil && len(n.Interactive) > 0 && n.Tag != "label" && !n.NoPointer && n.Frame == 0 &&
				min(n.Box.W(), n.Box.H()) >= 4 {
				asked = append(asked, [3]float64{float64(i), o.Click[0], o.Click[1]})
				nodes = append(nodes, n)
			}
		}
		arg, err := json.Marshal(asked)
		require.NoError(t, err)
		text, err := tab.Session().Eval(ctx, res.Capture.Frames[0].ID, reachJS+"("+string(arg)+")")
		require.NoError(t, err)
		res.Release(ctx)
		var got []struct {
			Click, Any bool
			Is         string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		for k, n := range nodes {
			said := fmt.Sprintf("page %d: %s, click at %v: %s", seed, n.Occlusion.State, n.Occlusion.Click, got[k].Is)
			controls++
			require.Equal(t, n.Occlusion.State != snapshot.Covered, got[k].Click, said)
			if n.Occlusion.State == snapshot.Covered && n.Occlusion.Coverer == nil {
				unreached++
				require.False(t, got[k].Any, said)
				require.Zero(t, n.Occlusion.HitShare, said)
			}
		}
	}
	t.Logf("%d controls, %d of them out of reach", controls, unreached)
	require.Greater(t, unreached, 5)
}

// TestClicksOnLabels: a click at the click point of a checkbox that a label stands for checks it, whatever else is in the
// label, and does not where the checkbox is said to be covered. So does one at that of a label, wherever that lies.
func TestClicksOnLabels(t *testing.T) {
	kinds := []string{`<a href="#t">link</a>`, `<a href="#t"><b>link</b></a>`, `<a>none</a>`, `<button type=button>B</button>`,
		`<button disabled>B</button>`, `<input size=3>`, `<textarea rows=1 cols=3></textarea>`, `<span tabindex=0>tab</span>`,
		`<details open><summary>s</summary><i>in</i></details>`, `<img width=20 height=20 alt=x>`,
		`<img usemap="#m" width=20 height=20 alt=x>`, `<video controls width=90 height=30></video>`,
		`<video width=90 height=30></video>`, `<iframe width=50 height=20></iframe>`, `<span role=button>role</span>`,
		`<span contenteditable>edit</span>`, `<label>label</label>`, `<meter value=.5></meter>`, `<output>out</output>`,
		`<svg width=40 height=20><a href="#t"><rect width=40 height=20 /></a></svg>`, `<input type=checkbox>`,
		`<x-y></x-y>`, `<select><option>o</select>`, `<form><input name=matches size=3></form>`, `plain`}
	ways := []string{`<label><input CONTROL HIDDEN> xx KIND yy</label>`, `<label><input CONTROL HIDDEN>KIND</label>`,
		`<input CONTROL HIDDEN id=fID><label for=fID>xx KIND</label>`, `<label><input CONTROL> xx KIND</label>`,
		`<label><input CONTROL style="pointer-events:none"> xx KIND</label>`,
		`<label style="position:relative;display:inline-block"><input CONTROL style="opacity:0"><span style="position:absolute;inset:0">KIND</span></label>`}
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Labels</title><body style="margin:0;font:12px sans-serif">`)
	for k, kind := range kinds {
		for w, way := range ways {
			id := fmt.Sprint(k*len(ways) + w)
			fmt.Fprintf(&b, `<div style="position:absolute;left:%dpx;top:%dpx;width:200px;height:27px">%s</div>`, 205*w, 28*k,
				strings.NewReplacer("CONTROL", "type=checkbox data-i="+id, "KIND", kind, "ID", id, "HIDDEN",
					`style="position:absolute;opacity:0;width:1px;height:1px"`).Replace(way))
		}
	}
	for k, label := range []string{`<input type=checkbox id=f><label for=f LABEL>words</label>`,
		`<div inert><label LABEL><input type=checkbox> words</label></div>`,
		`<div style="pointer-events:none"><label LABEL><input type=checkbox> words</label></div>`,
		`<input type=checkbox id=n><label for=n LABEL style="pointer-events:none">words</label>`,
		`<input type=checkbox id=o style="position:absolute;width:90px;height:20px"><label for=o LABEL
			style="position:absolute;left:30px;pointer-events:none">words</label>`,
		`<label LABEL><input type=checkbox> words</label><div style="position:absolute;inset:0">.</div>`} {
		fmt.Fprintf(&b, `<div style="position:absolute;left:%dpx;top:700px;width:200px;height:20px">%s</div>`, 205*k,
			strings.Replace(label, "LABEL", fmt.Sprintf("data-i=label%d", k), 1))
	}
	b.WriteString(`<script>for (const el of document.querySelectorAll('x-y'))
		el.attachShadow({ mode: 'open' }).innerHTML = '<a href="#t">in shadow</a>'</script>`)
	tab := chrome.Open(t, chrometest.Page(t, b.String()))
	ctx := chrometest.Context(t)
	c := read(t, tab)
	states := map[snapshot.OcclusionState]int{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if n.Attr("data-i") == "" {
			continue
		}
		require.NotNil(t, n.Occlusion, n.Path)
		states[n.Occlusion.State]++
		for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed,
			input.DispatchMouseEventTypeMouseReleased} {
			_, err := cdp.Call(ctx, tab.Session(), input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind,
				X: n.Occlusion.Click[0], Y: n.Occlusion.Click[1], Button: input.MouseButtonLeft, ClickCount: 1})
			require.NoError(t, err)
		}
		checked, err := tab.Session().Eval(ctx, c.Frames[0].ID,
			"(el => String((el.control ?? el).checked))(document.querySelector('[data-i=\""+n.Attr("data-i")+"\"]'))")
		require.NoError(t, err)
		require.Equal(t, n.Occlusion.State != snapshot.Covered, checked == "true", "%s is %s, a click at %v: %v", n.Path,
			n.Occlusion.State, n.Occlusion.Click, n.Occlusion.Points)
	}
	t.Logf("%d kinds in %d ways: %v", len(kinds), len(ways), states)
	require.Greater(t, states[snapshot.Covered], 10)
	require.Greater(t, states[snapshot.Clear], 70)
}

// TestClicksOnWhatHoldsControls: the click point of what is operated itself lies beside the control in its middle. A
// text field there, which only takes the focus, what is no control, and what has all of its words leave it in the
// middle, and so does what is not operated itself.
func TestClicksOnWhatHoldsControls(t *testing.T) {
	outer := []struct {
		html        string
		moves, bare bool
	}{
		{`<div role=button tabindex=0 DATA>xx KIND</div>`, true, false},
		{`<a href="#o" DATA>xx KIND</a>`, true, false},
		{`<div onclick="0" DATA>KIND <i>xx</i></div>`, true, false},
		{`<div DATA class=pointer>xx KIND</div>`, true, false},
		{`<li role=treeitem DATA><b>xx</b> KIND</li>`, true, false},
		{`<details><summary DATA>xx KIND</summary></details>`, true, false},
		{`<label DATA><input type=checkbox> xx KIND</label>`, true, false},
		{`<x-card DATA>KIND</x-card>`, true, false}, // the words are in its shadow root
		{`<div tabindex=0 DATA>KIND</div>`, false, true},
		{`<section DATA>xx KIND</section>`, false, false},
		{`<div role=group tabindex=-1 DATA>xx KIND</div>`, false, false},
	}
	inner := []struct {
		html  string
		moves bool
	}{
		{`<button type=button data-in>B</button>`, true}, {`<svg data-in><a href="#i"><rect width=70 height=36 /></a></svg>`, true},
		{`<span role=link data-in>link</span>`, true}, {`<span role=treeitem data-in><u>child</u></span>`, true},
		{`<input type=checkbox data-in aria-label="check">`, true}, {`<select data-in><option>one</select>`, true},
		{`<iframe data-in></iframe>`, true}, {`<button disabled data-in>off</button>`, true},
		{`<x-in data-in></x-in>`, true}, {`<input data-in>`, false}, {`<span data-in>plain</span>`, false},
		{`<button type=button aria-label="XX" data-in></button>`, false},
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Cards</title><body style="margin:0;font:12px sans-serif"><style>
		[data-i]{display:block;position:relative;width:110px;height:56px;overflow:hidden} .pointer{cursor:pointer}
		[data-in]{position:absolute;left:20px;top:10px;width:70px;height:36px;box-sizing:border-box}</style>`)
	for k, in := range inner {
		for o, out := range outer {
			fmt.Fprintf(&b, `<div style="position:absolute;left:%dpx;top:%dpx">%s</div>`, 112*o, 58*k, strings.NewReplacer(
				"KIND", in.html, "DATA", fmt.Sprint("data-i=", k*len(outer)+o)).Replace(out.html))
		}
	}
	b.WriteString(`<script>for (const [name, inside, index] of [['x-card', 'xx <slot></slot>', 0],
			['x-in', '<button style="width:70px;height:36px">deep</button>', -1]])
		customElements.define(name, class extends HTMLElement { constructor() { super();
			if (index === 0) this.tabIndex = 0;
			this.attachShadow({ mode: 'open' }).innerHTML = inside } })</script>`)
	tab := chrome.Open(t, chrometest.Page(t, b.String()))
	ctx := chrometest.Context(t)
	c := read(t, tab)
	moved, stayed := 0, 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		id, err := strconv.Atoi(n.Attr("data-i"))
		if err != nil {
			continue
		}
		in, out := inner[id/len(outer)], outer[id%len(outer)]
		if n.Occlusion == nil { // a tab stop with no word is no element that can be operated
			require.True(t, out.bare, n.Path)
			stayed++
			continue
		}
		x, y := n.Occlusion.Click[0], n.Occlusion.Click[1]
		middle := n.Box.X()+n.Box.W()/2 == x && n.Box.Y()+n.Box.H()/2 == y
		if !in.moves || !out.moves {
			require.True(t, middle || out.bare && strings.Contains(in.html, "aria-label"), "%s with %s: %v", out.html, in.html,
				n.Occlusion.Click)
			stayed++
			continue
		}
		hit, err := tab.Session().Eval(ctx, c.Frames[0].ID, fmt.Sprintf(
			"(document.elementFromPoint(%v, %v).closest('[data-in],[data-i]').dataset.i || 'inner')", x, y))
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(id), hit, "%s with %s: %v", out.html, in.html, n.Occlusion.Points)
		require.Equal(t, snapshot.Clear, n.Occlusion.State)
		moved++
	}
	require.Equal(t, 8*9, moved)
	require.Equal(t, len(outer)*len(inner)-8*9, stayed)
}

// odd is a random page of which some controls cannot be reached, or only at their edge.
func odd(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	for k, part := range strings.Split(randomBoxes(seed), "<button id=") {
		if k > 0 {
			b.WriteString("<button " + [...]string{"", "", "inert ", "aria-disabled=true "}[r.IntN(4)] + "id=")
			way := [...]string{"", "", "clip-path:circle(12px at 0 0);", "backface-visibility:hidden;rotate:y 180deg;",
				"position:relative;z-index:-1;", "clip-path:polygon(0 0,100% 0,0 100%);", "border-radius:50%;"}[r.IntN(7)]
			part = strings.Replace(part, `style="`, `style="`+way, 1)
		}
		b.WriteString(part)
	}
	return b.String()
}

// reachInJS is what [data-i] lies at each point of the viewport, in whatever frame, "" for none.
const reachInJS = `((points) => {
  const at = (doc, x, y) => {
    const el = doc.elementFromPoint(x, y)
    const inner = el?.localName === 'iframe' && el.contentDocument
    if (!inner) return el?.closest('[data-i]')?.dataset.i || ''
    const b = el.getBoundingClientRect(), style = getComputedStyle(el)
    const over = b.width / el.offsetWidth, down = b.height / el.offsetHeight
    return at(inner, (x - b.left) / over - el.clientLeft - parseFloat(style.paddingLeft),
      (y - b.top) / down - el.clientTop - parseFloat(style.paddingTop))
  }
  return JSON.stringify(points.map(([x, y]) => at(document, x, y)))
})`

// TestClickPointInFrames: what TestClickPoint says holds for what lies in frames, which are moved, cut, scaled, covered,
// inert, or let clicks through.
func TestClickPointInFrames(t *testing.T) {
	tab := chrome.Tab(t)
	controls, states := 0, map[snapshot.OcclusionState]int{}
	for seed := range testneed.Cases[uint64](3, 8, 40) {
		ctx := chrometest.Context(t)
		require.NoError(t, tab.Navigate(ctx, chrometest.Page(t, framed(seed))))
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err)
		points := [][2]float64{}
		var nodes []*snapshot.Node
		for i := range res.Capture.Nodes {
			n := &res.Capture.Nodes[i]
			seen := n.VisibleBox() // hit tests are on whole pixels
			if n.Occlusion != nil && n.Attr("data-i") != "" && !n.NoPointer && min(seen.W(), seen.H()) >= 4 {
				points, nodes = append(points, n.Occlusion.Click), append(nodes, n)
			}
		}
		arg, err := json.Marshal(points)
		require.NoError(t, err)
		text, err := tab.Session().Eval(ctx, res.Capture.Frames[0].ID, reachInJS+"("+string(arg)+")")
		require.NoError(t, err)
		res.Release(ctx)
		var got []string
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		for k, n := range nodes {
			controls++
			states[n.Occlusion.State]++
			hit := got[k] == n.Attr("data-i")
			require.Equal(t, n.Occlusion.State != snapshot.Covered, hit, "page %d: button %s is %s, and a click at %v reaches %q: %v",
				seed, n.Attr("data-i"), n.Occlusion.State, n.Occlusion.Click, got[k], n.Occlusion.Points)
		}
	}
	t.Logf("%d controls in frames: %v", controls, states)
	require.NotZero(t, states[snapshot.Clear])
	require.NotZero(t, states[snapshot.Covered])
}

// framed is a random page of frames in frames with buttons in them.
func framed(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	id := 0
	var document func(depth int) string
	document = func(depth int) string {
		var b strings.Builder
		b.WriteString(`<!doctype html><body style="margin:` + pick("0", "8px", "20px") + `">`)
		for range 3 + r.IntN(3) {
			id++
			switch {
			case depth < 2 && r.IntN(2) == 0:
				style := pick("", "border:0;", "border:7px solid;", "padding:9px;") + "width:" + pick("300px", "180px") +
					";height:" + pick("160px", "90px") + ";" + pick("", "", "transform:scale(.5);", "transform:scale(1.5);", "opacity:.5;",
					"pointer-events:none;", "clip-path:inset(0 50% 0 0);", "border-radius:60px;", "position:relative;z-index:-1;")
				fmt.Fprintf(&b, `<div style="overflow:%s;height:%s"><iframe %s style="%s" srcdoc="%s"></iframe></div>`,
					pick("visible", "hidden", "auto"), pick("auto", "70px"), pick("", "", "", "inert"), style, html.EscapeString(document(depth+1)))
			case r.IntN(5) == 0:
				fmt.Fprintf(&b, `<div style="position:absolute;left:%dpx;top:%dpx;width:70px;height:40px;background:#f00;%s">over</div>`,
					r.IntN(200), r.IntN(200), pick("", "", "pointer-events:none"))
			default:
				fmt.Fprintf(&b, `<button data-i=b%d style="margin:%dpx;width:%dpx;height:24px">b%d</button>`, id, r.IntN(20), 30+r.IntN(90), id)
			}
		}
		return b.String()
	}
	return document(0) + document(0)
}
