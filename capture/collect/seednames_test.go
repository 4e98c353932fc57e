package collect_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/compat"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// seedNames runs the two lists in the page itself, as the originals did, for each
// element of the document in order: [tag, semantic name, ARIA name].
const seedNames = `(() => {
	const text = (el) => (/^(input|select|textarea)$/.test(el.localName) ? '' : el.innerText || '');
	const attr = (name) => (el) => el.getAttribute(name) || '';
	const refs = (el) => (el.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean).map((id) => document.getElementById(id)).filter(Boolean).map(text).join(' ');
	const labelFor = (el) => { const l = el.id ? document.querySelector('label[for="' + CSS.escape(el.id) + '"]') : null; return l ? text(l) : ''; };
	const around = (el) => { const l = /^(input|select|textarea)$/.test(el.localName) ? el.closest('label') : null; return l ? text(l) : ''; };
	const squash = (s) => s.replace(/\s+/g, ' ').trim();
	const first = (el, list) => { for (const f of list) { const s = squash(f(el)); if (s) return s; } return ''; };
	const semantic = [attr('aria-label'), refs, labelFor, text, attr('placeholder'), attr('title'), attr('name'), attr('alt')];
	const aria = [refs, attr('aria-label'), labelFor, around, attr('title'), attr('placeholder'), attr('alt'), text];
	return JSON.stringify(Array.from(document.querySelectorAll('*'), (el) => [el.localName, first(el, semantic).slice(0, 100), first(el, aria).slice(0, 150)]));
})()`

// TestSeedNamesFromTheCapture: a capture holds what the originals' name lists need
// (S-24): applied to it they give what they give in the page, for all controls of the
// saved forms.
func TestSeedNamesFromTheCapture(t *testing.T) {
	testneed.Long(t, "loads 70 saved pages")
	for _, folder := range testpages.Folders(t, testpages.Forms) {
		t.Run(folder.Name, func(t *testing.T) { sameNames(t, folder) })
	}
}

func sameNames(t *testing.T, folder testpages.Folder) {
	site := chrometest.Folder(t, folder.Path)
	tab := chrome.Tab(t)
	same, all, shown := 0, 0, 0
	for _, f := range folder.Pages(t) {
		ctx := chrometest.Context(t)
		if err := tab.Navigate(ctx, site+f); err != nil {
			continue
		}
		res, err := collect.Read(ctx, tab, patient)
		require.NoError(t, err, f)
		res.Release(ctx)
		tree, err := tab.Frames(ctx)
		require.NoError(t, err)
		answer, err := tab.Session().Eval(ctx, tree[0].ID, seedNames)
		require.NoError(t, err, f)
		var told [][3]string
		require.NoError(t, json.Unmarshal([]byte(answer), &told))
		c := res.Capture
		var nodes []*snapshot.Node // of the document's own tree, in order
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Frame == 0 && n.Shadow == "" {
				nodes = append(nodes, n)
			}
		}
		if len(nodes) != len(told) {
			continue // slots, or scripts that go on
		}
		namer := compat.NewNamer(c, snapshot.NewTree(c))
		for k, n := range nodes {
			if n.Tag != told[k][0] || n.Verdict != snapshot.VerdictRef || len(n.Interactive) == 0 || len(n.Redacted) > 0 {
				continue
			}
			for j, o := range []compat.Order{compat.Semantic(), compat.ARIA()} {
				got := strings.TrimSpace(strings.TrimSuffix(namer.Name(n, o), o.Ellipsis))
				want := strings.TrimSpace(told[k][j+1])
				if want == "" && (got == n.Tag || got == "Unknown Input" || strings.HasPrefix(n.NameFrom, "hunted:") || n.NameFrom == "label" || got == n.Name) {
					got = "" // what the list falls back to
				}
				all++
				if strings.EqualFold(got, want) { // innerText has text-transform applied
					same++
				} else if shown++; shown <= 15 {
					t.Logf("%s: list %d of %s: %q, in the page %q", f, j, n.Path, got, want)
				}
			}
		}
	}
	t.Logf("%d of %d names are what the page gives", same, all)
	require.Greater(t, all, map[bool]int{true: 100, false: 300}[folder.Own])
	require.GreaterOrEqual(t, float64(same)/float64(all), 0.99)
}
