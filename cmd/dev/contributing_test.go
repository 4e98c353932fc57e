package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
		top[e.Name()] = true
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
	require.Len(t, list, 5)
	for _, recipe := range list {
		name, _, _ := strings.Cut(recipe, "\n")
		require.NotContains(t, recipe, "\n4. ", "%s: at most three places", name)
		require.Contains(t, recipe, "\n1. ", name)
	}
}
