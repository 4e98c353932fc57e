package notes

// What only the tests of this package name from outside.

type (
	VerdictChosen = verdictChosen
	Written       = written
)

var (
	Undone     = undone
	DraftsKept = draftsKept
)
