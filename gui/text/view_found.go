package text

import (
	"image"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
)

// How the view shows what was found, and how it keeps its place when a text is reduced to
// the lines of matches and made whole again.

// kept is where the view was when its text was reduced.
type kept struct {
	offX, offY float64 // before
	then       float64 // offY since, as long as nobody has moved
	moved      bool    // somebody has: scrolled, or stepped through the matches
}

// source is the whole text of a view-model, also where it shows a part.
func source(vm core.DumpVM) *dump.Document {
	if vm.Find != nil && vm.Find.Source != nil {
		return vm.Find.Source
	}
	return vm.Doc
}

// of is the search whose matches a view-model shows, nil for none.
func of(vm core.DumpVM) *core.Found {
	if vm.Find == nil {
		return nil
	}
	return vm.Find.Of
}

// reduced reports whether a view-model shows a part of its text.
func reduced(vm core.DumpVM) bool { return vm.Find != nil && vm.Find.Numbers != nil }

// swap takes over a document that is the same text with other lines left out. The line
// that the eye is on stays at its height; and a text that is made whole again without
// anybody having moved is where it was before it was reduced.
func (v *View) swap(old core.DumpVM) {
	number, y := v.eye(old)
	cursor := old.Find.Number(v.cursor)
	x, before := v.offX, v.offY

	v.ix = newIndex(v.vm)
	v.ix.folds = v.vm.Folds
	v.anchor, v.from, v.to = -1, 0, 0
	v.cursor = -1
	if at := v.vm.Find.Place(cursor); cursor >= 0 && at >= 0 && v.vm.Find.Number(at) == cursor {
		v.cursor = at
	} else {
		v.cursor = v.ix.first(v.vm.Selected) // a selection outlives a text without its line
	}
	switch {
	case !reduced(v.vm) && v.kept != nil && !v.kept.moved:
		v.offX, v.offY, v.kept = v.kept.offX, v.kept.offY, nil
		v.clamp()
		return
	case !reduced(v.vm):
		v.kept = nil
	case !reduced(old):
		v.kept = &kept{offX: x, offY: before}
	}
	v.offY = v.top(max(0, v.vm.Find.Place(number))) - y
	v.clamp()
}

// eye is the line that a person looks at, as its number in the whole text, and its height
// in the view: the current match, else the chosen line, else the first line in view.
func (v *View) eye(old core.DumpVM) (number int, y float64) {
	row, h := v.rowHeight(), float64(v.Size().Height)
	for _, line := range []int{v.currentLine(old), v.cursor} {
		if line < 0 {
			continue
		}
		if y := v.top(line) - v.offY; y >= 0 && y+row <= h {
			return old.Find.Number(line), y
		}
	}
	first := min(max(0, int((v.offY-padTop+row-1)/row)), max(0, v.ix.rows()-1))
	if v.offY <= 0 {
		first = 0
	}
	first = v.ix.folds.Line(first)
	return old.Find.Number(first), v.top(first) - v.offY
}

// currentLine is the line of the current match, -1 for none.
func (v *View) currentLine(vm core.DumpVM) int {
	if vm.Find == nil || vm.FindAt < 0 || vm.FindAt >= len(vm.Find.Line) {
		return -1
	}
	return vm.Find.Line[vm.FindAt]
}

// revealMatch scrolls sideways where the current match is out of view, and back to where lines begin where it is in
// view there.
func (v *View) revealMatch() {
	line, at := (&frame{find: v.vm.Find, findAt: v.vm.FindAt}).current()
	m := v.metrics()
	if line < 0 || at >= len(v.vm.Find.Spans[line]) || v.face == nil {
		return
	}
	span, runs := v.vm.Find.Spans[line][at], v.runs(line)
	x := func(at int) float64 { return float64(columnOf(runs, at)*m.cell) / v.scale }
	from, to := x(span[0]), x(span[1])
	room := float64(v.Size().Width) - float64(m.gutter)/v.scale - 2*barInset - barThick
	switch {
	case from >= v.offX && to <= v.offX+room:
		return
	case to <= room:
		v.offX = 0
	default:
		v.offX = from - room/3
	}
	v.clamp()
}

// current is the current match as its line and its place among the matches of that.
func (f *frame) current() (line, span int) {
	if f.find == nil || f.findAt < 0 || f.findAt >= len(f.find.Line) {
		return -1, -1
	}
	line = f.find.Line[f.findAt]
	for j := f.findAt - 1; j >= 0 && f.find.Line[j] == line; j-- {
		span++
	}
	return line, span
}

// matches paints the grounds of what was found in a line whose runs begin at x0: each on
// a tint over a line, the current one in a frame.
func (f *frame) matches(dst *image.RGBA, line, x0, y int, runs []run) {
	if f.find == nil {
		return
	}
	nowLine, nowSpan := f.nowLine, f.nowSpan
	for k, s := range f.find.Spans[line] {
		from, to := columnOf(runs, s[0]), columnOf(runs, s[1])
		if s[0] == s[1] { // the whole line
			from, to = 0, columnOf(runs, len(f.ix.text(line)))
		}
		r := image.Rect(x0+from*f.m.cell, y+1, x0+max(to, from+1)*f.m.cell, y+f.m.row-1)
		fill(dst, r, f.c.rng)
		if line == nowLine && k == nowSpan {
			for _, edge := range [4]image.Rectangle{
				image.Rect(r.Min.X-1, r.Min.Y-1, r.Max.X+1, r.Min.Y),
				image.Rect(r.Min.X-1, r.Max.Y-1, r.Max.X+1, r.Max.Y+1),
				image.Rect(r.Min.X-1, r.Min.Y-1, r.Min.X+1, r.Max.Y+1),
				image.Rect(r.Max.X-1, r.Min.Y-1, r.Max.X+1, r.Max.Y+1),
			} {
				fill(dst, edge, f.c.accent)
			}
			continue
		}
		fill(dst, image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y+1), f.c.warnMark)
	}
}

// gap reports whether lines of the whole text were left out before a line.
func (f *frame) gap(line int) bool {
	if f.find == nil || f.find.Numbers == nil {
		return false
	}
	return f.find.Number(line) != f.find.Number(line-1)+1 && (line > 0 || f.find.Number(0) > 0)
}
