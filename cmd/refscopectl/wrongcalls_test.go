package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// wrongValues are values that no flag of a type takes.
var wrongValues = map[string]string{
	"int": "many", "float64": "much", "duration": "5", "bool": "perhaps", "uint16": "-1",
}

// TestEveryWrongCallIsOneLine: whatever is wrong with a call of whichever command, the answer is exit 2 and one line on
// standard error that begins with the command and repeats what was given.
func TestEveryWrongCallIsOneLine(t *testing.T) {
	count := 0
	wrong := func(c *cobra.Command, given string, args ...string) {
		count++
		path := strings.TrimPrefix(c.CommandPath(), "refscopectl ")
		code, stdout, stderr := ctl(t, append(strings.Fields(path), args...)...)
		require.Equal(t, 2, code, "%s %v: %s", path, args, stderr)
		require.Empty(t, stdout, "%s %v", path, args)
		line, rest, _ := strings.Cut(stderr, "\n")
		require.Empty(t, rest, "%s %v: more than one line", path, args)
		after, ok := strings.CutPrefix(line, "refscopectl: "+path+": ")
		require.True(t, ok, "%s %v: does not begin with the command: %s", path, args, line)
		require.Contains(t, after, given, "%s %v: does not say what was given", path, args)
		require.Contains(t, after, ": ", "%s %v: does not say what to do: %s", path, args, line)
		if c.Flag("json") != nil {
			code, stdout, stderr = ctl(t, append(append(strings.Fields(path), args...), "--json")...)
			require.Equal(t, 2, code, "%s %v: %s", path, args, stderr)
			require.Contains(t, stdout, `"type":"USAGE"`, "%s %v --json: the flag behind the wrong one", path, args)
		}
	}
	var each func(*cobra.Command)
	each = func(c *cobra.Command) {
		for _, s := range c.Commands() {
			each(s)
		}
		if c.HasSubCommands() || !c.HasParent() || c.Hidden || c.Name() == "help" {
			return
		}
		wrong(c, "--no-such-flag", "--no-such-flag")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if value := wrongValues[f.Value.Type()]; value != "" {
				wrong(c, value, "--"+f.Name+"="+value)
			}
		})
	}
	each(newRoot(silent()))
	t.Logf("%d wrong calls", count)
	require.Greater(t, count, 200)
}

// anything are the places whose values are of any kind: a level is a number, checked is true, false or mixed.
var anything = regexp.MustCompile(`\.(states|from|to)\b`)

// mutations are how many wrong documents each schema must refuse.
const mutations = 100

// refusesMutations: a value of the wrong kind anywhere in what was printed does not fit a schema. 100 places are tried,
// spread over the document, or all that it has.
func refusesMutations(t *testing.T, schema string, body []byte) {
	t.Helper()
	s := schemaOf(t, schema)
	var whole any
	require.NoError(t, json.Unmarshal(body, &whole))
	require.NoError(t, s.Validate(whole))
	type place struct {
		path string
		was  any
		set  func(any)
	}
	var all []place
	var walk func(v any, path string)
	walk = func(v any, path string) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				all = append(all, place{path + "." + name, v[name], func(to any) { v[name] = to }})
				walk(v[name], path+"."+name)
			}
		case []any:
			for i := range v {
				all = append(all, place{fmt.Sprintf("%s[%d]", path, i), v[i], func(to any) { v[i] = to }})
				walk(v[i], fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
	walk(whole, schema)
	all = slices.DeleteFunc(all, func(p place) bool { return anything.MatchString(p.path) })
	require.Greater(t, len(all), 5)
	for k := range min(mutations, len(all)) {
		p := all[k*len(all)/min(mutations, len(all))]
		wrong := any(-1.5)
		if _, number := p.was.(float64); number {
			wrong = "a text"
		}
		p.set(wrong)
		require.Error(t, s.Validate(whole), "%s is %v", p.path, wrong)
		p.set(p.was)
	}
	require.NoError(t, s.Validate(whole))
	// A member that the schema does not know is refused wherever members have names of ours.
	top := whole.(map[string]any)
	top["no such member"] = 1.0
	require.Error(t, s.Validate(whole))
	delete(top, "no such member")
}

// TestDashIsStandardInputAndOutput: - is standard input in the place of a TARGET, and standard output in that of a file.
func TestDashIsStandardInputAndOutput(t *testing.T) {
	capture, err := os.ReadFile(filepath.Join("testdata", "stdin.capture.json"))
	require.NoError(t, err)
	run := func(in []byte, args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		a := &cli.App{Args: args, Stdout: &stdout, Stderr: &stderr, In: bytes.NewReader(in)}
		code := a.Report(dispatch(context.Background(), a, append([]string{"--home", t.TempDir()}, args...)))
		return code, stdout.String(), stderr.String()
	}
	code, out, errs := run(capture, "snap", "-")
	require.Zero(t, code, errs)
	require.Contains(t, out, "Send the order")
	code, out, errs = run(capture, "mark", "-", "--manifest", "-")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"schema": "refscope.marks/1"`)
	code, out, errs = run(nil, "snap", "-")
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, errs, "standard input is empty")
	code, out, errs = run(capture, "mark", "-", "--legend", "-", "--manifest", "-")
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, errs, "name a file for one of the two")
	for schema, args := range map[string][]string{
		"why": {"why", "-", "1"}, "find": {"find", "--text", "Send", "-"}, "diff": {"diff", "-", "-"},
		"tokens": {"tokens", "-"}, "findings": {"audit", "-"},
		"capture": {"snap", "-", "--format", "capture"},
	} {
		code, out, errs = run(capture, append([]string{"--json"}, args...)...)
		require.Zero(t, code, "%v: %s", args, errs)
		requireSchema(t, schema, []byte(out))
		refusesMutations(t, schema, []byte(out))
	}
	code, _, errs = run(capture, "--json", "mark", "-", "--manifest", "-")
	require.Equal(t, 2, code, errs)
}

// TestWrongCallsThatNameFiles: a file in the place of steps, or one whose name begins as a flag does, is told what to
// write instead.
func TestWrongCallsThatNameFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("-page.html", []byte("<p>x"), 0o600))
	code, _, stderr := ctl(t, "snap", "-page.html")
	require.Equal(t, 2, code)
	require.Equal(t, "refscopectl: snap: unknown flag -page.html: write ./-page.html for the file of that name\n", stderr)
	code, stdout, _ := ctl(t, "run", "steps.json")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, `"type":"PARSE"`)
	require.Contains(t, stdout, "pipe a file in: refscopectl run -")
	require.NotContains(t, stdout, "steps.json", "what was given may be a password")
}
