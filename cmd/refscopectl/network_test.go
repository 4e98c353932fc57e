package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/view"
	"github.com/stretchr/testify/require"
)

// TestNetworkOfATurn: what a page loaded is in its turn, is listed with what failed first, is a HAR file, explains an
// element that is empty, and nothing of it is secret.
func TestNetworkOfATurn(t *testing.T) {
	needChrome(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "kept", Value: "seedcookie4711"})
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>Shop</title><link rel=icon href="data:,"><h1>Shop</h1><ul id=items aria-label=Items></ul>
<img src=/logo.png alt=Logo width=30 height=30>
<script src="/app.js?sid=seedinscript99"></script>`)
		case "/app.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch('/api/items?access_token=seedtoken4711', {headers: {authorization: 'Bearer seedheader471147114711'}})
	.then((r) => console.error('items failed', r.status, location.origin + '?token=seedconsole4711'));
fetch('/api/items/login?code=seedcode4711', {method: 'POST', body: 'password=seedbody4711'});`)
		case "/api/items":
			http.Error(w, "seedanswer4711", http.StatusInternalServerError)
		case "/logo.png":
			http.NotFound(w, r)
		case "/api/items/login":
			http.Redirect(w, r, "/done?sig=seedredirect4711", http.StatusSeeOther)
		default:
			fmt.Fprint(w, "ok")
		}
	}))
	defer site.Close()
	dir := t.TempDir()
	session := filepath.Join(dir, "s")
	code, _, stderr := ctl(t, "turn", site.URL+"/", "-o", session)
	require.Zero(t, code, stderr)

	code, out, stderr := ctl(t, "network", session)
	require.Zero(t, code, stderr)
	require.Contains(t, out, "6 requests, 2 failed")
	require.Regexp(t, `(?s)404 +Image.*GET /logo.png.*500 +Fetch.*GET /api/items\?access_token=\[redacted\]  from /app.js\?sid=\[redacted\]:1.*200 +Document`, out)
	code, out, stderr = ctl(t, "network", session+"#1", "--sort", "time")
	require.Zero(t, code, stderr)
	require.Regexp(t, `(?s)GET /\n.*\n500 .*\nconsole +error +items failed 500`, out)
	code, out, _ = ctl(t, "network", session+"#1", "--failed", "--json")
	require.Zero(t, code)
	var layer view.Loaded
	require.NoError(t, json.Unmarshal([]byte(out), &layer))
	require.Len(t, layer.Requests, 2)
	require.NotEmpty(t, layer.Console)

	code, out, stderr = ctl(t, "why", session+"#1", "#items")
	require.Zero(t, code, stderr)
	require.Contains(t, out, "It is empty because GET /api/items?access_token=[redacted] (from /app.js?sid=[redacted]:1) "+
		"was answered with 500 Internal Server Error.")
	_, out, _ = ctl(t, "audit", session+"#1")
	require.Contains(t, out, "GET /logo.png was answered with 404 Not Found, and")
	require.Contains(t, out, "was answered with 500 Internal Server Error, and")

	har := filepath.Join(dir, "s.har")
	code, _, stderr = ctl(t, "session", "export", session, "--as", "har", "-o", har)
	require.Zero(t, code, stderr)
	data, err := os.ReadFile(har)
	require.NoError(t, err)
	var archive struct {
		Log struct {
			Entries []struct{ Request struct{ URL string } }
		}
	}
	require.NoError(t, json.Unmarshal(data, &archive))
	require.Len(t, archive.Log.Entries, 6)

	places := map[string][]byte{"har": data}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			places[path], err = os.ReadFile(path)
		}
		return err
	}))
	unpackParts(t, places)
	for name, content := range places {
		require.NotContains(t, string(content), "seed", name)
		require.NotContains(t, strings.ToLower(string(content)), "authorization", name)
	}

	for what, args := range map[string][]string{"no target": {"network"}, "order": {"network", session, "--sort", "colour"}} {
		code, _, stderr := ctl(t, args...)
		require.Equal(t, 2, code, what)
		require.Contains(t, stderr, "network: ", what)
	}
}
