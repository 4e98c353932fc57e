package whatif

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/testpages"
)

// page is a shop page: a section with two buttons, an advertisement, a button below
// the viewport.
func page() *snapshot.Capture {
	c := &snapshot.Capture{
		URL: "https://a.example/", Title: "Shop", Viewport: snapshot.Viewport{Width: 1280, Height: 720, Scale: 1},
		Frames: []snapshot.Frame{{Parent: -1, Owner: -1, Readable: true}},
	}
	add := func(parent, ref int, tag, role, name, class string, y float64) int {
		n := snapshot.Node{
			I: len(c.Nodes), Parent: parent, Ref: ref, Tag: tag, Role: role, Name: name, Block: true,
			Box:        snapshot.Box{0, y, 100, 20},
			InViewport: y < 720, Verdict: snapshot.VerdictRef, Attrs: map[string]string{"class": class},
		}
		switch {
		case ref == 0:
			n.Verdict = snapshot.VerdictWrapper
		case role == "button":
			n.Interactive = []string{"native"}
		case tag == "p":
			n.Verdict, n.Text, n.Name = snapshot.VerdictContent, name, ""
		}
		c.Nodes = append(c.Nodes, n)
		return n.I
	}
	body := add(-1, 0, "body", "", "", "", 0)
	main := add(body, 1, "section", "region", "Teas", "list", 0)
	add(main, 2, "button", "button", "Buy", "buy", 30)
	add(main, 7, "p", "", strings.Repeat("Fine tea. ", 20), "", 60)
	ad := add(body, 3, "aside", "complementary", "Advertisement", "ad banner", 90)
	add(ad, 4, "button", "button", "Click here", "", 100)
	add(ad, 8, "p", "", "Save now", "", 110)
	add(body, 5, "button", "button", "Imprint", "", 900)
	add(body, 6, "button", "button", "Half", "", 710)
	c.Verdicts = c.CountVerdicts()
	return c
}

func spell(x *Comparison) string {
	var b strings.Builder
	for _, l := range x.Lines {
		fmt.Fprintf(&b, "%s [%d]", l.Kind, l.Ref)
		for _, w := range l.Why {
			fmt.Fprintf(&b, " %s (%s)", w.Reason, w.Detail)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		name   string
		format dump.Format
		a, b   Setup
		want   string
	}{
		{"nothing", format.DDDK, Setup{}, Setup{}, ""},
		{"a filter", format.DDDK, Setup{}, Setup{Drop: []string{".ad"}},
			"went [3] filtered (.ad)\nwent [4] filtered (inside what .ad leaves out)\nwent [8] filtered (inside what .ad " +
				"leaves out)\n"},
		{"a filter less", format.DDDK, Setup{Drop: []string{".ad"}}, Setup{},
			"came [3] filtered (.ad)\ncame [4] filtered (inside what .ad leaves out)\ncame [8] filtered (inside what .ad " +
				"leaves out)\n"},
		{"viewport pruning", format.Semantic, Setup{},
			Setup{Options: format.Options{Semantic: semantic.Options{NoViewportPruning: true}}},
			"came [5] viewport (below the viewport)\ncame [6] ratio (0.50 of it is visible, 0.66 needed)\nchanged [0]\n"},
		{"a threshold", format.Semantic, Setup{}, Setup{Options: format.Options{Semantic: semantic.Options{MinVisible: 0.4}}},
			"came [6] ratio (0.50 of it is visible, 0.66 needed)\nchanged [0]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := page()
			before, err := json.Marshal(c)
			require.NoError(t, err)
			x, err := Compare(c, tt.format, tt.a, tt.b)
			require.NoError(t, err)
			require.Equal(t, tt.want, spell(x))
			accounts(t, x)
			after, err := json.Marshal(c)
			require.NoError(t, err)
			require.Equal(t, string(before), string(after), "the capture is not changed")
		})
	}
	cut, err := Compare(page(), format.DDDK, Setup{}, Setup{Options: format.Options{Common: dump.Common{MaxChars: 200}}})
	require.NoError(t, err)
	accounts(t, cut)
	for _, l := range cut.Lines {
		if l.Kind == Went && l.Node >= 0 {
			require.Equal(t, dump.ReasonCut, l.Why[len(l.Why)-1].Reason, "[%d]", l.Ref)
		}
	}
	require.Equal(t, Came, cut.Lines[len(cut.Lines)-1].Kind, "the note of what was cut")
}

// accounts holds for every comparison: each line of either document is unchanged or
// listed, and a line about an element that went or came has a reason.
func accounts(t testing.TB, x *Comparison) {
	t.Helper()
	a, b := 0, 0
	for _, l := range x.Lines {
		if l.Before >= 0 {
			a++
		}
		if l.After >= 0 {
			b++
		}
		if l.Kind == Went && l.Node >= 0 && x.After.LineOf(l.Node) < 0 || l.Kind == Came && l.Node >= 0 &&
			x.Before.LineOf(l.Node) < 0 {
			require.NotEmpty(t, l.Why, "%+v", l)
		}
	}
	require.Len(t, x.Before.Lines, a+x.Unchanged)
	require.Len(t, x.After.Lines, b+x.Unchanged)
}

func TestFilter(t *testing.T) {
	c := page()
	c.Page.Overlays = []snapshot.Overlay{{Node: 4, Kind: "popup"}, {Node: 1, Kind: "modal"}}
	c.Page.FormCount, c.Verdicts[snapshot.VerdictSkippedTag] = 7, 1 // an element that is not in it
	f, err := filterOut(c, []string{"aside", ".list > p"})
	require.NoError(t, err)
	require.Equal(t, []snapshot.Overlay{{Node: 1, Kind: "modal"}}, f.Page.Overlays)
	require.Equal(t, 7, f.Page.FormCount, "what is known of all elements stays, where they are not all in it")
	f.Verdicts[snapshot.VerdictSkippedTag]--
	require.Equal(t, f.CountVerdicts(), trim(f.Verdicts))
	require.Equal(t, 4, f.Verdicts[snapshot.VerdictFiltered])
	require.Equal(t, 2, f.Nodes[2].Ref, "numbers stay")
	require.Zero(t, f.Nodes[5].Ref)

	_, err = filterOut(c, []string{"p:hover"})
	require.EqualError(t, err, `filter: selector "p:hover" at byte 7: a capture cannot answer :hover`)
	same, err := filterOut(c, nil)
	require.NoError(t, err)
	require.Same(t, c, same)
}

func trim(m map[snapshot.Verdict]int) map[snapshot.Verdict]int {
	for k, v := range m {
		if v == 0 {
			delete(m, k)
		}
	}
	return m
}

func TestErrors(t *testing.T) {
	_, err := Compare(page(), "nope", Setup{}, Setup{})
	require.ErrorContains(t, err, `"nope"`)
	_, err = Compare(page(), format.DDDK, Setup{}, Setup{Drop: []string{"["}})
	require.ErrorContains(t, err, "filter: selector")
}

// TestRecordedPages accounts for every line of real pages, in every format.
func TestRecordedPages(t *testing.T) {
	testpages.EachCapture(t, func(t *testing.T, c *snapshot.Capture) {
		for _, f := range format.Names() {
			for _, b := range []Setup{
				{Options: format.Options{Common: dump.Common{MaxChars: 2_000}}},
				{Options: format.Options{Common: dump.Common{Compat: true}}},
				{Options: format.Options{Semantic: semantic.Options{NoViewportPruning: true, NoAtomic: true}}},
				{Drop: []string{"nav, footer", "li:nth-child(even)", "[class*=ad]"}},
			} {
				x, err := Compare(c, f, Setup{}, b)
				require.NoError(t, err)
				accounts(t, x)
			}
		}
	})
}
