package launch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/tap"
	"github.com/refscope/refscope/snapshot/testneed"
)

func TestEnv(t *testing.T) {
	withoutProxy(t)
	env := Env([]tap.BaseURL{{Upstream: tap.Upstream{Name: "openai", Variable: "OPENAI_BASE_URL"}, URL: "http://127.0.0.1:1/w/openai/v1"},
		{Upstream: tap.Upstream{Name: "compat/local"}, URL: "http://127.0.0.1:1/w/compat/local/v1"}})
	require.Equal(t, []string{"OPENAI_BASE_URL=http://127.0.0.1:1/w/openai/v1",
		"OPENAI_API_BASE=http://127.0.0.1:1/w/openai/v1"}, env)
}

// A proxy of the environment does not get what goes to this machine, and keeps the exceptions that it has.
func TestDirect(t *testing.T) {
	for _, row := range []struct{ set, want []string }{
		{nil, nil},
		{[]string{"NO_PROXY=x"}, nil},
		{[]string{"https_proxy=http://p:1"}, []string{"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost"}},
		{[]string{"HTTP_PROXY=http://p:1", "no_proxy=.corp"},
			[]string{"NO_PROXY=.corp,127.0.0.1,localhost", "no_proxy=.corp,127.0.0.1,localhost"}},
		{[]string{"all_proxy=http://p:1", "NO_PROXY=*"}, nil},
	} {
		withoutProxy(t)
		for _, v := range row.set {
			name, value, _ := strings.Cut(v, "=")
			t.Setenv(name, value)
		}
		require.Equal(t, row.want, Direct(), row.set)
		require.Equal(t, row.want, Env(nil))
	}
}

// withoutProxy empties what the machine's own environment says of proxies.
func withoutProxy(t *testing.T) {
	t.Helper()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"} {
		t.Setenv(name, "")
		t.Setenv(strings.ToLower(name), "")
	}
}

// What leads an agent to the tap is said for the one that is run, also by a shell or by npx.
func TestElsewhere(t *testing.T) {
	for command, want := range map[string]string{"claude -p x": "--settings", "npx @anthropic-ai/claude-code": "--settings",
		"/opt/bin/codex exec": "openai_base_url", "node agent.mjs": "tap --env"} {
		require.Contains(t, Elsewhere(strings.Fields(command)), want, command)
	}
	require.Contains(t, Elsewhere([]string{"sh", "-c", "codex exec 'click the button'"}), "openai_base_url")
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

	// What runs programs without a terminal gives them the null device, and interrupts the tap alone.
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	defer func(stdin *os.File) { os.Stdin = stdin }(os.Stdin)
	os.Stdin = null
	here := make(chan os.Signal, 1)
	signal.Notify(here, os.Interrupt)
	defer signal.Stop(here)
	ready := filepath.Join(t.TempDir(), "ready")
	code, err = Run([]string{"sh", "-c", `trap 'kill $!; exit 5' INT; sleep 20 & : > "$0"; wait`, ready}, nil, func(int) {
		go func() {
			for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
				runtime.Gosched()
			}
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				_ = self.Signal(os.Interrupt)
			}
		}()
	})
	require.NoError(t, err)
	require.Equal(t, 5, code)

	// One that comes while the command starts is not lost.
	<-here
	code, err = Run([]string{"sh", "-c", "exec sleep 20"}, nil, func(int) {
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		require.NoError(t, self.Signal(os.Interrupt))
		<-here
	})
	require.NoError(t, err)
	require.Equal(t, 128+int(syscall.SIGINT), code)

	_, err = Run([]string{filepath.Join(t.TempDir(), "nothing")}, nil, nil)
	require.ErrorContains(t, err, "starting ")
}

// A command ends with the tap that is killed, by a signal that it can heed: what it has started is its own to end.
func TestEndsWithAKilledTap(t *testing.T) {
	if runtime.GOOS != "linux" { // see StartTied
		return
	}
	out := filepath.Join(t.TempDir(), "out")
	if os.Getenv("LAUNCH_TEST_TAP") != "" {
		_, err := Run([]string{"sh", "-c", `trap 'echo heeded > "$0"; exit' TERM; while :; do sleep 60 & echo $! >&2; wait; done`,
			os.Getenv("LAUNCH_TEST_TAP")}, nil, nil)
		require.NoError(t, err)
		return
	}
	tapped := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestEndsWithAKilledTap$")
	tapped.Env = append(os.Environ(), "LAUNCH_TEST_TAP="+out)
	said, err := tapped.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, tapped.Start())
	line, err := bufio.NewReader(said).ReadString('\n') // the command runs
	require.NoError(t, err)
	defer func() { // what the command left behind
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		left, err := os.FindProcess(pid)
		require.NoError(t, err)
		require.NoError(t, left.Kill())
	}()
	require.NoError(t, tapped.Process.Kill())
	require.Error(t, tapped.Wait())
	require.Eventually(t, func() bool {
		heeded, _ := os.ReadFile(out)
		return string(heeded) == "heeded\n"
	}, time.Minute, 10*time.Millisecond)
}

// On Windows, which has no signals, the command is ended with the tap. One that ends by itself unties what it has left.
func TestEndsWithAKilledTapOnWindows(t *testing.T) {
	if runtime.GOOS != "windows" {
		return
	}
	switch os.Getenv("LAUNCH_TEST_PART") {
	case "command":
		fmt.Println(os.Getpid())
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is ended
		return
	case "tap":
		_, err := Run([]string{os.Args[0], "-test.run", "^TestEndsWithAKilledTapOnWindows$"},
			[]string{"LAUNCH_TEST_PART=command"}, nil)
		require.NoError(t, err)
		return
	}
	tapped := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestEndsWithAKilledTapOnWindows$")
	tapped.Env = append(os.Environ(), "LAUNCH_TEST_PART=tap")
	hold, end, err := os.Pipe()
	require.NoError(t, err)
	defer end.Close()
	tapped.Stdin = hold
	said, err := tapped.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, tapped.Start())
	line, err := bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err)
	require.True(t, browser.Alive(pid))
	require.NoError(t, tapped.Process.Kill())
	require.Error(t, tapped.Wait())
	require.Eventually(t, func() bool { return !browser.Alive(pid) }, time.Minute, 10*time.Millisecond)
}

// first is the address of the first browser that is found, and the context that ends with it.
func first(ctx context.Context, t *testing.T, piped func(Piped)) (address string, lives context.Context) {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	t.Cleanup(stop)
	type browser struct {
		address string
		lives   context.Context
	}
	found := make(chan browser, 9)
	ended := make(chan error, 1)
	go func() {
		ended <- Browsers(ctx, os.Getpid(), func(ctx context.Context, at string) { found <- browser{at, ctx} }, piped)
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	select {
	case b := <-found:
		return b.address, b.lives
	case <-ctx.Done():
		require.NoError(t, ctx.Err(), "no browser is found")
	}
	return "", nil
}

// The port of a browser is that of its flag, of the file in its profile where the flag is 0, and no renderer has one.
// The browser is known to have ended then.
func TestBrowsers(t *testing.T) {
	testneed.Program(t, "sh", "what stands for browsers in this test are shells")
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
		at, lives := first(ctx, t, nil)
		require.Equal(t, "127.0.0.1:"+port, at)
		require.NoError(t, lives.Err())
		for _, c := range []*exec.Cmd{renderer, browser} {
			require.NoError(t, c.Process.Kill())
			_ = c.Wait()
		}
		<-lives.Done()
		require.NoError(t, ctx.Err())
	}
}

// Browsers that run at once, or one after another at the same port, are found each.
func TestBrowsersAtOnce(t *testing.T) {
	testneed.Program(t, "sh", "what stands for browsers in this test are shells")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	start := func(port string) *exec.Cmd {
		c := exec.CommandContext(ctx, "sh", "-c", "sleep 60; :", "chrome", "--remote-debugging-port="+port)
		require.NoError(t, c.Start())
		return c
	}
	type browser struct {
		address string
		lives   context.Context
	}
	found := make(chan browser, 9)
	ended := make(chan error, 1)
	looking, stop := context.WithCancel(ctx)
	go func() {
		ended <- Browsers(looking, os.Getpid(), func(ctx context.Context, at string) { found <- browser{at, ctx} }, nil)
	}()
	for _, port := range []string{"9401", "9402", "9401"} {
		c := start(port)
		b := <-found
		require.Equal(t, "127.0.0.1:"+port, b.address)
		if port == "9401" {
			require.NoError(t, c.Process.Kill())
			_ = c.Wait()
			<-b.lives.Done()
		} else {
			t.Cleanup(func() {
				_ = c.Process.Kill()
				_ = c.Wait()
			})
		}
	}
	require.Empty(t, found)
	stop()
	require.NoError(t, <-ended)
}

// A browser that is driven through a pipe is told once, with what helps for the program that drives it, and one with a
// port is found beside it.
func TestPiped(t *testing.T) {
	testneed.Program(t, "sh", "what stands for browsers in this test are shells")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	asked := make(chan Piped, 9)
	start := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(ctx, "sh", append([]string{"-c", "sleep 60; :"}, args...)...)
		require.NoError(t, c.Start())
		return c
	}
	piped := start("/node_modules/playwright-core/x", "--remote-debugging-pipe", "--user-data-dir=/tmp/puppeteer_dev_chrome_profile-1")
	port := start("x", "--remote-debugging-port=9334")
	at, _ := first(ctx, t, func(p Piped) { asked <- p })
	require.Equal(t, "127.0.0.1:9334", at)
	told := <-asked
	require.Empty(t, asked)
	require.Contains(t, told.Setting(), "pipe: false")
	require.NotEmpty(t, told.Above)
	for _, c := range []*exec.Cmd{piped, port} {
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
	}
	require.Contains(t, Piped{Above: [][]string{{"python", "/lib/browser-use/run.py"}}}.Setting(), "cdp_url")
	require.Contains(t, Piped{Profile: "/tmp/playwright_chromiumdev_profile-x"}.Setting(), "args of launch")
	require.Contains(t, Piped{}.Setting(), "--remote-debugging-port=0")
	require.True(t, Piped{Above: [][]string{{"node", "cli.js"}, {"/usr/bin/codex", "exec"}}}.ByCodex())
	require.False(t, Piped{Above: [][]string{{"node", "codex.js"}, nil}}.ByCodex())
}
