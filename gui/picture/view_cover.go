package picture

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/parts"
	look "github.com/refscope/refscope/gui/theme"
)

// coverHigh is the height of the strip, in Fyne units.
const coverHigh = 28

// CoverStrip is the notice about what covers the page. It lies over the top of the picture
// and moves nothing.
type CoverStrip struct {
	// Box is to be stacked over the picture.
	Box    *fyne.Container
	vm     CoverVM
	ground *canvas.Rectangle
	guard  *guard
	words  *widget.RichText
	wide   float32 // of the words
	show   *parts.Chip
	close  *parts.IconButton
}

// newCoverStrip makes one that shows nothing.
func newCoverStrip(show, leave func()) *CoverStrip {
	c := &CoverStrip{ground: canvas.NewRectangle(nil), words: widget.NewRichText(), show: parts.NewChip(parts.Tab, "",
		show)}
	c.words.Truncation = fyne.TextTruncateEllipsis
	c.close = parts.NewIconButton(fynetheme.CancelIcon(), "Close", leave)
	c.guard = newGuard()
	c.Box = container.New(coverLayout{c}, c.ground, c.guard, c.words, c.show, c.close)
	c.Box.Hide()
	return c
}

// Set shows a notice; one without a text shows nothing.
func (c *CoverStrip) Set(vm CoverVM) {
	if vm == c.vm {
		return
	}
	c.vm = vm
	title := "Show what it covers"
	if vm.Lit {
		title = "Hide what it covers"
	}
	c.show.Set(title, false, true)
	c.Recolour(fyne.CurrentApp().Settings().Theme())
	parts.Show(c.Box, vm.Text != "")
	c.Box.Refresh()
}

// Recolour gives it the theme's colours.
func (c *CoverStrip) Recolour(th fyne.Theme) {
	c.ground.FillColor, c.ground.StrokeWidth = look.RGBA(th, look.ColorNoteWarnGround), 1
	c.ground.StrokeColor = look.RGBA(th, look.ColorNoteWarnEdge)
	c.ground.Refresh()
	style := widget.RichTextStyle{ColorName: look.ColorNoteWarnText, Inline: true, SizeName: fynetheme.SizeNameText}
	strong := style
	strong.TextStyle.Bold = true
	size := th.Size(fynetheme.SizeNameText)
	room := c.wide - 2*th.Size(fynetheme.SizeNameInnerPadding)
	say := func(words string, style widget.RichTextStyle) (whole bool) {
		measure := func(s string) float32 { return fyne.MeasureText(s, size, style.TextStyle).Width }
		some := parts.Cut(words, room, measure)
		room -= measure(some)
		c.words.Segments = append(c.words.Segments, &widget.TextSegment{Style: style, Text: some})
		return some == words
	}
	c.words.Segments = nil
	if whole := say(c.vm.Text, strong); whole && c.vm.Advice != "" {
		say("  "+c.vm.Advice, style)
	}
	c.words.Refresh()
}

// coverLayout puts the strip along the top.
type coverLayout struct{ c *CoverStrip }

// MinSize implements fyne.Layout: the strip claims no room.
func (coverLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout implements fyne.Layout.
func (l coverLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	c := l.c
	c.ground.Resize(fyne.NewSize(size.Width, coverHigh))
	c.guard.Resize(c.ground.Size())
	show := c.show.MinSize().Width
	right := size.Width - coverHigh
	c.close.Move(fyne.NewPos(right, 0))
	c.close.Resize(fyne.NewSquareSize(coverHigh))
	c.show.Move(fyne.NewPos(right-show, 0))
	c.show.Resize(fyne.NewSize(show, coverHigh))
	h := c.words.MinSize().Height
	c.words.Move(fyne.NewPos(4, (coverHigh-h)/2))
	if wide := max(0, right-show-8); wide != c.wide {
		c.wide = wide
		c.Recolour(fyne.CurrentApp().Settings().Theme()) // it is cut where it does not fit
	}
	c.words.Resize(fyne.NewSize(c.wide, h))
}

// guard keeps clicks and the pointer on the strip from the picture below it.
type guard struct{ widget.BaseWidget }

var (
	_ fyne.Tappable          = (*guard)(nil)
	_ fyne.SecondaryTappable = (*guard)(nil)
	_ desktop.Hoverable      = (*guard)(nil)
)

func newGuard() *guard {
	g := &guard{}
	g.ExtendBaseWidget(g)
	return g
}

// AccessibilityLabel implements fyne.Accessible.
func (g *guard) AccessibilityLabel() string { return "Notice about what covers the page" }

// AccessibilityRole implements fyne.Accessible.
func (g *guard) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleText }

// CreateRenderer is Fyne's.
func (g *guard) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (g *guard) Tapped(*fyne.PointEvent)          {}
func (g *guard) TappedSecondary(*fyne.PointEvent) {}
func (g *guard) MouseIn(*desktop.MouseEvent)      {}
func (g *guard) MouseMoved(*desktop.MouseEvent)   {}
func (g *guard) MouseOut()                        {}
