package settings

// What only the tests of this package name from outside.

type (
	KeyTyped     = keyTyped
	Model        = model
	StartupTyped = startupTyped
)

var (
	NewSecret = newSecret
	Of        = of
	ViewOf    = viewOf
)
