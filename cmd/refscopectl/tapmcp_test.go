package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tap is written into the file that has a server, also where another file of the client has none; a link stays a
// link, a comment stays, the mode stays, the file as it was is kept, and what cannot be changed is left and named.
func TestInstallTap(t *testing.T) {
	home, shop := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(shop)
	install := func(args ...string) (int, string, string) {
		return ctl(t, append([]string{"tap", "mcp", "--install", "cursor"}, args...)...)
	}
	code, _, stderr := install("--yes")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, filepath.Join(home, ".cursor", "mcp.json")+": set the server up in it first")

	project, user := filepath.Join(shop, ".cursor", "mcp.json"), filepath.Join(home, ".cursor", "mcp.json")
	real := filepath.Join(home, "dotfiles.json")
	const file = "{\n\t// mine\n\t\"mcpServers\": {\"p\": {\"command\": \"npx\", \"args\": [\n\t\t\"@playwright/mcp\", // newest\n\t]}},\n}\n"
	for name, text := range map[string]string{project: `{"mcpServers": {"files": {"command": "ls"}}}`, real: file} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o640))
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(user), 0o700))
	require.NoError(t, os.Symlink(real, user))
	require.NoError(t, os.Chmod(real, 0o440))
	code, _, stderr = install("--yes")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "is read-only")
	require.NoError(t, os.Chmod(real, 0o640))

	code, diff, stderr := install("--yes")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, diff, `+	"mcpServers": {"p": {"command": `)
	st, err := os.Lstat(user)
	require.NoError(t, err)
	require.NotZero(t, st.Mode()&os.ModeSymlink, "the link is one")
	st, err = os.Stat(real)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), st.Mode().Perm())
	after, err := os.ReadFile(real)
	require.NoError(t, err)
	require.Contains(t, string(after), "\"args\": [\"tap\", \"mcp\", \"--home\", ")
	require.Contains(t, string(after), "\"--\", \"npx\",\n\t\t\"@playwright/mcp\", // newest\n\t]}},\n}\n")
	kept, err := filepath.Glob(real + ".before-refscope-*")
	require.NoError(t, err)
	require.Len(t, kept, 1)
	before, err := os.ReadFile(kept[0])
	require.NoError(t, err)
	require.Equal(t, file, string(before))
	other, err := os.ReadFile(project)
	require.NoError(t, err)
	require.False(t, strings.Contains(string(other), "tap"))
}
