package session

// What only the tests of this package name from outside.

const (
	LayerAgain    = layerAgain
	TwiceVariable = twiceVariable
)
