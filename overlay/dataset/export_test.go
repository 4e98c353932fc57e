package dataset

// What only the tests of this package name from outside.

var (
	SiteOf = siteOf
)
