package core

// What only the tests of this package name from outside.

type (
	ListTabs   = listTabs
	MoveAsked  = moveAsked
	Prepare    = prepare
	TabsListed = tabsListed
)

var (
	NewErrors    = newErrors
	PartToggled  = partToggled
	Prepared     = prepared
	ReadSteps    = readSteps
	Scaled       = scaled
	ThemeToggled = themeToggled
)
