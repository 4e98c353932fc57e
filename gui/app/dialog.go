package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/attach"
	"github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/compare"
	"github.com/refscope/refscope/gui/connect"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/messages"
	"github.com/refscope/refscope/gui/notes"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/profile"
	"github.com/refscope/refscope/gui/replays"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/gui/steps"
)

// dialogTable has the constructors of the dialogs. Esc is theirs to pass on where they hold
// the keyboard.
func dialogTable() map[core.Dialog]func(*parts.Window) view {
	return map[core.Dialog]func(*parts.Window) view{
		core.DialogHelp:      func(w *parts.Window) view { return palette.NewHelp(w) },
		core.DialogSessions:  func(w *parts.Window) view { return sessions.New(w) },
		batch.Dialog:         func(w *parts.Window) view { return batch.New(w) },
		core.DialogMarking:   func(w *parts.Window) view { return export.NewMarking(w) },
		core.DialogUnsaved:   func(w *parts.Window) view { return profile.NewLeaving(w) },
		steps.DialogAct:      func(w *parts.Window) view { return steps.NewAsk(w) },
		steps.DialogPage:     func(w *parts.Window) view { return steps.NewPageDialog(w) },
		device.Dialog:        func(w *parts.Window) view { return device.New(w) },
		attach.Dialog:        func(w *parts.Window) view { return attach.New(w) },
		connect.Dialog:       func(w *parts.Window) view { return connect.New(w) },
		changes.Dialog:       func(w *parts.Window) view { return changes.NewBase(w) },
		compare.Dialog:       func(w *parts.Window) view { return compare.New(w) },
		export.DialogExport:  func(w *parts.Window) view { return export.New(w) },
		export.DialogDataset: func(w *parts.Window) view { return export.NewDataset(w) },
		palette.Dialog:       func(w *parts.Window) view { return palette.New(w) },
		messages.Dialog:      func(w *parts.Window) view { return messages.NewPicture(w) },
		settings.Dialog:      func(w *parts.Window) view { return settings.New(w) },
		replays.Dialog:       func(w *parts.Window) view { return replays.NewAsk(w) },
		notes.Dialog:         func(w *parts.Window) view { return notes.New(w) },
	}
}

// dialog is a view that lies over the window.
type dialog struct {
	view
	of  core.Dialog
	box *widget.PopUp
	at  fyne.Focusable // what the view last named for the keyboard
}

// openOver lays an object over the window. One that is larger than the window, as where that is small or its type is
// large, can be scrolled: nothing in it lies over anything else.
func openOver(o fyne.CanvasObject, c fyne.Canvas) *widget.PopUp {
	o = parts.Padded(8, 10, 14, 14, o)
	return widget.NewModalPopUp(container.New(within{o, c}, container.NewScroll(o)), c)
}

// within lays out the scroller of an object, as large as the object and no larger than the canvas.
type within struct {
	of fyne.CanvasObject
	in fyne.Canvas
}

// MinSize implements fyne.Layout.
func (l within) MinSize([]fyne.CanvasObject) fyne.Size {
	size, most := l.of.MinSize(), l.in.Size()
	if most.IsZero() {
		return size
	}
	return fyne.NewSize(min(size.Width, most.Width), min(size.Height, most.Height))
}

// Layout implements fyne.Layout.
func (l within) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }

// showDialog opens and closes dialogs by the state, and gives the open one the
// state.
func (s *Shell) showDialog(st core.State) {
	if s.dialog != nil && st.Dialog != s.dialog.of {
		// A field that keeps the keyboard has a caret that blinks, for which the window is painted.
		s.win.Canvas().Unfocus()
		s.dialog.box.Hide()
		s.dialog = nil
	}
	opened := false
	if menu, ok := s.win.Canvas().Focused().(*widget.PopUpMenu); ok && s.dialog == nil && st.Dialog != "" {
		menu.Dismiss() // a drop-down below the dialog would take the next Escape
	}
	if make, ok := dialogTable()[st.Dialog]; ok && s.dialog == nil {
		v := make(s.host)
		s.dialog, opened = &dialog{view: v, of: st.Dialog, box: openOver(v.Object(), s.win.Canvas())}, true
	}
	if s.dialog == nil {
		return
	}
	s.dialog.Show(st)
	s.dialog.fit()
	if opened {
		s.dialog.box.Show()
	}
	// Also where the view goes on to its next page: what had the keyboard there may be hidden, and Esc with it.
	if f := s.dialog.Focus(); f != nil && f != s.dialog.at {
		s.dialog.at = f
		s.win.Canvas().Focus(f)
	}
}

// fit gives the dialog the size that it wants, and room for all of it, in the middle of the window. One that wants none
// is as large as it has to be.
func (d *dialog) fit() {
	size, canvas := d.box.MinSize(), d.box.Canvas.Size()
	if v, ok := d.view.(interface {
		Size(window fyne.Size) fyne.Size
	}); ok {
		size = size.Max(v.Size(canvas))
	}
	if d.box.Content.Size() != size {
		d.box.Resize(size)
		d.box.Move(fyne.NewPos((canvas.Width-size.Width)/2, (canvas.Height-size.Height)/2))
	}
}
