package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// What -short leaves out is found in the tests, also where one asks by a function of its package, and every one of them
// is named in CONTRIBUTING.md, so that a test does not leave the first tier unnoticed.
func TestLongTestsAreFoundAndNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a_test.go": `package a
func TestLong(t *testing.T) { testneed.Long(t, "") }
func TestByAHelper(t *testing.T) { for range pages(t) {} }
func pages(t *testing.T) []string { return some{}.few(t) }
func TestQuick(t *testing.T) { t.Log(testneed.Repository(t)) }`,
		"a/b_test.go": `package a
func (some) few(t *testing.T) []string { if testing.Short() { return nil }; return testing.Verbose() }`,
		"b/c_test.go":          `package b; func TestQuick(t *testing.T) { pages(t) }`,
		"b/testdata/d_test.go": `package d; func TestLong(t *testing.T) { testneed.Long(t, "") }`,
		"c/go.mod":             "module other", "c/e_test.go": `package c; func TestLong(t *testing.T) { testneed.Long(t, "") }`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	found, err := longTests(dir)
	require.NoError(t, err)
	require.Equal(t, []longTest{{"./a", "TestByAHelper"}, {"./a", "TestLong"}}, found)

	lines, err := longByRoom(testneed.Repository(t))
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	text, err := os.ReadFile(filepath.Join(testneed.Repository(t), "CONTRIBUTING.md"))
	require.NoError(t, err)
	for _, line := range lines {
		require.Contains(t, string(text), line, "CONTRIBUTING.md lists what the first tier leaves out")
	}
}
