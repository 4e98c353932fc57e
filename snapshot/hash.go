package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// StateHash reports whether two captures show the same page in the same state: 32
// hexadecimal digits that are equal where an agent would read the same (S-10).
//
// It is made of the address (with its fragment) and title, the scroll position in
// whole CSS px, what could not be read, the overlays' kinds, and of every kept
// element in document order: depth, frame, tag, role, name, description, value,
// text, every state (checked, selected, expanded, pressed, disabled, focused …), the
// attributes href, type, placeholder, alt and src, whether it is covered, and for scroll
// containers how far they are scrolled, in hundredths.
//
// It leaves out what changes without a visible difference: boxes (a
// layout that moves by a pixel), indices, uids, backendNodeIds and refs (a framework
// that renders the same again), wrappers and other elements that no format shows,
// times, mutations, the console. So equal hashes mean the same state, not the same
// elements: a caller that skips sending an unchanged page also compares the refs.
//
// A withheld value counts as withheld: typing on in a password field that already
// holds something does not change the hash.
func StateHash(c *Capture) string {
	sum := sha256.New()
	out := bufio.NewWriterSize(sum, 1<<15)
	// Each entry has its length in front, so that no text can be taken for two.
	put := func(s string) {
		var n [20]byte
		_, _ = out.Write(append(strconv.AppendInt(n[:0], int64(len(s)), 10), ':'))
		_, _ = out.WriteString(s)
	}
	put("refscope.state/1")
	put(c.URL)
	put(strings.Join(strings.Fields(c.Title), " "))
	put(fmt.Sprint(math.Round(c.Scroll.X), math.Round(c.Scroll.Y)))
	for i := range c.Frames {
		if f := &c.Frames[i]; i > 0 {
			put(f.URL)
			put(strconv.FormatBool(f.Readable))
		}
	}
	for _, o := range c.Page.Overlays {
		put(o.Kind)
		put(o.Title)
	}
	depth := make(map[int]int)
	for p := range c.Nodes {
		n := &c.Nodes[p]
		d := depth[n.Parent] // of kept ancestors, the parent among them
		if n.Verdict.Kept() {
			d++
			put(strconv.Itoa(d) + " " + strconv.Itoa(n.Frame) + " " + n.Tag)
			hashNode(n, put)
		}
		depth[n.I] = d
	}
	_ = out.Flush()
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

func hashNode(n *Node, put func(string)) {
	for _, s := range [...]string{n.Role, n.Name, n.Description, n.Value, n.Text} {
		put(s)
	}
	for _, name := range slices.Sorted(maps.Keys(n.States)) {
		put(name)
		put(fmt.Sprint(n.States[name]))
	}
	for _, name := range [...]string{"href", "type", "placeholder", "alt", "src"} {
		if v, ok := n.Attrs[name]; ok {
			put(name)
			put(v)
		}
	}
	if n.Occlusion != nil && n.Occlusion.State == Covered {
		put("covered")
	}
	if s := n.Scroller; s != nil {
		put(fmt.Sprintf("%.2f %.2f", s.Depth, s.DepthX))
	}
}
