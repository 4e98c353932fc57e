package dump

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/pagetest"
)

func TestCosts(t *testing.T) {
	c := pagetest.Parse(t, "title: \"Ünïcode 😀\"\nbody\n  p \"Text 😀\"\n  button @0,0,50,20 \"Grüße 😀\"")
	for _, count := range []func(string) int{nil, func(s string) int { return len(strings.Fields(s)) }} {
		costs, err := Costs(c, Options{}, count)
		require.NoError(t, err)
		require.Len(t, costs, 4)
		for i, f := range []Format{Semantic, Skeleton, Hybrid, Full} {
			d, err := Render(c, f, Options{})
			require.NoError(t, err)
			k := costs[i]
			require.Equal(t, f, k.Format)
			require.Equal(t, len(d.Text), k.Bytes)
			require.Equal(t, utf8.RuneCountInString(d.Text), k.Characters)
			require.Equal(t, len(utf16.Encode([]rune(d.Text))), k.Units16)
			require.Less(t, k.Characters, k.Units16, "the emoji")
			require.Equal(t, (k.Characters+3)/4, k.Estimated)
			tokens := k.Estimated
			if count != nil {
				tokens = len(strings.Fields(d.Text))
				require.Equal(t, tokens, k.Counted)
			} else {
				require.Zero(t, k.Counted)
			}
			require.InDelta(t, float64(tokens)*0.00001, k.Dollars, 1e-12)
			require.Equal(t, f == Hybrid, k.Picture)
			require.InDelta(t, float64(k.Characters)/float64(costs[3].Characters), k.Share, 1e-12)
		}
	}
	_, err := Costs(nil, Options{}, nil)
	require.EqualError(t, err, "measuring the modes: dump semantic: there is no capture")
}

// TestSeedRuleOfThumb: the seed's table is characters / 4 at $0.01 for 1,000 tokens.
func TestSeedRuleOfThumb(t *testing.T) {
	for _, x := range []struct {
		characters, tokens int
		dollars            float64
	}{{100, 25, 0.00025}, {300, 75, 0.00075}, {2_000, 500, 0.005}, {6_000, 1_500, 0.015}, {40_000, 10_000, 0.10}, {200_000, 50_000, 0.50}} {
		require.Equal(t, x.tokens, EstimateTokens(x.characters))
		require.InDelta(t, x.dollars, float64(x.tokens)*CostPer1K/1_000, 1e-9)
	}
}

// TestTreeHash: an unchanged tree is known again, and a change that an agent could read
// is not taken for none.
func TestTreeHash(t *testing.T) {
	page := `
title: Shop
scroll: 10/500
event: 10 added text Saved
body
  p "Time: 10:00"
  input type=checkbox @0,0,20,20 %name="Agree"
  input @0,30,80,20 %name="Mail" %value="a@b.example"
  div %scroll=0.1,true,900 @0,60,300,300
    button @0,70,80,20 "Row"
`
	base := pagetest.Parse(t, page)
	hash := TreeHash(base, Options{})
	require.Regexp(t, `^[0-9a-f]{32}$`, hash)
	find := func(c *snapshot.Capture, name string) *snapshot.Node {
		for i := range c.Nodes {
			if n := &c.Nodes[i]; n.Name == name || n.Text == name {
				return n
			}
		}
		t.Fatal(name)
		return nil
	}
	for name, change := range map[string]func(*snapshot.Capture){
		"nothing": func(*snapshot.Capture) {},
		"time":    func(c *snapshot.Capture) { c.TakenAt, c.Timings.Walk = c.TakenAt.AddDate(1, 0, 0), 99 },
		"events":  func(c *snapshot.Capture) { c.Mutations[0].Age = 9_000 },
		"text": func(c *snapshot.Capture) {
			n := find(c, "Time: 10:00")
			n.Runs[0].Text, n.Text = "Time: 10:01", "Time: 10:01"
		},
		"uid":       func(c *snapshot.Capture) { find(c, "Row").UID = 77 },
		"half a px": func(c *snapshot.Capture) { find(c, "Row").Box[0] += 0.2 },
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, page)
			change(c)
			require.Equal(t, hash, TreeHash(c, Options{}))
		})
	}
	for name, change := range map[string]func(*snapshot.Capture){
		"address": func(c *snapshot.Capture) { c.URL += "#x" },
		"title":   func(c *snapshot.Capture) { c.Title = "Shop 2" },
		"scroll":  func(c *snapshot.Capture) { c.Scroll.Y = 100 },
		"list":    func(c *snapshot.Capture) { n := find(c, "Row"); c.Node(n.Parent).Scroller.Depth = 0.5 },
		"checked": func(c *snapshot.Capture) { find(c, "Agree").States = snapshot.States{"checked": true} },
		"value":   func(c *snapshot.Capture) { find(c, "Mail").Value = "c@d.example" },
		"focus":   func(c *snapshot.Capture) { find(c, "Mail").States = snapshot.States{"focused": true} },
		"place":   func(c *snapshot.Capture) { find(c, "Row").Box[1] += 5 },
		"number":  func(c *snapshot.Capture) { find(c, "Row").Ref = 50 },
		"cover": func(c *snapshot.Capture) {
			find(c, "Row").Occlusion = &snapshot.Occlusion{State: snapshot.Covered, Click: [2]float64{40, 80}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := pagetest.Parse(t, page)
			change(c)
			require.NotEqual(t, hash, TreeHash(c, Options{}))
		})
	}
	require.NotEqual(t, hash, TreeHash(base, Options{Long: true}), "another text")
	require.Equal(t, hash, TreeHash(base, Options{MaxChars: 100}))
}

// TestAXOfAPage: a capture that is not from Chrome's tree says so in the text and in
// the omissions; one from before there was Capture.Source is known by its names.
func TestAXOfAPage(t *testing.T) {
	c := pagetest.Parse(t, "body\n  button @0,0,50,20 %name=Save \"Save\"\n  div %by=listener @0,30,50,20 \"Card\"")
	d, err := Render(c, AX, Options{})
	require.NoError(t, err)
	checkDocument(t, c, d)
	require.Contains(t, d.Text, `{"mode":"semantic","source":"page",`)
	require.Equal(t, Omission{Node: -1, Reason: ReasonRole, Detail: "roles and names are the page's, not Chrome's: take the capture with --source ax"}, d.Omitted[0])
	require.NotContains(t, d.Text, "Card", "what has no role is no control here")

	c.Nodes[1].NameFrom = "ax"
	d, err = Render(c, AX, Options{})
	require.NoError(t, err)
	require.Contains(t, d.Text, `"source":"ax"`)
	require.NotEqual(t, -1, d.Omitted[0].Node)
}

// TestFullDeepNesting: as deep as a tree is followed, in both directions.
func TestFullDeepNesting(t *testing.T) {
	c := pagetest.Nested(maxDepth + 500)
	for _, f := range []Format{Skeleton, Full} {
		d, err := Render(c, f, Options{MaxChars: -1})
		require.NoError(t, err)
		checkDocument(t, c, d)
	}
	d, err := Render(c, Full, Options{})
	require.NoError(t, err)
	last := d.Omitted[len(d.Omitted)-1]
	require.Equal(t, Omission{Node: maxDepth + 499, Reason: ReasonCut, Detail: "it is nested deeper than 10,000 elements"}, last)
}

// TestFullLimitAtEveryLength: whatever the limit, the text is whole HTML, no longer than
// that, and every element is there or reported.
func TestFullLimitAtEveryLength(t *testing.T) {
	c := pagetest.Shop(t, 120)
	for _, f := range []Format{Skeleton, Hybrid, Full} {
		whole, err := Render(c, f, Options{})
		require.NoError(t, err)
		full := utf8.RuneCountInString(whole.Text)
		for max := 200; max < full+200; max += full / 60 {
			d, err := Render(c, f, Options{MaxChars: max})
			require.NoError(t, err)
			require.LessOrEqual(t, utf8.RuneCountInString(d.Text), max)
			require.Equal(t, d.Text != whole.Text, d.Truncated)
			checkDocument(t, c, d)
			depth := 0
			for _, l := range d.Lines { // every line of a start tag has one of an end tag
				line := d.Text[l.Start:l.End]
				switch {
				case strings.HasPrefix(strings.TrimLeft(line, "\t "), "</"):
					depth--
				case strings.HasPrefix(line, "<!--"):
				case strings.HasSuffix(line, ">") && strings.Count(line, "<") == 1 && !strings.HasSuffix(line, "/>"):
					depth++
				}
				require.GreaterOrEqual(t, depth, 0)
			}
			require.Zero(t, depth)
		}
	}
}
