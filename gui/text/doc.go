// Package text is the text pane of the window: the dump that a model reads,
// with line numbers, syntax colours and the line of the selected element.
//
// A dump has thousands of lines, and Fyne's text widgets make objects or whole
// textures for all of them. This widget keeps one [canvas.Raster] and draws only
// the visible rows and columns into it, from a glyph atlas; 50,000 lines cost as
// much as 50. Texts that the atlas cannot draw (other scripts, emoji) are the
// exception: those stretches of the visible lines become pooled canvas.Text
// objects, which Fyne shapes with the system's fonts.
//
// A line takes this way:
//
//	text ── tokenize ──▶ spans with a kind ── layoutLine ──▶ runs at columns ── paint ──▶ pixels
//
// The first two steps are pure and know neither Fyne nor pixels. Because every
// stretch is laid out on its own, from left to right, right-to-left text inside a
// value can never move the markup around it.
package text
