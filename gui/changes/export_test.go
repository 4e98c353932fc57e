package changes

// What only the tests of this package name from outside.

const (
	CmdBase = cmdBase
)

type (
	BasePicked = basePicked
)

var (
	BaseRows = baseRows
)
