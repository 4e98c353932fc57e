package shotview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/state"
)

// maxSentence is how many runes the sentence of an empty view shows.
const maxSentence = 300

// newSentence is the calm line in the middle of an empty view.
func newSentence() *widget.RichText {
	t := widget.NewRichText(&widget.TextSegment{Style: widget.RichTextStyle{
		Alignment: fyne.TextAlignCenter,
		ColorName: theme.ColorNamePlaceHolder,
		SizeName:  theme.SizeNameText,
	}})
	t.Wrapping = fyne.TextWrapWord
	return t
}

// say changes the sentence where it is another one.
func say(t *widget.RichText, sentence string) {
	s, ok := t.Segments[0].(*widget.TextSegment)
	sentence = state.Plain(sentence, maxSentence)
	if !ok || s.Text == sentence {
		return
	}
	s.Text = sentence
	t.Refresh()
}
