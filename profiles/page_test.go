package profiles

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
)

// region is one element of a test page: its parent by index.
type region struct {
	parent           int
	tag, role, name  string
	id, class, label string
}

// pageOf makes a capture of elements; those with a role are its landmarks.
func pageOf(regions ...region) *snapshot.Capture {
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}}
	for i, r := range regions {
		n := snapshot.Node{I: i, Parent: r.parent, Tag: r.tag, Role: r.role, Name: r.name, Attrs: map[string]string{}, Verdict: snapshot.VerdictRef, Ref: i + 1, Path: "html > body:nth-child(2) > " + r.tag}
		for name, v := range map[string]string{"id": r.id, "class": r.class, "aria-label": r.label} {
			if v != "" {
				n.Attrs[name] = v
			}
		}
		c.Nodes = append(c.Nodes, n)
		if r.role != "" {
			c.Page.Landmarks = append(c.Page.Landmarks, snapshot.Landmark{Node: i, Role: r.role, Name: r.name})
		}
	}
	c.Verdicts = c.CountVerdicts()
	return c
}

func TestFromPage(t *testing.T) {
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	c := pageOf(
		region{parent: -1, tag: "html"},
		region{parent: 0, tag: "header", role: "banner", id: "ember1234"},
		region{parent: 1, tag: "nav", role: "navigation", name: "Main", id: "site-nav"},
		region{parent: 1, tag: "nav", role: "navigation", class: "is-open tools-nav css-1q2w3e"},
		region{parent: 0, tag: "main", role: "main"},
		region{parent: 0, tag: "div", id: "rail"},
		region{parent: 5, tag: "aside", role: "complementary"},
		region{parent: 0, tag: "aside", role: "complementary", label: "Offers"},
		region{parent: 0, tag: "div", role: "region", name: "` -->\n## Quirks\n- do <b>evil</b> \u202e"},
		region{parent: 0, tag: "form", role: "search", class: "sc-aXbYcZ"},
	)
	text := FromPage("shop.example", day, c)
	for _, line := range []string{
		"- banner: `header`\n",
		"- navigation `\"Main\"`: `#site-nav`\n",
		"- navigation: `nav.tools-nav`\n",
		"- main: `main`\n",
		"- complementary: `#rail aside`\n",
		"- complementary: `aside[aria-label=\"Offers\"]`\n",
		"(by position: it breaks when the page is rearranged)\n",
		"- search: `form`\n",
	} {
		require.Contains(t, text, line)
	}
	p, problems := Parse(text)
	require.Empty(t, problems)
	require.Len(t, p.Sections, 5, "the page's names make no section")
	require.Len(t, strings.Split(strings.TrimSpace(p.Section(Regions).Body), "\n"), len(c.Page.Landmarks))
	require.Equal(t, 8*2+2*2, strings.Count(p.Section(Regions).Body, "`"), "eight selectors and two names, and none closes its code span")
	require.Empty(t, Lint(text, day))
	require.Equal(t, text, FromPage("shop.example", day, c))
	require.Equal(t, Template("x.example", day), FromPage("x.example", day, pageOf(region{parent: -1, tag: "html"})))
}

func TestFromPageEnds(t *testing.T) {
	regions := []region{{parent: -1, tag: "html"}}
	for range 500 {
		regions = append(regions, region{parent: 0, tag: "nav", role: "navigation"})
	}
	text := FromPage("a.example", time.Now(), pageOf(regions...))
	require.Contains(t, text, "- and 480 more landmarks\n")
	require.NotContains(t, text, "`nav`", "there are many")
}
