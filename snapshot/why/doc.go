// Package why answers one question about one element: why is it, or is it not, in what
// the agent read (row N-2)?
//
// An [Explanation] has the element's verdict with its evidence, what lies over it, its
// line in every format or the reason why the format has none, and what the session knows
// of its number. All of it is a pure function of a capture: no browser, so any recorded
// turn can be asked.
//
// An element is named by a [Question]: its ref number, a CSS selector, its path, or a
// place on the picture. A place is answered with everything that lies there, from the
// topmost down, kept or not (see [Explainer.At]).
//
// Who asks more than once makes an [Explainer], which renders each format once:
//
//	e := why.New(capture, why.Views()...)
//	for _, el := range e.At(120, 48) { … e.Explain(el.Node) … }
//
// Sentences are ours; what they repeat of the page is one line, made visible and cut
// (dump.Printable), so page text can neither forge a line of an answer nor hide in it.
package why
