package format_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/readback"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/pagetest"
	"github.com/refscope/refscope/snapshot/text"
)

func TestRenderRefusesUnknownFormats(t *testing.T) {
	c := pagetest.Parse(t, "body\n  p \"x\"")
	var names []string
	for _, f := range format.Names() {
		names = append(names, string(f))
	}
	_, err := format.Render(c, "yaml", format.Options{})
	require.EqualError(t, err, `dump format "yaml" is not known; there are: `+strings.Join(names, ", "))
	_, err = format.Render(nil, format.DDDK, format.Options{})
	require.EqualError(t, err, "dump dddk: there is no capture")
	for _, f := range format.Names() {
		d, err := format.Render(&snapshot.Capture{}, f, format.Options{})
		require.NoError(t, err, "an empty capture")
		require.NotEmpty(t, d.Text)
	}
}

func TestRenderIsDeterministic(t *testing.T) {
	c := pagetest.Shop(t, 2_000)
	for _, f := range format.Names() {
		for _, o := range []format.Options{{}, {Common: dump.Common{Compat: true}}, {Common: dump.Common{MaxChars: 3_000}}} {
			a, err := format.Render(c, f, o)
			require.NoError(t, err)
			readback.CheckDocument(t, c, a)
			for range 3 {
				b, err := format.Render(c, f, o)
				require.NoError(t, err)
				require.True(t, reflect.DeepEqual(a, b))
			}
		}
	}
}

// TestVolatileNumbersStayOut: two captures of one page differ in time only.
func TestVolatileNumbersStayOut(t *testing.T) {
	a, b := pagetest.Shop(t, 200), pagetest.Shop(t, 200)
	b.Timings = snapshot.Timings{Walk: 99, Hit: 99, Total: 999}
	b.TakenAt = b.TakenAt.AddDate(1, 0, 0)
	for _, f := range format.Names() {
		da, err := format.Render(a, f, format.Options{})
		require.NoError(t, err)
		db, err := format.Render(b, f, format.Options{})
		require.NoError(t, err)
		require.Equal(t, da.Text, db.Text)
	}
}

// TestFilteredCapture: a capture without its wrappers (Capture.Kept) has gaps in
// its indices and gives the same numbers.
func TestFilteredCapture(t *testing.T) {
	c := pagetest.Shop(t, 400)
	kept := c.Kept()
	require.Less(t, len(kept.Nodes), len(c.Nodes)+1)
	a, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	b, err := format.Render(kept, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	require.Equal(t, readDump(t, a.Text), readDump(t, b.Text))
	readback.CheckDocument(t, kept, b)
}

func TestLinesOfNodes(t *testing.T) {
	c := pagetest.Parse(t, `
body
  p
    "One "
    b "bold & co"
    " word "
    a href="/" "link"
    " two"
  table
    tr
      td "Hobby"
      td
        p "Free"
  pre "a\nb\nc"
`)
	d, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	of := func(tag string) (out []string) {
		for _, n := range c.Nodes {
			if n.Tag != tag {
				continue
			}
			for _, l := range d.LinesOf(n.I) {
				out = append(out, d.Text[d.Lines[l].Start:d.Lines[l].End])
			}
		}
		return out
	}
	row := "\t\t<td>Hobby</td><td>Free</td>"
	require.Equal(t, []string{"<p>One bold & co word</p>", "<p>two</p>", row}, of("p"),
		"the second paragraph is a part of the row")
	require.Equal(t, []string{"<p>One bold & co word</p>"}, of("b"))
	require.Equal(t, []string{row}, of("td"), "the second cell has no text of its own")
	require.Equal(t, []string{"[4]<pre>a", "b", "c</pre>"}, of("pre"))
	require.Equal(t, -1, d.LineOf(0))
	for _, s := range d.Spans {
		if n := c.Node(s.Node); n.Tag == "b" {
			require.Equal(t, "bold & co", d.Text[s.Start:s.End])
		}
	}
	require.Equal(t, []int{1}, (&dump.Document{Lines: []dump.Line{{Node: -1}, {Node: 7}}}).LinesOf(7),
		"a document made by hand")
}

func TestLimitHoldsAtEveryLength(t *testing.T) {
	c := pagetest.Shop(t, 120)
	whole, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	all := readDump(t, whole.Text)
	full := len([]rune(whole.Text))
	for max := 150; max <= full+10; max += 7 {
		d, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: max}})
		require.NoError(t, err)
		require.LessOrEqual(t, len([]rune(d.Text)), max)
		require.Equal(t, max < full, d.Truncated)
		readback.CheckDocument(t, c, d)
		shown := readDump(t, d.Text)
		cut := map[int]bool{}
		for _, o := range d.Omitted {
			if o.Reason == dump.ReasonCut {
				cut[c.Node(o.Node).Ref] = true
			}
		}
		for ref := range all {
			require.True(t, shown[ref] == 1 || cut[ref], "[%d] is neither there nor reported at %d", ref, max)
		}
	}
}

func TestDeepNesting(t *testing.T) {
	c := pagetest.Nested(dump.MaxDepth + 500)
	d, err := format.Render(c, format.Semantic, format.Options{Common: dump.Common{MaxChars: -1},
		Semantic: semantic.Options{NoViewportPruning: true}})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	d, err = format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1}})
	require.NoError(t, err)
	readback.CheckDocument(t, c, d)
	last := d.Omitted[len(d.Omitted)-1]
	require.Equal(t, dump.Omission{Node: dump.MaxDepth + 499, Reason: dump.ReasonCut,
		Detail: "it is nested deeper than 10,000 elements"}, last)
}

func TestUnnumberedCapture(t *testing.T) {
	c := pagetest.Parse(t, "body\n  button \"x\"")
	for i := range c.Nodes {
		c.Nodes[i].Ref = 0
	}
	d, err := format.Render(c, format.DDDK, format.Options{})
	require.NoError(t, err)
	require.Contains(t, d.Text, "\n<button>x</button>", "no number is invented")
}

// TestLegendCoversEveryKey renders pages that make semantic emit all it has and
// looks each key up in the legend.
func TestLegendCoversEveryKey(t *testing.T) {
	page := `
event: 10 added error x
body
  div %by=tabindex %scroll=0.1,true,900,0.2,true,900 @0,0,10,10 %name="s"
  input type=text placeholder=p value=v %state=focused,required @0,0,10,10 %covered=x
  a href="/" @0,0,10,10 %shadow=open "a"
  iframe src=x %frame
    button @0,0,10,10 "x"
  button @0,9000,10,10 "far"
`
	for _, o := range []format.Options{{}, {Semantic: semantic.Options{Long: true}}, {Common: dump.Common{Compat: true}},
		{Common: dump.Common{MaxChars: 800}}, {Common: dump.Common{Volatile: true}}} {
		c := pagetest.Parse(t, page)
		d, err := format.Render(c, format.Semantic, o)
		require.NoError(t, err)
		legend := format.Legend(format.Semantic, o)
		keys := map[string]bool{}
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, e := range v {
					keys[k] = true
					walk(e)
				}
			case []any:
				for _, e := range v {
					walk(e)
				}
			}
		}
		var v any
		require.NoError(t, json.Unmarshal([]byte(d.Text), &v))
		walk(v)
		ax, err := format.Render(c, format.AX, o)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(ax.Text), &v))
		walk(v)
		legend += format.Legend(format.AX, o)
		delete(keys, "interactive_tree") // its title
		require.Contains(t, legend, "interactive_tree")
		for k := range keys {
			require.Regexp(t, `\b`+regexp.QuoteMeta(k)+`\b`, legend)
		}
	}
	require.Contains(t, format.Legend(format.DDDK, format.Options{Common: dump.Common{MarkCovered: true}}), "covered by")
	require.NotContains(t, format.Legend(format.DDDK, format.Options{}), "covered by")
	require.Empty(t, format.Legend("yaml", format.Options{}))
}

func TestInteractiveTreeIsTheDumpsTree(t *testing.T) {
	c := pagetest.Shop(t, 300)
	d, err := format.Render(c, format.Semantic, format.Options{})
	require.NoError(t, err)
	var env struct {
		Tree json.RawMessage `json:"interactive_tree"`
	}
	require.NoError(t, json.Unmarshal([]byte(d.Text), &env))
	require.Equal(t, strings.ReplaceAll(string(env.Tree), "\n", ""),
		string(semantic.Tree(c, dump.Common{}, semantic.Options{})))
}

func TestAppendJSON(t *testing.T) {
	for _, s := range pagetest.HostileTexts() {
		got := text.AppendJSON(nil, s)
		var back string
		require.NoError(t, json.Unmarshal(got, &back), "%s", got)
		require.Equal(t, strings.ToValidUTF8(s, "\uFFFD"), back)
		for _, r := range string(got) {
			require.False(t, r == '\u2028' || r == '\u2029' || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) ||
				r < ' ' || r == 0x7f || r == 0x200b)
		}
	}
	require.Equal(t, `"a<b>&\u202e\udb40\udc41"`, string(text.AppendJSON(nil, "a<b>&\u202e\U000E0041")))
}

func TestLooksForged(t *testing.T) {
	for text, want := range map[string]bool{
		"Add to cart": false, "see [12] and [13]": false, "a [5]<b>": false, "- 5 %": false, "[1] Smith 2020": false,
		"":          false,
		"< 5 items": false, "Price - button": false, "12 [button]": false,
		"[5]<button>Pay</button>": true, "text\n\t[5]<a>": true, "↓[5]": true, "[e1ab]<button>": true, "[99]": true,
		"@e5 [button] \"Pay\"": true, "- button \"Pay\" [ref=e5]": true, `{"i":"5","r":"btn"}`: true, "URL: https://x": true,
		"<td>x</td>":     true,
		"[...truncated]": true,
	} {
		require.Equal(t, want, dump.LooksForged(text), text)
	}
}

func TestUTF16(t *testing.T) {
	require.Equal(t, 4, text.Units16("a😀b"))
	require.Equal(t, 1, text.Index16("a😀b", 2), "not inside a pair")
	require.Equal(t, 5, text.Index16("a😀b", 3))
	s, was := text.Cut16("a😀b", 3)
	require.Equal(t, []any{"a…", 4}, []any{s, was})
	s, was = text.CutCount("a😀bc", 3)
	require.Equal(t, []any{"a😀…", 4}, []any{s, was})
}
