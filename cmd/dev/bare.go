package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/snapshot/testneed/guard"
)

// bareTask runs a command, else the README's test, in a clone of the last commit inside a Debian or Ubuntu that was
// made for it: nothing is installed there but git and certificates, and Go is copied in. So what this machine happens
// to have cannot hide a need that the list of needs lacks. The root is removed afterwards; its mounts and processes are
// in namespaces of their own and end with it, however that comes.
func bareTask(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("bare", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	may := flags.Bool("may", false, "where no root can be made, say so and run the command here")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("bare: %w", err)
	}
	words := flags.Args()
	if len(words) == 0 {
		words = []string{"go", "run", "./cmd/dev", "test"}
	}
	begin := time.Now()
	root, err := makeBare(ctx, d)
	defer func() {
		if root != "" { // no mount of ours is visible from here, and rm enters no other file system
			_, _ = d.Output(context.WithoutCancel(ctx), nil, nil, "rm", "-rf", "--one-file-system", root)
		}
	}()
	if err == nil {
		_, err = d.Output(ctx, nil, nil, "unshare", bareWords(root, "true")...)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && *may:
		d.Say("No bare root here, so it runs on this machine as it is: %v", err)
		cmd := setup.Command(ctx, d.Root, false, words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return waitFor(ctx, d, cmd, "here", begin)
	case err != nil:
		return fmt.Errorf("make a bare root: %w", err)
	}
	d.Say("A bare root in %s; in it: %s", setup.Seconds(time.Since(begin)), strings.Join(words, " "))
	cmd := setup.Command(ctx, d.Root, false, "unshare", bareWords(root, words...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = bareEnv(ctx)
	return waitFor(ctx, d, cmd, "in the bare root", begin)
}

// wait runs a command to its end, with whatever it leaves behind.
func waitFor(ctx context.Context, d *setup.Dev, cmd *exec.Cmd, where string, begin time.Time) error {
	err := cmd.Run()
	_ = setup.EndGroup(cmd, true) // nothing where it left nothing
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s, after %s: %w", where, setup.Seconds(time.Since(begin)), err)
	}
	d.Say("Done %s in %s", where, setup.Seconds(time.Since(begin)))
	return nil
}

// bareClone is where the repository lies inside the root.
const bareClone = "/srv/refscope"

// bareWords are the arguments of unshare that run a command inside the root, with processes and mounts of its own. The
// windows of a display that is here can open from there too.
func bareWords(root string, words ...string) []string {
	const enter = `set -eu; root=$1; shift
mount -t proc proc "$root/proc"
for d in sys dev; do mount --rbind "/$d" "$root/$d"; done
if [ -d /tmp/.X11-unix ]; then mkdir -p "$root/tmp/.X11-unix"; mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"; fi
exec chroot "$root" /bin/sh -c 'cd ` + bareClone + `; exec "$@"' sh "$@"`
	return append([]string{"--mount", "--pid", "--fork", "--kill-child", "sh", "-c", enter, "sh", root}, words...)
}

// bareEnv is the environment inside the root: what go needs to fetch modules, the display, and nothing else.
func bareEnv(ctx context.Context) []string {
	env := []string{guard.Mark(), "HOME=/root",
		"PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"CI=true", "GOTOOLCHAIN=local"}
	for _, name := range []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE"} {
		if out, err := exec.CommandContext(ctx, "go", "env", name).Output(); err == nil {
			env = append(env, name+"="+strings.TrimSpace(string(out)))
		}
	}
	for _, name := range []string{"DISPLAY", "LIBGL_ALWAYS_SOFTWARE", "http_proxy", "https_proxy",
		"no_proxy", "HTTP_PROXY",
		"HTTPS_PROXY", "NO_PROXY"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// makeBare makes the root and clones the last commit into it. The folder is returned where one was made, also with an
// error.
func makeBare(ctx context.Context, d *setup.Dev) (root string, err error) {
	switch {
	case d.Machine.GOOS != "linux" || !d.Machine.Apt():
		return "", fmt.Errorf("it is a Debian or Ubuntu, and is made on one, not on %s", d.Machine.Family)
	case !d.Machine.Root:
		return "", errors.New("only root may make one: run this with sudo")
	}
	if _, err := exec.LookPath("debootstrap"); err != nil {
		if err := d.Install(ctx, []string{"debootstrap"}, true); err != nil {
			return "", err
		}
	}
	release, err := exec.CommandContext(ctx, "sh", "-c", `. /etc/os-release; echo "$VERSION_CODENAME"`).Output()
	if err != nil {
		return "", fmt.Errorf("the name of this release: %w", err)
	}
	goRoot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	// Not /tmp, which may be memory: the root, the modules and what is compiled take some gigabytes.
	if root, err = os.MkdirTemp("/var/tmp", "refscope-bare-"); err != nil {
		return "", err
	}
	if err := d.Guard.Remove(root); err != nil {
		return root, err
	}
	const fill = `set -eu; root=$1 goroot=$2 repo=$3
chmod 755 "$root"
mkdir -p "$root/usr/local" "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d"
cp -a "$goroot" "$root/usr/local/go"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -a /usr/local/share/ca-certificates "$root/usr/local/share/" 2>/dev/null || true
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
	cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"; rm -f "$root/etc/apt/sources.list"
fi
# How this machine reaches its mirror, not how it installs.
for f in /etc/apt/apt.conf.d/*; do
	if grep -qiE 'proxy|acquire::(http|https)|verify' "$f"; then cp "$f" "$root/etc/apt/apt.conf.d/"; fi
done
git -c safe.directory="$repo" clone -q --no-hardlinks "$repo" "$root` + bareClone + `"`
	for _, step := range [][]string{
		// What it mounts is seen in it alone, and goes with it.
		{"unshare", "--mount", "debootstrap", "--variant=minbase", "--include=ca-certificates,git",
			strings.TrimSpace(string(release)), root},
		{"sh", "-c", fill, "sh", root, strings.TrimSpace(string(goRoot)), filepath.Clean(d.Root)},
	} {
		begin := time.Now()
		out, err := d.Output(ctx, func(line string) { d.Status("%s  %s", setup.Seconds(time.Since(begin)), line) },
			nil, step[0],
			step[1:]...)
		if err != nil {
			return root, fmt.Errorf("%w\n%s", err, setup.Tail(setup.Visible(out), 4))
		}
	}
	return root, nil
}
