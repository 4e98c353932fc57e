package payload

// What only the tests of this package name from outside.

var (
	Choices = choices
	Title   = title
)
