package output

// What steps answer, for tests.
type (
	Pictured     = pictured
	Printed      = printed
	Validation   = validation
	SearchOutput = searchOutput
)
