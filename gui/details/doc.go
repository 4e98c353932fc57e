// Package details is the pane about one element: what it is, why it is in the
// dump, where it is, how to find it again, and what lies over it.
//
// Facts are rows of a label and a value. A click on a row copies its value, and
// so does Enter where the row has the focus. Values are wrapped by this package
// into short lines of canvas.Text: Fyne's own text widgets surround every text
// with padding, which is too loose for a pane this dense, and one text object is
// one texture, which may not grow with what a page says.
package details
