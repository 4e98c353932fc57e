package app

import (
	"bytes"
	"flag"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

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
		{"no time", []string{"--timeout", "0s"}, "more than nothing"},
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
	require.Equal(t, "refscope "+Version+"\n", out.String())
}
