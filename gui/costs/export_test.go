package costs

// What only the tests of this package name from outside.

const (
	Tags = tags
)

var (
	Grouped = grouped
	Of      = of
)
