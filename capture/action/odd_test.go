package action

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a click says is what the page got: odd places are clicked by mouse where a person can, and where nothing gets
// through the reason is the true one. Truth is the page's own events.
func TestClicksOnOddElements(t *testing.T) {
	tab := chrome.Tab(t)
	const note = `<script>window.got = []; for (const k of ['click']) addEventListener(k, (e) => {
		got.push(e.composedPath().map((n) => n.id).filter(Boolean).join('<') + (e.isTrusted ? '' : '!')); }, true);</script>`
	for name, x := range map[string]struct {
		html, do, want string // want: the innermost ids that got it, with ! where by script, or the reason after "not:"
	}{
		"display: contents, a label":  {html: `<label id=x style="display:contents"><input type=checkbox id=k> yes</label>`, want: "k<x"},
		"display: contents, words":    {html: `<p><button id=x style="display:contents">words</button></p>`, want: "x"},
		"display: contents, far down": {html: `<div style="height:4000px"></div><p><a id=x href=#q style="display:contents"><b>far</b></a></p>`, want: "x"},
		"display: contents, hidden":   {html: `<div style="display:none"><a id=x href=#q style="display:contents">a</a></div>`, want: "not:it is not visible (display: none around it)"},
		"a ring":                      {html: `<svg width=300 height=200><circle id=x cx=100 cy=100 r=80 fill=none stroke=red stroke-width=3 /></svg>`, want: "x"},
		"a flat line":                 {html: `<svg width=300 height=200><path id=x d="M10 50 L280 50" stroke=red stroke-width=3 /></svg>`, want: "x"},
		"a slanted line":              {html: `<svg width=300 height=200 viewBox="0 0 100 100"><line id=x x1=1 y1=9 x2=90 y2=80 stroke=red /></svg>`, want: "x"},
		"a drawing by script":         {html: `<svg width=99 height=99 style="visibility:hidden"><rect id=x width=9 height=9 /></svg>`, want: "x!"},
		"below a header that stays":   {html: `<div style="position:sticky;top:0;height:90px;background:#ccc">head</div><div style="height:1500px"></div><button id=x>B</button><div style="height:1500px"></div>`, do: "scrollTo(0, 1570)", want: "x"},
		"above a bar that stays":      {html: `<div style="height:1500px"></div><button id=x>B</button><div style="height:1500px"></div><div style="position:fixed;bottom:0;left:0;right:0;height:120px;background:#ccc">bar</div>`, do: "scrollTo(0, 1510 - innerHeight)", want: "x"},
		"in a disabled button":        {html: `<button disabled><span id=x>words</span></button>`, want: "not:it is in a button that is disabled"},
		"a link in a fieldset":        {html: `<fieldset disabled><a id=x href=#q>a</a></fieldset>`, want: "x"},
		"a button in a legend":        {html: `<fieldset disabled><legend><button id=x>a</button></legend></fieldset>`, want: "x"},
		"a label of a disabled field": {html: `<label id=x>words <input disabled type=checkbox></label>`, want: "not:its field is disabled"},
		"what may be found":           {html: `<div id=x hidden=until-found>words <button>b</button></div>`, want: "not:it is not visible (it has no size)"},
		"in what may be found":        {html: `<div hidden=until-found>words <button id=x>b</button></div>`, want: "not:it is not visible (its content is not rendered)"},
		"a cut off corner":            {html: `<button id=x style="clip-path:circle(9px at 12px 12px);width:300px">b</button>`, want: "x"},
		"zoomed and turned":           {html: `<div style="zoom:1.7"><button id=x style="transform:rotate(80deg);margin:60px">b</button></div>`, want: "x"},
		"a link over lines":           {html: `<p style="width:120px">aaa aaa aaa aaa <a id=x href=#q>a link that wraps over several lines</a> z</p>`, want: "x"},
		"a row":                       {html: `<table><tr><td rowspan=2 id=c>1<td>2<tr id=x><td id=d>3</table>`, want: "d<x"},
		"a slotted button":            {html: `<p-d id=h><button id=x>b</button></p-d><script>h.attachShadow({ mode: 'open' }).innerHTML = '<div><slot></slot></div>'</script>`, want: "x<h"},
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := openIn(t, tab, note+x.html)
			if x.do != "" {
				eval(t, p, x.do)
			}
			done, err := p.Click(ctx, p.must(t, "#x"), ClickOptions{Options: Options{Timeout: 700 * time.Millisecond}})
			if why, is := strings.CutPrefix(x.want, "not:"); is {
				if err == nil {
					require.NotNil(t, done.Forced, eval(t, p, "got.join()"))
					err = done.Forced
				}
				require.EqualError(t, err, "the element is not ready: "+why)
				return
			}
			require.NoError(t, err)
			require.True(t, *done.Reached)
			require.Equal(t, strings.HasSuffix(x.want, "!"), done.Method == methodJSAuto, done.Method)
			require.Equal(t, x.want, strings.Split(eval(t, p, "got.join()"), ",")[0])
		})
	}
}

// Text goes into what is named, also where that lies inside editable content.
func TestTextGoesIntoPartsOfEditableContent(t *testing.T) {
	const page = `<div id=h contenteditable><p id=a>one</p><p id=b>two</p><ul><li id=c></li></ul></div>`
	for id, want := range map[string]string{"a": "Z|two|", "b": "one|Z|", "c": "one|two|Z"} {
		p, ctx := open(t, page)
		done, err := p.Fill(ctx, p.must(t, "#"+id), "Z", FillOptions{})
		require.NoError(t, err)
		require.Equal(t, methodInsert, done.Method)
		require.True(t, done.Kept)
		require.Equal(t, want, eval(t, p, "[a, b, c].map((e) => e.innerText.trim()).join('|')"))
		typed, err := p.TypeInto(ctx, p.must(t, "#"+id), "Q", 0, Options{})
		require.NoError(t, err)
		require.True(t, typed.Kept)
		require.Equal(t, strings.Replace(want, "Z", "ZQ", 1), eval(t, p, "[a, b, c].map((e) => e.innerText.trim()).join('|')"))
	}
}

// An editor whose EditContext stands on an element without area, and holds no more than the last line, is written into
// by the element that a person sees around it.
func TestTextGoesIntoAnEditorDrawnBesideItsContext(t *testing.T) {
	p, ctx := open(t, `<div id=e style="width:200px;height:60px"><div id=x tabindex=0 style="width:0;height:19px"></div>
		<pre id=drawn>old</pre></div><script>
		const c = x.editContext = new EditContext({ text: 'old' });
		let all = 'old', over = false;
		x.onkeydown = (e) => { if (e.key === 'Delete' && over) show(''); else over = e.key === 'a' && e.ctrlKey; };
		const show = (s) => { all = drawn.textContent = s; over = false; const last = s.split('\n').pop();
			requestAnimationFrame(() => { c.updateText(0, c.text.length, last); c.updateSelection(last.length, last.length); }); };
		c.ontextupdate = (e) => show(over ? e.text : all + e.text); // and tells its context when it draws</script>`)
	for _, text := range []string{"one\n  two", "three\n", "", "four"} {
		done, err := p.Fill(ctx, p.must(t, "#e"), text, FillOptions{Options: Options{Timeout: time.Second}})
		require.NoError(t, err)
		require.True(t, done.Kept, "%q: %v", text, done.Holds)
		require.Equal(t, text, eval(t, p, "drawn.textContent"))
	}
	typed, err := p.TypeInto(ctx, p.must(t, "#x"), " more", 0, Options{})
	require.NoError(t, err)
	require.Nil(t, typed.Forced)
	require.Equal(t, "four more", eval(t, p, "drawn.textContent"))
}

// An editor whose EditContext holds something else than its text has what it draws, see Monaco's.
func TestTextIsKeptWhereAnEditorDrawsIt(t *testing.T) {
	p, ctx := open(t, `<div id=e><div id=x tabindex=0 style="width:40px;height:19px"></div><pre id=drawn>old</pre></div>
		<script>
		const c = x.editContext = new EditContext({ text: '' });
		const show = (s) => { drawn.textContent = s; c.updateText(0, 99, s.slice(0, 1) + s.slice(0, 2)); };
		let all = 'old\n'; window.deaf = false;
		x.onkeydown = (e) => {
			if (window.deaf) e.preventDefault(); else if (e.key === 'Enter') show(all += '\n'); };
		c.ontextupdate = (e) => { show(all += e.text); }</script>`)
	for _, text := range []string{"ab", "c\nd", "é"} {
		done, err := p.TypeInto(ctx, p.must(t, "#x"), text, 0, Options{})
		require.NoError(t, err)
		require.True(t, done.Kept, "%q: %v", text, done.Holds)
	}
	require.Equal(t, "old\nabc\ndé", eval(t, p, "drawn.textContent"))
	eval(t, p, "window.deaf = true")
	done, err := p.TypeInto(ctx, p.must(t, "#x"), "zz", 0, Options{})
	require.NoError(t, err)
	require.False(t, done.Kept)
}

// An editor that renders itself when it gets the focus, and puts its own caret then, is written into as said; and one
// that knows a caret in its text only is typed into at its end. So is one beside others, and one in the parts of
// another that cannot be edited.
func TestTextGoesWhereItIsSaidInEditors(t *testing.T) {
	const text = `<p>one</p><p>two</p></div>`
	for name, html := range map[string]string{
		"renders": `<div id=x contenteditable
			onfocus="queueMicrotask(() => getSelection().collapse(x.firstChild.firstChild, 0))">` + text,
		"in text": `<div id=x contenteditable
			onbeforeinput="getSelection().anchorNode.nodeType === 3 || event.preventDefault()">` + text,
		"beside others": `<div contenteditable>a</div><div id=x contenteditable>` + text + `<div contenteditable>z</div>`,
		"in another": `<div contenteditable><p>a</p><div contenteditable=false>b<div id=x contenteditable>` + text +
			`</div><p>z</p></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := open(t, html)
			typed, err := p.TypeInto(ctx, p.must(t, "#x"), "Q", 0, Options{})
			require.NoError(t, err)
			require.True(t, typed.Kept, typed.Holds)
			require.Equal(t, "one|twoQ", eval(t, p, `x.innerText.trim().split(/\n+/).join('|')`))
			if name == "in text" {
				return
			}
			eval(t, p, `(document.activeElement.blur(), 1)`)
			done, err := p.Fill(ctx, p.must(t, "#x"), "new", FillOptions{})
			require.NoError(t, err)
			require.True(t, done.Kept, done.Holds)
			require.Equal(t, "new", eval(t, p, "x.innerText.trim()"))
		})
	}
}

// A text that its page gives a component is drawn in a slot; a click on it is one on the button around that.
func TestAClickOnASlottedTextReachesTheButtonAroundIt(t *testing.T) {
	p, ctx := open(t, `<x-f>+</x-f><script>
		x = document.querySelector('x-f'), root = x.attachShadow({ mode: 'open' }), got = [];
		root.innerHTML = '<style>button { position: relative; width: 56px; height: 56px; font-size: 24px }' +
			'span { position: absolute; inset: 0; display: flex; align-items: center; justify-content: center }</style>' +
			'<button><span><slot></slot></span></button>';
		root.lastElementChild.onclick = (e) => got.push(e.composedPath()[0].localName)</script>`)
	require.Equal(t, "true", eval(t, p, `(() => { const r = root.querySelector('button').getBoundingClientRect();
		return root.elementFromPoint(r.x + 28, r.y + 28) === x; })()`), "a text in a slot is its host's to the browser")
	done, err := p.Click(ctx, p.worded(t, "+"), ClickOptions{})
	require.NoError(t, err)
	require.Nil(t, done.Forced)
	require.Equal(t, "slot", eval(t, p, "got.join()"))
}

// A drag of the page's own kind says whether the target took what was dropped on it.
func TestADropThatNobodyTakesIsSaid(t *testing.T) {
	tab := chrome.Tab(t)
	const page = `<div id=s draggable=true style="width:60px;height:40px">s</div><div style="position:relative;width:99px;height:60px">
		<div id=x style="height:60px" %s>x</div>%s</div><script>window.got = 0; addEventListener('drop', (e) => { got++; })</script>`
	const takes = `ondragover="event.preventDefault()"`
	for name, c := range map[string]struct {
		over, cover string
		want        bool
	}{
		"taken":      {takes, "", true},
		"refused":    {"", "", false},
		"covered":    {takes, `<div style="position:absolute;inset:0;background:red"></div>`, false},
		"its parent": {"", `<div style="position:absolute;inset:0" ` + takes + `></div>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			p, ctx := openIn(t, tab, strings.Replace(strings.Replace(page, "%s", c.over, 1), "%s", c.cover, 1))
			done, err := p.Drag(ctx, End{Element: new(p.must(t, "#s"))}, End{Element: new(p.must(t, "#x"))}, DragOptions{})
			require.NoError(t, err)
			require.Equal(t, DragHTML5, done.Method)
			require.NotNil(t, done.Dropped)
			require.Equal(t, c.want, *done.Dropped)
			if c.want {
				require.Equal(t, "1", eval(t, p, "got"))
			}
		})
	}
}

// A choice that the page takes back is said.
func TestAChoiceThatThePageTakesBackIsSaid(t *testing.T) {
	for html, kept := range map[string]bool{
		`<select id=x><option>a<option>b</select>`:                             true,
		`<select id=x onchange="this.value = 'a'"><option>a<option>b</select>`: false,
	} {
		p, ctx := open(t, html)
		s, err := p.Select(ctx, p.must(t, "#x"), Choice{Values: []string{"b"}})
		require.NoError(t, err)
		require.Equal(t, kept, s.Kept)
		f, err := p.Fill(ctx, p.must(t, "#x"), "b", FillOptions{})
		require.NoError(t, err)
		require.Equal(t, kept, f.Kept)
		require.Equal(t, kept, f.Holds == nil)
	}
}
