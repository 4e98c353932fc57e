package launch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is started here is listed below this process, with its own command line and that of this one above.
func TestBelow(t *testing.T) {
	if os.Getenv("LAUNCH_TEST_CHILD") != "" {
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the test has seen it
		return
	}
	args := []string{"-test.run", "^TestBelow$", "--", "--user-data-dir=" + filepath.Join(t.TempDir(), "a folder"), `a "b" \`}
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), "LAUNCH_TEST_CHILD=1")
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	seen := below(os.Getpid())
	require.NoError(t, stdin.Close())
	require.NoError(t, c.Wait())
	i := slices.IndexFunc(seen, func(p process) bool { return p.pid == c.Process.Pid })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, process{c.Process.Pid, append([]string{os.Args[0]}, args...), [][]string{os.Args}}, seen[i])
}

// The arguments of a program as macOS keeps them; what is no such record has none.
func TestArgvOf(t *testing.T) {
	const raw = "\x03\x00\x00\x00/Applications/Google Chrome\x00\x00\x00\x00Google Chrome\x00--user-data-dir=/a b\x00\x00HOME=/x\x00"
	require.Equal(t, []string{"Google Chrome", "--user-data-dir=/a b", ""}, argvOf([]byte(raw)))
	for _, broken := range []string{"", "\x01", "\xff\xff\xff\xff", "\xff\xff\xff\xff/a", "\x02\x00\x00\x00/a\x00b"} {
		require.Empty(t, argvOf([]byte(broken)))
	}
}
