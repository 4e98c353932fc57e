package readback

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// CheckDocument holds for every document of every format.
func CheckDocument(t testing.TB, c *snapshot.Capture, d *dump.Document) {
	t.Helper()
	// The lines are the text.
	var ls []string
	for _, l := range d.Lines {
		ls = append(ls, d.Text[l.Start:l.End])
	}
	require.Equal(t, d.Text, strings.Join(ls, "\n"))
	for i, l := range d.Lines {
		require.NotContains(t, ls[i], "\n")
		if l.Node >= 0 {
			n := c.Node(l.Node)
			require.NotNil(t, n)
			require.Equal(t, n.Ref, l.Ref)
			require.Contains(t, d.LinesOf(l.Node), i)
		}
	}
	for _, s := range d.Spans {
		l := d.Lines[s.Line]
		require.True(t, l.Start <= s.Start && s.Start <= s.End && s.End <= l.End)
		require.Contains(t, d.LinesOf(s.Node), s.Line)
	}
	// Nothing vanishes: every kept node has a line or an omission.
	reasons := map[int]string{}
	for _, o := range d.Omitted {
		reasons[o.Node] = o.Reason
		switch o.Reason {
		case dump.ReasonViewport, dump.ReasonCovered, dump.ReasonDuplicate, dump.ReasonNoNumber, dump.ReasonRole,
			dump.ReasonContainer, dump.ReasonRatio, dump.ReasonQuery, dump.ReasonCut, dump.ReasonScope:
		default:
			t.Fatalf("unknown reason %q", o.Reason)
		}
	}
	for _, n := range c.Nodes {
		if n.Verdict.Kept() {
			require.True(t, d.LineOf(n.I) >= 0 || reasons[n.I] != "", "node %d (%s, ref %d) vanished",
				n.I, n.Tag, n.Ref)
		}
	}
}

// Render renders, checks what holds for every document and that it is the same
// twice.
func Render(t testing.TB, c *snapshot.Capture, f dump.Format, o format.Options) *dump.Document {
	t.Helper()
	d, err := format.Render(c, f, o)
	require.NoError(t, err)
	CheckDocument(t, c, d)
	if strings.HasPrefix(d.Text, "{") {
		require.True(t, json.Valid([]byte(d.Text)), "%s", d.Text)
	}
	again, err := format.Render(c, f, o)
	require.NoError(t, err)
	require.Equal(t, d.Text, again.Text)
	return d
}
