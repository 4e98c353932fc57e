package launch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/testneed"
)

func TestEnv(t *testing.T) {
	env := Env([]tap.BaseURL{{Upstream: tap.Upstream{Name: "openai", Variable: "OPENAI_BASE_URL"}, URL: "http://127.0.0.1:1/w/openai/v1"},
		{Upstream: tap.Upstream{Name: "compat/local"}, URL: "http://127.0.0.1:1/w/compat/local/v1"}})
	require.Equal(t, []string{"OPENAI_BASE_URL=http://127.0.0.1:1/w/openai/v1",
		"OPENAI_API_BASE=http://127.0.0.1:1/w/openai/v1"}, env)
}

// A command has its variables, and gives its own exit code back, or 128 and the signal that ended it.
func TestRun(t *testing.T) {
	testneed.Program(t, "sh", "the commands of this test are those of a POSIX shell")
	out := filepath.Join(t.TempDir(), "out")
	code, err := Run([]string{"sh", "-c", `printf %s "$OPENAI_BASE_URL" > "$0"; exit 7`, out},
		[]string{"OPENAI_BASE_URL=http://127.0.0.1:1"}, nil)
	require.NoError(t, err)
	require.Equal(t, 7, code)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:1", string(data))

	code, err = Run([]string{"sh", "-c", "exec sleep 60"}, nil, func(pid int) {
		p, err := os.FindProcess(pid)
		require.NoError(t, err)
		require.NoError(t, p.Signal(syscall.SIGTERM))
	})
	require.NoError(t, err)
	require.Equal(t, 128+int(syscall.SIGTERM), code)

	_, err = Run([]string{filepath.Join(t.TempDir(), "nothing")}, nil, nil)
	require.ErrorContains(t, err, "starting ")
}

// The port of a browser is that of its flag, of the file in its profile where the flag is 0, and no renderer has one.
func TestChrome(t *testing.T) {
	if runtime.GOOS != "linux" {
		_, err := Chrome(context.Background(), os.Getpid())
		require.ErrorContains(t, err, "--attach")
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	folder := t.TempDir()
	written := filepath.Join(folder, "DevToolsActivePort")
	require.NoError(t, os.WriteFile(written, []byte("4711\n/devtools/browser/x"), 0o600))
	for port, flags := range map[string][]string{
		"9333": {"--remote-debugging-port=9333"},
		"4711": {"--remote-debugging-port=0", "--user-data-dir=" + folder},
	} {
		args := append([]string{"-c", "sleep 60; :", "chrome"}, flags...)
		renderer := exec.CommandContext(ctx, "sh", "-c", "sleep 60; :", "chrome", "--type=renderer",
			"--remote-debugging-port=1")
		require.NoError(t, renderer.Start())
		browser := exec.CommandContext(ctx, "sh", args...)
		require.NoError(t, browser.Start())
		at, err := Chrome(ctx, os.Getpid())
		require.NoError(t, err)
		require.Equal(t, "127.0.0.1:"+port, at)
		for _, c := range []*exec.Cmd{renderer, browser} {
			require.NoError(t, c.Process.Kill())
			_ = c.Wait()
		}
	}
}
