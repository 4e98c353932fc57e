package emulation

// What steps answer, for tests.
type Viewported = viewported
