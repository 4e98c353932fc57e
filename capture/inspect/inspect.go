// Package inspect answers the questions that people, scripts and agents ask of sessions and pages. It is the layer of
// use cases between capture and the doors: a command is flags and one call of a function here, and so are a tool of
// the MCP server and a room of the window.
//
// Start with [CompareRuns]. A function here takes what was opened already (package target, turn.Store) and options,
// and returns one result, which knows its JSON and its text; doors only ask and show.
//
// What must hold: the same question has the same answer at every door. Nothing here reads flags, prints, or knows a
// window; what a door alone wants (colours, exit codes, widgets) stays there.
package inspect
