package export

// What only the tests of this package name from outside.

type (
	Copied       = copied
	CopyExport   = copyExport
	CopyPicture  = copyPicture
	ExportTicked = exportTicked
)

var (
	Exports          = exports
	ExportsAsked     = exportsAsked
	ExportsConfirmed = exportsConfirmed
	SetChanged       = setChanged
)
