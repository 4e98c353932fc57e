// Package app is the window: [Rooms] is the table of its rooms; it puts the panes together, holds the one state
// value of package core, and does what the state's effects ask for.
//
// Events flow in one circle. A pane or a menu dispatches a message
// into the [Store]; the store brings it to the window's goroutine, calls
// [core.Update], and passes each pane whose view-model changed the new one;
// effects then run in goroutines that belong to the [Shell] and end in messages
// again. The store's post function is the one place where a goroutine crosses
// into the window, so fyne.Do is called nowhere else in the program.
//
// Everything outside the window is behind [Engine]: the browser, the session's
// folder, the loopback server. Tests drive the whole window with an engine made of
// hand-made captures; package engine is the real one.
package app
