package export

import (
	"slices"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/overlay"
)

// MarkedOptions are the choices of a marked picture (row U-7). They are comparable.
type MarkedOptions struct {
	// View is for a person or for a model; "" is [overlay.ViewQA].
	View overlay.View
	// Model is the vision model whose rules size the picture, "" for the picture as it
	// was taken.
	Model string
	// Style is the version of the marks' look, "" for [overlay.StyleDefault], and Palette
	// chooses their colours.
	Style   overlay.Style
	Palette overlay.Palette
	// Key adds a strip that explains the signs of the view for a person.
	Key bool
	// Renumber numbers the labels 1 to n; Containers draws sections and dialogs too.
	Renumber, Containers bool
	// Manifest and Legend are written beside the picture, as .json and .txt.
	Manifest, Legend bool
}

// Scene are the options of the scene.
func (o MarkedOptions) Scene() overlay.Options {
	return overlay.Options{View: o.View, Renumber: o.Renumber, Containers: o.Containers, Style: o.Style,
		Palette: o.Palette, Key: o.Key}
}

// openMarking shows the dialog.
func openMarking(s core.State) core.State {
	if !CanExport(s, Export{Kind: ExportMarked}) {
		return s
	}
	s.Dialog = core.DialogMarking
	return s
}

// setMarking changes the choices. A view or a model that is unknown changes nothing.
func setMarking(s core.State, o MarkedOptions) core.State {
	known := o.View == overlay.ViewQA || o.View == overlay.ViewModel
	if known && (o.Model == "" || slices.Contains(s.Models, o.Model)) {
		edit(&s).Marked = o
	}
	return s
}

// confirmMarking asks where the picture goes.
func confirmMarking(s core.State) (core.State, []core.Effect) {
	if s.Dialog != core.DialogMarking {
		return s, nil
	}
	s.CloseDialog(core.DialogMarking)
	return askExport(s, Export{Kind: ExportMarked, Marked: Of(s).Marked})
}
