package forms

// What steps answer, for tests.
type (
	FormOutput   = formOutput
	Field        = field
	Validity     = validity
	SubmitOutput = submitOutput
)
