package domtool_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/domtool"
	"github.com/refscope/refscope/capture/element"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	nodes "github.com/refscope/refscope/snapshot/format/domtool"
)

var chrome chrometest.Chrome

func TestMain(m *testing.M) { os.Exit(chrome.Main(m)) }

// heard makes a page note events, in order, as the page sees them; "!" marks those that
// no person caused.
const heard = `<!doctype html><meta charset=utf-8><script>window.heard = [];
const hear = (sel, ...kinds) => { for (const el of document.querySelectorAll(sel)) for (const k of kinds) el.addEventListener(k, (e) => heard.push(k + (e.key ? ' ' + e.key : '') + (e.isTrusted ? '' : '!'))); };
</script>`

type fixture struct {
	*domtool.Tool
	t      *testing.T
	ctx    context.Context
	tab    *browser.Tab
	events []domtool.Event

	elements *element.Resolver
}

// fast are the waits of a fixture: its pages do nothing by themselves.
func fast() session.Options {
	return session.Options{NoPicture: true, Settle: session.Settle{Quiet: 20 * time.Millisecond, Max: time.Second, Network: 20 * time.Millisecond}}
}

func on(t *testing.T, html string) *fixture {
	t.Helper()
	return at(t, chrometest.Page(t, heard+html))
}

func at(t *testing.T, url string) *fixture {
	t.Helper()
	f := &fixture{t: t, tab: chrome.Open(t, url), ctx: chrometest.Context(t)}
	var err error
	f.elements, err = element.New(f.ctx, f.tab, element.Options{Session: fast(), TTL: time.Minute})
	require.NoError(t, err)
	f.Tool = domtool.New(f.elements, domtool.Settings{Observe: func(e domtool.Event) { f.events = append(f.events, e) }})
	return f
}

// eval asks the page's own world.
func (f *fixture) eval(expression string) string {
	f.t.Helper()
	text, err := action.New(f.tab).Evaluate(f.ctx, "", expression)
	require.NoError(f.t, err)
	return string(text)
}

func (f *fixture) snapshot() *domtool.Snapshot {
	f.t.Helper()
	s, err := f.Snapshot(f.ctx, domtool.SnapshotOptions{})
	require.NoError(f.t, err)
	return s
}

// node is the node of the element with an id attribute, as the last snapshot has it.
func (f *fixture) node(id string) *snapshot.Node {
	f.t.Helper()
	c := f.elements.Last().Shot.Capture
	for i := range c.Nodes {
		if c.Nodes[i].Attr("id") == id {
			return &c.Nodes[i]
		}
	}
	f.t.Fatalf("no element %q in the snapshot", id)
	return nil
}

// nv is the node_id of the element with an id attribute.
func (f *fixture) nv(id string) string {
	f.t.Helper()
	c := f.elements.Last().Shot.Capture
	for nv, i := range nodes.NodeIDs(c) {
		if c.Nodes[i].Attr("id") == id && regexp.MustCompile(`^nv_[0-9a-f]{8}`).MatchString(nv) {
			return nv
		}
	}
	f.t.Fatalf("no node id for %q", id)
	return ""
}

func (f *fixture) refused(err error, code domtool.Code, words string) *domtool.Error {
	f.t.Helper()
	var typed *domtool.Error
	require.ErrorAs(f.t, err, &typed)
	require.Equal(f.t, code, typed.Code, err.Error())
	require.Contains(f.t, err.Error(), words)
	return typed
}

var brief = domtool.Options{Timeout: 250 * time.Millisecond}

func TestSnapshotIsCachedUntilThePageChanges(t *testing.T) {
	f := on(t, `<p id=p>Hello</p><button id=b>Go</button>`)
	first := f.snapshot()
	require.False(t, first.Cached)
	require.Contains(t, first.Document.Text, `"node_id":"`+f.nv("b")+`"`)
	require.Equal(t, "domtool.v1", first.Meta.Version)
	require.Equal(t, 1, first.Meta.ActionableNodes)
	require.False(t, first.Meta.Truncated)
	ref := f.node("b").Ref

	again := f.snapshot()
	require.True(t, again.Cached)
	require.Equal(t, first.Document.Text, again.Document.Text)

	forced, err := f.Snapshot(f.ctx, domtool.SnapshotOptions{Force: true})
	require.NoError(t, err)
	require.False(t, forced.Cached)
	require.Equal(t, first.Document.Text, forced.Document.Text, "same page, same bytes, same numbers")

	f.eval(`document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'New'})); 1`)
	changed := f.snapshot()
	require.False(t, changed.Cached)
	require.Contains(t, changed.Document.Text, `"New"`)
	require.Equal(t, ref, f.node("b").Ref, "a number stays with its element")

	_, err = f.Click(f.ctx, f.nv("b"), domtool.ClickOptions{})
	require.NoError(t, err)
	require.False(t, f.snapshot().Cached, "an action makes it stale")
}

func TestSnapshotTellsWhatItMeasured(t *testing.T) {
	var log bytes.Buffer
	var heard []domtool.Event
	tab := chrome.Open(t, chrometest.Page(t, `<input id=i aria-label=Name><button>One</button><button>Two</button><p style="display:none">no`))
	ctx := chrometest.Context(t)
	elements, err := element.New(ctx, tab, element.Options{Session: fast()})
	require.NoError(t, err)
	tool := domtool.New(elements, domtool.Settings{Observe: func(e domtool.Event) { heard = append(heard, e) }, Log: slog.New(slog.NewTextHandler(&log, nil))})
	s, err := tool.Snapshot(ctx, domtool.SnapshotOptions{Dump: format.Options{Common: dump.Common{MaxNodes: 3}}})
	require.NoError(t, err)
	_, err = tool.Type(ctx, "#i", "a word nobody may log", domtool.TypeOptions{})
	require.NoError(t, err)
	_, err = tool.Click(ctx, "99", domtool.ClickOptions{})
	require.Error(t, err)

	require.Len(t, heard, 3)
	require.Equal(t, "snapshot", heard[0].Name)
	require.True(t, heard[0].OK)
	require.True(t, heard[0].Truncated)
	require.Equal(t, 3, heard[0].Nodes)
	require.Positive(t, heard[0].Omitted)
	require.Equal(t, len(s.Document.Text), heard[0].Bytes)
	require.Positive(t, heard[0].Took)
	require.Equal(t, "type", heard[1].Name)
	require.True(t, heard[1].OK)
	require.Equal(t, domtool.NotFound, heard[2].Code)
	require.False(t, heard[2].OK)
	require.Contains(t, log.String(), "[DomTool]")
	require.Contains(t, log.String(), "code=NOT_FOUND")
	require.NotContains(t, log.String(), "nobody may log")
}

func TestClickInTheOrderOfAppendixA(t *testing.T) {
	f := on(t, `<button id=b>Buy</button><script>hear('#b','pointerover','pointerenter','mouseover','mouseenter','pointerdown','mousedown','focus','pointerup','mouseup','click')</script>`)
	f.snapshot()
	done, err := f.Click(f.ctx, f.nv("b"), domtool.ClickOptions{})
	require.NoError(t, err)
	require.Equal(t, f.node("b").Ref, done.Ref)
	require.Equal(t, `"pointerover,pointerenter,mouseover,mouseenter,pointerdown,mousedown,focus,pointerup,mouseup,click"`, f.eval("heard.join()"))
}

func TestTypeInTheOrderOfAppendixA(t *testing.T) {
	f := on(t, `<input id=i value=old><button id=next>Next</button><script>hear('#i','focus','keydown','keypress','input','keyup','change','blur')</script>`)
	f.snapshot()
	done, err := f.Type(f.ctx, f.nv("i"), "ab", domtool.TypeOptions{Replace: true})
	require.NoError(t, err)
	require.True(t, *done.Kept)
	require.Equal(t, `"ab"`, f.eval("document.getElementById('i').value"))
	require.Equal(t, `"focus,keydown a,keypress a,input,keyup a,keydown b,keypress b,input,keyup b"`, f.eval("heard.join()"))
	_, err = f.Click(f.ctx, f.nv("next"), domtool.ClickOptions{})
	require.NoError(t, err)
	require.Contains(t, f.eval("heard.join()"), `keyup b,change,blur`)
}

func TestKeypressInTheOrderOfAppendixA(t *testing.T) {
	f := on(t, `<input id=i><p id=p>text</p><script>hear('#i','keydown','keypress','keyup')</script>`)
	f.snapshot()
	for _, c := range []struct{ key, want string }{
		{"x", `"keydown x,keypress x,keyup x"`},
		{"Enter", `"keydown Enter,keypress Enter,keyup Enter"`},
		{"ArrowLeft", `"keydown ArrowLeft,keyup ArrowLeft"`},
		{"Control+b", `"keydown Control,keydown b,keyup b,keyup Control"`},
	} {
		f.eval("heard.length = 0")
		_, err := f.Keypress(f.ctx, c.key, domtool.KeypressOptions{Target: f.nv("i")})
		require.NoError(t, err, c.key)
		require.Equal(t, c.want, f.eval("heard.join()"), c.key)
	}
	f.eval("heard.length = 0")
	_, err := f.Keypress(f.ctx, "y", domtool.KeypressOptions{})
	require.NoError(t, err)
	require.Equal(t, `"keydown y,keypress y,keyup y"`, f.eval("heard.join()"), "to what has the focus")

	_, err = f.Keypress(f.ctx, "Entr", domtool.KeypressOptions{})
	var key *action.KeyError
	require.ErrorAs(t, err, &key)
	require.Equal(t, "Enter", key.Nearest)

	f.eval("heard.length = 0")
	_, err = f.Keypress(f.ctx, "z", domtool.KeypressOptions{Target: f.nv("p")})
	f.refused(err, domtool.NotActionable, "does not take the focus")
	require.Equal(t, `""`, f.eval("heard.join()"), "no other element gets the key")
}

func TestTargets(t *testing.T) {
	f := on(t, `<button id=a class=x>A</button><button id=b class=x>B</button><script>window.hit = []; addEventListener('click', (e) => hit.push(e.composedPath()[0].id))</script>
		<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML = '<button id=deep>Deep</button>'</script>
		<iframe srcdoc="<button id=inner onclick=&quot;parent.hit.push('inner')&quot;>Inner</button>"></iframe>`)
	f.snapshot()
	ref := f.node("b").Ref
	for _, c := range []struct{ name, target, want string }{
		{"node id", f.nv("b"), "b"},
		{"number", fmt.Sprint(ref), "b"},
		{"in brackets", fmt.Sprintf("[%d]", ref), "b"},
		{"as wraith writes it", fmt.Sprintf("@e%d", ref), "b"},
		{"as aria writes it", fmt.Sprintf("s1e%d", ref), "b"},
		{"selector", "#b", "b"},
		{"in a shadow root", f.nv("deep"), "deep"},
		{"in a frame", f.nv("inner"), "inner"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.eval("hit.length = 0")
			_, err := f.Click(f.ctx, c.target, domtool.ClickOptions{})
			require.NoError(t, err)
			require.Equal(t, `"`+c.want+`"`, f.eval("hit.join()"))
		})
	}
	f.eval("hit.length = 0")
	for _, c := range []struct{ name, target, words string }{
		{"several match", ".x", "matches 2 elements"},
		{"none matches", "#nobody", "no element that matches"},
		{"a number that nobody has", "9999", "the highest of this session is"},
		{"a node id that nobody has", "nv_00000000", "nv_00000000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := f.Click(f.ctx, c.target, domtool.ClickOptions{Options: brief})
			f.refused(err, domtool.NotFound, c.words)
		})
	}
	_, err := f.Click(f.ctx, "div[", domtool.ClickOptions{})
	var selector *action.SelectorError
	require.ErrorAs(t, err, &selector)
	_, err = f.Click(f.ctx, "nv_text_12345678", domtool.ClickOptions{})
	f.refused(err, domtool.NotActionable, "the element around it")
	require.Equal(t, `""`, f.eval("hit.join()"))
}

func TestNotActionable(t *testing.T) {
	for _, c := range []struct {
		name, html, words string
		retry             bool
		act               func(*fixture) error
	}{
		{"hidden", `<button id=x style="display:none">X</button>`, "display: none", true, nil},
		{"disabled", `<button id=x disabled>X</button>`, "disabled", true, nil},
		{"covered", `<button id=x>X</button><div role=dialog aria-modal=true style="position:fixed;inset:0;background:#fff">Sale</div>`, "in the way", true, nil},
		{"typing into text", `<p id=x>X</p>`, "no field", false, func(f *fixture) error {
			_, err := f.Type(f.ctx, "#x", "a", domtool.TypeOptions{Options: brief})
			return err
		}},
		{"typing into what is read-only", `<input id=x readonly>`, "read-only", false, func(f *fixture) error {
			_, err := f.Type(f.ctx, "#x", "a", domtool.TypeOptions{Options: brief, Replace: true})
			return err
		}},
		{"typing where the focus is taken away", `<input id=x onfocus="other.focus()"><input id=other>`, "focus", true, func(f *fixture) error {
			_, err := f.Type(f.ctx, "#x", "a", domtool.TypeOptions{Options: brief})
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := on(t, c.html+`<script>window.hits = 0; addEventListener('click', () => hits++)</script>`)
			f.snapshot()
			err := func() error {
				if c.act != nil {
					return c.act(f)
				}
				_, err := f.Click(f.ctx, "#x", domtool.ClickOptions{Options: brief})
				return err
			}()
			e := f.refused(err, domtool.NotActionable, c.words)
			require.Equal(t, c.retry, e.RetrySuggested)
			require.NotEmpty(t, e.Remedy)
			require.Equal(t, "0", f.eval("hits"))
			require.Equal(t, `""`, f.eval("(document.getElementById('other') || {value: ''}).value"), "no other field gets the keys")
			require.Equal(t, domtool.NotActionable, f.events[len(f.events)-1].Code)
		})
	}
}

func TestForceActsOnWhatIsCovered(t *testing.T) {
	f := on(t, `<div id=x onclick="window.hit = 1" style="width:80px;height:20px;pointer-events:auto">X</div><div id=c onclick="window.cover = 1" style="position:fixed;inset:0"></div>`)
	_, err := f.Click(f.ctx, "#x", domtool.ClickOptions{Options: domtool.Options{Force: true}})
	require.NoError(t, err)
	require.Equal(t, "10", f.eval("(window.hit || 0) * 10 + (window.cover || 0)"), "by script: the mouse would press the cover")
}

func TestTypeKinds(t *testing.T) {
	for _, c := range []struct {
		name, html, text string
		replace          bool
		want             string
	}{
		{"after", `<input id=x value=ab>`, "cd", false, "abcd"},
		{"replace", `<input id=x value=ab>`, "cd", true, "cd"},
		{"replace by nothing", `<input id=x value=ab>`, "", true, ""},
		{"textarea", `<textarea id=x>ab</textarea>`, "c\nd", true, "c\nd"},
		{"email", `<input id=x type=email value=a@b.c>`, "d@e.f", true, "d@e.f"},
		{"date", `<input id=x type=date>`, "2026-12-31", true, "2026-12-31"},
		{"list box", `<select id=x><option value=1>One<option value=2>Two</select>`, "Two", true, "2"},
		{"no key for it", `<input id=x>`, "äß中", true, "äß中"},
		{"password", `<input id=x type=password value=secret>`, "other", true, "other"},
		{"editable", `<div id=x contenteditable>ab</div>`, "cd", true, "cd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := on(t, c.html)
			_, err := f.Type(f.ctx, "#x", c.text, domtool.TypeOptions{Replace: c.replace})
			require.NoError(t, err)
			require.JSONEq(t, fmt.Sprintf("%q", c.want), f.eval("x.isContentEditable ? x.textContent : x.value"))
		})
	}
}

func TestAnElementThatIsGone(t *testing.T) {
	const page = `<div id=list><button id=r0>Save</button><button id=r1>Open</button></div><script>window.hit = []; addEventListener('click', (e) => hit.push(e.target.dataset.new || e.target.id))</script>`
	t.Run("one of its role and name takes its place", func(t *testing.T) {
		f := on(t, page)
		f.snapshot()
		nv, ref := f.nv("r0"), f.node("r0").Ref
		f.eval(`list.innerHTML = '<button data-new=new>Save</button>'; 1`)
		done, err := f.Click(f.ctx, nv, domtool.ClickOptions{})
		require.NoError(t, err)
		require.True(t, done.ReResolved)
		require.Equal(t, ref, done.Ref)
		require.Greater(t, done.NewRef, ref, "with a number of its own")
		require.Equal(t, `"new"`, f.eval("hit.join()"))
		require.True(t, f.events[len(f.events)-1].ReResolved)
		e, ok := f.elements.Ledger().Entry(ref)
		require.True(t, ok)
		require.Equal(t, done.NewRef, e.ReplacedBy, "the ledger links the two")
	})
	t.Run("two of its role and name: refused", func(t *testing.T) {
		f := on(t, page)
		f.snapshot()
		nv := f.nv("r0")
		f.eval(`list.innerHTML = '<button>Save</button><button>Save</button>'; 1`)
		_, err := f.Click(f.ctx, nv, domtool.ClickOptions{})
		e := f.refused(err, domtool.NotFound, "2 elements have the same role and name")
		require.True(t, e.RetrySuggested)
		require.Equal(t, `""`, f.eval("hit.join()"))
	})
	t.Run("another one in its place: refused", func(t *testing.T) {
		f := on(t, page)
		f.snapshot()
		nv := f.nv("r0")
		f.eval(`list.innerHTML = '<button id=r0>Delete</button>'; 1`)
		_, err := f.Click(f.ctx, nv, domtool.ClickOptions{})
		f.refused(err, domtool.NotFound, "nothing has the same role and name")
		require.Equal(t, `""`, f.eval("hit.join()"))
	})
	t.Run("its document is gone", func(t *testing.T) {
		f := on(t, page)
		f.snapshot()
		nv := f.nv("r0")
		require.NoError(t, f.tab.Reload(f.ctx))
		_, err := f.Click(f.ctx, nv, domtool.ClickOptions{})
		e := f.refused(err, domtool.NotFound, "a document that the page has left")
		require.True(t, e.RetrySuggested)
		require.Equal(t, `""`, f.eval("hit.join()"))
		f.snapshot()
		_, err = f.Click(f.ctx, nv, domtool.ClickOptions{})
		require.NoError(t, err, "the new snapshot has the id again")
		require.Equal(t, `"r0"`, f.eval("hit.join()"))
	})
	t.Run("an id means what the agent was shown", func(t *testing.T) {
		f := on(t, `<ul id=l><li><button>One</button><li><button>Two</button><li><button>Three</button></ul><script>window.hit = []; addEventListener('click', (e) => hit.push(e.target.textContent))</script>`)
		s := f.snapshot()
		two := regexp.MustCompile(`"node_id":"(nv_[0-9a-f]+)","tag":"button","role":"button","text":"Two"`).FindStringSubmatch(s.Document.Text)
		require.NotNil(t, two, s.Document.Text)
		f.eval(`l.firstElementChild.remove(); 1`) // Three has Two's place now, and its id
		_, err := f.Click(f.ctx, two[1], domtool.ClickOptions{})
		require.NoError(t, err)
		_, err = f.Click(f.ctx, two[1], domtool.ClickOptions{})
		require.NoError(t, err)
		require.Equal(t, `"Two,Two"`, f.eval("hit.join()"))
	})
}

func TestCrossOrigin(t *testing.T) {
	// A frame whose document is refused shows an error page, which nobody can read.
	other := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Frame-Options", "DENY")
		fmt.Fprint(w, "<p>no")
	}))
	f := on(t, `<iframe id=f src="`+other+`"></iframe>`)
	s := f.snapshot()
	c := s.Shot.Capture
	require.Len(t, c.Frames, 2)
	t.Log(c.Frames[1].Readable, c.Frames[1].Why, c.Frames[1].URL)
	if c.Frames[1].Readable {
		t.Fatal("the frame could be read")
	}
	for _, target := range []string{f.nv("f"), fmt.Sprint(f.node("f").Ref), "#f", "body > iframe"} {
		_, err := f.Click(f.ctx, target, domtool.ClickOptions{Options: brief})
		f.refused(err, domtool.CrossOrigin, "cannot be read")
	}
}

func TestSecurityBlocked(t *testing.T) {
	for _, url := range []string{"chrome://version/", "chrome://settings/"} {
		f := at(t, url)
		_, err := f.Snapshot(f.ctx, domtool.SnapshotOptions{})
		f.refused(err, domtool.SecurityBlocked, "chrome:")
		_, err = f.Click(f.ctx, "body", domtool.ClickOptions{})
		f.refused(err, domtool.SecurityBlocked, "chrome:")
	}
}
