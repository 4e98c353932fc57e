package whatif

// What only the tests of this package name from outside.

var (
	Copied = copied
	Reset  = reset
)
