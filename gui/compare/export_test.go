package compare

// What only the tests of this package name from outside.

var (
	Asked       = asked
	FirstAsked  = firstAsked
	LabelChosen = labelChosen
	OtherAsked  = otherAsked
	ShowsChosen = showsChosen
	ViewOf      = viewOf
)
