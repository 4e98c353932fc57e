package format_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/testpages"
	"github.com/refscope/refscope/snapshot/turn"
)

// number is that of a ref: 12 of e12 and f2_12.
var number = regexp.MustCompile(`^(?:e|f\d+_)?(\d+)$`)

// printed is how the formats print a number.
var printed = regexp.MustCompile(`(?:^\s*[↑↓←→]?\[|\[ref=e?|^\s*@e|"i":"?|"ref_id":|"ref":|^\s*<[^<>]* (?:data-llm-|data-)?id=")` +
	`(?:f\d+_)?(\d+)\b`)

// prints reports whether a line has the number of its element; those of containers and end tags have none.
func prints(line string, ref int) bool {
	m := printed.FindStringSubmatch(line)
	return m != nil && m[1] == strconv.Itoa(ref)
}

// observed renders a capture in a format, reads the text back as one that an agent was sent, and requires that each line
// with a number is tied to the element that wrote it, and that no line of the document is missed.
func observed(t *testing.T, c *snapshot.Capture, p *tie.Page, f dump.Format) {
	t.Helper()
	d, err := format.Render(c, f, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1},
		Markup: markup.Options{NoTemplates: true}})
	require.NoError(t, err)
	want := map[int]int{} // elements of the document, by their numbers
	for _, l := range d.Lines {
		if prints(d.Text[l.Start:l.End], l.Ref) {
			want[l.Ref] = l.Node
		}
	}
	if len(want) < 2 {
		return
	}
	text := observation.Read(d.Text)
	require.NotNil(t, text)
	p.Tie(text)
	read := map[int]bool{}
	for _, l := range text.Lines {
		m := number.FindStringSubmatch(l.Ref)
		if m == nil {
			continue
		}
		ref, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		node, ok := want[ref]
		if !ok {
			continue
		}
		read[ref] = true
		require.Equal(t, node, l.Node, "%s: %s", l.Why, d.Text[l.Bytes[0]:l.Bytes[1]])
	}
	for i, l := range d.Lines {
		if prints(d.Text[l.Start:l.End], l.Ref) {
			require.True(t, read[l.Ref], "line %d of [%d] is not read: %s", i+1, l.Ref, d.Text[l.Start:l.End])
		}
	}
}

// Our own texts are read back as those of any agent are: every line is tied to the element that wrote it.
func TestOwnTextsAreTied(t *testing.T) {
	captures := testpages.Captures(t)
	for _, name := range slices.Sorted(maps.Keys(captures)) {
		c := *captures[name]
		c.Nodes = slices.Clone(c.Nodes)
		turn.NewLedger().Assign("t", 1, &c)
		p := tie.New(&c)
		for _, f := range format.Names() {
			t.Run(name+" "+string(f), func(t *testing.T) { observed(t, &c, p, f) })
		}
	}
}

// Without the numbers nothing but words, kind, attributes and order is left: then a line has its own element or none.
func TestWordsNeverMislead(t *testing.T) {
	told, all := 0, 0
	captures := testpages.Captures(t)
	for _, name := range slices.Sorted(maps.Keys(captures)) {
		c := *captures[name]
		c.Nodes = slices.Clone(c.Nodes)
		turn.NewLedger().Assign("t", 1, &c)
		p := tie.New(&c)
		for _, f := range format.Names() {
			d, err := format.Render(&c, f, format.Options{Common: dump.Common{MaxChars: -1, MaxNodes: -1},
				Markup: markup.Options{NoTemplates: true}})
			require.NoError(t, err)
			text := observation.Read(d.Text)
			if text == nil {
				continue
			}
			want := make([]int, len(text.Lines))
			for i := range text.Lines {
				want[i] = -1
				if m := number.FindStringSubmatch(text.Lines[i].Ref); m != nil {
					ref, err := strconv.Atoi(m[1])
					require.NoError(t, err)
					if n := c.ByRef(ref); n != nil {
						want[i] = n.I
					}
				}
				text.Lines[i].Ref = "a"
			}
			p.Tie(text)
			for i := range text.Lines {
				l := &text.Lines[i]
				if all++; l.Node >= 0 && want[i] >= 0 {
					if told++; l.Role == "text" && p.Tree().Contains(want[i], l.Node) {
						continue // a text of a numbered element, by the element in it that has the text
					}
					assert.Equal(t, want[i], l.Node, "%s %s, %s: %s", name, f, l.Why, d.Text[l.Bytes[0]:l.Bytes[1]])
				}
			}
		}
	}
	t.Logf("%d of %d lines are told by words", told, all)
	require.Greater(t, told, all/2)
}
