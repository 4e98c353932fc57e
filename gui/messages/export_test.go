package messages

// What only the tests of this package name from outside.

type (
	Read = read
)

var (
	ViewOf = viewOf
)
