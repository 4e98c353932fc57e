package collect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/collect"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/stretchr/testify/require"
)

// bothWays reads a tab with every element asked for its style, and without, and says
// what differs first, "" where nothing does.
func bothWays(ctx context.Context, t *testing.T, tab *browser.Tab) string {
	t.Helper()
	read := func(all bool) *snapshot.Capture {
		res, err := collect.Read(ctx, tab, collect.Options{AllStyles: all})
		require.NoError(t, err)
		res.Release(ctx)
		return res.Capture
	}
	quick, asked := read(false), read(true)
	if len(quick.Nodes) != len(asked.Nodes) {
		return fmt.Sprintf("%d elements, %d where all are asked", len(quick.Nodes), len(asked.Nodes))
	}
	for i := range quick.Nodes {
		one, err := json.Marshal(quick.Nodes[i])
		require.NoError(t, err)
		two, err := json.Marshal(asked.Nodes[i])
		require.NoError(t, err)
		if string(one) != string(two) {
			return fmt.Sprintf("%s:\n%s\nwhere all are asked:\n%s", quick.Nodes[i].Path, one, two)
		}
	}
	return ""
}

// TestStylesBothWays: what the page's rules tell about an element is what the browser
// would have said, on every saved page. A page that changes between two readings by
// itself is read again.
func TestStylesBothWays(t *testing.T) {
	for _, folder := range slices.Concat(testpages.Folders(t, testpages.Articles), testpages.Folders(t, testpages.Forms)) {
		root := chrometest.Folder(t, folder.Path)
		tab := chrome.Tab(t)
		for _, file := range folder.Pages(t) {
			ctx := chrometest.Context(t)
			require.NoError(t, tab.Navigate(ctx, root+file), file)
			why := bothWays(ctx, t, tab)
			for tries := 0; why != "" && tries < 3; tries++ {
				why = bothWays(ctx, t, tab)
			}
			if why != "" {
				t.Errorf("%s: %s", file, why)
			}
		}
	}
}

// TestStylesOfQuietTags puts each tag whose style is taken for the browser's own into
// every kind of container, beside rules that reach it in every way there is.
func TestStylesOfQuietTags(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("js", "style.js"))
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(source), "Object.entries({")
	list, _, _ = strings.Cut(list, "}),")
	var tags []string
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
		if tag, ok := strings.CutSuffix(word, ":"); ok {
			tags = append(tags, tag)
		}
	}
	require.Greater(t, len(tags), 50)
	var body strings.Builder
	containers := []string{
		"", "display:flex", "display:inline-grid", "visibility:hidden", "overflow:auto;height:20px;width:90px", "display:grid", "display:inline-flex",
		"text-transform:uppercase;cursor:pointer", "opacity:.005", "display:table", "display:block flow-root",
	}
	for _, container := range containers[:testneed.Cases(5, 11, 11)] {
		fmt.Fprintf(&body, `<div class=box style="%s">`, container)
		for _, tag := range tags {
			fmt.Fprintf(&body, "<%s>", tag)
			if tag != "img" && tag != "input" {
				fmt.Fprintf(&body, "<span>in %s</span> text</%s>", tag, tag)
			}
		}
		body.WriteString("</div>")
	}
	filler := strings.Repeat("<p><b>More</b></p>", 400) // more elements than rules
	page := func(style, rest string) string {
		return `<!doctype html><title>Quiet</title><style>` + style + `</style>` + body.String() + rest + filler
	}
	tab := chrome.Tab(t)
	for name, html := range map[string]string{
		"no rules":   page("", ""),
		"selectors":  page("li:nth-child(2) {position:absolute} .box > :first-child {display:flex} h1 + h2, b::before {visibility:hidden} em:has(span) {cursor:pointer} td {float:left} strong {all:unset}", ""),
		"conditions": page("@media (min-width:1px) {u{display:none}} @supports (display:grid) {s{opacity:0}} @layer x {i{transform:rotate(9deg)}} @container (width > 1px) {small{display:block}}", ""),
		"nested":     page(".box { span { display: block } & > ul { overflow: hidden; height: 5px } }", ""),
		"scope":      page("@scope (.box) to (ul) { span { text-transform: uppercase } }", ""),
		"animation":  page("@keyframes a { from { rotate: 9deg; opacity: 0 } to { rotate: 9deg; opacity: 0 } } dl { animation: a 9s infinite paused }", ""),
		"shadow": page("", `<div><template shadowrootmode=open><style>:host{display:flex} ::slotted(span){position:relative;visibility:hidden} p{opacity:0}</style><slot></slot><p>In</p></template><span>Slotted <b>too</b></span></div>
			<section><template shadowrootmode=open><style>b{display:none}</style><slot><b>Default</b></slot></template></section>`),
		"inline":      page("", `<p style="position:sticky">A</p><p hidden>B</p><p hidden=until-found>C</p><div popover>D</div><svg width=9 height=9><g transform="rotate(9)"><a href=x><text>E</text></a></g></svg>`),
		"quirks mode": "<title>Quirks</title>" + body.String() + filler,
	} {
		t.Run(name, func(t *testing.T) {
			chrometest.Load(t, tab, chrometest.Page(t, html))
			require.Empty(t, bothWays(chrometest.Context(t), t, tab))
		})
	}
}

// TestLooksOfLinksAndButtons: links and buttons that no rule names have the browser's look, which is not the same
// everywhere: under another colour scheme, an inherited text colour, a small font, where they are disabled or open.
func TestLooksOfLinksAndButtons(t *testing.T) {
	controls := `<a href="/x">Link</a> <a>Anchor</a> <button>Press</button> <button disabled>Off</button>
		<a href="/y" style="color:#eee">Inline</a> <a class=named href="/z">Named</a> <button class=named>Named</button>`
	var body strings.Builder
	for _, around := range []string{
		`class=blue`, `class=fill`, `class=small`, `class=pale`, `class="blue small"`, `bgcolor="#0000ee"`, `class=blue style="zoom:0.4"`,
	} {
		fmt.Fprintf(&body, `<table><tr><td %s>%s <fieldset disabled>%s</fieldset></table>`, around, controls, controls)
	}
	body.WriteString(`<table><tr><td class=mauve><a href="/m">Link</a><div class=dark><a href="/n">Link</a></div></table>`)
	html := `<!doctype html><title>Looks</title><style>
		.blue { background: #0000ee } .mauve { background: #9e9eff } .dark { color-scheme: dark } .fill { -webkit-text-fill-color: #efefef }
		.small { font-size: 5px } .pale { color: #fefefe } .named { color: #f0f0f0; background: #f1f1f1 }
		</style>` + body.String() + `<button popover id=p>Open</button>` + strings.Repeat("<p><b>More</b></p>", 200)
	tab := chrome.Open(t, chrometest.Page(t, html))
	ctx := chrometest.Context(t)
	require.Empty(t, bothWays(ctx, t, tab))
	res, err := collect.Read(ctx, tab, patient)
	require.NoError(t, err)
	// By what is around them: how many links and buttons of that text are small or pale.
	noted := map[string]int{}
	around := ""
	for _, n := range res.Capture.Nodes {
		if n.Tag == "td" {
			around = n.Attrs["class"] + n.Attrs["bgcolor"]
		}
		if n.Ink != nil && slices.Contains([]string{"Link", "Anchor", "Press"}, n.Text) {
			noted[around+": "+n.Text]++
		}
	}
	require.Equal(t, map[string]int{
		"blue: Link": 4, "#0000ee: Link": 2, "mauve: Link": 1,
		"small: Link": 2, "small: Anchor": 2, "blue small: Link": 2, "blue small: Anchor": 2, "pale: Anchor": 2,
		"fill: Link": 2, "fill: Anchor": 2, "fill: Press": 2,
		// The disabled ones: the browser draws them with some of what is behind.
		"blue: Press": 2, "#0000ee: Press": 1, "blue small: Press": 1,
	}, noted)
}
