// Package theme is how Refscope looks: one [fyne.Theme] over Fyne's default with
// a calm dark and light palette and a high-contrast pair, compact sizes, and
// colour names of its own for things Fyne has no name for, such as the syntax of
// a dump or a line whose element is covered.
//
// Colours are asked for by name only, so that a palette is one table (see
// palette.go) and a test can hold every text colour against every ground it
// is on. The marks drawn on a picture are not themed: they have to be equal
// on every machine and live in package overlay.
package theme
