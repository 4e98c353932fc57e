package text

// What only the tests of this package name from outside.

const (
	CmdAttributes = cmdAttributes
	CmdFold       = cmdFold
)

type (
	FoldToggled = foldToggled
	FoldedAll   = foldedAll
)

var (
	HeadOf = headOf
	Of     = modelOf
)
