package cli

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPaint: severities and the sides of a difference, and nothing of a page that looks like an escape.
func TestPaint(t *testing.T) {
	require.Equal(t, boldOn+redOn+"ERROR"+allOff+" a\n"+boldOn+amberOn+"WARNING"+allOff+" b\nERRORS\n",
		PaintText("ERROR a\nWARNING b\nERRORS\n"))
	require.Equal(t, "--- a\n+++ b\n same\n"+redOn+"-gone"+allOff+"\n"+greenOn+"+come"+allOff+"\n",
		PaintSides("--- a\n+++ b\n same\n-gone\n+come\n"))
	t.Setenv("CLICOLOR_FORCE", "1")
	var out bytes.Buffer
	a := &App{Stdout: &out}
	require.NoError(t, a.Show(t.Context(), "ERROR \x1b[8mhidden\n", PaintText))
	require.Equal(t, boldOn+redOn+"ERROR"+allOff+` \u{1b}[8mhidden`+"\n", out.String())
}

// TestPager: the variables of all programs, ours before them.
func TestPager(t *testing.T) {
	t.Setenv("PAGER", "more -s")
	require.Equal(t, []string{"more", "-s"}, pager())
	t.Setenv("REFSCOPE_PAGER", `less -S "a b"`)
	require.Equal(t, []string{"less", "-S", "a b"}, pager())
	for _, none := range []string{"", "cat"} {
		t.Setenv("REFSCOPE_PAGER", none)
		require.Nil(t, pager())
	}
}

// TestTheNullDeviceIsNoTerminal: pictures go there, and no colours, and nobody answers there.
func TestTheNullDeviceIsNoTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, Terminal(null))
	require.False(t, coloured(null))
	name := Dash
	a := &App{Stdout: null}
	_, err = a.ToOutput("mark", Written{&name, ".png"})
	require.NoError(t, err)
	for _, dir := range a.temporary {
		require.NoError(t, os.RemoveAll(dir))
	}
}
