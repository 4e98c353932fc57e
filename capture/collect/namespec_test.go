package collect_test

import (
	"os"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/chrometest"
	"github.com/stretchr/testify/require"
)

// TestNamesBySpecification: the cases of testdata/names.html, which go through accname 1.2, html-aam, svg-aam and
// core-aam section by section, in the capture as formats get it: what data-want has is the name. A hunted name is none.
//
// Where Chrome 156 answers otherwise, the specification decides: an element in its own aria-labelledby list has its value
// (Chrome: its label again), a referenced text counts in a closed details too, a title goes before a placeholder, a span's
// tooltip is part of a heading, paragraph and code have no name, a figure has its figcaption's, a row its cells'; and
// characters that nobody sees are left out.
func TestNamesBySpecification(t *testing.T) {
	html, err := os.ReadFile("testdata/names.html")
	require.NoError(t, err)
	c := read(t, chrome.Open(t, chrometest.Page(t, string(html))))
	cases := 0
	for i := range c.Nodes {
		n := &c.Nodes[i]
		want, ok := n.Attrs["data-want"]
		if !ok {
			continue
		}
		cases++
		got := n.Name
		if strings.HasPrefix(n.NameFrom, "hunted:") {
			got = ""
		}
		if got != want {
			t.Errorf("%s <%s> %s: %q by %s, want %q", n.Attr("id"), n.Tag, n.Role, got, n.NameFrom, want)
		}
	}
	require.Greater(t, cases, 270)
}
