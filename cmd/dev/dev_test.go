package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/cmd/dev/release"
	"github.com/refscope/refscope/cmd/dev/setup"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

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

func TestStages(t *testing.T) {
	good := stage{"good", "passes", wantsWindow, func(context.Context, *setup.Test) (string, error) {
		return "quiet", nil
	}}
	bad := stage{"bad", "fails", 0, func(context.Context, *setup.Test) (string, error) {
		return "what it saw\x1b[31m",
			errors.New("no luck")
	}}
	away := stage{"away", "elsewhere", 0, func(context.Context, *setup.Test) (string, error) {
		return "", setup.ErrSkipped
	}}
	run := func(s ...stage) (string, error) {
		var out strings.Builder
		d := &setup.Dev{Console: setup.NewConsole(&out, strings.NewReader(""))}
		err := runStages(t.Context(), &setup.Test{Dev: d}, s)
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

	// What does without the window runs beside its build, and what wants it does not.
	began, built := make(chan bool), make(chan bool)
	build := stage{"build", "the window", buildsWindow, func(context.Context, *setup.Test) (string, error) {
		<-began
		close(built)
		return "", nil
	}}
	beside := stage{"beside", "needs no window", 0, func(context.Context, *setup.Test) (string, error) {
		close(began)
		return "", nil
	}}
	after := stage{"after", "needs it", wantsWindow, func(context.Context, *setup.Test) (string, error) {
		select {
		case <-built:
			return "", nil
		default:
			return "", errors.New("the window is not built yet")
		}
	}}
	out, err = run(build, beside, after)
	require.NoError(t, err, out)
	require.Contains(t, out, "\n      build: ok, ")

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
	for _, target := range release.Targets() {
		list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{.GoFiles}} {{.SFiles}}",
			"./capture/...", "./cmd/...", "./overlay/...", "./profiles/...", "./snapshot/...")
		list.Dir = testneed.Repository(t)
		list.Env = append(os.Environ(), append(setup.CGO(false), target.Env()...)...)
		out, err := list.Output()
		require.NoError(t, err, target)
		if before, ok := files[target.GOOS]; ok {
			require.Equal(t, before, string(out), target)
		}
		files[target.GOOS] = string(out)
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
		require.ErrorAs(t, err, &setup.UsageError{}, "%q", args)
	}
}
