package action

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot/find"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// heard makes a page note events of its elements, in order, as the page sees them.
const heard = `<script>window.heard = [];
const hear = (sel, ...kinds) => { for (const el of document.querySelectorAll(sel)) for (const k of kinds) el.addEventListener(k, (e) => heard.push((el.id || el.localName) + ':' + k + (e.isTrusted ? '' : '!'))); };
</script>`

func open(t *testing.T, html string) (*Page, context.Context) {
	t.Helper()
	return openIn(t, chrome.Tab(t), html)
}

// openIn shows the page in a tab that a table of pages shares.
func openIn(t *testing.T, tab *browser.Tab, html string) (*Page, context.Context) {
	t.Helper()
	url := chrometest.Page(t, "<!doctype html><meta charset=utf-8>"+heard+html)
	return New(chrometest.Load(t, tab, url)), chrometest.Context(t)
}

func (p *Page) must(t *testing.T, selector string) collect.Element {
	t.Helper()
	found, err := p.CSS(t.Context(), "", selector, 1)
	require.NoError(t, err)
	require.Len(t, found, 1, selector)
	return found[0]
}

// worded is the best element to click by its text.
func (p *Page) worded(t *testing.T, text string) collect.Element {
	t.Helper()
	res, err := p.Read(t.Context(), collect.Options{})
	require.NoError(t, err)
	defer res.Release(t.Context())
	list, err := find.Clickable(res.Capture, text, false, find.Scope{})
	require.NoError(t, err)
	require.NotEmpty(t, list, text)
	el, err := res.Element(t.Context(), list[0].I)
	require.NoError(t, err)
	return el
}

// eval asks the page's own world.
func eval(t *testing.T, p *Page, expression string) string {
	t.Helper()
	var res struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	require.NoError(t, p.Tab().Session().Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &res))
	require.Empty(t, res.ExceptionDetails, string(res.ExceptionDetails))
	return fmt.Sprint(res.Result.Value)
}

func TestClickSendsWhatAPersonWould(t *testing.T) {
	p, ctx := open(t, `<button id=b>Buy</button><script>hear('#b','pointerover','mousemove','pointerdown','mousedown','focus','pointerup','mouseup','click','dblclick')</script>`)
	done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{})
	require.NoError(t, err)
	require.Equal(t, MethodCDP, done.Method)
	require.True(t, *done.Reached)
	require.Nil(t, done.Forced)
	require.Equal(t, "b:pointerover,b:mousemove,b:pointerdown,b:mousedown,b:focus,b:pointerup,b:mouseup,b:click", eval(t, p, "heard.join()"))

	eval(t, p, "heard.length = 0")
	_, err = p.Click(ctx, p.must(t, "#b"), ClickOptions{Count: 2})
	require.NoError(t, err)
	require.Equal(t, "b:dblclick", eval(t, p, "heard.filter((h) => h.includes('dbl')).join()"))

	eval(t, p, "heard.length = 0")
	done, err = p.Click(ctx, p.must(t, "#b"), ClickOptions{JS: true})
	require.NoError(t, err)
	require.Equal(t, methodJS, done.Method)
	require.Equal(t, "b:click!", eval(t, p, "heard.join()"))
}

func TestClickWaits(t *testing.T) {
	tab := chrome.Tab(t)
	fast := Options{Timeout: 300 * time.Millisecond}
	strict := Options{Timeout: 300 * time.Millisecond, Strict: true}
	cases := []struct {
		name, html string
		want       string // of the error, "" for a click that gets through
		by         string // the obstacle's kind
	}{
		{"plain", `<button id=b>Go</button>`, "", ""},
		{"below the fold", `<div style="height:3000px"></div><button id=b>Go</button>`, "", ""},
		{"inside a scroller", `<div style="height:100px;overflow:auto"><div style="height:900px"></div><button id=b>Go</button></div>`, "", ""},
		{"what is in it", `<button id=b><span style="display:block;padding:20px"><b>Go</b></span></button>`, "", ""},
		{"disabled", `<button id=b disabled>Go</button>`, "it is disabled", ""},
		{"fieldset disabled", `<fieldset disabled><button id=b>Go</button></fieldset>`, "it is disabled", ""},
		{"aria-disabled", `<div id=b role=button aria-disabled=true>Go</div>`, "aria-disabled", ""},
		{"not rendered", `<button id=b style="display:none">Go</button>`, "display: none", ""},
		{"hidden around it", `<div style="visibility:hidden"><button id=b>Go</button></div>`, "visibility: hidden", ""},
		{"transparent around it", `<div style="opacity:0"><button id=b>Go</button></div>`, "", ""},
		{"no extent", `<button id=b style="width:0;height:0;padding:0;border:0;overflow:hidden"></button>`, "no size", ""},
		{"glass", `<button id=b style="pointer-events:none">Go</button>`, "pointer-events: none", ""},
		{"modal", `<button id=b>Go</button><dialog id=d aria-label=Sale style="position:fixed;inset:0;width:100vw;height:100vh;max-width:none;max-height:none;margin:0">Sale</dialog><script>d.showModal()</script>`, "a modal", "modal"},
		{"cookie banner", `<button id=b>Go</button><div style="position:fixed;inset:0;background:#fff">We use cookies. <button>OK</button></div>`, "a cookie banner", "cookie_banner"},
		{"cookie banner in the flow", `<div style="height:60px"><button id=b>Go</button></div><div style="position:relative;margin-top:-60px;height:60px;background:#fff">We use cookies. <button>OK</button></div>`, "a cookie banner", "cookie_banner"},
		{"plain cover", `<button id=b>Go</button><div id=c style="position:absolute;inset:0;background:#fff">Curtain</div>`, `<div> "Curtain"`, ""},
		{"half covered", `<button id=b style="width:200px;height:60px">Go</button><div style="position:absolute;left:60px;top:0;width:200px;height:90px;background:#fff"></div>`, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, ctx := openIn(t, tab, c.html+`<script>hear('#b','click')</script>`)
			done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{Options: strict})
			if c.want == "" {
				require.NoError(t, err)
				require.True(t, *done.Reached)
				require.Equal(t, "b:click", eval(t, p, "heard.join()"))
				return
			}
			var not *NotReadyError
			require.ErrorAs(t, err, &not)
			require.Contains(t, err.Error(), c.want)
			require.Equal(t, c.by != "", not.By != nil && not.By.Kind == c.by && c.by != "")
			require.Empty(t, eval(t, p, "heard.join()"), "nothing was clicked")

			done, err = p.Click(ctx, p.must(t, "#b"), ClickOptions{Options: fast})
			if c.want == "it is disabled" { // which force cannot help
				require.ErrorAs(t, err, &not)
				return
			}
			require.NoError(t, err)
			require.Contains(t, done.Forced.Error(), c.want, "forced, and the answer says why")
		})
	}
}

func TestClickIsTakenAgainWhenReady(t *testing.T) {
	p, ctx := open(t, `<button id=b disabled>Go</button><script>hear('#b','click'); setTimeout(() => b.disabled = false, 400)</script>`)
	done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{})
	require.NoError(t, err)
	require.Nil(t, done.Forced)
	require.Equal(t, "b:click", eval(t, p, "heard.join()"))
}

func TestClickOfAHiddenRadioGoesThroughItsLabel(t *testing.T) { // C-23, section 19.16
	p, ctx := open(t, `<style>input{position:absolute;opacity:0;width:1px;height:1px}</style>
		<input type=radio name=r id=a><label for=a>A</label> <input type=radio name=r id=b><label for=b>B</label>
		<label><input type=checkbox id=c> C</label><script>hear('input','click','change')</script>`)
	for _, id := range []string{"b", "c"} {
		done, err := p.Click(ctx, p.must(t, "#"+id), ClickOptions{})
		require.NoError(t, err)
		require.Equal(t, methodLabel, done.Method)
		require.True(t, *done.Checked)
	}
	require.Equal(t, "b:click,b:change,c:click,c:change", eval(t, p, "heard.join()"))
}

// Where the mouse would press something else, the element is clicked by script, forced or not,
// and the stranger hears nothing.
func TestAClickNeverPressesAStranger(t *testing.T) {
	tab := chrome.Tab(t)
	place := "position:absolute;left:20px;top:20px;width:120px;height:40px;"
	for name, html := range map[string]string{
		"covered": `<button id=b style="` + place + `">Go</button><button id=x style="` + place + `">Delete</button>`,
		"hidden":  `<button id=x style="` + place + `">Delete</button><button id=b style="` + place + `visibility:hidden">Go</button>`,
		"glass":   `<button id=x style="` + place + `">Delete</button><button id=b style="` + place + `pointer-events:none">Go</button>`,
		"around":  `<button id=x style="` + place + `">Delete</button><div style="pointer-events:none"><button id=b style="` + place + `">Go</button></div>`,
	} {
		for _, o := range []Options{{Force: true}, {Timeout: 200 * time.Millisecond}} {
			t.Run(fmt.Sprintf("%s force %v", name, o.Force), func(t *testing.T) {
				p, ctx := openIn(t, tab, html+`<script>hear('#b,#x','pointerdown','click')</script>`)
				done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{Options: o})
				require.NoError(t, err)
				require.Equal(t, methodJSAuto, done.Method)
				require.Equal(t, "b:click!", eval(t, p, "heard.join()"))
			})
		}
	}
}

// A card is clicked beside the button in its middle, a list's item on its own row, and a label beside its link.
func TestAClickOnWhatHoldsControlsPressesNoneOfThem(t *testing.T) {
	p, ctx := open(t, `<style>.mid{position:absolute;left:50px;top:10px;width:100px;height:60px}</style>
		<div id=card tabindex=0 style="position:relative;width:200px;height:80px">Lamp <button id=x class=mid>Delete</button></div>
		<ul role=tree><li role=treeitem id=item>Up<ul><li role=treeitem id=x1>One<li role=treeitem id=x2>Two</ul></ul>
		<label id=l style="display:block;width:300px"><input id=c type=checkbox> I <a href="#x" id=x3>agree to all of the terms</a></label>
		<script>hear('#card,#x,#item,#x1,#x2,#x3,#c','click')</script>`)
	for _, id := range []string{"card", "item", "l"} {
		done, err := p.Click(ctx, p.must(t, "#"+id), ClickOptions{})
		require.NoError(t, err)
		require.Nil(t, done.Forced)
	}
	require.Equal(t, "card:click,item:click,c:click", eval(t, p, "heard.join()"))
}

func TestClickInFramesAndShadowTrees(t *testing.T) {
	inner := `<!doctype html>` + heard + `<div style="height:40px"></div><button id=b style="margin:10px">In</button>` +
		`<div id=card tabindex=0 style="width:200px">Lamp<button id=x style="display:block;width:100px;height:50px;margin:auto">Delete</button></div><script>hear('#b','click')</script>`
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, inner)
	}))
	t.Cleanup(remote.Close)
	other := strings.Replace(remote.URL, "127.0.0.1", "localhost", 1) // another site: a process of its own
	p, ctx := open(t, `<div style="height:1500px"></div><iframe id=same srcdoc='`+strings.ReplaceAll(inner, "'", "&#39;")+`' style="border:7px solid;padding:5px"></iframe>
		<iframe id=other src="`+other+`" style="transform:scale(.8);border:3px solid"></iframe><host-el></host-el>
		<script>document.querySelector('host-el').attachShadow({mode:'open'}).innerHTML = '<div><inner-el></inner-el></div>';
		const i = document.querySelector('host-el').shadowRoot.querySelector('inner-el').attachShadow({mode:'open'});
		i.innerHTML = '<button id=deep>Deep</button>'; i.querySelector('#deep').addEventListener('click', () => heard.push('deep'));</script>`)
	frames, err := p.Frames(ctx)
	require.NoError(t, err)
	require.Len(t, frames, 3)
	for _, f := range frames[1:] {
		found, err := p.CSS(ctx, f.ID, "#b", 2)
		require.NoError(t, err)
		require.Len(t, found, 1)
		done, err := p.Click(ctx, found[0], ClickOptions{Options: Options{Strict: true}})
		require.NoError(t, err)
		require.True(t, *done.Reached)
		realm, err := p.enter(ctx, f.ID)
		require.NoError(t, err)
		hit, err := realm.Eval(ctx, `document.activeElement.id`)
		require.NoError(t, err)
		require.Equal(t, "b", hit)

		found, err = p.CSS(ctx, f.ID, "#card", 2) // with a button in its middle, see above
		require.NoError(t, err)
		_, err = p.Click(ctx, found[0], ClickOptions{})
		require.NoError(t, err)
		hit, err = realm.Eval(ctx, `document.activeElement.id`)
		require.NoError(t, err)
		require.Equal(t, "card", hit)
	}
	require.True(t, frames[1].OutOfProcess != frames[2].OutOfProcess, "one of them in a process of its own")

	done, err := p.Click(ctx, p.must(t, "#deep"), ClickOptions{Options: Options{Strict: true}})
	require.NoError(t, err)
	require.True(t, *done.Reached)
	require.Equal(t, "deep", eval(t, p, "heard.join()"))
	_, err = p.CSS(ctx, "", "host-el >>> inner-el >>> #deep", 1)
	require.NoError(t, err)
	found, err := p.CSS(ctx, "", "#same |> #b", 1)
	require.NoError(t, err)
	require.Len(t, found, 1)

	// And back: what a point of the tab's viewport shows, through the frames.
	done, err = p.Click(ctx, found[0], ClickOptions{})
	require.NoError(t, err)
	at, ok, err := p.At(ctx, done.X, done.Y)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, found[0].Node, at.Node)
}

func TestInvalidSelectorFailsAtOnce(t *testing.T) { // C-23, section 19.14
	p, ctx := open(t, `<p>text</p>`)
	for selector, at := range map[string]int{"[[[invalid": 1, "div > > a": 3, "p:nth-child(": 1, "p:unknown-thing": 1, "": 0, "p,,a": 1} {
		_, err := p.CSS(ctx, "", selector, 1)
		var wrong *SelectorError
		require.ErrorAs(t, err, &wrong, selector)
		require.Equal(t, at, wrong.Position, selector)
	}
	found, err := p.CSS(ctx, "", "p", 5)
	require.NoError(t, err)
	require.Len(t, found, 1)
}

func TestFill(t *testing.T) {
	p, ctx := open(t, `<input id=text value=old><input id=mail type=email value=a@b.example><textarea id=area>one</textarea><input id=date type=date>
		<input id=n type=number><input id=range type=range min=0 max=10><input id=color type=color><input id=ro readonly value=x><input id=off disabled>
		<input id=file type=file><input id=check type=checkbox><div id=rich contenteditable><p>old</p></div><select id=s><option value=a>Alpha<option value=b>Beta</select>
		<input id=max maxlength=3><input id=pw type=password><script>hear('#text','focus','input','change'); hear('#date','input','change')</script>`)
	kept := func(id, value string, o FillOptions) *Filled {
		t.Helper()
		done, err := p.Fill(ctx, p.must(t, "#"+id), value, o)
		require.NoError(t, err)
		return done
	}
	done := kept("text", "new äöü 漢字 🙂", FillOptions{})
	require.True(t, done.Kept)
	require.Equal(t, methodInsert, done.Method)
	require.Equal(t, "new äöü 漢字 🙂", eval(t, p, "text.value"))
	require.Equal(t, "text:focus,text:input,text:change!", eval(t, p, "heard.join()"))
	kept("text", " more", FillOptions{Append: true})
	require.Equal(t, "new äöü 漢字 🙂 more", eval(t, p, "text.value"))
	kept("text", "", FillOptions{})
	require.Empty(t, eval(t, p, "text.value"))
	kept("mail", "ada@example.org", FillOptions{})
	require.Equal(t, "ada@example.org", eval(t, p, "mail.value"))
	require.True(t, kept("area", "two\nlines", FillOptions{}).Kept)
	require.Equal(t, "two\nlines", eval(t, p, "area.value"))
	eval(t, p, "heard.length = 0")
	require.Equal(t, methodSetter, kept("date", "2026-12-31", FillOptions{}).Method)
	require.Equal(t, "date:input!,date:change!", eval(t, p, "heard.join()"))
	kept("n", "12.5", FillOptions{})
	require.Equal(t, "12.5", eval(t, p, "n.value"))
	require.True(t, kept("range", "7", FillOptions{}).Kept)
	require.Equal(t, "7", eval(t, p, "range.value"))
	require.False(t, kept("range", "70", FillOptions{}).Kept, "a slider stops at its end, and the answer says so")
	require.Equal(t, "10", eval(t, p, "range.value"))
	require.True(t, kept("color", "#FF8800", FillOptions{}).Kept)
	require.Equal(t, "#ff8800", eval(t, p, "color.value"))
	kept("rich", "fresh", FillOptions{})
	require.Equal(t, "fresh", eval(t, p, "rich.innerText.trim()"))
	require.Equal(t, methodSelect, kept("s", "Beta", FillOptions{}).Method)
	require.Equal(t, "b", eval(t, p, "s.value"))
	require.False(t, kept("max", "12345", FillOptions{}).Kept, "the page cut it, and the answer says so")
	kept("pw", "hunter2", FillOptions{React: true})
	require.Equal(t, "hunter2", eval(t, p, "pw.value"))

	fast := FillOptions{Options: Options{Timeout: 200 * time.Millisecond}}
	for id, why := range map[string]string{"ro": "read-only", "off": "disabled", "file": "use upload", "check": "use click", "date": "2026-12-31", "n": "as a number"} {
		var not *NotEditableError
		_, err := p.Fill(ctx, p.must(t, "#"+id), "abc", fast)
		require.ErrorAs(t, err, &not, id)
		require.Contains(t, err.Error(), why, id)
	}
	require.Equal(t, "2026-12-31", eval(t, p, "date.value"), "a refused value changes nothing")
}

// A field whose page watches its value by a setter of its own, as React does, and
// listens on the document.
func TestFillReachesFrameworks(t *testing.T) { // C-23, section 19.5
	p, ctx := open(t, `<input id=i><script>
		const proto = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = '';
		Object.defineProperty(i, 'value', { get() { return proto.get.call(i); }, set(v) { tracked = v; proto.set.call(i, v); } });
		window.state = ''; document.addEventListener('input', (e) => { const now = proto.get.call(e.target); if (now !== tracked) { tracked = now; state = now; } });
	</script>`)
	for _, react := range []bool{false, true} {
		_, err := p.Fill(ctx, p.must(t, "#i"), fmt.Sprint("value ", react), FillOptions{React: react})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint("value ", react), eval(t, p, "state"))
	}
}

func TestTypeAndPress(t *testing.T) {
	p, ctx := open(t, `<input id=i><input id=j><script>window.keys=[]; document.addEventListener('keydown', (e) => keys.push((e.ctrlKey?'C':'')+(e.shiftKey?'S':'')+e.code+'/'+e.key));
		document.addEventListener('keydown', (e) => { if (e.ctrlKey && e.key === 'k') { e.preventDefault(); window.palette = true; } })</script>`)
	_, err := p.TypeInto(ctx, p.must(t, "#i"), "aB1! é", 0, Options{})
	require.NoError(t, err)
	require.Equal(t, "aB1! é", eval(t, p, "i.value"))
	require.Equal(t, "KeyA/a,SShiftLeft/Shift,SKeyB/B,Digit1/1,SShiftLeft/Shift,SDigit1/!,Space/ ", eval(t, p, "keys.join()"))
	for _, keys := range []string{"Control+a", "Delete", "x", "Tab", "y", "Control+k"} {
		c, err := ParseKeys(keys)
		require.NoError(t, err)
		require.NoError(t, p.Press(ctx, c))
	}
	require.Equal(t, "x,y,true", eval(t, p, "[i.value, j.value, window.palette].join()")) // C-23, section 19.5: shortcuts on the document
	el, ok, err := p.Focused(ctx)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, p.must(t, "#j").Node, el.Node)
}

func TestParseKeys(t *testing.T) {
	for in, want := range map[string]string{"Entr": `unknown key "Entr": did you mean Enter?`, "Control+": "unknown key", "foo+a": `unknown key "foo"`, "a+b": "a in \"a+b\" is not a modifier", "": "unknown key"} {
		_, err := ParseKeys(in)
		require.ErrorContains(t, err, want, in)
	}
	// What pages see of a modifier is one keyCode for both of its keys, with the side beside it.
	for name, want := range map[string]int64{"Shift": 16, "ctrl": 17, "option": 18, "Meta": 91, "Delete": 46, "a": 65, "!": 49, "Space": 32, "\n": 13} {
		k, ok := keyOf(name)
		require.True(t, ok, name)
		require.Equal(t, want, k.us.Windows, name)
	}
	for _, in := range []string{"Enter", "enter", "Ctrl+Shift+P", "Cmd+c", "+", "Control++", "F12", "ArrowDown", "Meta+Shift+Enter", " ", "é"} {
		_, err := ParseKeys(in)
		if in == "é" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, in)
	}
}

func TestSelectUploadHoverScroll(t *testing.T) {
	p, ctx := open(t, `<select id=one><option value=a>Alpha<option value=b>Beta<option value=c disabled>Gamma</select><select id=many multiple><option>x<option>y<option>z</select>
		<input type=file id=f><button id=m>Menu</button><div id=menu role=menu style="display:none;position:absolute"><a href=#>Item</a></div><button id=late interestfor=hint>Late</button><div id=hint popover=hint>Hint</div><div style="height:4000px"></div><p id=end>End</p>
		<script>hear('select','change'); m.onmouseenter = () => setTimeout(() => menu.style.display='block', 60); f.onchange = () => heard.push('file:' + f.files[0].name)</script>`)
	s, err := p.Select(ctx, p.must(t, "#one"), Choice{Labels: []string{"Beta"}})
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, s.Values)
	s, err = p.Select(ctx, p.must(t, "#many"), Choice{Values: []string{"x", "z"}})
	require.NoError(t, err)
	require.Equal(t, []string{"x", "z"}, s.Values)
	require.Equal(t, "one:change!,many:change!", eval(t, p, "heard.join()"))
	_, err = p.Select(ctx, p.must(t, "#one"), Choice{Either: []string{"Delta"}})
	require.EqualError(t, err, `unknown option "Delta"; there are "Alpha" (value "a"), "Beta" (value "b"), "Gamma" (value "c")`)
	_, err = p.Select(ctx, p.must(t, "#one"), Choice{Values: []string{"c"}})
	require.ErrorContains(t, err, "disabled")
	eval(t, p, "many.disabled = true")
	_, err = p.Select(ctx, p.must(t, "#many"), Choice{Values: []string{"y"}})
	require.ErrorContains(t, err, "it is disabled", "nobody can choose there")
	require.Equal(t, "x,z", eval(t, p, "[...many.selectedOptions].map((o) => o.value).join()"))
	_, err = p.Select(ctx, p.must(t, "#m"), Choice{Values: []string{"c"}})
	require.ErrorContains(t, err, "no <select>: click it, and then the option")

	file := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	require.NoError(t, p.Upload(ctx, p.must(t, "#f"), []string{file})) // C-23, section 19.13
	require.ErrorContains(t, p.Upload(ctx, p.must(t, "#f"), []string{file, file}), "one file")
	require.Equal(t, "file:a.txt", eval(t, p, "heard.at(-1)"))

	h, err := p.Hover(ctx, p.must(t, "#m"), HoverOptions{Watch: true})
	require.NoError(t, err)
	require.Len(t, h.Appeared, 1)
	require.Equal(t, "menu", h.Appeared[0].Kind)
	require.Equal(t, "Item", h.Appeared[0].Text)
	h, err = p.Hover(ctx, p.must(t, "#late"), HoverOptions{Watch: true})
	require.NoError(t, err)
	require.Len(t, h.Appeared, 1, "what the browser shows after half a second")
	require.Equal(t, "Hint", h.Appeared[0].Text)

	at, err := p.ScrollEnd(ctx, "", true)
	require.NoError(t, err)
	require.Equal(t, at.MaxY, at.Y)
	at, err = p.ScrollTo(ctx, "", 0, 100)
	require.NoError(t, err)
	require.EqualValues(t, 100, at.Y)
	at, err = p.ScrollBy(ctx, "", 0, 50)
	require.NoError(t, err)
	require.EqualValues(t, 150, at.Y)
	at, err = p.Centre(ctx, p.must(t, "#end"))
	require.NoError(t, err)
	require.Greater(t, at.Y, 3000.0)
}

func TestDrag(t *testing.T) {
	p, ctx := open(t, `<style>div{position:absolute;width:80px;height:40px}</style><div id=free style="left:10px;top:10px;background:red"></div>
		<div id=from draggable=true style="left:10px;top:100px;background:blue"></div><div id=to style="left:300px;top:100px;background:green"></div><input id=r type=range style="position:absolute;top:200px;left:10px;width:216px;margin:0">
		<script>let on = false; free.onmousedown = () => on = true; onmousemove = (e) => { if (on) { free.style.left = e.clientX + 'px'; free.style.top = e.clientY + 'px'; } }; onmouseup = () => on = false;
		from.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'cargo'); to.ondragover = (e) => e.preventDefault(); to.ondrop = (e) => { e.preventDefault(); heard.push('drop:' + e.dataTransfer.getData('text/plain')); };
		hear('#from','dragstart','dragend'); hear('#to','dragenter'); hear('#r','change')</script>`)
	free, from, to, r := p.must(t, "#free"), p.must(t, "#from"), p.must(t, "#to"), p.must(t, "#r")
	d, err := p.Drag(ctx, End{Element: &free}, End{X: 400, Y: 300}, DragOptions{})
	require.NoError(t, err)
	require.Equal(t, DragMouse, d.Method)
	require.Equal(t, "400px,300px", eval(t, p, "[free.style.left, free.style.top].join()"))
	d, err = p.Drag(ctx, End{Element: &from}, End{Element: &to}, DragOptions{})
	require.NoError(t, err)
	require.Equal(t, DragHTML5, d.Method)
	require.Equal(t, "from:dragstart,to:dragenter,drop:cargo,from:dragend", eval(t, p, "heard.join()"))
	d, err = p.Drag(ctx, End{Element: &r}, End{X: 10 + 8 + 150, Y: 210}, DragOptions{})
	require.NoError(t, err)
	require.Equal(t, DragRange, d.Method)
	require.Equal(t, "75", d.Value)
}

// TestClickOnASlideThatIsNotShown: what has a number in the texts is found by its text, where nothing that is visible
// has that text.
func TestClickOnASlideThatIsNotShown(t *testing.T) {
	p, ctx := open(t, `<div style="width:300px;overflow:hidden;white-space:nowrap;font-size:0">
		<button style="width:300px" onclick="heard.push(1)">First</button><button style="width:300px" onclick="heard.push(2)">Next one</button></div>
		<button hidden>Next one</button><script>heard = []</script>`)
	click := func(words string) {
		t.Helper()
		_, err := p.Click(ctx, p.worded(t, words), ClickOptions{})
		require.NoError(t, err)
	}
	click("next one")
	click("First")
	eval(t, p, "document.body.insertAdjacentHTML('beforeend', '<button onclick=heard.push(3)>This next one</button>')")
	click("next one")
	require.Equal(t, "2,1,3", eval(t, p, "heard.join()"))
}

// TestUploadThroughAChooser: what opens a file chooser stands for the hidden input that the chooser is of, also in a frame
// of another site.
func TestUploadThroughAChooser(t *testing.T) {
	inner := `<!doctype html><button id=up onclick="setTimeout(() => file.click(), 50)">Upload</button><input id=file type=file hidden>
		<label id=label>Photo <input id=photo type=file multiple hidden></label><button id=no>Nothing</button>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, inner)
	}))
	t.Cleanup(site.Close)
	p, ctx := open(t, `<iframe src="`+strings.Replace(site.URL, "127.0.0.1", "localhost", 1)+`"></iframe>`+inner)
	var files []string
	for _, name := range []string{"a.txt", "b.txt"} {
		files = append(files, filepath.Join(t.TempDir(), name))
		require.NoError(t, os.WriteFile(files[len(files)-1], []byte(name), 0o600))
	}
	frames, err := p.Frames(ctx)
	require.NoError(t, err)
	require.Len(t, frames, 2)
	for _, f := range frames {
		one := func(id string) collect.Element {
			found, err := p.CSS(ctx, f.ID, "#"+id, 1)
			require.NoError(t, err)
			require.Len(t, found, 1)
			return found[0]
		}
		require.ErrorContains(t, p.Upload(ctx, one("up"), files), "it takes one file, not 2")
		require.NoError(t, p.Upload(ctx, one("up"), files[:1]))
		require.NoError(t, p.Upload(ctx, one("label"), files))
		realm, err := p.enter(ctx, f.ID)
		require.NoError(t, err)
		got, err := realm.Eval(ctx, `[file, photo].map((f) => [...f.files].map((f) => f.name)).join()`)
		require.NoError(t, err)
		require.Equal(t, "a.txt,a.txt,b.txt", got)
	}
	require.ErrorContains(t, p.Upload(ctx, p.must(t, "#no"), files), "a click on it opens no file chooser")
}

// TestALabelStandsForItsField: what is written into a label is written into its field.
func TestALabelStandsForItsField(t *testing.T) {
	p, ctx := open(t, `<label id=l1>Name <input id=who></label><label id=l2 for=secret>Password</label><input id=secret type=password>
		<label id=l3>Fruit <select id=fruit><option>Fig<option>Plum</select></label><label id=l4>Tick <input type=checkbox></label>
		<label id=l5>Alone</label>`)
	_, err := p.Fill(ctx, p.must(t, "#l1"), "Ada", FillOptions{})
	require.NoError(t, err)
	_, err = p.TypeInto(ctx, p.must(t, "#l1"), " L", 0, Options{})
	require.NoError(t, err)
	_, err = p.Fill(ctx, p.must(t, "#l2"), "hunter2-secret", FillOptions{})
	require.NoError(t, err)
	_, err = p.Select(ctx, p.must(t, "#l3"), Choice{Labels: []string{"Plum"}})
	require.NoError(t, err)
	require.Equal(t, "Ada L hunter2-secret Plum", eval(t, p, "who.value+' '+secret.value+' '+fruit.value"))
	_, err = p.Fill(ctx, p.must(t, "#l4"), "x", FillOptions{})
	require.ErrorContains(t, err, "it is a checkbox input: use click")
	_, err = p.Fill(ctx, p.must(t, "#l5"), "x", FillOptions{})
	require.ErrorContains(t, err, "it is <label>, no field")
	_, err = p.Select(ctx, p.must(t, "#l1"), Choice{Labels: []string{"Plum"}})
	require.ErrorContains(t, err, "it is <input>, no <select>")
}

// TestADisabledFieldKeepsTheClicksOnIt: what is around it does not get them, which is said, or clicked by script.
func TestADisabledFieldKeepsTheClicksOnIt(t *testing.T) {
	const page = `<style>[onclick]{width:80px}[onclick]>*{width:100%%;height:30px}</style>
		<div id=d role=button tabindex=0 onclick="got.textContent += 'd'"><%[1]s disabled></%[1]s></div>
		<div id=e role=button tabindex=0 onclick="got.textContent += 'e'"><%[1]s></%[1]s></div><p id=got></p>`
	for _, tag := range []string{"button", "input", "textarea"} {
		p, ctx := open(t, fmt.Sprintf(page, tag))
		done, err := p.Click(ctx, p.must(t, "#d"), ClickOptions{NativeOnly: true})
		require.NoError(t, err, tag)
		require.NotNil(t, done.Reached, tag)
		require.False(t, *done.Reached, tag)
		require.Empty(t, eval(t, p, "got.textContent"), tag)
		done, err = p.Click(ctx, p.must(t, "#d"), ClickOptions{})
		require.NoError(t, err, tag)
		require.True(t, *done.Reached && done.Tried, tag)
		done, err = p.Click(ctx, p.must(t, "#e"), ClickOptions{})
		require.NoError(t, err, tag)
		require.True(t, *done.Reached && !done.Tried, tag)
		require.Equal(t, "de", eval(t, p, "got.textContent"), tag)
	}
}

// TestWhatIsInTheWayIsSaidInAShortTime: also where the command has less time than a click waits for its element.
func TestWhatIsInTheWayIsSaidInAShortTime(t *testing.T) {
	p, ctx := open(t, `<button id=b>Under</button><div role=dialog aria-label=Offer style="position:fixed;inset:0">Over</div>`)
	for _, limit := range []time.Duration{400 * time.Millisecond, 2 * time.Second} {
		short, stop := context.WithTimeout(ctx, limit)
		_, err := p.Click(short, p.must(t, "#b"), ClickOptions{Options: Options{Strict: true}})
		stop()
		require.ErrorContains(t, err, "is in the way", limit)
	}
}

// TestClicksOnOptions: an option that is drawn is clicked, also by its text; one of a closed list is chosen by selectOption.
func TestClicksOnOptions(t *testing.T) {
	p, ctx := open(t, `<style>#own,#own::picker(select){appearance:base-select}</style>
		<select id=own><button><selectedcontent></selectedcontent></button><option>Fig<option>Plum</select>
		<select id=box size=4><option>One<option>Two</select><select id=down><option>Alpha<option>Beta</select>`)
	short := ClickOptions{Options: Options{Timeout: 200 * time.Millisecond}}
	click := func(text string) error {
		_, err := p.Click(ctx, p.worded(t, text), short)
		return err
	}
	const chosen = "own.value+' '+box.value+' '+down.value"
	require.NoError(t, click("Two"))
	require.Equal(t, "Fig Two Alpha", eval(t, p, chosen))
	require.NoError(t, click("Fig"), "what a closed list shows is clicked: it opens")
	require.NoError(t, click("Plum"))
	require.Equal(t, "Plum Two Alpha", eval(t, p, chosen))
	for _, option := range []string{"#own option", "#down option + option"} {
		_, err := p.Click(ctx, p.must(t, option), short)
		require.ErrorContains(t, err, "it is an option of a closed list: use selectOption", option)
	}
	require.Equal(t, "Plum Two Alpha", eval(t, p, chosen))
}

// A mouse that was sent outside the viewport would click the page's edge.
func TestWhatNoScrollingBringsInIsClickedByScript(t *testing.T) {
	p, ctx := open(t, `<button id=b style="position:fixed;left:-500px;width:100px">Skip</button><script>window.clicks = []; addEventListener('click', (e) => clicks.push(e.target.id || e.target.localName), true)</script>`)
	done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{Options: Options{Timeout: 200 * time.Millisecond}})
	require.NoError(t, err)
	require.Equal(t, methodJSAuto, done.Method)
	require.ErrorContains(t, done.Forced, "out of view")
	require.Equal(t, "b", eval(t, p, "clicks.join()"))
	_, err = p.Click(ctx, p.must(t, "#b"), ClickOptions{NativeOnly: true, Options: Options{Timeout: 200 * time.Millisecond}})
	require.ErrorContains(t, err, "out of view")
	require.Equal(t, "b", eval(t, p, "clicks.join()"))
}

// A disabled control gets no click from any browser: force cannot give it one, and nothing claims that it got it
// (B-10).
func TestADisabledControlIsNotClicked(t *testing.T) {
	p, ctx := open(t, `<button id=b disabled>Go</button><fieldset disabled><input id=box type=checkbox></fieldset><script>hear('*','click')</script>`)
	for _, id := range []string{"#b", "#box"} {
		_, err := p.Click(ctx, p.must(t, id), ClickOptions{Options: Options{Timeout: 300 * time.Millisecond}})
		var wrong *NotReadyError
		require.ErrorAs(t, err, &wrong, id)
		require.ErrorContains(t, err, "it is disabled")
		for _, js := range []bool{false, true} {
			done, err := p.Click(ctx, p.must(t, id), ClickOptions{Options: Options{Force: true}, JS: js})
			require.NoError(t, err)
			require.False(t, *done.Reached, id)
		}
	}
	require.Equal(t, "", eval(t, p, "heard.join()"))
}

// An area of an image map is clicked where its image has it, below the fold too.
func TestClickAnAreaOfAnImageMap(t *testing.T) {
	p, ctx := open(t, `<div style="height:3000px"></div><map name=m><area id=a href="#x" coords="50,0,100,40"></map>
<img id=i usemap="#m" style="width:100px;height:40px" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><script>hear('#a','click')</script>`)
	done, err := p.Click(ctx, p.must(t, "#a"), ClickOptions{Options: Options{Strict: true, Timeout: time.Second}})
	require.NoError(t, err)
	require.Equal(t, MethodCDP, done.Method)
	require.Equal(t, "a:click", eval(t, p, "heard.join()"))
	require.Equal(t, "#x", eval(t, p, "location.hash"))
}

// What a page puts under the mouse when that moves is not pressed.
func TestWhatComesUnderTheMouseIsNotPressed(t *testing.T) {
	p, ctx := open(t, `<button id=b onmousemove="c.style.display = 'block'" onclick="window.got = 'b'">Go on</button>
		<div id=c style="display:none;position:fixed;inset:0;background:#fff" onclick="window.got = 'stranger'">Delete all</div>`)
	_, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{NativeOnly: true})
	require.ErrorContains(t, err, "Delete all")
	require.Equal(t, "undefined", eval(t, p, "String(window.got)"))
	eval(t, p, "c.style.display = 'none'")
	done, err := p.Click(ctx, p.must(t, "#b"), ClickOptions{})
	require.NoError(t, err)
	require.Equal(t, "b", eval(t, p, "String(window.got)"))
	require.True(t, done.Tried)
}
