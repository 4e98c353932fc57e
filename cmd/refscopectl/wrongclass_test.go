package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// foreign are words of Go and its libraries that no error of ours has, and an end after a colon.
var foreign = regexp.MustCompile(`strconv|context canceled|deadline exceeded|\bEOF\b|invalid syntax|parsing "|unmarshal|<nil>|%!|: *$`)

// wrongLine holds the line of a wrong call to its form: one line, which begins with the command (nothing for the program
// itself), in lower case, with what was given and without another program's words.
func wrongLine(t *testing.T, path, given string, least int, args ...string) {
	t.Helper()
	code, stdout, stderr := ctl(t, args...)
	call := strings.Join(args, " ")
	if code < least || code > 2 {
		t.Errorf("%s: exit %d: %s", call, code, stderr)
		return
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[0], "refscopectl: running as root") { // a remark, not of the error
		lines = lines[1:]
	}
	line := strings.TrimPrefix(lines[0], "refscopectl: ")
	after, ok := strings.CutPrefix(line, path)
	switch {
	case stdout != "":
		t.Errorf("%s: prints %.200s", call, stdout)
	case len(lines) > 1:
		t.Errorf("%s: %d lines: %s", call, len(lines), stderr)
	case line == lines[0] || !ok:
		t.Errorf("%s: does not begin with %q: %s", call, path, stderr)
	case !strings.Contains(after, given):
		t.Errorf("%s: does not say %q: %s", call, given, stderr)
	case after != strings.TrimLeft(after, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
		t.Errorf("%s: begins in upper case: %s", call, stderr)
	case foreign.MatchString(line):
		t.Errorf("%s: another program's words: %s", call, stderr)
	}
}

// takesFewer are the commands that take any number of words, or wait, or begin another program with them.
var takesFewer = map[string]string{
	"tap": "its words are a program", "run": "its words are steps, and the answer is JSON", "mcp": "it waits for a client",
	"batch": "a word that is no verb is its list",
}

// TestWrongWordsAreToldInOneLine goes over all commands: a word that is none, a word too much, a word that is missing,
// a file where a number is wanted. What is wrong is told in one line, and nothing is opened for it.
func TestWrongWordsAreToldInOneLine(t *testing.T) {
	t.Chdir(t.TempDir())
	file := "page.html"
	require.NoError(t, os.WriteFile(file, []byte("<p>Hi"), 0o600))
	count := 0
	wrong := func(path, given string, least int, args ...string) {
		count++
		wrongLine(t, path, given, least, args...)
	}
	walkCommands(newRoot(silent()), func(c *cobra.Command) {
		path := cli.PathOf(c)
		words := strings.Fields(path)
		misspelled := append([]string{}, words...)
		misspelled[len(words)-1] += "qx"
		switch len(words) {
		case 1:
			wrong("unknown command", words[0]+"qx", 2, misspelled...)
			wrong("help: ", words[0]+"qx", 2, append([]string{"help"}, misspelled...)...)
		default:
			if takesFewer[words[0]] == "" {
				wrong(words[0]+": ", words[len(words)-1]+"qx", 1, misspelled...)
			}
		}
		if c.HasSubCommands() && !c.Runnable() {
			return
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if kind := f.Value.Type(); kind == "int" || kind == "float64" {
				wrong(path+": ", file, 2, append(append([]string{}, words...), "--"+f.Name, file)...)
			}
		})
		if _, other := takesFewer[path]; other {
			return
		}
		if most := mostWords(c); most >= 0 && path != "key set" { // a word too much may be the key
			many := append([]string{}, words...)
			for range most + 1 {
				many = append(many, "zz")
			}
			wrong(path+": ", "zz", 2, many...)
		}
		if needsWords(c) {
			wrong(path+": ", "", 2, words...)
		}
	})
	t.Logf("%d wrong calls", count)
	require.Greater(t, count, 150)
}

// mostWords is how many words a command takes, -1 for any number.
func mostWords(c *cobra.Command) int {
	if c.Args == nil {
		return -1
	}
	for n := range 9 {
		if c.Args(c, make([]string, n+1)) != nil && c.Args(c, make([]string, n)) == nil {
			return n
		}
	}
	return -1
}

// needsWords reports whether a command refuses to be called without words by what it declares.
func needsWords(c *cobra.Command) bool { return c.Args != nil && c.Args(c, nil) != nil }

// TestNamedWrongCalls: the calls that people made, with what the line has to say.
func TestNamedWrongCalls(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("t.txt", []byte("hello"), 0o600))
	require.NoError(t, os.WriteFile("page.html", []byte("<p>Hi"), 0o600))
	require.NoError(t, os.WriteFile("broken.json", []byte("{\n \"a\": 1,}\n"), 0o600))
	for _, one := range []struct {
		path, given string
		least       int
		args        []string
	}{
		{"snap: ", "t.txt is a file", 2, []string{"snap", "t.txt"}},
		{"snap: ", `"example" is not a file`, 2, []string{"snap", "example"}},
		{"snap: ", "broken.json", 1, []string{"snap", "broken.json"}},
		{"snap: ", "nosuch.json", 1, []string{"snap", "nosuch.json"}},
		{"snap: ", "nosuch.html", 1, []string{"snap", "nosuch.html"}},
		{"snap: ", "nosuch#3", 1, []string{"snap", "nosuch#3"}},
		{"mark: ", "gtp-4", 2, []string{"mark", "page.html", "-o", "m.png", "--model", "gtp-4"}},
		{"snap: ", "--max-chars -5", 2, []string{"snap", "page.html", "--max-chars", "-5"}},
		{"snap: ", `--timeout "5"`, 2, []string{"snap", "page.html", "--timeout", "5"}},
		{"snap: ", `"localhost"`, 2, []string{"snap", "page.html", "--attach", "localhost"}},
		{"snap: ", `"big"`, 2, []string{"snap", "page.html", "--viewport", "big"}},
		{"snap: ", "/no/such/chrome", 1, []string{"snap", "page.html", "--fresh", "--chrome", "/no/such/chrome"}},
		{"snap: ", "/bin/true", 1, []string{"snap", "page.html", "--fresh", "--chrome", "/bin/true"}},
		{"help: ", `"snpa"`, 2, []string{"help", "snpa"}},
		{"help: ", "did you mean snap?", 2, []string{"help", "snpa"}},
		{"unknown command", "did you mean snap?", 2, []string{"snpa"}},
		{"session: ", `"lst"`, 2, []string{"session", "lst"}},
		{"session show: ", "x does not exist", 1, []string{"session", "show", "x"}},
		{"doctor: ", "x", 1, []string{"doctor", "x"}},
		{"compare: ", "x", 1, []string{"compare", "x", "y"}},
		{"config get: ", `"nosuch"`, 2, []string{"config", "get", "nosuch"}},
		{"config set: ", "many", 2, []string{"config", "set", "timeout", "many"}},
		{"payload: ", `"nosuch"`, 2, []string{"payload", "page.html", "--dialect", "nosuch"}},
		{"audit: ", "nosuch.json", 1, []string{"audit", "page.html", "--threshold", "nosuch.json"}},
	} {
		wrongLine(t, one.path, one.given, one.least, one.args...)
	}
}
