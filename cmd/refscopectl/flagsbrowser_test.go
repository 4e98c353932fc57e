package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// withBrowser are calls of commands that need a browser, a queue or an agent: what two of them without the flag differ
// in, such as times and ids, is left out of what a flag can change. {url} is an address, {browser} the debugging
// address of a Chrome, {tasks} a task's endpoint, {list} a list of pages, {batch} and {otherBatch} what was done of
// its halves.
func withBrowser() map[string][]string {
	const at = " --attach {browser}"
	return map[string][]string{
		"batch":        {"{list} -o {out}/b --do snap" + at},
		"batch merge":  {"{batch} {otherBatch} -o {out}/m"},
		"batch report": {"{batch}"},
		"tap":          {"-o {out}/t -- {agent} {out}/variables"},
		"task":         {"{url} --endpoint {tasks} --query Look" + at},
		"turn":         {"{url} {url} -o {out}/s" + at},
		"worker":       {"--queue {queue} --idle 1ms" + at},
	}
}

// browserWords are the words of such calls, made when the first of them is tried.
func (f *flagTrial) browserWords(t *testing.T) {
	if f.words["browser"] != "" {
		return
	}
	needChrome(t)
	t = f.whole // so long as other commands are tried
	u := newGuest(t)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<!doctype html><title>T</title><h1>Kettle</h1>`+
			`<button onclick="this.textContent='Sold'; setTimeout(() => wait.disabled = false, 1500)">Buy</button>`+
			`<button id=wait disabled>Wait</button><div style="height:3000px"></div><a href="/">Below</a>`)
	}))
	t.Cleanup(page.Close)
	dir := t.TempDir()
	f.words["browser"], f.words["url"], f.words["queue"] = u.address(), page.URL, testQueue(t)
	f.words["list"] = filepath.Join(dir, "list.txt")
	require.NoError(t, os.WriteFile(f.words["list"], []byte(page.URL+"/a\n"+page.URL+"/b\n"), 0o600))
	for word, shard := range map[string]string{"batch": "1/2", "otherBatch": "2/2"} {
		f.words[word] = filepath.Join(dir, word)
		code, _, stderr := ctl(t, "--attach", u.address(), "batch", f.words["list"], "-o", f.words[word], "--do", "snap",
			"--shard", shard)
		require.Zero(t, code, stderr)
	}
	tasks := httptest.NewServer(http.HandlerFunc(f.answerTask))
	t.Cleanup(tasks.Close)
	f.words["tasks"] = tasks.URL
	self, err := os.Executable()
	require.NoError(t, err)
	f.words["agent"] = self
	t.Setenv(agentVariable, "1")
}

// agentVariable has this program be an agent under a tap.
const agentVariable = "REFSCOPECTL_TAPPED"

// tappedAgent writes into a file what a tap tells an agent.
func tappedAgent(file string) int {
	base := os.Getenv("OPENAI_BASE_URL")
	said := fmt.Sprintf(`{"base":%q,"depth":%d,"node":%t}`, base, strings.Count(base, "/"),
		os.Getenv("NODE_OPTIONS") != "")
	if os.WriteFile(file, []byte(said), 0o600) != nil {
		return 1
	}
	return 0
}

// endpoint is what a task's endpoint was asked in one call.
type endpoint struct {
	sync.Mutex
	asked []map[string]string
}

// answerTask lets a task click three times, the last time without an effect, asks for a further context, and ends it.
func (f *flagTrial) answerTask(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Tree []struct{ I, N string } `json:"interactiveTree"`
	}
	_ = json.Unmarshal(body, &q)
	f.asked.Lock()
	defer f.asked.Unlock()
	said := map[string]string{"header": r.Header.Get("X-A")}
	flatten(said, "", string(body))
	f.asked.asked = append(f.asked.asked, said)
	ref := func(name string) string {
		for _, e := range q.Tree {
			if e.N == name {
				return e.I
			}
		}
		return "1"
	}
	switch len(f.asked.asked) {
	case 1:
		fmt.Fprintf(w, `{"thought":"buy","action":"click(%s)"}`, ref("Buy"))
	case 2, 3:
		fmt.Fprintf(w, `{"thought":"wait","action":"click(%s)"}`, ref("Wait"))
	case 4:
		fmt.Fprint(w, `{"status":"needs_context","requestedContext":"full","thought":"more"}`)
	default:
		fmt.Fprint(w, `{"status":"completed","thought":"done"}`)
	}
}

// flatten notes the values in a text that is JSON, or lines of it, by where they are, and another text whole.
func flatten(into map[string]string, name, s string) {
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(at+"."+k, x)
			}
		case []any:
			for i, x := range v {
				walk(at+"."+strconv.Itoa(i), x)
			}
		default:
			into[at] = fmt.Sprint(v)
		}
	}
	found := map[string]any{}
	for n, d := 0, json.NewDecoder(strings.NewReader(s)); ; n++ {
		var v any
		err := d.Decode(&v)
		if err == io.EOF && n > 0 {
			break
		}
		if err != nil {
			for n, line := range strings.Split(s, "\n") {
				into[name+":"+strconv.Itoa(n)] = line
			}
			return
		}
		found[strconv.Itoa(n)] = v
	}
	walk(name, found)
}

// parts are all that a call leaves, in pieces.
func (f *flagTrial) parts(o callResult) map[string]string {
	parts := map[string]string{"code": strconv.Itoa(o.code)}
	flatten(parts, "stdout", o.stdout)
	flatten(parts, "stderr", sizes.ReplaceAllString(o.stderr, "N bytes"))
	for name, s := range o.files {
		flatten(parts, namedByTime.ReplaceAllString(name, "TIME"), s)
	}
	f.asked.Lock()
	defer f.asked.Unlock()
	for n, said := range f.asked.asked {
		for k, v := range said {
			parts["asked "+strconv.Itoa(n)+k] = v
		}
	}
	f.asked.asked = nil
	return parts
}

// namedByTime are the ends of the names of sessions.
var namedByTime = regexp.MustCompile(`\d{8}-\d{6}`)

// sizes are numbers of bytes, in which times that are sent have a part.
var sizes = regexp.MustCompile(`\d+ bytes`)

// clocked are parts of which only a clock knows, or a file's sum.
var clocked = regexp.MustCompile(`(?i)timings|recent_events|took|seconds|time$|\.(ms|since|sha256|crc|size)$|/parts/`)

// steadily is a call's parts without those in which calls differ by themselves.
func steadily(parts map[string]string, calls ...map[string]string) map[string]string {
	out := maps.Clone(parts)
	maps.DeleteFunc(out, func(k, _ string) bool { return clocked.MatchString(k) })
	for _, a := range calls {
		for _, b := range calls {
			for k, v := range a {
				if w, ok := b[k]; !ok || v != w {
					delete(out, k)
				}
			}
		}
	}
	return out
}

// changesSteadily is changes of a call with a browser.
func (f *flagTrial) changesSteadily(path, call string, flag *pflag.Flag, values []string) bool {
	f.browserWords(f.t)
	key := path + " " + call
	for len(f.plain[key]) < 3 {
		o := f.run(path, call, "")
		if strings.HasPrefix(o.stderr, "refscopectl: ") && o.code != 0 {
			f.t.Errorf("%s %s: %s", path, call, o.stderr)
			return true
		}
		f.plain[key] = append(f.plain[key], f.parts(o))
	}
	plain := f.plain[key]
	want := steadily(plain[0], plain...)
	for _, v := range values {
		o := f.run(path, withFlag(call, flag, v), "")
		got := f.parts(o)
		for k, w := range want {
			if g, ok := got[k]; !ok || g != w {
				f.t.Logf("%s --%s=%s: %s: %.200q, without it %.200q", path, flag.Name, v, k, g, w)
				return true
			}
		}
		for k, g := range got {
			known := func(p map[string]string) bool { _, ok := p[k]; return ok }
			if !clocked.MatchString(k) && !slices.ContainsFunc(plain, known) {
				f.t.Logf("%s --%s=%s: %s: %.200q", path, flag.Name, v, k, g)
				return true
			}
		}
	}
	return false
}
