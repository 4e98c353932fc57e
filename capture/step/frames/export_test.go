package frames

// What steps answer, for tests.
type (
	FramesOutput = framesOutput
)
