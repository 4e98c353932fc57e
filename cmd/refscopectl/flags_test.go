package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"github.com/refscope/refscope/capture/agent/ask"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// tried are calls that answer, by command, in words of a shell. {page} stands for each saved page in turn, until an
// answer differs; {out} for a folder of the call's own; the other words in braces are made by [newFlagTrial].
func tried() map[string][]string {
	calls := map[string][]string{
		"ask":           {"agent#1 --endpoint {vendor}", "agent#1 --endpoint {vendor} --grade", "--suite {suite} --endpoint {vendor}"},
		"audit":         {"{page}", "agent#1 --as-sent", "--rules", "{page} --coverage", "{page} --format aria --playwright"},
		"compare":       {"agent same"},
		"dataset check": {"{set}", "{set} --sheet {out}/s.html", "--rules"},
		"diff":          {"agent#1 other#1", "agent#1 agent#3 --as-sent", "agent#1 agent#3 --as-sent --json", "agent#1 other#1 --text aria"},
		"doctor":        {"agent", "agent#1", "--rules"},
		"find":          {"{page} --role button", "{page} --text e", "agent#1 --number e12", "{page} --selector 'a, input'"},
		"mark": {"{page} -o {out}/m.png", "{page} --legend {out}/l.txt", "{page} -o {out}/m.png --model gpt-4o",
			"{page} -o {out}/m.png --tiles", "agent#1 -o {out}/m.png --view model"},
		"network":      {"agent#1"},
		"payload":      {"agent#2", "agent#2 --against other#2", "agent#3 --stored 1"},
		"profile diff": {"shop.example 1"}, "profile new": {"{page}"}, "profile restore": {"shop.example 1"},
		"profile try": {"agent#1 --file {profile}"}, "profile write": {"shop.example {profile}"},
		"session export": {"agent -o {out}/s.refscope", "torn -o {out}/t.refscope"},
		"session import": {"{archive}", "{tornFile} --session again"},
		"golden accept":  {"{out}/gold {page}"}, "golden check": {"{gold}"}, "mcp": {"--config claude-code"}, "run": {"--step click"},
		"tap mcp":       {"--install claude --dry-run --config {mcpFile}"},
		"session label": {"agent page"}, "session note": {"agent#1 looks"},
		"session pair":   {"agent other -o {out}/pair"},
		"session report": {"agent -o {out}/r.html", "plain -o {out}/r.html"},
		"skill install":  {"--dir {out}", "--dir {out} --yes"},
		"tokens":         {"{page}", "{page} --by format", "{page} --format aria --playwright"},
		"why":            {"{page} body", "{page} 'a, button, p, h1, input'", "agent#1 1 --format aria --playwright"},
	}
	for _, f := range format.Names() {
		more := "--format " + string(f)
		if f == format.Filtered {
			more += " --query kettle"
		}
		for command, target := range map[string]string{"snap": "{page} ", "whatif": "{page} --drop h1 "} {
			calls[command] = append(calls[command], target+more)
		}
	}
	calls["snap"] = append(calls["snap"], "{page} --format capture", "agent#1 --format sent", "{page} --jsonl",
		"{page} --format aria --playwright", "agent#2 --format aria")
	for _, path := range []string{"audit", "compare", "diff", "doctor", "find", "mark", "network", "payload", "tokens", "why",
		"session report", "profile try", "dataset check"} {
		calls[path] = append(calls[path], calls[path][0]+" --json")
	}
	for _, d := range payload.Dialects() {
		calls["payload"] = append(calls["payload"], "agent#1 --dialect "+d)
	}
	for _, d := range ask.Dialects() {
		calls["ask"] = append(calls["ask"], "agent#1 --endpoint {vendor} --model m --dialect "+d)
	}
	maps.Copy(calls, withBrowser())
	for _, s := range dataset.Shapes() {
		calls["dataset build"] = append(calls["dataset build"], "other#2 -o {out}/set --as "+string(s))
	}
	return calls
}

// flagValues are what a flag is given, by its name or, where that is not enough, by command and name.
var flagValues = map[string][]string{
	"against": {"other#1"}, "as": {"har", "coco"}, "before": {"other#1"}, "by": {"Ada"}, "clean": {"{out}/c.png"},
	"context": {"0"}, "csv": {"{out}/t.csv"}, "detail": {"summary", "low"}, "dialects": {"gemini"}, "dir": {"{out}/skills"},
	"drop": {"a"}, "dump": {"aria"}, "endpoint": {"{other}"}, "examples": {"1"}, "filter": {"el.tagName !== 'A'"},
	"for": {"claude"}, "formats": {"wraith"}, "full-snapshot": {"x.yaml"}, "header": {"X-A=b"}, "html": {"{out}/t.html"},
	"ids": {"hash"}, "key": {"env:FLAG_TEST_KEY"}, "legend": {"{out}/legend.txt"}, "license": {"MIT"}, "limit": {"1"},
	"manifest": {"{out}/m.json"}, "map": {"{out}/map.png"}, "max-chars": {"120"}, "max-depth": {"1"}, "max-nodes": {"2"},
	"max-prompt-tokens": {"3200"}, "max-severity": {"none", "error"}, "max-tokens": {"40"}, "max-turns": {"1"}, "min-share": {"99"},
	"min-size": {"60"}, "min-visible": {"0.99", "-1"}, "mode": {"full"}, "model": {"gpt-4o-mini", "claude-sonnet-4-5"}, "move": {"900", "-1"},
	"n": {"2"}, "name": {"Kettles"}, "near": {"5,5,10"}, "number": {"e12"}, "numbers": {"agent"}, "output": {"{out}/o", "{out}/o.png"},
	"palette": {"tints"}, "pattern": {"o.*e"}, "per-rule": {"1"}, "picture": {"{out}/p.png"}, "pictures": {"webp"}, "price": {"3"},
	"query": {"kettle price"}, "ref": {"1"}, "role": {"link"}, "root": {"role=main", "h1"}, "scope": {"form, a"},
	"screenshot": {"x.png"}, "selector": {"input"}, "sheet": {"{out}/sheet.html"}, "since": {"agent#1"}, "sort": {"time"},
	"source": {"ax"}, "splits": {"train=50,test=50"}, "stored": {"2"}, "style": {"refscope-1"}, "suite": {"{suite}"},
	"system": {"Be brief"}, "tab": {"t9"}, "text": {"Kettle", "aria"}, "threshold": {"{limits}"}, "turns": {"1"}, "undo": {"1"},
	"verdict": {"fail"}, "view": {"model", "qa"}, "by tokens": {"tag"}, "format": {"aria", "wraith"}, "file": {"{profile}"},
	"base": {"other"}, "after": {"{manifest}"}, "answer-timeout": {"1ms"}, "dialect": {"openai-chat"}, "allow": {allRules()},
	"forms": {"name"}, "device": {"iphone-14"}, "locale": {"de-DE"}, "scale": {"2"}, "theme": {"dark"}, "exact": {""},
	"junit": {"{out}/j.xml"}, "http": {"127.0.0.1:0"}, "token-file": {"{out}/t"}, "files": {"/"}, "listen": {"127.0.0.1:1"},
	"remove": {"claude"}, "listen tap": {"0.0.0.0:0"}, "upstream": {"x=http://127.0.0.1:1"},
	"allow-origin": {"https://app.example"}, "act-time": {"1ms"}, "answer-time": {"1ns"}, "max-bytes": {"500"},
	"max-contexts": {"0"}, "max-steps": {"1"}, "max-time": {"1ms"}, "resume": {"agent"}, "output batch report": {"{out}/r.html"},
	"do": {"audit"}, "shard": {"1/2"}, "balance": {"{batch}"}, "delay": {"300ms"}, "page-memory": {"1"}, "page-timeout": {"1ms"},
	"per-host": {"1"}, "queue": {"nats://127.0.0.1:1"}, "retry": {"0"}, "queue-creds": {"{out}/none.creds"}, "idle": {"2ms"},
	"mode task": {"full"}, "url": {"http://127.0.0.1:1/"}, "jobs": {"3"}, "settle": {"1s"}, "settle-max": {"2s"},
}

// allRules are the rules of dataset check.
func allRules() string {
	var names []string
	for _, r := range dataset.Rules() {
		names = append(names, string(r.Rule))
	}
	return strings.Join(names, ",")
}

// onPage are flags of which what they do depends on what is on the page: one call of a command has to show it. The
// settings of the text formats are of this kind too.
var onPage = []string{"after", "damaged", "dialects", "examples", "force", "limit", "max-severity", "move", "palette", "regions", "root",
	"scope", "since", "style", "threshold", "tiles", "session report --model", "mark --key"}

// flagExceptions are the flags, and whole commands, that a call without a browser cannot prove, with the reason or the
// test that proves them.
var flagExceptions = map[string]string{
	"ask --endpoint":            "in each call: without it the vendor's own is asked",
	"batch --do":                "in each call: what is done by default takes pictures",
	"batch --output":            "in each call, as it is refused without",
	"batch --delay":             "TestPoliteness: the result is the same by design",
	"batch --per-host":          "TestPoliteness: the result is the same by design",
	"batch --page-memory":       "TestBatch has a page that holds more",
	"batch --retry":             "TestRunAccountsForEachPage has pages that fail once",
	"batch merge --output":      "in each call, as it is refused without",
	"dataset build --as":        "TestDatasetUsage: in each call, as it is refused without",
	"dataset build --output":    "TestDatasetUsage: in each call, as it is refused without",
	"run --step":                "in each call: without it steps are run",
	"golden check --settle":     "TestBatchGolden opens pages; those of a recorded gallery are not opened",
	"golden check --settle-max": "TestBatchGolden opens pages; those of a recorded gallery are not opened",
	"golden check --pixels":     "TestWhatDiffers compares pictures; those of a recorded gallery are the same",
	"golden check --jobs":       "TestJobsKeepTheOrder: the result is the same by design",
	"mark --force":              "TestMarkForAModel has a picture that is refused without",
	"mcp --config":              "in each call: without it the server runs until its client leaves",
	"profile try --file":        "in each call: without it the stored profile is tried",
	"session export --output":   "in each call: without it the file is in the working folder",
	"session pair --output":     "in each call, as it is refused without",
	"session report --output":   "in each call, as it is refused without",
	"session show --follow":     "TestSessionFollow runs until it is interrupted",
	"skill install --dir":       "in each call: without it the user's own home is written",
	"skill install --link":      "the default in the source tree, which tests run in",
	"tap mcp --yes":             "nothing is asked with --dry-run, which each call has",
	"tap mcp --config":          "in each call: without it the client's own file is shown",
	"tap mcp --dry-run":         "in each call: without it the file is changed",
	"tap mcp --install":         "in each call: without it a server is run",
	"tap --output":              "in each call, as it is refused without",
	"tap --allow-origin":        "TestWhoMayCall calls the tap from a page",
	"tap --upstream":            "TestTap: its address is printed where no command is run",
	"task --debug-surface":      "TestWritesIntoThePageStay: what is written is in the page alone",
	"task --stamp":              "TestWritesIntoThePageStay: what is written is in the page alone",
	"task --endpoint":           "in each call, as it is refused without",
	"task --query":              "in each call, as it is refused without",
	"turn --output":             "in each call, as it is refused without",
	"turn --jobs":               "TestJobsKeepTheOrder: the result is the same by design",
	"turn --settle":             "TestSettle: a page that is still is the same however long one waits",
	"turn --settle-max":         "TestSettle: a page that is still is the same however long one waits",
	"task --settle":             "TestSettle: a page that is still is the same however long one waits",
	"task --settle-max":         "TestSettle: a page that is still is the same however long one waits",
	"batch --settle":            "TestSettle: a page that is still is the same however long one waits",
	"batch --settle-max":        "TestSettle: a page that is still is the same however long one waits",
	"batch --jobs":              "TestJobsKeepTheOrder: the result is the same by design",
	"worker --idle":             "in each call: without it a worker waits until it is ended",
	"worker --jobs":             "TestWorkersWaitSideBySide: the result is the same by design",
	"worker --local-pages":      "TestWorkersOpenLocalPagesWhenTheyMay has a page of this machine in its queue",
	"worker --queue":            "in each call, as it is refused without",
	"whatif --drop":             "in each call: without a setting nothing comes or goes",
	"whatif --format":           "in each call: the formats are what is compared",
}

// flagTrial is the machine on which flags are tried.
type flagTrial struct {
	t       *testing.T
	whole   *testing.T // of all commands
	home    string     // of sessions that calls read
	scratch string     // of what one call writes
	words   map[string]string
	pages   []string
	without map[string]callResult // calls without the flag, by their words
	used    map[string]bool       // exceptions
	tests   map[string]bool       // the names of all tests of the repository's commands
	tried   []string              // commands
	asked   endpoint
	plain   map[string][]map[string]string // of calls with a browser: the parts of calls without the flag
	// commands is how many there are with flags, and runs how many calls were made.
	commands, runs int
}

// trialWrites are the commands that write into the home: each call has a copy of it.
var trialWrites = []string{"ask", "profile", "session", "batch", "tap", "task", "turn", "worker"}

// trialPages are the saved pages, first those on which most flags show.
var trialPages = []string{"wraith/testdata/wraith.txtar", "testdata/view.txtar", "frames-index", "forms-every_input", "articles-bread"}

// TestEveryFlagChangesSomethingOrIsRefused: for every flag that a command declares, a call with it answers otherwise
// than the same call without it, or is refused. A flag that is dropped in silence is worse than none.
func TestEveryFlagChangesSomethingOrIsRefused(t *testing.T) {
	testneed.Long(t, "it runs each command with each of its flags")
	trial := newFlagTrial(t)
	calls := tried()
	walkCommands(newRoot(silent()), func(c *cobra.Command) {
		path := cli.PathOf(c)
		list := calls[path]
		delete(calls, path)
		if c.HasLocalFlags() {
			trial.commands++
			t.Run(path, func(t *testing.T) {
				trial.tried = append(trial.tried, path)
				trial.command(t, c, list)
			})
		}
	})
	require.Empty(t, calls, "no such commands")
	if len(trial.tried) < trial.commands {
		return // -run chose some
	}
	for name := range flagExceptions {
		require.True(t, trial.used[name] || t.Failed(), "%s is excepted, and there is no such flag", name)
	}
	t.Logf("%d runs", trial.runs)
}

// command tries the flags of a command.
func (f *flagTrial) command(t *testing.T, c *cobra.Command, calls []string) {
	path := cli.PathOf(c)
	f.t = t
	if why := flagExceptions[path]; why != "" && len(calls) == 0 {
		f.used[path] = true
		f.exists(path, why)
		return
	}
	c.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
		name := path + " --" + flag.Name
		why, excepted := flagExceptions[name]
		if excepted {
			f.used[name] = true
		}
		var same []string
		tried := 0
		for _, call := range calls {
			if words := strings.Fields(call); slices.Contains(words, "--"+flag.Name) ||
				flag.Shorthand != "" && slices.Contains(words, "-"+flag.Shorthand) {
				continue
			}
			tried++
			if f.changes(path, call, flag) {
				continue
			}
			same = append(same, call)
		}
		text := slices.Contains(onPage, flag.Name) || slices.Contains(onPage, name) || format.Setting(flag.Name) != nil
		proven := tried > 0 && (len(same) == 0 || text && len(same) < tried)
		f.exists(name, why)
		switch {
		case proven && excepted && withBrowser()[path] == nil: // what a clock does is no proof
			t.Errorf("%s is proven, and need not be excepted", name)
		case !proven && !excepted:
			t.Errorf("%s changes nothing, and is not refused, in %d calls: %q", name, tried, same)
		}
	})
}

// exists fails where the reason names a test that there is not.
func (f *flagTrial) exists(name, why string) {
	test := testWord.FindString(why)
	if test != "" && !f.tests[test] {
		f.t.Errorf("%s: there is no %s", name, test)
	}
}

// walkCommands calls do for every command that a person can run.
func walkCommands(c *cobra.Command, do func(*cobra.Command)) {
	for _, s := range c.Commands() {
		walkCommands(s, do)
	}
	if c.HasParent() && !c.Hidden && c.Name() != "help" {
		do(c)
	}
}

// callResult is all that a call leaves.
type callResult struct {
	code           int
	stdout, stderr string
	files          map[string]string
}

func (o callResult) equal(p callResult) bool {
	return o.code == p.code && o.stdout == p.stdout && o.stderr == p.stderr && maps.Equal(o.files, p.files)
}

// changes reports whether a flag changes the answer of a call, or is refused, on any saved page.
func (f *flagTrial) changes(path, call string, flag *pflag.Flag) bool {
	values := flagValues[flag.Name+" "+path]
	if values == nil {
		values = flagValues[flag.Name]
	}
	if flag.Value.Type() == "bool" || flag.NoOptDefVal != "" {
		values = []string{""}
	}
	require.NotEmpty(f.t, values, "%s --%s: no value to try it with", path, flag.Name)
	pages := f.pages
	switch {
	case path == "mark":
		pages = pages[:3] // each draws a picture
	case !strings.Contains(call, "{page}"):
		pages = pages[:1]
	}
	for _, page := range pages {
		if withBrowser()[path] != nil {
			return f.changesSteadily(path, call, flag, values)
		}
		key := path + " " + call + " " + page
		without, ran := f.without[key]
		if !ran {
			without = f.run(path, call, page)
			f.without[key] = without
		}
		if failed := strings.HasPrefix(without.stderr, "refscopectl: ") && without.code != 0; failed && !strings.Contains(call, "torn") {
			f.t.Errorf("%s %s: %s", path, call, without.stderr)
			return true
		}
		for _, v := range values {
			with := f.run(path, withFlag(call, flag, v), page)
			if !with.equal(without) {
				return true
			}
		}
	}
	return false
}

// withFlag is a call with a flag before what belongs to another program.
func withFlag(call string, flag *pflag.Flag, value string) string {
	given := " --" + flag.Name
	if value != "" {
		given += "=" + "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	own, agent, has := strings.Cut(call, " -- ")
	if has {
		return own + given + " -- " + agent
	}
	return call + given
}

// moving are parts of an answer that differ between two runs of a call.
var moving = regexp.MustCompile(`(?i)\d+(\.\d+)? ?m?s\b|20\d\d-\d\d-\d\dT[\d:.]+Z|"ms":[\d.]+`)

// run makes a call in a copy of the home.
func (f *flagTrial) run(path, call, page string) callResult {
	f.t.Helper()
	f.runs++
	home, out := f.home, filepath.Join(f.scratch, "out")
	require.NoError(f.t, os.Mkdir(out, 0o700))
	writes := slices.Contains(trialWrites, strings.Fields(path)[0])
	if writes {
		home = filepath.Join(f.scratch, "home")
		require.NoError(f.t, os.CopyFS(home, os.DirFS(f.home)))
	}
	line := call
	for word, value := range f.words {
		line = strings.ReplaceAll(line, "{"+word+"}", value)
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, "{page}", page), "{out}", out)
	words, err := shell.Fields(line, nil)
	require.NoError(f.t, err, line)
	var stdout, stderr bytes.Buffer
	a := &cli.App{Stdout: &stdout, Stderr: &stderr, In: strings.NewReader("")}
	a.Args = append(append([]string{"--home", home}, strings.Fields(path)...), words...)
	o := callResult{code: a.Report(dispatch(f.t.Context(), a, a.Args)), files: map[string]string{}}
	plain := func(s string) string {
		return moving.ReplaceAllString(strings.NewReplacer(home, "HOME", out, "OUT").Replace(s), "T")
	}
	o.stdout, o.stderr = plain(stdout.String()), plain(stderr.String())
	require.NoError(f.t, filepath.WalkDir(f.scratch, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if to, err := os.Readlink(name); err == nil {
			o.files[name] = "link to " + to
			return nil
		}
		data, err := os.ReadFile(name)
		if o.files[name] = string(data); utf8.Valid(data) {
			o.files[name] = plain(string(data))
		}
		return err
	}))
	require.NoError(f.t, os.RemoveAll(f.scratch))
	require.NoError(f.t, os.Mkdir(f.scratch, 0o700))
	return o
}

// newFlagTrial makes a home with sessions of saved pages and of an agent, and the files that calls name.
func newFlagTrial(t *testing.T) *flagTrial {
	t.Helper()
	testneed.Repository(t)
	t.Setenv("FLAG_TEST_KEY", "sk-of-the-flag")
	t.Setenv("OPENAI_API_KEY", "sk-of-the-variable")
	t.Setenv("ANTHROPIC_API_KEY", "sk-of-the-variable")
	t.Setenv("GEMINI_API_KEY", "sk-of-the-variable")
	f := &flagTrial{t: t, whole: t, home: t.TempDir(), scratch: t.TempDir(), words: map[string]string{}, without: map[string]callResult{}, plain: map[string][]map[string]string{}, used: map[string]bool{}, tests: testNames(t)}
	dir := t.TempDir()
	at := func(name, data string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
		return path
	}
	captures := testpages.Captures(t)
	for _, name := range trialPages {
		c := captures[name]
		if c == nil {
			file, err := txtar.ParseFile(filepath.Join(testneed.Repository(t), "snapshot", "format", name))
			require.NoError(t, err)
			c, name = pagetest.Parse(t, string(file.Files[0].Data)), filepath.Base(name)
		}
		data, err := json.Marshal(c)
		require.NoError(t, err)
		f.pages = append(f.pages, at(name+".json", string(data)))
		at(name+".png", string(blank(t, c)))
	}
	small := func(name string) *snapshot.Capture {
		c := pagetest.Parse(t, strings.NewReplacer("Kettle", "Kettle of "+name, "250", strconv.Itoa(250+len(name))).Replace(smallPage))
		c.TakenAt = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
		return c
	}
	agent := func(name string) func(n int, r *turn.Record) {
		return func(n int, r *turn.Record) {
			r.Capture = small(name)
			r.Capture.Network = &network.Layer{Requests: []network.Request{
				{ID: 1, Method: "GET", URL: "https://shop.example/", State: network.Done, Status: 200, Type: "Document", Wire: 9, Body: 9, Duration: 5},
				{ID: 2, Method: "GET", URL: "https://shop.example/x", State: network.Done, Status: 404, Type: "Image", Wire: 9, Body: 9, Duration: 50}}}
			for i := range r.Capture.Nodes {
				if e := &r.Capture.Nodes[i]; e.Tag == "button" {
					e.NoteAgentRef(snapshot.Playwright, "e12")
					break
				}
			}
			words := fmt.Sprintf("### Page\n- link \"Elsewhere\" [ref=e3]\n- button \"Buy %d of %s\" [ref=e12]", n, name)
			body, err := json.Marshal(map[string]any{"model": "m", "max_tokens": 9, "messages": []any{
				map[string]any{"role": "user", "content": words}}})
			require.NoError(t, err)
			r.Payloads = []turn.Payload{{Dialect: wire.OpenAIChat, Model: "m", Way: turn.Request, Wire: true, Bytes: body}}
			if n == 2 {
				r.Payloads = append(r.Payloads, turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true,
					Bytes: []byte(strings.ReplaceAll(chatAnswer, "e12", "e99"))})
			}
			r.Action = `ask openai m: browser_click {"target":"e12"}`
			if n == 0 {
				r.Payloads = append(r.Payloads, turn.Payload{Dialect: wire.OpenAIChat, Way: turn.Answer, Wire: true,
					Bytes: []byte(chatAnswer)})
			}
		}
	}
	f.session("agent", 3, agent("agent"))
	f.session("other", 2, agent("other"))
	f.session("same", 3, agent("agent"))
	f.session("torn", 3, agent("agent"))
	f.session("plain", 2, func(_ int, r *turn.Record) { r.Capture = small("plain") })
	vendor := func(answer string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, answer)
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	f.words["vendor"], f.words["other"] = vendor(chatAnswer), vendor(strings.ReplaceAll(chatAnswer, "e12", "e3"))
	f.words["suite"] = at("suite.json", `{"turns":["agent#1"],"n":1,"variants":[{"name":"as it was"}]}`)
	f.words["profile"] = at("profile.md", "---\nfilter: h1\n---\n# shop.example\n")
	f.words["limits"] = at("limits.json", `{"maxNotes":0,"maxWarnings":0,"maxErrors":0,"coverage":{"dddk":{"text":100,"page":100}}}`)
	prepare := func(args ...string) {
		var stdout, stderr bytes.Buffer
		require.Zero(t, run(t.Context(), append([]string{"--home", f.home, "--quiet"}, args...), &stdout, &stderr), "%v: %s", args,
			&stderr)
	}
	f.words["manifest"], f.words["set"] = filepath.Join(dir, "m.json"), filepath.Join(dir, "set")
	f.words["archive"] = filepath.Join(dir, "kept.refscope")
	prepare("mark", "agent#1", "--manifest", f.words["manifest"])
	prepare("dataset", "build", "agent", "other", "--as", "coco", "-o", f.words["set"])
	images, err := filepath.Glob(filepath.Join(f.words["set"], "images", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, images)
	require.NoError(t, os.Remove(images[0])) // so that the check finds something
	prepare("session", "export", "agent", "-o", f.words["archive"])
	prepare("profile", "write", "shop.example", at("first.md", "# first\n"))
	prepare("profile", "write", "shop.example", at("second.md", "# second\nb\nc\nd\ne\nf\n"))
	f.words["tornFile"], f.words["gold"] = turn.SessionDir(f.home, "torn"), filepath.Join(dir, "gold")
	f.words["mcpFile"] = at("mcp.json", `{"mcpServers":{"playwright":{"command":"npx","args":["@playwright/mcp@latest"]}}}`)
	prepare("golden", "accept", f.words["gold"], f.pages[0])
	f.tear()
	return f
}

// smallPage is the page of the recorded agents.
const smallPage = `viewport: 800x600
body @0,0,800,900
  header @0,0,800,40
    h1 @0,0,200,30 "Kettle"
    a href="/w" @300,0,80,20 "Water and Elsewhere"
  p @0,60,400,20 "A page that explains the kettle for EUR 30"
  form @0,100,800,300
    input id=city %name="City" value="Paris" @70,110,100,20
    button @10,150,100,40 "Buy"
    button @10,250,100,40 "Leave"
    input type=password %name="Password" value="hunter2" @70,310,100,20
  button @10,700,100,40 "Below"
`

const chatAnswer = `{"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[{"id":"c","type":"function",` +
	`"function":{"name":"browser_click","arguments":"{\"target\":\"e12\"}"}}]}}]}`

// session records a session of n turns.
func (f *flagTrial) session(name string, n int, fill func(n int, r *turn.Record)) {
	s, err := turn.Create(f.t.Context(), turn.Dir(turn.SessionDir(f.home, name)), "test")
	require.NoError(f.t, err)
	defer s.Close()
	for i := range n {
		_, err := s.Append(f.t.Context(), func(l *turn.Ledger) (*turn.Record, error) {
			r := &turn.Record{Action: "turn"}
			fill(i, r)
			r.Picture = blank(f.t, r.Capture)
			if r.Capture.TakenAt.IsZero() {
				r.Capture.TakenAt = time.Date(2026, 3, 14, 9, 26, i, 0, time.UTC)
			}
			l.Assign("tab", l.NextTurn(), r.Capture)
			return r, nil
		})
		require.NoError(f.t, err)
	}
}

// tear damages the second turn of a session.
func (f *flagTrial) tear() {
	file := filepath.Join(turn.SessionDir(f.home, "torn"), "turns", "0002", "turn.json")
	require.NoError(f.t, os.WriteFile(file, []byte("{"), 0o600))
}

// blank is a picture of a page's window without anything on it.
func blank(t *testing.T, c *snapshot.Capture) []byte {
	t.Helper()
	v := c.Viewport
	side := func(px float64) int { return int(px * max(v.Scale, 1)) }
	data, err := codec.EncodePNG(image.NewRGBA(image.Rect(0, 0, side(v.Width), side(v.Height))), true)
	require.NoError(t, err)
	return data
}

var testWord = regexp.MustCompile(`\bTest\w+`)

var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// testNames are the names of the tests of this package and of the packages below capture.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, folder := range []string{"cmd", "capture"} {
		root := os.DirFS(filepath.Join(testneed.Repository(t), folder))
		require.NoError(t, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			data, err := fs.ReadFile(root, name)
			for _, m := range testName.FindAllSubmatch(data, -1) {
				names[string(m[1])] = true
			}
			return err
		}))
	}
	return names
}

// silent is a program that prints nothing.
func silent() *cli.App { return &cli.App{Stdout: io.Discard, Stderr: io.Discard} }
