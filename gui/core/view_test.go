package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

func TestLineTones(t *testing.T) {
	c := &snapshot.Capture{Nodes: []snapshot.Node{
		{I: 0, Parent: -1},
		{I: 1, Ref: 1, Occlusion: &snapshot.Occlusion{State: snapshot.Covered}},
		{I: 2, Ref: 2, Occlusion: &snapshot.Occlusion{State: snapshot.Partly}},
		{I: 3, Ref: 3, Occlusion: &snapshot.Occlusion{State: snapshot.Clear}},
		{I: 4, Ref: 4},
	}}
	doc := &dump.Document{
		Lines: []dump.Line{{Node: -1}, {Node: 1}, {Node: 2}, {Node: 3}, {Node: 99}},
		Spans: []dump.Span{{Line: 3, Node: 4}, {Line: 3, Node: 0}},
	}
	tones := core.NewLineTones(c, doc)
	var got []core.Tone
	for i := range doc.Lines {
		got = append(got, tones.Of(i))
	}
	require.Equal(t, []core.Tone{core.ToneNormal, core.ToneBad, core.ToneWarn, core.ToneNormal, core.ToneNormal}, got)
	require.Equal(t, 2, tones.Len())
	var lines []int
	tones.Each(func(line int, _ core.Tone) { lines = append(lines, line) })
	require.Equal(t, []int{1, 2}, lines)
	require.Equal(t, []core.Cell{{Span: dump.Span{Line: 3, Node: 4}, Ref: 4}}, tones.Cells(), "only what has a number")

	var none *core.LineTones
	require.Equal(t, core.ToneNormal, none.Of(3))
	require.Zero(t, none.Len())
	require.Empty(t, none.Cells())
	none.Each(func(int, core.Tone) { require.Fail(t, "there are none") })
	require.Zero(t, core.NewLineTones(nil, doc).Len())
}

func TestDetailsEqual(t *testing.T) {
	vm := func() details.VM {
		return details.VM{Ref: 1, Title: "a", Rows: []details.Row{{Label: "l", Value: "v"}},
			Copies: []details.CopyItem{{Label: "JSON", Text: "{}"}}}
	}
	require.True(t, vm().Equal(vm()))
	for name, change := range map[string]func(*details.VM){
		"ref":   func(v *details.VM) { v.Ref++ },
		"title": func(v *details.VM) { v.Title = "b" },
		"row":   func(v *details.VM) { v.Rows[0].Tone = core.ToneBad },
		"copy":  func(v *details.VM) { v.Copies[0].Text = "" },
		"note":  func(v *details.VM) { v.Note.Text = "n" },
		"empty": func(v *details.VM) { v.Empty = "e" },
	} {
		other := vm()
		change(&other)
		require.False(t, vm().Equal(other), name)
	}
}
