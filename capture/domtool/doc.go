// Package domtool is BrowserX's DomTool as a Go API over our engine: a snapshot of the
// page as a tree of virtual nodes, and click, type and keypress by node id (seed
// "DomTool"; rows B-9, B-10, B-12).
//
// # Snapshots
//
// [Tool.Snapshot] returns the text of the format domtool (package snapshot/format/domtool, B-1
// to B-8). A snapshot is kept for two seconds and while the page does not change: DOM
// mutations, scrolling, focus and form state make it stale, see [session.Cache]. A
// failed reading is retried once. Every action discards it.
//
// # Actions
//
// A target is a node_id, a ref in any spelling (5, [5], @e5), or a CSS selector that
// matches one element (D-10). An element that is gone is looked for once in a fresh
// reading, by the strict rule of package element; the result reports it.
//
// Input is real: events are trusted and come in the order of the seed's appendix A, as
// the browser makes them. Two sentences of the appendix are the DOM's older order: focus
// follows mousedown, as the appendix has it, and change follows when the focus leaves,
// not after the last key. keypress is sent for keys that type a character.
//
// Nothing is forced unless [Options.Force] is set: what a person could not do is a
// NOT_ACTIONABLE error with the reason.
//
// # Errors
//
// An [Error] has one of the seed's four codes. What is wrong with the call itself — a
// selector or key that does not exist — is the error of package action, and lost
// connections and deadlines are theirs.
package domtool
