package window

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/release"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// The stage wine runs the programs for Windows as a person there would, on Linux: Wine has Windows' rules for paths,
// files that are open, sockets, consoles and processes. Chrome is the one of this system, outside, with a debugging
// port on loopback, as no Chrome for Windows is needed to see what our programs do.

// prng is what Go's programs take their random numbers from on Windows, and Wine before 8.14 lacks: one function of
// bcryptprimitives.dll, by the older one that does the same (RtlGenRandom).
const prng = `#include <windows.h>
BOOLEAN WINAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
	while (size > 0) {
		ULONG part = size > 65536 ? 65536 : (ULONG)size;
		if (!SystemFunction036(data, part)) return FALSE;
		data += part;
		size -= part;
	}
	return TRUE;
}
`

// Wine builds the programs for Windows, runs them under Wine and looks at what they made.
func Wine(ctx context.Context, t *setup.Test) (output string, err error) {
	for _, n := range append(setup.WineNeeds(), setup.ChromeNeed()) {
		if _, err := n.Probe(ctx, t.Dev); err != nil {
			return "", fmt.Errorf("%w: no %s (%w): %s", setup.ErrSkipped, n.Name, err, n.Advice(t.Machine.Family))
		}
	}
	folder, err := os.MkdirTemp("", "refscope-wine-")
	if err != nil {
		return "", fmt.Errorf("wine: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	w := &wine{Test: t, folder: folder, bin: filepath.Join(t.Root, "bin")}
	if w.loader, err = setup.WineProgram(); err != nil {
		return "", err
	}
	if w.server, err = wineServer(w.loader); err != nil {
		return "", err
	}
	if err := os.MkdirAll(t.Artifact(""), 0o755); err != nil {
		return "", fmt.Errorf("wine: %w", err)
	}
	if out, err := w.build(ctx); err != nil {
		return out, err
	}
	defer w.stop()
	if err := w.prepare(ctx); err != nil {
		return "", err
	}
	address, leave, err := setup.StartChrome(ctx, t.Dev, folder, "outside")
	if err != nil {
		return "", err
	}
	defer leave()
	w.chrome = address
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, winePage) // a client that is gone needs none
	}))
	defer site.Close()
	w.site = site.URL + "/"
	for _, c := range wineChecks() {
		begin := time.Now()
		stop := t.Pulse(ctx, "under Wine: "+c.name)
		err := c.do(ctx, w)
		stop()
		switch {
		case errors.Is(err, setup.ErrSkipped):
			t.Say("      %s: %v", c.name, err)
		case err != nil:
			return w.log.String(), fmt.Errorf("%s: %w", c.name, err)
		default:
			t.Say("      %s  %s", setup.Seconds(time.Since(begin)), c.name)
		}
	}
	return w.log.String(), nil
}

// wine is a Windows in a temporary folder.
type wine struct {
	*setup.Test
	folder, bin    string
	loader, server string // programs of Wine
	chrome, site   string // HOST:PORT; the address of the fixture
	log            bytes.Buffer
}

// wineServer is Wine's server that belongs to a loader: it stands beside it, or in PATH.
func wineServer(loader string) (string, error) {
	for _, name := range []string{filepath.Join(filepath.Dir(loader), "wineserver"), "wineserver", "wineserver64"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no wineserver beside wine64 nor in PATH")
}

// drive is where C: of this Windows is on Linux.
func (w *wine) drive() string { return filepath.Join(w.folder, "prefix", "drive_c") }

// build builds both programs as they are handed out, into bin/. Only the flags of C are those of go build, so that what
// somebody has compiled for Windows before is not compiled again: GL's bindings take MinGW ten minutes.
func (w *wine) build(ctx context.Context) (string, error) {
	r, err := release.New(ctx, w.Test.Dev, w.folder)
	if err != nil {
		return "", err
	}
	for _, name := range []string{"refscopectl", "refscope"} {
		env, args := r.Build(name, release.Target{GOOS: "windows", GOARCH: "amd64"})
		env = append(env, "CC="+setup.MinGW, "CGO_CFLAGS=-O2 -g")
		args = append(args, "-o", w.program(name), "./cmd/"+name)
		if out, err := w.Tool(ctx, env, "go", args...); err != nil {
			return out, fmt.Errorf("build %s for Windows: %w", name, err)
		}
	}
	return "", nil
}

// prepare makes the Windows, and what Go's programs need of it and this Wine lacks.
func (w *wine) prepare(ctx context.Context) error {
	if _, _, err := w.run(ctx, 0, "wineboot.exe", "--init"); err != nil {
		return err
	}
	library := filepath.Join(w.drive(), "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err == nil {
		return nil
	}
	out, err := setup.CompileBy(ctx, []string{setup.MinGW}, prng, "-x", "c", "-", "-shared", "-O2", "-s", "-o", library,
		"-ladvapi32")
	if err != nil {
		return fmt.Errorf("compile ProcessPrng: %w\n%s", err, out)
	}
	return nil
}

// env is the environment of a program: no display, no offer to download what .NET and HTML pages would need.
func (w *wine) env() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "DISPLAY" || name == "CHROME_PATH" || strings.HasPrefix(name, "REFSCOPE_") &&
			!strings.HasPrefix(name, "REFSCOPE_GUARD")
	})
	return append(env, "WINEPREFIX="+filepath.Join(w.folder, "prefix"), "WINEARCH=win64", "WINEDEBUG=-all",
		"WINEDLLOVERRIDES=mscoree,mshtml=", "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
}

// run runs a program of Windows to its end and returns what it printed. Another exit code than the wanted one is an
// error. Its streams are files: what it leaves running would keep pipes open.
func (w *wine) run(ctx context.Context, code int, program string, args ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.loader, append([]string{program}, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = w.drive(), w.env(), setup.Grace
	if _, err := os.Stat(cmd.Dir); err != nil {
		cmd.Dir = w.folder // before the Windows is made
	}
	said := make([]*os.File, 2)
	for i := range said {
		if said[i], err = os.CreateTemp(w.folder, "said-"); err != nil {
			return "", "", err
		}
		defer func() { _ = said[i].Close() }() // read whole by then
	}
	cmd.Stdout, cmd.Stderr = said[0], said[1]
	err = cmd.Run()
	texts := make([]string, 2)
	for i, f := range said {
		b, rerr := os.ReadFile(f.Name())
		if rerr != nil {
			return "", "", rerr
		}
		texts[i] = string(b)
	}
	name := filepath.Base(program)
	fmt.Fprintf(&w.log, "%s\n%s\n%s", setup.Short(name, args), setup.Tail(texts[0], 20), texts[1])
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", "", fmt.Errorf("%s: %w", setup.Short(name, args), ctx.Err())
	case err != nil && !errors.As(err, &exit):
		return "", "", fmt.Errorf("%s: %w", setup.Short(name, args), err)
	case cmd.ProcessState.ExitCode() != code:
		return "", "", fmt.Errorf("%s: exit %d, expected %d: %s", setup.Short(name, args),
			cmd.ProcessState.ExitCode(), code, setup.FirstLine(texts[1]+texts[0], errors.New("it said nothing")))
	}
	return texts[0], texts[1], nil
}

// program is the path of one of ours.
func (w *wine) program(name string) string { return filepath.Join(w.bin, name+".exe") }

// ctl runs refscopectl, which is to succeed, and returns its standard output.
func (w *wine) ctl(ctx context.Context, args ...string) (string, error) {
	out, _, err := w.run(ctx, 0, w.program("refscopectl"), args...)
	return out, err
}

// attached is [wine.ctl] with the Chrome outside.
func (w *wine) attached(ctx context.Context, args ...string) (string, error) {
	return w.ctl(ctx, append(args, "--attach", w.chrome)...)
}

// ended waits until this Windows has no process any more. One that nobody ends would keep it forever: its own
// services end with the last program of a person, and its server after that.
func (w *wine) ended(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.server, "-w")
	cmd.Env = w.env()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("something still runs 90 s after the last command: %q",
			slices.Collect(maps.Values(w.processes())))
	}
	if err != nil {
		return fmt.Errorf("wineserver -w: %w: %s", err, out)
	}
	return nil
}

// processes are the command lines of this Windows' programs that run, by their ids on Linux: all of them have its
// environment.
func (w *wine) processes() map[int]string {
	mark := []byte("WINEPREFIX=" + filepath.Join(w.folder, "prefix") + "\x00")
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	found := map[int]string{}
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		env, eerr := os.ReadFile(filepath.Join(folder, "environ"))
		line, lerr := os.ReadFile(filepath.Join(folder, "cmdline"))
		if errors.Join(err, eerr, lerr) == nil && bytes.Contains(env, mark) && len(line) > 0 {
			found[pid] = strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// running is the process whose command line has all the parts.
func (w *wine) running(parts ...string) (pid int, err error) {
	found := w.processes()
	for pid, line := range found {
		if !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(line, p) }) {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("no process has %q; there are %q", parts, slices.Collect(maps.Values(found)))
}

// stop ends what still runs, where a check has failed.
func (w *wine) stop() {
	cmd := exec.Command(w.server, "-k")
	cmd.Env = w.env()
	_ = cmd.Run() // where nothing runs any more it says so
}
