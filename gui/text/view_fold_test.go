package text

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

// folding is a view of the shop whose sections fold as the room would fold them.
func folding(t *testing.T) (*View, fyne.Window, *heard) {
	v, w, h := listening(t, fyne.NewSize(560, 520), shop)
	fold := func(line int) {
		vm := v.vm
		vm.Folds = vm.Folds.Toggle(line)
		v.Set(vm)
	}
	v.on.Fold = fold
	vm := v.vm
	vm.Folds = core.NewFolds(vm.Doc)
	v.Set(vm)
	w.Canvas().Capture()
	return v, w, h
}

// TestTriangleFolds clicks the triangle of main, then what stands for its lines.
func TestTriangleFolds(t *testing.T) {
	v, w, h := folding(t)
	const header, main, dialog = 4, 8, 17
	gutter := float32(float64(v.metrics().gutter) / v.scale)
	triangle := func(line int) fyne.Position { return fyne.NewPos(gutter-8, at(v, line).Y) }
	before := w.Canvas().Capture()
	below := v.top(dialog)
	test.TapCanvas(w.Canvas(), triangle(main))
	require.Equal(t, 8, v.ix.folds.Len(main))
	require.InDelta(t, below-8*v.rowHeight(), v.top(dialog), 0.01)
	require.Equal(t, v.top(main), v.top(main+3), "a folded line is where its section is")
	require.Empty(t, h.lines, "the triangle chooses no line")
	require.NotEqual(t, before, w.Canvas().Capture())

	test.TapCanvas(w.Canvas(), at(v, dialog))
	require.Equal(t, []int{dialog}, h.lines, "clicks find the lines below")
	key(v, fyne.KeyUp)
	require.Equal(t, []int{dialog, main}, h.lines, "keys pass over what is folded")

	row := v.ix.text(main)
	runs, _ := layoutLine(row, tokenize("dddk", row, nil), v.face.Has, v.measure, nil)
	x := gutter + float32(float64((widthOf(runs)+3)*v.metrics().cell)/v.scale)
	test.TapCanvas(w.Canvas(), fyne.NewPos(x, at(v, main).Y))
	require.False(t, v.ix.folds.Folded(main))
	require.InDelta(t, below, v.top(dialog), 0.01)

	test.TapCanvas(w.Canvas(), triangle(header+1))
	require.Equal(t, header+1, h.lines[len(h.lines)-1], "a line without a section is chosen")
}

// TestFoldingKeepsThePlace folds all of a long text: the line in view stays where it is.
func TestFoldingKeepsThePlace(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(400, 300), long(2_000))
	vm := v.vm
	vm.Folds = core.NewFolds(vm.Doc)
	v.Set(vm)
	v.ShowLine(1_000)
	y := v.top(1_000) - v.offY
	vm.Folds = vm.Folds.All(true)
	v.Set(vm)
	require.InDelta(t, y, v.top(1_000)-v.offY, 0.01)
	require.Equal(t, 1_000, v.lineAt(float32(y+2)))
	key(v, fyne.KeyEnd)
	require.Equal(t, 1_996, v.Line())
	vm = v.vm
	vm.Folds = vm.Folds.All(false)
	v.Set(vm)
	key(v, fyne.KeyEnd)
	require.Equal(t, 1_999, v.Line())
}

// TestTriangleIsDrawn: the sign of a section is a triangle of one colour beside its line, symmetrical, with its long side at
// the left where it is folded, and at the top where it is not.
func TestTriangleIsDrawn(t *testing.T) {
	v, _, _ := folding(t)
	const main = 8
	f := &frame{ix: v.ix, m: v.metrics(), c: colours{gutter: color.RGBA{R: 255, A: 255}, accent: color.RGBA{G: 255, A: 255}}}
	painted := func() (rows, columns []int) {
		dst := image.NewRGBA(image.Rect(0, 0, 6*f.m.cell, f.m.row))
		f.triangle(dst, main, 2*f.m.cell, 0)
		rows, columns = make([]int, dst.Rect.Dy()), make([]int, dst.Rect.Dx())
		for y := range dst.Rect.Dy() {
			for x := range dst.Rect.Dx() {
				if dst.RGBAAt(x, y).A > 0 {
					rows[y]++
					columns[x]++
				}
			}
		}
		filled := func(n int) bool { return n > 0 }
		rows = rows[slices.IndexFunc(rows, filled):]
		columns = columns[slices.IndexFunc(columns, filled):]
		cut := func(counts []int) []int {
			end := len(counts)
			for counts[end-1] == 0 {
				end--
			}
			return counts[:end]
		}
		return cut(rows), cut(columns)
	}
	mirrored := func(counts []int) []int {
		out := slices.Clone(counts)
		slices.Reverse(out)
		return out
	}
	falling := func(counts []int) bool {
		return counts[len(counts)-1] <= 2 && slices.IsSortedFunc(counts, func(a, b int) int { return b - a })
	}
	rows, columns := painted()
	require.True(t, falling(rows), "down: %v", rows)
	require.Equal(t, mirrored(columns), columns)
	vm := v.vm
	vm.Folds = vm.Folds.Toggle(main)
	v.Set(vm)
	f.ix = v.ix
	rows, columns = painted()
	require.True(t, falling(columns), "to the right: %v", columns)
	require.Equal(t, mirrored(rows), rows)
	require.Len(t, rows, 2*len(columns)-1, "its sides are as steep as wide")
}

// TestTheChosenLineStaysInView where the view gets smaller; one that was scrolled out of view is not brought back.
func TestTheChosenLineStaysInView(t *testing.T) {
	v, _, _ := listening(t, fyne.NewSize(400, 300), long(2_000))
	v.ShowLine(1_000)
	for v.sees(1_001) { // to the foot of the view
		v.offY -= 2
	}
	require.True(t, v.sees(1_000))
	v.Resize(fyne.NewSize(400, 160))
	require.True(t, v.sees(1_000))
	y := v.offY
	v.Resize(fyne.NewSize(400, 300))
	require.Equal(t, y, v.offY, "in view still")

	v.scrollTo(0, 0)
	v.Resize(fyne.NewSize(400, 120))
	require.Zero(t, v.offY)
}
