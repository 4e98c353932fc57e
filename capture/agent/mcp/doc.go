// Package mcp serves agents over the Model Context Protocol: it is a server of
// tools and resources over the same engine as refscopectl run (W-7; seed "Snapshot Model
// and @ref IDs").
//
// # Where to start
//
// [New] makes a server. [Server.ServeStdio] serves one client on two pipes,
// [Server.Handler] any number over streamable HTTP. [Server.Sessions] lists the connected
// clients for a person, and [Server.Stop] ends one. [Config] writes what a person
// pastes into a client's settings.
//
// # Sessions
//
// Each client has a session folder, a tab, and numbers of its own. Its calls run one
// after another; others wait in a queue of limited length. When it disconnects, the
// running call is cancelled, and the tabs that it opened are closed.
//
// The first client gets the folder that [Options.Session] names, and continues it if it
// exists. Every further one, and one of another program that names the same,
// gets a new folder: NAME-2, NAME-3 and so on.
//
// # Tools
//
// They are one table (tools.go). A tool emits steps of package step, and one
// [step.Runner] runs them: there is no second way to act. Arguments are checked here, each
// error names the parameter and what is allowed. Refs are the session's numbers; a ref
// of a document that the page has left is refused, with the elements that may be meant.
//
// # Turns
//
// Every answered call becomes a turn, including one without a page or with wrong
// arguments. Its payloads are the call, with typed text withheld, and the result: the
// very JSON object that crosses the wire as the result of tools/call (P-3). What is
// redacted in the one is redacted in the other, unless [Options.AllowSecrets] lets the
// agent have values that the disk does not get. A call that its client has cancelled is a
// turn without a result.
package mcp
