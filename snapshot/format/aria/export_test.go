package aria

// What the tests of the folder check the texts with.
var (
	Addressed      = addressed
	ListedRole     = listedRole
	HiddenFromTree = hiddenFromTree
)

// DefaultDepth is how deep the text goes by default.
const DefaultDepth = defaultDepth
