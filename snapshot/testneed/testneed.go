// Package testneed is for tests that need something beside the repository: a program, a
// permission, saved pages. On a person's machine such a test is skipped with one clear line;
// under CI (the environment variable CI is set), where everything must be there, it fails, so
// a gate that is green in CI did run.
//
// What a gate can have in the repository belongs there: see package testpages.
package testneed

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Missing ends a test that lacks something, named as a sentence: it fails under CI and is
// skipped elsewhere.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal("not tested, and under CI it must be: ", what)
	}
	t.Skip(what)
}

// Long begins a test that takes long, named as a sentence: -short leaves it out, under CI too. go run ./cmd/dev test is
// short; its -all runs each test that calls Long or Cases as it is without -short, in a stage of its own.
func Long(t testing.TB, what string) {
	t.Helper()
	if testing.Short() {
		t.Skip("an extra: ", what, ": left out by -short")
	}
}

// Cases is how many cases of a test stand for all of them, or every which of them is taken: short under -short, all
// where REFSCOPE_SLOW is set, usual otherwise.
func Cases[T any](short, usual, all T) T {
	switch {
	case os.Getenv("REFSCOPE_SLOW") != "":
		return all
	case testing.Short():
		return short
	}
	return usual
}

// Extra ends a test that is no gate, with the reason, under CI too: nobody requested it, or
// what it is about is other people's and cannot be in the repository.
func Extra(t testing.TB, why string) {
	t.Helper()
	t.Skip("an extra: ", why)
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

// Repository is the root folder of this repository.
func Repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the folder of the test")
		}
		dir = up
	}
}

// Corpus is a folder of saved pages of other people, which cannot be in the repository;
// false where it is not beside it. What is tested on it is an extra to testpages.
func Corpus(t testing.TB, folder string) (dir string, ok bool) {
	t.Helper()
	dir = filepath.Join(filepath.Dir(Repository(t)), "shared", "corpus", filepath.FromSlash(folder))
	if _, err := os.Stat(dir); err != nil {
		t.Logf("extra left out: no ../shared/corpus/%s beside the repository; our own pages are the gate", folder)
		return "", false
	}
	return dir, true
}
