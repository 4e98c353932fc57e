package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// TestColoursAreForTerminals: a file and a pipe get none, unless a person wants them, and who wants none gets none.
func TestColoursAreForTerminals(t *testing.T) {
	const bold, red, off = "\x1b[1m", "\x1b[31m", "\x1b[0m"
	help := func() string {
		code, out, errs := ctl(t, "help", "session")
		require.Zero(t, code, errs)
		return out
	}
	plain := help()
	require.NotContains(t, plain, "\x1b")
	t.Setenv("CLICOLOR_FORCE", "1")
	painted := help()
	require.Contains(t, painted, bold+"Examples:"+off)
	require.Equal(t, plain, strings.NewReplacer(bold, "", off, "").Replace(painted), "colours change no word")
	_, _, errs := ctl(t, "snapp")
	require.True(t, strings.HasPrefix(errs, bold+red+"refscopectl:"+off+" unknown command"), "%q", errs)
	t.Setenv("NO_COLOR", "1")
	require.Equal(t, plain, help())
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
