package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/stretchr/testify/require"
)

// suiteVendor answers with a click on the first element, each question once with 429. The request
// with the number hang does not end.
type suiteVendor struct {
	*httptest.Server
	mu       sync.Mutex
	answered map[string]int // by body
	requests int
	hang     int
	hanging  chan struct{} // closed when it hangs
}

func newSuiteVendor(t *testing.T, hang int) *suiteVendor {
	v := &suiteVendor{answered: map[string]int{}, hang: hang, hanging: make(chan struct{})}
	refused := map[string]bool{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		v.mu.Lock()
		v.requests++
		first, n := !refused[string(body)], v.requests
		if refused[string(body)] = true; !first && n != v.hang {
			v.answered[string(body)]++
		}
		v.mu.Unlock()
		switch {
		case n == v.hang:
			close(v.hanging)
			<-r.Context().Done()
		case first:
			w.Header().Set("Retry-After", "0")
			http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"=1+1","tool_calls":[{"id":"c",`+
				`"type":"function","function":{"name":"click","arguments":"{\"ref\":1}"}}]}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`)
		}
	}))
	t.Cleanup(v.Close)
	return v
}

// TestAskSuite: a suite that is killed while it waits for an answer asks the rest when it is
// started again, waits where the endpoint wants that, and writes one table in three forms.
func TestAskSuite(t *testing.T) {
	s, _ := recordSession(t, "shop", 0)
	for range 2 {
		recordTurn(t, s, func(r *turn.Record) {
			body := fmt.Sprintf(`{"model":"m-1","messages":[{"role":"user","content":"turn %d\n[1]<button>Buy</button>\n[2]<a>Help</a>"}]}`,
				len(r.Capture.Nodes))
			r.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Model: "m-1", Way: turn.Request, Wire: true, Bytes: []byte(body)}}
		})
	}
	require.NoError(t, s.Close())
	dir := t.TempDir()
	file := filepath.Join(dir, "suite.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"turns":[{"turn":"shop#1","ref":1},"shop#2"],"n":2,"flags":"--answer-timeout 1m",
		"variants":[{"name":"recorded"},{"name":"other","flags":"--model m-2"},
		{"name":"built","flags":"--dialect openai-chat --model 'm 3' --dump aria"}]}`), 0o600))
	v := newSuiteVendor(t, 10)
	t.Setenv("OPENAI_API_KEY", "sk-canary-0123456789abcdef")
	args := []string{"ask", "--suite", file, "--endpoint", v.URL + "/v1", "--csv", filepath.Join(dir, "a.csv"),
		"--html", filepath.Join(dir, "a.html")}

	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1")
	require.NoError(t, cmd.Start())
	<-v.hanging
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	v.mu.Lock()
	before := len(v.answered)
	v.mu.Unlock()
	require.Positive(t, before)

	code, out, errs := ctl(t, append(args, "--json")...)
	require.Zero(t, code, errs)
	var table ask.Table
	require.NoError(t, json.Unmarshal([]byte(out), &table))
	require.Len(t, table.Rows, 12)
	for _, r := range table.Rows {
		require.True(t, r.Answered(), "%+v", r)
		require.Equal(t, 7, r.Input)
	}
	require.Equal(t, ask.Sum{Variant: "recorded", Asked: 4, Answered: 4, Graded: 2, Hits: 2, Share: 1, Input: 28, Output: 8},
		table.Variants[0], "the right element of the second turn is not known")
	v.mu.Lock()
	total := 0
	for _, n := range v.answered {
		total += n
	}
	v.mu.Unlock()
	require.Equal(t, 12, total, "what was answered before the kill was not asked again")

	data, err := os.ReadFile(filepath.Join(dir, "a.csv"))
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 13)
	html, err := os.ReadFile(filepath.Join(dir, "a.html"))
	require.NoError(t, err)
	require.Contains(t, string(html), "2 of 2, 100 %")
	require.NotContains(t, string(html), "<script")

	requests := v.requests
	code, out, errs = ctl(t, args...)
	require.Zero(t, code, errs)
	require.Contains(t, out, "recorded: 4 of 4 answered, 2 of 2 land on the right element (100 %), 28 tokens in, 8 out")
	require.Contains(t, errs, "(recorded before)")
	require.Equal(t, requests, v.requests, "everything is recorded")
}

func TestWrongSuitesAreUsageErrors(t *testing.T) {
	s, _ := recordSession(t, "shop", 1)
	require.NoError(t, s.Close())
	for name, c := range map[string]struct{ suite, want string }{
		"no JSON":         {"{", "cannot be read"},
		"unknown member":  {`{"turn":[]}`, "turn"},
		"nothing":         {`{}`, "needs turns and variants"},
		"names":           {`{"turns":["shop#1"],"variants":[{"name":"a"},{"name":"a"}]}`, "name of its own"},
		"turns":           {`{"turns":[{"ref":3}],"variants":[{"name":"a"}]}`, "SESSION#N"},
		"too often":       {`{"turns":["shop#1"],"variants":[{"name":"a"}],"n":1001}`, "1 to 1000 times"},
		"an unknown flag": {`{"turns":["shop#1"],"variants":[{"name":"a","flags":"--nothing"}]}`, "--nothing"},
		"no flag":         {`{"turns":["shop#1"],"variants":[{"name":"a","flags":"word"}]}`, `"word" is not a flag`},
		"a wrong format":  {`{"turns":["shop#1"],"variants":[{"name":"a","flags":"--dump nothing"}]}`, "choose from"},
		"no request":      {`{"turns":["shop#1"],"variants":[{"name":"a"}]}`, "keeps no request"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "suite.json")
			require.NoError(t, os.WriteFile(file, []byte(c.suite), 0o600))
			code, _, errs := ctl(t, "ask", "--suite", file)
			require.NotZero(t, code)
			require.Contains(t, errs, c.want)
		})
	}
	for _, args := range [][]string{{"ask", "shop#1", "--suite", "x"}, {"ask", "--suite", "x", "--n", "3"},
		{"ask", "shop#1", "--csv", "x.csv"}} {
		code, _, errs := ctl(t, args...)
		require.Equal(t, 2, code, errs)
	}
}
