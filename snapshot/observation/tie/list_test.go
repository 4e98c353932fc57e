package tie_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
)

// numbered is a page of controls without ids, many of them alike, of which some are not in view, not drawn or covered,
// and the text in which browser-use's npm port lists those that it takes: it numbers them from 0.
func numbered(rng *rand.Rand, take func(n *snapshot.Node) bool) (c *snapshot.Capture, text string,
	truth map[string]int) {
	c = &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}},
		Nodes: []snapshot.Node{{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper}}}
	truth = map[string]int{}
	var b strings.Builder
	b.WriteString("<browser_state>\nCurrent url: http://a.test/\n")
	for i := range 10 + rng.IntN(50) {
		n := snapshot.Node{I: i + 1, Tag: []string{"a", "button", "input"}[rng.IntN(3)], Ref: i + 1,
			Verdict: snapshot.VerdictRef, InViewport: rng.IntN(4) > 0, Interactive: []string{"native"}, Attrs: map[string]string{"href": "/"}}
		name := []string{"Reply", "Share", "Like", "", fmt.Sprint("Post ", i)}[rng.IntN(5)]
		shown := ""
		if n.Tag == "input" {
			n.Attrs = map[string]string{"type": "text"}
			shown = " type=text"
			if name != "" {
				n.Attrs["placeholder"], n.Name = name, name
				shown += " placeholder=" + name
			}
		} else {
			n.Text, n.Name = name, name
			if name != "" {
				shown = " >" + name
			}
		}
		switch rng.IntN(12) {
		case 0:
			n.Verdict = snapshot.VerdictDisplayNone
		case 1:
			n.Occlusion = &snapshot.Occlusion{State: snapshot.Covered}
		}
		if n.Verdict.Rendered() && take(&n) {
			ref := fmt.Sprint(len(truth))
			truth[ref] = n.I
			fmt.Fprintf(&b, "[%s]<%s%s />\n", ref, n.Tag, shown)
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c, b.String() + "</browser_state>", truth
}

// Whatever an agent takes into its list, a line has its own element or none; where the list is what is in view, or the
// whole page, nearly every line has it.
func TestListsWithoutIdsAreNeverGuessed(t *testing.T) {
	type takes = func(n *snapshot.Node) bool
	covered := func(n *snapshot.Node) bool { return n.Occlusion != nil }
	for name, k := range map[string]struct {
		take     func(rng *rand.Rand) takes
		all      bool
		wordless bool
	}{
		"in view": {func(*rand.Rand) takes { return func(n *snapshot.Node) bool { return n.InViewport && !covered(n) } },
			true, false},
		"the whole page": {func(*rand.Rand) takes { return func(*snapshot.Node) bool { return true } }, true, false},
		"the whole page without words": {func(*rand.Rand) takes { return func(*snapshot.Node) bool { return true } },
			false, true},
		"below, too": {func(*rand.Rand) takes { return func(n *snapshot.Node) bool { return !covered(n) } }, false, false},
		"without words": {func(r *rand.Rand) takes { return func(*snapshot.Node) bool { return r.IntN(3) > 0 } },
			false, true},
		"some by its rule": {func(r *rand.Rand) takes { return func(*snapshot.Node) bool { return r.IntN(3) > 0 } },
			false, false},
		"hardly any": {func(r *rand.Rand) takes { return func(*snapshot.Node) bool { return r.IntN(5) == 0 } }, false,
			false},
	} {
		t.Run(name, func(t *testing.T) {
			right, lines := 0, 0
			for seed := range uint64(400) {
				rng := rand.New(rand.NewPCG(seed, 7))
				c, text, truth := numbered(rng, k.take(rng))
				if k.wordless { // as Openator prints it
					text = regexp.MustCompile(`\]<(\w+)([^>\n]*?)(?: >[^<\n]*)? />`).ReplaceAllString(text, "]__<$1$2></$1>")
				}
				read := observation.Read(text)
				if read == nil {
					continue
				}
				require.Equal(t, observation.BrowserUse, read.Format)
				tie.New(c).Tie(read)
				for _, l := range read.Lines {
					if lines++; l.Node >= 0 {
						require.Equal(t, truth[l.Ref], l.Node, "seed %d, line %d (%s):\n%s", seed, l.First, l.Why, text)
						right++
					}
				}
			}
			require.Positive(t, lines)
			t.Logf("%d of %d lines have their element", right, lines)
			if k.all { // a short list is like another by chance
				require.GreaterOrEqual(t, right, lines*99/100)
			}
		})
	}
}

// A text lists all controls of a page where each that is drawn has a line; behind a dialog is nothing of Chrome's tree.
func TestListsAllControls(t *testing.T) {
	c := buttons("Save", "Close")
	lists := func(text string) bool {
		p, read := tie.New(c), observation.Read("- heading \"Page\" [level=1, ref=e9]\n"+text)
		p.Tie(read)
		return p.ListsAllControls(read)
	}
	save, both := "- button \"Save\" [disabled, ref=e1]", "- button \"Save\" [disabled, ref=e1]\n- button \"Close\" [ref=e2]"
	require.False(t, lists(save))
	require.True(t, lists(both))
	c.Nodes[2].AX = nil
	require.True(t, lists(save))
	c.Nodes[1].AX, c.Nodes[2].Verdict = nil, snapshot.VerdictDisplayNone
	require.True(t, lists(save))
}

// HTML of the page, as agents send it cleaned and cut, has its own elements or none: by an id or by attributes that one
// element alone has, whether it is drawn or not.
func TestMarkupIsNeverGuessed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	right := 0
	for range 1000 {
		c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}},
			Nodes: []snapshot.Node{{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper}}}
		var b strings.Builder
		b.WriteString("<body>\n")
		var truth []int
		drawn, cut := rng.IntN(2) == 0, 5+rng.IntN(30)
		for i := range 10 + rng.IntN(25) {
			n := snapshot.Node{I: i + 1, Tag: []string{"a", "img", "input"}[rng.IntN(3)], Verdict: snapshot.VerdictRef, Attrs: map[string]string{}}
			if rng.IntN(4) == 0 {
				n.Verdict = snapshot.VerdictDisplayNone
			}
			name := map[string]string{"a": "href", "img": "src", "input": "name"}[n.Tag]
			n.Attrs[name] = fmt.Sprint("x/", rng.IntN(12))
			shown := fmt.Sprintf("<%s %s=%q", n.Tag, name, n.Attrs[name])
			if rng.IntN(2) == 0 {
				n.Attrs["id"] = fmt.Sprint("id-", rng.IntN(40))
				shown += fmt.Sprintf(" id=%q", n.Attrs["id"])
			}
			if c.Nodes = append(c.Nodes, n); i < cut && (n.Verdict.Rendered() || !drawn) {
				b.WriteString(shown + ">\n")
				truth = append(truth, n.I)
			}
		}
		read := observation.Read(b.String() + "</body>")
		if read == nil || len(read.Lines) != len(truth) {
			continue // too short for HTML
		}
		tie.New(c).Tie(read)
		for i, l := range read.Lines {
			if l.Node >= 0 {
				require.Equal(t, truth[i], l.Node, "%s\n%+v", b.String(), l)
				right++
			}
		}
	}
	require.Greater(t, right, 1000)
}

// TestMarkupWithIDsOfItsOwn: where HTML gives each element an id of the program's before the page's own, a line is of
// the element that has the latter; the program's alone is nothing that the page holds.
func TestMarkupWithIDsOfItsOwn(t *testing.T) {
	c := &snapshot.Capture{Schema: snapshot.Schema, Frames: []snapshot.Frame{{}},
		Nodes: []snapshot.Node{{I: 0, Parent: -1, Tag: "body", Verdict: snapshot.VerdictWrapper}}}
	for i, id := range []string{"e0", "x0", "e1", ""} {
		c.Nodes = append(c.Nodes, snapshot.Node{I: i + 1, Tag: "button", Ref: i + 1, Text: "Edit", Name: "Edit",
			Verdict: snapshot.VerdictRef, Interactive: []string{"native"}, Attrs: map[string]string{"id": id}})
	}
	text := observation.Read("<button id=\"meeip\" id=\"e0\" left=\"249\" top=\"178\">\n  Edit\n</button>\n" +
		"<button id=\"ekpjl\" id=\"x0\" left=\"293\" top=\"178\">\n  Edit\n</button>\n" +
		"<button id=\"lkhop\" id=\"e1\" left=\"249\" top=\"211\">\n  Edit\n</button>\n" +
		"<button id=\"pihmg\"  left=\"293\" top=\"211\">\n  Edit\n</button>\n")
	require.NotNil(t, text)
	tie.New(c).Tie(text)
	var refs []string
	var nodes []int
	for _, l := range text.Lines {
		refs, nodes = append(refs, l.Ref), append(nodes, l.Node)
	}
	require.Equal(t, []string{"meeip", "ekpjl", "lkhop", "pihmg"}, refs)
	require.Equal(t, []int{1, 2, 3, -1}, nodes)
}
