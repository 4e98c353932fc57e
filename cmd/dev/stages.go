package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// staticcheck is pinned: a new version finds new things, and that is a change of its own.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.0"

// canaries are the tests that put secrets into pages. They are a stage of their own, so that its line in the summary
// answers for them.
const canaries = "^(TestCanaries|TestNoSecretGetsAnywhere|TestNoSecretGetsAnywhereByRunning)$"

// stages are the whole test, quick ones first.
func stages() []stage {
	return []stage{
		{"gofmt", "every Go file is formatted", gofmtStage},
		{"vet", "go vet ./...", goStage(cgo(true), "vet", "-tags", tags, "./...")},
		{"staticcheck", staticcheck, goStage(cgo(true), "run", staticcheck, "-tags", tags, "./...")},
		{"imports", "the import rules of the house", goStage(cgo(false), "test", "-count=1", "-run", "^TestImports$",
			"./cmd/dev")},
		{"licenses", "the licences of all modules inside the programs", licenseStage},
		{"vuln", govulncheck, vulnStage},
		{"ctl", "refscopectl builds without cgo for every system", ctlStage},
		{"test", "go test -race with cgo, what drives no browser", packagesStage(pure, "-race")},
		{"race", "go test -race with cgo, what drives Chrome, a package at a time", packagesStage(drivesChrome, "-race",
			"-p", "1")},
		{"pages", "go test, what captures pages by the hundred, a package at a time", packagesStage(readsPages, "-p", "1", "-skip",
			canaries)},
		{"canaries", "go test, secrets in a page, looked for in everything that is written of it", goStage(cgo(true), "test",
			"-timeout", "40m", "-tags", tags, "-run", canaries, "./cmd/refscopectl")},
		{"nocgo", "the window's tests build without cgo", goStage(cgo(false), "test", "-run", "^$", "-tags", tags,
			"./gui/...")},
		{"clients", "a tap with the vendors' own clients, which are a module of their own", goStage(cgo(false), "-C",
			"capture/tap/clients", "test", "-count=1", "./...")},
		{"harden", "attacks on refscopectl, the short version: pages, kills, full disks, files that lie", hardenStage},
		{"window", "a real window: capture the demo page, click a mark, look at the screen", windowStage},
		{"stories", "a real window: what people do, from the first key to the last picture", storiesStage},
	}
}

// cgo is the environment that turns cgo on or off.
func cgo(on bool) []string {
	if on {
		return []string{"CGO_ENABLED=1"}
	}
	return []string{"CGO_ENABLED=0"}
}

// goStage is a stage that one go command makes up.
func goStage(env []string, args ...string) func(context.Context, *test) (string, error) {
	return func(ctx context.Context, t *test) (string, error) {
		return t.tool(ctx, env, "go", args...)
	}
}

// testKind sorts the packages by what their tests need.
type testKind int

const (
	pure         testKind = iota // no browser
	drivesChrome                 // a browser
	readsPages                   // a browser, for hundreds of pages or commands
)

// testKindOf is the kind of a package. A page that loads beside another package's tests on
// two cores is late for everything that it waits for, so packages that drive Chrome run
// one after the other. Those that read hundreds of pages spend their time in counting
// pixels and writing files: the race detector makes that 1.7 times as slow, and the
// code that they run in parallel is below them, in packages that it watches.
func testKindOf(pkg string) testKind {
	switch {
	case strings.HasSuffix(pkg, "/capture/collect"), strings.HasSuffix(pkg, "/capture/export/report"),
		strings.HasSuffix(pkg, "/cmd/refscopectl"):
		return readsPages
	case strings.Contains(pkg, "/capture/"), strings.HasSuffix(pkg, "/gui/app"):
		return drivesChrome
	}
	return pure
}

// packagesStage tests the packages of a kind.
func packagesStage(wanted testKind, flags ...string) func(context.Context, *test) (string, error) {
	return func(ctx context.Context, t *test) (string, error) {
		list := exec.CommandContext(ctx, "go", "list", "-tags", tags, "./...")
		out, err := list.Output()
		if err != nil {
			return string(out), fmt.Errorf("go list ./...: %w", err)
		}
		args := append([]string{"test", "-timeout", "40m", "-tags", tags}, flags...)
		for _, pkg := range strings.Fields(string(out)) {
			if testKindOf(pkg) == wanted {
				args = append(args, pkg)
			}
		}
		return t.tool(ctx, cgo(true), "go", args...)
	}
}

// gofmtStage fails where gofmt would change a file. The gofmt is the one beside the
// go command in use: another version may format in another way.
func gofmtStage(ctx context.Context, t *test) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	program, err := exec.LookPath(filepath.Join(strings.TrimSpace(string(out)), "bin", "gofmt"))
	if err != nil {
		if program, err = exec.LookPath("gofmt"); err != nil {
			return "", errors.New("no gofmt beside the go command nor in PATH")
		}
	}
	list, err := t.tool(ctx, nil, program, "-l", ".")
	if err == nil && strings.TrimSpace(list) != "" {
		err = errors.New("these files are not formatted: run gofmt -w on them")
	}
	return list, err
}

// ctlStage builds refscopectl for all systems it is made for and keeps nothing.
func ctlStage(ctx context.Context, t *test) (string, error) {
	for _, target := range targets() {
		out, err := t.tool(ctx, append(cgo(false), target.env()...), "go", "build", "-o", os.DevNull, "./cmd/refscopectl")
		if err != nil {
			return out, fmt.Errorf("%s: %w", target, err)
		}
	}
	return "", nil
}

// target is a system to build for.
type target struct{ goos, goarch string }

func (t target) String() string { return t.goos + "/" + t.goarch }

func (t target) env() []string { return []string{"GOOS=" + t.goos, "GOARCH=" + t.goarch} }

func targets() []target {
	return []target{
		{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows",
			"arm64"},
	}
}
