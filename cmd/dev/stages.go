package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/cmd/dev/release"
	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/cmd/dev/window"
)

// staticcheck is pinned: a new version finds new things, and that is a change of its own.
const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.0"

// importRules is the test of the stage imports, which ends in seconds.
const importRules = "^TestImports$"

// slowUnderRace are tests that compare many pictures, or go through every window of an extension, every dialog, pane or
// key of the window, one after the other: that takes minutes under the race detector, and some of them wait for answers
// that come too late there. Other tests run the same goroutines.
const slowUnderRace = "^(TestSeveralBrowsers|TestRequestsOfEachPartOfAnExtension|TestLettersAreCommandsEverywhere|" +
	"TestKeyboardInDialogs|TestKeyboardAlone|TestPanesShowTheKeyboard|TestRowsThatWrapAreAboveTheirLists|" +
	"TestWordingOnScreen)$"

// canaries are the tests that put secrets into pages. They are a stage of their own, so that its line in the summary
// answers for them.
const canaries = "^(TestCanaries|TestNoSecretGetsAnywhere|TestNoSecretGetsAnywhereByRunning|TestNoSecretByAnyName)$"

// stages are the whole test: the build of the window, which goes on beside the others, then quick ones first. Those
// that are marked are the default tier: every package once, with one build of it and without what takes long
// (go test -short), and a real window. The others are what go run ./cmd/dev test -all runs too.
func stages() []stage {
	return []stage{
		{"build", "the window", byDefault | buildsWindow, buildStage},
		{"gofmt", "every Go file is formatted", byDefault, gofmtStage},
		{"imports", "the import rules of the house", byDefault, goStage(setup.CGO(false), "test", "-count=1",
			"-run", importRules,
			"./cmd/dev")},
		{"licenses", "the licences of all modules inside the programs", byDefault, licenseStage},
		{"test", "go vet and go test without cgo, every package, without what takes long", byDefault,
			packagesStage(false,
				everyPackage, "-short", "-vet=all", "-skip", importRules+"|"+canaries)},
		{"canaries", "go test, secrets in a page, looked for in everything that is written of it", byDefault,
			goStage(setup.CGO(false), "test", "-timeout", "40m", "-vet=all", "-tags", setup.Tags, "-run", canaries,
				"./cmd/refscopectl")},
		{"window", "a real window: capture the demo page, click a mark, look at the screen", byDefault | wantsWindow,
			window.Stage},
		{"vet", "go vet with cgo of what has no tests, which the stage test leaves out", wantsWindow, vetStage},
		{"staticcheck", staticcheck, wantsWindow, goStage(setup.CGO(true), "run", staticcheck, "-tags", setup.Tags,
			"./...")},
		{"vuln", govulncheck, wantsWindow, vulnStage},
		{"ctl", "refscopectl without cgo for every system, with files for every processor; go vet for each system", 0,
			ctlStage},
		{"wine", "the programs for Windows under Wine, with a Chrome outside, and the window there", 0, window.Wine},
		{"clients", "a tap with the vendors' own clients, which are a module of their own", 0, goStage(setup.CGO(false),
			"-C", "capture/tap/clients", "test", "-count=1", "./...")},
		{"harden", "attacks on refscopectl, the short version: pages, kills, full disks, files that lie",
			0, hardenStage},
		{"stories", "a real window: what people do, from the first key to the last picture", wantsWindow,
			window.Stories},
		{"long", "the tests that the stage test leaves out in whole or in part", 0, longStage},
		{"race", "go test -race with cgo, what several goroutines use", wantsWindow, packagesStage(true,
			testedPackage.concurrent, "-short", "-vet=off", "-race", "-skip", importRules+"|"+slowUnderRace)},
	}
}

// goStage is a stage that one go command makes up.
func goStage(env []string, args ...string) func(context.Context, *setup.Test) (string, error) {
	return func(ctx context.Context, t *setup.Test) (string, error) {
		return t.Tool(ctx, env, "go", args...)
	}
}

// testedPackage is a package with tests.
type testedPackage struct {
	path    string
	imports []string // its own, and those of its tests
}

// concurrent reports whether the package or its tests import sync: several goroutines use it, so the race detector
// watches. Those that read hundreds of pages, or draw hundreds of pictures, spend their time in counting pixels and
// writing files: the detector makes that 1.7 times as slow and more. What they run in parallel is in packages below
// them, or runs in the tests of the window too, which it watches.
func (p testedPackage) concurrent() bool {
	for _, suffix := range []string{"/overlay", "/capture/collect", "/cmd/refscopectl"} {
		if strings.HasSuffix(p.path, suffix) {
			return false
		}
	}
	return slices.Contains(p.imports, "sync") || slices.Contains(p.imports, "sync/atomic")
}

func everyPackage(testedPackage) bool { return true }

// slowPackages are how the paths end of those whose tests take longest, over a minute on 2 cores, the longest first: go
// begins the tests of packages in the order in which they are named.
func slowPackages() []string {
	return []string{"/cmd/refscopectl", "/capture/session", "/gui/app", "/capture/collect", "/capture/step",
		"/capture/tap", "/capture/agent/mcp", "/overlay", "/snapshot/doctor", "/snapshot/turn", "/capture/step/script",
		"/gui/engine", "/capture/browser", "/capture/action", "/capture/agent/sentinel", "/capture/batch",
		"/capture/tap/mcp"}
}

// beginning ranks packages for the order in which their tests begin: those that take longest come first, so that none
// of them is left over alone. "" is the end of any path.
func beginning(path string) int {
	return slices.IndexFunc(append(slowPackages(), ""), func(end string) bool { return strings.HasSuffix(path, end) })
}

// testedPackages are the packages that have tests, in the order in which these begin.
func testedPackages(ctx context.Context, root string) ([]testedPackage, error) {
	const each = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} ` +
		`{{join .Imports " "}} {{join .TestImports " "}} {{join .XTestImports " "}}{{end}}`
	list := exec.CommandContext(ctx, "go", "list", "-tags", setup.Tags, "-f", each, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list ./...: %w", err)
	}
	var all []testedPackage
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, testedPackage{path: words[0], imports: words[1:]})
		}
	}
	slices.SortStableFunc(all, func(a, b testedPackage) int { return beginning(a.path) - beginning(b.path) })
	return all, nil
}

// packagesStage tests some packages, one more at a time than there are cores: a test that drives Chrome waits for a
// third of its time. Under the race detector, which makes pages late for what waits for them, it is as many as cores.
func packagesStage(withCgo bool, which func(testedPackage) bool, flags ...string) func(context.Context,
	*setup.Test) (string, error) {
	return func(ctx context.Context, t *setup.Test) (string, error) {
		all, err := testedPackages(ctx, t.Root)
		if err != nil {
			return "", err
		}
		atOnce := runtime.NumCPU() + 1
		if slices.Contains(flags, "-race") {
			atOnce = max(2, runtime.NumCPU()/2)
		}
		args := append([]string{"test", "-timeout", "40m", "-tags", setup.Tags, "-p", strconv.Itoa(atOnce)}, flags...)
		measured, err := measuredBy(t)
		if err != nil {
			return "", err
		}
		args = append(args, measured...)
		for _, p := range all {
			if which(p) {
				args = append(args, p.path)
			}
		}
		return t.Tool(ctx, setup.CGO(withCgo), "go", args...)
	}
}

// buildStage builds the window, so that a failure to is told once: the stages that want it are skipped then.
func buildStage(ctx context.Context, t *setup.Test) (string, error) {
	if t.Machine.GOOS != "linux" {
		return "", fmt.Errorf("%w: the window test needs Xvfb, so Linux", setup.ErrSkipped)
	}
	_, err := t.BuildWindow(ctx)
	return "", err
}

// vetStage vets the packages that have no tests; go test -vet=all vets the others.
func vetStage(ctx context.Context, t *setup.Test) (string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-tags", setup.Tags, "-f",
		"{{if not (or .TestGoFiles .XTestGoFiles)}}{{.ImportPath}}{{end}}", "./...")
	list.Dir, list.Env = t.Root, append(os.Environ(), setup.CGO(true)...)
	out, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list ./...: %w", err)
	}
	vet := append([]string{"vet", "-tags", setup.Tags}, strings.Fields(string(out))...)
	return t.Tool(ctx, setup.CGO(true), "go", vet...)
}

// roomStage tests some packages alone, as the stage test would, or in whole.
func roomStage(patterns []string, whole bool) stage {
	return stage{"room", strings.Join(patterns, " "), byDefault, func(ctx context.Context, t *setup.Test) (string,
		error) {
		measured, err := measuredBy(t)
		if err != nil {
			return "", err
		}
		args := slices.Concat([]string{"test", "-timeout", "40m", "-vet=all", "-tags", setup.Tags}, measured, patterns)
		if !whole {
			args = slices.Insert(args, 1, "-short")
		}
		return t.Tool(ctx, setup.CGO(false), "go", args...)
	}}
}

// gofmtStage fails where gofmt would change a file. The gofmt is the one beside the
// go command in use: another version may format in another way.
func gofmtStage(ctx context.Context, t *setup.Test) (string, error) {
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
	list, err := t.Tool(ctx, nil, program, "-l", ".")
	if err == nil && strings.TrimSpace(list) != "" {
		err = errors.New("these files are not formatted: run gofmt -w on them")
	}
	return list, err
}

// ctlStage builds refscopectl for a processor of each system it is made for and keeps nothing. No file of ours is for a
// processor alone, so for the others of a system it suffices that no package is without files; go run ./cmd/dev package
// builds them all. It vets all packages, with their tests, as these systems compile them; on the system that it runs on
// other stages do.
func ctlStage(ctx context.Context, t *setup.Test) (string, error) {
	built := map[string]bool{}
	for _, target := range release.Targets() {
		args := []string{"build", "-o", os.DevNull, "./cmd/refscopectl"}
		if built[target.GOOS] {
			args = []string{"list", "-deps", "./cmd/refscopectl"}
		}
		env := append(setup.CGO(false), target.Env()...)
		out, err := t.Tool(ctx, env, "go", args...)
		if err == nil && !built[target.GOOS] && target.GOOS != t.Machine.GOOS {
			out, err = t.Tool(ctx, env, "go", append([]string{"vet", "-tags", setup.Tags}, target.Vetted()...)...)
		}
		if err != nil {
			return out, fmt.Errorf("%s: %w", target, err)
		}
		built[target.GOOS] = true
	}
	return "", nil
}
