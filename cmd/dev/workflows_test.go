package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// The workflows are YAML, give no more rights than they need, and call tasks that there are.
func TestWorkflows(t *testing.T) {
	list, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	require.NoError(t, err)
	require.Len(t, list, 2)
	for _, path := range list {
		body, err := os.ReadFile(path)
		require.NoError(t, err)
		var w struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				RunsOn string `yaml:"runs-on"`
				Steps  []struct{ Uses, Run string }
			}
		}
		require.NoError(t, yaml.Unmarshal(body, &w), path)
		require.Contains(t, w.Permissions, "contents", path)
		for name, job := range w.Jobs {
			require.NotEmpty(t, job.RunsOn, name)
			require.NotEmpty(t, job.Steps, name)
			for _, s := range job.Steps {
				require.True(t, (s.Uses == "") != (s.Run == ""), "%s: a step uses or runs: %v", name, s)
				for line := range strings.Lines(s.Run) {
					if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "go run ./cmd/dev "); ok {
						w := strings.Fields(rest)
						require.True(t, slices.ContainsFunc(tasks(), func(t task) bool { return t.name == w[0] }), line)
					}
				}
			}
		}
	}
}
