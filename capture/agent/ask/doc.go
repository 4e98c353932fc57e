// Package ask asks a model about a recorded turn again: with the request that was
// stored, or with another one, as often as wanted. Each answer becomes a turn of the same
// session, a variant of the turn that was asked about: with its page, the exact bytes, and how
// the request differs from the recorded one, so that a difference between two answers has a
// known cause.
//
// Start with [New] and [Asker.Ask]. Nothing is sent but the body, its media type and the
// headers of [Options]; no key reaches the disk, a log or a window.
package ask
