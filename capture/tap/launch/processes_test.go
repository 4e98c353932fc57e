package launch

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

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
	ours := family{pid: os.Getpid()}
	seen := ours.below()
	require.NoError(t, stdin.Close())
	require.NoError(t, c.Wait())
	i := slices.IndexFunc(seen, func(p process) bool { return p.pid == c.Process.Pid })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, process{c.Process.Pid, append([]string{os.Args[0]}, args...), [][]string{os.Args}}, seen[i])
}

// A daemon that a command leaves behind is one of its processes as long as it runs, where it was seen below it.
func TestDaemons(t *testing.T) {
	switch address := os.Getenv("LAUNCH_TEST_DAEMON"); {
	case os.Getenv("LAUNCH_TEST_CHILD") == "tool":
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestDaemons$")
		c.Env = append(os.Environ(), "LAUNCH_TEST_CHILD=daemon")
		require.NoError(t, c.Start())
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(0) // without an end of what it started
	case address != "":
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = fmt.Fprintln(conn, os.Getpid())
		require.NoError(t, err)
		_, _ = conn.Read(make([]byte, 1))
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestDaemons$")
	c.Env = append(os.Environ(), "LAUNCH_TEST_CHILD=tool", "LAUNCH_TEST_DAEMON="+l.Addr().String())
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	conn, err := l.Accept()
	require.NoError(t, err)
	defer conn.Close()
	var daemon int
	_, err = fmt.Fscanln(conn, &daemon)
	require.NoError(t, err)
	runs := func(f *family) bool {
		return slices.ContainsFunc(f.below(), func(p process) bool { return p.pid == daemon })
	}
	ours := family{pid: os.Getpid()}
	require.True(t, runs(&ours))
	require.NoError(t, stdin.Close())
	require.NoError(t, c.Wait())
	require.False(t, runs(&family{pid: os.Getpid()}), "nothing says whose it is")
	require.True(t, runs(&ours))
	require.True(t, runs(&ours))
	require.NoError(t, conn.Close())
	require.Eventually(t, func() bool { return !runs(&ours) }, 20*time.Second, 10*time.Millisecond)
}

// The arguments of a program as macOS keeps them; what is no such record has none.
func TestArgvOf(t *testing.T) {
	const raw = "\x03\x00\x00\x00/Applications/Google Chrome\x00\x00\x00\x00Google Chrome\x00--user-data-dir=/a b\x00\x00HOME=/x\x00"
	require.Equal(t, []string{"Google Chrome", "--user-data-dir=/a b", ""}, argvOf([]byte(raw)))
	for _, broken := range []string{"", "\x01", "\xff\xff\xff\xff", "\xff\xff\xff\xff/a", "\x02\x00\x00\x00/a\x00b"} {
		require.Empty(t, argvOf([]byte(broken)))
	}
}
