package report

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// reader is somebody with a browser who opens the file.
type reader struct {
	t       *testing.T
	plain   *chrometest.Plain
	session string
	target  string
}

// openFile shows a report from disk, with the network cut. Before anything of it runs,
// a listener writes down what the policy refuses and what fails.
func openFile(t *testing.T, report string) *reader {
	t.Helper()
	b := chrome.Browser(t)
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, []byte(report), 0o600))
	r := &reader{t: t, plain: chrometest.DialPlain(t, b)}
	var made struct {
		TargetID string `json:"targetId"`
	}
	ctx := chrometest.Context(t)
	require.NoError(t, r.plain.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &made))
	r.target = made.TargetID
	t.Cleanup(func() {
		_ = r.plain.Call(chrometest.Context(t), "", "Target.closeTarget", map[string]any{"targetId": r.target}, nil)
	})
	var err error
	r.session, err = r.plain.Attach(ctx, r.target)
	require.NoError(t, err)
	r.call("Network.enable", nil)
	r.call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
	r.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `window.faults = []
addEventListener('securitypolicyviolation', e => faults.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI))
addEventListener('error', e => faults.push('error: ' + e.message), true)
for (const level of ['error', 'warn']) console[level] = (...a) => faults.push(level + ': ' + a)`})
	r.size(1280, 800)
	r.scheme("light", "screen")
	r.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: file}).String()})
	r.eval(`new Promise(done => { const look = () => document.readyState === 'complete' && location.protocol === 'file:' ? done(1) : setTimeout(look, 10); look() })`, nil)
	return r
}

func (r *reader) call(method string, params any) {
	r.t.Helper()
	if params == nil {
		params = struct{}{}
	}
	require.NoError(r.t, r.plain.Call(chrometest.Context(r.t), r.session, method, params, nil))
}

func (r *reader) eval(expression string, result any) {
	r.t.Helper()
	require.NoError(r.t, r.plain.Eval(chrometest.Context(r.t), r.session, expression, result))
}

func (r *reader) text(expression string) string {
	r.t.Helper()
	var s string
	r.eval(expression, &s)
	return s
}

func (r *reader) size(width, height int) {
	r.t.Helper()
	r.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false})
}

func (r *reader) scheme(scheme, media string) {
	r.t.Helper()
	r.call("Emulation.setEmulatedMedia", map[string]any{"media": media, "features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
}

// point moves the pointer to the middle of the element.
func (r *reader) point(selector string) {
	r.t.Helper()
	var at [2]float64
	r.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.scrollIntoView({block: 'center', behavior: 'instant'})
const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()`, selector), &at)
	r.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at[0], "y": at[1]})
}

func (r *reader) noFaults() {
	r.t.Helper()
	var faults []string
	r.eval(`faults`, &faults)
	require.Empty(r.t, faults, "what the browser refused or reported")
}

func shopReport(t *testing.T) string {
	report, _ := write(t, shop(t), Options{Name: "shop"})
	return report
}

func TestTheBrowserRefusesNothing(t *testing.T) {
	r := openFile(t, shopReport(t))
	var resources []string
	r.eval(`performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:'))`, &resources)
	require.Empty(t, resources, "a file that is whole asks for nothing")
	var drawn bool
	r.eval(`(async () => { const i = new Image(); i.src = document.querySelector('image').getAttribute('href'); await i.decode(); return i.naturalWidth === 400 })()`, &drawn)
	require.True(t, drawn)
	r.noFaults()
}

// The policy is not only there, it works: what a page would smuggle in does not run.
func TestThePolicyHolds(t *testing.T) {
	r := openFile(t, shopReport(t))
	r.eval(`new Promise(done => { const d = document.createElement('div')
d.innerHTML = '<img src=x onerror="window.ran = 1"><img src="http://127.0.0.1:9/x.png"><p style="color:red">styled</p>'
const s = document.createElement('script'); s.textContent = 'window.ran = 2'
document.body.append(d, s); setTimeout(done, 50) })`, nil)
	require.Equal(t, "undefined", r.text(`typeof window.ran`))
	require.NotEqual(t, "rgb(255, 0, 0)", r.text(`getComputedStyle(document.querySelector('p[style]')).color`))
	var faults []string
	r.eval(`faults`, &faults)
	require.NotEmpty(t, faults)
}

func TestHoverNamesTheElement(t *testing.T) {
	r := openFile(t, shopReport(t))
	const tip = `(() => { const t = document.querySelector('#t2 .tip'); return t.hidden ? '' : t.textContent })()`
	require.Empty(t, r.text(tip))
	r.point("#t2m1 .box")
	require.Equal(t, "1 button “Buy”, covered, 25 % seen, by 5 dialog “Sign in”", r.text(tip))
	require.Equal(t, "1", r.text(`document.querySelector('#t2e1.on th').textContent`), "its row is lit")
	require.Contains(t, r.text(`document.querySelector('#t2 pre .l.on').textContent`), "[1]<button>", "and its line")
	require.Empty(t, r.text(`[...document.querySelectorAll('#t1 .on')].map(e => e.tagName).join()`), "in its own turn")
	var inside bool
	r.eval(`(() => { const t = document.querySelector('#t2 .tip').getBoundingClientRect(), s = document.querySelector('#t2 .stage').getBoundingClientRect()
return t.left >= s.left && t.right <= s.right && t.top >= s.top && t.bottom <= s.bottom })()`, &inside)
	require.True(t, inside, "the tip stays on the picture")

	r.point("#t2e5 td")
	require.Equal(t, "5 dialog “Sign in”", r.text(tip), "from the row to the box")
	r.point("h1")
	require.Empty(t, r.text(tip))

	r.eval(`document.querySelector('#t1m2').focus({preventScroll: true})`, nil)
	require.Contains(t, r.text(`document.querySelector('#t1 .tip').textContent`), "textbox “Password”", "by keyboard too")
	r.noFaults()
}

func TestKeyboardReachesEveryBox(t *testing.T) {
	r := openFile(t, shopReport(t))
	seen := map[string]bool{}
	for range 80 {
		r.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9})
		r.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9})
		seen[r.text(`document.activeElement.id || document.activeElement.className.toString()`)] = true
	}
	for _, id := range []string{"t1m1", "t1m2", "t2m1", "t2m5", "turncard", "skip", "stage", "scroll"} {
		require.True(t, seen[id], "%s in %v", id, seen)
	}
}

func TestNothingIsWiderThanAPhone(t *testing.T) {
	reports := map[string]string{"shop": shopReport(t)}
	for _, c := range evil[:2] {
		reports[c.name], _ = write(t, hostile(t, c.say+"looooooooooooooooooooooooooooooooooooooooooooooooooooooooooong"), Options{Name: c.say})
	}
	for name, report := range reports {
		t.Run(name, func(t *testing.T) {
			r := openFile(t, report)
			for _, width := range []int{320, 360, 412, 768, 1024, 1280, 1920} {
				r.size(width, 740)
				var wide struct{ Page, View float64 }
				r.eval(`({Page: document.documentElement.scrollWidth, View: innerWidth})`, &wide)
				require.LessOrEqual(t, wide.Page, wide.View, "at %d px", width)
			}
			r.noFaults()
		})
	}
}

func TestPaperShowsAll(t *testing.T) {
	r := openFile(t, shopReport(t))
	r.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	r.scheme("light", "print")
	var hidden []string
	r.eval(`[...document.querySelectorAll('details > :not(summary), pre, .l, tr, li, .m, dd')].filter(e => {
  const b = e.getBoundingClientRect(), s = getComputedStyle(e)
  return b.height === 0 || s.visibility !== 'visible' || !e.checkVisibility({contentVisibilityAuto: true})
}).map(e => e.outerHTML.slice(0, 80))`, &hidden)
	require.Empty(t, hidden, "closed details are open on paper")
	var cut []string
	r.eval(`[...document.querySelectorAll('main *')].filter(e => ['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1 && !e.matches('.vh, .vh *, .url'))
.map(e => e.className + ' ' + e.scrollHeight + ' in ' + e.clientHeight)`, &cut)
	require.Empty(t, cut, "nothing scrolls on paper")
	require.Equal(t, "page", r.text(`getComputedStyle(document.querySelector('.turn')).breakBefore`))
}

// contrastScript finds the text that is hard to read (WCAG 2.2, 1.4.3): its colour
// against the grounds behind it, see-through ones mixed in. Digits on a plate of a
// picture are held against that plate.
const contrastScript = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number)
  const over = (a, b) => { const k = a[3] === undefined ? 1 : a[3]; return [0, 1, 2].map(i => a[i] * k + b[i] * (1 - k)) }
  const lum = c => { const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b }
  const ratio = (a, b) => { const x = lum(a), y = lum(b); return (Math.max(x, y) + .05) / (Math.min(x, y) + .05) }
  const ground = e => { if (!e) return [255, 255, 255]; const c = parse(getComputedStyle(e).backgroundColor); return c[3] === 0 ? ground(e.parentElement) : over(c, ground(e.parentElement)) }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = []
  let n, checked = 0
  while (n = walk.nextNode()) {
    const e = n.parentElement
    if (!n.data.trim() || ['SCRIPT', 'STYLE', 'title'].includes(e.tagName)) continue
    const s = getComputedStyle(e), svg = e.namespaceURI.endsWith('svg')
    const back = svg ? parse(getComputedStyle(e.parentElement.querySelector('.rim')).fill) : ground(e)
    const fore = over(parse(svg ? s.fill : s.color), back), r = ratio(fore, back)
    checked++
    if (r < 4.5) out.push(r.toFixed(2) + ' ' + (e.className.baseVal ?? e.className) + ' <' + e.tagName + '> ' + n.data.trim().slice(0, 40))
  }
  return {Checked: checked, Low: [...new Set(out)]}
})()`

func TestTextIsReadable(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		for _, media := range []string{"screen", "print"} {
			t.Run(scheme+" "+media, func(t *testing.T) {
				r := openFile(t, shopReport(t))
				r.scheme(scheme, media)
				for _, state := range []string{"", "#t1e1 td", "#t2e1 td", "#t2 pre .l", "#t1m1 .box"} {
					if state != "" && media == "screen" {
						r.point(state)
					}
					var got struct {
						Checked int
						Low     []string
					}
					r.eval(contrastScript, &got)
					require.Empty(t, got.Low, state)
					require.Greater(t, got.Checked, 150)
				}
			})
		}
	}
}

// The names and roles that a screen reader gets.
func TestAScreenReaderIsTold(t *testing.T) {
	r := openFile(t, shopReport(t))
	var tree struct {
		Nodes []struct {
			Ignored bool
			Role    struct{ Value string }
			Name    struct{ Value json.RawMessage }
		}
	}
	require.NoError(t, r.plain.Call(chrometest.Context(t), r.session, "Accessibility.getFullAXTree", struct{}{}, &tree))
	found := map[string]bool{}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		var name string
		_ = json.Unmarshal(n.Name.Value, &name) // an absent name is an empty one
		found[n.Role.Value+" "+name] = true
		switch n.Role.Value {
		case "link", "image", "img", "region", "group", "table", "heading":
			if n.Role.Value != "table" && n.Role.Value != "group" {
				require.NotEmpty(t, name, "a %s without a name", n.Role.Value)
			}
		}
	}
	for _, want := range []string{"heading shop", "heading What happened", "navigation Timeline", "main ", "heading Turn 2 click @e1 · cart",
		"navigation The story",
		"link 1 button “Buy”, covered, 25 % seen, by 5 dialog “Sign in”", "region Turn 2 click @e1 · cart", "heading Console 2"} {
		require.True(t, found[want], "%q", want)
	}
}
