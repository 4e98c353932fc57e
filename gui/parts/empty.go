package parts

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// maxSentence is how many characters the sentence of an empty view shows.
const maxSentence = 600

// NewEmpty is the calm line in the middle of an empty view, without a text yet.
func NewEmpty() *widget.RichText {
	t := widget.NewRichText(emptySegment("", theme.ColorNamePlaceHolder))
	t.Wrapping = fyne.TextWrapWord
	return t
}

// calmly lays out the sentence of an empty list: a little below its top, and in its middle where there is less room.
type calmly struct{}

const (
	calmTop   = 40 // Fyne units
	calmSides = 24
)

// MinSize implements fyne.Layout.
func (calmly) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(2*calmSides, objects[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (calmly) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	say, wide := objects[0], max(1, size.Width-2*calmSides)
	say.Resize(fyne.NewSize(wide, say.Size().Height)) // it is wrapped before its height counts
	h := say.MinSize().Height
	say.Resize(fyne.NewSize(wide, h))
	say.Move(fyne.NewPos(calmSides, min(calmTop, max(0, (size.Height-h)/2))))
}

func emptySegment(sentence string, colour fyne.ThemeColorName) *widget.TextSegment {
	return &widget.TextSegment{Text: text.Line(sentence), Style: widget.RichTextStyle{
		Alignment: fyne.TextAlignCenter, ColorName: colour, SizeName: theme.SizeNameText}}
}

// SayStart shows the steps to the first picture in the place of a sentence.
func SayStart(t *widget.RichText, steps core.StartSteps) {
	t.Segments = nil
	for _, step := range steps {
		t.Segments = append(t.Segments, emptySegment(text.Cut(step.Text, maxSentence), ToneColor(step.Tone)))
	}
	t.Refresh()
}

// SayEmpty changes the sentences of a view made with [NewEmpty], where they are others. Each line is a paragraph.
func SayEmpty(t *widget.RichText, sentences string) {
	var next []widget.RichTextSegment
	for line := range strings.SplitSeq(text.Cut(sentences, maxSentence), "\n") {
		next = append(next, emptySegment(line, theme.ColorNamePlaceHolder))
	}
	said := func(a, b widget.RichTextSegment) bool { return a.Textual() == b.Textual() }
	if slices.EqualFunc(t.Segments, next, said) {
		return
	}
	t.Segments = next
	t.Refresh()
}
