package diff

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testpages"
)

// TestRecordedPages: a page does not differ from itself, not even where it was
// loaded again and numbered anew; and a page with elements taken out differs by
// exactly these.
func TestRecordedPages(t *testing.T) {
	for name, c := range testpages.Captures(t) {
		t.Run(name, func(t *testing.T) {
			d := Captures(c, c, Options{})
			require.True(t, d.Empty(), "%s", d.Report())
			require.Equal(t, d.Before.Kept, d.Unchanged)

			again := reloaded(c)
			d = Captures(c, again, Options{})
			accounts(t, c, again, d)
			require.Zero(t, d.Counts[Added]+d.Counts[Removed]+d.Counts[Renamed], "%s", d.Report())

			// Every seventh kept element without element children goes.
			parents := map[int]bool{}
			for _, n := range c.Nodes {
				parents[n.Parent] = true
			}
			less := *c
			less.Nodes = nil
			gone := map[int]bool{}
			for _, n := range c.Nodes {
				if n.Verdict.Kept() && !parents[n.I] && n.I%7 == 0 {
					gone[n.I] = true
					continue
				}
				less.Nodes = append(less.Nodes, n)
			}
			d = Captures(c, &less, Options{})
			accounts(t, c, &less, d)
			removed := map[int]bool{}
			for _, x := range d.Changes {
				if x.Kind == Removed {
					removed[x.Before.Node] = true
				}
			}
			require.Equal(t, gone, removed)
			require.Zero(t, d.Counts[Added])
		})
	}
}

// reloaded is the capture with every identity and number changed, as a second load
// of an unchanged page gives it.
func reloaded(c *snapshot.Capture) *snapshot.Capture {
	out := *c
	out.Frames = append([]snapshot.Frame{}, c.Frames...)
	for i := range out.Frames {
		out.Frames[i].Loader += "again"
	}
	out.Nodes = append([]snapshot.Node{}, c.Nodes...)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		if n.Ref > 0 {
			n.Ref += 10_000
		}
		n.UID, n.BackendNodeID = n.UID+10_000, n.BackendNodeID+10_000
	}
	return &out
}

// shop is a page of n elements: rows of a heading, a text, a link and a button.
func shop(n int) *snapshot.Capture {
	var nodes []snapshot.Node
	for i := range n / 4 {
		nodes = append(nodes, el(4*i+1, "h2", "heading", fmt.Sprint("Tea ", i)),
			with(el(4*i+2, "p", "paragraph", ""), func(n *snapshot.Node) {
				n.Text, n.Verdict = fmt.Sprint("costs ", i%20),
					snapshot.VerdictContent
			}),
			el(4*i+3, "a", "link", "More"), button(4*i+4, "Add to cart"))
	}
	return page(nodes...)
}

func BenchmarkCaptures(b *testing.B) {
	for _, n := range []int{5_000, 50_000} {
		a := shop(n)
		same := shop(n)
		for i := 0; i < len(same.Nodes); i += 50 {
			same.Nodes[i].Name += " (sold)"
		}
		again := reloaded(same)
		other := reloaded(shop(n))
		for i := range other.Nodes {
			other.Nodes[i].Name, other.Nodes[i].Path = fmt.Sprint("other ", i), ""
		}
		for _, tt := range []struct {
			name string
			b    *snapshot.Capture
		}{{"same-document", same}, {"reloaded", again}, {"another-page", other}} {
			b.Run(fmt.Sprintf("%s/%d", tt.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if d := Captures(a, tt.b, Options{}); d.Empty() {
						b.Fatal("nothing differs")
					}
				}
			})
		}
	}
}
