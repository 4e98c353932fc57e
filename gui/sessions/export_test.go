package sessions

// What only the tests of this package name from outside.

var (
	Entered = entered
	ViewOf  = viewOf
)
