package engine

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"

	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
)

// lastSeen is the page as the last turn of it shows it.
type lastSeen struct {
	tab   string
	state session.State // not known where it was not asked
	print uint64
}

// grain is how far an element moves before that is a change, in CSS px.
const grain = 16

// fingerprint is the same for two captures in which a reader of the page finds the same:
// its address, the words, values and states of every element that is kept, whether it is
// covered, and roughly where those with a number are; and the words inside of them, as those of
// b in <p>Price: <b>100</b></p>, which formats print with the line around them. Numbers are not in it.
func fingerprint(c *snapshot.Capture) uint64 {
	h := fnv.New64a()
	write := func(args ...any) { fmt.Fprintln(h, args...) } // a hash never fails to take bytes
	write(c.URL, c.Title, c.Viewport.Width, c.Viewport.Height, math.Round(c.Scroll.X/grain),
		math.Round(c.Scroll.Y/grain))
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() {
			if n.Verdict.Rendered() && n.Text != "" {
				write(n.Text)
			}
			continue
		}
		write(n.Verdict, n.Tag, n.Role, n.Name, n.Value, n.Text, n.InViewport)
		for _, k := range slices.Sorted(maps.Keys(n.States)) {
			write(k, n.States[k])
		}
		// What turns beside an element lies over a corner of it again and again.
		write(n.Occlusion != nil && n.Occlusion.State == snapshot.Covered)
		if n.Verdict == snapshot.VerdictRef {
			for _, v := range n.Box {
				write(math.Round(v / grain))
			}
		}
	}
	return h.Sum64()
}
