package mcp_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/agent/mcp"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot/testneed"
)

// otherSpellings are those of a ref that no answer has: a number in brackets, s3e12, a number as the value of a member
// that has refs, and one behind ref= or ref without @.
var otherSpellings = regexp.MustCompile(`\[\d+\]|\bs\d+e\d+\b|"(?:ref|now|was|replacedBy)":"?\d|\bref=[^@]|\bref ?#?\d`)

// TestRefsAreSpelledOneWay: whatever an agent asks for, a ref in the answer is @e12, so that what it reads in one answer
// is found in all others.
func TestRefsAreSpelledOneWay(t *testing.T) {
	testneed.Long(t, "refs in every tool")
	site := chrometest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Spellings</title><a href="/next">Next</a>
<div id=box><button onclick="box.innerHTML='<button>Save</button>'">Save</button></div>
<div style="position:relative"><button style="width:90px">Under</button>
<a href="#over" style="position:absolute;left:0;top:0;width:200px;height:60px;background:#eee">Over</a></div><br><br>
<form><label>Name <input name=n></label><label>Mail <input type=email required></label></form>`))
	}))
	r := newRig(t, true, func(o *mcp.Options) { o.Timeout = 2 * time.Second })
	c := r.stdio(nil)
	page := done(t, c, "browse_navigate", map[string]any{"url": site})
	under, save, name := refIn(t, page, `"Under"`), refIn(t, page, `"Save"`), refIn(t, page, "Name")
	ref := func(n int) string { return fmt.Sprintf("@e%d", n) } // an answer repeats the parameters of what failed
	steps := func(list ...any) map[string]any { return map[string]any{"steps": list, "stopOnError": false} }
	for _, one := range []struct {
		tool string
		with map[string]any
	}{
		{"browse_snapshot", nil},
		{"browse_snapshot", map[string]any{"format": "aria"}},
		{"browse_snapshot", map[string]any{"format": "aria", "detail": "interactive"}},
		{"browse_screenshot", nil},
		{"browse_click", map[string]any{"ref": under}},
		{"browse_click", map[string]any{"ref": 4711}},
		{"browse_click", map[string]any{"ref": "[4711]"}},
		{"browse_click", map[string]any{"ref": fmt.Sprintf("s1e%d", under)}},
		{"browse_click", map[string]any{"ref": fmt.Sprintf("f7_%d", under)}},
		{"browse_click", map[string]any{"ref": name, "expect": map[string]any{"type": "value_changes", "ref": 4711}}},
		{"browse_select", map[string]any{"ref": name, "value": "x"}},
		{"browse_click", map[string]any{"selector": "#none"}},
		{"browse_fill", map[string]any{"ref": name, "value": "x", "snapshot": true}},
		{"browse_click", map[string]any{"ref": save}},
		{"browse_click", map[string]any{"ref": save}},
		{"browse_hover", map[string]any{"ref": name}},
		{"run_steps", steps(map[string]any{"snapshot": true}, map[string]any{"query": "button"},
			map[string]any{"click": map[string]any{"ref": ref(under), "strict": true}}, map[string]any{"snapshotSearch": map[string]any{"text": "Save"}},
			map[string]any{"elementsAt": map[string]any{"x": 20, "y": 20}}, map[string]any{"validate": "form"},
			map[string]any{"click": "#none", "timeout": 500}, map[string]any{"click": ref(4711)},
			map[string]any{"inspect": true}, map[string]any{"getBox": []any{ref(under), ref(4711)}},
			map[string]any{"frame": map[string]any{"ref": ref(name)}},
			map[string]any{"drag": map[string]any{"source": map[string]any{"ref": ref(4711)}, "target": map[string]any{"ref": ref(name)}}},
			map[string]any{"wait": map[string]any{"selector": "#none", "timeout": 300}},
			map[string]any{"fill": map[string]any{"ref": ref(name), "value": "y"}})},
	} {
		text, _ := call(t, c, one.tool, one.with)
		require.NotContains(t, text, "click was not done", "the time was over before it was said what is in the way")
		if one.tool == "run_steps" {
			require.Contains(t, text, `"steps":[{"action":"snapshot"`, "refused as a whole, they say nothing of the page")
		}
		if at := otherSpellings.FindStringIndex(text); at != nil {
			t.Errorf("%s %v: another spelling of a ref: …%s…", one.tool, one.with,
				text[max(0, at[0]-60):min(len(text), at[1]+40)])
		}
	}
}
