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
	for name, html := range map[string]string{"document": page, "form": form} {
		t.Run(name, func(t *testing.T) {
			c := read(t, chrome.Open(t, chrometest.Page(t, html)))
			require.Equal(t, "Shop", c.Title)
			pay := byID(t, c, "pay")
			require.Equal(t, "Pay", pay.Name)
			require.Equal(t, snapshot.Clear, pay.Occlusion.State)
			if name == "form" {
				i := slices.IndexFunc(c.Nodes, func(n snapshot.Node) bool { return n.Name == "one" })
				require.GreaterOrEqual(t, i, 0)
				require.Equal(t, "form", c.Nodes[c.Nodes[i].Parent].Tag)
				require.Equal(t, "Buy", byID(t, c, "f").Name)
				require.Equal(t, snapshot.VerdictRef, byID(t, c, "f").Verdict)
			}
		})
	}
}
