// Package profileedit is the side Profile of the window: the profile of the page's site
// with an outline, an editor for its markdown, a preview, the versions before, and below
// the text what it does to the turn in view, or what is wrong with it.
//
// It shows a [core.ProfileVM] and sends messages. The text in the editor is the
// person's: it is replaced only where the view-model gives another one.
package profileedit
