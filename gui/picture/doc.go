// Package picture is the picture pane of the window: the screenshot with its
// numbered marks, to be zoomed, moved, pointed at and clicked.
//
// Everything that belongs to the picture — pixels, boxes, labels, hatching — is
// one canvas.Raster that package overlay composes for the part in view, so the
// cost of a frame depends on the window and not on the page. What changes with
// every move of the pointer (hover, selection) is a handful of objects on top, so
// that pointing at things does not compose again.
//
// The view does not know what lies at a point: it reports the point, and is told what to
// outline. [PickerList] is the list of everything there, over the view.
//
// Three units appear. Image px are those of the screenshot and of the marks.
// Device px are those of the screen, and of the [overlay.Camera]. Fyne units are
// device px divided by the scale of the display; events and objects use them.
package picture
