// Package picture is the picture pane of the window: the screenshot with its
// numbered marks, to be zoomed, moved, pointed at and clicked.
//
// Everything that belongs to the picture — pixels, boxes, labels, hatching — is
// one canvas.Raster that package overlay composes for the part in view, so the
// cost of a frame depends on the window and not on the page. What changes with
// every move of the pointer (hover, selection) is a handful of objects on top, so
// that pointing at things does not compose again.
//
// The view does not know what lies at a point: it reports the point, and receives what to
// outline. [PickerList] is the list of everything there, over the view.
//
// Three units appear. Image px are those of the screenshot and of the marks.
// Device px are those of the screen, and of the [overlay.Camera]. Fyne units are
// device px divided by the scale of the display; events and objects use them.
package picture

import (
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/steps"
	"github.com/refscope/refscope/overlay"
)

// VM is the content of the picture pane. It is small and comparable: the shell
// compares two of them with == and calls the pane only where they differ. The
// big parts are immutable and shared by pointer.
type VM struct {
	// Version grows whenever Picture or Scene is another one. It is redundant
	// with the pointers and there for logs and tests.
	Version int
	// Picture is the screenshot at several scales, nil where there is none yet.
	Picture *overlay.Pyramid
	// Scene holds the marks in image px of the picture; nil draws none.
	Scene *overlay.Scene
	// Arranged counts how often labels were placed: see [Arrange].
	Arranged int
	// Layers lists which layers are drawn.
	Layers overlay.Layers
	// Numbers are what is shown for refs, nil for the refs.
	Numbers *core.Numbers
	// Selected and Hover are ref numbers, 0 for none.
	Selected, Hover int
	// Chosen and Pointed are the selected and the hovered element where it has no
	// number, and so no mark.
	Chosen, Pointed core.Outline
	// Found are the boxes of what was found, nil for none; FoundAt is the place among
	// them of the current match, -1 where that has no box.
	Found   *core.FoundBoxes
	FoundAt int
	// Act: the wheel and the page keys go to the page, whose window is PageHigh CSS px high.
	Act      bool
	PageHigh float64
	// Start is how far the first picture is; its texts are "" where it is there.
	Start core.StartSteps
	// Empty is the sentence in place of a picture, with the next action in it.
	Empty string
	// Busy is a short sentence while a capture runs, "" where none does. The
	// old picture stays in view.
	Busy string
	// Caption names what covers the element that is pointed at, or else the chosen one;
	// "" where nothing does.
	Caption string
	// Cover is the notice about what covers the page.
	Cover CoverVM
	// Badge is the note that another picture than that of the turn is in view, "" else.
	Badge string
	// Point is a cross on the picture, where a click goes or went.
	Point steps.PointVM
	// Missing is where the chosen element is when it is not in this turn, "" else.
	Missing string
	// Pair is the picture that this one is held against, Points where the turn's steps
	// acted; zero and nil for none.
	Pair   PairVM
	Points *core.ActionPoints
}

// Model is the state of the picture, beyond the turn that it is of.
type Model struct {
	// Boxes selects which boxes it shows, Pointer is where on it the pointer is.
	Boxes   BoxFilter
	Pointer Pointer
	// Whose numbers it shows.
	Whose Whose
	// Untold: what a person sees and the model was not told is not hatched.
	Untold bool
	// LeftOut: what filters of the profile left out is hatched.
	LeftOut bool
	// Black: boxes have the look of exported pictures.
	Black bool
	// Costs is the token map on it.
	Costs Costs
	// Compare is what it is held against.
	Compare struct {
		Mode PicturesMode
		// Split is where the slider is, Mix how much of the turn's picture the onion skin
		// shows; both 0 to 1.
		Split, Mix float64
		// Box is the changed place that was gone to, from 1; 0 for none.
		Box int
		// Diff is what differs, nil while unknown.
		Diff *PictureDiff
	}
	// Picker is the list of what lies at one point.
	Picker Picker
	// Cover is the notice about what covers the page.
	Cover Cover

	// The placing of labels that is in progress. One runs at a time, and of those
	// requested meanwhile the last, so that a wheel that spins leaves no queue behind it.
	arranging struct {
		running, next ArrangeAsked
		// done counts the placings, so that the picture is composed again after each.
		done int
	}
	lacking lacking
	// withheld is how many numbers of boxes in view have no room at this zoom.
	withheld int
}

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }

// ProgressVM is work that runs; the zero value is none.
type ProgressVM struct {
	Task     int
	Text     string
	Stage    string
	Stopping bool
}

// Progress is the work that a Cancel button stops: the browser's newest, else an
// export.
func Progress(s core.State) ProgressVM {
	t := s.Busy()
	for i := range s.Tasks {
		if t == nil && s.Tasks[i].Kind == core.TaskExport {
			t = &s.Tasks[i]
		}
	}
	if t == nil {
		return ProgressVM{}
	}
	v := ProgressVM{Task: t.ID, Stage: t.Stage, Stopping: t.Stopping}
	if !t.Kind.Browser() { // of the browser's work the picture pane has the sentence
		v.Text = t.Sentence + "…"
	}
	if t.Stopping {
		v.Stage = "stopping"
	}
	return v
}
