// Package emptyview is the sentence that a pane shows while it has nothing else: what
// is not there, and what to do about it.
package parts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/snapshot/text"
)

// maxSentence is how many characters the sentence of an empty view shows.
const maxSentence = 300

// NewEmpty is the calm line in the middle of an empty view, with nothing said yet.
func NewEmpty() *widget.RichText {
	t := widget.NewRichText(&widget.TextSegment{Style: widget.RichTextStyle{
		Alignment: fyne.TextAlignCenter,
		ColorName: theme.ColorNamePlaceHolder,
		SizeName:  theme.SizeNameText,
	}})
	t.Wrapping = fyne.TextWrapWord
	return t
}

// SayEmpty changes the sentence of a view made with [NewEmpty], where it is another one.
func SayEmpty(t *widget.RichText, sentence string) {
	s, ok := t.Segments[0].(*widget.TextSegment)
	sentence = text.Cut(text.Line(sentence), maxSentence)
	if !ok || s.Text == sentence {
		return
	}
	s.Text = sentence
	t.Refresh()
}
