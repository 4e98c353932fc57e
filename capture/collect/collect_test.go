package collect_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// patient has a deadline that no page of the tests reaches, also on a machine that does much else: what they hold is what
// is told, not how soon.
var patient = collect.Options{Deadline: time.Minute}

// read captures what the tab shows.
func read(t testing.TB, tab *browser.Tab) *snapshot.Capture {
	t.Helper()
	res, err := collect.Read(chrometest.Context(t), tab, patient)
	require.NoError(t, err)
	res.Release(chrometest.Context(t))
	return res.Capture
}

func fixture(t testing.TB, name string) *snapshot.Capture {
	t.Helper()
	return read(t, chrome.Open(t, chrometest.Folder(t, "testdata")+name))
}

// TestVerdicts: each element of the page says in data-verdict what is to become of it.
func TestVerdicts(t *testing.T) {
	c := fixture(t, "verdicts.html")
	checked := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		assert.NotEmpty(t, n.Verdict, "every element has a verdict: %s", n.Path)
		assert.NotEmpty(t, n.Evidence, "and evidence for it: %s", n.Path)
		if want := n.Attr("data-verdict"); want != "" {
			checked++
			assert.Equal(t, want, string(n.Verdict), "%s %q: %s", n.Path, n.Text, n.Evidence)
		}
		if n.Attr("class") == "fallback" {
			assert.Empty(t, n.Text, "nobody sees what is in it: %s", n.Path)
		}
	}
	require.Greater(t, checked, 60)
	total := 0
	for _, k := range c.Verdicts {
		total += k
	}
	require.Equal(t, len(c.Nodes), total, "the counts are of all elements")
}

// marked are the elements that have an attribute, and what it says.
func marked(c *snapshot.Capture, attr string) iter.Seq2[*snapshot.Node, string] {
	return func(yield func(*snapshot.Node, string) bool) {
		for i := range c.Nodes {
			if said := c.Nodes[i].Attr(attr); said != "" && !yield(&c.Nodes[i], said) {
				return
			}
		}
	}
}

// TestOcclusion: data-occ names the state, data-coverer the id of what covers.
func TestOcclusion(t *testing.T) {
	c := fixture(t, "occlusion.html")
	checked := 0
	for n, want := range marked(c, "data-occ") {
		checked++
		label := fmt.Sprintf("%s %q", n.Path, n.Name)
		if want == "none" {
			assert.Nil(t, n.Occlusion, label)
			continue
		}
		if !assert.NotNil(t, n.Occlusion, label) {
			continue
		}
		o := n.Occlusion
		assert.Equal(t, want, string(o.State), "%s %v", label, o.Points)
		if id := n.Attr("data-coverer"); id != "" && assert.NotNil(t, o.Coverer, label) {
			assert.Equal(t, id, c.Nodes[*o.Coverer].Attr("id"), label)
		}
		switch o.State {
		case snapshot.Clear:
			assert.Equal(t, 1.0, o.HitShare, label)
		case snapshot.Partly:
			assert.Greater(t, o.HitShare, 0.0, label)
			assert.Less(t, o.HitShare, 1.0, label)
		}
	}
	require.Equal(t, 17, checked)
}

func TestSecretsStayInThePage(t *testing.T) {
	c := fixture(t, "secrets.html")
	data, err := json.Marshal(c)
	require.NoError(t, err)
	for _, secret := range []string{"SECRET", "4111", "5500000000000004"} {
		require.NotContains(t, string(data), secret)
	}
	require.Contains(t, string(data), "Lisbon")
	redacted := 0
	for i := range c.Nodes {
		if slices.Contains(c.Nodes[i].Redacted, "value") {
			redacted++
			require.True(t, strings.HasPrefix(c.Nodes[i].Value, "[redacted: "), c.Nodes[i].Value)
		}
	}
	require.Equal(t, 7, redacted)
}

// TestPathsFindTheirElement asks the page itself.
func TestPathsFindTheirElement(t *testing.T) {
	tab := chrome.Open(t, chrometest.Folder(t, "testdata")+"verdicts.html")
	c := read(t, tab)
	ctx := chrometest.Context(t)
	seen := map[string]bool{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		require.False(t, seen[n.Path], "path of two elements: %s", n.Path)
		seen[n.Path] = true
		if i%3 != 0 || n.Frame != 0 {
			continue
		}
		steps, err := json.Marshal(strings.Split(n.Path, " >>> "))
		require.NoError(t, err)
		got, err := tab.Session().Eval(ctx, c.Frames[0].ID, `(() => { let root = document, el = null;
			for (const step of `+string(steps)+`) { if (el) root = el.shadowRoot; el = root.querySelector(root === document ? step : ':host > ' + step) || root.querySelector(step); }
			return el ? String(globalThis.__refscope.ids.get(el)) : 'none' })()`)
		require.NoError(t, err, n.Path)
		require.Equal(t, fmt.Sprint(n.UID), got, n.Path)
	}
}

func TestFramesAreOneTree(t *testing.T) {
	site := chrometest.Folder(t, "testdata")
	other := strings.Replace(site, "127.0.0.1", "localhost", 1)
	top := chrometest.Page(t, `<body style="margin:0"><h1>top</h1>
		<iframe style="position:absolute;left:100px;top:100px;width:400px;height:200px;border:5px solid;padding:3px" src="`+site+`occlusion.html"></iframe>
		<p>between</p>
		<iframe style="position:absolute;left:600px;top:100px;width:400px;height:200px;border:0" src="`+other+`secrets.html"></iframe>
		<iframe style="display:none" src="`+site+`verdicts.html"></iframe>
		<iframe src="http://127.0.0.1:1/"></iframe>
		<p>end</p>`)
	c := read(t, chrome.Open(t, top))
	require.Len(t, c.Frames, 6, "five frames, and one inside the first")
	byURL := func(part string) *snapshot.Frame {
		i := slices.IndexFunc(c.Frames, func(f snapshot.Frame) bool { return strings.Contains(f.URL, part) })
		require.GreaterOrEqual(t, i, 0, part)
		return &c.Frames[i]
	}
	same := byURL("occlusion.html")
	require.True(t, same.Readable)
	require.False(t, same.OutOfProcess)
	require.Equal(t, [2]float64{108, 108}, same.Offset, "inside border and padding")
	far := byURL("secrets.html")
	require.True(t, far.Readable, far.Why)
	require.True(t, far.OutOfProcess)
	require.Equal(t, [2]float64{600, 100}, far.Offset)
	dead := byURL("127.0.0.1:1")
	require.False(t, dead.Readable)
	require.NotEmpty(t, dead.Why)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		require.Equal(t, i, n.I)
		require.Less(t, n.Parent, n.I, "parents come first")
	}
	// Composed order: a frame's content follows its element, before what comes after.
	order := map[string]int{}
	for i := range c.Nodes {
		order[c.Nodes[i].Text] = i
	}
	require.Less(t, order["between"], order["go"])
	require.Less(t, order["go"], order["end"])
	first := c.Nodes[slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Name == "clear" })]
	require.Equal(t, snapshot.Box{118, 118, 100, 40}, first.Box, "boxes are in the top viewport")
	require.Contains(t, first.Path, " |> ")
}

// TestTextIsWhereItIsDrawn: of lines that are cut off there is what a person sees, and nothing of those that are not drawn.
func TestTextIsWhereItIsDrawn(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Cut</title><body style="margin:0;font:14px/20px monospace">
		<div id=long style="width:80px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">A very long text that is cut off</div>
		<p id=clamp style="margin:0;width:200px;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden">
			one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen</p>
		<div id=scrolled style="height:40px;width:200px;overflow:auto">one<br>two<br>three<br>four</div>
		<div style="width:50px;overflow:hidden"><b id=inner style="white-space:nowrap">inside of what cuts</b></div>
		<button id=gone style="width:20px;height:20px;overflow:hidden;padding:30px 0 0;border:0">Gone</button><i id=free>whole</i>
		<script>scrolled.scrollTop = 20</script>`)))
	lines := map[string]int{"long": 1, "clamp": 2, "scrolled": 2, "inner": 1, "gone": 0, "free": 1}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		want, ok := lines[n.Attr("id")]
		if !ok {
			continue
		}
		delete(lines, n.Attr("id"))
		tops := map[float64]bool{}
		for _, r := range n.TextRects {
			tops[r.Y()] = true
			require.Equal(t, r, r.Intersect(n.VisibleBox()), n.Path)
		}
		require.Len(t, tops, want, "%s %v", n.Path, n.TextRects)
	}
	require.Empty(t, lines)
}

// TestDocumentsOfEditors: the body that a person writes in has a number, also where the whole document is in design mode.
func TestDocumentsOfEditors(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<!doctype html><title>Editors</title><iframe srcdoc="<body contenteditable>One"></iframe>
		<iframe id=old></iframe><iframe srcdoc="<body>None <b contenteditable>two</b>"></iframe>
		<script>old.contentDocument.body.innerHTML = '<p>Three'; old.contentDocument.designMode = 'on'</script>`))
	c := read(t, tab)
	var got []string
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Editable() {
			require.Equal(t, snapshot.VerdictRef, n.Verdict, n.Path)
			got = append(got, fmt.Sprint(n.Frame, n.Tag))
		}
	}
	require.Equal(t, []string{"1body", "2body", "3b"}, got)
}

// TestPageIsUntouched: what a script of the page can see is as before.
func TestPageIsUntouched(t *testing.T) {
	tab := chrome.Open(t, chrometest.Folder(t, "testdata")+"verdicts.html")
	ctx := chrometest.Context(t)
	state := func() string {
		var res struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		require.NoError(t, tab.Session().Call(ctx, "Runtime.evaluate", map[string]any{
			"expression": `JSON.stringify([document.documentElement.outerHTML, Object.getOwnPropertyNames(window).sort(), Object.keys(document), scrollX, scrollY])`, "returnByValue": true}, &res))
		return res.Result.Value
	}
	before := state()
	read(t, tab)
	require.Equal(t, before, state())
}

func TestALimitIsSaidAloud(t *testing.T) {
	tab := chrome.Open(t, chrometest.Page(t, `<body>`+strings.Repeat("<p>x", 500)))
	res, err := collect.Read(chrometest.Context(t), tab, collect.Options{MaxNodes: 100})
	require.NoError(t, err)
	require.Len(t, res.Capture.Nodes, 100)
	require.Len(t, res.Capture.Failed, 1)
	require.Contains(t, res.Capture.Failed[0].Why, "100")
}

func TestHostilePrototypesDoNotMatter(t *testing.T) {
	c := read(t, chrome.Open(t, chrometest.Page(t, `<body><button>Pay</button><script>
		Element.prototype.getBoundingClientRect = () => ({left: 1, top: 1, width: 9999, height: 9999, right: 9999, bottom: 9999});
		Document.prototype.elementFromPoint = () => null; JSON.stringify = () => '{}'; Array.prototype.push = () => {}; window.getComputedStyle = () => { throw 1 };
		Object.defineProperty(Node.prototype, 'childNodes', { get() { throw 1 } }); Map = Set = WeakMap = null;
	</script>`)))
	i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Tag == "button" })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, "Pay", c.Nodes[i].Name)
	require.Less(t, c.Nodes[i].Box.W(), 200.0)
	require.Equal(t, snapshot.Clear, c.Nodes[i].Occlusion.State)
}

// TestPicturesThatDidNotLoad: a picture that its server does not have is told from one that loaded, and from one that is
// still on its way.
func TestPicturesThatDidNotLoad(t *testing.T) {
	const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	c := read(t, chrome.Open(t, chrometest.Page(t, `<img id="lost" alt="The harbour" src="/lost.png">
		<img id="there" alt="A dot" width="60" height="60" src="`+dot+`">
		<img id="later" alt="Later" width="60" height="60" loading="lazy" src="/late.png" style="margin-top:20000px">`)))
	broken := map[string]bool{}
	for i := range c.Nodes {
		if n := &c.Nodes[i]; n.Tag == "img" {
			broken[n.Attr("id")] = n.Broken
		}
	}
	require.Equal(t, map[string]bool{"lost": true, "there": false, "later": false}, broken)
}
