// Package collect reads a tab's documents into a snapshot.Capture.
//
// One evaluation per frame, in the isolated world that the page cannot see or
// touch, walks the composed tree iteratively and answers with columns of numbers
// and one table of strings. This package joins the frames' answers into one list
// of nodes with boxes in the top viewport, gives every element its verdict with
// the evidence for it, and works out occlusion from the sampled points.
//
// The page is never written to. What identifies an element is a number in a
// WeakMap of the isolated world, together with its frame and loader.
package collect
