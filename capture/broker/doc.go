// Package broker lets one small process hold a user's browser connections between
// commands (DESIGN "The broker"; C-2, C-23).
//
// Device emulation, document-start scripts, dialogs and console lines belong to a
// DevTools connection and end with it. A [Server] keeps connections; commands send it
// their JSON with [Connect] and [Client.Run], and a tab that is already attached answers
// faster. The broker does not interpret commands: it is given a function for that.
//
// # Where
//
// One broker for each home folder, so for each user. On Unix it listens at
// HOME/broker.sock, mode 0600, or, where that path is longer than a socket's may be, at
// a name made of the folder's hash in a folder of the user's own among the temporary
// ones. On Windows it listens on loopback, at a port that HOME/broker.json names beside
// a random token that every command has to show.
//
// # Lifetime
//
// The process that holds the lock on HOME/broker.lock is the broker: a second one exits at
// once, and a socket that a killed one has left is removed by the next. It ends when it
// is asked to, when its last browser is gone, and when no command arrives for its
// idle time. It then releases browsers and tabs and closes none; a script that has kept a tab from answering its last
// command is terminated, and the page stays.
//
// # The protocol
//
// Each connection is one command. The broker greets with one line of JSON, [Hello]: its
// build. The client may leave then; a program of another build does, see [Client]. It
// sends one line, [request], and gets one, [reply]: the answer of its command, the state of
// the broker, or the secrets that its sessions have met, for a command that reads one of
// their tabs itself. A client that disconnects before the reply has its command cancelled,
// which releases the tab.
package broker
