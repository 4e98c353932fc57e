package overlay

import (
	"image"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/testpages"
)

// marksAndLines holds one to one what the picture and the dump of a capture show:
// every mark in the picture has exactly one numbered line with its ref in the dddk
// dump, and every numbered line has a mark, in the picture or with the reason why
// not. An element without a line has an Omission with a reason.
func marksAndLines(t *testing.T, c *snapshot.Capture, o Options) {
	t.Helper()
	d, err := format.Render(c, format.DDDK, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1}})
	require.NoError(t, err)
	lines, omitted := map[int]int{}, map[int]bool{}
	for _, l := range numberedLine.FindAllStringSubmatch(d.Text, -1) {
		ref, err := strconv.Atoi(l[1])
		require.NoError(t, err)
		lines[ref]++
	}
	for _, om := range d.Omitted {
		if n := c.Node(om.Node); n != nil && om.Reason != "" {
			omitted[n.Ref] = true
		}
	}
	size := image.Pt(int(c.Viewport.Width), int(c.Viewport.Height))
	s := NewScene(c, size, o)
	status := map[int]Status{}
	for _, m := range s.Manifest("x.png").Marks {
		status[m.Ref] = m.Status
		n := c.ByRef(m.Ref)
		if m.Number == 0 || n.Verdict != snapshot.VerdictRef {
			continue
		}
		if lines[m.Ref] != 1 && !(lines[m.Ref] == 0 && omitted[m.Ref]) {
			t.Errorf("mark %d (%s) has %d lines", m.Ref, n.Path, lines[m.Ref])
		}
	}
	known := []Status{Drawn, Container, Covered, Offscreen, TooSmall, NoRoom, Still, SameThing, OutOfScope}
	for ref, n := range lines {
		if !slices.Contains(known, status[ref]) {
			t.Errorf("%d lines of ref %d, of which the manifest says %q", n, ref, status[ref])
		}
	}
}

// numberedLine is a line of the dump that an agent can act on.
var numberedLine = regexp.MustCompile(`(?m)^\t*[↑↓]?\[(\d+)\]`)

// TestMarksAndLines holds it on the layouts and on captures of whole pages.
func TestMarksAndLines(t *testing.T) {
	options := map[string]Options{"qa": {}, "model": {View: ViewModel}, "containers": {Containers: true}}
	for name, p := range crowds() {
		for kind, o := range options {
			t.Run(name+"/"+kind, func(t *testing.T) { marksAndLines(t, p.c, o) })
		}
	}
	t.Run("captures", func(t *testing.T) {
		for name, c := range testpages.Captures(t) {
			for kind, o := range options {
				t.Run(name+"/"+kind, func(t *testing.T) { marksAndLines(t, c, o) })
			}
		}
	})
}
