package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/inspect/inspecttest"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/payload"
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
	c := connectMCP(t)
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

// recordBare makes a session whose first turn is a request with a text and a picture, as of a tap that watches no
// browser, and whose second has nothing but a picture, as of another tool's file. Neither has a page.
func recordBare(t *testing.T) {
	s, _ := recordSession(t, "bare", 0)
	defer s.Close()
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 200, 100))))
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []any{
		map[string]any{"role": "user", "content": agentsText}}})
	require.NoError(t, err)
	pairing := exchange.Pairing{Why: "no browser is watched"}
	stored, err := json.Marshal(map[string]any{"pairing": pairing})
	require.NoError(t, err)
	for _, rec := range []*turn.Record{
		{Capture: &snapshot.Capture{URL: "https://vendor.example/v1/chat", Viewport: snapshot.Viewport{Width: 200,
			Height: 100, Scale: 1}}, Exchange: stored, Lacks: []string{"the picture is small", pairing.Lack()},
			Payloads: []turn.Payload{{Dialect: wire.OpenAIChat, Way: turn.Request, Wire: true, Bytes: body}}},
		{Capture: &snapshot.Capture{URL: "https://vendor.example/v1/chat", Viewport: snapshot.Viewport{Width: 200,
			Height: 100, Scale: 1}, Frames: []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1,
			Why: "the file keeps requests"}}}},
	} {
		rec.Capture.Schema, rec.Picture = snapshot.Schema, picture.Bytes()
		_, err := s.Append(t.Context(), func(*turn.Ledger) (*turn.Record, error) { return rec, nil })
		require.NoError(t, err)
	}
	recordTurn(t, s, nil)
}

// TestATurnWithoutAPage: what is asked of a page is answered for no turn without one, at any door: each says that there
// is none, and why, and what the turn has. What needs no page is answered.
func TestATurnWithoutAPage(t *testing.T) {
	recordBare(t)
	file := func(name string) string { return filepath.Join(t.TempDir(), name) }
	capture := file("bare.json")
	require.NoError(t, os.WriteFile(capture, []byte(`{"schema":"refscope.capture/1","url":"https://vendor.example/v1",
		"nodes":[],"viewport":{"width":9,"height":9,"scale":1}}`), 0o600))
	says := map[string]string{
		"bare#1": "bare#1 has no page: no browser is watched; what it has: request, picture; doctor reads the request",
		"bare#2": "bare#2 has no page: the file keeps requests; what it has: picture",
		capture:  "has no page: none was recorded; nothing else is stored with it",
	}
	commands := [][]string{
		{"tokens", "T"}, {"whatif", "T", "--max-chars", "9"}, {"find", "T", "--role", "button"},
		{"find", "T", "--near", "5,5"}, {"find", "T", "--number", "99"}, {"why", "T", "99"}, {"why", "T", "5,5"},
		{"why", "T", "#a"}, {"diff", "T", "bare#3"}, {"diff", "bare#3", "T"}, {"diff", "bare#3", "T", "--text", "dddk"},
		{"mark", "T", "-o", file("a.png")}, {"mark", "T", "--legend", file("a.txt")}, {"network", "T"},
		{"mark", "T", "--manifest", file("a.json"), "--clean", file("b.png")}, {"audit", "T", "--coverage"},
		{"profile", "try", "T"}, {"snap", "bare#3", "--format", "aria", "--since", "T"},
		{"dataset", "build", "T", "--as", "coco", "-o", "SET"},
		{"payload", "bare#3", "--dialect", "cdp-skill", "--before", "T"},
	}
	for _, format := range cli.FormatList("capture") {
		commands = append(commands, []string{"snap", "T", "--format", format, "--query", "tea"})
	}
	commands = append(commands, []string{"snap", "T", "--format", "capture"})
	for _, dialect := range payload.Dialects() {
		commands = append(commands, []string{"payload", "T", "--dialect", dialect})
	}
	for name, want := range says {
		for _, c := range commands {
			args := strings.Split(strings.Join(c, "\n"), "\n")
			for i := range args {
				switch args[i] {
				case "SET":
					args[i] = file("set")
				case "T":
					args[i] = name
				}
			}
			if args[0] == "snap" && args[3] == "capture" {
				args = args[:4]
			}
			if strings.Contains(strings.Join(args, " "), "--since "+capture) {
				continue // it takes turns alone
			}
			for _, json := range []bool{false, true} {
				if json {
					if slices.Contains(args, "--coverage") || slices.Contains(args, "--text") {
						continue
					}
					args = append(args, "--json")
				}
				out, errs := asked(t, 1, args...)
				require.Contains(t, out+errs, want, "%v", args)
				require.NotContains(t, out, "vendor.example", "%v", args)
			}
		}
	}
	// The findings of what is stored with a turn need no page, but say nothing of one.
	out, errs := asked(t, 1, "audit", "bare#1")
	require.Contains(t, out, "no page, only what is stored with the turn: 0 errors")
	require.Contains(t, errs, "no page belongs to it: no browser is watched")
	out, _ = asked(t, 1, "audit", "bare#1", "--json")
	require.Contains(t, out, `"url":"","findings":[],"coverage":[]`)
	require.Contains(t, out, `"passed":false`)
	// Nor do these.
	out, _ = asked(t, 0, "snap", "bare#1", "--format", "sent")
	require.Equal(t, agentsText, out)
	asked(t, 0, "diff", "bare#1", "bare#1", "--as-sent")
	asked(t, 0, "mark", "bare#2", "--clean", file("c.png"))
	_, errs = asked(t, 1, "why", "bare#1", "e12")
	require.Contains(t, errs, "the turn has no page, so that nothing is known of its element")
	for _, dialect := range payload.Dialects() {
		if slices.Contains(payload.Takes(dialect), "dump") {
			out, _ = asked(t, 0, "payload", "bare#1", "--dialect", dialect, "--dump", "sent")
			require.NotContains(t, out, "vendor.example", dialect)
		}
	}
	out, _ = asked(t, 0, "network", "bare", "--json")
	require.Contains(t, out, `"target":"bare#1","noPage":"bare#1 has no page: no browser is watched`)
	require.NotContains(t, out, "vendor.example")
	out, _ = asked(t, 0, "doctor", "bare#1", "--max-severity", "error", "--json")
	require.Contains(t, out, `"turn":1,"url":""`)
	report := file("report.html")
	asked(t, 0, "session", "report", "bare", "-o", report)
	html, err := os.ReadFile(report)
	require.NoError(t, err)
	head, _, _ := strings.Cut(string(html), `id="t2"`) // the second has no request: its address may be a page's
	require.Contains(t, head, "no page is paired")
	require.NotContains(t, head[strings.Index(head, `id="t1"`):], "vendor.example")
	out, errs = asked(t, 1, "ask", "bare#1", "--endpoint", "http://127.0.0.1:9/", "--dialect", "openai-chat", "--model",
		"m", "--dump", "sent")
	require.Contains(t, out+errs, "no whole answer", "the agent's own text is asked about, as the help says")
	out, _ = asked(t, 0, "session", "show", "bare")
	require.Contains(t, out, "no page")
	require.NotContains(t, out, " 0 refs")
	c := connectMCP(t)
	defer func() { require.NoError(t, c.Close()) }()
	for _, part := range []string{"dump", "capture"} {
		_, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://sessions/bare/turns/1/" + part})
		require.ErrorContains(t, err, "bare/turns/1/"+part+
			" has no page: no browser is watched; what it has: request, picture")
	}
	got, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "refscope://sessions/bare/turns"})
	require.NoError(t, err)
	require.Regexp(t, `"n":1,[^}]*"refs":0,"parts":\["picture","call","sent","doctor"\]`, got.Contents[0].Text)
	require.Regexp(t, `"n":3,[^}]*"parts":\["dump","capture"`, got.Contents[0].Text)
}

// connectMCP starts the MCP server, which reads recorded sessions.
func connectMCP(t *testing.T) *sdk.ClientSession {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "mcp", "--read-sessions")
	cmd.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1")
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(t, err)
	return c
}

// TestATurnWithoutAPicture: what is made without the picture that it should have says so, and why there is none. So
// does what is made of a page of which not everything is known.
func TestATurnWithoutAPicture(t *testing.T) {
	s, _ := recordSession(t, "blind", 0)
	recordTurn(t, s, func(rec *turn.Record) {
		rec.Picture = nil
		rec.Capture.Failed = []snapshot.Failure{{Layer: "picture", Why: "the tab went to another page"}}
	})
	recordTurn(t, s, func(rec *turn.Record) {
		rec.Capture.Failed = []snapshot.Failure{{Layer: snapshot.LayerStructure, Why: "only some elements are known"}}
		rec.Capture.Nodes[1].Box = snapshot.Box{}
	})
	require.NoError(t, s.Close())
	why := "blind#1: the turn has no picture: the tab went to another page"
	_, errs := asked(t, 1, "mark", "blind#1", "-o", filepath.Join(t.TempDir(), "a.png"))
	require.Contains(t, errs, why)
	_, errs = asked(t, 0, "payload", "blind#1", "--dialect", "openai-chat", "--model", "gpt-4o")
	require.Equal(t, why+": the body is made without one\n", errs)
	_, errs = asked(t, 0, "payload", "blind#1", "--dialect", "openai-chat", "--model", "gpt-4o", "--no-image")
	require.Empty(t, errs)
	_, errs = asked(t, 0, "snap", "blind#2")
	require.Contains(t, errs, "blind#2: only some elements are known")
	out, _ := asked(t, 0, "find", "blind#2", "--pattern", ".")
	require.Contains(t, out, "without a box")
	require.NotContains(t, out, "0x0")
}

// TestTurnsThatAreNotThere: a number that is none, and a turn that does not exist, are said so at every command, and no
// address is opened instead.
func TestTurnsThatAreNotThere(t *testing.T) {
	recordAsked(t)
	for name, want := range map[string]string{
		"agent#0":  `agent#0: "0" is not the number of a turn, which are from 1 on: name one, such as agent#1`,
		"agent#-1": `"-1" is not the number of a turn`, "agent#": `"" is not the number of a turn`,
		"agent#two": `"two" is not the number of a turn`,
	} {
		for _, command := range [][]string{{"snap", name}, {"find", name, "--role", "button"},
			{"diff", "agent#1", name}, {"dataset", "build", name, "--as", "coco", "-o", filepath.Join(t.TempDir(), "set")}} {
			_, errs := asked(t, 2, command...)
			require.Contains(t, errs, want, "%v", command)
		}
	}
	for _, command := range [][]string{{"snap", "agent#9"}, {"snap", "agent#9", "--format", "sent"},
		{"why", "agent#9", "e1"}, {"audit", "agent#9", "--as-sent"}, {"audit", "agent#9"}, {"doctor", "agent#9"}, {"payload", "agent#9"},
		{"network", "agent#9"}, {"mark", "agent#9", "-o", filepath.Join(t.TempDir(), "a.png")}} {
		_, errs := asked(t, 1, command...)
		require.Contains(t, errs, "number 9: turn not found", "%v", command)
	}
	_, errs := asked(t, 2, "snap", "")
	require.Contains(t, errs, "snap: the address is empty: type a URL")
}

// TestADamagedTurnIsInNoSessionSilently: what reads all turns of a session says which one it could not read.
func TestADamagedTurnIsInNoSessionSilently(t *testing.T) {
	recordAsked(t)
	home := os.Getenv("REFSCOPE_HOME")
	require.NoError(t, os.CopyFS(turn.SessionDir(home, "whole"), os.DirFS(turn.SessionDir(home, "agent"))))
	file := filepath.Join(turn.SessionDir(home, "agent"), "turns", "0001", "turn.json")
	require.NoError(t, os.Truncate(file, 20))
	for _, command := range [][]string{{"network", "agent"}, {"session", "export", "agent", "--as", "har", "-o",
		filepath.Join(t.TempDir(), "a.har")}, {"dataset", "build", "agent", "--as", "coco", "-o",
		filepath.Join(t.TempDir(), "set")}, {"doctor", "agent"}, {"audit", "agent", "--as-sent"}} {
		_, errs := asked(t, 1, command...)
		require.Contains(t, errs, "turns/0001/turn.json", "%v", command)
	}
	out, _ := asked(t, 0, "compare", "whole", "agent")
	require.Contains(t, out, "note: agent is damaged")
	require.NotContains(t, out, "First divergence", "what is not known is no divergence")
	require.NoError(t, os.RemoveAll(filepath.Join(turn.SessionDir(home, "agent"), "turns")))
	_, errs := asked(t, 1, "compare", "whole", "agent")
	require.Contains(t, errs, "agent has no turns to compare")
	for _, command := range [][]string{{"network", "agent"}, {"session", "show", "agent"}} {
		_, errs = asked(t, 0, command...)
		require.Contains(t, errs, "agent has no turns", "%v", command)
	}
}

// TestASessionThatCannotBeRead is named as such by what takes sessions, and not as a page that is none.
func TestASessionThatCannotBeRead(t *testing.T) {
	recordAsked(t)
	file := filepath.Join(turn.SessionDir(os.Getenv("REFSCOPE_HOME"), "agent"), "session.json")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	head := string(data[:bytes.LastIndexByte(data, ',')])
	head = strings.Replace(head, "refscope.session/1", "refscope.session/2", 1)
	sum := crc32.Checksum([]byte(head), crc32.MakeTable(crc32.Castagnoli))
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "%s,\n  \"crc\": \"%08x\"\n}\n", head, sum), 0o600))
	archive := filepath.Join(t.TempDir(), "none.refscope")
	require.NoError(t, os.WriteFile(archive, nil, 0o600))
	for name, want := range map[string]string{"agent": "made by a newer refscope", archive: "is not a session file"} {
		for _, command := range [][]string{{"session", "show", name}, {"network", name}, {"doctor", name},
			{"compare", name, name},
			{"dataset", "build", name, "--as", "coco", "-o", filepath.Join(t.TempDir(), "set")}} {
			_, errs := asked(t, 1, command...)
			require.Contains(t, errs, want, "%v", command)
		}
	}
}
