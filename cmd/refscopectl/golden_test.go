package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/export/goldenstore"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/golden"
)

// shelf is a page with what changes by itself and what does not.
const shelf = `<!doctype html><title>Shelf</title><style>body{font:16px sans-serif}</style><main><h1>Shelf</h1>
<p>Updated 12:30:05, port <span id=p></span>: the kettle is <b>$89</b></p><a href="/orders">Orders</a> <button>Add to basket</button>
<button id=s>Save</button>
<script>p.textContent=location.host</script></main>`

// TestGolden accepts a page and finds what was planted in it, and nothing else.
func TestGolden(t *testing.T) {
	needChrome(t)
	target := page(t, shelf)
	dir := filepath.Join(t.TempDir(), "gold")
	code, out, errs := ctl(t, "--quiet", "golden", "accept", dir, target)
	require.Zero(t, code, errs)
	require.Contains(t, out, "accepted   page\n")
	code, out, errs = ctl(t, "--quiet", "golden", "accept", dir)
	require.Zero(t, code, errs)
	require.Contains(t, out, "unchanged  page\n")

	plant := func(pairs ...string) {
		require.NoError(t, os.WriteFile(target, []byte(strings.NewReplacer(pairs...).Replace(shelf)), 0o644))
	}
	plant("$89", "$94")
	code, out, errs = ctl(t, "--quiet", "golden", "check", dir)
	require.Equal(t, 1, code, out+errs)
	require.Contains(t, out, "$94")
	list := filepath.Join(dir, "golden.json")
	data, err := os.ReadFile(list)
	require.NoError(t, err)
	require.NotContains(t, string(data), "normalise", "nothing of the page changes by itself")
	asked := strings.Replace(string(data), `"pages"`, `"normalise": ["host", "time", "price"], "pages"`, 1)
	require.NoError(t, os.WriteFile(list, []byte(asked), 0o644))
	plant("12:30:05", "23:01:59", "$89", "$94")
	code, out, errs = ctl(t, "--quiet", "golden", "check", dir)
	require.Zero(t, code, out+errs)
	require.Contains(t, out, "1 page: 1 same\n")
	require.Contains(t, out, "not compared, by the rule price: $89 → $94\n")

	plant("Add to basket", "Put in basket", "id=s", `style="position:relative;top:300px"`,
		"</main>", `<div style="position:fixed;inset:0 0 400px;background:#fff">x</div></main>`)
	code, out, _ = ctl(t, "--quiet", "golden", "check", dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, `~ [4] button "Add to basket": renamed to "Put in basket"`)
	require.Regexp(t, `button "Add to basket": .*covered by \[\d+\] <div> "x" \(clear → covered\)`, out)
	require.Regexp(t, `~ \[5\] button "Save": moved from `, out)

	plant(`<a href="/orders">Orders</a> `, "")
	report, junit := filepath.Join(dir, "..", "r.html"), filepath.Join(dir, "..", "r.xml")
	code, out, errs = ctl(t, "--quiet", "--json", "golden", "check", dir, "--html", report, "--junit", junit, "--update")
	require.Zero(t, code, errs)
	var got struct {
		Status string
		Pages  []goldenstore.Result
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "ok", got.Status)
	refusesMutations(t, "goldencheck", []byte(out))
	accepted, err := os.ReadFile(filepath.Join(dir, "golden.json"))
	require.NoError(t, err)
	refusesMutations(t, "golden", accepted)
	require.Equal(t, golden.Changed, got.Pages[0].Outcome)
	require.Equal(t, "Orders", got.Pages[0].Comparison.Diff.Changes[0].Before.Name)
	require.Equal(t, diff.Removed, got.Pages[0].Comparison.Diff.Changes[0].Kind)
	html, err := os.ReadFile(report)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(html), "data:image/webp;base64,"))
	data, err = os.ReadFile(junit)
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(data, new(struct {
		XMLName xml.Name `xml:"testsuites"`
	})))
	code, out, errs = ctl(t, "--quiet", "golden", "check", dir)
	require.Zero(t, code, out+errs)

	require.NoError(t, os.Remove(target))
	code, out, _ = ctl(t, "--quiet", "golden", "check", dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, "failed     page: ")
	require.NoError(t, os.Remove(filepath.Join(dir, "page", "aria.yaml")))
	code, out, _ = ctl(t, "--quiet", "golden", "check", dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, "damaged    page: ")
	require.Contains(t, out, "aria.yaml")
}

// TestGoldenCalls needs no browser: turns, captures and wrong calls.
func TestGoldenCalls(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(t.TempDir(), "old")
	require.NoError(t, os.Mkdir(old, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(old, "golden.json"), []byte(`{"schema":"refscope.golden/0","pages":[]}`),
		0o644))
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no folder":         {[]string{"check"}, 2, "golden check DIR [PAGE…]"},
		"an unknown word":   {[]string{"burn", dir}, 2, `there is no "burn": choose from accept DIR`},
		"nothing accepted":  {[]string{"check", dir}, 1, "accept pages first, with golden accept"},
		"nothing to accept": {[]string{"accept", dir}, 1, "accept pages first"},
		"another version":   {[]string{"check", old}, 1, "another version of Refscope"},
		"flags of the other": {[]string{"accept", dir, "x.html", "--html", "y.html"}, 2,
			"golden accept: unknown flag --html"},
		"and the other way":   {[]string{"check", dir, "--name", "x"}, 2, "golden check: unknown flag --name"},
		"an unknown format":   {[]string{"accept", dir, "x.html", "--format", "dddk,xml"}, 2, `--format "xml"`},
		"a name for two":      {[]string{"accept", dir, "x.html", "y.html", "--name", "n"}, 2, "--name is for one target"},
		"a page that is away": {[]string{"accept", dir, "./no-such.html"}, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := ctl(t, append([]string{"--quiet", "golden"}, c.args...)...)
			require.Equal(t, c.code, code, errs)
			require.Contains(t, out+errs, c.want)
		})
	}
}

// TestGoldenOfACapture: a capture is a target too, and a page's name is no path.
func TestGoldenOfACapture(t *testing.T) {
	file := capturedForm(t)
	dir := filepath.Join(t.TempDir(), "gold")
	code, out, errs := ctl(t, "--quiet", "golden", "accept", dir, file, "--name", "../up", "--format", "semantic,full")
	require.Zero(t, code, out+errs)
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing beside the folder")
	require.NoError(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		require.NotContains(t, string(data), "hunter2", name)
		return err
	}))
	code, out, errs = ctl(t, "--quiet", "golden", "check", dir, "../up")
	require.Zero(t, code, out+errs)
	code, _, errs = ctl(t, "--quiet", "golden", "check", dir, "down")
	require.Equal(t, 2, code)
	require.Contains(t, errs, `has no page "down"`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "golden.json"), []byte(`{"schema":"refscope.golden/1","pages":[]}`),
		0o644))
	code, out, _ = ctl(t, "--quiet", "golden", "check", dir)
	require.Equal(t, 1, code)
	require.Contains(t, out, "extra      %2E.%2Fup: ")
}

// TestExampleOfCI: the commands of the example are right calls.
func TestExampleOfCI(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "golden-ci.yml"))
	require.NoError(t, err)
	ran := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		_, call, ok := strings.Cut(line, "refscopectl golden ")
		if !ok {
			continue
		}
		ran++
		words := strings.Fields(call)
		words[1] = filepath.Join(t.TempDir(), words[1]) // the folder
		if words[0] == "accept" {
			words = words[:2] // its pages are the reader's
		}
		code, _, errs := ctl(t, append([]string{"golden"}, words...)...)
		require.Equal(t, 1, code, "%s: %s", line, errs)
		require.Contains(t, errs, "accept pages first", "a right call, of a folder that is not there")
	}
	require.Equal(t, 3, ran)
}
