package collect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// corpus is a folder of the shared corpus; the test is skipped where it is absent.
func corpus(t testing.TB, name string) string {
	t.Helper()
	dir, ok := testneed.Corpus(t, name)
	if !ok {
		testneed.Extra(t, "this test is about other people's cases alone")
	}
	return dir
}

// harnessStubs let the pages' own scripts run to their end without a test harness.
const harnessStubs = `
const nothing = () => {}, later = () => Promise.resolve();
Object.assign(globalThis, { test: nothing, promise_test: nothing, async_test: nothing, setup: nothing, done: nothing,
  promise_setup: nothing, add_completion_callback: nothing, assert_equals: nothing, assert_true: nothing });
globalThis.test_driver = new Proxy({}, { get: () => later });
globalThis.AriaUtils = new Proxy({}, { get: () => nothing });
`

// wptCase is one line of the corpus' cases.json.
type wptCase struct {
	Kind     string   `json:"kind"` // label or role
	Testname string   `json:"testname"`
	OneOf    []string `json:"oneOf"`
	Selector string   `json:"selector"`
	File     string   `json:"file"`
}

func (c wptCase) tentative() bool { return strings.Contains(c.File, "tentative") }

// TestWPT scores roles and names against the web platform tests of html-aam and
// accname, counted as the corpus' README says.
func TestWPT(t *testing.T) {
	dir := corpus(t, "wpt")
	text, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	require.NoError(t, err)
	var cases []wptCase
	require.NoError(t, json.Unmarshal(text, &cases))

	files := http.FileServer(http.Dir(dir))
	root := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/resources/") || strings.HasPrefix(r.URL.Path, "/wai-aria/") {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "{"+harnessStubs+"}")
			return
		}
		files.ServeHTTP(w, r)
	}))

	byFile := map[string][]wptCase{}
	var order []string
	for _, c := range cases {
		if byFile[c.File] == nil {
			order = append(order, c.File)
		}
		byFile[c.File] = append(byFile[c.File], c)
	}
	type tally struct{ right, of int }
	scores := map[string]*tally{}
	tab := chrome.Tab(t)
	for _, file := range order {
		ctx := chrometest.Context(t)
		require.NoError(t, tab.Navigate(ctx, root+file), file)
		nodes := bySelector(ctx, t, tab, byFile[file])
		for k, c := range byFile[file] {
			got, right := judgeCase(c, nodes[k])
			key := c.Kind
			if c.tentative() {
				key += " (tentative)"
			}
			if scores[key] == nil {
				scores[key] = &tally{}
			}
			scores[key].of++
			if right {
				scores[key].right++
			} else {
				t.Logf("%s %q: got %q, want %q (%s)", c.File, c.Testname, got, c.OneOf, c.Selector)
			}
		}
	}
	for _, key := range []string{"label", "role", "label (tentative)", "role (tentative)"} {
		t.Logf("%s: %d of %d", key, scores[key].right, scores[key].of)
	}
	require.Equal(t, 584, scores["label"].of)
	require.Equal(t, 118, scores["role"].of)
	require.Equal(t, 584, scores["label"].right, "names")
	require.Equal(t, 118, scores["role"].right, "roles")
}

// bySelector reads the page and gives the nodes that the cases speak of, nil for
// an element that is not there.
func bySelector(ctx context.Context, t testing.TB, tab *browser.Tab, cases []wptCase) []*snapshot.Node {
	t.Helper()
	res, err := collect.Read(ctx, tab, collect.Options{AllNames: true})
	require.NoError(t, err)
	defer res.Release(ctx)
	var selectors []string
	for _, c := range cases {
		selectors = append(selectors, c.Selector)
	}
	arg, err := json.Marshal(selectors)
	require.NoError(t, err)
	text, err := tab.Session().Eval(ctx, res.Capture.Frames[0].ID, `JSON.stringify(`+string(arg)+`.map((s) => {
		const el = document.querySelector(s);
		return el && globalThis.__refscope.ids.get(el) || 0;
	}))`)
	require.NoError(t, err)
	var uids []int
	require.NoError(t, json.Unmarshal([]byte(text), &uids))
	nodes := make([]*snapshot.Node, len(cases))
	for i := range res.Capture.Nodes {
		n := &res.Capture.Nodes[i]
		if n.Frame != 0 {
			continue
		}
		for k, uid := range uids {
			if uid == n.UID {
				nodes[k] = n
			}
		}
	}
	return nodes
}

// spaces are collapsed in computed names; a no-break space is a character.
var spaces = regexp.MustCompile(`[ \t\n\f\r]+`)

func judgeCase(c wptCase, n *snapshot.Node) (got string, right bool) {
	if n == nil {
		return "no such element", false
	}
	if c.Kind == "role" {
		same := func(role string) string {
			switch role {
			case "image":
				return "img"
			case "none":
				return "presentation"
			case "":
				return "generic"
			}
			return role
		}
		return n.Role, slices.ContainsFunc(c.OneOf, func(want string) bool { return same(want) == same(n.Role) })
	}
	squash := func(s string) string { return strings.Trim(spaces.ReplaceAllString(s, " "), " ") }
	name := n.Name
	if strings.HasPrefix(n.NameFrom, "hunted:") { // not by specification
		name = ""
	}
	return name, slices.ContainsFunc(c.OneOf, func(want string) bool { return squash(want) == squash(name) })
}
