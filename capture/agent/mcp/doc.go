// Package mcp is the door for agents that speak the Model Context Protocol: a server of
// tools and resources over the same engine as refscopectl run (W-7; seed "Snapshot Model
// and @ref IDs").
//
// # What is where
//
// [New] makes a server. [Server.ServeStdio] serves one client on two pipes,
// [Server.Handler] any number over streamable HTTP. [Server.Sessions] lists who is there,
// for a person who watches, and [Server.Stop] ends one. [Config] writes what a person
// pastes into a client's settings.
//
// # Sessions
//
// Each client has a session folder, a tab, and numbers of its own. Its calls run one
// after another; others wait in a queue of limited length. When it leaves, the call that
// still runs is broken off, and the tabs that it opened are closed.
//
// The first client gets the folder that [Options.Session] names, and continues it if it
// exists. Every further one, and one of another program that names the same,
// gets a new folder: NAME-2, NAME-3 and so on.
//
// # Tools
//
// They are one table (tools.go). A tool writes steps of package step, and the one
// [step.Runner] does them: there is no second way to act. Arguments are checked here, each
// error names the parameter and what is allowed. Refs are the session's numbers; a ref
// of a document that the page has left is refused, with the elements that may be meant.
//
// # Turns
//
// Every call that is answered becomes a turn, also one without a page and one with wrong
// arguments. Its payloads are the call, with what was typed withheld, and the result: the
// very JSON object that crosses the wire as the result of tools/call (P-3). What is
// redacted in the one is redacted in the other, unless [Options.AllowSecrets] lets the
// agent have values that the disk does not get. A call that its client has cancelled is a
// turn without a result.
package mcp
