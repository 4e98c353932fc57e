// Package core is what the rooms of the window share: the [State], with the session, the
// turn in view made ready, the selection, tasks and notices; messages, effects and commands;
// and [Room], what one part of the window adds to all that.
//
// [Update] takes a [State] and a [Msg] and answers with the next state and a list of
// [Effect] values: plain data that says what has to be done outside, such as "navigate
// there" or "write this file". It never does any of it, so it needs no browser, no disk and
// no screen, and a table of messages is a test. Package app runs effects in goroutines and
// sends what came of them back as messages.
//
// A room keeps a model of its own in the state, by its type: [Of] reads it and [Edit]
// changes a copy. Widgets never see the state: a room makes view-models (types whose name
// ends in VM) for them, and they report what a person did as messages. [State.Commands] is
// the one table of commands: menu, shortcuts, palette, help and tests read it.
//
// Big things (pictures, captures, documents) are immutable and shared by pointer; slices in
// the state are replaced, never changed in place, so an old state stays what it was.
package core
