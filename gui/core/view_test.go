package core

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

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
	tones := NewLineTones(c, doc)
	var got []Tone
	for i := range doc.Lines {
		got = append(got, tones.Of(i))
	}
	require.Equal(t, []Tone{ToneNormal, ToneBad, ToneWarn, ToneNormal, ToneNormal}, got)
	require.Equal(t, 2, tones.Len())
	var lines []int
	tones.Each(func(line int, _ Tone) { lines = append(lines, line) })
	require.Equal(t, []int{1, 2}, lines)
	require.Equal(t, []Cell{{dump.Span{Line: 3, Node: 4}, 4}}, tones.Cells(), "only what has a number")

	var none *LineTones
	require.Equal(t, ToneNormal, none.Of(3))
	require.Zero(t, none.Len())
	require.Empty(t, none.Cells())
	none.Each(func(int, Tone) { require.Fail(t, "there are none") })
	require.Zero(t, NewLineTones(nil, doc).Len())
}

func TestDetailsEqual(t *testing.T) {
	vm := func() DetailsVM {
		return DetailsVM{Ref: 1, Title: "a", Rows: []DetailRow{{Label: "l", Value: "v"}}, Copies: []DetailCopy{{"JSON", "{}"}}}
	}
	require.True(t, vm().Equal(vm()))
	for name, change := range map[string]func(*DetailsVM){
		"ref":   func(v *DetailsVM) { v.Ref++ },
		"title": func(v *DetailsVM) { v.Title = "b" },
		"row":   func(v *DetailsVM) { v.Rows[0].Tone = ToneBad },
		"copy":  func(v *DetailsVM) { v.Copies[0].Text = "" },
		"note":  func(v *DetailsVM) { v.Note.Text = "n" },
		"empty": func(v *DetailsVM) { v.Empty = "e" },
	} {
		other := vm()
		change(&other)
		require.False(t, vm().Equal(other), name)
	}
}

func FuzzCopyable(f *testing.F) {
	f.Add("a\x1b[31m\u202e\n\tb\xff\U000e0041")
	f.Add("👩\u200d💻")
	f.Fuzz(func(t *testing.T, s string) {
		got := Copyable(s)
		require.True(t, utf8.ValidString(got))
		require.False(t, strings.ContainsFunc(got, func(r rune) bool {
			return r != '\n' && r != '\t' && !joins(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		}), "%q", got)
		require.Equal(t, strings.Count(s, "\n"), strings.Count(got, "\n"))
		require.Equal(t, got, Copyable(got), "twice is once")
	})
}
