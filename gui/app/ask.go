package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
)

// Asker asks a person for a place. done is called with a path on the window's
// goroutine, and not at all where the person changed their mind.
type Asker interface {
	File(name string, done func(path string))
	Folder(done func(path string))
	// Session asks for a session's folder, or for a .refscope file.
	Session(folder bool, done func(path string))
}

// dialogs is the Asker of a real window.
type dialogs struct {
	win  fyne.Window
	fail func(error)
	open *dialog.FileDialog // nil where none is
}

// dismiss closes the dialog that is open, and reports whether one was.
func (d *dialogs) dismiss() bool {
	if d.open == nil {
		return false
	}
	d.open.Hide() // which calls its SetOnClosed
	return true
}

// File asks where to write a file that is called name to begin with.
func (d *dialogs) File(name string, done func(path string)) {
	f := dialog.NewFileSave(func(w fyne.URIWriteCloser, err error) {
		if err != nil {
			d.fail(cannotWrite(name, err))
			return
		}
		if w == nil {
			return
		}
		path := w.URI().Path()
		if err := w.Close(); err != nil { // Fyne opened it to see whether it can
			d.fail(cannotWrite(path, err))
			return
		}
		done(path)
	}, d.win)
	f.SetFileName(name)
	d.show(f)
}

// Folder asks for a folder.
func (d *dialogs) Folder(done func(path string)) {
	f := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil {
			d.fail(err)
			return
		}
		if u != nil && u.Scheme() == "file" {
			done(u.Path())
		}
	}, d.win)
	f.SetTitleText("Export to a folder")
	f.SetConfirmText("Export here")
	d.show(f)
}

// Session asks for a session to open.
func (d *dialogs) Session(folder bool, done func(path string)) {
	if folder {
		f := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
			switch {
			case err != nil:
				d.fail(err)
			case u != nil && u.Scheme() == "file":
				done(u.Path())
			}
		}, d.win)
		f.SetTitleText("Open the folder of a session")
		f.SetConfirmText("Open")
		d.show(f)
		return
	}
	f := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			d.fail(err)
			return
		}
		if r == nil {
			return
		}
		path := r.URI().Path()
		if err := r.Close(); err != nil { // Fyne opened it to see whether it can
			d.fail(err)
			return
		}
		done(path)
	}, d.win)
	f.SetFilter(storage.NewExtensionFileFilter([]string{".refscope"}))
	d.show(f)
}

func (d *dialogs) show(f *dialog.FileDialog) {
	d.open = f
	f.SetOnClosed(func() { d.open = nil })
	f.Show()
	// Fyne 2.8.1 panics where a file dialog gets a size before it is shown, or where the
	// system shows one of its own.
	if d.win.Canvas().Overlays().Top() != nil {
		size := d.win.Canvas().Size()
		f.Resize(fyne.NewSize(min(900, size.Width*0.8), min(640, size.Height*0.85)))
	}
}
