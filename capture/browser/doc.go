// Package browser finds, launches and attaches to Chrome, and holds the DevTools
// protocol sessions of its tabs.
//
// chromedp starts the process, cleans up its profile folder and types the
// protocol; the sessions are ours. A [Conn] is one WebSocket to the browser; each
// [Session] on it is a flattened protocol session, of the browser itself, of a
// tab, or of an out-of-process frame inside a tab. chromedp's own target keeps a
// mirror of the DOM whose event queue can deadlock the connection when a page adds
// hundreds of frames, and it drops messages of sessions that it did not make.
//
// A browser that this package did not start is never closed, restarted or
// reconfigured: only tabs that were opened here are closed again.
package browser
