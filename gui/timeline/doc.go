// Package timeline is the list of a session's turns at the left of the window: small
// pictures with what was done, what changed, what is wrong and comments on it,
// and an entry that narrows them.
//
// The list holds view-models and a handful of cells, whatever the length of the session.
// Small pictures come from outside, scaled; a cell that comes into view asks for its own.
package timeline
