package relevance

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
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
func shop(n int) *snapshot.Capture {
	c := &snapshot.Capture{}
	add := func(parent int, tag, text string, v snapshot.Verdict, y float64, why ...string) int {
		i := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: i, Parent: parent, Tag: tag, Text: text, Verdict: v, Interactive: why,
			Ref: i + 1, Box: snapshot.Box{0, y, 100, 20}})
		return i
	}
	body := add(-1, "body", "", snapshot.VerdictWrapper, 0)
	header := add(body, "header", "", snapshot.VerdictRef, 0)
	for i := range 14 {
		add(header, "a", fmt.Sprintf("Menu %d", i), snapshot.VerdictRef, 0, "native")
	}
	main := add(body, "main", "", snapshot.VerdictRef, 100)
	for i := range n {
		y := float64(100 + i*100)
		card := add(main, "div", "", snapshot.VerdictWrapper, y)
		add(card, "h3", fmt.Sprintf("Monitor model %d", i), snapshot.VerdictRef, y)
		add(card, "p", fmt.Sprintf("Price %d dollars", i*10), snapshot.VerdictContent, y+20)
		add(card, "button", "Add to cart", snapshot.VerdictRef, y+40, "native")
	}
	footer := add(body, "footer", "", snapshot.VerdictRef, 9_000)
	add(footer, "a", "Terms of use", snapshot.VerdictRef, 9_000, "native")
	return c
}

func TestSelectFindsTheCard(t *testing.T) {
	c := shop(200)
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
		s := Select(shop(5), Params{Query: query})
		require.Zero(t, s.Chosen, query)
	}
	s := Select(&snapshot.Capture{}, Params{Query: "x"})
	require.Zero(t, s.Original)
}

// TestSelectKeepsItsLimits: whatever the limits, they hold, all kept elements are
// either chosen or have a reason, and the answer is the same twice.
func TestSelectKeepsItsLimits(t *testing.T) {
	pages := map[string]*snapshot.Capture{"shop": shop(60), "one chain": chain(400), "flat": flat(300)}
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
func chain(n int) *snapshot.Capture {
	c := &snapshot.Capture{}
	for i := range n {
		e := snapshot.Node{I: i, Parent: i - 1, Tag: "section", Verdict: snapshot.VerdictRef}
		if i%2 == 1 {
			e.Tag, e.Text, e.Verdict = "span", fmt.Sprintf("text %d", i), snapshot.VerdictContent
		}
		c.Nodes = append(c.Nodes, e)
	}
	return c
}

// flat is paragraphs under one body, a heading every ten.
func flat(n int) *snapshot.Capture {
	c := &snapshot.Capture{Nodes: []snapshot.Node{{Tag: "body", Parent: -1, Verdict: snapshot.VerdictWrapper}}}
	for i := 1; i <= n; i++ {
		e := snapshot.Node{I: i, Tag: "p", Text: fmt.Sprintf("model text %d", i), Verdict: snapshot.VerdictContent,
			Box: snapshot.Box{0, float64(i * 30), 500, 20}}
		if i%10 == 1 {
			e.Tag, e.Verdict = "h2", snapshot.VerdictRef
		}
		c.Nodes = append(c.Nodes, e)
	}
	return c
}

func TestChunks(t *testing.T) {
	c := flat(30)
	c.Nodes[16].Box = snapshot.Box{0, 2_000, 500, 20} // far below the one before
	for i := 17; i <= 30; i++ {
		c.Nodes[i].Box[1] += 1_500
	}
	var got [][2]int
	seen := map[int]bool{}
	for _, one := range chunks(c, snapshot.NewTree(c)) {
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
	n := snapshot.Node{Tag: "input", Name: "Email address", NameFrom: "label", Value: "a@b.example",
		Attrs: map[string]string{"placeholder": "you@x", "class": "zebra"}}
	require.Equal(t, []string{"email", "address", "a", "b", "example", "you", "x"}, wordsOf(&n))
	n = snapshot.Node{Tag: "a", Name: "Terms", NameFrom: "content", Text: "Terms"}
	require.Equal(t, []string{"terms"}, wordsOf(&n))
	n = snapshot.Node{Tag: "img", Name: "Logo", NameFrom: "alt", Attrs: map[string]string{"alt": "Logo"}}
	require.Equal(t, []string{"logo"}, wordsOf(&n))
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
		c := shop(n)
		b.Run(fmt.Sprint(len(c.Nodes)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Select(c, Params{Query: "Add the monitor model 77 to my cart"})
			}
		})
	}
	c := chain(5_000)
	b.Run("nested 5000", func(b *testing.B) {
		for b.Loop() {
			Select(c, Params{Query: "text 77", MaxNodes: -1, MaxTokens: -1})
		}
	})
}
