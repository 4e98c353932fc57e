// Package details is the pane about one element: what it is, why it is or is not in
// each dump, what the session knows of it, where it is, how to find it again, and what
// lies over it.
//
// Facts are rows of a label and a value under a few headings. A click on a row copies
// its value, and so does Enter where the row has the focus; a row that is about another
// element goes there instead, and copies with the other button or Space. Values are wrapped by this package
// into short lines of canvas.Text: Fyne's own text widgets surround every text
// with padding, which is too loose for a pane this dense, and one text object is
// one texture, which may not grow with a page's text.
package details
