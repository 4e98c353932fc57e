package findings

// What only the tests of this package name from outside.

type (
	Filtered = filtered
)

var (
	PersonalToggled = personalToggled
)
