// Package overlay draws the picture for a vision model: a screenshot with a
// numbered box around every element that has a ref (Set-of-Mark), and the same
// for a person in the window.
//
// Start with [NewScene]. A [Scene] is the geometry: made once from a capture and the
// size of its picture, it decides which refs are marks and why the others are not, where
// each number is placed, and which parts of an element something else covers.
// Everything else is a view of it: [Scene.Draw] paints the export,
// [Scene.Manifest] and [Scene.Legend] describe the same in JSON and in words, and
// [Compose] paints one frame of the window at any zoom.
//
// # Rules
//
// Marks are drawn on pixels, never in the page, and at the size at which they
// will be looked at: a picture is scaled first and marked afterwards, so digits
// are never resampled. Scale is image px for one CSS px on each axis, from the
// picture's size and the viewport's; the device pixel ratio is not asked.
//
// Numbers must be legible and unambiguous. Models fail on marked pictures mostly by
// reading a label as that of a neighbouring element, so the
// placement (file placement.go) charges every pixel of a label that lies on another
// label, on another element's box or text, or hides its own small target.
//
// The quality is measured afterwards from the labels themselves ([Quality])
// and is in every manifest; the tests check it on dense layouts and real pages, and
// against the rules of eight other systems. Package readability measures the pictures
// themselves: what an OCR engine reads, and how much of the page's letters marks take.
//
// A person's view also shows what a model's view leaves out: what is covered and by
// what, what is hidden behind glass, what continues off-screen. Each has a shape
// and not only a colour, in the legend in words, and in the manifest; the key
// ([Scene.Signs]) explains the shapes below the picture, where it hides nothing.
//
// The same capture gives the same pixels on every system, processor and number
// of threads: positions are integers, ties go to the lower index, no map is
// iterated, and glyphs come from package atlas.
//
// Three units appear: CSS px of the capture, image px of the picture (boxes,
// labels, the manifest), and screen px of the window (Compose and its helpers).
package overlay

import (
	"image"

	"github.com/refscope/refscope/snapshot"
)

// View is for whom the picture is.
type View string

const (
	// ViewQA is for a person. Covered elements are drawn with a dashed box and the
	// number of what covers them, and what is covered, behind glass or cut off is
	// shaded.
	ViewQA View = "qa"
	// ViewModel is for a vision model: covered elements are left out of the
	// picture, and nothing but boxes and numbers is added. One thing that can be acted on has one number: see
	// [Options.All] and file things.go.
	ViewModel View = "model"
)

// Options choose what a scene draws. The zero value is the view for a person.
type Options struct {
	// Spell writes refs in the legend, nil for numbers as they are drawn.
	Spell func(ref int) string
	View  View
	// Renumber numbers the labels 1 to n in reading order instead of by ref; the
	// manifest then maps the one to the other.
	Renumber bool
	// Number, where it is set, is what a label shows for a ref.
	Number func(ref int) int
	// All draws in the model's view also what cannot be acted on, and labels beside their controls. Containers and
	// Lines mean it too.
	All bool
	// Label, where it is set, is what the label of a ref shows in the place of its number, such as an agent's own id;
	// "" leaves the number.
	Label func(ref int) string
	// Untold, where it is set, is whether a reader was not told of the element with a ref: its box is dashed in a
	// colour of its own and has no label.
	Untold func(ref int) bool
	// Lacks, where it is set, is whether the text that LackedBy names has no line about the element with a ref: its box
	// is dashed in the colour of Untold and keeps its label.
	Lacks    func(ref int) bool
	LackedBy string
	// Missed are the places, in CSS px of the viewport, of what a person sees and a reader was not told of: they are
	// hatched in a colour of their own. The model's view has none.
	Missed []snapshot.Box
	// Filtered are the places, in CSS px of the viewport, of what a filter leaves out: hatched as Missed is, in a
	// colour of their own.
	Filtered []snapshot.Box
	// Containers draws sections, dialogs, frames and lines of text as well. Without
	// it the view for a person draws those that cover a mark.
	Containers bool
	// Lines draws lines of text as well, and no other container: what can be read and not
	// clicked.
	Lines bool
	// Scope, where it is set, limits the marks to the nodes it is true for.
	Scope func(*snapshot.Node) bool
	// Style is the version of the look, StyleDefault where it is empty.
	Style Style
	// Kept are the labels of an earlier picture, such as that of the turn before: a label
	// stays where it was beside its box where that is still a good place, so that it does
	// not jump because of a neighbour. Nil places all labels afresh.
	Kept []Kept
	// Palette chooses the colours of boxes and plates.
	Palette Palette
	// Key adds a strip below the picture that explains its signs: see
	// [Scene.Extent]. The model's view has no signs and so no strip.
	Key bool

	// Seen is the size at which a picture of a size is looked at, for what [Quality] says of its digits; nil for that
	// of the strictest vendor.
	Seen func(size image.Point) image.Point

	portion *portion // of a tile, nil for a whole picture
}

// Status is the outcome for a ref on the picture. The words are those of the
// manifest.
type Status string

const (
	// Drawn: it has a box and a label.
	Drawn Status = "drawn"
	// Container: it holds other things; see Options.Containers.
	Container Status = "container"
	// Covered: a click on it does not arrive. The model's view omits it.
	Covered Status = "covered"
	// Offscreen: it is outside the picture; see Direction and Distance.
	Offscreen Status = "offscreen"
	// TooSmall: under 2 image px either way.
	TooSmall Status = "too_small"
	// NoRoom: wherever its number could stand, it would hide a letter or read as another element's. The box is not
	// drawn either; the legend lists it.
	NoRoom Status = "no_room"
	// Still: there is nothing to do with it, as with a heading or a picture. Only the model's view leaves it out.
	Still Status = "still"
	// SameThing: another mark, Mark.For, stands for it: the control for its label, the link for the list item around
	// it. Only the model's view leaves it out.
	SameThing Status = "same_thing"
	// OutOfScope: Options.Scope left it out.
	OutOfScope Status = "out_of_scope"
)

// Mark is one ref on one picture. All its geometry is in image px.
type Mark struct {
	Ref    int
	Number int // on the label: Ref, or as Options.Renumber or Options.Number has it; 0 where there is no label
	Node   int // index in the capture
	Role   string
	Name   string // as the page gave it: escape it before it is printed
	Status Status

	// Box is the element's box, less what clipping ancestors take of it. It may
	// reach out of the picture.
	Box snapshot.Box
	// Rects are the pixels of the element's boxes, one for each line of a wrapped
	// link, clipped like Box. They are never empty where the element is on the
	// picture, and nil where it is not.
	Rects []image.Rectangle
	// plain is the label without what covers the mark.
	plain string
	// Label is the number's plate with its white rim, empty where none is drawn.
	Label image.Rectangle
	// Leader is whether a line joins the label to the box.
	Leader bool
	// LeftOut: an export has neither number nor box of it: see NoRoom. The window shows it where its zoom has room.
	LeftOut bool

	// Coverer is the ref of what covers it or of that element's nearest numbered
	// ancestor, 0 where there is none that does not hold the mark as well.
	// CovererNode is the covering element itself, -1 for none.
	Coverer     int
	CovererNode int
	// Glass: something hides it from a person and lets clicks through.
	Glass bool
	// Cut lists the sides on which it continues beyond the picture or beyond what
	// clips it: top, right, bottom, left.
	Cut []string
	// For is the ref of the mark that stands for it: see SameThing; 0 for none.
	For int
	// SharesBox is the ref of another mark in the picture with the same box, such
	// as a hidden checkbox and its label; 0 for none. Of several the first names the
	// second, and the others the first.
	SharesBox int
	// VisibleShare is the part of it that a person sees, 0 to 1; -1 where unknown.
	VisibleShare float64
	// Direction is where an offscreen element lies: above, below, left, right, or
	// two of them such as above-left; Distance is how far, in image px.
	Direction string
	Distance  float64

	pos     int               // position in Capture.Nodes
	strokes []image.Rectangle // Rects as the boxes are drawn: padded, kept apart
	anchor  int               // the rect that carries the label
	slot    int               // how the label is placed, see slotRect
	size    int               // index in letterings
	group   int               // of roles, see group; of PaletteTints, its colour
	label   string            // the number, and what covers it where there was room for that
}

// Text is the text of the label: the number, and behind an arrow what covers the element
// where the view for a person names it; "" where there is no label.
func (m *Mark) Text() string { return m.label }

// Outlines are the boxes as they are drawn, one for each of Rects: the middle of their
// lines. The slice is the scene's own: read it only.
func (m *Mark) Outlines() []image.Rectangle { return m.strokes }

// named reports whether the label also names what covers the mark.
func (m *Mark) named() bool { return len(m.label) > len(m.plain) }

// shown reports whether the mark is in the picture of that view.
func (m *Mark) shown(v View) bool {
	return len(m.Rects) > 0 && (m.Status == Drawn || m.Status == Covered && v != ViewModel)
}
