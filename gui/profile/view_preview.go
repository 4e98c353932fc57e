package profile

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/snapshot/text"
)

// preview shows markdown as it reads. Nothing in it is loaded or opened: a picture is
// its address in words, a link is its text with the address behind it.
type preview struct {
	*widget.RichText
	shown string
	some  bool // shown is on show
}

func newPreview() *preview {
	p := &preview{RichText: widget.NewRichText()}
	p.Wrapping = fyne.TextWrapWord
	return p
}

func (p *preview) set(page string) {
	if p.some && p.shown == page {
		return
	}
	p.shown, p.some = page, true
	// Parsed apart: a text that is in view loads its pictures as soon as it is parsed.
	p.Segments = harmless(widget.NewRichTextFromMarkdown(text.Lines(body(page))).Segments)
	p.Refresh()
}

// body is the text without its front matter, which is not markdown, as a code block.
func body(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.HasPrefix(text, "---\n") {
		return text
	}
	front, rest, ok := strings.Cut(text[4:], "\n---\n")
	if !ok {
		return text
	}
	return "```\n" + strings.ReplaceAll(front, "```", "'''") + "\n```\n" + rest
}

// harmless replaces segments that load or open something.
func harmless(list []widget.RichTextSegment) []widget.RichTextSegment {
	out := make([]widget.RichTextSegment, 0, len(list))
	for _, s := range list {
		switch s := s.(type) {
		case *widget.TextSegment, *widget.SeparatorSegment:
			out = append(out, s)
		case *widget.HyperlinkSegment:
			words := s.Text
			if s.URL != nil && s.URL.String() != s.Text {
				words += " (" + s.URL.String() + ")"
			}
			out = append(out, inline(words))
		case *widget.ImageSegment:
			where := s.Title
			if s.Source != nil {
				where = s.Source.String()
			}
			out = append(out, inline("[picture, not loaded: "+where+"]"))
		case *widget.ParagraphSegment:
			s.Texts = harmless(s.Texts)
			out = append(out, s)
		case *widget.ListSegment:
			s.Items = harmless(s.Items)
			out = append(out, s)
		default:
			out = append(out, inline(s.Textual()))
		}
	}
	return out
}

func inline(text string) *widget.TextSegment {
	return &widget.TextSegment{Style: widget.RichTextStyleInline, Text: text}
}
