// Package runs compares two recorded runs of an agent: where they parted, and why.
//
// [Read] makes a [Turn] of each turn of a session: hashes of what counts, small enough that
// five hundred fit in memory. [Compare] aligns two lists of them and names the first
// divergence.
//
// # Alignment
//
// Turns are aligned as sequences (Needleman and Wunsch): two turns are alike by what was done,
// by address, by the share of equal elements of their pages, and by the goal. A turn that
// only one run has is an insertion; it is a repeat where it does again what its run did just
// before, and a retry where that had failed. Turns that stand at the same place but did
// something else are one pair.
//
// # The cause
//
// Within a turn, one thing leads to the next: what the agent asked for, what came of it, the
// page that this led to, what the model was given of it, and what it answered. The first of
// them that differs is the cause, for everything after it follows from it:
//
//	answer     the agent decided something else, though it was given the same
//	actuation  the same was asked for, with another result: another element, intercepted, timed out
//	page       the same was done, and the page is another one
//	payload    the page is the same, and the model was given something else
//
// # What does not count
//
// Times, dates, ids, ports and long numbers are compared as if they were equal; so are the
// numbers of elements, which differ from session to session: an action is compared by the role
// and name of its element. Advertisements are left out, on the page and in the payload. Boxes,
// scrolling and the order within lists of attributes do not count either.
package runs
