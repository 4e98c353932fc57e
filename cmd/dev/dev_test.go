package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// testConsole is a console whose output can be read.
func testConsole(out *strings.Builder) *console { return &console{out: out} }

func TestFamily(t *testing.T) {
	for _, tt := range []struct{ name, goos, release, want string }{
		{"Debian", "linux", "PRETTY_NAME=\"Debian GNU/Linux 13\"\nID=debian\n", debian},
		{"Ubuntu says like Debian", "linux", "ID=ubuntu\nID_LIKE=debian\n", ubuntu},
		{"Mint is like Ubuntu first", "linux", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", ubuntu},
		{"Rocky", "linux", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", fedora},
		{"Arch", "linux", "ID=arch\n", arch},
		{"no file", "linux", "", unknown},
		{"an id inside another word", "linux", "VARIANT_ID=debian\nBUILD_ID=arch\n", unknown},
		{"macOS", "darwin", "", macos},
		{"Windows", "windows", "ID=debian", windows},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, family(tt.goos, tt.release)) })
	}
}

func TestWithLanguage(t *testing.T) {
	for _, tt := range []struct {
		name      string
		env, want []string
	}{
		{"none", []string{"HOME=/h"}, []string{"HOME=/h", "LANG=en_US.UTF-8"}},
		{"C in every form", []string{"LANG=C.UTF-8", "LC_ALL=POSIX", "LANGUAGE="}, []string{"LANG=en_US.UTF-8"}},
		{"a person's own", []string{"LANG=de_AT.UTF-8", "LC_TIME=C"}, []string{"LANG=de_AT.UTF-8"}},
		{"by LC_ALL", []string{"LC_ALL=pt_PT.UTF-8", "LANG=C"}, []string{"LC_ALL=pt_PT.UTF-8"}},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, withLanguage(tt.env)) })
	}
}

func TestEveryNeedHasAdvice(t *testing.T) {
	for _, m := range []machine{{goos: "linux", family: debian}, {goos: "linux", family: ubuntu},
		{goos: "linux", family: fedora}, {goos: "linux", family: arch}, {goos: "linux", family: unknown},
		{goos: "darwin", family: macos}, {goos: "windows", family: windows}} {
		for _, n := range slices.Concat(testNeeds(m), wineNeeds(), []need{displayNeed()}) {
			require.NotEmpty(t, n.advice(m.family), "%s on %s", n.name, m.family)
		}
	}
	require.Equal(t, "apt-get install chromium-browser fonts-liberation", chromeNeed().advice(ubuntu))
}

// A machine that lacks what runs programs for Windows skips them, and says how to get it.
func TestWineIsSkippedWithItsReason(t *testing.T) {
	t.Setenv("PATH", "")
	for family, advice := range map[string]string{debian: "apt-get install", arch: "pacman -S"} {
		_, err := wineStage(t.Context(), &test{dev: &dev{machine: machine{family: family}}})
		require.ErrorIs(t, err, errSkipped)
		require.ErrorContains(t, err, advice)
	}
}

func missingNeed() need {
	return need{name: "a unicorn", why: "the test wants one", apt: []string{"unicorn"},
		elsewhere: map[string]string{"": "raise one"},
		probe:     func(context.Context, *dev) (string, error) { return "", errors.New("none in sight") }}
}

func TestSetUp(t *testing.T) {
	env := func(string) string { return "" }
	t.Run("says what to do where there is no apt-get", func(t *testing.T) {
		var out strings.Builder
		d := &dev{console: testConsole(&out), machine: machine{family: arch, env: env}}
		err := d.setUp(t.Context(), []need{missingNeed()}, true)
		require.EqualError(t, err, "this machine lacks:\n  a unicorn (the test wants one): none in sight\n      raise one")
		require.Contains(t, out.String(), "missing  a unicorn")
	})
	t.Run("installs nothing without leave and without a person", func(t *testing.T) {
		var out strings.Builder
		t.Setenv("PATH", "") // no sudo either
		d := &dev{console: testConsole(&out), machine: machine{family: debian, env: env}}
		require.EqualError(t, d.setUp(t.Context(), []need{missingNeed()}, true), "as root, run: apt-get install unicorn")
	})
	t.Run("is content where nothing is missing", func(t *testing.T) {
		var out strings.Builder
		d := &dev{console: testConsole(&out), machine: machine{family: debian, env: env}}
		met := need{name: "air", probe: func(context.Context, *dev) (string, error) { return "plenty", nil }}
		require.NoError(t, d.setUp(t.Context(), []need{met}, false))
		require.Contains(t, out.String(), "found    air")
	})
}

func TestStages(t *testing.T) {
	good := stage{"good", "passes", wantsWindow, func(context.Context, *test) (string, error) { return "quiet", nil }}
	bad := stage{"bad", "fails", 0, func(context.Context, *test) (string, error) {
		return "what it saw\x1b[31m",
			errors.New("no luck")
	}}
	away := stage{"away", "elsewhere", 0, func(context.Context, *test) (string, error) { return "", errSkipped }}
	run := func(s ...stage) (string, error) {
		var out strings.Builder
		err := runStages(t.Context(), &test{dev: &dev{console: testConsole(&out)}}, s)
		return out.String(), err
	}

	out, err := run(bad, good, away)
	require.ErrorIs(t, err, errSaid)
	require.True(t, strings.HasSuffix(out, "\n1 passed, 1 failed\n"), out)
	require.Contains(t, out, "what it saw[31m\n")
	require.NotContains(t, out, "quiet", "the output of a stage that passes")
	out, err = run(good)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(out, "\n1 passed, 0 failed\n"), out)

	broken := bad
	broken.traits = buildsWindow
	out, err = run(broken, good)
	require.ErrorIs(t, err, errSaid)
	require.Contains(t, out, "skipped: the window does not build", "told once, not by each stage")
	require.True(t, strings.HasSuffix(out, "\n0 passed, 1 failed\n"), out)

	chosen, err := choose(stages(), "vet, gofmt")
	require.NoError(t, err)
	require.Len(t, chosen, 2)
	require.Equal(t, "gofmt", chosen[0].name, "in their own order")
	_, err = choose(stages(), "gofmt,nonsense")
	require.ErrorContains(t, err, `no stage "nonsense"`)
	all, err := choose(stages(), "")
	require.NoError(t, err)
	require.Len(t, all, len(stages()))
}

func TestSlowest(t *testing.T) {
	out := "ok  \ta/quick\t0.004s\nok  \ta/cached\t(cached)\n--- FAIL: TestX (0.1s)\nFAIL\ta/slow\t61.5s\nFAIL\n" +
		"?   \ta/none\t[no test files]\nok  \ta/other\t2.5s\t[no tests to run]\n"
	require.Equal(t, []packageTime{{"a/slow", 61500 * time.Millisecond}, {"a/other", 2500 * time.Millisecond}},
		slowest(out, 2))
	require.Len(t, slowest(out, 9), 3)
}

// A package is tested with the race detector or without it, the slow ones first.
func TestPackagesOfTheStages(t *testing.T) {
	all, err := testedPackages(t.Context(), testneed.Repository(t))
	require.NoError(t, err)
	for i, suffix := range slowPackages() {
		require.True(t, strings.HasSuffix(all[i].path, suffix), "%s begins at place %d", all[i].path, i)
	}
	kinds := map[string]bool{}
	for _, p := range all {
		require.NotContains(t, kinds, p.path)
		kinds[strings.TrimPrefix(p.path, module)] = p.concurrent()
	}
	for path, concurrent := range map[string]bool{"/capture/session": true, "/capture/tap": true, "/gui/app": true,
		"/snapshot/redact": true, "/overlay": false, "/capture/collect": false, "/cmd/refscopectl": false,
		"/snapshot/css": false} {
		require.Contains(t, kinds, path)
		require.Equal(t, concurrent, kinds[path], path)
	}
}

// The stage ctl builds for one processor of each system: it suffices while the files of ours are the same for all.
func TestNoFileIsForOneProcessor(t *testing.T) {
	files := map[string]string{} // by system
	for _, target := range targets() {
		list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{.GoFiles}} {{.SFiles}}",
			"./capture/...", "./cmd/...", "./overlay/...", "./profiles/...", "./snapshot/...")
		list.Dir = testneed.Repository(t)
		list.Env = append(os.Environ(), append(cgo(false), target.env()...)...)
		out, err := list.Output()
		require.NoError(t, err, target)
		if before, ok := files[target.goos]; ok {
			require.Equal(t, before, string(out), target)
		}
		files[target.goos] = string(out)
	}
}

// Runs one after the other have the same folder, so that go's cache answers; runs beside each other have their own.
func TestTheFolderOfTheGoCommandsIsSteady(t *testing.T) {
	parent := t.TempDir()
	first, err := steadyFolder(parent, "/src/one")
	require.NoError(t, err)
	beside, err := steadyFolder(parent, "/src/one")
	require.NoError(t, err)
	other, err := steadyFolder(parent, "/src/two")
	require.NoError(t, err)
	require.Len(t, map[string]bool{first: true, beside: true, other: true}, 3)
	require.NoError(t, os.Remove(first))
	again, err := steadyFolder(parent, "/src/one")
	require.NoError(t, err)
	require.Equal(t, first, again)
	_, err = steadyFolder(filepath.Join(parent, "missing"), "/src/one")
	require.Error(t, err)
}

func TestWrongCalls(t *testing.T) {
	for _, args := range [][]string{{}, {"nonsense"}, {"test", "--nonsense"}, {"test", "stray"},
		{"test", "-rest", "./gui/text"}, {"test", "-all", "-rest"}, {"test", "-run", "vet", "-rest"},
		{"test", "-run", "nonsense"}, {"bench", "--nonsense"}, {"package", "stray"}, {"package", "-nonsense"},
		{"harden", "stray"}, {"bare", "-nonsense"}, {"docs", "stray"}, {"doctor", "stray"}} {
		err := perform(t.Context(), nil, args)
		require.ErrorAs(t, err, &usageError{}, "%q", args)
	}
}

func TestLines(t *testing.T) {
	var got []string
	l := &lines{each: func(s string) { got = append(got, s) }}
	for _, part := range []string{"one\ntw", "o\r\n", "three"} {
		n, err := l.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, []string{"one", "two"}, got)
	require.Equal(t, "one\ntwo\r\nthree", l.text())
	require.Equal(t, "b\nc", tail("a\nb\nc\n", 2))
}
