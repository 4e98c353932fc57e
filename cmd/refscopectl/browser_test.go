package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A home has a browser of its own, at a port that no other home looks at; what its profile
// kept is gone with it, and it is found and closed without the list of tabs.
func TestEachHomeHasItsOwnBrowser(t *testing.T) {
	testneed.Long(t, "browsers of several homes")
	site := demoSite(t)
	open := func(u *user) (string, registry.Browser) {
		code, stdout, stderr := u.run("--quiet", fmt.Sprintf(`{"steps":[{"openTab":%q}]}`, site))
		require.Equal(t, 0, code, stdout+stderr)
		all := registry.Open(u.home).Browsers()
		require.Len(t, all, 1)
		for address, b := range all {
			require.NotEqual(t, "127.0.0.1:9222", address)
			require.DirExists(t, b.Profile)
			return address, b
		}
		return "", registry.Browser{}
	}
	one, other := newUser(t), newUser(t)
	first, b := open(one)
	again, _ := open(one)
	require.Equal(t, first, again, "the next command finds the browser of the one before")
	second, _ := open(other)
	require.NotEqual(t, first, second)

	require.NoError(t, os.WriteFile(filepath.Join(one.home, "tabs.json"), []byte("{damaged"), 0o600))
	code, _, stderr := one.run("browser", "close")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "tabs.json cannot be read")
	require.Empty(t, registry.Open(one.home).Browsers(), "it is closed all the same")
	require.NoDirExists(t, b.Profile)
	require.NoError(t, os.Remove(filepath.Join(one.home, "tabs.json")))
}

// The snapshot and the picture that an answer names are there while the tab is, and not after its browser.
func TestFilesOfAnAnswerGoWithTheBrowser(t *testing.T) {
	u := newUser(t)
	code, out, stderr := u.run("--quiet", "--attach", u.address(), `{"steps":[{"openTab":"data:text/html,<button>Go</button>"}]}`)
	require.Equal(t, 0, code, stderr)
	var answer struct{ FullSnapshot, Screenshot string }
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	for _, name := range []string{answer.FullSnapshot, answer.Screenshot} {
		require.FileExists(t, name)
	}
	code, _, stderr = u.run("--quiet", "browser", "close")
	require.Equal(t, 0, code, stderr)
	for _, name := range []string{answer.FullSnapshot, answer.Screenshot} {
		require.NoFileExists(t, name)
	}
}
