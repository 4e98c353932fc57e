package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []Page
		repeated int
		err      string
	}{
		{"lines", "# the shop\n\nhttps://a.test/\r\n  page.html \n", []Page{
			{Target: "https://a.test/", Place: 1}, {Target: "page.html", Place: 2}}, 0, ""},
		{"objects", `{"target":"https://a.test/","name":"A","device":"iphone-14","profile":"a.md",` +
			`"steps":[ {"click":{"text":"More"}} ]}`, []Page{{Target: "https://a.test/", Name: "A", Device: "iphone-14",
			Profile: "a.md", Steps: []byte(`[{"click":{"text":"More"}}]`), Place: 1}}, 0, ""},
		{"a line twice", "a.html\nb.html\na.html\n", []Page{{Target: "a.html", Place: 1}, {Target: "b.html", Place: 2}}, 1, ""},
		{"nothing", "# nothing\n", nil, 0, "it names no page"},
		{"an unknown member", "a.html\n{\"target\":\"b\",\"url\":\"x\"}", nil, 0, "line 2: unknown field \"url\": a line is an address"},
		{"no target", `{"name":"x"}`, nil, 0, "it has no target"},
		{"steps that are no list", `{"target":"x","steps":{"click":1}}`, nil, 0, "steps are a list"},
		{"two objects", `{"target":"x"} {"target":"y"}`, nil, 0, "something follows the object"},
		{"a sitemap", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
			<url><loc> https://a.test/?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod></url>
			<url><loc>https://a.test/b</loc><image:image xmlns:image="x"><image:loc>https://a.test/i.png</image:loc></image:image></url>
			</urlset>`, []Page{{Target: "https://a.test/?x=1&y=2", Place: 1}, {Target: "https://a.test/b", Place: 2}}, 0, ""},
		{"an index", `<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap>` +
			`<sitemap><loc>https://a.test/2.xml</loc></sitemap></sitemapindex>`,
			[]Page{{Target: "https://a.test/one", Place: 1}, {Target: "https://a.test/two", Place: 2}}, 0, ""},
		{"an index that is not there", `<sitemapindex><sitemap><loc>https://a.test/3.xml?token=s3cr3t-s3cr3t-s3cr3t</loc></sitemap>` +
			`</sitemapindex>`, nil, 0, "sitemap https://a.test/3.xml?token=[redacted]: not found"},
		{"other XML", `<rss><channel/></rss>`, nil, 0, "it begins with <rss>"},
		{"a web page", `<!DOCTYPE html><meta charset=utf-8>`, nil, 0, "it is a web page and no list"},
		{"a web page without a type", "\n<html lang=en>", nil, 0, "it is a web page and no list"},
		{"broken XML", `<urlset><url>`, nil, 0, "it is not a sitemap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fetch := func(_ context.Context, at string) (io.ReadCloser, error) {
				inner := map[string]string{
					"https://a.test/1.xml": `<urlset><url><loc>https://a.test/one</loc></url></urlset>`,
					// It names the index again, which is followed once.
					"https://a.test/2.xml": `<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap>` +
						`<sitemap><loc>https://a.test/4.xml</loc></sitemap></sitemapindex>`,
					"https://a.test/4.xml": `<urlset><url><loc>https://a.test/two</loc></url></urlset>`,
				}[at]
				if inner == "" {
					return nil, errors.New("not found")
				}
				return io.NopCloser(strings.NewReader(inner)), nil
			}
			got, err := Read(t.Context(), strings.NewReader(tt.in), fetch)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got.Pages)
			require.Equal(t, tt.repeated, got.Repeated)
		})
	}
}

// A key names a folder, on all systems, and holds no secret.
func TestKeys(t *testing.T) {
	for _, p := range []Page{
		{Target: "https://u:hunter2secret@a.test/x?token=s3cr3t-s3cr3t-s3cr3t#frag"},
		{Target: "../../etc/passwd"}, {Target: "x", Name: "CON"}, {Target: "http://[::1]:8080/"},
		{Target: "https://a.test/" + strings.Repeat("long/", 100)}, {Target: "日本語", Name: "…"}, {Target: "-"},
	} {
		key := p.Key()
		require.True(t, ownKey(key), key)
		require.NotContains(t, key, "hunter2")
		require.NotContains(t, key, "s3cr3t")
		require.NotContains(t, p.Address(), "s3cr3t")
	}
	a, b := Page{Target: "https://a.test/"}, Page{Target: "https://a.test/", Device: "iphone-14"}
	require.NotEqual(t, a.Key(), b.Key())
	b.Device, b.Place = "", 7
	require.Equal(t, a.Key(), b.Key(), "its place is not part of it")

	l, err := Read(t.Context(), strings.NewReader(`{"target":"x","steps":[ {"fill": "<b>\u2028&"} ]}`), nil)
	require.NoError(t, err)
	data, err := json.Marshal(l.Pages[0])
	require.NoError(t, err)
	var sent Page
	require.NoError(t, json.Unmarshal(data, &sent))
	require.Equal(t, l.Pages[0].Key(), sent.Key(), "a worker that got it over a queue has the same key")
}

func TestHosts(t *testing.T) {
	for target, want := range map[string]string{
		"https://A.test:8080/x": "a.test:8080", "a.test/x": "a.test", "site/page.html": "", "./x": "", "/srv/x.htm": "",
	} {
		require.Equal(t, want, (&Page{Target: target}).Host(), target)
	}
}

// pages makes a list of that many.
func pages(t testing.TB, n int, format string) []Page {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	l, err := Read(t.Context(), strings.NewReader(b.String()), nil)
	require.NoError(t, err)
	return l.Pages
}
