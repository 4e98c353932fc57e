package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/view"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/stretchr/testify/require"
)

// payloadSession makes the session "wire" of three turns: one without payloads, one whose
// request crossed the wire, and one with several.
func payloadSession(t *testing.T) (wire []byte) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	store, err := turn.OpenOrCreate(context.Background(), turn.Dir(turn.SessionDir(home, "wire")), "test")
	require.NoError(t, err)
	recordTurn(t, store, nil)
	recordTurn(t, store, func(rec *turn.Record) {
		rec.Capture.Nodes[1].Name, rec.Capture.Nodes[1].Text = "Buy now", "Buy now"
		rec.Answer = json.RawMessage(`{"status":"error","tab":"t1","steps":[{"action":"click","status":"error"}],` +
			`"errors":[{"step":1}]}`)
		rec.Profile = &turn.Profile{Name: "shop.example", Bytes: []byte("# shop.example\n")}
		wire = postAndStore(t, rec)
	})
	recordTurn(t, store, func(rec *turn.Record) {
		for _, way := range []turn.Way{turn.Request, turn.Answer} {
			rec.Payloads = append(rec.Payloads, turn.Payload{Dialect: "openai-chat", Model: "m", Way: way,
				Media: "application/json", Bytes: []byte(`{"way":"` + way + `"}`), Wire: true})
		}
	})
	return wire
}

// postAndStore sends a request to a server and keeps what that received, without its
// secrets, as the turn's payload.
func postAndStore(t *testing.T, rec *turn.Record) []byte {
	t.Helper()
	var received []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		received = b
	}))
	defer server.Close()
	p, err := payload.Build("openai-chat", payload.Input{Capture: rec.Capture,
		Query: "The password is hunter2, the card 4111 1111 1111 1111."})
	require.NoError(t, err)
	res, err := http.Post(server.URL, "application/json", bytes.NewReader(p.Body))
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	kept := turn.Payload{Dialect: p.Dialect, Model: payload.DefaultModel, Way: turn.Request, Media: "application/json",
		Wire: true}
	bytes, spans := redact.Body(received, redact.Standard(), redact.Secret{Value: "hunter2", Why: "password"})
	kept.Bytes = bytes
	kept.Redacted = append(kept.Redacted, spans...)
	rec.Payloads = []turn.Payload{
		{Dialect: "openai-chat", Way: turn.Request, Media: "application/json", Bytes: []byte("{}")}, // derived: not what went
		kept,
	}
	return received
}

func TestStoredPayloads(t *testing.T) {
	received := payloadSession(t)
	code, out, stderr := ctl(t, "payload", "wire#2")
	require.Equal(t, 0, code, stderr)
	require.NotContains(t, out, "hunter2")

	code, about, stderr := ctl(t, "payload", "wire#2", "--json")
	require.Equal(t, 0, code, stderr)
	var said struct {
		Stored   int
		Dialect  string
		Wire     bool
		Bytes    int
		Redacted []redact.Span
	}
	require.NoError(t, json.Unmarshal([]byte(about), &said))
	require.Equal(t, 2, said.Stored)
	require.True(t, said.Wire)
	require.Equal(t, len(out), said.Bytes)
	require.Len(t, said.Redacted, 2)
	a, b := said.Redacted[0], said.Redacted[1]
	require.Equal(t, []string{"password", "card"}, []string{a.Why, b.Why})
	require.Equal(t, "[redacted: password][redacted: card]", out[a.Start:a.End]+out[b.Start:b.End])
	require.Equal(t, string(received), out[:a.Start]+"hunter2"+out[a.End:b.Start]+"4111 1111 1111 1111"+out[b.End:],
		"exact outside of the spans")

	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"by number": {[]string{"payload", "wire#3", "--stored", "2"}, 0, `{"way":"answer"}`},
		"derived":   {[]string{"payload", "wire#1", "--dialect", "wraith"}, 0, `[button]     \"Buy\"`},
		"several": {[]string{"payload", "wire#3"}, 2,
			"wire#3 keeps several; name one with --stored N: 1 openai-chat request m (wire) 17 bytes, 2 openai-chat answer m " +
				"(wire) 16 bytes"},
		"none":       {[]string{"payload", "wire#1"}, 2, "no payload was stored with wire#1: choose --dialect"},
		"too many":   {[]string{"payload", "wire#3", "--stored", "3"}, 2, "--stored 3: wire#3 keeps 2"},
		"no turn":    {[]string{"payload", "x.example"}, 2, "x.example is not a turn"},
		"both":       {[]string{"payload", "wire#3", "--stored", "1", "--dialect", "dddk"}, 2, "give one of them"},
		"own format": {[]string{"payload", "wire#1", "--dialect", "wraith", "--dump", "aria"}, 2, "--dump changes nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, c.args...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stdout+stderr, c.want)
		})
	}
}

// TestDerivedAnswer: the answer of a recorded turn is made of what the turn keeps.
func TestDerivedAnswer(t *testing.T) {
	payloadSession(t)
	code, out, stderr := ctl(t, "payload", "wire#2", "--dialect", "cdp-skill", "--before", "wire#1", "--screenshot",
		"/tmp/x.png")
	require.Equal(t, 0, code, stderr)
	var got struct {
		Status, Tab, SiteProfile, Screenshot, ViewportSnapshot string
		Steps, Errors                                          []any
		Changes                                                struct{ Summary string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, []string{"error", "t1", "# shop.example\n", "/tmp/x.png"},
		[]string{got.Status, got.Tab, got.SiteProfile, got.Screenshot})
	require.Equal(t, "- button \"Buy now\" [ref=s1e1]", got.ViewportSnapshot)
	require.Len(t, got.Steps, 1)
	require.Len(t, got.Errors, 1)
	require.Equal(t, "1 renamed (s1e1).", got.Changes.Summary, "the click failed, so it is not named as done")
	code, again, stderr := ctl(t, "payload", "wire#2", "--dialect", "cdp-skill", "--before", "wire#1", "--screenshot",
		"/tmp/x.png")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, out, again)
}

func TestPayloadAgainst(t *testing.T) {
	payloadSession(t)
	code, out, stderr := ctl(t, "payload", "wire#1", "--dialect", "dddk", "--against", "wire#2", "--exit-code")
	require.Equal(t, 1, code, stderr)
	require.Contains(t, out, "\n= system\n~ environment: ")
	require.Contains(t, out, `"" → " now"`)

	code, out, stderr = ctl(t, "payload", "wire#1", "--dialect", "dddk", "--against", "wire#2", "--json")
	require.Equal(t, 0, code, stderr)
	var d payload.Difference
	require.NoError(t, json.Unmarshal([]byte(out), &d))
	require.False(t, d.Same)
	require.Len(t, d.Ranges, 1)
	require.Positive(t, d.A.Tokens)

	code, out, stderr = ctl(t, "payload", "wire#2", "--against", "wire#2", "--exit-code")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "the same, byte for byte")
}

// TestPayloadParts: --json describes what the body is made of.
func TestPayloadParts(t *testing.T) {
	payloadSession(t)
	_, body, _ := ctl(t, "payload", "wire#1", "--dialect", "gemini", "--query", "Buy")
	code, out, stderr := ctl(t, "payload", "wire#1", "--dialect", "gemini", "--query", "Buy", "--json")
	require.Equal(t, 0, code, stderr)
	var about struct {
		Bytes, Tokens, StructureBytes int
		TokensExact                   bool
		Sections                      []payload.Section
	}
	require.NoError(t, json.Unmarshal([]byte(out), &about))
	require.Equal(t, len(body), about.Bytes)
	var names []string
	bytes := about.StructureBytes
	for _, s := range about.Sections {
		names = append(names, s.Name)
		bytes += s.Bytes
		require.True(t, json.Valid([]byte(body[s.Start:s.End])))
	}
	require.Equal(t, []string{"system", "dump", "query"}, names)
	require.Equal(t, len(body), bytes)
	require.Positive(t, about.Tokens)
	require.False(t, about.TokensExact)
}

func TestPayloadAsCurl(t *testing.T) {
	payloadSession(t)
	code, out, stderr := ctl(t, "payload", "wire#1", "--dialect", "anthropic", "--model", "claude-x", "--no-image",
		"--curl")
	require.Zero(t, code, stderr)
	require.Contains(t, out, `curl -sS "https://api.anthropic.com/v1/messages"`)
	require.Contains(t, out, `-H "x-api-key: $ANTHROPIC_API_KEY"`)
	require.Contains(t, out, `--data-binary '{"model":"claude-x"`)
}

// Each flag that describes a body, in each dialect of payload and ask: it is refused where it would change nothing
// (which dialect takes what is held by a test of package payload), and without a dialect, where no body is built.
func TestFlagsOfABodyAreTakenOrRefused(t *testing.T) {
	payloadSession(t)
	value := map[string]string{"mode": "full", "dump": "wraith", "detail": "low", "max-prompt-tokens": "9000", "max-tokens": "77",
		"before": "wire#1"}
	for _, name := range view.BodyFlags {
		args := []string{"--" + name, cmp.Or(value[name], "x")}
		if name == "no-image" || name == "compat" {
			args = args[:1]
		}
		for _, d := range payload.Dialects() {
			code, out, errs := ctl(t, append([]string{"payload", "wire#1", "--dialect", d}, args...)...)
			if !slices.Contains(payload.Takes(d), name) {
				require.Equal(t, 2, code, "%s %s: %s", d, name, out)
				require.Contains(t, errs, "--"+name+" changes nothing in the dialect "+d)
			} else if code != 0 && !strings.Contains(errs, "--no-image changes nothing: this body has no picture") {
				require.NotContains(t, errs, "changes nothing", "%s %s", d, name)
			}
		}
		code, _, errs := ctl(t, append([]string{"payload", "wire#2"}, args...)...)
		require.Equal(t, 2, code, name)
		require.Contains(t, errs, "add --dialect NAME")
		if name != "model" { // which ask changes in the recorded request
			code, _, errs = ctl(t, append([]string{"ask", "wire#2", "--endpoint", "http://127.0.0.1:1/v1"}, args...)...)
			require.Equal(t, 2, code, "%s: %s", name, errs)
			require.Contains(t, errs, "--"+name)
		}
	}
	for _, args := range [][]string{{"payload", "wire#2", "--exit-code"}, {"payload", "wire#2", "--curl", "--json"},
		{"payload", "wire#2", "--curl", "--against", "wire#1"}, {"ask", "wire#2", "--ref", "3"},
		{"ask", "wire#1", "--dialect", "openai-chat", "--endpoint", "http://127.0.0.1:1/v1"},
		{"ask", "--suite", "x.json", "--no-image"}, {"ask", "--suite", "x.json", "--grade"}} {
		code, _, errs := ctl(t, args...)
		require.Equal(t, 2, code, "%v: %s", args, errs)
	}
}
