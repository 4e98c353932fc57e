package dump

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// TestBudgetsHold cuts every format in every manner at many lengths.
func TestBudgetsHold(t *testing.T) {
	var counter o200k.Counter
	c := pagetest.Shop(t, 60)
	base := Options{NoViewportPruning: true, MaxChars: -1}
	for _, f := range Formats() {
		whole := render(t, c, f, base)
		for _, kind := range []struct {
			name  string
			set   func(o *Options, max int)
			size  func(d *Document) int
			start int
		}{
			{"chars", func(o *Options, max int) { o.MaxChars = max },
				func(d *Document) int { return utf8.RuneCountInString(d.Text) }, 1},
			{"tokens", func(o *Options, max int) { o.MaxTokens = max; o.CountTokens = counter.Count },
				func(d *Document) int { return counter.Count(d.Text) }, 1},
			{"estimated tokens", func(o *Options, max int) { o.MaxTokens = max },
				func(d *Document) int { return (utf8.RuneCountInString(d.Text) + 3) / 4 }, 1},
			{"nodes", func(o *Options, max int) { o.MaxNodes = max }, func(d *Document) int { return limited(t, d) }, 1},
		} {
			t.Run(string(f)+"/"+kind.name, func(t *testing.T) {
				least := base
				kind.set(&least, 1)
				floor := render(t, c, f, least) // what is never cut
				full := kind.size(whole)
				for max := 1; max <= full+1; max += max/9 + 1 {
					o := base
					kind.set(&o, max)
					d := render(t, c, f, o)
					require.Equal(t, max < full, d.Truncated, "%d of %d", max, full)
					if max < kind.size(floor) {
						require.LessOrEqual(t, len(d.Lines), len(floor.Lines)+2)
						continue
					}
					require.LessOrEqual(t, kind.size(d), max)
					accounted(t, c, whole, d)
				}
			})
		}
	}
}

// render renders, checks what holds for every document and that it is the same
// twice.
func render(t testing.TB, c *snapshot.Capture, f Format, o Options) *Document {
	t.Helper()
	d, err := Render(c, f, o)
	require.NoError(t, err)
	checkDocument(t, c, d)
	if strings.HasPrefix(d.Text, "{") {
		require.True(t, json.Valid([]byte(d.Text)), "%s", d.Text)
	}
	again, err := Render(c, f, o)
	require.NoError(t, err)
	require.Equal(t, d.Text, again.Text)
	return d
}

// elements is how many elements have a line or a part of one.
func elements(d *Document) int {
	n := 0
	for range nodesOf(d) {
		n++
	}
	return n
}

// limited is what MaxNodes limits: elements, or the nodes of domtool's payload.
func limited(t testing.TB, d *Document) int {
	if d.Format == DomTool {
		return readDomTool(t, d.Text).Page.Meta.TotalNodes
	}
	return elements(d)
}

// accounted: a kept element that has a line in the whole text has it in the cut one, or
// an omission says that it was cut.
func accounted(t testing.TB, c *snapshot.Capture, whole, d *Document) {
	t.Helper()
	cut := map[int]bool{}
	for _, o := range d.Omitted {
		if o.Reason == ReasonCut || o.Reason == ReasonQuery {
			cut[o.Node] = true
		}
	}
	for n := range nodesOf(whole) {
		require.True(t, cut[n] || d.LineOf(n) >= 0 || !c.Node(n).Verdict.Kept(), "element %d is neither there nor reported", n)
	}
}

// TestCutIsTheLongest: one line more would not fit. The marker's own length depends
// on what is cut, so this holds for plain limits and not by luck.
func TestCutIsTheLongest(t *testing.T) {
	c := pagetest.Shop(t, 100)
	whole := render(t, c, DDDK, Options{MaxChars: -1})
	for max := 400; max < utf8.RuneCountInString(whole.Text); max += 97 {
		d := render(t, c, DDDK, Options{MaxChars: max})
		require.True(t, d.Truncated)
		kept := len(d.Lines) - 1
		longer := whole.Text[:whole.Lines[kept].End]
		marker := d.Text[d.Lines[kept].Start:]
		require.Greater(t, utf8.RuneCountInString(longer)+1+utf8.RuneCountInString(marker)+2, max, d.Text)
	}
}

func TestMarkerNamesTheRegions(t *testing.T) {
	c := pagetest.Parse(t, `
body
  header
    button "a"
  main
    section
      button "b"
      button "c"
    div role=search
      button "d"
  nav
    button "e"
  aside
    button "f"
  p "loose"
`)
	whole := render(t, c, DDDK, Options{})
	d := render(t, c, DDDK, Options{MaxNodes: 1})
	gone := utf8.RuneCountInString(whole.Text[d.Lines[4].End:])
	require.True(t, strings.HasSuffix(d.Text, "<header>\n[...truncated: 11 nodes, "+
		strconv.Itoa(gone)+" characters: 5 in <main>, 2 in <nav>, 2 in <aside>, 2 elsewhere]"), d.Text)
}

func TestMost(t *testing.T) {
	for n := range 40 {
		for edge := range n + 2 {
			for guess := -1; guess <= n+1; guess++ {
				asked := 0
				got := most(guess, n, func(i int) bool {
					require.True(t, i >= 1 && i <= n)
					asked++
					return i < edge
				})
				require.Equal(t, max(0, min(edge-1, n)), got)
				require.LessOrEqual(t, asked, 16)
				if guess == got || guess == got+1 {
					require.LessOrEqual(t, asked, 3, "a good guess is soon confirmed")
				}
			}
		}
	}
}

func TestRegionsAddUp(t *testing.T) {
	var counter o200k.Counter
	pages := map[string]*snapshot.Capture{"big": pagetest.Shop(t, 200), "nested": pagetest.Nested(300), "hostile": pagetest.Hostile(t, "<b>\"中文\u202e\n[5]<a>😀")}
	for name, c := range pages {
		for _, f := range Formats() {
			for how, spread := range map[string]func(string, []int) []int{"o200k": counter.Spread, "estimate": nil} {
				d := render(t, c, f, Options{NoViewportPruning: true})
				rs := Regions(c, d, spread)
				require.Equal(t, -1, rs[0].Node)
				var sum Amount
				seen := map[int]bool{}
				for i, r := range rs {
					sum.add(r.Own)
					require.False(t, seen[r.Node])
					seen[r.Node] = true
					if i > 0 {
						require.True(t, r.Parent >= 0 && r.Parent < i, "parents come first")
						require.Positive(t, r.All.Bytes, "a region without text")
						require.NotEmpty(t, r.Kind)
						require.True(t, r.Items != nil || regionKind(c.Node(r.Node)) == r.Kind)
					}
				}
				want := Amount{elements(d), len(d.Text), utf8.RuneCountInString(d.Text), text.Units16(d.Text), counter.Count(d.Text)}
				if spread == nil {
					want.Tokens = quarter(d.Text)
				}
				require.Equal(t, want, sum, "%s %s %s", name, f, how)
				require.Equal(t, want, rs[0].All)
			}
		}
	}
}

func TestRegionsOfAPage(t *testing.T) {
	c := pagetest.Parse(t, `
url: u
title: t
body
  main
    p
      "Hello "
      b "bold"
    section %name="News"
      p "one"
    section
      div
  iframe src=x %frame
    body
      button "in"
`)
	d := render(t, c, DDDK, Options{})
	var got []string
	for _, r := range Regions(c, d, nil) {
		got = append(got, fmt.Sprintf("%s [%d] %s <%d own %d/%d all %d/%d", r.Kind, r.Ref, r.Name, r.Parent, r.Own.Nodes, r.Own.Bytes, r.All.Nodes, r.All.Bytes))
	}
	require.Equal(t, []string{
		"page [0]  <-1 own 0/67 all 8/179",
		"main [1]  <0 own 3/29 all 6/75",
		"section [2] News <1 own 2/32 all 2/32",
		"section [3]  <1 own 1/14 all 1/14",
		"iframe [4]  <0 own 2/37 all 2/37",
	}, got, d.Text)
}

// TestSpansInsideLinesHaveRegions: a part of a line may be of another region than
// the line.
func TestSpansInsideLinesHaveRegions(t *testing.T) {
	c := &snapshot.Capture{Nodes: []snapshot.Node{
		{I: 0, Parent: -1, Tag: "main"}, {I: 1, Parent: 0, Tag: "p"}, {I: 2, Parent: -1, Tag: "nav"}, {I: 3, Parent: 2, Tag: "a"},
	}}
	d := &Document{Text: "abcdefghij\nk", Lines: []Line{{Start: 0, End: 10, Node: 1}, {Start: 11, End: 12, Node: -1}},
		Spans: []Span{{Start: 2, End: 8, Node: 3}, {Start: 4, End: 5, Node: 1}, {Start: 8, End: 8, Node: 3}}}
	rs := Regions(c, d, func(text string, ends []int) []int {
		require.Equal(t, []int{2, 4, 5, 8, 11, 12}, ends)
		return []int{1, 2, 4, 8, 16, 32}
	})
	require.Equal(t, []int{32, 1 + 4 + 16, 2 + 8}, []int{rs[0].Own.Tokens, rs[1].Own.Tokens, rs[2].Own.Tokens})
	require.Equal(t, 63, rs[0].All.Tokens)
}

func TestRepeatsLoseNothing(t *testing.T) {
	var b strings.Builder
	b.WriteString("body\n  main\n    ul\n")
	for i := range 60 {
		fmt.Fprintf(&b, "      li\n        \"Text %d \"\n        a href=\"/%d\" \"link\"\n", i, i)
	}
	for i := range 25 {
		fmt.Fprintf(&b, "    p \"paragraph %d %s\"\n", i, strings.Repeat("long ", 20))
	}
	for i := range 25 {
		fmt.Fprintf(&b, "    h3 \"%d\"\n", i)
	}
	c := pagetest.Parse(t, b.String())
	whole := render(t, c, DDDK, Options{MaxChars: -1})
	for _, f := range Formats() {
		for _, o := range []Options{{MaxChars: -1}, {MaxChars: -1, Compat: true}, {MaxChars: -1, NoTemplates: true}, {MaxChars: -1, Aria: AriaOptions{Playwright: true, Mode: AriaModeAI}}} {
			whole := render(t, c, f, o)
			o.SummariseRepeats = true
			d := render(t, c, f, o)
			accounted(t, c, whole, d)
			switch f {
			case DDDK, Wraith, Aria, Skeleton, Hybrid, Full:
				require.Contains(t, d.Text, " more <li> like the 20 above", f)
				require.Less(t, len(d.Text), len(whole.Text))
			default:
				require.Equal(t, whole.Text, d.Text, f)
			}
			if f == Skeleton || f == Hybrid || f == Full {
				parseHTML(t, d.Text)
			}
		}
	}
	d := render(t, c, DDDK, Options{MaxChars: -1, SummariseRepeats: true})
	accounted(t, c, whole, d)
	require.Equal(t, 2, strings.Count(d.Text, "[..."), d.Text)
	require.Contains(t, d.Text, "\n\t[...40 more <li> like the 20 above, numbered 22-61]\n")
	require.Contains(t, d.Text, "\n\t[...5 more <p> like the 20 above]\n")
	require.Contains(t, d.Text, "<h3>24</h3>", "25 short siblings are none too many")
	require.False(t, d.Truncated, "nothing was cut by a limit")
	require.Equal(t, "1, 3-5, 9", ranges([]int{1, 3, 4, 5, 9}))
	require.Equal(t, "1, 3, 5, 7, 9, 11, 13, 15, …", ranges([]int{1, 3, 5, 7, 9, 11, 13, 15, 17}))
}

func FuzzBudget(f *testing.F) {
	for i, s := range pagetest.HostileTexts() {
		f.Add(s, "the", i*40, i*7, i, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, s, query string, chars, tokens, nodes int, repeats bool) {
		if len(s) > 2_000 || len(query) > 500 {
			t.Skip()
		}
		c := pagetest.Hostile(t, s)
		for _, format := range Formats() {
			o := Options{MaxChars: chars, MaxTokens: tokens, MaxNodes: nodes, SummariseRepeats: repeats, Query: query, NoViewportPruning: true}
			d := render(t, c, format, o)
			limit := o.budget(0)
			if format == DDDK && chars == 0 {
				limit.chars = capDump
			}
			if limit.holds(d.Text, 0) {
				continue
			}
			// Then it is what is never cut.
			o.MaxChars = 1
			require.Equal(t, len(render(t, c, format, o).Lines), len(d.Lines), strconv.Quote(d.Text))
		}
	})
}

func BenchmarkBudget(b *testing.B) {
	var counter o200k.Counter
	counter.Count("x")
	c := pagetest.Shop(b, 5_000)
	for _, one := range []struct {
		name string
		f    Format
		o    Options
	}{
		{"dddk/none", DDDK, Options{MaxChars: -1}},
		{"dddk/chars", DDDK, Options{}},
		{"dddk/tokens", DDDK, Options{MaxChars: -1, MaxTokens: 4_000, CountTokens: counter.Count}},
		{"dddk/nodes", DDDK, Options{MaxChars: -1, MaxNodes: 500}},
		{"dddk/repeats", DDDK, Options{MaxChars: -1, SummariseRepeats: true}},
		{"dddk/query", DDDK, Options{MaxChars: -1, Query: "keyboard with 7 keys"}},
		{"semantic/tokens", Semantic, Options{MaxTokens: 4_000, CountTokens: counter.Count, NoViewportPruning: true}},
		{"filtered/query", Filtered, Options{Query: "keyboard with 7 keys", CountTokens: counter.Count}},
	} {
		b.Run(one.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Render(c, one.f, one.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	d, err := Render(c, DDDK, Options{MaxChars: -1})
	require.NoError(b, err)
	b.Run("regions", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Regions(c, d, counter.Spread)
		}
	})
}
