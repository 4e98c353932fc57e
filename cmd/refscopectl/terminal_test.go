package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// TestColoursAreForTerminals: a file and a pipe get none, unless a person wants them, and who wants none gets none.
func TestColoursAreForTerminals(t *testing.T) {
	help := func() string {
		code, out, errs := ctl(t, "help", "session")
		require.Zero(t, code, errs)
		return out
	}
	plain := help()
	require.NotContains(t, plain, "\x1b")
	t.Setenv("CLICOLOR_FORCE", "1")
	painted := help()
	require.Contains(t, painted, boldOn+"Examples:"+allOff)
	require.Equal(t, plain, strings.NewReplacer(boldOn, "", allOff, "").Replace(painted), "colours change no word")
	_, _, errs := ctl(t, "snapp")
	require.True(t, strings.HasPrefix(errs, boldOn+redOn+"refscopectl:"+allOff+" unknown command"), "%q", errs)
	t.Setenv("NO_COLOR", "1")
	require.Equal(t, plain, help())
}

// TestPaint: severities and the sides of a difference, and nothing of a page that looks like an escape.
func TestPaint(t *testing.T) {
	require.Equal(t, boldOn+redOn+"ERROR"+allOff+" a\n"+boldOn+amberOn+"WARNING"+allOff+" b\nERRORS\n",
		paintText("ERROR a\nWARNING b\nERRORS\n"))
	require.Equal(t, "--- a\n+++ b\n same\n"+redOn+"-gone"+allOff+"\n"+greenOn+"+come"+allOff+"\n",
		paintSides("--- a\n+++ b\n same\n-gone\n+come\n"))
	t.Setenv("CLICOLOR_FORCE", "1")
	var out bytes.Buffer
	a := &app{stdout: &out}
	require.NoError(t, a.show(t.Context(), "ERROR \x1b[8mhidden\n", paintText))
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

// TestALongTextGoesToThePager: on a terminal of few lines; a short one, a pipe and --json do not.
func TestALongTextGoesToThePager(t *testing.T) {
	testneed.Program(t, "script", "it gives the program a terminal: util-linux has it")
	self, err := os.Executable()
	require.NoError(t, err)
	on := func(rows int, args string) string {
		line := fmt.Sprintf("stty rows %d cols 100; PAGER='sed s/^/paged:/' NO_COLOR=1 %s %s", rows, self, args)
		cmd := exec.CommandContext(t.Context(), "script", "-qec", line, "/dev/null")
		cmd.Env = append(os.Environ(), "REFSCOPECTL_PROGRAM=1", "REFSCOPE_HOME="+t.TempDir())
		out, err := cmd.Output()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Contains(t, on(10, "help session"), "paged:session: ")
	require.Contains(t, on(10, "session --help"), "paged:session: ")
	require.Contains(t, on(10, "help targets"), "targets: ")
	require.NotContains(t, on(400, "help session"), "paged:")
	require.NotContains(t, on(10, "session list --json"), "paged:")
}
