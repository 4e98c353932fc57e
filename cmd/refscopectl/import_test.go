package main

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportForeign: files of other agents become sessions that every command reads; a
// file that cannot be read leaves nothing behind.
func TestImportForeign(t *testing.T) {
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	data := filepath.Join("..", "..", "snapshot", "importer", "testdata")
	code, out, stderr := ctl(t, "session", "import", filepath.Join(data, "trace-v10.zip"))
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "trace-v10  9 turns  Playwright 1.65.1, chromium, trace version 10\n", out)
	require.Contains(t, stderr, "keeps no boxes")
	code, out, stderr = ctl(t, "--quiet", "session", "show", "trace-v10")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "fill #pw [redacted: password]")
	require.Contains(t, out, "lacks: its pictures are not redacted")
	code, _, stderr = ctl(t, "--quiet", "session", "check", "trace-v10")
	require.Equal(t, 0, code, stderr)
	code, out, stderr = ctl(t, "--quiet", "snap", "trace-v10#6")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "Welcome back, mia")
	code, _, stderr = ctl(t, "--quiet", "payload", "trace-v10#6", "--dialect", "cdp-skill")
	require.Equal(t, 0, code, stderr)

	code, out, stderr = ctl(t, "--json", "session", "import", filepath.Join(data, "history.json"), "--session", "tea")
	require.Equal(t, 0, code, stderr)
	var got struct {
		To, Format, Tool string
		Turns            int
		Damage, Lacks    []string
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "tea", got.To)
	require.Equal(t, 5, got.Turns)
	require.Equal(t,
		[]string{"item 3: the picture step_9.png: the file is not beside the history, nor in its folder screenshots"},
		got.Damage)
	require.Contains(t, got.Lacks[0], "only the elements acted on")
	code, out, stderr = ctl(t, "--quiet", "payload", "tea#2", "--stored", "1")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, `input type=password value=\"[redacted]\" /`)

	zip, err := os.ReadFile(filepath.Join(data, "trace-v10.zip"))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		file string
		data []byte
		args []string
		code int
		want string
	}{
		"there already":  {"trace-v10.zip", zip, nil, 1, "choose another name with --session"},
		"something else": {"notes.txt", []byte("hello"), nil, 1, "neither a session file"},
		"cut off":        {"cut.zip", zip[:20], nil, 1, "cut off or damaged"},
		"no item":        {"empty.json", []byte(`{"history":[]}`), nil, 1, "holds no turn"},
		"a bad name":     {"x.zip", zip, []string{"--session", "../x"}, 2, "name it with --session"},
		"no such file":   {"", nil, nil, 1, "nowhere.zip"},
	} {
		t.Run(name, func(t *testing.T) {
			path := "nowhere.zip"
			if c.file != "" {
				path = filepath.Join(t.TempDir(), c.file)
				require.NoError(t, os.WriteFile(path, c.data, 0o644))
			}
			code, out, stderr := ctl(t, append(append([]string{"--quiet"}, c.args...), "session", "import", path)...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			require.Empty(t, out)
			left, err := os.ReadDir(filepath.Join(home, "sessions"))
			require.NoError(t, err)
			require.Len(t, left, 2, "something was left behind")
		})
	}
}

// A session goes out in other tools' formats and comes back; what is lost is printed.
func TestExportAs(t *testing.T) {
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	data, err := os.ReadFile(filepath.Join("..", "..", "snapshot", "importer", "testdata", "screenshots", "step_1.png"))
	require.NoError(t, err)
	har := filepath.Join(t.TempDir(), "recorded.har")
	request, err := json.Marshal(`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Buy tea"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
		base64.StdEncoding.EncodeToString(data) + `"}}]}]}`)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(har, []byte(`{"log":{"version":"1.2","creator":{"name":"Firefox","version":"150"},"entries":[{"startedDateTime":"2026-11-20T10:00:01Z",
		"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions","postData":{"mimeType":"application/json","text":`+string(request)+`}},
		"response":{"status":200,"content":{"mimeType":"application/json","text":"{\"choices\":[{\"message\":{\"content\":\"Done\"}}]}"}}}]}}`), 0o600))
	code, out, stderr := ctl(t, "session", "import", har)
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "recorded  1 turn  Firefox 150 (HAR)\n", out)
	code, _, stderr = ctl(t, "session", "note", "recorded#1", "the wrong tea", "--verdict", "fail")
	require.Equal(t, 0, code, stderr)
	for _, format := range []string{"har", "otlp", "atif"} {
		file := filepath.Join(t.TempDir(), "out.json")
		code, out, stderr = ctl(t, "session", "export", "recorded", "--as", format, "-o", file)
		require.Equal(t, 0, code, stderr)
		require.Equal(t, file+"  1 turn\n", out)
		require.Contains(t, stderr, "not in "+file)
		code, out, stderr = ctl(t, "--json", "session", "import", file, "--session", "again-"+format)
		require.Equal(t, 0, code, stderr)
		var got struct {
			Format string
			Damage []string
		}
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		require.Equal(t, format, got.Format)
		require.Empty(t, got.Damage)
		code, out, stderr = ctl(t, "--quiet", "session", "show", "again-"+format)
		require.Equal(t, 0, code, stderr)
		require.Contains(t, out, "m · Done")
		require.Contains(t, out, "fail")
		require.Contains(t, out, "the wrong tea")
		code, _, stderr = ctl(t, "--quiet", "session", "check", "again-"+format)
		require.Equal(t, 0, code, stderr)
	}
	code, _, stderr = ctl(t, "session", "export", "recorded", "--as", "xml")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "choose from atif,otlp,har")
}

// TestImportCutOff: of a zip that is cut off, what is whole becomes a session, and what is
// not is said.
func TestImportCutOff(t *testing.T) {
	zip, err := os.ReadFile(filepath.Join("..", "..", "snapshot", "importer", "testdata", "trace-v10.zip"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "cut off.zip")
	require.NoError(t, os.WriteFile(path, zip[:len(zip)/2], 0o644))
	code, out, stderr := ctl(t, "--quiet", "session", "import", path)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "cut-off  9 turns")
	require.Contains(t, stderr,
		"the zip is cut off or its directory is damaged: the 9 files that stand before the damage are read\n")
	code, _, stderr = ctl(t, "--quiet", "session", "check", "cut-off")
	require.Equal(t, 0, code, stderr)
}

// TestDebugSurface: the page's own agent is in the turn, and payload prints what it was
// sent, byte for byte.
func TestDebugSurface(t *testing.T) {
	needChrome(t)
	dir := filepath.Join(t.TempDir(), "s")
	target := page(t,
		`<!doctype html><title>Agent</title><h1>Shop</h1><script>window.__dddkDebug = {lastDom: '[1]<h1>Shop</h1>',
		lastLlmMessages: [{role: 'system', content: 'Be kind.'}, {role: 'user', content: '[1]<h1>Shop</h1>'}]}</script>`)
	code, _, stderr := ctl(t, "--quiet", "turn", target, "-o", dir, "--debug-surface")
	require.Equal(t, 0, code, stderr)
	code, out, stderr := ctl(t, "--quiet", "payload", dir+"#1", "--stored", "2")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, `[{"role":"system","content":"Be kind."},{"role":"user","content":"[1]<h1>Shop</h1>"}]`, out)
	code, out, stderr = ctl(t, "--quiet", "payload", dir+"#1")
	require.Equal(t, 2, code, stderr)
	require.Contains(t, stderr, "1 dddk request (wire) 16 bytes")
	require.Empty(t, out)
	code, out, stderr = ctl(t, "--quiet", "session", "show", dir)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "__dddkDebug")
}
