// Package overlay draws what a vision model is shown: a screenshot with a
// numbered box around every element that has a ref (Set-of-Mark), and the same
// thing for a person in the window.
//
// A [Scene] is the geometry of all that: made once from a capture and the size of
// its picture, it decides which refs are marks and why the others are not, where
// each number goes, and which parts of an element something else covers. From
// then on everything is a view of it: [Scene.Draw] paints the export,
// [Scene.Manifest] and [Scene.Legend] say the same in JSON and in words, and
// [Compose] paints one frame of the window at any zoom.
//
// # Rules
//
// Marks are drawn on pixels, never in the page, and at the size at which they
// will be looked at: a picture is scaled first and marked afterwards, so digits
// are never resampled. Scale is image px for one CSS px on each axis, from the
// picture's size and the viewport's; the device pixel ratio is not asked.
//
// Numbers must be read and attributed without doubt. Models fail on marked
// pictures mostly by giving a label to the neighbour of its element, so the
// placement (file place.go) pays for every pixel of a label that lies on another
// label, on a stranger's box or text, or hides its own small target.
//
// How well that went is counted afterwards from the labels themselves ([Quality])
// and is in every manifest; the tests hold it on dense layouts and real pages, and
// against the rules of eight other systems.
//
// A person's view also says what a model is not told: what is covered and by what,
// what is hidden behind glass, what goes on out of sight. Each is said in a shape
// and not only in a colour, in the legend in words, and in the manifest; the key
// ([Scene.Signs]) explains the shapes below the picture, where it hides nothing.
//
// The same capture gives the same pixels on every system, processor and number
// of threads: positions are integers, ties go to the lower index, no map is
// iterated, and glyphs come from package atlas.
//
// Three units appear: CSS px of the capture, image px of the picture (boxes,
// labels, the manifest), and screen px of the window (Compose and its helpers).
package overlay
