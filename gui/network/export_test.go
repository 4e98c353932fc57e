package network

// What only the tests of this package name from outside.

type (
	Relate = relate
)

var (
	Chosen = chosen
)
