package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/refscope/refscope/assets"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// example is one line of a block of the guide.
type example struct{ kind, line string }

// examples are the lines of the guide's sh and json blocks.
func examples(t *testing.T, name string) []example {
	t.Helper()
	b, err := fs.ReadFile(assets.Skill(), name)
	require.NoError(t, err)
	var out []example
	kind := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		switch rest, fence := strings.CutPrefix(line, "```"); {
		case fence && kind == "":
			require.Contains(t, []string{"sh", "json", "text"}, rest, "a block that says what it is")
			kind = rest
		case fence:
			kind = ""
		case kind == "sh" || kind == "json":
			out = append(out, example{kind, line})
		}
	}
	require.Empty(t, kind)
	require.NotEmpty(t, out)
	return out
}

// Every example of the guide runs, in its order, against the demo site (C-24).
func TestExamplesOfTheSkill(t *testing.T) {
	testneed.Long(t, "every example of the skill")
	testneed.Program(t, "sh", "the guide's examples are lines of a shell")
	owner := newGuest(t)
	site := demoSite(t)
	self, err := os.Executable()
	require.NoError(t, err)
	guides := []string{"EXAMPLES.md", "SKILL.md"}
	for _, name := range guides {
		t.Run(name, func(t *testing.T) {
			cli, agent := newUser(t), newUser(t)
			cli.port, agent.port = owner.port, owner.port
			bin := t.TempDir()
			program := "#!/bin/sh\nexec '" + self + "' --quiet --attach " + owner.address() + " \"$@\"\n"
			require.NoError(t, os.WriteFile(filepath.Join(bin, "refscopectl"), []byte(program), 0o700))
			var cs *sdk.ClientSession
			for _, ex := range examples(t, name) {
				began := time.Now()
				line := strings.ReplaceAll(ex.line, "https://shop.example/", site)
				if ex.kind == "sh" {
					cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
					cmd.Env, cmd.Dir = append(cli.env, "PATH="+bin+":"+os.Getenv("PATH")), cli.dir
					out, err := cmd.CombinedOutput()
					require.NoError(t, err, "%s\n%s", ex.line, out)
					t.Logf("%5d ms  %s", time.Since(began).Milliseconds(), ex.line)
					continue
				}
				var call struct {
					Tool      string
					Arguments json.RawMessage
				}
				require.NoError(t, json.Unmarshal([]byte(line), &call), ex.line)
				if cs == nil {
					cs, err = sdk.NewClient(&sdk.Implementation{Name: "guide", Version: "1"}, nil).Connect(t.Context(),
						&sdk.CommandTransport{Command: agent.command("mcp", "--attach", owner.address())}, nil)
					require.NoError(t, err)
				}
				res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: call.Tool, Arguments: call.Arguments})
				require.NoError(t, err)
				text := res.Content[0].(*sdk.TextContent).Text
				require.False(t, res.IsError, "%s\n%s", ex.line, text)
				require.NotContains(t, text, `"verification_passed":false`, ex.line)
				t.Logf("%5d ms  %s", time.Since(began).Milliseconds(), ex.line)
			}
			if cs != nil {
				require.NoError(t, cs.Close())
			}
		})
	}
}
