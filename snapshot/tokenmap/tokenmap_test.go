package tokenmap

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/tokens"
)

// shop is a page with a main part, a list of products in it, and a footer.
func shop(products int) *snapshot.Capture {
	c := &snapshot.Capture{URL: "https://shop.example/", Title: "Shop",
		Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames:   []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}}}
	ref := 0
	add := func(parent int, tag, role, text string, box snapshot.Box) int {
		i := len(c.Nodes)
		n := snapshot.Node{I: i, Parent: parent, Tag: tag, Role: role, Name: text, Text: text, Box: box, Visible: true,
			InViewport: true, Verdict: snapshot.VerdictWrapper}
		if text != "" {
			n.Verdict, n.Runs = snapshot.VerdictContent, []snapshot.Run{{Text: text, Before: -1}}
		}
		if role == "button" || tag == "main" || tag == "footer" {
			ref++
			n.Ref, n.Verdict = ref, snapshot.VerdictRef
		}
		if role == "button" {
			n.Interactive = []string{"native"}
		}
		c.Nodes = append(c.Nodes, n)
		return i
	}
	body := add(-1, "body", "", "", snapshot.Box{0, 0, 1280, 2000})
	main := add(body, "main", "main", "", snapshot.Box{0, 50, 1280, 1500})
	add(main, "h1", "heading", "All products", snapshot.Box{0, 50, 400, 40})
	list := add(main, "ul", "list", "", snapshot.Box{0, 100, 600, 400})
	for k := range products {
		y := float64(100 + 40*k)
		li := add(list, "li", "listitem", "", snapshot.Box{0, y, 600, 40})
		add(li, "p", "paragraph", fmt.Sprintf("Product %d of the best kind", k), snapshot.Box{0, y, 300, 20})
		add(li, "button", "button", "Add to cart", snapshot.Box{300, y, 100, 20})
	}
	foot := add(body, "footer", "contentinfo", "", snapshot.Box{0, 1600, 1280, 100})
	add(foot, "p", "paragraph", "The imprint", snapshot.Box{0, 1600, 300, 20})
	return c
}

func render(t testing.TB, c *snapshot.Capture, f dump.Format, o format.Options) *dump.Document {
	t.Helper()
	d, err := format.Render(c, f, o)
	require.NoError(t, err)
	return d
}

// check holds every table against the text itself.
func check(t *testing.T, c *snapshot.Capture, d *dump.Document, counter *tokens.Counter) *Map {
	t.Helper()
	m := Build(c, d, counter)
	whole := (len([]rune(d.Text)) + 3) / 4
	if counter != nil {
		whole = counter.Count(d.Text)
	}
	require.Equal(t, whole, m.Whole.Tokens)
	require.Equal(t, len(d.Text), m.Whole.Bytes)
	own, all := 0, 0.0
	for i, r := range m.Regions {
		own += r.Own.Tokens
		all += r.OwnShare
		if i > 0 {
			require.Equal(t, m.Regions[r.Parent].Depth+1, r.Depth)
		}
		require.NotEmpty(t, r.Title())
		require.NotContains(t, r.Title(), "\n")
	}
	require.Equal(t, whole, own, "regions")
	require.InDelta(t, 1, all, 1e-9)
	sum, chars := 0, 0
	for _, g := range m.Tags {
		sum += g.Tokens
		chars += g.Chars
	}
	require.Equal(t, whole, sum, "tags")
	require.Equal(t, m.Whole.Chars, chars)
	rows := 0
	for _, r := range m.Repeats {
		rows += r.Tokens
		require.GreaterOrEqual(t, r.Count, repeatCount)
		require.Len(t, r.Nodes, r.Count)
	}
	require.LessOrEqual(t, rows, whole, "each row is in one repeat at most")
	return m
}

func TestMapOfAShop(t *testing.T) {
	var counter tokens.Counter
	c := shop(6)
	m := check(t, c, render(t, c, format.DDDK, format.Options{}), &counter)
	var titles []string
	for _, r := range m.Regions {
		titles = append(titles, fmt.Sprintf("%d %s", r.Depth, r.Title()))
	}
	require.Equal(t, []string{"0 page", "1 [1] main", "2 6 × li", "1 [8] footer"}, titles)
	list := m.Regions[2]
	require.Equal(t, snapshot.Box{0, 100, 600, 240}, list.Box)
	require.Greater(t, list.Share, 0.5)
	require.Equal(t, c.Viewport.Box(), m.Regions[0].Box)

	require.Len(t, m.Repeats, 2)
	texts := map[string]Repeat{}
	for _, r := range m.Repeats {
		texts[r.Text] = r
	}
	cart := texts["[2]<button>Add to cart</button>"]
	require.Equal(t, 6, cart.Count, "%v", m.Repeats)
	require.Equal(t, 1, cart.Distinct, "numbers of the session do not count")
	product := texts["<p>Product 0 of the best kind</p>"]
	require.Equal(t, 6, product.Distinct, "%v", m.Repeats)

	owner := m.Owner(c)
	require.Equal(t, 2, owner(cart.Nodes[3]))
	require.Equal(t, 0, owner(0))
	require.Equal(t, 0, owner(-1))
	require.Equal(t, 0, owner(9999))
}

func TestEveryFormatAddsUp(t *testing.T) {
	var counter tokens.Counter
	c := shop(12)
	c.Nodes[2].Text, c.Nodes[2].Name, c.Nodes[2].Runs = "<b>\"中文\u202e\n[5]<a>😀", "<b>\"中文\u202e\n[5]<a>😀", nil
	for _, f := range format.Plain() {
		t.Run(string(f), func(t *testing.T) {
			d := render(t, c, f, format.Options{})
			check(t, c, d, &counter)
			check(t, c, d, nil)
		})
	}
}

func TestWhatACutSaved(t *testing.T) {
	var counter tokens.Counter
	c := shop(40)
	for name, o := range map[string]dump.Common{
		"characters": {MaxChars: 500},
		"nodes":      {MaxNodes: 20},
		"repeats":    {SummariseRepeats: true, MaxChars: -1},
		"query":      {Query: "imprint"},
		"nothing":    {MaxChars: -1},
	} {
		o := format.Options{Common: o}
		for _, f := range format.Plain() {
			t.Run(name+"/"+string(f), func(t *testing.T) {
				d, whole := render(t, c, f, o), render(t, c, f, Unlimited(o))
				lost := Compare(c, d, whole, &counter)
				require.Equal(t, counter.Count(whole.Text), lost.Whole)
				require.Equal(t, counter.Count(d.Text), lost.Given)
				sum := lost.Given + lost.Notes
				for _, r := range lost.Reasons {
					sum += r.Tokens
				}
				require.Equal(t, lost.Whole, sum)
				require.Equal(t, lost, Compare(c, d, whole, &counter), "the same each time")
			})
		}
	}
	d := render(t, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: 500}})
	lost := Compare(c, d, render(t, c, format.DDDK, Unlimited(format.Options{})), &counter)
	require.Equal(t, dump.ReasonCut, lost.Reasons[0].Reason)
	require.Equal(t, "40 × li", lost.Regions[0].Region.Title())
	require.Positive(t, lost.Regions[0].Tokens)
	require.Negative(t, lost.Notes, "the remark about the cut")
}

// TestBoxlessRegions: a region without a box lies around what is in it.
func TestBoxlessRegions(t *testing.T) {
	c := shop(5)
	c.Nodes[1].Box = snapshot.Box{}
	m := Build(c, render(t, c, format.DDDK, format.Options{}), nil)
	require.Equal(t, snapshot.Box{0, 50, 600, 250}, m.Regions[1].Box)
}

// TestRealPages holds the tables on captures of whole pages.
func TestRealPages(t *testing.T) {
	var counter tokens.Counter
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, f := range format.Plain() {
			check(t, c, render(t, c, f, format.Options{}), &counter)
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	var counter tokens.Counter
	c := shop(2_000)
	d := render(b, c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	counter.Count("x")
	b.ReportAllocs()
	for b.Loop() {
		Build(c, d, &counter)
	}
}
