package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestContributingNamesWhatIsThere: every path that CONTRIBUTING.md names exists, and each
// recipe has at most three places, so that the map stays one of this house.
func TestContributingNamesWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	body, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	top := map[string]bool{}
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		top[e.Name()] = e.Name() != "out" // what tasks leave there comes and goes
	}
	paths := 0
	for _, m := range regexp.MustCompile("`([A-Za-z0-9_./-]+)`").FindAllStringSubmatch(string(body), -1) {
		first, _, isPath := strings.Cut(m[1], "/")
		if isPath && top[first] {
			paths++
			_, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1])))
			require.NoError(t, err)
		}
	}
	require.Greater(t, paths, 30)

	_, recipes, found := strings.Cut(string(body), "\n## Recipes\n")
	require.True(t, found)
	recipes, _, _ = strings.Cut(recipes, "\n## ")
	list := strings.Split(recipes, "\n### ")[1:]
	require.Len(t, list, 6)
	for _, recipe := range list {
		name, _, _ := strings.Cut(recipe, "\n")
		require.NotContains(t, recipe, "\n4. ", "%s: at most three places", name)
		require.Contains(t, recipe, "\n1. ", name)
	}
}

// TestCommentsNameFilesThatAreThere: a file that a comment names is beside it, or at the path that the comment gives,
// so that who follows the hint arrives.
func TestCommentsNameFilesThatAreThere(t *testing.T) {
	root := filepath.Join("..", "..")
	var files []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") {
			files = append(files, path)
		}
		return err
	}))
	named := regexp.MustCompile(`(?:^|[ (\[])([a-z0-9_/]+\.go)\b`)
	count := 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(src)) {
			comment, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
			if !isComment {
				continue
			}
			for _, m := range named.FindAllStringSubmatch(comment, -1) {
				count++
				_, beside := os.Stat(filepath.Join(filepath.Dir(path), m[1]))
				_, below := os.Stat(filepath.Join(root, filepath.FromSlash(m[1])))
				assert.True(t, beside == nil || below == nil, "%s names %s: %s", path, m[1], strings.TrimSpace(line))
			}
		}
	}
	require.Greater(t, count, 20)
}
