package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
)

// foldable makes a document of a text.
func foldable(text string) *dump.Document {
	d := &dump.Document{Text: text}
	at := 0
	for _, l := range strings.Split(text, "\n") {
		d.Lines = append(d.Lines, dump.Line{Start: at, End: at + len(l), Node: -1})
		at += len(l) + 1
	}
	return d
}

// inView are the lines in view, trimmed and joined.
func inView(f *core.Folds) string {
	var out []string
	for row := range f.Rows(len(f.Doc.Lines)) {
		l := f.Doc.Lines[f.Line(row)]
		out = append(out, strings.TrimSpace(f.Doc.Text[l.Start:l.End]))
	}
	return strings.Join(out, " ")
}

// TestFolds folds sections of texts and reads what is left in view.
func TestFolds(t *testing.T) {
	const tree = "URL\n\na\n\tb\n\t\tc\n\n\td\n\ne\n\tf"
	cases := map[string]struct {
		text string
		do   func(*core.Folds) *core.Folds
		want string
	}{
		"nothing":   {tree, func(f *core.Folds) *core.Folds { return f }, "URL  a b c  d  e f"},
		"a section": {tree, func(f *core.Folds) *core.Folds { return f.Toggle(2) }, "URL  a  e f"},
		"and back": {tree, func(f *core.Folds) *core.Folds { return f.Toggle(2).Toggle(2) },
			"URL  a b c  d  e f"},
		"a section in another": {tree, func(f *core.Folds) *core.Folds { return f.Toggle(3) }, "URL  a b  d  e f"},
		"both, the outer open": {tree, func(f *core.Folds) *core.Folds { return f.Toggle(3).Toggle(2).Toggle(2) },
			"URL  a b  d  e f"},
		"no section": {tree, func(f *core.Folds) *core.Folds {
			return f.Toggle(0).Toggle(4).Toggle(-1).Toggle(99)
		}, "URL  a b c  d  e f"},
		"all": {tree, func(f *core.Folds) *core.Folds { return f.All(true) }, "URL  a  e"},
		"none": {tree, func(f *core.Folds) *core.Folds { return f.All(true).All(false) },
			"URL  a b c  d  e f"},
		"a line gone to": {tree, func(f *core.Folds) *core.Folds { return f.All(true).Reveal(4) },
			"URL  a b c  d  e"},
		"a head gone to": {tree, func(f *core.Folds) *core.Folds { return f.All(true).Reveal(2) }, "URL  a  e"},
		"blanks": {"- a:\n  - b\n- c", func(f *core.Folds) *core.Folds { return f.All(true) },
			"- a: - c"},
		"deeper first": {"\t\ta\n\tb\nc", func(f *core.Folds) *core.Folds { return f.All(true) }, "a b c"},
		"empty":        {"", func(f *core.Folds) *core.Folds { return f.All(true).Reveal(0) }, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := foldable(c.text)
			f := c.do(core.NewFolds(d))
			require.Equal(t, c.want, inView(f))
			for row := range f.Rows(len(d.Lines)) {
				require.Equal(t, row, f.Row(f.Line(row)), "row and line agree")
			}
			for line := range d.Lines {
				require.LessOrEqual(t, f.Line(f.Row(line)), line, "a hidden line is folded into one above it")
			}
			require.Equal(t, len(d.Lines), f.Line(f.Rows(len(d.Lines))), "the end is the end")
		})
	}
	f := core.NewFolds(foldable(tree))
	require.Equal(t, 4, f.Len(2), "b, c, the blank line and d")
	require.Equal(t, []int{-1, -1, 2, 3, 3, 2, 2, -1, 8, 8}, func() (heads []int) {
		for i := range f.Doc.Lines {
			heads = append(heads, f.Head(i))
		}
		return heads
	}())
}
