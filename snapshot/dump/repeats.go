package dump

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// Repeats: Common.SummariseRepeats keeps the first 20 of many siblings of a kind
// and puts one note in the place of the lines of the others (B-6):
//
//	[...30 more <li> like the 20 above, numbered 41-70, 95]
//
// Siblings are of a kind when tag and role are equal. They are summarised where more
// than 50 of them follow each other, or more than 20 whose lines have more than
// 1,500 characters together; elements without lines do not count and do not
// interrupt. The numbers in the note are those of the primary set; what lost its
// lines is in Omitted, element by element, so nothing has to be read out of the note.

// The limits of B-6.
const (
	repeatsMost  = 50    // siblings
	repeatsChars = 1_500 // characters of all their lines
	repeatsKept  = 20    // siblings that keep their lines
	maxRanges    = 8     // stretches of numbers in a note
)

// summarise replaces the lines of repeated siblings, in formats that have rules.
func (b *Builder) summarise(o Common) {
	if !o.SummariseRepeats || b.Rules == nil || b.Rules.Apart {
		return
	}
	x := &repeats{Builder: b, t: b.Page.Tree(), root: map[int]int{}, run: map[int]int{}}
	x.measure()
	if x.find() {
		x.rewrite()
	}
}

// repeats is one pass over a document.
type repeats struct {
	*Builder
	t     *snapshot.Tree
	chars map[int]int // node → characters of the lines in it; no entry without a line
	// root maps each node of a summarised sibling to that sibling, and run that one to
	// the first sibling of its kind.
	root, run map[int]int
}

// measure sums up the lines of each subtree. Children come after their parents.
func (x *repeats) measure() {
	x.chars = map[int]int{}
	for _, l := range x.Lines {
		if l.Node >= 0 {
			x.chars[l.Node] += utf8.RuneCount(x.Out[l.Start:l.End]) + 1
		}
	}
	nodes := x.Capture.Nodes
	for p := len(nodes) - 1; p >= 0; p-- {
		if n, ok := x.chars[nodes[p].I]; ok && nodes[p].Parent < nodes[p].I {
			x.chars[nodes[p].Parent] += n
		}
	}
}

// find marks the siblings to be summarised, outer ones before those inside them.
func (x *repeats) find() bool {
	for p := range x.Capture.Nodes {
		n := &x.Capture.Nodes[p]
		if r, ok := x.root[n.I]; ok {
			for c := range x.t.Children(n.I) {
				x.root[c.I] = r
			}
			continue
		}
		var run []*snapshot.Node
		for c := range x.t.Children(n.I) {
			if _, ok := x.chars[c.I]; !ok {
				continue
			}
			if len(run) > 0 && (run[0].Tag != c.Tag || run[0].Role != c.Role) {
				x.mark(run)
				run = run[:0]
			}
			run = append(run, c)
		}
		x.mark(run)
	}
	return len(x.root) > 0
}

func (x *repeats) mark(run []*snapshot.Node) {
	chars := 0
	for _, n := range run {
		chars += x.chars[n.I]
	}
	if len(run) > repeatsMost || len(run) > repeatsKept && chars > repeatsChars {
		for _, n := range run[repeatsKept:] {
			x.root[n.I] = n.I
			x.run[n.I] = run[0].I
		}
	}
}

// rewrite makes the document again without the marked lines, a note in the place of the
// first of each run.
func (x *repeats) rewrite() {
	b := x.Builder
	notes := x.remarks()
	old := *b
	b.Out, b.Lines, b.Kinds, b.Spans = nil, nil, nil, nil
	span := 0
	for i, l := range old.Lines {
		from := span
		for span < len(old.Spans) && old.Spans[span].Line == i {
			span++
		}
		if run, gone := x.gone(i, l); gone {
			if note, ok := notes[run]; ok {
				delete(notes, run)
				text := old.Out[l.Start+l.Indent : l.End]
				blanks := text[:len(text)-len(bytes.TrimLeft(text, " "))]
				b.Add(nil, l.Indent, string(blanks)+b.Rules.Note(note))
			}
			continue
		}
		b.take(&old, i, old.Spans[from:span])
	}
	x.account(&old)
}

// take appends line i of another builder, with its spans.
func (b *Builder) take(old *Builder, i int, spans []Span) {
	b.newline()
	l := old.Lines[i]
	shift := len(b.Out) - l.Start
	b.Out = append(b.Out, old.Out[l.Start:l.End]...)
	for _, s := range spans {
		b.Spans = append(b.Spans, Span{s.Start + shift, s.End + shift, len(b.Lines), s.Node})
	}
	l.Start, l.End = l.Start+shift, l.End+shift
	b.Lines, b.Kinds = append(b.Lines, l), append(b.Kinds, old.Kinds[i])
}

// gone reports whether line i is of a summarised sibling, and of which run.
func (x *repeats) gone(i int, l Line) (run int, gone bool) {
	root, ok := x.root[l.Node]
	if !ok || i < x.Rules.Head {
		return 0, false
	}
	return x.run[root], true
}

// repeated is what the marked lines of one run are about.
type repeated struct {
	first *snapshot.Node
	roots map[int]bool
	named map[int]bool
	refs  []int
}

func (r *repeated) name(n *snapshot.Node) {
	if n != nil && !r.named[n.I] && n.Ref > 0 && n.Verdict == snapshot.VerdictRef {
		r.named[n.I] = true
		r.refs = append(r.refs, n.Ref)
	}
}

// remarks describe the marked lines of each run.
func (x *repeats) remarks() map[int]string {
	runs := map[int]*repeated{}
	span := 0
	for i, l := range x.Lines {
		from := span
		for span < len(x.Spans) && x.Spans[span].Line == i {
			span++
		}
		run, gone := x.gone(i, l)
		if !gone {
			continue
		}
		root := x.t.Node(x.root[l.Node])
		r := runs[run]
		if r == nil {
			r = &repeated{first: root, roots: map[int]bool{}, named: map[int]bool{}}
			runs[run] = r
		}
		r.roots[root.I] = true
		r.name(x.t.Node(l.Node))
		for _, s := range x.Spans[from:span] {
			r.name(x.t.Node(s.Node))
		}
	}
	notes := make(map[int]string, len(runs))
	for run, r := range runs {
		s := text.Thousands(len(r.roots)) + " more <" + TagName(r.first.Tag) + "> like the " +
			strconv.Itoa(repeatsKept) +
			" above"
		if len(r.refs) > 0 {
			s += ", numbered " + ranges(r.refs)
		}
		notes[run] = s
	}
	return notes
}

// ranges writes numbers in the order given, neighbours as one stretch: 41-70, 95.
func ranges(refs []int) string {
	var s []string
	for i := 0; i < len(refs); {
		j := i + 1
		for j < len(refs) && refs[j] == refs[j-1]+1 {
			j++
		}
		if len(s) == maxRanges {
			s = append(s, "…")
			break
		}
		one := strconv.Itoa(refs[i])
		if j > i+1 {
			one += "-" + strconv.Itoa(refs[j-1])
		}
		s = append(s, one)
		i = j
	}
	return strings.Join(s, ", ")
}

// account records what has no line any more.
func (x *repeats) account(old *Builder) {
	still := map[int]bool{-1: true}
	for _, l := range x.Lines {
		still[l.Node] = true
	}
	for _, s := range x.Spans {
		still[s.Node] = true
	}
	lost := func(node int) {
		if still[node] {
			return
		}
		still[node] = true
		kind := "elements"
		if root := x.t.Node(x.root[node]); root != nil {
			kind = "<" + TagName(root.Tag) + ">"
		}
		x.Omit(node, ReasonCut, "one of many "+kind+" in a row: the first "+strconv.Itoa(repeatsKept)+" stand for them")
	}
	for _, l := range old.Lines {
		lost(l.Node)
	}
	for _, s := range old.Spans {
		lost(s.Node)
	}
}
