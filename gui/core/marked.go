package core

import (
	"slices"

	"github.com/refscope/refscope/overlay"
)

// MarkedOptions are the choices of a marked picture (row U-7). They are comparable.
type MarkedOptions struct {
	// View is for a person or for a model; "" is [overlay.ViewQA].
	View overlay.View
	// Model is the vision model whose rules size the picture, "" for the picture as it
	// was taken.
	Model string
	// Palette chooses the colours of the marks; Key adds a strip that explains the signs
	// of the view for a person.
	Palette overlay.Palette
	Key     bool
	// Renumber numbers the labels 1 to n; Containers draws sections and dialogs too.
	Renumber, Containers bool
	// Manifest and Legend are written beside the picture, as .json and .txt.
	Manifest, Legend bool
}

// Scene are the options of the scene.
func (o MarkedOptions) Scene() overlay.Options {
	return overlay.Options{View: o.View, Renumber: o.Renumber, Containers: o.Containers, Palette: o.Palette, Key: o.Key}
}

// openMarking shows the dialog.
func (s State) openMarking() State {
	if !s.canExport(Export{Kind: ExportMarked}) {
		return s
	}
	s.Dialog = DialogMarking
	return s
}

// setMarking changes the choices. A view or a model that is not known changes nothing.
func (s State) setMarking(o MarkedOptions) State {
	known := o.View == overlay.ViewQA || o.View == overlay.ViewModel
	if known && (o.Model == "" || slices.Contains(s.Models, o.Model)) {
		s.Marked = o
	}
	return s
}

// confirmMarking asks where the picture goes.
func (s State) confirmMarking() (State, []Effect) {
	if s.Dialog != DialogMarking {
		return s, nil
	}
	s.close(DialogMarking)
	return s.askExport(Export{Kind: ExportMarked, Marked: s.Marked})
}
