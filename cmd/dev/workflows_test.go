package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// pinned is an action by the commit that it is, with the version that a person reads.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// retired are labels of runners that GitHub has ended or announced the end of.
var retired = regexp.MustCompile(`^(ubuntu-(18|20|22)\.04.*|macos-1[1-4].*|windows-20(16|19|22))$`)

// The workflows are YAML, give no more rights than they need, pin what they use, and call tasks that there are.
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
				RunsOn      string `yaml:"runs-on"`
				Permissions map[string]string
				Strategy    struct {
					Matrix struct {
						OS      []string
						Include []struct{ OS string }
					}
				}
				Steps []struct{ Uses, Run string }
			}
		}
		require.NoError(t, yaml.Unmarshal(body, &w), path)
		require.NotNil(t, w.Permissions, path)
		for name, rights := range w.Permissions {
			require.Equal(t, "read", rights, "%s: %s: a right to write belongs to the job that needs it", path, name)
		}
		for line := range strings.Lines(string(body)) {
			if _, action, ok := strings.Cut(line, "uses: "); ok {
				require.Regexp(t, pinned, strings.TrimSpace(action), path)
			}
		}
		for name, job := range w.Jobs {
			require.NotEmpty(t, job.RunsOn, name)
			require.True(t, len(w.Permissions) > 0 || len(job.Permissions) > 0, "%s: %s has no rights of its own", path, name)
			machines := append(job.Strategy.Matrix.OS, job.RunsOn)
			for _, one := range job.Strategy.Matrix.Include {
				machines = append(machines, one.OS)
			}
			for _, os := range machines {
				require.NotRegexp(t, retired, os, path)
			}
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

// TestReleaseNotes: the command of the release workflow takes the tag's part of the changelog, and nothing of another.
func TestReleaseNotes(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("..", "..", ".github", "workflows", "release.yml"))
	require.NoError(t, err)
	at := strings.Index(string(body), "awk -v")
	require.Positive(t, at)
	command, _, ok := strings.Cut(string(body[at:]), " CHANGELOG.md")
	require.True(t, ok)
	log := "# Changelog\n\n## Unreleased\n\n- new\n\n## v1.10.0 2026-12-01\n\n### Added\n\n- ten\n\n## [1.1.0] - 2026-11-01\n\n- one\n\n## 1.0.0\n\n- none\n"
	for version, want := range map[string]string{"v1.10.0": "### Added\n\n- ten", "v1.1.0": "- one", "v1.0.0": "- none", "v1.1": "", "v2": ""} {
		sh := exec.CommandContext(t.Context(), "sh", "-c", command)
		sh.Env, sh.Stdin = append(os.Environ(), "VERSION="+version), strings.NewReader(log)
		out, err := sh.Output()
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSpace(string(out)), version)
	}
}

// TestDependabot: updates of modules and of actions are configured.
func TestDependabot(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("..", "..", ".github", "dependabot.yml"))
	require.NoError(t, err)
	var c struct {
		Version int
		Updates []struct {
			Ecosystem string `yaml:"package-ecosystem"`
			Directory string
			Schedule  struct{ Interval string }
		}
	}
	require.NoError(t, yaml.Unmarshal(body, &c))
	require.Equal(t, 2, c.Version)
	var systems []string
	for _, u := range c.Updates {
		require.Equal(t, "/", u.Directory)
		require.NotEmpty(t, u.Schedule.Interval)
		systems = append(systems, u.Ecosystem)
	}
	require.ElementsMatch(t, []string{"gomod", "github-actions"}, systems)
}
