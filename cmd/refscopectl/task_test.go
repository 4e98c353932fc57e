package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrongTasksAreUsageErrors(t *testing.T) {
	const to = "http://127.0.0.1:1/"
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no endpoint":      {[]string{"--query", "x", "a.example"}, "--endpoint URL"},
		"no query":         {[]string{"--endpoint", to, "a.example"}, "--query TEXT"},
		"no target":        {[]string{"--endpoint", to, "--query", "x"}, "name a target"},
		"two targets":      {[]string{"--endpoint", to, "--query", "x", "a.example", "b.example"}, "name one target"},
		"no address":       {[]string{"--endpoint", "nowhere", "--query", "x", "a.example"}, "must begin with http"},
		"a password in it": {[]string{"--endpoint", "http://a:b@c/", "--query", "x", "a.example"}, "holds a password"},
		"a mode":           {[]string{"--endpoint", to, "--query", "x", "--mode", "best", "a.example"}, `--mode "best"`},
		"a header":         {[]string{"--endpoint", to, "--query", "x", "--header", "X", "a.example"}, "NAME=VALUE"},
		"the client's header": {[]string{"--endpoint", to, "--query", "x", "--header", "Host=x", "a.example"},
			"client's own"},
		"no steps":       {[]string{"--endpoint", to, "--query", "x", "--max-steps", "0", "a.example"}, "greater than 0"},
		"two sessions":   {[]string{"--endpoint", to, "--resume", "s", "--session", "s"}, "both name a session"},
		"no such target": {[]string{"--endpoint", to, "--query", "x", "what is this"}, "not an address"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, append([]string{"task"}, c.args...)...)
			require.Equal(t, 2, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Empty(t, stdout)
		})
	}
	code, _, stderr := ctl(t, "task", "--endpoint", to, "--resume", "nowhere")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "session nowhere: folder not found")
	code, stdout, _ := ctl(t, "task", "--help")
	require.Zero(t, code)
	for _, s := range []string{"-max-bytes", `setValue(5, "Ada")`, "or_element_appears"} {
		require.Contains(t, stdout, s)
	}
}

// TestTask: a task from the command line: broken off by its user, resumed, done; what was
// sent is read back from the session.
func TestTask(t *testing.T) {
	needChrome(t)
	t.Setenv("REFSCOPE_HOME", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var key string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			TaskID string
			Tree   []struct{ I, R string } `json:"interactiveTree"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		key = r.Header.Get("X-Api-Key")
		switch n++; n {
		case 1:
			fmt.Fprintf(w, `{"thought":"I fill \u001b[31mthe name","action":"setValue(%s, \"Grace\")","taskId":"T7"}`,
				q.Tree[0].I)
		case 2:
			cancel() // as Ctrl+C does
			<-r.Context().Done()
		default:
			fmt.Fprintf(w, `{"status":"completed","thought":"task %s is done"}`, q.TaskID)
		}
	}))
	defer srv.Close()
	file := page(t, form)
	var out, errs bytes.Buffer
	t.Setenv("REFSCOPE_CHROME_FLAGS", `"host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"`)
	code := run(ctx, []string{"task", "--endpoint", srv.URL, "--query", "Fill it in", "--session", "s", "--header",
		"X-Api-Key=abc=d", "--settle", "50ms", "--json", file}, &out, &errs)
	require.Equal(t, 130, code, errs.String())
	var got struct {
		Session, Status, Why, TaskID string
		Turns                        []int
		Steps                        int
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), out.String())
	require.Equal(t, []string{"s", "stopped", "cancelled"}, []string{got.Session, got.Status, got.Why})
	require.Equal(t, []int{1, 2}, got.Turns)
	require.Equal(t, "abc=d", key)
	require.Contains(t, errs.String(), "setValue(")
	require.NotContains(t, errs.String(), "\x1b")

	code, _, stderr := ctl(t, "session", "check", "s")
	require.Zero(t, code, stderr)
	code, stdout, stderr := ctl(t, "--quiet", "task", "--endpoint", srv.URL, "--resume", "s", "--settle", "50ms", file)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "completed: the endpoint says that the task is done: task T7 is done\n3 steps")
	require.Empty(t, stderr)
	code, _, stderr = ctl(t, "session", "check", "s")
	require.Zero(t, code, stderr)
	code, _, stderr = ctl(t, "task", "--endpoint", srv.URL, "--resume", "s")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "the task of session s is over")
	code, stdout, stderr = ctl(t, "payload", "s#1", "--stored", "1")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `"query":"Fill it in"`)
	require.NotContains(t, stdout, "hunter2")
}
