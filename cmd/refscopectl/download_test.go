package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
)

// What a page downloads stands in the answer of the step, with its name and where it lies: in the session's folder,
// under a name that leads nowhere else.
func TestDownloadsAreInTheAnswer(t *testing.T) {
	u := newUser(t)
	names := map[string]string{"/report": "report.csv", "/evil": "../../evil.sh"}
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if name, ok := names[q.URL.Path]; ok {
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
			fmt.Fprint(w, "a,b\n")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><a href=/report>Report</a> <a href=/evil>Evil</a>`)
	}))
	code, out, stderr := u.run("--quiet", fmt.Sprintf(`{"steps":[{"openTab":%q},{"click":{"text":"Report"}},{"click":{"text":"Report"}},`+
		`{"click":{"text":"Evil"}},{"snapshot":true}]}`, site))
	require.Equal(t, 0, code, stderr)
	var a struct {
		Steps []struct {
			Downloads []struct{ Name, Path, State string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &a), out)
	dir := filepath.Join(u.home, "sessions", "t1", "downloads")
	for i, want := range map[int]string{1: "report.csv", 2: "report-2.csv"} {
		require.Len(t, a.Steps[i].Downloads, 1, out)
		d := a.Steps[i].Downloads[0]
		require.Equal(t, "report.csv", d.Name)
		require.Equal(t, "completed", d.State)
		require.Equal(t, filepath.Join(dir, want), d.Path)
		b, err := os.ReadFile(d.Path)
		require.NoError(t, err)
		require.Equal(t, "a,b\n", string(b))
	}
	require.Len(t, a.Steps[3].Downloads, 1, out)
	require.Equal(t, dir, filepath.Dir(a.Steps[3].Downloads[0].Path))
	require.Empty(t, a.Steps[4].Downloads)
}

// Another program that used the same browser and is gone takes nothing with it: downloads still come to the session.
func TestDownloadsStayWhereTheyBelongWhenAnotherProgramLeaves(t *testing.T) {
	u := newUser(t)
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><a href="data:text/plain,hi" download="x.txt">Get</a>`)
	}))
	code, out, stderr := u.run("--quiet", fmt.Sprintf(`{"steps":[{"openTab":%q},{"chromeStatus":true}]}`, site))
	require.Equal(t, 0, code, stderr)
	port := regexp.MustCompile(`"port":(\d+)`).FindStringSubmatch(out)
	require.NotNil(t, port, out)
	other, err := browser.Start(t.Context(), browser.Options{Attach: "127.0.0.1:" + port[1]})
	require.NoError(t, err)
	require.NoError(t, other.KeepDownloads(t.Context(), t.TempDir()))
	require.NoError(t, other.Close())

	code, out, stderr = u.run("--quiet", `{"tab":"t1","steps":[{"click":{"text":"Get"}}]}`)
	require.Equal(t, 0, code, stderr)
	require.NotContains(t, out, "could not be kept")
	b, err := os.ReadFile(filepath.Join(u.home, "sessions", "t1", "downloads", "x.txt"))
	require.NoError(t, err, out)
	require.Equal(t, "hi", string(b))
}
