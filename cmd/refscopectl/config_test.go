package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A flag beats its variable, the variable beats the file, and each wrong value is refused with the place it comes from.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	file := filepath.Join(dir, "refscope", "config.yaml")
	get := func(args ...string) string {
		return strings.TrimSpace(well(t, append(args, "config", "get", "viewport")...))
	}

	require.Equal(t, "1280x720", get())
	well(t, "config", "set", "viewport", "1000x600")
	require.Equal(t, "1000x600", get())
	t.Setenv("REFSCOPE_VIEWPORT", "900x500")
	require.Equal(t, "900x500", get())
	require.Equal(t, "iphone-14", get("--viewport", "iphone-14"))
	require.Contains(t, well(t, "config", "list"), "900x500                  $REFSCOPE_VIEWPORT")

	t.Setenv("REFSCOPE_VIEWPORT", "")
	t.Setenv("REFSCOPE_TIMEOUT", "soon")
	code, _, errs := ctl(t, "config", "list")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `$REFSCOPE_TIMEOUT: "soon"`)
	t.Setenv("REFSCOPE_TIMEOUT", "")

	for _, wrong := range [][]string{{"viewport", "large"}, {"nope", "1"}, {"json", "true"}} {
		code, _, errs = ctl(t, append([]string{"config", "set"}, wrong...)...)
		require.Equal(t, 2, code, wrong)
		require.Contains(t, errs, wrong[0], wrong)
	}
	require.Equal(t, "1000x600", get(), "a value that was refused is not written")
	well(t, "config", "set", "viewport")
	require.Equal(t, "1280x720", get())

	require.NoError(t, os.WriteFile(file, []byte("nope: 1\n"), 0o600))
	code, _, errs = ctl(t, "config", "list")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `unknown setting "nope"`)
	require.NoError(t, os.WriteFile(file, []byte("- a\n"), 0o600))
	code, _, errs = ctl(t, "config", "list")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "write NAME: VALUE on each line")
}

func TestHelpTopics(t *testing.T) {
	for _, topic := range topics() {
		out := well(t, "help", topic.name)
		require.Contains(t, out, topic.short)
		require.Greater(t, strings.Count(out, "\n"), 4, topic.name)
	}
	out := well(t, "help", "environment")
	for _, f := range keptFlags(newRoot(silent())) {
		require.Contains(t, out, variableOf(f.Name))
	}
	require.Contains(t, well(t, "help", "session", "note"), "refscopectl session note")
	for _, wrong := range []string{"snpa", "session nope", "environments"} {
		code, out, errs := ctl(t, append([]string{"help"}, strings.Fields(wrong)...)...)
		require.Equal(t, 2, code, wrong)
		require.Empty(t, out)
		require.Contains(t, errs, "there is no command or topic", wrong)
	}
}
