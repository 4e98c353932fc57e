package css

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/pagetest"
)

func TestFromXPath(t *testing.T) {
	for path, want := range map[string]string{
		"/html/body/div[2]/a":               "html:root > body > div:nth-of-type(2) > a",
		"//a[@href='/x']":                   `a[href="/x"]`,
		`//*[@id="main"]//li[last()]`:       `*[id="main"] li:last-of-type`,
		"//input[@type='text'][@required]":  `input[type="text"][required]`,
		"//a[contains(@href, 'a]b')]":       `a[href*="a]b"]`,
		"//div[starts-with(@class,'card')]": `div[class^="card"]`,
		"/*[1]/*[3]":                        "*:root:nth-child(1) > *:nth-child(3)",
		`//a[@title='say "x"']`:             `a[title="say \"x\""]`,
	} {
		got, err := FromXPath(path)
		require.NoError(t, err, path)
		require.Equal(t, want, strings.ReplaceAll(got, ":"+ofHTML, ""), path)
		_, err = Parse(got)
		require.NoError(t, err, path)
	}
	for path, want := range map[string]string{
		"a":                    "begins with",
		"//a[text()='Shop']":   "cannot be looked for in a recording",
		"//a[@href=x]":         "in quotes",
		"//a[contains(@b,'')]": "nothing is in every value",
		"//a[":                 "] is missing",
		"//":                   "is not the name",
		"//a/@href":            "is not the name",
		"//a[1]b":              "expected /",
	} {
		_, err := FromXPath(path)
		require.ErrorContains(t, err, want, path)
	}
}

// TestXPathOfDrawings: a name without a namespace is none of what a drawing consists of, but of HTML inside one.
func TestXPathOfDrawings(t *testing.T) {
	c := pagetest.Parse(t, `
body %verdict=wrapper
  svg id=s %verdict=wrapper
    a id=t %verdict=wrapper
      foreignObject id=f %verdict=wrapper
        a id=u %verdict=wrapper
  a id=v %verdict=wrapper
`)
	for path, want := range map[string][]string{"//a": {"u", "v"}, "//svg": nil, "//foreignObject/a": nil,
		"//*[@id='f']/a": {"u"}, "//*[@id='t']": {"t"}} {
		selector, err := FromXPath(path)
		require.NoError(t, err, path)
		s, err := Parse(selector)
		require.NoError(t, err, path)
		var got []string
		for _, n := range s.All(NewTree(c)) {
			got = append(got, n.Attr("id"))
		}
		require.Equal(t, want, got, path)
	}
}

func FuzzFromXPath(f *testing.F) {
	for _, s := range []string{"/html/body/div[2]", "//a[@href='/x']", "//*[@id=\"m\"]//li[last()]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		if got, err := FromXPath(path); err == nil && len(got) < 1000 {
			_, _ = Parse(got) // whatever it is, it is read or refused
			require.NotContains(t, got, "\n", "an XPath is one line of selector")
		}
	})
}
