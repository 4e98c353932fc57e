package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

var chrome chrometest.Chrome

// talk is a client and a server of tools whose messages a recorder sees.
type talk struct {
	t    *testing.T
	r    *Recorder
	done chan int
	n    int
}

// call lets a tool be called; act is what it does to the page, and its answer.
func (k *talk) call(tool, arguments string, act func() string) (n int) {
	k.t.Helper()
	k.n++
	asked := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, k.n, tool, arguments)
	k.r.Client("", asked, nil, len(asked))
	text, err := json.Marshal(act())
	require.NoError(k.t, err)
	answer := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}]}}`, k.n, text)
	k.r.Server("", answer, nil, len(answer))
	select {
	case n = <-k.done:
	case <-chrometest.Context(k.t).Done():
		k.t.Fatal("the call is not recorded")
	}
	return n
}

// recorded is a client and a server whose calls are recorded with the pages of the tests' Chrome, and what reads a turn.
func recorded(t *testing.T) (*talk, func(n int) (*turn.Record, tap.Exchange, *doctor.Report)) {
	t.Helper()
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	watcher := tap.Watch(own, nil, nil)
	t.Cleanup(func() { watcher.Close(context.Background()) })
	store, err := turn.Create(ctx, turn.Dir(filepath.Join(t.TempDir(), "s")), "test")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	k := &talk{t: t, done: make(chan int, 16)}
	k.r = NewRecorder(Options{Keeper: tap.Keeper{Store: store, Tool: "test", Rules: redact.Standard()}, Watcher: watcher, Server: "test",
		Recorded: func(n int, _ *tap.Exchange) { k.done <- n }})
	d := doctor.New(doctor.Options{})
	return k, func(n int) (*turn.Record, tap.Exchange, *doctor.Report) {
		rec, err := store.Load(ctx, n)
		require.NoError(t, err)
		var e tap.Exchange
		require.NoError(t, json.Unmarshal(rec.Exchange, &e))
		report, err := d.Examine(rec)
		require.NoError(t, err)
		return rec, e, report
	}
}

// A call has the page that it is about: a list the page that it lists, a click the page on which it was asked for, also
// where that has left since, and anything else the page that it led to. What is typed into a password's field is not kept.
func TestPagesOfCalls(t *testing.T) {
	ctx := chrometest.Context(t)
	const secret = "correct-horse-battery"
	first := chrometest.Page(t, `<title>First</title><h1>Choose a kettle</h1><button>Heron kettle</button><button>Slate kettle</button>
<label>Password <input type=password></label>`)
	second := chrometest.Page(t, `<title>Second</title><h1>Thank you for the order</h1><button>Back to the shop</button>`)
	tab := chrome.Open(t, first)
	k, read := recorded(t)
	list := func() string {
		shot, err := session.Take(chrometest.Context(t), tab, session.Options{})
		require.NoError(t, err)
		doc, err := format.Render(shot.Capture, format.Aria, format.Options{})
		require.NoError(t, err)
		return "### Page\n- Page URL: " + shot.Capture.URL + "\n```yaml\n" + doc.Text + "\n```"
	}
	text := ""
	rec, e, report := read(k.call("browser_snapshot", `{}`, func() string { text = list(); return text }))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)
	require.NotEmpty(t, report.Texts)
	ref := func(name string) string {
		for _, l := range report.Texts[0].Lines {
			if l.Name == name {
				require.GreaterOrEqual(t, l.Node, 0)
				return l.Ref
			}
		}
		t.Fatalf("%q is not in %s", name, text)
		return ""
	}
	slate, password := ref("Slate kettle"), ref("Password")

	_, _, part := read(k.call("browser_snapshot", fmt.Sprintf(`{"target":%q}`, slate), func() string {
		return "### Page\n- Page URL: " + first + "\n```yaml\n- button \"Slate kettle\" [ref=" + slate + "]\n```"
	}))
	require.True(t, part.Texts[0].Part)
	require.NotNil(t, part.Known)
	require.Len(t, part.Known.Lines, len(report.Texts[0].Lines), "the rest of the page is known still")

	rec, _, _ = read(k.call("browser_type", fmt.Sprintf(`{"ref":%q,"text":%q,"submit":true}`, password, secret),
		func() string { return "### Ran" }))
	for _, p := range rec.Payloads {
		require.NotContains(t, string(p.Bytes), secret)
	}
	require.NotContains(t, rec.Action, secret)

	rec, e, report = read(k.call("browser_click", fmt.Sprintf(`{"element":"x","ref":%q}`, slate), func() string {
		require.NoError(t, tab.Navigate(chrometest.Context(t), second))
		return "Successfully clicked on the element"
	}))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)
	require.Len(t, report.Targets, 1)
	require.Equal(t, "Slate kettle", rec.Capture.Node(report.Targets[0].Node).Name)
	require.Equal(t, 2, report.Targets[0].Turn)
	require.NotNil(t, report.Known, "what the model knew comes from the turn before")
	require.Empty(t, report.Findings)

	rec, e, _ = read(k.call("browser_wait_for", `{"time":1}`, func() string { return "done" }))
	require.Equal(t, second, rec.Capture.URL, "%+v", e.Pairing)

	rec, e, _ = read(k.call("agent_browser_snapshot", `{"delta":true}`, func() string {
		return `{"kind":"delta","changes":[],"treeChange":{"startLine":1,"deleteCount":0,"lines":["- button \"Back to the shop\" [ref=e9]"]}}`
	}))
	require.Equal(t, second, rec.Capture.URL, "%+v", e.Pairing)
	require.NoError(t, k.r.Close(ctx))
}

// An agent goes on in its tab where a popup lies over it: its calls have that page, without a picture, until it turns to
// the popup.
func TestPagesOfCallsBehindAPopup(t *testing.T) {
	ctx := chrometest.Context(t)
	first := chrometest.Page(t, `<title>First</title><h1>Choose a kettle</h1><button>Heron kettle</button>`)
	popup := chrometest.Page(t, `<title>Popup</title><h1>Thank you for the order</h1><button>Back to the shop</button>`)
	k, read := recorded(t)
	plain := chrometest.DialPlain(t, chrome.Browser(t))
	open := func(url string) (target string) {
		var made struct{ TargetID string }
		require.NoError(t, plain.Call(ctx, "", "Target.createTarget", map[string]any{"url": url}, &made))
		t.Cleanup(func() {
			require.NoError(t, plain.Call(context.Background(), "", "Target.closeTarget",
				map[string]any{"targetId": made.TargetID}, nil))
		})
		return made.TargetID
	}
	attached, err := plain.Attach(ctx, open(first))
	require.NoError(t, err)
	page := "### Page\n- Page URL: " + first + "\n"
	list := func() string {
		return page + "```yaml\n- generic [ref=e1]:\n  - heading \"Choose a kettle\" [level=1] [ref=e2]\n" +
			"  - button \"Heron kettle\" [ref=e3]\n```"
	}
	rec, e, _ := read(k.call("browser_snapshot", `{}`, list))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)

	rec, e, _ = read(k.call("browser_press_key", `{"key":"F2"}`, func() string {
		open(popup)
		require.NoError(t, plain.Call(ctx, attached, "Runtime.evaluate", map[string]any{"awaitPromise": true, "expression": `
new Promise(done => document.hidden ? done() : document.addEventListener('visibilitychange', done))`}, nil))
		return "### Open tabs\n- 0: (current) [First](" + first + ")\n- 1: [Popup](" + popup + ")\n" + page
	}))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)
	require.Contains(t, rec.Lacks, "the page has no picture: its tab was hidden behind another")
	rec, e, _ = read(k.call("browser_snapshot", `{}`, list))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)
	rec, e, report := read(k.call("browser_click", `{"ref":"e3"}`, func() string { return "Clicked" }))
	require.Equal(t, first, rec.Capture.URL, "%+v", e.Pairing)
	require.Len(t, report.Targets, 1)
	require.Equal(t, "Heron kettle", rec.Capture.Node(report.Targets[0].Node).Name)
	for _, current := range []string{"- 1: (current) [Popup](" + popup + ")", "1: " + popup + " [selected]"} {
		rec, e, _ = read(k.call("tabs", `{}`, func() string { return "- 0: [First](" + first + ")\n" + current }))
		require.Equal(t, popup, rec.Capture.URL, "%+v", e.Pairing)
		read(k.call("browser_snapshot", `{}`, list))
	}
	require.NoError(t, k.r.Close(ctx))
}

// What was captured once a quick call was over is no page on which it was asked for.
func TestPagesUntilTheEndOfACall(t *testing.T) {
	began := time.Now()
	at := func(after time.Duration) tap.Page {
		return tap.Page{Tab: after.String(), Capture: &snapshot.Capture{TakenAt: began.Add(after)}}
	}
	c := &call{began: began, ended: 30}
	pages := []tap.Page{at(10 * time.Millisecond), at(31 * time.Millisecond), {Tab: "none"}}
	var kept []string
	for _, p := range c.untilItsEnd(pages) {
		kept = append(kept, p.Tab)
	}
	require.Equal(t, []string{"10ms", "none"}, kept)
	require.Len(t, pages, 3)
	require.Equal(t, "31ms", pages[1].Tab, "the look is shared")
}

// A page that lacks the element of a call that worked was captured as the call had left it: the call has the page as
// the call before had left it. One of a call that failed is the page of that call.
func TestPagesThatACallHasChanged(t *testing.T) {
	began := time.Now()
	page := func(ref string, after time.Duration) tap.Page {
		n := snapshot.Node{Tag: "button", Parent: -1, Role: "button", Name: "Go", Verdict: snapshot.VerdictRef}
		n.NoteAgentRef(snapshot.Playwright, ref)
		return tap.Page{Tab: "A", URL: "https://shop.example/", Capture: &snapshot.Capture{Schema: snapshot.Schema,
			URL: "https://shop.example/", TakenAt: began.Add(after), Frames: []snapshot.Frame{{}},
			Nodes: []snapshot.Node{n}}}
	}
	answer, err := wire.ReadAnswer(wire.MCP, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call",
		"params":{"name":"browser_click","arguments":{"target":"e3"}}}`))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		before, last string // refs
		failed       bool
		want         string
	}{
		"it has the element":             {"e3", "e3", false, "before"},
		"the page before has it":         {"e9", "e3", false, "last"},
		"the call failed":                {"e9", "e3", true, "before"},
		"no page has it, as far as seen": {"e9", "e8", false, "before"},
	} {
		t.Run(name, func(t *testing.T) {
			last := page(c.last, -time.Second)
			r := &Recorder{tab: "A", last: &last}
			e := &tap.Exchange{Exchange: exchange.Exchange{Answer: answer}}
			asked := &wire.Request{Dialect: wire.MCP,
				Messages: []wire.Message{{Parts: []wire.Part{{Failed: c.failed}}}}}
			before := []tap.Page{page(c.before, 10*time.Millisecond)}
			got := r.pair(&call{began: began, ended: 30}, e, asked, before, nil)
			require.NotNil(t, got, "%+v", e.Pairing)
			require.Equal(t, c.want == "last", got.Capture.TakenAt.Before(began))
		})
	}
}

// A page that was captured too late is not replaced by that of another tab, which has an element with the same number.
func TestPagesOfOtherTabsStandForNone(t *testing.T) {
	began := time.Now()
	in := func(tab string, after time.Duration) tap.Page {
		n := snapshot.Node{Tag: "button", Parent: -1, Role: "button", Name: tab, Verdict: snapshot.VerdictRef}
		n.NoteAgentRef(snapshot.Playwright, "e3")
		return tap.Page{Tab: tab, Capture: &snapshot.Capture{Schema: snapshot.Schema,
			URL: "https://shop.example/" + tab, TakenAt: began.Add(after), Frames: []snapshot.Frame{{}},
			Nodes: []snapshot.Node{n}}}
	}
	answer, err := wire.ReadAnswer(wire.MCP, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call",
		"params":{"name":"browser_click","arguments":{"target":"e3"}}}`))
	require.NoError(t, err)
	const soon, late = 10 * time.Millisecond, 31 * time.Millisecond
	last := in("A", -time.Second)
	for name, c := range map[string]struct {
		before []tap.Page
		last   *tap.Page
		want   string // tab
	}{
		"in time":                    {[]tap.Page{in("A", soon)}, nil, "A"},
		"too late":                   {[]tap.Page{in("A", late)}, nil, ""},
		"too late beside another":    {[]tap.Page{in("A", late), in("B", soon)}, nil, ""},
		"as the call before left it": {[]tap.Page{in("A", late), in("B", soon)}, &last, "A"},
		"another tab is in front":    {[]tap.Page{in("B", soon)}, nil, "B"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Recorder{tab: "A", last: c.last}
			e := &tap.Exchange{Exchange: exchange.Exchange{Answer: answer}}
			page := r.pair(&call{began: began, ended: 30}, e, &wire.Request{Dialect: wire.MCP}, c.before, nil)
			require.Equal(t, c.want == "", page == nil, "%+v", e.Pairing)
			if page != nil {
				require.Equal(t, c.want, page.Tab)
			} else {
				require.Equal(t, "the page was captured after the call was over", e.Pairing.Why)
			}
		})
	}
}

// A picture of an element tells no page; the element that the call names does, where a page has it.
func TestPagesOfPicturesOfElements(t *testing.T) {
	began := time.Now()
	n := snapshot.Node{Tag: "button", Parent: -1, Role: "button", Name: "Pay", Verdict: snapshot.VerdictRef}
	n.NoteAgentRef(snapshot.Playwright, "e3")
	page := tap.Page{Tab: "A", Capture: &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/", TakenAt: began,
		Frames: []snapshot.Frame{{}}, Nodes: []snapshot.Node{n}}}
	for name, c := range map[string]struct {
		arguments string
		paired    bool
	}{
		"an element of the page": {`{"target":"e3"}`, true},
		"one of no page":         {`{"target":"e4"}`, false},
		"a place":                {`{"x":3,"y":4}`, false},
		"no element":             {`{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := wire.ReadAnswer(wire.MCP, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call",
				"params":{"name":"browser_take_screenshot","arguments":`+c.arguments+`}}`))
			require.NoError(t, err)
			e := &tap.Exchange{Exchange: exchange.Exchange{Answer: answer}}
			asked := &wire.Request{Dialect: wire.MCP, Messages: []wire.Message{{Role: "tool",
				Parts: []wire.Part{{Kind: wire.Image, Data: []byte("of 3 px")}}}}}
			got := (&Recorder{}).pair(&call{began: began, ended: 30}, e, asked, []tap.Page{page}, nil)
			require.Equal(t, c.paired, got != nil, "%+v", e.Pairing)
		})
	}
}

// The page that a call led to is known where it was captured before the next call came, however long another tab takes;
// while one is not captured, no other is the only one.
func TestPagesInTimeForTheNextCall(t *testing.T) {
	page := func(tab string) tap.Page {
		return tap.Page{Tab: tab, Capture: &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/" + tab,
			Nodes: []snapshot.Node{{Tag: "button", Parent: -1, Verdict: snapshot.VerdictRef}}}}
	}
	const late = "the next call came before the page was captured"
	for name, c := range map[string]struct {
		late      []string
		tab, want string
	}{
		"both in time":       {nil, "A", "A"},
		"another is late":    {[]string{"B"}, "A", "A"},
		"it is late":         {[]string{"A"}, "A", ""},
		"both are late":      {[]string{"A", "B"}, "A", ""},
		"which is not known": {[]string{"B"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := &look{called: len(c.late) > 0, late: map[string]bool{}}
			for _, tab := range c.late {
				l.late[tab] = true
			}
			r := &Recorder{tab: c.tab}
			none, why := r.shown(&call{after: l}, &wire.Request{Dialect: wire.MCP}, nil)
			require.Nil(t, none)
			require.Equal(t, l.called, why.Why == late, "no page was captured")
			got, found := r.shown(&call{after: l}, &wire.Request{Dialect: wire.MCP}, []tap.Page{page("A"), page("B")})
			if c.want == "" {
				require.Nil(t, got)
				require.Equal(t, late, found.Why)
				return
			}
			require.NotNil(t, got, "%+v", found)
			require.Equal(t, c.want, got.Tab)
		})
	}
}

// Of a browser that was there nobody says that none is watched.
func TestPagesOfAClosedBrowser(t *testing.T) {
	for tab, want := range map[string]string{"": "no browser is watched", "A": "the browser was closed"} {
		e := &tap.Exchange{}
		require.Nil(t, (&Recorder{tab: tab}).pair(&call{began: time.Now()}, e, &wire.Request{Dialect: wire.MCP}, nil, nil))
		require.Contains(t, e.Pairing.Why, want)
	}
}

// A call that only reads has the page on which it was asked, where the one after it is not known.
func TestPagesOfCallsThatOnlyRead(t *testing.T) {
	began := time.Now()
	for name, c := range map[string]struct {
		tool   string
		after  time.Duration
		paired bool
	}{
		"a list":           {"browser_get_clickable_elements", 10 * time.Millisecond, true},
		"a text":           {"page_text", 10 * time.Millisecond, true},
		"a picture":        {"puppeteer_screenshot", 10 * time.Millisecond, true},
		"after its end":    {"browser_get_clickable_elements", 31 * time.Millisecond, false},
		"one that changes": {"browser_scroll", 10 * time.Millisecond, false},
		"one that types":   {"type_text", 10 * time.Millisecond, false},
		"one that moves":   {"switch_target", 10 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := wire.ReadAnswer(wire.MCP, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call",
				"params":{"name":"`+c.tool+`","arguments":{}}}`))
			require.NoError(t, err)
			page := tap.Page{Tab: "A", Capture: &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/",
				TakenAt: began.Add(c.after), Frames: []snapshot.Frame{{}},
				Nodes: []snapshot.Node{{Tag: "button", Parent: -1, Verdict: snapshot.VerdictRef}}}}
			e := &tap.Exchange{Exchange: exchange.Exchange{Answer: answer}}
			gone := page
			gone.Gone = true
			got := (&Recorder{}).pair(&call{began: began, ended: 30, after: &look{}}, e,
				&wire.Request{Dialect: wire.MCP}, []tap.Page{page}, []tap.Page{gone})
			require.Equal(t, c.paired, got != nil, "%+v", e.Pairing)
		})
	}
}

// A call that tells a page's text, title or address has that page, also where the browser has another one in front; and
// none where that is of a tab that was not captured.
func TestPagesThatAnAnswerTells(t *testing.T) {
	words := func(of string) (out []string) {
		for _, word := range []string{"Choose %s from the list", "Put %s into the basket", "Read about %s", "All that we know of %s",
			"Ask somebody who has bought %s", "Compare %s with others", "Tell your friends of %s", "What others say of %s"} {
			out = append(out, fmt.Sprintf(word, of))
		}
		return out
	}
	in := func(tab string, hidden bool) tap.Page {
		c := &snapshot.Capture{Schema: snapshot.Schema, URL: "https://shop.example/" + tab, Title: tab, TakenAt: time.Now(),
			Frames: []snapshot.Frame{{}}, Viewport: snapshot.Viewport{Width: 400, Height: 400, Scale: 1}}
		for i, word := range words(tab) {
			c.Nodes = append(c.Nodes, snapshot.Node{I: i, Tag: "p", Parent: -1, Text: word, Verdict: snapshot.VerdictContent,
				Box: snapshot.Box{0, float64(20 * i), 100, 20}, InViewport: true})
		}
		return tap.Page{Tab: tab, Hidden: hidden, Capture: c}
	}
	for name, of := range map[string]struct {
		tool, answer string
		after        []tap.Page
		want         string // tab
	}{
		"text of the one in front": {"get_text", strings.Join(words("kettles"), "\n"), []tap.Page{in("kettles", false), in("teapots", true)}, "kettles"},
		"text of the one behind":   {"get_text", strings.Join(words("teapots"), "\n"), []tap.Page{in("kettles", false), in("teapots", true)}, "teapots"},
		"a word":                   {"get_text", "teapots", []tap.Page{in("kettles", false), in("teapots", true)}, "kettles"},
		"a title":                  {"get_title", "teapots", []tap.Page{in("kettles", false), in("teapots", true)}, "teapots"},
		"an address":               {"get_url", "Current URL: https://shop.example/teapots", []tap.Page{in("kettles", false), in("teapots", true)}, "teapots"},
		"one that was captured":    {"get_title", "teapots", []tap.Page{in("kettles", false)}, ""},
		"one that nobody knows":    {"get_title", "cups", []tap.Page{in("kettles", false)}, "kettles"},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := wire.ReadAnswer(wire.MCP, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, of.tool))
			require.NoError(t, err)
			asked := &wire.Request{Dialect: wire.MCP, Messages: []wire.Message{{Role: "tool", Parts: []wire.Part{{Kind: wire.Result, Text: of.answer}}}}}
			r, e := &Recorder{}, &tap.Exchange{Exchange: exchange.Exchange{Answer: answer}}
			r.follow([]tap.Page{in("teapots", true)})
			r.tab = "kettles"
			page := r.pair(&call{began: time.Now(), after: &look{}}, e, asked, nil, of.after)
			require.Equal(t, of.want == "", page == nil, "%+v", e.Pairing)
			if page != nil {
				require.Equal(t, of.want, page.Tab, "%+v", e.Pairing)
			}
		})
	}
}

// An agent that brings a tab to the front that lay behind its own goes on there; a popup is new.
func TestPagesOfATabThatIsBroughtToTheFront(t *testing.T) {
	in := func(tab string, hidden bool) tap.Page {
		return tap.Page{Tab: tab, Hidden: hidden, Capture: &snapshot.Capture{Schema: snapshot.Schema}}
	}
	r := &Recorder{tab: "A"}
	r.follow([]tap.Page{in("A", false)})
	r.follow([]tap.Page{in("A", true), in("popup", false)})
	require.Equal(t, "A", r.tab)
	r.follow([]tap.Page{in("A", false), in("popup", true)})
	require.Equal(t, "A", r.tab)
	r.follow([]tap.Page{in("A", true), in("popup", false)})
	require.Equal(t, "popup", r.tab)
}
