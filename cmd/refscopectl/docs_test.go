package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/snapshot/testneed"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// elsewhere are commands of the README that other tests run, or that stay until somebody ends them.
var elsewhere = regexp.MustCompile(`^(CGO_ENABLED=0 )?(go|git) |out/tapped|stays|task --endpoint|session report tea`)

// docCommand is a command that a document names, and what it prints: nil where the document does not show it.
type docCommand struct {
	line   string
	prints []string
}

// docCommands are the lines of a document's sh blocks, and the commands of its console blocks with what follows them.
func docCommands(t *testing.T, path string) []docCommand {
	t.Helper()
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	var out []docCommand
	block := ""
	for line := range strings.Lines(string(body)) {
		line = strings.TrimRight(line, "\n")
		if fence, ok := strings.CutPrefix(strings.TrimSpace(line), "```"); ok {
			block = fence
			continue
		}
		command, asked := strings.CutPrefix(line, "$ ")
		switch {
		case block == "sh" && strings.TrimSpace(line) != "" && !elsewhere.MatchString(line):
			out = append(out, docCommand{line: strings.TrimSpace(line)})
		case block == "console" && asked:
			out = append(out, docCommand{line: command, prints: []string{}})
		case block == "console":
			last := &out[len(out)-1]
			last.prints = append(last.prints, line)
		}
	}
	return out
}

// printed is the form of what a document shows of an output: … stands for the rest of a line, or alone for any lines.
func (c docCommand) printed() *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for _, line := range c.prints {
		if line == "…" {
			b.WriteString(`(?:.*\n)*?`)
			continue
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + ` *\n`)
	}
	return regexp.MustCompile(b.String() + `\n*$`)
}

// Every command of the README and of docs/ runs as it is written, in their order, in a folder with the demo site, and
// what they print and write is as the document shows it and as the schemas describe it.
func TestCommandsOfTheDocs(t *testing.T) {
	testneed.Program(t, "sh", "the commands are lines of a shell")
	u := newGuest(t)
	root := testneed.Repository(t)
	require.NoError(t, os.MkdirAll(filepath.Join(u.dir, "out"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(u.dir, "bin"), 0o700))
	require.NoError(t, os.CopyFS(filepath.Join(u.dir, "assets", "demo"), os.DirFS(filepath.Join(root, "assets", "demo"))))
	const list = "cmd/refscopectl/testdata/pages.txt"
	require.NoError(t, os.MkdirAll(filepath.Join(u.dir, filepath.Dir(list)), 0o700))
	addresses, err := os.ReadFile(filepath.Join(root, list))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, list), addresses, 0o600))
	self, err := os.Executable()
	require.NoError(t, err)
	program := "#!/bin/sh\nexec '" + self + "' --attach " + u.address() + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "bin", "refscopectl"), []byte(program), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(u.home, ".claude"), 0o700)) // an agent that skill install finds
	pages, err := fs.Glob(os.DirFS(root), "docs/*.md")
	require.NoError(t, err)
	require.Greater(t, len(pages), 10)
	count, seen := 0, map[string]bool{}
	documents := append([]string{"README.md"}, pages...)
	// Those of the first tier are about a session, which the README's commands have made by then.
	few := []string{"README.md", "docs/command-line.md", "docs/review-an-agent.md"}
	for _, document := range testneed.Cases(few, documents, documents) {
		for _, c := range docCommands(t, filepath.Join(root, filepath.FromSlash(document))) {
			line := strings.TrimPrefix(c.line, "bin/")
			if seen[line] && c.prints == nil || strings.Contains(line, "browser close") { // the test's own browser, which is closed at the end
				continue
			}
			seen[line] = true
			count++
			began := time.Now()
			cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
			cmd.Dir = u.dir
			cmd.Env = append(u.env, "PATH="+filepath.Join(u.dir, "bin")+":"+os.Getenv("PATH"), "HOME="+u.home)
			out, err := cmd.CombinedOutput()
			if c.prints == nil {
				assert.NoError(t, err, "%s: %s\n%s", document, line, out)
			} else {
				assert.Regexp(t, c.printed(), string(out), "%s: %s", document, line)
			}
			t.Logf("%5d ms  %s: %s", time.Since(began).Milliseconds(), document, line)
		}
	}
	t.Logf("%d commands", count)
	require.Greater(t, count, testneed.Cases(25, 50, 50))
	if testing.Short() {
		return
	}
	for file, schema := range map[string]string{"findings.json": "findings", "marks.json": "manifest"} {
		body, err := os.ReadFile(filepath.Join(u.dir, "out", file))
		require.NoError(t, err)
		requireSchema(t, schema, body)
	}
}

// requireSchema holds what the program wrote to a schema of docs/schemas.
func requireSchema(t *testing.T, name string, body []byte) {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, schemaOf(t, name).Validate(doc))
}

// schemaOf is a schema of docs/schemas.
func schemaOf(t *testing.T, name string) *validator.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testneed.Repository(t), "docs", "schemas", name+".schema.json"))
	require.NoError(t, err)
	shape, err := validator.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := validator.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", shape))
	schema, err := c.Compile("schema.json")
	require.NoError(t, err)
	return schema
}
