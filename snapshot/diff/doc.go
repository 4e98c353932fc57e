// Package diff compares: two captures element by element ([Captures], rows N-7,
// C-16 and B-14), or two dumps line by line ([Lines]).
//
// # Which element is which
//
// Before anything is compared, elements of the first capture are paired with
// elements of the second. Every change names the rule that paired them, and the
// rules are tried in this order:
//
//	ref            equal ref numbers, and nothing that contradicts it: the same tag, and where both
//	               captures know the document (frame id and loader) and the uid or the backendNodeId, these agree
//	uid            the same uid in the same document
//	backendNodeId  the same backendNodeId in the same document
//	place          other identity, but tag, role, name, own text and CSS path are equal
//	order          other identity and path; tag, role, name and own text are equal, and it is in
//	               the same order among the elements that were paired
//	only           tag, role and name (or text) are equal, and it is the only such element of either capture
//	path           in another document only (a reload, another session): equal path, tag and role; the name differs
//
// The first three are identity, the next three mean that a page replaced an element
// by an equal one, the last that the same place shows something else. An element
// that no rule pairs was added or removed. Within one document a new element at an
// old place is never taken for the old one unless role and name are equal (C-6).
//
// Whether two captures share one numbering follows from their numbers: a number that
// is used for two elements whose identities differ proves two numberings. Then
// ref numbers neither pair nor count as changes, and a note reports that.
//
// # What counts as a change
//
// Of elements that are kept in both captures: ref, role, name, description, value,
// own text (where the name is the same; with that of what is in it and not kept, as of b in a p), every state,
// interactivity, the attributes href, type, placeholder, alt and src, how well a click arrives and what is in the
// way, place, size, whether it is in the viewport, and how far it is scrolled. An
// element that is still in the document but no longer kept was removed, and the
// reason is its verdict.
//
// Boxes count from [Options.Move] CSS px on. What scrolled has not moved: an
// element moved where its box, freed from the scrolling of the page and of the
// scroll containers around it, and also its box in the viewport, lie elsewhere. So
// neither a sticky header nor the page below it moves when somebody scrolls.
//
// Withheld values are compared as they are in the captures, as "[redacted: …]".
package diff
