package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/inspect/inspecttest"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

const agentsText = "### Page\n- link \"Elsewhere\" [ref=e3]\n- button \"Buy\" [ref=e12]: \x1b[2J"

// recordAsked makes a session whose first turn has a page with a button and a request with a text that lists it as e12,
// and whose second has no request.
func recordAsked(t *testing.T) {
	s, _ := recordSession(t, "agent", 0)
	defer s.Close()
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
		map[string]any{"role": "user", "content": agentsText}}})
	require.NoError(t, err)
	recordTurn(t, s, func(rec *turn.Record) {
		for i := range rec.Capture.Nodes {
			if n := &rec.Capture.Nodes[i]; n.Tag == "button" {
				n.NoteAgentRef(snapshot.Playwright, "e12")
				n.TextRects = []snapshot.Box{n.Box}
			}
		}
		rec.Action = `ask openai m: browser_click {"target":"e12"}`
		rec.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: body},
			{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true, Bytes: []byte(`{"choices":[{"index":0,"message":{"role":` +
				`"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"browser_click","arguments":` +
				`"{\"target\":\"e12\"}"}}]}}]}`)}}
	})
	recordTurn(t, s, nil)
}

// asked runs a command and returns what it prints.
func asked(t *testing.T, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, code, run(t.Context(), args, &out, &errs), "%v: %s%s", args, &out, &errs)
	return out.String(), errs.String()
}

// TestOneAnswerAtEveryDoor: twelve questions about saved sessions, each answered alike by the command, by the resource
// of the MCP server where it has one, and by the layer that both ask. The window's rooms are held to the same table in
// gui/engine.
func TestOneAnswerAtEveryDoor(t *testing.T) {
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	inspecttest.Save(t, home)
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "mcp", "--read-sessions")
	cmd.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1")
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	require.Len(t, inspecttest.Questions(), 12)
	for _, q := range inspecttest.Questions() {
		t.Run(q.Name, func(t *testing.T) {
			want, err := q.Want(t.Context(), home)
			require.NoError(t, err)
			check := func(door, answer string) {
				if q.Plain { // to a file and to a pipe a text may end its last line
					require.Equal(t, strings.TrimSuffix(want.(string), "\n"), strings.TrimSuffix(answer, "\n"), door)
				} else {
					inspecttest.Holds(t, want, answer)
				}
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), q.Command, &out, &errs)
			require.LessOrEqual(t, code, 1, "1 where something was found: %s%s", &out, &errs)
			check("the command", out.String())
			if q.Resource == "" {
				return
			}
			got, err := c.ReadResource(t.Context(),
				&sdk.ReadResourceParams{URI: "refscope://sessions/" + q.Resource})
			require.NoError(t, err)
			check("the resource", got.Contents[0].Text)
		})
	}
}

// TestSentHasItsSchema: what the model was told is as the schema says, and its text is the agent's, byte for byte where
// no terminal reads it.
func TestSentHasItsSchema(t *testing.T) {
	recordAsked(t)
	printed, _ := asked(t, 0, "audit", "agent#1", "--as-sent", "--json")
	requireSchema(t, "sent", []byte(printed))
	text, _ := asked(t, 0, "snap", "agent#1", "--format", "sent")
	require.Equal(t, agentsText, text)
}

// TestGuessedAtEveryDoor: where a text is in nobody's format, each command that rests on its numbers says so.
func TestGuessedAtEveryDoor(t *testing.T) {
	s, _ := recordSession(t, "guess", 0)
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
		map[string]any{"role": "user", "content": "[3] button \"Buy\"\n[4] link \"Elsewhere\"\n[5] link \"Help\""}}})
	require.NoError(t, err)
	recordTurn(t, s, func(rec *turn.Record) {
		v := rec.Capture.Viewport
		var picture bytes.Buffer
		size := image.Rect(0, 0, int(v.Width*v.Scale), int(v.Height*v.Scale))
		require.NoError(t, png.Encode(&picture, image.NewRGBA(size)))
		rec.Picture = picture.Bytes()
		rec.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: body}}
	})
	require.NoError(t, s.Close())
	for _, args := range [][]string{{"doctor", "guess#1"}, {"snap", "guess#1", "--format", "sent"},
		{"audit", "guess#1", "--as-sent"}, {"why", "guess#1", "3"}, {"diff", "guess#1", "guess#1", "--as-sent"},
		{"mark", "guess#1", "--numbers", "agent", "-o", filepath.Join(t.TempDir(), "out.png")},
		{"payload", "guess#1", "--dialect", "openai-chat", "--dump", "sent", "--no-image"}} {
		out, errs := asked(t, 0, args...)
		require.Contains(t, out+errs, "which is a guess", "%v", args)
	}
}

// TestAsSentInCI: a share below the least is exit 1, a session without a request too, and a wrong call is 2.
func TestAsSentInCI(t *testing.T) {
	recordAsked(t)
	out, _ := asked(t, 0, "audit", "agent", "--as-sent", "--min-share", "100")
	require.Contains(t, out, "told 1 of the 1 element")
	_, errs := asked(t, 1, "audit", "agent#2", "--as-sent")
	require.Contains(t, errs, "holds no request")
	for _, wrong := range [][]string{{"audit", "agent", "--min-share", "90"}, {"audit", "--as-sent"},
		{"audit", "agent", "--as-sent", "--format", "aria"}, {"audit", "agent", "--as-sent", "--max-chars", "9"},
		{"audit", "agent", "--as-sent", "--min-share", "101"}, {"snap", "agent#1", "--format", "sent", "--max-chars", "9"},
		{"snap", "a.html", "--format", "sent"}, {"diff", "--as-sent", "agent#1", "a.json"},
		{"mark", "agent#1", "--numbers", "theirs", "-o", "a.png"}} {
		asked(t, 2, wrong...)
	}
	_, errs = asked(t, 1, "snap", "agent#2", "--format", "sent")
	require.Contains(t, errs, "agent#2 has no text as it was sent")
}

// TestDoorsOfTheAgentsNumber: why, find, session show and mark by and with the agent's own numbers; no page text reaches
// a terminal as it is.
func TestDoorsOfTheAgentsNumber(t *testing.T) {
	recordAsked(t)
	out, _ := asked(t, 0, "why", "agent#1", "e12")
	require.Regexp(t, `(?m)^e12  \[1\] button "Buy"`, out)
	require.NotContains(t, out, "\x1b")
	out, _ = asked(t, 0, "find", "agent#1", "--number", "ref=e12")
	require.Regexp(t, `^e12 \[1\] button "Buy"`, out)
	out, _ = asked(t, 0, "session", "show", "agent")
	require.Contains(t, out, "Playwright MCP · click “Buy”")
	require.NotContains(t, out, `{"target"`)
	manifest, legend := filepath.Join(t.TempDir(), "m.json"), filepath.Join(t.TempDir(), "l.txt")
	asked(t, 0, "mark", "agent#1", "--numbers", "agent", "--manifest", manifest, "--legend", legend)
	body, err := os.ReadFile(manifest)
	require.NoError(t, err)
	requireSchema(t, "manifest", body)
	var m overlay.Manifest
	require.NoError(t, json.Unmarshal(body, &m))
	require.Equal(t, "aria snapshot", m.Numbers)
	require.Equal(t, "e12", m.Marks[0].AsSent)
	words, err := os.ReadFile(legend)
	require.NoError(t, err)
	require.Contains(t, string(words), `e12 button "Buy"`)
	out, _ = asked(t, 0, "diff", "--as-sent", "agent#1", "agent#1", "--exit-code", "--json")
	requireSchema(t, "sentdiff", []byte(out))
}
