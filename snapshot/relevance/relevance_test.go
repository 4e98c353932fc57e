package relevance

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		"Add to Cart!":                  {"add", "to", "cart"},
		"Samsung Odyssey G7":            {"samsung", "odyssey", "g", "7"},
		"$3,499.50, or 2.":              {"3,499.50", "or", "2"},
		"don't":                         {"don", "t"},
		"ÉTÉ Straße ΣΊΣΥΦΟΣ":            {"été", "straße", "σίσυφοσ"},
		"cafe\u0301":                    {"cafe\u0301"},
		"шестьдесят ШЕСТЬ":              {"шестьдесят", "шесть"},
		"加入购物车":                         {"加入", "入购", "购物", "物车"},
		"中":                             {"中"},
		"价格 299元":                       {"价格", "299", "元"},
		"買い物カゴ":                         {"買い", "い物", "物カ", "カゴ"},
		"장바구니에 담기":                      {"장바구니에", "담기"},
		"ราคา":                          {"รา", "าค", "คา"},
		"हिन्दी":                        {"हिन्दी"},
		"سلة":                           {"سلة"},
		"a_b-c/d":                       {"a", "b", "c", "d"},
		"😀x😀":                           {"x"},
		"\xff\xfeok":                    {"ok"},
		"１２ ３":                          {"１２", "３"},
		"İstanbul":                      {"i̇stanbul"},
		"x\u200dy \u202e z":             {"x", "y", "z"},
		"3.":                            {"3"},
		"\u0301lone":                    {"lone"},
		strings.Repeat("ab ", 3) + "ab": {"ab", "ab", "ab", "ab"},
	} {
		got := split(text)
		if text == "İstanbul" {
			require.Len(t, got, 1, "one word, however the language at hand folds it")
			continue
		}
		require.Equal(t, want, got, "%q", text)
	}
}

// shop is a page of n product cards under main, with a header and a footer.
func shop(t testing.TB, n int) *snapshot.Capture {
	var page strings.Builder
	page.WriteString("body\n  header @0,0,100,20\n")
	for i := range 14 {
		fmt.Fprintf(&page, "    a href=# @0,0,100,20 \"Menu %d\"\n", i)
	}
	page.WriteString("  main @0,100,100,20\n")
	for i := range n {
		fmt.Fprintf(&page, `    div @0,%d,100,20
      h3 @0,%[1]d,100,20 "Monitor model %[2]d"
      p @0,%[3]d,100,20 "Price %[4]d dollars"
      button @0,%[5]d,100,20 "Add to cart"
`, 100+100*i, i, 120+100*i, 10*i, 140+100*i)
	}
	page.WriteString("  footer @0,9000,100,20\n    a href=# @0,9000,100,20 \"Terms of use\"\n")
	return pagetest.Parse(t, page.String())
}

func TestSelectFindsTheCard(t *testing.T) {
	c := shop(t, 200)
	s := Select(c, Params{Query: "Add the monitor model 77 to my cart", MaxNodes: 4})
	var got []string
	for _, n := range c.Nodes {
		if n.Verdict.Kept() && s.Has(n.I) {
			got = append(got, n.Tag+" "+n.Text)
		}
	}
	require.Equal(t, []string{"main ", "h3 Monitor model 77", "p Price 770 dollars", "button Add to cart"}, got)
	require.Equal(t, 4, s.Chosen)
	require.Equal(t, 618, s.Original)
	require.Equal(t, 1.0, s.Chunks[0].Relevance)
	require.Len(t, s.Chunks[0].Nodes, 3, "a card is a chunk although it is a bare div")
	require.Contains(t, s.Why(c.Nodes[len(c.Nodes)-1].I), "0.10 needed")
}

func TestSelectNothing(t *testing.T) {
	for _, query := range []string{"", " \n", "zebra", "!?"} {
		s := Select(shop(t, 5), Params{Query: query})
		require.Zero(t, s.Chosen, query)
	}
	s := Select(&snapshot.Capture{}, Params{Query: "x"})
	require.Zero(t, s.Original)
}

// TestSelectKeepsItsLimits: whatever the limits, they hold, all kept elements are
// either chosen or have a reason, and the answer is the same twice.
func TestSelectKeepsItsLimits(t *testing.T) {
	pages := map[string]*snapshot.Capture{"shop": shop(t, 60), "one chain": chain(t, 400), "flat": flat(t, 300)}
	for name, c := range pages {
		for _, nodes := range []int{-1, 1, 2, 5, 12, 50, 1_000} {
			for _, tokens := range []int{-1, 1, 30, 200, 2_000} {
				p := Params{Query: "model 7 add price text", MaxNodes: nodes, MaxTokens: tokens}
				s := Select(c, p)
				chosen, cost := 0, 0
				for i := range c.Nodes {
					n := &c.Nodes[i]
					if !n.Verdict.Kept() {
						continue
					}
					require.Equal(t, s.Has(n.I), s.Why(n.I) == "", name)
					if s.Has(n.I) {
						chosen++
						cost += estimate(n)
					}
				}
				require.Equal(t, chosen, s.Chosen)
				require.Equal(t, cost, s.Tokens)
				require.True(t, nodes < 0 || chosen <= nodes, "%s: %d of %d", name, chosen, nodes)
				require.True(t, tokens < 0 || cost <= tokens, "%s: %d of %d tokens", name, cost, tokens)
				p.Cost = nil
				again := Select(c, p)
				require.True(t, reflect.DeepEqual(s.why, again.why))

				out := s.Apply(c)
				require.Len(t, out.Nodes, len(c.Nodes))
				for i := range out.Nodes {
					want := c.Nodes[i].Verdict
					if want.Kept() && !s.Has(i) {
						want = snapshot.VerdictFiltered
					}
					require.Equal(t, want, out.Nodes[i].Verdict)
				}
			}
		}
	}
}

// chain is elements each in the one before: sections and text in turn.
func chain(t testing.TB, n int) *snapshot.Capture {
	var page strings.Builder
	for i := range n {
		page.WriteString(strings.Repeat("  ", i))
		if i%2 == 0 {
			page.WriteString("section\n")
		} else {
			fmt.Fprintf(&page, "span \"text %d\"\n", i)
		}
	}
	return pagetest.Parse(t, page.String())
}

// flat is paragraphs under one body, a heading every ten.
func flat(t testing.TB, n int) *snapshot.Capture {
	var page strings.Builder
	page.WriteString("body\n")
	for i := 1; i <= n; i++ {
		tag := "p"
		if i%10 == 1 {
			tag = "h2"
		}
		fmt.Fprintf(&page, "  %s @0,%d,500,20 \"model text %d\"\n", tag, 30*i, i)
	}
	return pagetest.Parse(t, page.String())
}

func TestChunks(t *testing.T) {
	c := flat(t, 30)
	c.Nodes[16].Box = snapshot.Box{0, 2_000, 500, 20} // far below the one before
	for i := 17; i <= 30; i++ {
		c.Nodes[i].Box[1] += 1_500
	}
	var got [][2]int
	seen := map[int]bool{}
	for _, one := range chunks(c) {
		got = append(got, [2]int{one.Nodes[0], one.Nodes[len(one.Nodes)-1]})
		require.LessOrEqual(t, len(one.Nodes), maxChunk)
		for _, n := range one.Nodes {
			require.False(t, seen[n], "in two chunks")
			seen[n] = true
		}
	}
	require.Equal(t, [][2]int{{1, 10}, {11, 15}, {16, 20}, {21, 30}}, got, "headings and gaps begin chunks")
}

// TestWordsOfAControl: what a control is called counts, once, whatever it comes from.
func TestWordsOfAControl(t *testing.T) {
	c := pagetest.Parse(t, `
body
  input %name="Email address" %from=label %value=a@b.example placeholder=you@x class=zebra
  a href=# %name=Terms %from=content "Terms"
  img %name=Logo %from=alt alt=Logo`)
	for i, want := range [][]string{{"email", "address", "a", "b", "example", "you", "x"}, {"terms"}, {"logo"}} {
		require.Equal(t, want, wordsOf(&c.Nodes[i+1]))
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"Add to Cart", "加入购物车 299元", "cafe\u0301 ราคา", "\xff3.5,", "İI"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		total := 0
		for _, w := range split(s) {
			require.NotEmpty(t, w)
			require.Equal(t, []string{w}, split(w), "a word is one word")
			total += len([]rune(w))
		}
		require.LessOrEqual(t, total, 2*len([]rune(s))+2, "a page cannot make words out of nothing")
	})
}

func BenchmarkSelect(b *testing.B) {
	for _, n := range []int{250, 1_250, 12_500} { // cards of 4 elements
		c := shop(b, n)
		b.Run(fmt.Sprint(len(c.Nodes)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Select(c, Params{Query: "Add the monitor model 77 to my cart"})
			}
		})
	}
	c := chain(b, 5_000)
	b.Run("nested 5000", func(b *testing.B) {
		for b.Loop() {
			Select(c, Params{Query: "text 77", MaxNodes: -1, MaxTokens: -1})
		}
	})
}
