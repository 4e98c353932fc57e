package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// TestAttachToAPool: pages are captured in browsers behind gateways, one at a time in each, also where these have no room
// at times; tokens come from files, and are in no output, log or session.
func TestAttachToAPool(t *testing.T) {
	needChrome(t)
	const token = "seedtoken4711seed"
	b := chrome.Browser(t)
	gateways := []*chrometest.Gateway{chrometest.NewGateway(t, b.Endpoint(), token), chrometest.NewGateway(t, b.Endpoint(), token)}
	gateways[0].Refuse(http.StatusTooManyRequests)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return "@" + path
	}
	list := file("browsers", "# the farm\nws://"+gateways[0].Address+"/chrome?token="+token+"\n\nhttp://"+gateways[1].Address+
		"/chrome?token="+token+"\n")
	header := file("header", "Authorization: Bearer "+token+"\n")
	url := page(t, form)
	session := filepath.Join(dir, "s")
	code, out, stderr := ctl(t, "turn", url, url, url, "-o", session, "--jobs", "4", "--attach", list, "--debug")
	require.Zero(t, code, stderr)
	require.NotContains(t, out+stderr, "seed")
	require.Equal(t, 3, strings.Count(out, "\n"))
	for _, g := range gateways {
		_, most := g.Opened()
		require.LessOrEqual(t, most, 1)
	}
	code, out, stderr = ctl(t, "snap", url, "--attach", "ws://"+gateways[0].Address+"/session/17/se/cdp", "--attach-header", header)
	require.Zero(t, code, stderr)
	require.Contains(t, out, "Sign in")
	code, _, stderr = ctl(t, "snap", url, "--attach", "ws://"+gateways[0].Address+"/chrome?token=seedwrong")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "answered 401 Unauthorized")
	require.Contains(t, stderr, "write @FILE")
	require.NotContains(t, stderr, "seed")
	places := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(session, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			places[path], err = os.ReadFile(path)
		}
		return err
	}))
	unpackParts(t, places)
	for name, content := range places {
		require.NotContains(t, string(content), "seed", name)
	}
	for what, args := range map[string][]string{
		"a header in sight": {"--attach", "127.0.0.1:1", "--attach-header", "Authorization: x"},
		"no such file":      {"--attach", "@" + filepath.Join(dir, "none")},
		"an empty file":     {"--attach", file("empty", "# none\n")},
		"a header for none": {"--attach-header", header},
		"no address":        {"--attach", "ftp://example.org/?token=seedtoken"},
	} {
		code, _, stderr := ctl(t, append(args, "snap", url)...)
		require.Equal(t, 2, code, what)
		require.Contains(t, stderr, "--attach", what)
		require.NotContains(t, stderr, "seed", what)
	}
	for _, args := range [][]string{{"browser", "tabs"}, {"snap", "--keep", url}, {`{"steps":[{"openTab":"` + url + `"}]}`}} {
		code, out, stderr := ctl(t, append([]string{"--attach", list}, args...)...)
		require.NotZero(t, code, args)
		require.Contains(t, out+stderr, "attaches to one browser", args)
		require.NotContains(t, out+stderr, "seed")
	}
}

// TestTabByItsID: a tab of somebody else's browser is a target by the id that the list of tabs has; it gets an alias.
func TestTabByItsID(t *testing.T) {
	needChrome(t)
	at := chrome.Browser(t).Endpoint()
	tab := chrome.Open(t, chrometest.Page(t, "<h1>Sign in</h1>"))
	code, out, stderr := ctl(t, "browser", "tabs", "--attach", at)
	require.Zero(t, code, stderr)
	require.Contains(t, out, "- "+tab.ID()+" ")
	code, out, stderr = ctl(t, "snap", tab.ID(), "--attach", at)
	require.Zero(t, code, stderr)
	require.Contains(t, out, "Sign in")
	code, out, stderr = ctl(t, "browser", "tabs", "--attach", at)
	require.Zero(t, code, stderr)
	require.Regexp(t, `(?m)^t\d+ `+tab.ID()+" ", out)
	code, _, stderr = ctl(t, "snap", strings.Repeat("AB", 16), "--attach", at)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "there is no tab with the id "+strings.Repeat("AB", 16)+": refscopectl browser tabs lists the tabs")
}
