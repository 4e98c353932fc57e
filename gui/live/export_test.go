package live

// What only the tests of this package name from outside.

type (
	Captured = captured
)

var (
	Ended      = ended
	Paced      = paced
	Staged     = staged
	Toggled    = toggled
	WholeAsked = wholeAsked
)
