package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/snapshot"
)

func TestFingerprint(t *testing.T) {
	base := fingerprint(coretest.Checkout())
	for name, c := range map[string]struct {
		change func(*snapshot.Capture)
		same   bool
	}{
		"nothing":                   {func(*snapshot.Capture) {}, true},
		"the numbers":               {func(c *snapshot.Capture) { c.Nodes[8].Ref = 99 }, true},
		"when it was taken":         {func(c *snapshot.Capture) { c.TakenAt = time.Now(); c.Timings.Walk = 99 }, true},
		"a small move":              {func(c *snapshot.Capture) { c.Nodes[8].Box[0] += 2 }, true},
		"another corner is covered": {func(c *snapshot.Capture) { c.Nodes[8].Occlusion.State = snapshot.Clear }, true},
		"what is not kept moves":    {func(c *snapshot.Capture) { c.Nodes[0].Box[0] += 200 }, true},
		"it is covered": {func(c *snapshot.Capture) { c.Nodes[8].Occlusion.State = snapshot.Covered },
			false},
		"a large move": {func(c *snapshot.Capture) { c.Nodes[8].Box[0] += 40 }, false},
		"a word":       {func(c *snapshot.Capture) { c.Nodes[8].Name = "Pay" }, false},
		"a value":      {func(c *snapshot.Capture) { c.Nodes[6].Value = "" }, false},
		"a state": {
			func(c *snapshot.Capture) { c.Nodes[8].States = snapshot.States{"disabled": true} }, false},
		"it is gone": {func(c *snapshot.Capture) { c.Nodes[8].Verdict = snapshot.VerdictDisplayNone },
			false},
		"the address":    {func(c *snapshot.Capture) { c.URL += "#x" }, false},
		"it is scrolled": {func(c *snapshot.Capture) { c.Scroll.Y = 300 }, false},
	} {
		cap := coretest.Checkout()
		c.change(cap)
		require.Equal(t, c.same, fingerprint(cap) == base, name)
	}
}

// A line of several elements changes with the words of each of them, and with no others.
func TestFingerprintInside(t *testing.T) {
	page := func(verdict snapshot.Verdict, words string) uint64 {
		c := coretest.Checkout()
		c.Nodes = append(c.Nodes, snapshot.Node{I: len(c.Nodes), Parent: 8, Tag: "b", Text: words, Verdict: verdict})
		return fingerprint(c)
	}
	for _, v := range []snapshot.Verdict{snapshot.VerdictWrapper, snapshot.VerdictInsideAtomic, snapshot.VerdictSkippedTag,
		snapshot.VerdictFiltered, snapshot.VerdictDisplayNone, snapshot.VerdictTransparent, snapshot.VerdictClipped} {
		require.Equal(t, v.Rendered(), page(v, "100") != page(v, "200"), v)
	}
}
