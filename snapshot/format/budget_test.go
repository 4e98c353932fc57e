package format_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
	o200k "github.com/refscope/refscope/snapshot/tokens"
)

// TestBudgetsHold cuts every format in every manner at many lengths.
func TestBudgetsHold(t *testing.T) {
	var counter o200k.Counter
	c := pagetest.Shop(t, 60)
	base := format.Options{Common: dump.Common{MaxChars: -1}, Semantic: semantic.Options{NoViewportPruning: true}}
	for _, f := range format.Names() {
		whole := readback.Render(t, c, f, base)
		for _, kind := range []struct {
			name  string
			set   func(o *format.Options, max int)
			size  func(d *dump.Document) int
			start int
		}{
			{"chars", func(o *format.Options, max int) { o.MaxChars = max },
				func(d *dump.Document) int { return utf8.RuneCountInString(d.Text) }, 1},
			{"tokens", func(o *format.Options, max int) { o.MaxTokens = max; o.CountTokens = counter.Count },
				func(d *dump.Document) int { return counter.Count(d.Text) }, 1},
			{"estimated tokens", func(o *format.Options, max int) { o.MaxTokens = max },
				func(d *dump.Document) int { return (utf8.RuneCountInString(d.Text) + 3) / 4 }, 1},
			{"nodes", func(o *format.Options, max int) { o.MaxNodes = max }, func(d *dump.Document) int { return limited(t, d) },
				1},
		} {
			t.Run(string(f)+"/"+kind.name, func(t *testing.T) {
				least := base
				kind.set(&least, 1)
				floor := readback.Render(t, c, f, least) // what is never cut
				full := kind.size(whole)
				for max := 1; max <= full+1; max += max/9 + 1 {
					o := base
					kind.set(&o, max)
					d := readback.Render(t, c, f, o)
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

// elementsOf are the elements that have a line or a part of one.
func elementsOf(d *dump.Document) map[int]bool {
	all := map[int]bool{}
	for _, l := range d.Lines {
		all[l.Node] = true
	}
	for _, s := range d.Spans {
		all[s.Node] = true
	}
	delete(all, -1)
	return all
}

// elements is how many elements have a line or a part of one.
func elements(d *dump.Document) int {
	return len(elementsOf(d))
}

// limited is what MaxNodes limits: elements, or the nodes of domtool's payload.
func limited(t testing.TB, d *dump.Document) int {
	if d.Format == format.DomTool {
		var payload struct {
			Page struct{ Meta struct{ TotalNodes int } }
		}
		require.NoError(t, json.Unmarshal([]byte(d.Text), &payload))
		return payload.Page.Meta.TotalNodes
	}
	return elements(d)
}

// accounted: a kept element that has a line in the whole text has it in the cut one, or
// an omission says that it was cut.
func accounted(t testing.TB, c *snapshot.Capture, whole, d *dump.Document) {
	t.Helper()
	cut := map[int]bool{}
	for _, o := range d.Omitted {
		if o.Reason == dump.ReasonCut || o.Reason == dump.ReasonQuery {
			cut[o.Node] = true
		}
	}
	for n := range elementsOf(whole) {
		require.True(t, cut[n] || d.LineOf(n) >= 0 || !c.Node(n).Verdict.Kept(), "element %d is neither there nor reported",
			n)
	}
}

// TestCutIsTheLongest: one line more would not fit. The marker's own length depends
// on what is cut, so this holds for plain limits and not by luck.
func TestCutIsTheLongest(t *testing.T) {
	c := pagetest.Shop(t, 100)
	whole := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	for max := 400; max < utf8.RuneCountInString(whole.Text); max += 97 {
		d := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: max}})
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
	whole := readback.Render(t, c, format.DDDK, format.Options{})
	d := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxNodes: 1}})
	gone := utf8.RuneCountInString(whole.Text[d.Lines[4].End:])
	require.True(t, strings.HasSuffix(d.Text, "<header>\n[...truncated: 11 nodes, "+
		strconv.Itoa(gone)+" characters: 5 in <main>, 2 in <nav>, 2 in <aside>, 2 elsewhere]"), d.Text)
}

func TestRegionsAddUp(t *testing.T) {
	var counter o200k.Counter
	pages := map[string]*snapshot.Capture{"big": pagetest.Shop(t, 200), "nested": pagetest.Nested(300),
		"hostile": pagetest.Hostile(t, "<b>\"中文\u202e\n[5]<a>😀")}
	for name, c := range pages {
		for _, f := range format.Names() {
			for how, spread := range map[string]func(string, []int) []int{"o200k": counter.Spread, "estimate": nil} {
				d := readback.Render(t, c, f, format.Options{Semantic: semantic.Options{NoViewportPruning: true}})
				rs := dump.Regions(c, d, spread)
				require.Equal(t, -1, rs[0].Node)
				var sum dump.Amount
				seen := map[int]bool{}
				for i, r := range rs {
					o := r.Own
					sum = dump.Amount{
						Nodes: sum.Nodes + o.Nodes, Bytes: sum.Bytes + o.Bytes, Chars: sum.Chars + o.Chars,
						UTF16: sum.UTF16 + o.UTF16, Tokens: sum.Tokens + o.Tokens,
					}
					require.False(t, seen[r.Node])
					seen[r.Node] = true
					if i > 0 {
						require.True(t, r.Parent >= 0 && r.Parent < i, "parents come first")
						require.Positive(t, r.All.Bytes, "a region without text")
						require.NotEmpty(t, r.Kind)
						n := c.Node(r.Node)
						require.True(t, r.Items != nil || r.Kind == n.Tag || r.Kind == n.Role || n.IsModal() && r.Kind == "dialog")
					}
				}
				want := dump.Amount{
					Nodes: elements(d), Bytes: len(d.Text), Chars: utf8.RuneCountInString(d.Text),
					UTF16: text.Units16(d.Text), Tokens: counter.Count(d.Text),
				}
				if spread == nil {
					want.Tokens = dump.EstimateTokens(utf8.RuneCountInString(d.Text))
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
	d := readback.Render(t, c, format.DDDK, format.Options{})
	var got []string
	for _, r := range dump.Regions(c, d, nil) {
		got = append(got, fmt.Sprintf("%s [%d] %s <%d own %d/%d all %d/%d", r.Kind, r.Ref, r.Name, r.Parent, r.Own.Nodes,
			r.Own.Bytes, r.All.Nodes, r.All.Bytes))
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
		{I: 0, Parent: -1, Tag: "main"}, {I: 1, Parent: 0, Tag: "p"}, {I: 2, Parent: -1, Tag: "nav"},
		{I: 3, Parent: 2, Tag: "a"},
	}}
	d := &dump.Document{Text: "abcdefghij\nk", Lines: []dump.Line{{Start: 0, End: 10, Node: 1},
		{Start: 11, End: 12, Node: -1}},
		Spans: []dump.Span{{Start: 2, End: 8, Node: 3}, {Start: 4, End: 5, Node: 1}, {Start: 8, End: 8, Node: 3}}}
	rs := dump.Regions(c, d, func(text string, ends []int) []int {
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
	whole := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	for _, f := range format.Names() {
		for _, o := range []format.Options{{Common: dump.Common{MaxChars: -1}},
			{Common: dump.Common{MaxChars: -1, Compat: true}}, {Common: dump.Common{MaxChars: -1},
				Markup: markup.Options{NoTemplates: true}}, {Common: dump.Common{MaxChars: -1},
				Aria: aria.Options{Playwright: true, Mode: aria.ModeAI}}} {
			whole := readback.Render(t, c, f, o)
			o.SummariseRepeats = true
			d := readback.Render(t, c, f, o)
			accounted(t, c, whole, d)
			switch f {
			case format.DDDK, format.Wraith, format.Aria, format.Skeleton, format.Hybrid, format.Full:
				require.Contains(t, d.Text, " more <li> like the 20 above", f)
				require.Less(t, len(d.Text), len(whole.Text))
			default:
				require.Equal(t, whole.Text, d.Text, f)
			}
		}
	}
	d := readback.Render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, SummariseRepeats: true}})
	accounted(t, c, whole, d)
	require.Equal(t, 2, strings.Count(d.Text, "[..."), d.Text)
	require.Contains(t, d.Text, "\n\t[...40 more <li> like the 20 above, numbered 22-61]\n")
	require.Contains(t, d.Text, "\n\t[...5 more <p> like the 20 above]\n")
	require.Contains(t, d.Text, "<h3>24</h3>", "25 short siblings are none too many")
	require.False(t, d.Truncated, "nothing was cut by a limit")
}

func FuzzBudget(f *testing.F) {
	for i, s := range pagetest.HostileTexts() {
		f.Add(s, "the", i*40, i*7, i, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, s, query string, chars, tokens, nodes int, repeats bool) {
		if len(s) > 2_000 || len(query) > 500 {
			return
		}
		c := pagetest.Hostile(t, s)
		for _, name := range format.Names() {
			o := format.Options{Common: dump.Common{MaxChars: chars, MaxTokens: tokens, MaxNodes: nodes,
				SummariseRepeats: repeats, Query: query}, Semantic: semantic.Options{NoViewportPruning: true}}
			d := readback.Render(t, c, name, o)
			own := 0
			if name == format.DDDK {
				own = 12_000
			}
			if o.Budget(own).Holds(d.Text, 0) {
				continue
			}
			// Then it is what is never cut.
			o.MaxChars = 1
			require.Equal(t, len(readback.Render(t, c, name, o).Lines), len(d.Lines), strconv.Quote(d.Text))
		}
	})
}

func BenchmarkBudget(b *testing.B) {
	var counter o200k.Counter
	counter.Count("x")
	c := pagetest.Shop(b, 5_000)
	for _, one := range []struct {
		name string
		f    dump.Format
		o    format.Options
	}{
		{"dddk/none", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}}},
		{"dddk/chars", format.DDDK, format.Options{}},
		{"dddk/tokens", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, MaxTokens: 4_000,
			CountTokens: counter.Count}}},
		{"dddk/nodes", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: 500}}},
		{"dddk/repeats", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, SummariseRepeats: true}}},
		{"dddk/query", format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, Query: "keyboard with 7 keys"}}},
		{"semantic/tokens", format.Semantic, format.Options{Common: dump.Common{MaxTokens: 4_000, CountTokens: counter.Count},
			Semantic: semantic.Options{NoViewportPruning: true}}},
		{"filtered/query", format.Filtered, format.Options{Common: dump.Common{Query: "keyboard with 7 keys",
			CountTokens: counter.Count}}},
	} {
		b.Run(one.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.Render(c, one.f, one.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	d, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(b, err)
	b.Run("regions", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			dump.Regions(c, d, counter.Spread)
		}
	})
}
