// Package session takes turns: it waits until a page is quiet, collects it, takes
// the picture of the same moment, keeps secrets out of both, gives every element
// its number, and writes the turn. It is the one place that does so; the command
// line, the window, steps and agents all come here.
//
// The order is: settle, mutation counter, walk and picture in one breath, counter
// again, redact, number, write. A capture whose counter or layout moved meanwhile
// is taken once more, then marked as torn.
package session
