// Package state is the window without the window: one value that says what is
// on show, the messages that change it, and the one function that does so.
//
// [Update] takes a [State] and a [Msg] and answers with the next state and a
// list of [Effect] values: plain data that says what has to be done outside, such
// as "navigate there" or "write this file". It never does any of it, so it needs
// no browser, no disk and no screen, and a table of messages is a test. The shell
// runs effects in goroutines and sends what came of them back as messages.
//
// Widgets never see the state. They are given view-models (the types that end in
// VM) by the selectors of this package, and report what a person did as messages.
// Every command of the window stands in one table, [Commands]: menu, shortcuts,
// help and tests read it.
//
// Big things (pictures, captures, documents) are immutable and shared by pointer;
// slices in the state are replaced, never changed in place, so an old state stays
// what it was.
package core
