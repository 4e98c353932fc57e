package find

// What only the tests of this package name from outside.

const (
	MaxFindQuery = maxFindQuery
	MaxMatches   = maxMatches
)

type (
	Closed  = closed
	Focus   = focus
	Stepped = stepped
)

var (
	Filtered = filtered
)
