// Package testneed is for tests that need something beside the repository: a program, a
// right, saved pages. On a person's machine such a test is skipped in one clear line; under
// CI (the environment variable CI is set), where everything has to be there, it fails. So a
// gate that is green in CI did run.
//
// What a gate can have in the repository belongs there: see package testpages.
package testneed

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// CI reports whether the tests run unattended, where nothing may be left out.
func CI() bool { return os.Getenv("CI") != "" }

// Missing ends a test that lacks something, named as a sentence: it fails under CI and is
// skipped elsewhere.
func Missing(t testing.TB, what string) {
	t.Helper()
	if CI() {
		t.Fatal("not tested, and under CI it must be: ", what)
	}
	t.Skip(what)
}

// Program is the path of a program. hint is how to get it.
func Program(t testing.TB, name, hint string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, "there is no "+name+" in PATH ("+hint+")")
	}
	return path
}

// Symlink makes a symbolic link, which some systems allow to few.
func Symlink(t testing.TB, to, link string) {
	t.Helper()
	if err := os.Symlink(to, link); err != nil {
		Missing(t, "symbolic links cannot be made here: "+err.Error())
	}
}

// Corpus is a folder of saved pages of other people, which cannot be in the repository; ""
// where it is not beside it. Tests over it are an extra to those over testpages, so they
// are skipped without it, under CI too.
func Corpus(t testing.TB, folder string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
	path := filepath.Join(filepath.Dir(dir), "shared", "corpus", filepath.FromSlash(folder))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("extra: no ../shared/corpus/%s beside the repository; the pages of testpages are the gate", folder)
	}
	return path
}
