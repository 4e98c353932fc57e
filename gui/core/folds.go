package core

import (
	"slices"

	"github.com/refscope/refscope/snapshot/dump"
)

// Folds are the sections of one text, and which of them are folded. A section is a line with
// the lines below it that are set in deeper. Folds are immutable.
type Folds struct {
	Doc    *dump.Document
	ends   []int        // for each line the end of its section, excluded; the next line where it has none
	folded map[int]bool // by the first line of the section
	lines  []int        // that are in view, ascending; nil where all are
}

// NewFolds finds the sections of a text, in time linear in its lines. None is folded.
func NewFolds(d *dump.Document) *Folds {
	f := &Folds{Doc: d, ends: make([]int, len(d.Lines))}
	type open struct{ line, depth int }
	var stack []open
	end := 0 // after the last line that is not blank
	closeTo := func(depth int) {
		for n := len(stack); n > 0 && stack[n-1].depth >= depth; n = len(stack) {
			f.ends[stack[n-1].line] = end
			stack = stack[:n-1]
		}
	}
	for i, l := range d.Lines {
		depth := 0
		text := d.Text[l.Start:l.End]
		for depth < len(text) && (text[depth] == '\t' || text[depth] == ' ') {
			depth++
		}
		if depth == len(text) {
			f.ends[i] = i + 1
			continue
		}
		closeTo(depth)
		stack, end = append(stack, open{i, depth}), i+1
	}
	closeTo(-1)
	return f
}

// Len is how many lines lie below a line in its section, 0 where it begins none.
func (f *Folds) Len(line int) int {
	if f == nil || line < 0 || line >= len(f.ends) {
		return 0
	}
	return max(0, f.ends[line]-line-1)
}

// Folded reports whether the section of a line is folded.
func (f *Folds) Folded(line int) bool { return f != nil && f.folded[line] }

// Head is the first line of the section that a line begins or else lies in, -1 for none.
func (f *Folds) Head(line int) int {
	for i := min(line, len(f.ends)-1); i >= 0; i-- {
		if f.Len(i) > 0 && f.ends[i] > line {
			return i
		}
	}
	return -1
}

// Toggle folds the section of a line, or unfolds it.
func (f *Folds) Toggle(line int) *Folds {
	if f.Len(line) == 0 {
		return f
	}
	return f.with(func(folded map[int]bool) {
		if folded[line] {
			delete(folded, line)
		} else {
			folded[line] = true
		}
	})
}

// All folds every section, or unfolds all.
func (f *Folds) All(fold bool) *Folds {
	return f.with(func(folded map[int]bool) {
		clear(folded)
		for i := range f.ends {
			if fold && f.Len(i) > 0 {
				folded[i] = true
			}
		}
	})
}

// Reveal unfolds the sections that hide a line.
func (f *Folds) Reveal(line int) *Folds {
	if line < 0 || f.Line(f.Row(line)) == line {
		return f
	}
	return f.with(func(folded map[int]bool) {
		for head := range f.folded {
			if head < line && line < f.ends[head] {
				delete(folded, head)
			}
		}
	})
}

// with is a copy with other sections folded.
func (f *Folds) with(change func(folded map[int]bool)) *Folds {
	out := &Folds{Doc: f.Doc, ends: f.ends, folded: map[int]bool{}}
	for line := range f.folded {
		out.folded[line] = true
	}
	change(out.folded)
	if len(out.folded) == 0 {
		return out
	}
	for i := 0; i < len(f.ends); {
		out.lines = append(out.lines, i)
		if out.folded[i] {
			i = f.ends[i]
		} else {
			i++
		}
	}
	return out
}

// Rows is how many lines are in view of a text with n lines.
func (f *Folds) Rows(n int) int {
	if f == nil || f.lines == nil {
		return n
	}
	return len(f.lines)
}

// Line is the line of a row.
func (f *Folds) Line(row int) int {
	if f == nil || f.lines == nil || row < 0 {
		return row
	}
	if row >= len(f.lines) {
		return len(f.ends)
	}
	return f.lines[row]
}

// Row is the row of a line, or, where it is hidden, of the line that it is folded into.
func (f *Folds) Row(line int) int {
	if f == nil || f.lines == nil || line < 0 {
		return line
	}
	row, there := slices.BinarySearch(f.lines, line)
	if !there && line < len(f.ends) {
		row--
	}
	return row
}
