package tap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/profiles"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// What a profile withholds on a page is withheld in the requests and answers too: in each spelling, in the request
// about the page and in those after it, whichever page they are about.
func TestWhatAProfileWithholdsIsInNoRequest(t *testing.T) {
	ctx := chrometest.Context(t)
	own, err := browser.Start(ctx, browser.Options{Attach: chrome.Browser(t).Endpoint()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close()) })
	store := profiles.Open(t.TempDir(), "")
	_, err = store.Save(ctx, "127.0.0.1", `---
redact:
  - selector: "#order"
  - selector: .mail
  - selector: "#cid"
  - selector: "#owner"
  - selector: "#parts"
  - selector: "#field"
  - selector: "#tag"
  - pattern: ACME-(\d{8})
---
`, "")
	require.NoError(t, err)
	watcher := tap.Watch(own, store, nil)
	t.Cleanup(func() { watcher.Close(context.Background()) })

	canaries := map[string]string{
		"order": "AB-12345-ZZ", "mail": "ada.lovelace@home.example", "cid": "90817", "owner": "Jürgen Ødegård", "parts": "QX-77-4410",
		"field": "blue heron 9", "pattern": "55443322", "attribute": "Tier/Gold&7",
	}
	const vague = "red"
	page := chrometest.Page(t, fmt.Sprintf(`<!doctype html><meta charset=utf-8><title>Orders of the shop</title><h1>Orders of the shop</h1>
<p>Your order <b id=order>%s</b> is on its way to you</p><p class=mail>%s</p><p>Customer <span id=cid>%s</span></p>
<p id=owner>%s</p><p id=parts><i>QX-</i><i>77-</i><i>4410</i></p><input id=field aria-label=Note value="%s">
<a id=tag href="/x" aria-label="%s">tag</a><p>Invoice ACME-%s of May</p><p class=mail>%s</p><button>Pay the open invoice</button>`,
		canaries["order"], canaries["mail"], canaries["cid"], canaries["owner"], canaries["field"],
		html.EscapeString(canaries["attribute"]), canaries["pattern"], vague))
	other := chrometest.Page(t, `<title>Imprint</title><h1>Imprint of somebody else</h1><p>Nothing of a shop is in here.`)
	var said string
	b := newBench(t, tap.Options{Watcher: watcher}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answer, err := json.Marshal("I read " + said)
		require.NoError(t, err)
		_, _ = fmt.Fprintf(w, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s,"tool_calls":[{"id":"c","type":"function",`+
			`"function":{"name":"note","arguments":%q}}]}}]}`, answer, `{"text":`+string(answer)+`}`)
	}))
	spelled := map[string]func(string) string{
		"plain": func(s string) string { return s }, "query": url.QueryEscape, "path": url.PathEscape, "html": html.EscapeString,
		"json": func(s string) string { b, _ := json.Marshal(s); return string(b) },
		"json in json": func(s string) string {
			b, _ := json.Marshal(s)
			b, _ = json.Marshal(string(b))
			return string(b)
		},
		"markup": func(s string) string { return "<b>" + s[:2] + "</b>" + s[2:] },
	}
	tab := chrome.Open(t, page)
	ask := func(begin string) (recorded, []string) {
		var words []string
		for name, spell := range spelled {
			for _, c := range canaries {
				if name != "markup" || len(c) > 6 && !strings.HasPrefix(c, "J") {
					words = append(words, spell(c))
				}
			}
		}
		said = strings.Join(words, "\n")
		body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
			map[string]any{"role": "user", "content": begin + "\n" + said + "\nthe colour is " + vague}}})
		require.NoError(t, err)
		resp, err := http.Post(b.url+"/openai/v1/chat/completions?about="+url.QueryEscape(canaries["owner"]), "application/json", bytes.NewReader(body))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		r, rec := b.next(t)
		for _, p := range rec.Payloads {
			require.NotEmpty(t, p.Redacted, p.Way)
			require.True(t, json.Valid(p.Bytes), "%s", p.Bytes)
		}
		require.Contains(t, string(rec.Payloads[0].Bytes), "the colour is red", "too short to be looked for")
		return r, rec.Lacks
	}
	shop := "# Orders of the shop\nYour order is on its way to you\nPay the open invoice\nPage URL: "
	r, lacks := ask(shop + page)
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	first, err := b.store.Load(ctx, r.n)
	require.NoError(t, err)
	require.NotNil(t, first.Profile, "which profile applied")
	require.Equal(t, "127.0.0.1", first.Profile.Name)
	require.Contains(t, strings.Join(lacks, "\n"), "4 texts that the site's profile withholds are too short or too common")
	require.NoError(t, tab.Navigate(ctx, other))
	r, _ = ask("# Imprint of somebody else\nNothing of a shop is in here.\nPage URL: " + other)
	require.True(t, r.e.Pairing.Paired, "%+v", r.e.Pairing)
	_, _ = ask("What was it?")

	// The bare letters of each secret are nowhere in what was kept, in no spelling.
	files := 0
	require.NoError(t, filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		files++
		for what, c := range canaries {
			for how, spell := range spelled {
				require.NotContains(t, string(raw), spell(c), "%s, %s in %s", what, how, name)
			}
		}
		return err
	}))
	require.Greater(t, files, 3)
}

// What a model types into a field for a secret is kept nowhere: not in its answer, which comes in pieces and before any
// page holds it, and not in the requests after it, which are about no page that is known.
func TestTypedSecretsAreInNoTurn(t *testing.T) {
	const listed = `"- textbox \"User\" [ref=e16]\n- textbox \"Password\" [ref=e18]\n- textbox \"Note\" [ref=e19]"`
	for name, c := range map[string]struct{ call, words string }{
		"by the line":       {`{"ref":"e18","text":"blue-heron`, `-Nine"}`},
		"by its own words":  {`{"element":"Password of the account","ref":"e99","text":"blue-heron`, `-Nine"}`},
		"by its selector":   {`{"selector":"#new-password","text":"blue-heron`, `-Nine"}`},
		"in a form":         {`{"fields":[{"ref":"e16","value":"Ada"},{"ref":"e18","value":"blue-heron`, `-Nine"}]}`},
		"with its sentence": {`{"elementId":"e98","method":"fill","description":"the password","arguments":["blue-heron`, `-Nine"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			piece := func(s string) string {
				quoted, err := json.Marshal(s)
				require.NoError(t, err)
				return `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c2","function":{"name":"browser_type","arguments":` +
					string(quoted) + `}}]}}]}` + "\n\n"
			}
			stream := strings.Replace(piece(c.call), `"function"`, `"type":"function","function"`, 1) +
				strings.Replace(piece(c.words), `"name":"browser_type",`, "", 1) + "data: [DONE]\n\n"
			b := newBench(t, tap.Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, stream)
			}))
			quoted, err := json.Marshal(c.call + c.words)
			require.NoError(t, err)
			first := `{"role":"user","content":"Go on"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"browser_snapshot","arguments":"{}"}}]},
				{"role":"tool","tool_call_id":"c1","content":` + listed + `}`
			for _, messages := range []string{first, first + `,{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"browser_type","arguments":` +
				string(quoted) + `}}]},{"role":"tool","tool_call_id":"c2","content":"Typed blue-heron-Nine"}`} {
				resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json",
					strings.NewReader(`{"model":"m","stream":true,"messages":[`+messages+`]}`))
				require.NoError(t, err)
				got, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, stream, string(got))
				_, rec := b.next(t)
				kept := rec.Action + string(rec.Exchange)
				for _, p := range rec.Payloads {
					kept += string(p.Bytes)
				}
				require.NotContains(t, kept, "heron")
				require.NotContains(t, kept, "Nine")
				require.Contains(t, kept, "[redacted: ")
			}
		})
	}
}

// What is typed where the focus is, as a model does that sees a picture, is a secret where that is a secret's field; so
// is what goes into the element of a page, and nothing else is.
func TestTyped(t *testing.T) {
	page := func(focused int) tap.Page {
		c := &snapshot.Capture{Schema: snapshot.Schema, Nodes: []snapshot.Node{
			{I: 0, Parent: -1, Tag: "input", Attrs: map[string]string{"data-id": "n1"}, Name: "User", Visible: true},
			{I: 1, Parent: -1, Tag: "input", Attrs: map[string]string{"type": "password", "data-id": "field-0123456789a3"}, Visible: true},
			{I: 2, Parent: -1, Tag: "input", Attrs: map[string]string{"autocomplete": "one-time-code", "data-id": "field-0123456789a4"}, Visible: true}}}
		if focused >= 0 {
			c.Nodes[focused].States = snapshot.States{"focused": true}
		}
		c.Viewport = snapshot.Viewport{Width: 1000, Height: 500, Scale: 2}
		c.Nodes[1].Box, c.Nodes[1].InViewport = snapshot.Box{100, 100, 80, 20}, true
		return tap.Page{Capture: c}
	}
	for _, c := range []struct {
		name, arguments string
		focused         int
		want            string
	}{
		{"computer", `{"type":"type","text":"blue-heron"}`, 1, "password"},
		{"computer", `{"action":"type","text":"blue-heron"}`, 2, "one-time code"},
		{"computer", `{"action":"type","text":"blue-heron"}`, 0, ""},
		{"puppeteer_fill", `{"selector":"input[data-id='field-0123456789a3']","value":"blue-heron"}`, -1, "password"},
		{"puppeteer_fill", `{"selector":"input[data-id='n1']","value":"blue-heron"}`, 1, ""},
		{"Input", `{"value":"blue-heron","locate":{"bbox":[120,210,160,230]}}`, -1, ""},
		{"type_text_at", `{"x":120,"y":110,"text":"blue-heron"}`, -1, "password"},
		{"type_text_at", `{"x":240,"y":220,"text":"blue-heron"}`, -1, "password"},
		{"type_text_at", `{"x":400,"y":400,"text":"blue-heron"}`, 1, ""},
		{"computer", `{"action":"key","text":"blue-heron"}`, 1, ""},
		{"input_text", `{"id":"field-0123456789a3","text":"blue-heron"}`, -1, "password"},
		{"input_text", `{"id":"field-0123456789a4","text":"blue-heron"}`, 1, "one-time code"},
		{"input_text", `{"id":"field-0123456789a9","text":"blue-heron"}`, -1, ""},
	} {
		a := &wire.Answer{Calls: []wire.ToolCall{{Name: c.name, Arguments: json.RawMessage(c.arguments)}}}
		got := ""
		for _, s := range tap.Typed(nil, a, nil, []tap.Page{page(c.focused)}) {
			require.Equal(t, "blue-heron", s.Value)
			got = s.Why
		}
		require.Equal(t, c.want, got, "%s with the focus on %d", c.arguments, c.focused)
	}
	var sent bytes.Buffer
	require.NoError(t, png.Encode(&sent, image.NewRGBA(image.Rect(0, 0, 250, 125))))
	asked := &wire.Request{Messages: []wire.Message{{Role: "user", Parts: []wire.Part{{Kind: wire.Image, Data: sent.Bytes()}}}}}
	a := &wire.Answer{Calls: []wire.ToolCall{{Name: "type_at", Arguments: json.RawMessage(`{"x":35,"y":27,"text":"blue-heron"}`)}}}
	require.Len(t, tap.Typed(asked, a, nil, []tap.Page{page(-1)}), 1, "px of a picture that was made smaller")
}

// What is typed is a secret by the pages that are open, also where it is not known which of them the request is about.
func TestTypedOnAPageThatIsNotPaired(t *testing.T) {
	ctx := chrometest.Context(t)
	_, b := watchedBefore(ctx, t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"choices":[{"index":0,"message":{"tool_calls":[{"id":"c","function":{"name":"computer",`+
			`"arguments":"{\"action\":\"type\",\"text\":\"blue-heron-Nine\"}"}}]}}]}`)
	})
	tab := chrome.Open(t, chrometest.Page(t, `<title>Shop</title><h1>Sign in to the shop</h1><input type=password>`))
	_, err := tab.Session().Eval(ctx, tab.ID(), `document.querySelector("input").focus()`)
	require.NoError(t, err)
	resp, err := http.Post(b.url+"/openai/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"Go on."}]}`))
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	r, rec := b.next(t)
	require.False(t, r.e.Pairing.Paired)
	require.NotContains(t, string(rec.Payloads[1].Bytes)+string(rec.Exchange)+rec.Action, "heron")
}
