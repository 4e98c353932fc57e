// Package emptyview is the sentence that a pane shows while it has nothing else: what
// is not there, and what to do about it.
package emptyview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
)

// maxSentence is how many characters the sentence of an empty view shows.
const maxSentence = 300

// New is the calm line in the middle of an empty view, with nothing said yet.
func New() *widget.RichText {
	t := widget.NewRichText(&widget.TextSegment{Style: widget.RichTextStyle{
		Alignment: fyne.TextAlignCenter,
		ColorName: theme.ColorNamePlaceHolder,
		SizeName:  theme.SizeNameText,
	}})
	t.Wrapping = fyne.TextWrapWord
	return t
}

// Say changes the sentence of a view made with [New], where it is another one.
func Say(t *widget.RichText, sentence string) {
	s, ok := t.Segments[0].(*widget.TextSegment)
	sentence = core.Plain(sentence, maxSentence)
	if !ok || s.Text == sentence {
		return
	}
	s.Text = sentence
	t.Refresh()
}
