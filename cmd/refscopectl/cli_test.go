package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"
)

// ctl runs the program in this process, with a home of the test's own. A command that opens pages and starts no browser of
// its own, by --fresh and the like, finds the one of all tests there, as if run had left it, and keeps to itself in it.
func ctl(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("REFSCOPE_CHROME_FLAGS", `"host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"`)
	if os.Getenv("REFSCOPE_HOME") == "" {
		t.Setenv("REFSCOPE_HOME", t.TempDir())
	}
	lend(t, os.Getenv("REFSCOPE_HOME"))
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// lend records the browser of all tests in a home, as one that was started there for commands that name none.
func lend(t testing.TB, home string) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		return
	}
	// A home that nobody can write has no browser that is left to it.
	_ = registry.Open(home).Record(chromeAddress(t), registry.Browser{
		PID: os.Getpid(), Endpoint: chrome.Browser(t).Endpoint(), Kept: true, Headless: true, Started: time.Now(),
		Default: true,
	})
}

// chromeAddress is the HOST:PORT of the browser of all tests.
func chromeAddress(t testing.TB) string {
	t.Helper()
	at, err := url.Parse(chrome.Browser(t).Endpoint())
	require.NoError(t, err)
	return at.Host
}

func needChrome(t testing.TB) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		testneed.Missing(t, "there is no Chrome or Chromium on this machine")
	}
}

func page(t *testing.T, html string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(name, []byte(html), 0o644))
	return name
}

const form = `<!doctype html><title>Form</title><h1>Sign in</h1><form><label>Name <input name="n" value="Ada"></label>
<label>Secret <input type="password" value="hunter2"></label><button>Go</button></form><p>Some text`

func TestWrongCallsAreUsageErrors(t *testing.T) {
	turnDir := t.TempDir()
	plainFile := filepath.Join(turnDir, "notes.txt")
	require.NoError(t, os.WriteFile(plainFile, nil, 0o600))
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no command":           {nil, "no command"},
		"unknown command":      {[]string{"snapp"}, `unknown command "snapp"`},
		"unknown flag":         {[]string{"snap", "--nope", "x"}, "nope"},
		"no target":            {[]string{"snap"}, "name a target"},
		"several targets":      {[]string{"snap", "a.example", "b.example"}, "--jsonl"},
		"unknown format":       {[]string{"snap", "--format", "xml", "x.example"}, `unknown format "xml"`},
		"bad viewport":         {[]string{"--viewport", "big", "snap", "x.example"}, "WIDTHxHEIGHT"},
		"bad session name":     {[]string{"snap", "--session", "../x", "x.example"}, "--session"},
		"mark without output":  {[]string{"mark", "x.example"}, "-o OUT.png"},
		"turn without folder":  {[]string{"turn", "x.example"}, "-o DIR"},
		"not an address":       {[]string{"turn", "-o", turnDir, "what is this"}, "not an address"},
		"unknown session verb": {[]string{"session", "burn"}, "burn"},
		"a file, no page":      {[]string{"snap", plainFile}, "is a file, but no .html page"},
		"a folder":             {[]string{"snap", turnDir}, "is a folder: name an .html file"},
		"a bare word":          {[]string{"snap", "example"}, "https://example/"},
		"time without a unit":  {[]string{"--timeout", "5", "snap", "x.example"}, "write a time with its unit"},
		"limit below its last": {[]string{"snap", "--max-chars", "-5", "x.example"}, "choose a number from -1 on"},
		"setting of another":   {[]string{"snap", "--min-visible", "0.5", "x.example"}, "changes nothing in dddk"},
		"setting of no text":   {[]string{"snap", "--format", "capture", "--max-chars", "9", "x.example"}, "changes nothing"},
		"attach to a word":     {[]string{"--attach", "localhost", "snap", "x.example"}, `"localhost": want HOST:PORT`},
		"one argument more":    {[]string{"session", "check", "a", "b"}, `unexpected argument "b"`},
		"flag of the program":  {[]string{"--bogus"}, "unknown flag --bogus"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, c.args...)
			require.Equal(t, 2, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Empty(t, stdout)
		})
	}
}

func TestErrorsAsJSON(t *testing.T) {
	code, stdout, stderr := ctl(t, "snap", "--json", "--format", "xml", "x.example")
	require.Equal(t, 2, code)
	require.Empty(t, stderr)
	var got struct {
		Status string
		Error  struct{ Type, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, "error", got.Status)
	require.Contains(t, got.Error.Message, "xml")
}

func TestFailuresAreOneLineAndExitOne(t *testing.T) {
	needChrome(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no such file":      {[]string{"snap", "./no-such.html"}, "no-such.html"},
		"no such turn":      {[]string{"snap", "nowhere#3"}, "nowhere#3"},
		"wrong chrome":      {[]string{"--chrome", "/no/such/chrome", "snap", page(t, form)}, "/no/such/chrome"},
		"unreachable host":  {[]string{"snap", "http://no-such-host.invalid/"}, "cannot be found"},
		"scheme is added":   {[]string{"snap", "no-such-host.invalid"}, "https://no-such-host.invalid"},
		"nothing to attach": {[]string{"--attach", "127.0.0.1:1", "snap", page(t, form)}, "no browser answers"},
		"folder is a file":  {[]string{"turn", page(t, form), "-o", file}, file},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := ctl(t, append([]string{"--quiet"}, c.args...)...)
			require.Equal(t, 1, code, stderr)
			require.Contains(t, stderr, c.want)
			require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
			require.Empty(t, stdout)
		})
	}
}

func TestSnapPrintsEveryFormat(t *testing.T) {
	needChrome(t)
	target := page(t, form)
	code, out, stderr := ctl(t, "--quiet", "snap", target)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, `[4]<input type="text" value="Ada" />`)
	require.NotContains(t, out, "hunter2")
	require.Contains(t, out, "<p>Some text</p>")

	code, out, stderr = ctl(t, "--quiet", "snap", target, "--format", "semantic")
	require.Equal(t, 0, code, stderr)
	var semantic struct {
		Mode string
		Tree []struct{ I, R, N string } `json:"interactive_tree"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &semantic))
	require.Equal(t, "semantic", semantic.Mode)
	require.Equal(t, "4", semantic.Tree[0].I)

	code, out, stderr = ctl(t, "--quiet", "snap", "--format", "capture", target)
	require.Equal(t, 0, code, stderr)
	var kept, all snapshot.Capture
	require.NoError(t, json.Unmarshal([]byte(out), &kept))
	require.NotContains(t, out, "hunter2")
	_, out, _ = ctl(t, "--quiet", "snap", "--format", "capture", "--all", target)
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	require.Less(t, len(kept.Nodes), len(all.Nodes))
	require.Equal(t, kept.Verdicts, all.Verdicts, "counts are of all elements either way")

	code, out, stderr = ctl(t, "--quiet", "snap", "--jsonl", target, "./no-such.html", target)
	require.Equal(t, 1, code, stderr)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[0], `"status":"ok"`)
	require.Contains(t, lines[1], `"status":"error"`)
}

func TestMarkAgreesWithItsManifest(t *testing.T) {
	needChrome(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	code, _, stderr := ctl(t, "mark", page(t, form), "-o", at("m.png"), "--clean", at("c.png"), "--manifest", at("m.json"),
		"--legend", at("l.txt"))
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stderr, "refs are marked")
	var m overlay.Manifest
	data, err := os.ReadFile(at("m.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &m))
	require.Equal(t, "m.png", m.Images[0].File)
	for _, o := range []string{"--lines", "--containers"} {
		_, _, errs := ctl(t, "mark", page(t, form), "-o", at("more.png"), o)
		require.Contains(t, errs, fmt.Sprintf(" of %d refs are marked", len(m.Marks)), "lines of text are counted too")
	}
	drawn := 0
	for _, k := range m.Marks {
		if k.Status == overlay.Drawn {
			drawn++
		}
	}
	legend, err := os.ReadFile(at("l.txt"))
	require.NoError(t, err)
	require.Equal(t, drawn, strings.Count(string(legend), "\n"), "a line for each mark")
	for _, name := range []string{"m.png", "c.png"} {
		f, err := os.Open(at(name))
		require.NoError(t, err)
		cfg, err := png.DecodeConfig(f)
		f.Close()
		require.NoError(t, err)
		require.Equal(t, 1280, cfg.Width)
		require.Equal(t, 720, cfg.Height)
	}
}

func TestTurnsAreKeptAndReadWithoutABrowser(t *testing.T) {
	needChrome(t)
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	code, out, stderr := ctl(t, "--quiet", "--session", "work", "turn", page(t, form), page(t, "<h1>Two"))
	require.Equal(t, 0, code, stderr)
	require.Equal(t, 2, strings.Count(out, "\n"))

	code, out, _ = ctl(t, "session", "show", "work", "--json")
	require.Equal(t, 0, code)
	var show struct{ Turns []struct{ Turn, Refs int } }
	require.NoError(t, json.Unmarshal([]byte(out), &show))
	require.Len(t, show.Turns, 2)

	t.Setenv("PATH", "")
	code, out, stderr = ctl(t, "--chrome", "/no/browser/needed", "snap", "work#1")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "Sign in")
	code, out, _ = ctl(t, "session", "list")
	require.Equal(t, 0, code)
	require.Regexp(t, `^work  2 turns  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$`, out)
	code, _, _ = ctl(t, "session", "check", "work")
	require.Equal(t, 0, code)

	// A damaged turn is named, and hides nothing.
	require.NoError(t, os.WriteFile(filepath.Join(home, "sessions", "work", "turns", "0001", "turn.json"), []byte("{"),
		0o644))
	code, _, stderr = ctl(t, "session", "check", "work")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "damaged")
	code, _, stderr = ctl(t, "snap", "work#1")
	require.Equal(t, 1, code, stderr)
	code, _, stderr = ctl(t, "snap", "work#2")
	require.Equal(t, 0, code, stderr)
}

// everyCommand calls do for each command and verb that people see.
func everyCommand(c *cobra.Command, do func(*cobra.Command)) {
	for _, s := range c.Commands() {
		if !s.Hidden {
			do(s)
			everyCommand(s, do)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	code, overview, _ := ctl(t, "--help")
	require.Equal(t, 0, code)
	a := &cli.App{Stdout: io.Discard, Stderr: io.Discard}
	root := newRoot(a)
	count := 0
	everyCommand(root, func(c *cobra.Command) {
		count++
		if c.Parent() == root {
			require.Contains(t, overview, "  "+c.Name()+" ")
			require.NotEmpty(t, c.GroupID, "%s stands in a group", c.Name())
		}
		require.NotEmpty(t, c.Short, c.CommandPath())
		path := strings.Fields(c.CommandPath())[1:]
		code, help, stderr := ctl(t, append(path, "--help")...)
		require.Equal(t, 0, code, stderr)
		require.Contains(t, help, "Examples:\n  ", "%v has an example", path)
		require.Equal(t, 1, strings.Count(help, "--timeout"), "%v: global flags are named once", path)
		require.NotContains(t, help, "for opening a page and reading it", "%v: they are explained elsewhere", path)
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			require.Contains(t, help, "--"+f.Name, "%v lists its flags", path)
		})
		for line := range strings.Lines(help) {
			require.LessOrEqual(t, len([]rune(line)), 140, "%v: %s", path, line)
		}
	})
	require.Greater(t, count, 40)
	require.Contains(t, overview, "for opening a page and reading it")
}

// The version names what a report of a fault needs: commit, Go, Chrome, or why there is none.
func TestVersion(t *testing.T) {
	code, out, _ := ctl(t, "version")
	require.Equal(t, 0, code)
	for _, part := range []string{cli.Tool(), "\ncommit    ", "\ngo        " + runtime.Version(), "\nchrome    ", snapshot.Schema} {
		require.Contains(t, out, part)
	}
	nowhere := filepath.Join(t.TempDir(), "no-chrome")
	code, out, _ = ctl(t, "version", "--json", "--chrome", nowhere)
	require.Equal(t, 0, code)
	var v about
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	require.Equal(t, cli.Version, v.Version)
	require.Contains(t, v.Chrome.Error, "cannot be started")
}

// Examples are calls that the program understands, as far as that shows without running them.
func TestExamplesParse(t *testing.T) {
	a := &cli.App{Stdout: io.Discard, Stderr: io.Discard}
	everyCommand(newRoot(a), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			if _, after, piped := strings.Cut(line, "| "); piped && strings.Contains(after, "refscopectl") {
				line = after
			}
			_, line, ok := strings.Cut(line, "refscopectl ")
			if !ok {
				continue
			}
			line, _, _ = strings.Cut(line, " > ")
			line, _, _ = strings.Cut(line, " < ")
			line, _, _ = strings.Cut(line, " | ")
			args, err := shell.Fields(strings.TrimSuffix(strings.TrimSpace(line), ")"), nil)
			require.NoError(t, err, line)
			help := len(args)
			if dash := slices.Index(args, "--"); dash >= 0 {
				help = dash // what follows is another program's
			}
			code, _, stderr := ctl(t, slices.Insert(args, help, "--help")...)
			require.Equal(t, 0, code, "%s: %s", line, stderr)
		}
	})
}

func TestCanonicalCommandLines(t *testing.T) {
	a := &cli.App{Stdout: io.Discard, Stderr: io.Discard}
	for line, want := range map[string]string{
		"snap x":                                 "snap x",
		"--json snap x":                          "snap --json x",
		"--viewport 800x600 snap x -format=aria": "snap --viewport 800x600 x --format=aria",
		"snap -format aria x -max-chars -1":      "snap --format aria x --max-chars -1",
		"turn x --o out":                         "turn x -o out",
		"turn x -o=out":                          "turn x -o=out",
		"snap --query -format x":                 "snap --query -format x",
		"snap snap":                              "snap snap",
		"session --follow show s":                "session show --follow s",
		"--quiet session --undo 3 note s#1":      "session note --quiet --undo 3 s#1",
		"golden --html out.html check d":         "golden check --html out.html d",
		"-h":                                     "-h",
		"snap -help":                             "snap --help",
		"--quiet {\"steps\":[]} -json":           "run --quiet {\"steps\":[]} --json",
		"run -":                                  "run -",
		"snap -- -format":                        "snap -- -format",
		"__complete snap -f":                     "__complete snap -f",
		"help session note":                      "help session note",
		"unknown --json x":                       "unknown --json x",
	} {
		require.Equal(t, want, strings.Join(canonical(newRoot(a), strings.Fields(line)), " "), line)
	}
}

func TestDidYouMean(t *testing.T) {
	for _, c := range []struct {
		line, want string
	}{
		{"snapp x", "did you mean snap?"},
		{"session shwo", "did you mean show?"},
		{"snap --fromat aria x", "did you mean --format?"},
		{"mark x --manifst m.json", "did you mean --manifest?"},
		{"snap --max-chars many x", `--max-chars "many"`},
		{"snap --format", "--format needs a value"},
		{"session note", "session note SESSION#N [TEXT]"},
		{"browser status x", "unexpected argument"},
	} {
		code, stdout, stderr := ctl(t, strings.Fields(c.line)...)
		require.Equal(t, 2, code, c.line)
		require.Contains(t, stderr, c.want, c.line)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
		require.Empty(t, stdout)
	}
}

func TestCompletion(t *testing.T) {
	home := t.TempDir()
	t.Setenv("REFSCOPE_HOME", home)
	require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions", "shop"), 0o700))
	err := registry.Open(home).Update(t.Context(), func(f *registry.File) error {
		f.Add(registry.Tab{TargetID: strings.Repeat("A", 32), Host: "127.0.0.1", Port: 9222})
		return nil
	})
	require.NoError(t, err)
	for _, shell := range shells {
		code, out, stderr := ctl(t, "completion", shell)
		require.Equal(t, 0, code, stderr)
		require.Contains(t, out, "__complete")
	}
	code, _, stderr := ctl(t, "completion", "tcsh")
	require.Equal(t, 2, code)
	require.Contains(t, stderr, "powershell")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{""}, "snap\t"},
		{[]string{"snap", "--format", ""}, "wraith-json\n"},
		{[]string{"payload", "--dialect", ""}, "openai-chat\n"},
		{[]string{"--viewport", ""}, "iphone-14\n"},
		{[]string{"--session", ""}, "shop\n"},
		{[]string{"session", "show", ""}, "shop\n"},
		{[]string{"session", ""}, "export\t"},
		{[]string{"snap", ""}, "t1\n"},
		{[]string{"run", "--step", ""}, "click\t"},
		{[]string{"snap", "--"}, "--max-chars\t"},
	} {
		code, out, stderr := ctl(t, append([]string{"__complete"}, c.args...)...)
		require.Equal(t, 0, code, stderr)
		require.Contains(t, out, c.want, "%q", c.args)
	}
}

func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	code, stdout, stderr := ctl(t, "man", dir)
	require.Equal(t, 0, code, stderr)
	require.Empty(t, stdout)
	page, err := os.ReadFile(filepath.Join(dir, "refscopectl-session-note.1"))
	require.NoError(t, err)
	require.Contains(t, string(page), "verdict")
	require.Contains(t, string(page), "EXAMPLE")
	code, _, stderr = ctl(t, "man", filepath.Join(dir, "refscopectl.1"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "refscopectl.1")
}

func TestBrowserFlagsAreSplitAsAShellDoes(t *testing.T) {
	a := &cli.App{ChromeFlags: []string{"last one"}}
	for value, want := range map[string][]string{
		`"a=b c"  d `:      {"a=b c", "d", "last one"},
		`--x ""`:           {"--x", "", "last one"},
		`'it''s' e\ f`:     {"its", "e f", "last one"},
		`rules="MAP * ~X"`: {"rules=MAP * ~X", "last one"},
		"  ":               {"last one"},
	} {
		t.Setenv("REFSCOPE_CHROME_FLAGS", value)
		got, err := a.BrowserFlags()
		require.NoError(t, err)
		require.Equal(t, want, got, value)
	}
	t.Setenv("REFSCOPE_CHROME_FLAGS", `"open`)
	_, err := a.BrowserFlags()
	require.ErrorContains(t, err, "REFSCOPE_CHROME_FLAGS")
}

func TestPageTextCannotWriteToATerminal(t *testing.T) {
	var out bytes.Buffer
	a := &cli.App{Stdout: &out}
	require.NoError(t, a.Print("a\x1b[31mb\n\tc\u202e"))
	require.Equal(t, "a\\u{1b}[31mb\n\tc\\u{202e}", out.String())
}

// A kept tab is a target by its alias, with the numbers of its session.
func TestKeptTabIsATarget(t *testing.T) {
	needChrome(t)
	u := newGuest(t)
	t.Setenv("REFSCOPE_HOME", u.home)
	at := u.address()
	code, kept, stderr := ctl(t, "--quiet", "--attach", at, "snap", "--keep", page(t, form))
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stderr, "tab t1\n")
	code, again, stderr := ctl(t, "--quiet", "snap", "t1")
	require.Equal(t, 0, code, stderr)
	require.Equal(t, kept, again, "the tab is as it was, and so are its numbers")
	code, out, stderr := ctl(t, "--quiet", "why", "t1", "button")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, "Go")
	code, out, stderr = ctl(t, "turn", "t1", "--session", "other", "--json")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, out, `"tab":"t1"`)
	code, _, stderr = ctl(t, "snap", "t9")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "no tab with that alias: refscopectl browser tabs lists them")
}

// freePort is a port that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	address, err := registry.FreeAddress(t.Context())
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(address)
	require.NoError(t, err)
	return port
}

// The trace of a command has its stages, its calls to the browser and what ran in the page,
// and nothing of the page's own text.
func TestTrace(t *testing.T) {
	needChrome(t)
	file := filepath.Join(t.TempDir(), "trace.json")
	code, _, stderr := ctl(t, "--quiet", "--trace", file, "snap", page(t, form))
	require.Equal(t, 0, code, stderr)
	lanes, data := lanesOf(t, file)
	for lane, name := range []string{"capture", "settle", "Page.getFrameTree", "hit tests"} {
		require.Contains(t, lanes, name)
		require.Equal(t, lane, lanes[name], name)
	}
	require.NotContains(t, data, "Some text")
}

// Steps have a trace whoever runs them: the broker's work is the command's.
func TestTraceOfSteps(t *testing.T) {
	u := newGuest(t)
	url, _ := site(t, `<p>x`)
	for _, flags := range [][]string{nil, {"--no-broker"}} {
		file := filepath.Join(t.TempDir(), "trace.json")
		u.steps(append(flags, "--trace", file), fmt.Sprintf(`{"steps":[{"openTab":%q}]}`, url))
		lanes, _ := lanesOf(t, file)
		for _, name := range []string{"Target.createTarget", "Page.navigate", "hit tests"} {
			require.Contains(t, lanes, name, "%v", flags)
		}
	}
}

// lanesOf is the lane of each span of a trace, and its text.
func lanesOf(t *testing.T, file string) (lanes map[string]int, text string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var written struct {
		Events []struct {
			Name string `json:"name"`
			TID  int    `json:"tid"`
		} `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(data, &written))
	lanes = map[string]int{}
	for _, e := range written.Events {
		lanes[e.Name] = e.TID / 1000
	}
	return lanes, string(data)
}
