// Package steps is the console of the window: an editor for one step or a list of them,
// its completions, and the answer as an agent gets it.
//
// Carets are in bytes here as in package state; Fyne's entry counts rows and runes, and
// the editor maps between both. Nothing is parsed here: the validity of a draft and its
// completions come with the view-model.
package steps
