package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// document is a Markdown file of the repository with the lines of its sh blocks.
func document(t *testing.T, name string) (text string, commands []string) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", name))
	require.NoError(t, err)
	inside := false
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "```sh":
			inside = true
		case line == "```":
			inside = false
		case inside && line != "" && !strings.HasPrefix(line, "#"):
			command, _, _ := strings.Cut(line, " #")
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return string(body), commands
}

// words are a command line without its environment.
func words(command string) []string {
	all := strings.Fields(command)
	for len(all) > 0 && strings.Contains(all[0], "=") {
		all = all[1:]
	}
	return all
}

// TestCommandsInDocumentsExist reads every command of the documents: its program,
// its task or command, its flags, and the files it is given.
func TestCommandsInDocumentsExist(parent *testing.T) {
	t := parent
	var ctl string // built when first needed
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		_, commands := document(t, name)
		require.NotEmpty(t, commands)
		for _, command := range commands {
			t.Run(command, func(t *testing.T) {
				w := words(command)
				switch {
				case w[0] == "go" && w[1] == "run":
					require.Equal(t, "./cmd/dev", w[2])
					require.True(t, slices.ContainsFunc(tasks(), func(task task) bool { return task.name == w[3] }), "no task %s",
						w[3])
				case w[0] == "git" && w[1] == "clone":
					require.Equal(t, "https://"+module, w[2])
				case w[0] == "go" && w[1] == "install":
					folder, ok := strings.CutPrefix(strings.TrimSuffix(w[2], "@latest"), module+"/")
					require.True(t, ok, "%s is not of this module", w[2])
					require.DirExists(t, filepath.Join("..", "..", folder))
				case w[0] == "go" && (w[1] == "test" || w[1] == "build"):
					for _, arg := range w[2:] {
						if dir, ok := strings.CutPrefix(arg, "./"); ok {
							require.DirExists(t, filepath.Join("..", "..", strings.TrimSuffix(dir, "/...")))
						}
					}
				case w[0] == "bin/refscopectl":
					if ctl == "" {
						ctl = buildCtl(parent)
					}
					checkCtl(t, ctl, w[1:])
				default:
					t.Fatalf("no rule for this command")
				}
			})
		}
	}
}

func buildCtl(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "refscopectl")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/refscopectl")
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// checkCtl has refscopectl read a call as far as its flags, which --help does without
// running it, and holds its files against the repository; what lies in out/ is made by the
// call before.
func checkCtl(t *testing.T, program string, args []string) {
	t.Helper()
	call := []string{}
	for _, arg := range args {
		call = append(call, strings.Trim(arg, `"'`))
	}
	out, err := exec.CommandContext(t.Context(), program, append(call, "--help")...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, arg := range call {
		if strings.HasSuffix(arg, ".html") && !strings.HasPrefix(arg, "out/") {
			require.FileExists(t, filepath.Join("..", "..", filepath.FromSlash(arg)))
		}
	}
}

// TestDocumentsPointAtThings: links and pictures lead to files of the repository.
func TestDocumentsPointAtThings(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)]+)\)|src="([^"]+)"`)
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		text, _ := document(t, name)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if target := m[1] + m[2]; !strings.Contains(target, "://") {
				file, _, _ := strings.Cut(target, "#") // whether the heading is there, go run ./cmd/dev docs says
				require.FileExists(t, filepath.Join("..", "..", filepath.FromSlash(file)), name)
			}
		}
	}
}

// TestDependenciesAreExplained: the table of docs/dependencies.md and go.mod name the same modules.
func TestDependenciesAreExplained(t *testing.T) {
	text, _ := document(t, "docs/dependencies.md")
	var told []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(text, -1) {
		told = append(told, m[1])
	}
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	require.NoError(t, err)
	var required []string
	for line := range strings.Lines(string(mod)) {
		w := strings.Fields(line)
		if len(w) > 0 && w[0] == "require" {
			w = w[1:]
		}
		if len(w) == 2 && strings.Contains(w[0], ".") && strings.HasPrefix(w[1], "v") {
			required = append(required, w[0])
		}
	}
	require.ElementsMatch(t, required, told)
}
