package launch

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// A browser that a program of Node.js drives through a pipe has a port beside it, also where a server between them was
// started with other variables; arguments, results and variables of all else are as they were.
func TestNodeEnv(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil { // CI's machine needs none
		testneed.Extra(t, "Node.js is told to give a browser a port, where it is installed")
	}
	testneed.Program(t, "sh", "the browser of this test is a script of a POSIX shell")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	home := filepath.Join(t.TempDir(), `a "home" folder`)
	env, err := NodeEnv(home)
	require.NoError(t, err)
	again, err := NodeEnv(home)
	require.NoError(t, err)
	require.Equal(t, env, again)
	run := func(env ...string) []string {
		c := exec.CommandContext(ctx, "node", "-e", `
const { spawn, execFileSync, spawnSync } = require('child_process');
const say = ['-c', 'printf "%s\n" "$0 $*"'];
const through = { stdio: 'inherit' };
const server = "require('child_process').spawn('sh', ['-c', 'printf \"%s\\\\n\" \"$0 $*\"', 'served', '--remote-debugging-pipe'], { stdio: 'inherit' })";
const list = [
  () => spawn('sh', [...say, 'piped', '--a', '--remote-debugging-pipe', '--b'], through),
  () => spawn('sh', [...say, 'ported', '--remote-debugging-port=9', '--remote-debugging-pipe'], through),
  () => spawn('sh', [...say, 'plain', '--b', process.env.MARK], through),
  () => spawn(process.execPath, ['-e', server], { ...through, env: { PATH: process.env.PATH } }),
];
const next = () => list.length && list.shift()().on('close', next);
next();
`)
		c.Env = append(append(os.Environ(), "MARK=x y"), env...)
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	require.Equal(t, []string{"piped --a --remote-debugging-pipe --b", "ported --remote-debugging-port=9 --remote-debugging-pipe",
		"plain --b x y", "served --remote-debugging-pipe"}, run())
	require.Equal(t, []string{"piped --a --remote-debugging-port=0 --remote-debugging-pipe --b",
		"ported --remote-debugging-port=9 --remote-debugging-pipe", "plain --b x y",
		"served --remote-debugging-port=0 --remote-debugging-pipe"}, run(env))

	t.Setenv(nodeOptions, "--no-warnings")
	env, err = NodeEnv(home)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(env, "NODE_OPTIONS=--no-warnings --require "), env)
	require.Len(t, run(env), 4)
	require.Empty(t, List(home))
}
