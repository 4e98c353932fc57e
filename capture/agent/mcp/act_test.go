package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// outcome is what tests read of an action's result.
type outcome struct {
	Status, Tab, URL, Error, Subtype, Note string
	Navigated                              bool
	Output                                 struct {
		ReResolved bool
		Substitute *struct{ Was, Now string }
		Selected   []string
	}
	Ref *struct {
		Ref            string
		LastSeenInTurn int
		Gone           bool
		Candidates     []struct {
			Ref, Role, Name string
		}
	}
	Context      *struct{ VisibleErrors []string }
	Verified     any
	Verification struct {
		Passed  bool     `json:"verification_passed"`
		Message string   `json:"verification_message"`
		Errors  []string `json:"errors_detected"`
	}
	Dialog  *struct{ Type, Message string }
	Dialogs []struct{ Type string }
	Changes *struct{ Summary string }
}

// act calls a tool and reads its report.
func act(t testing.TB, c *sdk.ClientSession, name string, args map[string]any) (o outcome, bad bool) {
	t.Helper()
	text, bad := call(t, c, name, args)
	line, _, _ := strings.Cut(text, "\n")
	require.NoError(t, json.Unmarshal([]byte(line), &o), text)
	return o, bad
}

// Refs: an element that is gone is replaced only by its like; everything else is refused
// with what may be meant (W-6, S-12).
func TestRefs(t *testing.T) {
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Refs</title>
<div id=a><button onclick="log('save')">Save</button></div><div id=b><button class=one onclick="log('delete')">Delete</button></div>
<button id=cover disabled>Never</button><p id=log></p>
<button onclick="a.innerHTML='<button onclick=&quot;log(\'new save\')&quot;>Save</button>'">Renew</button>
<button onclick="b.innerHTML='<button>Delete</button><button class=one onclick=&quot;log(\'deleted all\')&quot;>Delete</button>'">Double</button>
<button onclick="b.innerHTML='<button class=one onclick=&quot;log(\'other\')&quot;>Delete account</button>'">Rename</button>
<a href="/next">Next</a> <a id=hides href="#x">Hides</a> <a href="#y" onclick="hides.hidden = true">Hide</a> <output>82 °C</output>
<script>function log(s) { document.getElementById('log').textContent = s }</script>`))
	}))
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "refs" })
	c := r.stdio(nil)
	page := done(t, c, "browse_navigate", map[string]any{"url": site})
	save, del := refIn(t, page, `"Save"`), refIn(t, page, `"Delete"`)
	said := func() string {
		return done(t, c, "run_steps", map[string]any{"steps": []any{map[string]any{"query": "#log"}}})
	}
	press := func(name string) { done(t, c, "browse_click", map[string]any{"ref": refIn(t, page, `"`+name+`"`)}) }

	press("Renew")
	o, bad := act(t, c, "browse_click", map[string]any{"ref": save})
	require.False(t, bad, o)
	require.True(t, o.Output.ReResolved)
	require.Equal(t, "new save", wordIn(said()))

	press("Double")
	o, bad = act(t, c, "browse_click", map[string]any{"ref": del})
	require.True(t, bad)
	require.True(t, o.Ref.Gone)
	require.NotZero(t, o.Ref.LastSeenInTurn)
	require.Len(t, o.Ref.Candidates, 2)
	require.Equal(t, "Delete", o.Ref.Candidates[0].Name)
	require.Equal(t, "new save", wordIn(said()), "none of the two was clicked")
	// The selector matches one of them, with the same role and name.
	o, bad = act(t, c, "browse_click", map[string]any{"ref": del, "selector": "#b .one"})
	require.False(t, bad, o)
	require.NotNil(t, o.Output.Substitute)
	require.Equal(t, "deleted all", wordIn(said()))

	page = done(t, c, "browse_snapshot", nil)
	gone := refIn(t, page, `"Delete"`)
	press("Rename")
	o, bad = act(t, c, "browse_click", map[string]any{"ref": gone, "selector": "#b .one"})
	require.True(t, bad)
	require.Contains(t, o.Error, `button "Delete account", and it was button "Delete"`)
	require.Equal(t, "Delete account", o.Ref.Candidates[0].Name)
	o, bad = act(t, c, "browse_click", map[string]any{"selector": "button"})
	require.True(t, bad)
	require.Contains(t, o.Error, "matches 6 elements")
	o, bad = act(t, c, "browse_click", map[string]any{"selector": "#cover"})
	require.True(t, bad)
	require.Contains(t, o.Error, "disabled")
	require.Equal(t, "deleted all", wordIn(said()))

	// One that is hidden is not gone; nothing of the page is an error but what says so in its markup.
	hides := refIn(t, page, `"Hides"`)
	o, bad = act(t, c, "browse_select", map[string]any{"ref": hides, "value": "x"})
	require.True(t, bad)
	require.Contains(t, o.Error, "the element cannot be chosen from: it is <a>, no <select>")
	require.Nil(t, o.Context, "an output is no error")
	press("Hide")
	o, bad = act(t, c, "browse_click", map[string]any{"ref": hides})
	require.True(t, bad)
	require.Contains(t, o.Error, "it is not visible (display: none)")
	require.False(t, o.Ref.Gone)
	require.Empty(t, o.Ref.Candidates)

	old := refIn(t, page, `"Save"`)
	o, bad = act(t, c, "browse_click", map[string]any{"ref": refIn(t, page, `"Next"`)})
	require.False(t, bad)
	require.True(t, o.Navigated)
	o, bad = act(t, c, "browse_click", map[string]any{"ref": old})
	require.True(t, bad)
	require.Equal(t, "StaleElementError", o.Subtype)
	require.Contains(t, o.Error, "belongs to a document that the page has left")
	require.Equal(t, "Save", o.Ref.Candidates[0].Name, "the same button of the new document is offered, and not clicked")
	require.NotEqual(t, old, o.Ref.Candidates[0].Ref)
	require.Equal(t, "", wordIn(said()))
	o, bad = act(t, c, "browse_click", map[string]any{"ref": 9999})
	require.True(t, bad)
	require.Contains(t, o.Error, "the highest of this session is")
	r.checkWire(t, "refs")
}

// wordIn is the text of the one element that a query found.
func wordIn(answer string) string {
	var a struct {
		Steps []struct {
			Output struct{ Results []struct{ Value string } }
		}
	}
	if json.Unmarshal([]byte(answer), &a) != nil || len(a.Steps) == 0 || len(a.Steps[0].Output.Results) == 0 {
		return answer
	}
	return a.Steps[0].Output.Results[0].Value
}

// A dialog that asks stays open where nobody chose what becomes of it, whatever the tool and however late it opens; one
// that tells is closed.
func TestADialogThatAsksStaysOpen(t *testing.T) {
	testneed.Long(t, "dialogs of every kind")
	site := chrometest.Page(t, `<!doctype html><title>Ask</title><p id=out role=status>ready</p>
<button onclick="out.textContent='got '+confirm('Delete?')">Confirm</button><button onclick="out.textContent='got '+prompt('Name?','Bo')">Prompt</button>
<button onclick="alert('Saved');out.textContent='got told'">Alert</button><button onclick="setTimeout(()=>out.textContent='got '+confirm('Later?'),700)">Late</button>
<label>Field <input onchange="out.textContent='got '+confirm('Changed?')"></label>`)
	c := newRig(t, true, nil).stdio(nil)
	for _, x := range []struct {
		name, tool, on string
		args           map[string]any
		kind, message  string
		answer         map[string]any
		want           string
	}{
		{"confirm", "browse_click", "Confirm", nil, "confirm", "Delete?", map[string]any{"accept": true}, "got true"},
		{"cancelled", "browse_click", "Confirm", nil, "confirm", "Delete?", map[string]any{"accept": false}, "got false"},
		{"prompt", "browse_click", "Prompt", nil, "prompt", "Name?", map[string]any{"accept": true, "prompt_text": "Ada"}, "got Ada"},
		{"its own text", "browse_click", "Prompt", nil, "prompt", "Name?", map[string]any{"accept": true}, "got Bo"},
		{"field", "browse_fill", "Field", map[string]any{"value": "x"}, "confirm", "Changed?", map[string]any{"accept": true}, "got true"},
		{"batch", "run_steps", "Confirm", nil, "confirm", "Delete?", map[string]any{"accept": true}, "got true"},
		{"alert", "browse_click", "Alert", nil, "", "", nil, "got told"},
		{"late", "browse_click", "Late", nil, "", "", map[string]any{"accept": true}, "got true"},
	} {
		t.Run(x.name, func(t *testing.T) {
			ref := refIn(t, done(t, c, "browse_navigate", map[string]any{"url": site}), x.on)
			args := map[string]any{"ref": ref}
			if x.tool == "run_steps" {
				args = map[string]any{"steps": []any{map[string]any{"click": ref}}}
			}
			maps.Copy(args, x.args)
			o, bad := act(t, c, x.tool, args)
			require.False(t, bad, o)
			if x.kind != "" {
				require.NotNil(t, o.Dialog, o)
				require.Equal(t, x.kind+" "+x.message, o.Dialog.Type+" "+o.Dialog.Message)
			}
			for x.name == "late" && o.Dialog == nil && t.Context().Err() == nil { // whoever comes next is told
				o, _ = act(t, c, "browse_hover", map[string]any{"ref": ref})
			}
			if x.answer != nil {
				done(t, c, "browse_dialog", x.answer)
			}
			require.Contains(t, done(t, c, "browse_wait", map[string]any{"text": x.want, "snapshot": true}), x.want)
		})
	}
}

// Dialogs, tabs, pictures, formats, keys and resources.
func TestTheOtherTools(t *testing.T) {
	var visits atomic.Int32
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		visits.Add(1)
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Tools ` + strings.Trim(q.URL.Path, "/") + `</title><h1>Tools</h1>
<button onclick="this.textContent = prompt('Your name?') ?? 'none'">Ask</button><input aria-label=Note><input type=password aria-label=Secret value=hunter22>
<select aria-label=Size><option value=s>Small<option value=l>Large</select><div style="height:3000px"></div><button id=low>Low</button><a href=/two>Two</a>`))
	}))
	updated := make(chan string, 100)
	r := newRig(t, true, func(o *mcp.Options) { o.Session = "tools" })
	c := r.stdio(&sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, q *sdk.ResourceUpdatedNotificationRequest) { updated <- q.Params.URI }})
	require.NoError(t, c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "refscope://session/turns"}))
	_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://page/dump"})
	require.ErrorContains(t, err, "call browse_navigate first")
	page := done(t, c, "browse_navigate", map[string]any{"url": site + "one"})
	select {
	case uri := <-updated:
		require.Equal(t, "refscope://session/turns", uri)
	case <-time.After(time.Minute):
		t.Fatal("no notice of the turn")
	}

	o, bad := act(t, c, "browse_click", map[string]any{"ref": refIn(t, page, "Ask")})
	require.False(t, bad, o)
	require.Equal(t, "prompt", o.Dialog.Type)
	text := done(t, c, "browse_dialog", map[string]any{"accept": true, "prompt_text": "Ada", "snapshot": true})
	require.Contains(t, text, `[button]     "Ada"`)

	o, bad = act(t, c, "browse_type", map[string]any{"ref": refIn(t, page, "Note"), "text": "hello"})
	require.False(t, bad, o)
	require.NotNil(t, o.Verified, o)
	o, bad = act(t, c, "browse_press", map[string]any{"key": "Control+a"})
	require.False(t, bad, o)
	o, bad = act(t, c, "browse_select", map[string]any{"ref": refIn(t, page, "Size"), "value": "Large"})
	require.False(t, bad, o)
	require.Equal(t, []string{"l"}, o.Output.Selected)
	done(t, c, "browse_scroll", map[string]any{"to": "bottom"})
	text = done(t, c, "browse_snapshot", map[string]any{"format": "aria", "detail": "interactive"})
	require.Contains(t, text, `button "Low"`)
	text = done(t, c, "browse_snapshot", map[string]any{"format": "aria", "root": "select"})
	require.Contains(t, text, `combobox "Size"`)
	require.NotContains(t, text, "Low")
	text, bad = call(t, c, "browse_snapshot", map[string]any{"format": "aria", "root": "#none"})
	require.True(t, bad)
	require.Contains(t, text, `root "#none": nothing on the page matches it`)
	text = done(t, c, "browse_snapshot", map[string]any{"format": "dddk", "max_chars": 150})
	require.Contains(t, text, "truncated")
	require.NotContains(t, text, "Low")

	res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "browse_screenshot", Arguments: map[string]any{"model": "gpt-4o"}})
	require.NoError(t, err)
	require.Len(t, res.Content, 2)
	img := res.Content[1].(*sdk.ImageContent)
	require.Equal(t, "image/png", img.MIMEType)
	cfg, err := png.DecodeConfig(bytes.NewReader(img.Data))
	require.NoError(t, err)
	if dir := os.Getenv("REFSCOPE_OUT"); dir != "" {
		require.NoError(t, os.WriteFile(dir+"/mcp.png", img.Data, 0o600))
	}
	t.Log("picture", cfg.Width, cfg.Height, res.Content[0].(*sdk.TextContent).Text)

	// A second tab, its going back, and its end.
	text = done(t, c, "browse_navigate", map[string]any{"url": site + "two", "new_tab": true, "snapshot": false})
	require.Contains(t, text, `"tab":"t2"`)
	done(t, c, "browse_navigate", map[string]any{"url": site + "three"})
	text = done(t, c, "browse_back", nil)
	require.Contains(t, text, "/two")
	text = done(t, c, "browse_tabs", map[string]any{"action": "list"})
	require.Contains(t, text, `"tab":"t1"`)
	done(t, c, "browse_tabs", map[string]any{"action": "close"})
	text = done(t, c, "browse_snapshot", nil)
	require.Contains(t, text, "Tools one")
	for _, gone := range []string{"t2", strings.Repeat("AB", 16)} { // this door's own way, not the steps'
		text, bad = call(t, c, "browse_tabs", map[string]any{"action": "select", "tab": gone})
		require.True(t, bad)
		require.Contains(t, text, ": browse_tabs with the action list lists the tabs")
		require.NotContains(t, text, "listTabs")
	}
	done(t, c, "browse_tabs", map[string]any{"action": "select", "tab": "t1"})
	done(t, c, "browse_wait", map[string]any{"selector": "#low"})
	text, bad = call(t, c, "browse_wait", map[string]any{"text": "never", "timeout_ms": 300})
	require.True(t, bad)
	require.Contains(t, text, `the text \"never\" could not be read within `)
	require.Contains(t, text, ` ms; timeout_ms allows more`, "the tool's own parameter, not the steps'")
	text = done(t, c, "run_steps", map[string]any{"steps": []any{map[string]any{"fill": map[string]any{"selector": "[type=password]", "value": "correct horse"}}, map[string]any{"assert": map[string]any{"url": map[string]any{"contains": "/one"}}}}})
	require.Contains(t, text, `"verification":{"expected"`)
	require.NotContains(t, text, "horse")
	done(t, c, "profile_write", map[string]any{"domain": "shop.example", "content": "# shop.example\n\n## Quirks\n- slow\n"})
	text = done(t, c, "profile_read", map[string]any{"domain": "shop.example"})
	require.Contains(t, text, "- slow")

	list, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://session/turns"})
	require.NoError(t, err)
	var turns struct {
		Turns []struct {
			N     int
			Parts []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(list.Contents[0].Text), &turns))
	kept := r.turns("tools")
	require.Len(t, turns.Turns, len(kept))
	require.Equal(t, []string{"dump", "capture", "picture", "call", "result", "sent", "told", "doctor"}, turns.Turns[0].Parts)
	got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://session/turns/1/result"})
	require.NoError(t, err)
	require.Equal(t, string(kept[0].Payloads[1].Bytes), got.Contents[0].Text)
	for i, turn := range turns.Turns {
		for _, part := range turn.Parts {
			if part == "sent" || part == "told" { // only where the result lists a page
				continue
			}
			got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: fmt.Sprintf("refscope://session/turns/%d/%s", turn.N, part)})
			require.NoError(t, err, "turn %d: %s", i+1, part)
			require.True(t, got.Contents[0].Text != "" || len(got.Contents[0].Blob) > 0)
		}
	}
	got, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://page/dump"})
	require.NoError(t, err)
	require.Contains(t, got.Contents[0].Text, "Page: ")
	got, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://page/capture"})
	require.NoError(t, err)
	require.Contains(t, got.Contents[0].Text, `"schema":"refscope.capture/1"`)
	require.NotContains(t, got.Contents[0].Text, "hunter22")
	for _, uri := range []string{"refscope://session/turns/1/../x", "refscope://session/turns/0/dump", "refscope://session/turns/1/lock", "refscope://session/turns/99/dump"} {
		_, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		require.Error(t, err, uri)
	}
	r.checkWire(t, "tools")
	r.checkDoctor(t, c, "tools")
	for _, rec := range kept {
		for _, p := range rec.Payloads {
			require.NotContains(t, string(p.Bytes), "horse")
			require.NotContains(t, string(p.Bytes), "hunter22")
		}
	}
	require.Equal(t, turn.Request, kept[0].Payloads[0].Way)
}

// What is allowed to the agent is allowed to nobody else (B-11).
func TestAllowSecrets(t *testing.T) {
	site := chrometest.Page(t, `<!doctype html><title>S</title><input type=password aria-label=Secret value=hunter22>`)
	r := newRig(t, true, func(o *mcp.Options) { o.Session, o.AllowSecrets = "s", true })
	c := r.stdio(nil)
	require.Contains(t, done(t, c, "browse_navigate", map[string]any{"url": site}), "hunter22")
	rec := r.turns("s")[0]
	require.NotContains(t, string(rec.Payloads[1].Bytes), "hunter22")
	require.NotEmpty(t, rec.Payloads[1].Redacted)
}

// checkDoctor adds a request to a model to the session, as a tap does, and reads what the doctor
// finds in it; a turn without one has no such resource.
func (r *rig) checkDoctor(t *testing.T, c *sdk.ClientSession, name string) {
	t.Helper()
	r.server.Written()
	s, err := turn.Open(turn.Dir(turn.SessionDir(r.home, name)))
	require.NoError(t, err)
	defer s.Close()
	first, err := s.Load(t.Context(), 1)
	require.NoError(t, err)
	rec, err := s.Append(t.Context(), func(*turn.Ledger) (*turn.Record, error) {
		return &turn.Record{Capture: first.Capture, Picture: first.Picture, Action: "ask", Payloads: []turn.Payload{
			{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: []byte(`{"model":"m","messages":[` +
				`{"role":"user","content":"Look at the attached screenshot."}]}`)}}}, nil
	})
	require.NoError(t, err)
	uri := fmt.Sprintf("refscope://session/turns/%d/doctor", rec.N)
	got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
	require.NoError(t, err)
	var report doctor.Report
	require.NoError(t, json.Unmarshal([]byte(got.Contents[0].Text), &report))
	require.Equal(t, doctor.Schema, report.Schema)
	require.Equal(t, "messages[0]", report.Sections[0].Name)
	require.Equal(t, doctor.PictureMissing, report.Findings[0].Rule)
	require.Equal(t, "application/json", got.Contents[0].MIMEType)
	_, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: strings.Replace(uri, "doctor", "sent", 1)})
	require.ErrorContains(t, err, "lists no elements of a page")
	_, err = c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://sessions"})
	require.ErrorContains(t, err, "not found", "recorded sessions are read only where the person who starts the server says so")
}

// The frame that run_steps switches to is the one that texts, labels and roles mean, in the next call too.
func TestStepsStayInTheFrame(t *testing.T) {
	const doc = `<button onclick="document.title += ' paid'">Pay</button>`
	inner := strings.Replace(chrometest.Page(t, `<!doctype html><title>inner</title>`+doc), "127.0.0.1", "localhost", 1)
	site := chrometest.Page(t, `<!doctype html><title>outer</title>`+doc+`<iframe id=x src="`+inner+`"></iframe>`)
	c := newRig(t, true, func(o *mcp.Options) { o.Session = "frames" }).stdio(nil)
	done(t, c, "browse_navigate", map[string]any{"url": site})
	run := func(steps ...map[string]any) string { return done(t, c, "run_steps", map[string]any{"steps": steps}) }
	title := map[string]any{"pageFunction": "() => document.title"}
	pay := map[string]any{"click": map[string]any{"text": "Pay"}}
	require.Contains(t, run(map[string]any{"frame": "#x"}, pay, title), "inner paid")
	require.Contains(t, run(map[string]any{"click": map[string]any{"role": "button", "name": "Pay"}}, title), "inner paid paid")
	require.NotContains(t, run(map[string]any{"frame": "top"}, title), "outer paid")
	require.Contains(t, run(pay, title), "outer paid")
}
