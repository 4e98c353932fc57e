package wraith_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/capture/refs"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/wraith"
	"github.com/refscope/refscope/snapshot"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

type fixture struct {
	*wraith.Engine
	t   *testing.T
	ctx context.Context
	tab *browser.Tab
}

func on(t *testing.T, html string) *fixture {
	t.Helper()
	const before = `<!doctype html><meta charset=utf-8><script>window.hit = []; for (const k of ['click','change']) addEventListener(k, (e) => hit.push(k + ':' + (e.target.id || e.target.localName)))</script>`
	f := &fixture{t: t, tab: chrome.Open(t, chrometest.Page(t, before+html)), ctx: chrometest.Context(t)}
	// The waits are short: the page does nothing by itself.
	f.Engine = wraith.New(f.tab, refs.Options{TTL: time.Minute, Session: session.Options{
		NoPicture: true, Settle: session.Settle{Quiet: 20 * time.Millisecond, Max: time.Second, Network: 20 * time.Millisecond},
	}})
	return f
}

func (f *fixture) eval(expression string) string {
	f.t.Helper()
	text, err := action.New(f.tab).Evaluate(f.ctx, "", expression)
	require.NoError(f.t, err)
	return string(text)
}

func (f *fixture) snapshot() *wraith.Snapshot {
	f.t.Helper()
	s, err := f.Snapshot(f.ctx, wraith.SnapshotOptions{})
	require.NoError(f.t, err)
	return s
}

// node is the node of the element with an id attribute in the last snapshot.
func (f *fixture) node(id string) *snapshot.Node {
	f.t.Helper()
	c := f.Book().Last().Shot.Capture
	for i := range c.Nodes {
		if c.Nodes[i].Attr("id") == id {
			return &c.Nodes[i]
		}
	}
	f.t.Fatalf("no element %q in the snapshot", id)
	return nil
}

func (f *fixture) e(id string) string { return fmt.Sprintf("@e%d", f.node(id).Ref) }

var (
	brief = wraith.Options{Timeout: 250 * time.Millisecond}
	force = wraith.Options{Force: true}
)

func TestSnapshot(t *testing.T) {
	f := on(t, `<button id=b>Go</button><input id=i aria-label=Name>`)
	s := f.snapshot()
	require.Contains(t, s.Document.Text, f.e("b"))
	require.True(t, f.snapshot().Cached)
	asJSON, err := f.Snapshot(f.ctx, wraith.SnapshotOptions{JSON: true})
	require.NoError(t, err)
	var page struct {
		Elements []struct {
			RefID    int `json:"ref_id"`
			Selector string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(asJSON.Document.Text), &page))
	require.Equal(t, f.node("b").Ref, page.Elements[0].RefID)
	require.NotEmpty(t, page.Elements[0].Selector)
	forced, err := f.Snapshot(f.ctx, wraith.SnapshotOptions{Force: true})
	require.NoError(t, err)
	require.False(t, forced.Cached)
	require.Equal(t, s.Document.Text, forced.Document.Text)
}

func TestActions(t *testing.T) {
	const page = `<button id=b>Go</button><input id=c type=checkbox><input id=i value=old><input id=d type=date><div id=ed contenteditable>old</div>
		<select id=s><option value=1>One<option value=2>Two<option value=3 disabled>Three</select>
		<button id=off disabled>Off</button><input id=ro readonly value=old><select id=soff disabled><option>A<option>B</select>
		<div style="height:3000px"></div><button id=far>Far</button><div style="height:3000px"></div>
		<button id=under>Under</button><div role=dialog aria-modal=true aria-label=Sale id=over style="position:fixed;left:0;bottom:0;width:10px;height:10px">!</div>`
	click := func(o wraith.Options) func(*fixture, string) (*wraith.Result, error) {
		return func(f *fixture, target string) (*wraith.Result, error) { return f.Click(f.ctx, target, o) }
	}
	fill := func(text string) func(*fixture, string) (*wraith.Result, error) {
		return func(f *fixture, target string) (*wraith.Result, error) { return f.Fill(f.ctx, target, text, brief) }
	}
	choose := func(value string, o wraith.Options) func(*fixture, string) (*wraith.Result, error) {
		return func(f *fixture, target string) (*wraith.Result, error) { return f.Select(f.ctx, target, value, o) }
	}
	f := on(t, page)
	f.snapshot()
	for _, c := range []struct {
		name, id  string
		act       func(*fixture, string) (*wraith.Result, error)
		ask, want string // of the page, after it
		err       string // "" where it is done
	}{
		{"click", "b", click(brief), "hit.join()", `"click:b"`, ""},
		{"click a checkbox", "c", click(brief), "c.checked", "true", ""},
		{"click what is far down", "far", click(brief), "hit.join()", `"click:far"`, ""},
		{"click what is disabled", "off", click(brief), "hit.join()", `""`, "it is disabled"},
		{"click what is disabled, by force", "off", click(force), "hit.join()", `""`, ""},
		{"fill", "i", fill("new"), "i.value + ' ' + hit.join()", `"new change:i"`, ""},
		{"fill with nothing", "i", fill(""), "i.value", `""`, ""},
		{"fill a date", "d", fill("2026-12-31"), "d.value", `"2026-12-31"`, ""},
		{"fill a date wrongly", "d", fill("tomorrow"), "d.value", `"2026-12-31"`, "write it as 2026-12-31"},
		{"fill an editable region", "ed", fill("new"), "ed.textContent", `"new"`, ""},
		{"fill what is read-only", "ro", fill("new"), "ro.value", `"old"`, "read-only"},
		{"fill a button", "b", fill("new"), "hit.join()", `""`, "no field"},
		{"select by value", "s", choose("2", brief), "s.value + ' ' + hit.join()", `"2 change:s"`, ""},
		{"select by label", "s", choose("One", brief), "s.value", `"1"`, ""},
		{"select what is not there", "s", choose("Four", brief), "s.value", `"1"`, `"Two" (value "2")`},
		{"select a disabled option", "s", choose("3", brief), "s.value", `"1"`, "is disabled"},
		{"select in a disabled list box", "soff", choose("B", brief), "soff.value", `"A"`, "it is disabled"},
		{"select in a disabled list box, by force", "soff", choose("B", force), "soff.value", `"B"`, ""},
		{"select in a button", "b", choose("B", brief), "hit.join()", `""`, "no list box"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.eval("hit.length = 0")
			done, err := c.act(f, f.e(c.id))
			if c.err == "" {
				require.NoError(t, err)
				require.Equal(t, f.node(c.id).Ref, done.Ref)
				require.Zero(t, done.NewRef)
			} else {
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, f.e(c.id), "it names the target")
			}
			require.Equal(t, c.want, f.eval(c.ask))
		})
	}
}

func TestClickCovered(t *testing.T) {
	f := on(t, `<button id=b style="width:100px;height:30px">Go</button><div id=veil role=dialog aria-label=Sale style="position:fixed;inset:0;background:#fff">Sale</div>`)
	f.snapshot()
	_, err := f.Click(f.ctx, f.e("b"), brief)
	var not *action.NotReadyError
	require.ErrorAs(t, err, &not)
	require.NotNil(t, not.By)
	require.Contains(t, err.Error(), "Sale")
	require.Equal(t, `""`, f.eval("hit.join()"))
	_, err = f.Click(f.ctx, f.e("b"), force)
	require.NoError(t, err)
	require.Equal(t, `"click:veil"`, f.eval("hit.join()"), "force is the mouse where the element is: what lies there gets it")
}

func TestScrollToCentres(t *testing.T) {
	f := on(t, `<style>body{margin:0}</style><div style="height:3000px"></div><button id=b>Go</button><div style="height:3000px"></div>
		<div id=box style="height:200px;overflow:auto"><div style="height:900px"></div><button id=in>In</button><div style="height:900px"></div></div><div style="height:2000px"></div>`)
	f.snapshot()
	for _, id := range []string{"b", "in"} {
		done, err := f.ScrollTo(f.ctx, f.e(id), wraith.Options{})
		require.NoError(t, err)
		require.Positive(t, done.Scroll.Y)
		require.Equal(t, "true", f.eval(`(() => { const r = document.getElementById('`+id+`').getBoundingClientRect(); return Math.abs(r.top + r.height / 2 - innerHeight / 2) < 2; })()`), id)
	}
	_, err := f.ScrollTo(f.ctx, "@e999", wraith.Options{})
	require.ErrorContains(t, err, "ref 999")
}

func TestTargets(t *testing.T) {
	f := on(t, `<button id=b>Go</button><button id=o>Other</button>`)
	f.snapshot()
	n := f.node("b").Ref
	for _, target := range []string{fmt.Sprint(n), fmt.Sprintf("[%d]", n), fmt.Sprintf("@e%d", n), fmt.Sprintf("e%d", n), "#b"} {
		f.eval("hit.length = 0")
		_, err := f.Click(f.ctx, target, brief)
		require.NoError(t, err, target)
		require.Equal(t, `"click:b"`, f.eval("hit.join()"), target)
	}
	f.eval("hit.length = 0")
	_, err := f.Click(f.ctx, "button", brief)
	var several *refs.AmbiguousError
	require.ErrorAs(t, err, &several)
	require.Equal(t, 2, several.Count)
	_, err = f.Click(f.ctx, "button:::", brief)
	var selector *action.SelectorError
	require.ErrorAs(t, err, &selector)
	_, err = f.Click(f.ctx, "", brief)
	require.ErrorAs(t, err, &selector)
	require.Equal(t, `""`, f.eval("hit.join()"))
}

func TestARefOfAnOlderSnapshot(t *testing.T) {
	f := on(t, `<div id=l><button id=b>Go</button></div>`)
	first := f.snapshot()
	ref := f.e("b")
	f.eval(`l.innerHTML = '<button id=x>Stop</button>'; 1`)
	second := f.snapshot()
	require.NotEqual(t, ref, f.e("x"), "no other element gets the number")
	_, err := f.Click(f.ctx, ref, brief)
	var older *refs.OlderError
	require.ErrorAs(t, err, &older)
	require.Equal(t, first.N, older.Seen)
	require.Equal(t, second.N, older.Now)
	require.ErrorContains(t, err, "is of an older snapshot (1; the last is 2)")
	var gone *collect.GoneError
	require.ErrorAs(t, err, &gone)
	require.Equal(t, `""`, f.eval("hit.join()"))

	require.NoError(t, f.tab.Reload(f.ctx))
	f.snapshot()
	_, err = f.Click(f.ctx, ref, brief)
	require.ErrorAs(t, err, &older)
	require.ErrorContains(t, err, "a document that the page has left")
	require.Equal(t, `""`, f.eval("hit.join()"), "the button of the same name in another document is not it")
}

func TestAnOlderRefOfAnElementThatIsThere(t *testing.T) {
	f := on(t, `<button id=b>Go</button>`)
	f.snapshot()
	ref := f.e("b")
	f.eval(`for (let i = 0; i < 20; i++) document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'Go'})); 1`)
	f.snapshot()
	require.Equal(t, ref, f.e("b"))
	_, err := f.Click(f.ctx, ref, brief)
	require.NoError(t, err)
	require.Equal(t, `"click:b"`, f.eval("hit.join()"))
}

func TestWhatTakesThePlace(t *testing.T) {
	const page = `<div id=l><button class=save>Save</button></div>`
	for _, c := range []struct {
		name, after, selector string
		want                  string // of hit, "" where it is refused
		stage, err            string
	}{
		{"the only one of its role and name", `<p>x</p><button id=n>Save</button>`, "", "click:n", collect.StageGhost, ""},
		{"two, and no selector", `<button id=n>Save</button><button>Save</button>`, "", "", "", "2 elements have the same role and name"},
		{"two, and a selector that one matches", `<button>Save</button><button id=n class=save>Save</button>`, ".save", "click:n", refs.StageSelector, ""},
		{"a selector that two match", `<button class=save>Save</button><button class=save>Save</button>`, ".save", "", "", "matches 2 elements"},
		{"a selector of another name", `<button class=save>Delete</button>`, ".save", "", "", `"Delete"`},
		{"a selector of another role", `<a href="#x" class=save>Save</a><button>Save</button><button>Save</button>`, ".save", "", "", "link"},
		{"a selector that nothing matches", `<p>empty`, ".save", "", "", "no element that matches"},
		{"a selector that nobody can read", `<p>empty`, "[", "", "", "is not a CSS selector"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := on(t, page)
			s := f.snapshot()
			var ref string
			for _, n := range s.Shot.Capture.Nodes {
				if n.Attr("class") == "save" {
					ref = fmt.Sprintf("@e%d", n.Ref)
				}
			}
			f.eval("l.innerHTML = " + fmt.Sprintf("%q", c.after) + "; 1")
			o := brief
			o.Selector = c.selector
			done, err := f.Click(f.ctx, ref, o)
			require.Equal(t, `"`+c.want+`"`, f.eval("hit.join()"))
			if c.want == "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.stage, done.Stage)
			require.NotZero(t, done.NewRef)
			require.NotEqual(t, done.Ref, done.NewRef)
			e, ok := f.Book().Ledger().Entry(done.Ref)
			require.True(t, ok)
			require.Equal(t, done.NewRef, e.ReplacedBy)
			f.snapshot()
			require.Equal(t, done.NewRef, f.node("n").Ref)
		})
	}
}

func TestNoSecretInTheSnapshotAfterFill(t *testing.T) {
	f := on(t, `<input id=p type=password aria-label=Password>`)
	f.snapshot()
	_, err := f.Fill(f.ctx, f.e("p"), "hunter2-and-more", brief)
	require.NoError(t, err)
	s := f.snapshot()
	require.False(t, s.Cached)
	require.False(t, strings.Contains(s.Document.Text, "hunter2"))
	require.Equal(t, "true", f.eval("p.value === 'hunter2-and-more'"))
}
