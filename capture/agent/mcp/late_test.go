package mcp_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

// late is a page whose buttons lead on: to a chain of timers, to a request and what is made of its answer, to a message
// of an error, to another page.
const late = `<!doctype html><meta charset="utf-8"><title>Late</title><style>#gone { color: green }</style>
<button onclick="count(0)">Timers</button><button onclick="ask()">Request</button>
<button onclick="said.textContent = 'sending'; setTimeout(fail, 40)">Refuse</button>
<button onclick="setTimeout(() => location = '/two', 30); said.textContent = 'leaving'">Leave</button>
<button onclick="requestAnimationFrame(() => requestAnimationFrame(() => said.textContent = 'drawn'))">Frame</button>
<label>Search <input oninput="clearTimeout(window.t); said.textContent = 'typing'; window.t = setTimeout(() => said.textContent = 'found ' + this.value, 45)"></label>
<p id=said role=status>ready</p><p id=gone>Here</p><div id=pop popover>Popped</div>
<script>
const count = (n) => { said.textContent = 'step ' + n; if (n < 6) setTimeout(count, 40, n + 1) };
const ask = async () => { said.textContent = 'asking'; const r = await fetch('/slow'); said.textContent = await r.text();
	setTimeout(() => said.textContent += ' and thought over', 90) };
const fail = () => { const e = document.createElement('p'); e.setAttribute('role', 'alert'); e.className = 'error'; e.textContent = 'Error: the card was refused'; document.body.append(e) };
</script>`

func lateSite(t *testing.T) string {
	return chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch q.URL.Path {
		case "/slow":
			select {
			case <-time.After(250 * time.Millisecond): // the server's own time, which the answer must outlast
			case <-q.Context().Done():
			}
			_, _ = w.Write([]byte("answered"))
		case "/two":
			_, _ = w.Write([]byte(`<!doctype html><title>Two</title><h1>Second page</h1>`))
		default:
			_, _ = w.Write([]byte(late))
		}
	}))
}

// TestLateChanges: what an action leads to by and by stands in its answer, although none waits for a fixed time.
func TestLateChanges(t *testing.T) {
	testneed.Long(t, "changes that come late")
	site := lateSite(t)
	for _, one := range []struct{ name, tool, button, value, want string }{
		{"a chain of timers", "browse_click", "Timers", "", "step 6"},
		{"a request and what is made of it", "browse_click", "Request", "", "answered and thought over"},
		{"an error that follows", "browse_click", "Refuse", "", `"verification_passed":false`},
		{"another page", "browse_click", "Leave", "", "/two"},
		{"two frames", "browse_click", "Frame", "", "drawn"},
		{"a field that waits for the typist", "browse_fill", "Search", "tea", "found tea"},
	} {
		t.Run(one.name, func(t *testing.T) {
			c := newRig(t, true, nil).stdio(nil)
			list := done(t, c, "browse_navigate", map[string]any{"url": site})
			args := map[string]any{"ref": refIn(t, list, one.button)}
			if one.value != "" {
				args["value"] = one.value
			}
			text, _ := call(t, c, one.tool, args)
			require.Contains(t, text, one.want)
		})
	}
}

// TestWhereTheFocusGoes: a click gives the focus to what it is on, which is no change; that the page gives it to
// another element is one, and a click into a field is for nothing else.
func TestWhereTheFocusGoes(t *testing.T) {
	testneed.Long(t, "many kinds of focus")
	c := newRig(t, true, nil).stdio(nil)
	list := done(t, c, "browse_navigate", map[string]any{"url": chrometest.Page(t, `<!doctype html><title>F</title>
<button>Dead</button><button onclick="f.focus()">Help</button>
<div tabindex=0><button onclick="parentNode.focus()">Up</button></div><input id=f aria-label=Field><input aria-label=Other><select aria-label=A onchange="b.innerHTML+='<option>A1'">
<option>x<option>y</select><select id=b aria-label=B><option>Choose</select>`)})
	for _, x := range []struct{ on, want string }{
		{"Dead", `"The action itself changed nothing"`},
		{"Help", `"field":"focused","from":null,"to":true}]`},
		{"Up", `"The action itself changed nothing"`},
		{"Other", `"verified":"The focus moved"`},
		{"Other", `"The action itself changed nothing"`},
	} {
		text, _ := call(t, c, "browse_click", map[string]any{"ref": refIn(t, list, x.on)})
		require.Contains(t, text, x.want, x.on)
	}
	text, _ := call(t, c, "browse_select", map[string]any{"ref": refIn(t, list, `label="A"`), "value": "y"})
	require.Contains(t, text, `"field":"options","from":"[\"Choose\"]","to":"[\"Choose\",\"A1\"]"`)
}

// TestTypedWhereTheFocusIs: keys that go to no field in particular are told by what they lead to, as one key is.
func TestTypedWhereTheFocusIs(t *testing.T) {
	c := newRig(t, true, nil).stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": chrometest.Page(t, `<!doctype html><title>K</title>
<div id=board tabindex=0 autofocus>Board</div><script>board.onkeydown = (e) => {
	if (e.key !== 'q') board.textContent += e.key }</script>`)})
	text, _ := call(t, c, "browse_type", map[string]any{"text": "e12"})
	require.Contains(t, text, `"verified":true`)
	require.Contains(t, text, "Boarde12")
	text, _ = call(t, c, "browse_type", map[string]any{"text": "q"})
	require.Contains(t, text, `"verification_passed":false,"verification_message":"The action itself changed nothing"`)
}

// TestViewTransition: while a page passes from one state to another it covers itself, which is no change.
func TestViewTransition(t *testing.T) {
	c := newRig(t, true, nil).stdio(nil)
	list := done(t, c, "browse_navigate", map[string]any{"url": chrometest.Page(t, `<!doctype html><title>V</title>
<style>::view-transition-group(*) { animation-duration: 600ms }</style><button
onclick="document.startViewTransition(() => said.textContent = 'new')">Go</button><p id=said>old`)})
	text, _ := call(t, c, "browse_click", map[string]any{"ref": refIn(t, list, "Go")})
	require.Contains(t, text, `"from":"old","to":"new"`)
	require.NotContains(t, text, "covered")
}

// TestGivenAgain: a client gets a reading again only where nothing has changed, also by what is no mutation: the
// changes are made by another program that is attached to the same tab.
func TestGivenAgain(t *testing.T) {
	r := newRig(t, true, nil)
	c := r.stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": lateSite(t) + "?again"})
	list := func() string { return done(t, c, "browse_snapshot", nil) }
	settled := list()
	require.Equal(t, settled, list())
	tab := attached(t, "?again")
	for _, one := range []struct{ script, gone, came string }{
		{`document.styleSheets[0].insertRule('#gone { display: none }')`, `"Here"`, ""},
		{`document.styleSheets[0].deleteRule(0)`, "", `"Here"`},
		{`pop.showPopover()`, "", "Popped"},
		{`pop.hidePopover()`, "Popped", ""},
		{`document.querySelector('input').value = 'coffee'`, "", "coffee"},
		{`document.querySelector('button').disabled = true`, "", "DISABLED"},
		{`history.pushState({}, '', '?elsewhere')`, "?again", "?elsewhere"},
	} {
		before := list()
		require.Equal(t, before, list(), "nothing happens")
		_, err := tab.Session().Eval(chrometest.Context(t), tab.ID(), `(() => { `+one.script+`; return '' })()`)
		require.NoError(t, err, one.script)
		after := list()
		require.NotEqual(t, before, after, one.script)
		if one.gone != "" {
			require.Contains(t, before, one.gone, one.script)
			require.NotContains(t, after, one.gone, one.script)
		}
		require.Contains(t, after, one.came, one.script)
	}
	r.server.Written()
	for i, rec := range r.turns(r.server.Sessions()[0].Name) {
		require.NotEmpty(t, rec.Picture, "turn %d", i+1)
	}
}

// attached is the tab whose address ends so, attached to by another client of the browser.
func attached(t *testing.T, end string) *browser.Tab {
	t.Helper()
	ctx := chrometest.Context(t)
	b := chrome.Browser(t)
	list, err := b.Tabs(ctx)
	require.NoError(t, err)
	for _, one := range list {
		if len(one.URL) > len(end) && one.URL[len(one.URL)-len(end):] == end {
			tab, err := b.AttachTab(ctx, one.ID)
			require.NoError(t, err)
			t.Cleanup(func() { _ = tab.Detach(ctx) }) // the browser may be gone
			return tab
		}
	}
	t.Fatalf("no tab shows %s", end)
	return nil
}

// TestWrittenBehind: turns that are written while their answers are on the way are those of a client that waits for
// each, with the same numbers, also where calls go from one tab to another; and the session is whole.
func TestWrittenBehind(t *testing.T) {
	testneed.Long(t, "a disk that is slow")
	site := lateSite(t)
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "behind" })
	c := r.stdio(nil)
	first := done(t, c, "browse_navigate", map[string]any{"url": site})
	button := refIn(t, first, "Frame")
	calls := 1
	for range 3 {
		for _, tool := range []string{"browse_snapshot", "browse_hover", "browse_screenshot"} {
			args := map[string]any{}
			if tool == "browse_hover" {
				args["ref"] = button
			}
			_, bad := call(t, c, tool, args)
			require.False(t, bad)
			calls++
		}
		other := done(t, c, "browse_navigate", map[string]any{"url": site + "two", "new_tab": true})
		require.NotEqual(t, button, refIn(t, other, "Second page"))
		done(t, c, "browse_tabs", map[string]any{"action": "select", "tab": "t1"})
		calls += 2
	}
	got := r.turns("behind")
	require.Len(t, got, calls)
	seen := map[int]string{}
	for i, rec := range got {
		require.Equal(t, i+1, rec.N)
		for k := range rec.Capture.Nodes {
			n := &rec.Capture.Nodes[k]
			if n.Ref == 0 {
				continue
			}
			is := rec.Capture.URL + " " + n.Tag + " " + n.Path
			if was, ok := seen[n.Ref]; ok && rec.Capture.URL == got[0].Capture.URL {
				require.Equal(t, was, is, "turn %d: a number is another element's", i+1)
			}
			seen[n.Ref] = is
		}
	}
}

// TestUnkeptIsTold: a turn that could not be written after its answer was given is told with the next answer.
func TestUnkeptIsTold(t *testing.T) {
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "full" })
	c := r.stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": lateSite(t)})
	r.server.Written()
	turns := filepath.Join(turn.SessionDir(r.home, "full"), "turns")
	require.NoError(t, os.Rename(turns, turns+".away"))
	require.NoError(t, os.WriteFile(turns, nil, 0o600))
	text := done(t, c, "browse_snapshot", nil)
	require.NotContains(t, text, "not kept")
	r.server.Written()
	require.NoError(t, os.Remove(turns))
	require.NoError(t, os.Rename(turns+".away", turns))
	text = done(t, c, "browse_snapshot", nil)
	require.Contains(t, text, "The turn of an earlier call was not kept, so the session does not have that call")
	text = done(t, c, "browse_snapshot", nil)
	require.NotContains(t, text, "not kept")
	require.Len(t, r.turns("full"), 3)
}

var numbered = regexp.MustCompile(`@e\d+`)

// TestASelectorIsJudgedAsARefIs: what an action leads to is the same, however the agent named its element.
func TestASelectorIsJudgedAsARefIs(t *testing.T) {
	site := chrometest.Page(t, `<!doctype html><title>Judged</title>
<style>#field, #box { position: fixed; width: 90px; height: 30px; top: 10px; left: 10px } #box { left: 210px }</style>
<input id=field aria-label=Field value=same>
<div id=box role=checkbox tabindex=0 aria-checked=false aria-label=Box onclick="this.ariaChecked = 'true'">Box</div>`)
	at := map[string]map[string]any{"field": {"x": 20, "y": 20}, "box": {"x": 220, "y": 20}}
	c := newRig(t, true, nil).stdio(nil)
	for _, one := range []struct {
		id, name, role, step string
		more                 map[string]any
	}{
		{"field", "Field", "textbox", "click", nil},
		{"field", "Field", "textbox", "fill", map[string]any{"value": "same"}},
		{"box", "Box", "checkbox", "click", nil},
	} {
		said := map[string]string{}
		ways := map[string]map[string]any{
			"ref": {}, "selector": {"selector": "#" + one.id}, "role": {"role": one.role, "name": one.name},
		}
		if one.role == "textbox" {
			ways["label"] = map[string]any{"label": one.name}
		} else {
			ways["text"] = map[string]any{"text": one.name}
		}
		if one.step == "click" {
			ways["point"] = at[one.id]
		}
		for way, args := range ways {
			page := done(t, c, "browse_navigate", map[string]any{"url": site})
			if way == "ref" {
				args["ref"] = refIn(t, page, strconv.Quote(one.name))
			}
			for k, v := range one.more {
				args[k] = v
			}
			text, _ := call(t, c, "run_steps", map[string]any{"steps": []any{map[string]any{one.step: args}}})
			_, rest, _ := strings.Cut(text, `"verification":{"expected":"`)
			rest, _, _ = strings.Cut(rest, `,"errors_detected"`)
			said[way] = numbered.ReplaceAllString(rest, "@e0")
			require.Contains(t, said[way], `"verification_passed":true`, "%s %s %s", one.step, one.id, way)
		}
		for way := range ways {
			require.Equal(t, said["ref"], said[way], "%s %s %s", one.step, one.id, way)
		}
	}
}
