package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An agent that is given the printed base URL reaches its vendor, and each of its requests is a
// turn of the session when the tap ends.
func TestTap(t *testing.T) {
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"model":"m-1","choices":[{"index":0,"message":{"content":"`+r.URL.Path+`"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`)
	}))
	defer vendor.Close()
	dir := filepath.Join(t.TempDir(), "s")
	out, print := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"tap", "-o", dir, "--upstream", "openai=" + vendor.URL, "--upstream",
			"ollama=http://127.0.0.1:11434", "--upstream", "paas=" + vendor.URL + "/api/v4"}, print, io.Discard)
		_ = print.Close()
	}()
	lines := json.NewDecoder(out)
	var begin struct {
		Listening, Session    string
		BaseURLs, Environment map[string]string
	}
	require.NoError(t, lines.Decode(&begin))
	require.Equal(t, dir, begin.Session)
	require.True(t, strings.HasPrefix(begin.Listening, "http://127.0.0.1:"))
	for name, suffix := range map[string]string{"openai": "/openai/v1", "anthropic": "/anthropic", "gemini": "/gemini",
		"ollama": "/compat/ollama/v1", "paas": "/compat/paas/v4"} {
		require.True(t, strings.HasPrefix(begin.BaseURLs[name], begin.Listening+"/"), "%s: %s", name, begin.BaseURLs[name])
		require.True(t, strings.HasSuffix(begin.BaseURLs[name], suffix), "%s: %s", name, begin.BaseURLs[name])
	}
	require.Equal(t, begin.BaseURLs["openai"], begin.Environment["OPENAI_BASE_URL"])
	for i, base := range []string{"openai", "paas"} {
		answered := make(chan error, 1)
		go func() { // the tap prints its line before the answer ends
			resp, err := http.Post(begin.BaseURLs[base]+"/chat/completions", "application/json",
				strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"hi"}]}`))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
			}
			answered <- err
		}()
		var line struct {
			Turn, Status  int
			Vendor, Model string
			Paired        bool
		}
		require.NoError(t, lines.Decode(&line))
		require.NoError(t, <-answered)
		require.Equal(t, 200, line.Status)
		require.Equal(t, i+1, line.Turn)
		require.Equal(t, "m", line.Model)
		require.Equal(t, base, line.Vendor)
		require.False(t, line.Paired)
	}
	stop()
	require.Equal(t, 0, <-code)
	status, shown, stderr := ctl(t, "--json", "session", "show", dir)
	require.Equal(t, 0, status, stderr)
	require.Contains(t, shown, "ask openai m: /v1/chat/completions")
	require.Contains(t, shown, "ask compat/paas m: /api/v4/chat/completions")

	for _, wrong := range [][]string{
		{"tap"}, {"tap", "-o", dir, "--listen", "0.0.0.0:0"}, {"tap", "-o", dir, "--upstream", "x"}, {"tap", "-o", dir, "--upstream", "x=ftp://h"},
		{"tap", "-o", dir, "--upstream", "x=https://user:pass@h/"},
	} {
		status, _, stderr := ctl(t, wrong...)
		require.Equal(t, 2, status, "%v: %s", wrong, stderr)
	}
}
