package text

import (
	"context"
	"fmt"
	"image"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/find"
	"github.com/refscope/refscope/snapshot/dump"
)

// searched looks for something in a document.
func searched(t testing.TB, d *dump.Document, text string) *core.Found {
	f, err := find.Search(context.Background(), find.Find{Doc: d, Query: find.Query{Text: text}})
	require.NoError(t, err)
	return f
}

// numbered is a text of n lines, every tenth of which says "needle", with the ref of its
// number on each.
func numbered(n int) *dump.Document {
	d := &dump.Document{Format: "dddk"}
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte('\n')
		}
		start := b.Len()
		fmt.Fprintf(&b, "[%d]<p>line %d", i+1, i)
		if i%10 == 0 {
			b.WriteString(" needle")
		}
		b.WriteString("</p>")
		d.Lines = append(d.Lines, dump.Line{Start: start, End: b.Len(), Node: i, Ref: i + 1})
	}
	d.Text = b.String()
	return d
}

// vms are the three view-models of one text: whole, lit, reduced.
func vms(d *dump.Document, f *core.Found, at int) (whole, lit, reduced core.DumpVM) {
	whole = core.DumpVM{Version: 1, Doc: d, FindAt: -1}
	lit = core.DumpVM{Version: 1, Doc: d, Find: f.Text, FindAt: at}
	reduced = core.DumpVM{Version: 1, Doc: f.Doc, Tones: f.Tones, Find: f.Filtered, FindAt: at}
	return
}

func TestClearingTheFilterKeepsThePlace(t *testing.T) {
	d := numbered(1000)
	f := searched(t, d, "needle")
	whole, lit, reduced := vms(d, f, -1)
	v, _, _ := listening(t, fyne.NewSize(500, 400), "")
	v.Set(whole)
	v.offX, v.offY = 0, v.top(503)+3
	place := v.offY
	v.Set(lit)
	require.Equal(t, place, v.offY, "light alone moves nothing")
	v.Set(reduced)
	require.Equal(t, 508, v.vm.Find.Number(v.lineAt(float32(v.rowHeight()))),
		"the next line that is left is where the eye is")
	v.Set(lit)
	require.Equal(t, place, v.offY, "and back")
	v.Set(reduced)
	v.Set(whole)
	require.Equal(t, place, v.offY, "also when the bar is closed at once")

	// Who moves in the reduced text means it.
	v.Set(lit)
	v.Set(reduced)
	v.scrollTo(0, v.offY+10*v.rowHeight())
	number := v.vm.Find.Number(v.lineAt(float32(v.rowHeight())))
	v.Set(whole)
	require.InDelta(t, number, v.lineAt(float32(v.rowHeight())), 1)
}

// A match far into a long line comes into view, and what is found next brings the text back.
func TestCurrentMatchComesIntoViewSideways(t *testing.T) {
	d := core.PlainDoc("dddk", "first\n<p>"+strings.Repeat("word ", 900)+"first</p>\nlast first")
	f := searched(t, d, "first")
	v, _, _ := listening(t, fyne.NewSize(300, 200), "")
	whole, _, _ := vms(d, f, -1)
	v.Set(whole)
	for _, at := range []int{1, 0, 1, 2} {
		_, lit, _ := vms(d, f, at)
		v.Set(lit)
		m := v.metrics()
		text := v.ix.text(v.currentLine(lit))
		x := float64(m.gutter+strings.Index(text, "first")*m.cell)/v.scale - v.offX
		require.GreaterOrEqual(t, x, float64(m.gutter)/v.scale, "match %d", at)
		require.Less(t, x+float64(5*m.cell)/v.scale, 300.0, "match %d", at)
	}
	require.Zero(t, v.offX)
}

func TestFilterKeepsTheChosenLine(t *testing.T) {
	d := numbered(1000)
	f := searched(t, d, "needle")
	whole, lit, reduced := vms(d, f, -1)
	whole.Selected, lit.Selected, reduced.Selected = 502, 502, 502
	v, _, _ := listening(t, fyne.NewSize(500, 400), "")
	v.Set(whole)
	require.Equal(t, 501, v.Line())
	y := v.top(v.Line()) - v.offY
	v.Set(reduced)
	require.Equal(t, 501, v.vm.Find.Number(v.Line()))
	require.InDelta(t, y, v.top(v.Line())-v.offY, 1, "at its height")
	v.Set(lit)
	require.Equal(t, 501, v.Line())

	lit.Selected, reduced.Selected = 506, 506 // a line that does not match
	v.Set(lit)
	require.Equal(t, 505, v.Line())
	v.Set(reduced)
	require.Equal(t, -1, v.Line(), "it is not there")
	v.Set(lit)
	require.Equal(t, 505, v.Line(), "the selection was not lost")
}

func TestCurrentMatchComesIntoView(t *testing.T) {
	d := numbered(1000)
	f := searched(t, d, "needle")
	_, lit, reduced := vms(d, f, 0)
	v, _, _ := listening(t, fyne.NewSize(500, 400), "")
	v.Set(lit)
	visible := func() bool {
		y := v.top(v.currentLine(v.vm)) - v.offY
		return y >= 0 && y+v.rowHeight() <= float64(v.Size().Height)
	}
	lit.FindAt = 77
	v.Set(lit)
	require.Equal(t, 770, v.currentLine(v.vm))
	require.True(t, visible())
	reduced.FindAt = 77
	v.Set(reduced)
	require.True(t, visible())
	reduced.FindAt = 78
	v.Set(reduced)
	lit.FindAt = 78
	v.Set(lit)
	require.True(t, visible(), "the match stepped to is where the text is made whole again")
}

// TestMatchesArePainted: on the letters that matched and nowhere else.
func TestMatchesArePainted(t *testing.T) {
	d := numbered(30)
	f := searched(t, d, "needle")
	whole, lit, _ := vms(d, f, 1)
	v, _, _ := listening(t, fyne.NewSize(500, 400), "")
	v.Set(whole)
	r := test.WidgetRenderer(v).(*renderer)
	shoot := func() *image.RGBA {
		r.Refresh()
		img := image.NewRGBA(image.Rect(0, 0, 500, 400))
		r.frame.body(img)
		return img
	}
	plain := shoot()
	v.Set(lit)
	now := shoot()
	m := v.metrics()
	for y := range 400 {
		for x := range 500 {
			line := int((float64(y) + v.offY - padTop*v.scale) / float64(m.row))
			col := (x - m.gutter) / m.cell
			on := line%10 == 0 || y%m.row <= 1 || (y+1)%m.row <= 1 // a frame may reach into its neighbours
			text := d.Text[d.Lines[min(line, 29)].Start:d.Lines[min(line, 29)].End]
			from := strings.Index(text, "needle")
			if from < 0 {
				from = 13
			}
			if plain.RGBAAt(x, y) != now.RGBAAt(x, y) {
				require.True(t, on && x < 490, "line %d, column %d", line, col)
				require.True(t, col >= from-2 && col <= from+9, "line %d, column %d", line, col)
			}
		}
	}
	require.NotEqual(t, plain.Pix, now.Pix)
}

func BenchmarkFound(b *testing.B) {
	d := numbered(5000)
	f := searched(b, d, "line") // every line
	_, lit, reduced := vms(d, f, 0)
	v, _, _ := listening(b, fyne.NewSize(900, 900), "")
	r := test.WidgetRenderer(v).(*renderer)
	paint := func() {
		r.prepare()
		r.placeTexts(v.Size())
		r.drawBody(900, 900)
		r.drawMargin(66, 900)
	}
	b.Run("next of 5,000 matches", func(b *testing.B) {
		v.Set(lit)
		for i := 0; b.Loop(); i++ {
			lit.FindAt = i * 37 % 5000
			v.Set(lit)
			paint()
		}
	})
	b.Run("reduce and back", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if i%2 == 0 {
				v.Set(reduced)
			} else {
				v.Set(lit)
			}
			paint()
		}
	})
}
