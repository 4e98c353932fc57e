package collect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/snapshot"
	"github.com/stretchr/testify/require"
)

// TestNamesThatHideProperties: by its name an image hides a property of the document,
// and a field one of its form (HTML 3.1.5 and 4.10.3, LegacyOverrideBuiltIns).
func TestNamesThatHideProperties(t *testing.T) {
	var b strings.Builder
	names := []string{"documentElement", "body", "head", "activeElement", "elementFromPoint", "elementsFromPoint", "querySelectorAll", "querySelector",
		"getElementById", "getElementsByTagName", "createRange", "createTreeWalker", "createElement", "title", "URL", "defaultView", "scrollingElement",
		"readyState", "hasFocus", "fullscreenElement", "evaluate", "nodeType", "childNodes", "firstChild", "styleSheets", "contains", "addEventListener", "all", "forms"}
	for _, n := range names {
		b.WriteString(`<img alt="" width=1 height=1 name="` + n + `">`)
	}
	page := `<!doctype html><title>Shop</title><body><button id=pay>Pay</button>` + b.String()
	form := page + `<form id=f aria-label="Buy"><input name=id aria-label=one><input name=title><input name=name><input name=children><input name=action>
		<input name=method><input name=length><input name=className><input name=style><input name=hidden><input name=innerText></form>`
	// Whatever a form has from its prototypes, and a document: no list of ours to forget one in.
	every := page + `<section><form id=f aria-label="Buy"><input name=id aria-label=one><button>Go</button></form><p>after</p></section><script>
		const add = (kind, to, tag) => {
			const names = new Set();
			for (let p = kind.prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const n of Object.getOwnPropertyNames(p)) names.add(n);
			const made = Array.from(names, (n) => Object.assign(Document.prototype.createElement.call(document, tag), { name: n }));
			Element.prototype.append.call(to, ...made);
		};
		const f = Document.prototype.getElementById.call(document, 'f');
		add(HTMLFormElement, f, 'input');
		add(Document, f, 'img');
		</script>`
	tab := chrome.Tab(t)
	for name, html := range map[string]string{"document": page, "form": form, "every property": every} {
		t.Run(name, func(t *testing.T) {
			c := read(t, chrometest.Load(t, tab, chrometest.Page(t, html)))
			require.Equal(t, "Shop", c.Title)
			require.Empty(t, c.Failed)
			if name == "every property" {
				require.Contains(t, texts(c), "after")
			}
			pay := byID(t, c, "pay")
			require.Equal(t, "Pay", pay.Name)
			require.Equal(t, snapshot.Clear, pay.Occlusion.State)
			if name != "document" {
				i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Name == "one" })
				require.GreaterOrEqual(t, i, 0)
				require.Equal(t, "form", c.Nodes[c.Nodes[i].Parent].Tag)
				require.Equal(t, "Buy", byID(t, c, "f").Name)
				f := byID(t, c, "f")
				require.Equal(t, snapshot.VerdictRef, f.Verdict)
				require.Equal(t, map[string]string{"id": "f", "aria-label": "Buy"}, f.Attrs)
				require.Positive(t, f.Box.H())
				require.Contains(t, f.Path, "form")
			}
		})
	}
}
