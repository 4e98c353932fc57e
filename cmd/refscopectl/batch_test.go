package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// listFile writes a list.
func listFile(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pages.txt")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return name
}

// trouble is a server whose pages answer 429 once, or 500, or grow without end.
func trouble(t *testing.T) string {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script := ""
		switch {
		case r.URL.Path == "/429" && asked.Add(1) == 1:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case r.URL.Path == "/500":
			w.WriteHeader(http.StatusInternalServerError)
		case r.URL.Path == "/grow":
			script = `<script>const held=[];setInterval(()=>{for(let i=0;i<10;i++)held.push(new Uint8Array(4<<20).fill(1))},20)</script>`
		case r.URL.Path == "/hang":
			script = `<script>for(;;);</script>`
		}
		fmt.Fprintf(w, `<!doctype html><title>%s</title><h1>Shop</h1><button>More</button>
<p id="out"></p><script>document.querySelector("button").onclick=()=>{out.textContent="clicked"}</script>%s`, r.URL.Path, script)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestBatch: a list of pages of which some fail in every way ends with a line for each, and what
// the others asked for.
func TestBatch(t *testing.T) {
	needChrome(t)
	at := trouble(t)
	list := listFile(t, at+"/first?token=ghp_16C7e42F292c6912E7710c838347Ae178B4a", at+"/429", at+"/500", "chrome://crash",
		`{"target":"`+at+`/steps","name":"clicked","device":"iphone-14","steps":[{"click":{"text":"More"}}]}`,
		`{"target":"`+at+`/steps","name":"not clicked","steps":[{"click":{"text":"Less"},"timeout":300}]}`,
		"no-such-page.html", at+"/grow", at+"/last")
	dir := filepath.Join(t.TempDir(), "out")
	code, out, stderr := ctl(t, "batch", list, "-o", dir, "--do", "turn,audit", "--do", "snap --format aria",
		"--page-memory", "300", "--jobs", "3", "--settle", "50ms")
	require.Equal(t, 1, code, stderr)
	require.Contains(t, out, "9 pages, 4 well, 5 failed")
	require.NotContains(t, out+stderr, "ghp_16C7")
	m, err := batch.ReadManifest(dir)
	require.NoError(t, err)
	causes := map[int]string{}
	for _, e := range m.InOrder() {
		causes[e.Place] = e.Cause
	}
	require.Equal(t, map[int]string{1: "", 2: "", 3: "http 500", 4: "page crash", 5: "", 6: "steps",
		7: "file", 8: "memory", 9: ""}, causes)
	entries := m.InOrder()
	require.Equal(t, 2, entries[1].Work.Attempts)
	require.Equal(t, 1, entries[6].Work.Attempts, "a file that is not there is not there again")
	clicked := filepath.Join(dir, batch.PagesDir, entries[4].Key)
	for _, name := range []string{"audit.json", "snap.txt", "thumbnail.jpg"} {
		require.FileExists(t, filepath.Join(clicked, name))
	}
	snap, err := os.ReadFile(filepath.Join(clicked, "snap.txt"))
	require.NoError(t, err)
	require.Contains(t, string(snap), "clicked")
	code, out, stderr = ctl(t, "why", filepath.Join(clicked, "session")+"#1", "button")
	require.Zero(t, code, stderr)
	require.Contains(t, out, "More")
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) != "" {
			data, rerr := os.ReadFile(path)
			require.NoError(t, rerr)
			require.NotContains(t, string(data), "ghp_16C7", path)
		}
		return err
	})
	require.NoError(t, err)

	// The batch goes on with what failed, and the rest is left as it is.
	before := entries[0].Work.Began
	code, _, stderr = ctl(t, "batch", list, "-o", dir, "--do", "turn,audit", "--do", "snap --format aria",
		"--retry", "0", "--page-timeout", "1ns", "--resume")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "4 of 9 pages are done already")
	m, err = batch.ReadManifest(dir)
	require.NoError(t, err)
	require.Equal(t, before, m.InOrder()[0].Work.Began)
}

// A page whose script never ends is given up at its time, and its browser does the next one.
func TestBatchHang(t *testing.T) {
	testneed.Long(t, "pages that hang")
	needChrome(t)
	at := trouble(t)
	dir := filepath.Join(t.TempDir(), "out")
	code, out, _ := ctl(t, "--json", "batch", listFile(t, at+"/hang"), "-o", dir, "--do", "snap", "--page-timeout", "6s",
		"--retry", "0")
	require.Equal(t, 1, code)
	refusesMutations(t, "batch", []byte(out))
	var answer struct{ Causes map[string]int }
	require.NoError(t, json.Unmarshal([]byte(out), &answer), out)
	require.Equal(t, map[string]int{batch.CauseTimeout: 1}, answer.Causes)
}

// Shards of real pages give, put together, the results and files of one run. A turn has the time
// when it was taken in it, and cannot.
func TestBatchShards(t *testing.T) {
	testneed.Long(t, "a batch in shards")
	needChrome(t)
	at := trouble(t)
	list := listFile(t, at+"/a", at+"/b", at+"/c", at+"/d")
	out := t.TempDir()
	run := func(dir string, more ...string) {
		t.Helper()
		code, _, stderr := ctl(t, append([]string{"batch", list, "-o", filepath.Join(out, dir), "--settle", "50ms", "--jobs", "2",
			"--attach", chromeAddress(t), "--do", "audit,mark,snap", "--do", "dataset --as coco --marked"}, more...)...)
		require.Zero(t, code, stderr)
	}
	run("one")
	run("1", "--shard", "1/2", "--balance", filepath.Join(out, "one"))
	run("2", "--shard", "2/2", "--balance", filepath.Join(out, "one"))
	code, _, stderr := ctl(t, "batch", "merge", filepath.Join(out, "1"), filepath.Join(out, "2"), "-o", filepath.Join(out, "whole"))
	require.Zero(t, code, stderr)
	read := func(dir string) map[string]string {
		files := map[string]string{}
		root := filepath.Join(out, dir)
		require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if name := d.Name(); err == nil && d.Type().IsRegular() && name != "lock" && name != batch.ManifestFile {
				data, rerr := os.ReadFile(path)
				require.NoError(t, rerr)
				files[strings.TrimPrefix(path, root)] = string(data)
			}
			return err
		}))
		return files
	}
	one, whole := read("one"), read("whole")
	require.Greater(t, len(one), 20)
	require.Equal(t, one, whole)
	require.Contains(t, one["/dataset/annotations.json"], `"file_name":"00001.png"`)
	require.FileExists(t, filepath.Join(out, "one", "dataset", "README.md"))

	code, _, stderr = ctl(t, "batch", "merge", filepath.Join(out, "1"), "-o", filepath.Join(out, "half"))
	require.Equal(t, 1, code, stderr)
	m, err := batch.ReadManifest(filepath.Join(out, "half"))
	require.NoError(t, err)
	require.Less(t, len(m.Entries), 4)
}

// The pages that golden accept keeps are a list.
func TestBatchGolden(t *testing.T) {
	testneed.Long(t, "goldens of a batch")
	needChrome(t)
	file, dir, at := page(t, form), filepath.Join(t.TempDir(), "golden"), chromeAddress(t)
	code, _, stderr := ctl(t, "golden", "accept", dir, file, "--settle", "50ms")
	require.Zero(t, code, stderr)
	out := filepath.Join(t.TempDir(), "out")
	code, text, stderr := ctl(t, "batch", dir, "-o", out, "--do", "golden", "--settle", "50ms", "--attach", at)
	require.Zero(t, code, stderr)
	require.Contains(t, text, "1 page, 1 well")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(form, "Go", "Leave", 1)), 0o644))
	code, text, stderr = ctl(t, "batch", dir, "-o", out+"2", "--do", "golden", "--settle", "50ms", "--attach", at)
	require.Equal(t, 1, code, stderr)
	require.Contains(t, text, "1 not as accepted")
	m, err := batch.ReadManifest(out + "2")
	require.NoError(t, err)
	require.Contains(t, m.InOrder()[0].Files, "golden.html")
}

func TestBatchWrongCalls(t *testing.T) {
	list := listFile(t, "https://a.test/")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no folder":          {[]string{list}, "name the folder"},
		"no list":            {[]string{"-o", "x"}, "write batch LIST"},
		"an unknown command": {[]string{list, "-o", "x", "--do", "dance"}, "choose from turn, mark"},
		"an unknown flag":    {[]string{list, "-o", "x", "--do", "mark --dance"}, "unknown flag: --dance"},
		"a file of its own":  {[]string{list, "-o", "x", "--do", "mark -o y.png"}, "leave out --output: the batch sets it"},
		"twice the same":     {[]string{list, "-o", "x", "--do", "mark", "--do", "mark --view model"}, "--do mark is there twice"},
		"a set of no form":   {[]string{list, "-o", "x", "--do", "dataset"}, "choose the form with --as"},
		"a set with devices": {[]string{list, "-o", "x", "--do", "dataset --as coco --device iphone-14"}, "leave out --device"},
		"golden of a list":   {[]string{list, "-o", "x", "--do", "golden"}, "golden accept"},
		"a shard":            {[]string{list, "-o", "x", "--shard", "3/2"}, "is not a shard"},
		"balance alone":      {[]string{list, "-o", "x", "--balance", "y"}, "--balance is for --shard"},
		"an unknown device":  {[]string{listFile(t, `{"target":"a.test","device":"brick"}`), "-o", "x"}, `unknown device "brick"`},
		"a wrong step":       {[]string{listFile(t, `{"target":"a.test","steps":[{"dance":1}]}`), "-o", "x"}, "page 1 of the list"},
		"a turn":             {[]string{listFile(t, "shop#1"), "-o", "x"}, "it is not a page"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			code, _, stderr := ctl(t, append([]string{"batch"}, c.args...)...)
			require.Equal(t, 2, code, stderr)
			require.Contains(t, stderr, c.want)
			require.NoDirExists(t, "x")
		})
	}
}

// The recipes run as they are written, but for the folders: the parts of the GitHub matrix and the pods
// of the Kubernetes job are all parts, once each, and what follows them puts them together.
func TestBatchRecipes(t *testing.T) {
	needChrome(t)
	shell := testneed.Program(t, "sh", "it is part of every system but Windows")
	at := trouble(t)
	browser := chromeAddress(t) // of all their parts
	here, err := os.Getwd()
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("pages.txt", []byte(at+"/a\n"+at+"/b\n"), 0o600))
	read := func(name string, into any) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(here, "testdata", name))
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(data, into))
	}
	run := func(line string) {
		t.Helper()
		words := strings.Fields(line)
		require.Equal(t, "refscopectl", words[0])
		if words[2] == "pages.txt" {
			words = append(words, "--settle", "50ms", "--attach", browser)
		}
		code, _, stderr := ctl(t, words[1:]...)
		require.Zero(t, code, "%s: %s", line, stderr)
	}
	var matrix struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Part []int } }
			Steps    []struct{ Run string }
		}
	}
	read("batch-ci.yml", &matrix)
	require.Equal(t, []int{1, 2, 3, 4, 5}, matrix.Jobs["part"].Strategy.Matrix.Part)
	for _, part := range matrix.Jobs["part"].Strategy.Matrix.Part {
		for _, s := range matrix.Jobs["part"].Steps {
			if line := strings.ReplaceAll(s.Run, "${{ matrix.part }}", fmt.Sprint(part)); strings.HasPrefix(line, "refscopectl") {
				run(strings.Replace(line, "-o part", fmt.Sprintf("-o parts/part-%d", part), 1)) // as the artifact is named
			}
		}
	}
	for _, s := range matrix.Jobs["whole"].Steps {
		if strings.HasPrefix(s.Run, "refscopectl") {
			run(s.Run)
		}
	}
	require.FileExists(t, "whole/report.html")
	m, err := batch.ReadManifest("whole")
	require.NoError(t, err)
	require.Len(t, m.Entries, 2)

	var job struct {
		Spec struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					Containers []struct{ Command []string }
				}
			}
		}
	}
	read("batch-job.yml", &job)
	require.Equal(t, "Indexed", job.Spec.CompletionMode)
	command := job.Spec.Template.Spec.Containers[0].Command
	require.Equal(t, []string{"sh", "-c"}, command[:2])
	seen := map[string]bool{}
	for i := range job.Spec.Completions {
		c := exec.CommandContext(t.Context(), shell, "-c", "refscopectl() { echo \"$@\"; }; "+command[2])
		c.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", i))
		out, err := c.Output()
		require.NoError(t, err)
		words := strings.Fields(string(out))
		require.Contains(t, words, fmt.Sprint("/pages/out/part-", i))
		at := slices.Index(words, "--shard")
		seen[words[at+1]] = true
		_, err = batch.ParseShard(words[at+1])
		require.NoError(t, err)
		if i == 0 { // a right call, of a list that is not there
			code, _, stderr := ctl(t, words...)
			require.Equal(t, 1, code)
			require.Contains(t, stderr, "/pages/pages.txt")
		}
	}
	require.Len(t, seen, job.Spec.Completions)
}

// TestBatchByAPool: a batch is done by the browsers of a pool. One that refuses, has no room, keeps silent or drops a page
// is named once on standard error and in the manifest, by an address without its token, and no page is lost to it.
func TestBatchByAPool(t *testing.T) {
	testneed.Long(t, "a batch by a pool of browsers")
	needChrome(t)
	const token = "seedtoken4711seed"
	gateway := func() *chrometest.Gateway { return chrometest.NewGateway(t, chrome.Browser(t).Endpoint(), token) }
	good, full, refuses, drops := gateway(), gateway(), gateway(), gateway()
	full.Refuse(slices.Repeat([]int{http.StatusTooManyRequests}, 1000)...)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	dir := t.TempDir()
	pool := filepath.Join(dir, "pool")
	at := func(g *chrometest.Gateway, token string) string {
		return "ws://" + g.Address + "/chrome?token=" + token + "\n"
	}
	require.NoError(t, os.WriteFile(pool, []byte(at(drops, token)+at(good, token)+at(full, token)+at(refuses, "seedwrong")+
		"ws://"+silent.Addr().String()+"/chrome?token="+token+"\n"), 0o600))
	var dropped sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		dropped.Do(drops.Drop) // its browser may be at this page, or at another
		fmt.Fprint(w, form)
	}))
	defer server.Close()
	var list strings.Builder
	for i := range 12 {
		fmt.Fprintf(&list, "%s/%d\n", server.URL, i)
	}
	pages := filepath.Join(dir, "list")
	require.NoError(t, os.WriteFile(pages, []byte(list.String()), 0o600))
	out := filepath.Join(dir, "out")
	code, stdout, stderr := ctl(t, "batch", pages, "-o", out, "--attach", "@"+pool, "--jobs", "3", "--retry", "0")
	require.Zero(t, code, stdout+stderr)
	require.Contains(t, stdout, "12 pages, 12 well")
	require.NotContains(t, stdout+stderr, "seed")
	m, err := batch.ReadManifest(out)
	require.NoError(t, err)
	said := map[string]string{}
	for _, b := range m.Header.Browsers {
		require.Empty(t, said[b.At], "each is named once")
		said[b.At] = b.Why
		require.Equal(t, 1, strings.Count(stderr, "at="+b.At+" "), stderr)
		require.NotContains(t, b.Why, "seed")
	}
	for _, g := range []struct{ at, why string }{
		{full.Address, "429"}, {refuses.Address, "401"}, {silent.Addr().String(), "does not answer"},
	} {
		require.Contains(t, said["ws://"+g.at], g.why)
	}
	require.Empty(t, said["ws://"+good.Address])
}
