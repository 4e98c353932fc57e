package tap_test

import (
	"context"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/testneed"
)

// extension is an agent that lives in a browser of its own, before a vendor that the test plays.
type extension struct {
	*bench
	plain   *chrometest.Plain
	id      string
	session string // of its worker
	vendor  string
	page    *browser.Tab
	lines   chan string // of the tap's log
}

// waitFor waits for a line of the log.
func (x *extension) waitFor(t *testing.T, want string) {
	t.Helper()
	ctx := chrometest.Context(t)
	for line := ""; line != want; {
		select {
		case line = <-x.lines:
		case <-ctx.Done():
			t.Fatalf("nothing is logged like %q", want)
		}
	}
}

// said hands on the messages of a log.
type said struct {
	slog.Handler
	lines chan string
}

func (s said) Enabled(context.Context, slog.Level) bool { return true }

func (s said) Handle(_ context.Context, r slog.Record) error {
	s.lines <- r.Message
	return nil
}

// newExtension installs an extension in a Chrome, and a tap that watches it. On a busy machine Chrome may start a worker
// that answers nobody, or have no port: then it is another Chrome.
func newExtension(t *testing.T, vendor http.HandlerFunc) *extension {
	t.Helper()
	for range 5 {
		if x := installed(t, vendor); x != nil {
			return x
		}
	}
	t.Fatal("five browsers have no extension whose worker answers")
	return nil
}

// installed is what newExtension makes; nil where it needs another Chrome.
func installed(t *testing.T, vendor http.HandlerFunc) *extension {
	t.Helper()
	chrome.Browser(t) // skips where there is none
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/extension"))) // Chrome writes into it
	ctx := chrometest.Context(t)
	port, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, port.Close())
	at := port.Addr().(*net.TCPAddr)
	profile, err := os.MkdirTemp("", "extension")
	require.NoError(t, err)
	_, err = browser.Detached{Port: at.Port, Profile: profile, Headless: true,
		Flags: append(chrometest.Flags(), "enable-unsafe-extension-debugging")}.Launch(ctx) // ours has no extensions
	if err != nil { // somebody has taken the port since
		t.Log(err)
		require.NoError(t, os.RemoveAll(profile))
		return nil
	}
	b, err := browser.Start(ctx, browser.Options{Attach: at.String()})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = browser.End(context.Background(), b.Endpoint()) // a test may have ended it
		require.NoError(t, b.Close())
		require.Eventually(t, func() bool { return os.RemoveAll(profile) == nil }, time.Minute, 100*time.Millisecond)
	})
	x := &extension{plain: chrometest.DialPlain(t, b), vendor: chrometest.Serve(t, vendor)}
	tab, err := b.OpenTab(ctx)
	require.NoError(t, err)
	x.page = chrometest.Load(t, tab, chrometest.Page(t, `<title>Shop</title><h1>Tea</h1><button>Put green tea into the basket</button>
<script>function own(at) { fetch(at, {method: "POST", body: '{"model":"own","messages":[]}'}) }</script>`))
	x.lines = make(chan string, 1000)
	log := slog.New(said{slog.DiscardHandler, x.lines})
	w := tap.Watch(b, nil, log)
	t.Cleanup(func() { w.Close(context.Background()) })
	require.NoError(t, w.Prepare(ctx))
	x.bench = newBenchAt(t, tap.Options{Watcher: w, Log: log}, x.vendor)
	var loaded struct {
		ID string `json:"id"`
	}
	require.NoError(t, x.plain.Call(ctx, "", "Extensions.loadUnpacked", map[string]any{"path": dir}, &loaded))
	x.waitFor(t, "an extension is listened to")
	// A worker that Chrome starts anew right after the installation answers nobody who was attached before.
	x.id = loaded.ID
	for range 3 {
		if x.attach(t, b, loaded.ID) {
			return x
		}
	}
	return nil
}

// targetInfo is a target of Chrome's.
type targetInfo struct {
	TargetID string `json:"targetId"`
	URL      string `json:"url"`
}

func (x *extension) targets(t *testing.T) []targetInfo {
	t.Helper()
	var all struct {
		TargetInfos []targetInfo `json:"targetInfos"`
	}
	require.NoError(t, x.plain.Call(chrometest.Context(t), "", "Target.getTargets", nil, &all))
	return all.TargetInfos
}

// attach attaches to the extension's worker, and reports whether it answers.
func (x *extension) attach(t *testing.T, b *browser.Browser, id string) bool {
	t.Helper()
	ctx := chrometest.Context(t)
	x.plain = chrometest.DialPlain(t, b)
	for _, info := range x.targets(t) {
		if !strings.HasPrefix(info.URL, "chrome-extension://"+id) {
			continue
		}
		var in struct {
			SessionID string `json:"sessionId"`
		}
		require.NoError(t, x.plain.Call(ctx, "", "Target.attachToTarget", // a worker has none of what Attach turns on
			map[string]any{"targetId": info.TargetID, "flatten": true}, &in))
		x.session = in.SessionID
		answered := make(chan bool, 1)
		go func(plain *chrometest.Plain) { // ends with the connection
			var out struct {
				Result struct {
					Value bool `json:"value"`
				} `json:"result"`
			}
			err := plain.Call(ctx, in.SessionID, "Runtime.evaluate", map[string]any{"awaitPromise": true, "expression": `new Promise(over => {
				const look = () => self.ready ? over(true) : setTimeout(look, 10); // its script runs still
				look();
			})`}, &out)
			answered <- err == nil && out.Result.Value
		}(x.plain)
		select {
		case ok := <-answered:
			return ok
		case <-time.After(5 * time.Second):
		}
	}
	return false
}

// ask has the worker ask its vendor at a path, and read the answer in pieces; it returns what it got.
func (x *extension) ask(t *testing.T, path, body string, before ...string) string {
	t.Helper()
	var got string
	require.NoError(t, x.plain.Eval(chrometest.Context(t), x.session, fmt.Sprintf(`(async () => {
		const gone = new AbortController();
		%s;
		try {
			const r = await fetch(%q, {method: "POST", signal: gone.signal, body: %q,
				headers: {"content-type": "application/json", authorization: "Bearer zq4711X8e3"}});
			let all = "";
			for (const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();;) {
				const {done, value} = await reader.read();
				if (done) return all;
				all += value;
				if (globalThis.enough && all.includes(enough)) gone.abort();
			}
		} catch (e) { return "" + e }
	})()`, strings.Join(before, ";"), x.vendor+path, body), &got))
	return got
}

// send has the worker ask its vendor, and waits for no answer.
func (x *extension) send(t *testing.T) {
	t.Helper()
	var got string
	require.NoError(t, x.plain.Eval(chrometest.Context(t), x.session, fmt.Sprintf(
		`fetch(%q, {method: "POST", body: '{"model":"m","messages":[]}'}).catch(() => {}), "sent"`, x.vendor+"/v1/messages"), &got))
}

// A request that an extension sends by itself is a turn like one that came through the tap: with its answer, whole or a
// stream, its page and its times, and without its key.
func TestRequestsOfAnExtension(t *testing.T) {
	t.Parallel()
	x := newExtension(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"stream":true`):
			w.Header().Set("Content-Type", "text/event-stream")
			for _, word := range []string{"Press", " the", " button"} {
				fmt.Fprintf(w, "data: {\"id\":\"c\",\"model\":\"gpt-x\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
				_ = http.NewResponseController(w).Flush()
			}
			if strings.Contains(string(body), "wait") {
				<-r.Context().Done()
				return
			}
			fmt.Fprint(w, "data: [DONE]\n\n")
		case strings.Contains(string(body), "moved") && strings.HasPrefix(r.URL.Path, "/v1/"):
			http.Redirect(w, r, "/v2/chat/completions", http.StatusTemporaryRedirect)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, chatAnswer)
		}
	})
	question := `{"model":"gpt-x","messages":[{"role":"user","content":"- heading \"Tea\" [ref=e1]\n- button \"Put green tea into the basket\" [ref=e2]"}]}`
	require.JSONEq(t, chatAnswer, x.ask(t, "/v1/chat/completions", question))
	got, rec := x.next(t)
	require.Equal(t, 200, got.e.Status)
	require.Empty(t, got.e.Error)
	require.Equal(t, "gpt-x", got.e.Model)
	require.Equal(t, "Done", got.e.Answer.Text)
	require.Equal(t, x.vendor+"/v1/chat/completions", got.e.URL)
	require.True(t, got.e.Pairing.Paired, got.e.Pairing.Sentence())
	require.Equal(t, "Shop", rec.Capture.Title)
	require.EqualValues(t, len(question), got.e.RequestBytes)
	require.EqualValues(t, len(chatAnswer), got.e.AnswerBytes)
	require.Equal(t, question, string(rec.Payloads[0].Bytes))

	stream := strings.Replace(question, `{`, `{"stream":true,`, 1)
	require.Contains(t, x.ask(t, "/v1/chat/completions", stream), "[DONE]")
	got, _ = x.next(t)
	require.Empty(t, got.e.Error)
	require.True(t, got.e.Stream)
	require.Equal(t, "Press the button", got.e.Answer.Text)

	require.Contains(t, x.ask(t, "/v1/chat/completions", strings.Replace(stream, "model", "wait\":1,\"model", 1), `globalThis.enough = "button"`), "AbortError")
	got, _ = x.next(t)
	require.Equal(t, "the agent broke off the answer", got.e.Error)

	require.JSONEq(t, chatAnswer, x.ask(t, "/v1/chat/completions", strings.Replace(question, "model", "moved\":1,\"model", 1), `globalThis.enough = ""`))
	got, _ = x.next(t)
	require.Equal(t, "Done", got.e.Answer.Text)

	// The key of the request's header is in no file, also where a message repeats it.
	require.JSONEq(t, chatAnswer, x.ask(t, "/v1/chat/completions", `{"model":"gpt-x","messages":[{"role":"user","content":"it is zq4711X8e3, ok?"}]}`))
	_, rec = x.next(t)
	require.Contains(t, string(rec.Payloads[0].Bytes), "it is ")
	require.NotContains(t, string(rec.Payloads[0].Bytes), "zq4711")

	// A picture makes a request large.
	large := strings.Replace(question, "model", "image\":\""+strings.Repeat("x", 3<<20)+"\",\"model", 1)
	require.JSONEq(t, chatAnswer, x.ask(t, "/v1/chat/completions", large))
	got, rec = x.next(t)
	require.EqualValues(t, len(large), got.e.RequestBytes)
	require.Equal(t, large, string(rec.Payloads[0].Bytes))

	// What asks no model is no turn, nor what goes to the tap, which refuses it.
	require.NotEmpty(t, x.ask(t, "/v1/models", "{}"))
	require.NotEmpty(t, x.ask(t, "/chat/messages", `{"to":"Ada","text":"Tea?"}`))
	x.vendor = x.url
	require.Contains(t, x.ask(t, "/openai/v1/chat/completions", question), "--allow-origin")
	x.vendor = "http://127.0.0.1:1"
	require.Contains(t, x.ask(t, "/v1/chat/completions", question), "Failed to fetch")
	got, rec = x.next(t)
	require.Contains(t, got.e.Error, "net::ERR_")
	require.Equal(t, 7, got.n)
	raw, err := json.Marshal(rec)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "zq4711")
	require.NoError(t, filepath.WalkDir(x.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), "zq4711", path)
		return err
	}))
}

// An extension gets its answer once the page of its request is captured, however soon the model answers: what it does
// then would be in the capture.
func TestAnswersOfAnExtensionWaitForThePage(t *testing.T) {
	t.Parallel()
	x := newExtension(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, chatAnswer)
	})
	_, err := x.page.Session().Eval(chrometest.Context(t), x.page.ID(), // so that it takes a while to be read
		`document.body.insertAdjacentHTML("beforeend", "<p>Tea <b>of</b> <i>today</i></p>".repeat(3000)); ""`)
	require.NoError(t, err)
	require.JSONEq(t, chatAnswer, x.ask(t, "/v1/chat/completions",
		`{"model":"gpt-x","messages":[{"role":"user","content":"- heading \"Tea\" [ref=e1]\n- button \"Put green tea into the basket\" [ref=e2]"}]}`))
	require.NoError(t, x.page.Navigate(chrometest.Context(t), chrometest.Page(t, "<title>Next</title>")))
	got, rec := x.next(t)
	require.True(t, got.e.Pairing.Paired, got.e.Pairing.Sentence())
	require.Equal(t, "Shop", rec.Capture.Title)
}

// A request that has no answer yet when the tap is closed is a turn that says so.
func TestRequestsOfAnExtensionThatAreNotAnswered(t *testing.T) {
	t.Parallel()
	asked, over := make(chan bool, 1), make(chan bool)
	x := newExtension(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		asked <- true
		<-over
	})
	defer close(over)
	x.send(t)
	x.waitFor(t, "an extension or a page asks a model") // the vendor may have it before Chrome tells of it
	<-asked
	require.NoError(t, x.tap.Close(chrometest.Context(t)))
	turn, _ := x.next(t)
	require.Equal(t, "no answer came: the tap ended before the answer did", turn.e.Error)
}

// One whose browser ends is such a turn too.
func TestRequestsOfAnExtensionWhoseBrowserEnds(t *testing.T) {
	t.Parallel()
	asked := make(chan bool, 1)
	x := newExtension(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		asked <- true
		<-r.Context().Done()
	})
	x.send(t)
	x.waitFor(t, "an extension or a page asks a model")
	<-asked
	require.NoError(t, x.plain.Call(chrometest.Context(t), "", "Browser.close", nil, nil))
	turn, _ := x.next(t)
	require.Equal(t, "no answer came: what asked ended, or its browser", turn.e.Error)
}

// The words of the tap's log about what it does not record.
const (
	tooEarly  = "an extension asked a model before it could be listened to: that request is not recorded"
	pageAsks  = "a page's own script asks a model by itself: that is not recorded; name the page's origin with --allow-origin"
	overWebRT = "an extension speaks to a model by WebRTC, of which Chrome tells nothing: what is said there is not recorded"
	strange   = "an extension has a WebSocket that is not recorded: its protocol is not known"
)

// turnOrLine waits for a turn, or for a line of the log.
func (x *extension) turnOrLine(t *testing.T, lines ...string) (r *recorded, line string) {
	t.Helper()
	ctx := chrometest.Context(t)
	for {
		select {
		case r := <-x.done:
			return &r, ""
		case line := <-x.lines:
			if slices.Contains(lines, line) {
				return nil, line
			}
		case <-ctx.Done():
			t.Fatalf("neither a turn nor one of %q", lines)
		}
	}
}

// waitForAny waits for a turn, or for a line of the log; it returns the turn's model, or the line.
func (x *extension) waitForAny(t *testing.T, lines ...string) string {
	t.Helper()
	r, line := x.turnOrLine(t, lines...)
	if r != nil {
		return r.e.Model
	}
	return line
}

// in attaches to the target whose address ends so, once it is there.
func (x *extension) in(t *testing.T, end string) string {
	t.Helper()
	ctx := chrometest.Context(t)
	var session string
	require.Eventually(t, func() bool {
		for _, info := range x.targets(t) {
			if strings.HasSuffix(info.URL, end) {
				var err error
				session, err = x.plain.Attach(ctx, info.TargetID)
				require.NoError(t, err)
				return true
			}
		}
		return false
	}, time.Minute, 20*time.Millisecond)
	return session
}

// run evaluates an expression in a session, as if a person had just clicked there.
func (x *extension) run(t *testing.T, session, expression string) {
	t.Helper()
	var out struct {
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	ctx, cancel := context.WithTimeout(chrometest.Context(t), time.Minute)
	defer cancel()
	require.NoError(t, x.plain.Call(ctx, session, "Runtime.evaluate", map[string]any{
		"expression": expression, "awaitPromise": true, "userGesture": true}, &out))
	require.Empty(t, string(out.Exception), expression)
}

// Every part of an extension may ask a model: its worker, its pages behind, at the side, over and in a tab, a frame or a
// script of it in somebody else's page, and their workers; by requests and by WebSockets. What is not recorded is said.
func TestRequestsOfEachPartOfAnExtension(t *testing.T) {
	testneed.Long(t, "each part of an extension")
	t.Parallel()
	x := newExtension(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "authorization,content-type")
		if r.Header.Get("Upgrade") != "" {
			conn, rw, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
				"Sec-WebSocket-Protocol: realtime\r\nSec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
			p := newPeer(conn, rw, false, false)
			answer("first", "second")(p)
			_, _ = io.Copy(io.Discard, p.in) // ends with the browser
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, chatAnswer)
	})
	page := x.in(t, "/") // the shop
	check := func(who string, r recorded) {
		t.Helper()
		rec, err := x.store.Load(t.Context(), r.n)
		require.NoError(t, err)
		require.Equal(t, who, r.e.Model)
		require.Equal(t, "Done", r.e.Answer.Text, who)
		require.Empty(t, r.e.Error, who)
		require.Equal(t, "Shop", rec.Capture.Title, who)
	}
	recorded := func(who string) {
		t.Helper()
		r, _ := x.next(t)
		check(who, r)
	}
	asks := func(session, who string) {
		t.Helper()
		for again := true; again; { // a slow machine may listen to it later than it says
			x.run(t, session, fmt.Sprintf(`(async () => {
				while (typeof ask != "function") await new Promise(over => setTimeout(over, 10)); // it loads still
				await ask(%q, %q);
			})()`, x.vendor, who))
			r, _ := x.turnOrLine(t, tooEarly)
			if again = r == nil; !again {
				check(who, *r)
			}
		}
	}
	asks(x.session, "worker")

	// A page of it behind, over, at the side, and in a tab.
	x.run(t, x.session, `chrome.offscreen.createDocument({url: "page.html?behind", reasons: ["DOM_PARSER"], justification: "test"})`)
	behind := x.in(t, "?behind")
	x.waitFor(t, "an extension is listened to")
	asks(behind, "page behind")
	x.run(t, behind, fmt.Sprintf("void new Worker('task.js?early=task&vendor=' + encodeURIComponent(%q))", x.vendor))
	recorded("task")
	x.run(t, x.session, `chrome.windows.getLastFocused().then(w => chrome.action.openPopup({windowId: w.id}))`)
	popup := x.in(t, "?popup")
	x.waitFor(t, "an extension is listened to")
	asks(popup, "popup")
	x.run(t, popup, `void chrome.windows.getLastFocused().then(w => chrome.sidePanel.open({windowId: w.id}))`)
	side := x.in(t, "?side")
	x.waitFor(t, "an extension is listened to")
	asks(side, "side panel")
	x.run(t, x.session, fmt.Sprintf("chrome.tabs.create({active: false, url: 'page.html?early=tab&vendor=' + encodeURIComponent(%q)})", x.vendor))
	require.Contains(t, []string{"tab", tooEarly}, x.waitForAny(t, tooEarly))

	// In a page of somebody else: what that page asks by itself is not the extension's.
	info, err := x.page.Info(chrometest.Context(t))
	require.NoError(t, err)
	chrometest.Load(t, x.page, info.URL) // it is older than the extension, which is in later pages
	x.run(t, page, `new Promise(there => {
		const look = () => document.documentElement?.dataset.agent ? there() : setTimeout(look, 10);
		look();
	})`)
	x.run(t, page, fmt.Sprintf("postMessage({ask: 'script', vendor: %q})", x.vendor))
	recorded("script")
	x.run(t, page, fmt.Sprintf("postMessage({frame: 'frame', vendor: %q})", x.vendor))
	recorded("frame")
	x.run(t, x.session, fmt.Sprintf(`chrome.tabs.query({title: "Shop"}).then(t => chrome.scripting.executeScript({target: {tabId: t[0].id},
		func: vendor => ask(vendor, "function"), args: [%q]}))`, x.vendor))
	recorded("function")
	x.run(t, page, fmt.Sprintf("own(%q)", x.vendor+"/v1/chat/completions"))
	require.Equal(t, pageAsks, x.waitForAny(t, pageAsks))

	// Two requests over a WebSocket are two turns.
	socket := "ws" + strings.TrimPrefix(x.vendor, "http")
	x.run(t, x.session, fmt.Sprintf(`new Promise((over, fail) => {
		const s = new WebSocket(%q, ["realtime", "openai-insecure-api-key.zq4711W8e3"]);
		let answers = 0;
		s.onopen = () => s.send(%q);
		s.onclose = e => fail(new Error("closed, " + e.code + " " + answers));
		s.onmessage = m => {
			if (!m.data.includes("response.completed")) return;
			if (++answers == 2) return over();
			s.send(%q);
		};
	})`, socket+"/v1/realtime?model=gpt-x&api_key=zq4711U8e3", socketAsk, socketAgain))
	for _, text := range []string{"first", "second"} {
		r, rec := x.next(t)
		require.Equal(t, text, r.e.Answer.Text)
		require.Empty(t, r.e.Error)
		require.Contains(t, string(rec.Payloads[0].Bytes), "response.create")
	}
	x.run(t, x.session, fmt.Sprintf("void new WebSocket(%q)", socket+"/v1/other"))
	require.Equal(t, strange, x.waitForAny(t, strange))
	x.run(t, x.session, fmt.Sprintf(`void fetch(%q, {method: "POST", body: "v=0"})`, x.vendor+"/v1/realtime/calls"))
	require.Equal(t, overWebRT, x.waitForAny(t, overWebRT))

	require.NoError(t, filepath.WalkDir(x.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), "zq4711", path)
		return err
	}))
}
