package text

import (
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
