package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/cmd/refscopectl/record"
	"github.com/refscope/refscope/snapshot/testneed"
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

// A tap that is killed loses no request whose answer the agent has.
func TestTapKilled(t *testing.T) {
	vendor := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := strings.Trim(string(body[bytes.LastIndexByte(body, ':')+1:]), `"}]`)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"answer ", id} {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	defer vendor.Close()
	dir := filepath.Join(t.TempDir(), "s")
	for round := range 3 { // a session goes on where a tap was killed
		self, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), self, "--quiet", "tap", "-o", dir, "--upstream", "openai="+vendor.URL)
		cmd.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1", "REFSCOPE_HOME="+t.TempDir())
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewReader(out)
		first, err := lines.ReadBytes('\n')
		require.NoError(t, err)
		var begin struct{ BaseUrls map[string]string }
		require.NoError(t, json.Unmarshal(first, &begin))
		go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the child
		answered := make(chan string, 1000)
		var work sync.WaitGroup
		for agent := range 4 {
			work.Go(func() {
				for i := 0; ; i++ {
					id := fmt.Sprintf("r%d-%d-%d", round, agent, i)
					resp, err := http.Post(begin.BaseUrls["openai"]+"/chat/completions", "application/json",
						strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"`+id+`"}]}`))
					if err != nil {
						return
					}
					body, err := io.ReadAll(resp.Body)
					if _ = resp.Body.Close(); err != nil || !strings.HasSuffix(string(body), "[DONE]\n\n") {
						return
					}
					answered <- id
				}
			})
		}
		had := map[string]bool{}
		for len(had) < 12 {
			had[<-answered] = true
		}
		require.NoError(t, cmd.Process.Kill())
		work.Wait()
		_ = cmd.Wait() // it was killed
		close(answered)
		for id := range answered {
			had[id] = true
		}
		code, shown, stderr := ctl(t, "--json", "session", "show", dir)
		require.Equal(t, 0, code, stderr)
		for id := range had {
			require.Contains(t, shown, "answer "+id+`"`)
		}
		code, _, stderr = ctl(t, "--quiet", "session", "check", dir)
		require.Equal(t, 0, code, stderr)
	}
}

// Requests get pages later, from another session; a wrong call says what is missing.
func TestSessionPair(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("REFSCOPE_HOME", dir)
	data := filepath.Join("..", "..", "snapshot", "importer", "testdata", "trace-v10.zip")
	code, _, stderr := ctl(t, "session", "import", data, "--session", "pages")
	require.Equal(t, 0, code, stderr)
	code, page, stderr := ctl(t, "--quiet", "snap", "pages#6", "--format", "aria")
	require.Equal(t, 0, code, stderr)
	code, shown, stderr := ctl(t, "--json", "session", "show", "pages")
	require.Equal(t, 0, code, stderr)
	var list struct{ Turns []struct{ Time time.Time } }
	require.NoError(t, json.Unmarshal([]byte(shown), &list))
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []map[string]string{{"role": "user", "content": page}}})
	require.NoError(t, err)
	entry, err := json.Marshal(map[string]any{"startedDateTime": list.Turns[5].Time.Add(time.Millisecond),
		"request": map[string]any{"method": "POST", "url": "https://api.openai.com/v1/chat/completions",
			"postData": map[string]string{"text": string(body)}}, "response": map[string]any{"status": 200}})
	require.NoError(t, err)
	har := filepath.Join(dir, "asked.har")
	require.NoError(t, os.WriteFile(har, []byte(`{"log":{"version":"1.2","entries":[`+string(entry)+`]}}`), 0o600))
	code, _, stderr = ctl(t, "session", "import", har)
	require.Equal(t, 0, code, stderr)
	out := filepath.Join(dir, "paired")
	code, got, stderr := ctl(t, "session", "pair", "asked", "pages", "-o", out)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, got, "turn 1: the page of turn 6, score ")
	code, shown, stderr = ctl(t, "--quiet", "session", "show", out)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, shown, "http://127.0.0.1:36829/account")
	code, _, stderr = ctl(t, "session", "pair", "asked", "pages", "-o", out)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "choose another folder")
	code, _, stderr = ctl(t, "session", "pair", "asked")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "-o DIR")
}

// listener is where a program writes, and a channel that is closed when it has written certain words.
type listener struct {
	words string
	heard chan struct{}
	once  sync.Once
}

func (s *listener) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.words) {
		s.once.Do(func() { close(s.heard) })
	}
	return len(p), nil
}

// A browser that has the flag of its port, and does not answer there yet, is watched once it does.
func TestTapWaitsForItsBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		testneed.Extra(t, "the agent's browser is found automatically on Linux only")
	}
	u := newGuest(t)
	u.open("about:blank")
	port := freePort(t)
	agent := exec.CommandContext(t.Context(), "sh", "-c", `sh -c "read x; :" chrome "$0"; :`,
		"--remote-debugging-port="+port)
	in, err := agent.StdinPipe() // both end with it
	require.NoError(t, err)
	require.NoError(t, agent.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = agent.Wait()
	})
	refused := &listener{words: "attaching to the agent's browser", heard: make(chan struct{})}
	a := &cli.App{Stdout: io.Discard, Stderr: refused, Debug: true}
	w := tap.Watch(nil, nil, nil)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	var finding sync.WaitGroup
	finding.Go(func() { record.WatchAgentsBrowsers(ctx, a, w, agent.Process.Pid) })
	t.Cleanup(finding.Wait)
	t.Cleanup(stop)
	select {
	case <-refused.heard:
	case <-ctx.Done():
		require.NoError(t, ctx.Err(), "the browser was not tried")
	}
	require.False(t, w.Watches())
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			go passOn(c, u.address())
		}
	}()
	require.Eventually(t, w.Watches, time.Minute, 20*time.Millisecond)
}

// passOn hands the bytes of a connection to another address and back.
func passOn(c net.Conn, address string) {
	defer c.Close()
	far, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer far.Close()
	go func() {
		_, _ = io.Copy(far, c)
		_ = far.Close()
	}()
	_, _ = io.Copy(c, far)
}

// A command that cannot be started is said, and nothing is advised about requests that it did not send.
func TestTapOfNoCommand(t *testing.T) {
	code, _, stderr := ctl(t, "tap", "-o", filepath.Join(t.TempDir(), "s"), "--no-browser", "--", "no-such-program")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no-such-program")
	require.NotContains(t, stderr, "No request came")
}
