package app

import (
	"bytes"
	"flag"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// A path to a folder that is there is that folder, as the shell means it, and no page of a host.
func TestAFolderAsArgument(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("out/night", 0o700))
	here, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll("run", 0o700))
	require.NoError(t, os.WriteFile("run/session.json", nil, 0o600))
	for typed, want := range map[string]string{"": "", "run": filepath.Join(here, "run"),
		"run#2":     filepath.Join(here, "run") + "#2",
		"out/night": filepath.Join(here, "out", "night"), "out/day": "out/day",
		"out": "out", "shop#3": "shop#3",
		"out/night#3": filepath.Join(here, "out", "night") + "#3", "out/day#3": "out/day#3"} {
		o, err := ParseFlags([]string{typed}, os.Getenv, nil)
		require.NoError(t, err)
		require.Equal(t, want, o.URL)
	}
}

func TestFlags(t *testing.T) {
	env := func(k string) string { return map[string]string{"REFSCOPE_HOME": "h"}[k] }
	got, err := ParseFlags([]string{"--light", "--viewport", "800x600", "--session", "shop-1", "--attach",
		"localhost:9222", "example.org"}, env, nil)
	require.NoError(t, err)
	require.Equal(t, "h", got.Home)
	require.Equal(t, "shop-1", got.Session)
	require.Equal(t, image.Pt(800, 600), got.Viewport)
	require.Equal(t, "example.org", got.URL)
	require.Equal(t, core.LookLight, got.Look)

	got, err = ParseFlags(nil, env, nil)
	require.NoError(t, err)
	require.Equal(t, "window", got.Session)
	require.Equal(t, image.Pt(1280, 720), got.Viewport)

	tests := []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"--no-such"}, "see refscope --help"},
		{"viewport", []string{"--viewport", "wide"}, "WIDTHxHEIGHT"},
		{"viewport of nothing", []string{"--viewport", "0x5"}, "WIDTHxHEIGHT"},
		{"session", []string{"--session", "../x"}, "session name"},
		{"both themes", []string{"--dark", "--light"}, "exclude each other"},
		{"two pages", []string{"a.example", "b.example"}, "one page at most"},
		{"no time", []string{"--timeout", "0s"}, "greater than 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseFlags(tt.args, env, nil)
			require.ErrorContains(t, err, tt.want)
		})
	}

	var out bytes.Buffer
	_, err = ParseFlags([]string{"--help"}, env, &out)
	require.ErrorIs(t, err, flag.ErrHelp)
	require.Contains(t, out.String(), "-chrome")
	out.Reset()
	_, err = ParseFlags([]string{"--version"}, env, &out)
	require.ErrorIs(t, err, flag.ErrHelp)
	require.Equal(t, "refscope "+buildVersion+"\n", out.String())
}
