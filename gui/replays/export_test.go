package replays

// What only the tests of this package name from outside.

const (
	CmdMark = cmdMark
)

type (
	AskChanged = askChanged
)

var (
	AskConfirmed = askConfirmed
	AskViewOf    = askViewOf
	ViewOf       = viewOf
)
