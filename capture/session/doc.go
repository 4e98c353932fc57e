// Package session takes turns: [Take] waits until a page is quiet, collects it, takes
// the picture of the same moment, keeps secrets out of both, gives every element
// its number, and writes the turn. The command line, the window, steps and agents all
// use it.
//
// The order is: settle, mutation counter, walk and picture in one breath, counter
// again, redact, number, write. A capture whose counter or layout moved meanwhile
// is taken once more, then marked as torn.
//
// A full page is a capture of its own: after settling, the window is made as tall as
// the page and the page settles again, until it has stopped growing (fullpage.go); the
// picture is put together from strips (strips.go); and the window gets its former size
// back. Pictures and windows are bounded: see [MaxFullHeight], [MaxFullPixels].
package session
