package core

// ActionPoints are where steps acted. They are immutable.
type ActionPoints struct {
	Points []ActionPoint
	// After: the picture of the turn shows the same part of the same page, so the points
	// lie right on it too. They always lie right on the picture of the turn before.
	After bool
}

// ActionPoint is where one step acted, in image px of the picture.
type ActionPoint struct {
	X, Y float64
	// Label is such as "click", with its number where there are several; "" draws no word.
	Label string
	// Lands: nothing speaks against it; else it is drawn as what went wrong.
	Lands bool
	// Aimed: where it clicked is unknown; this is the click point of the element that
	// it named.
	Aimed bool
}
