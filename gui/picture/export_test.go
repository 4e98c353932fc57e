package picture

// What only the tests of this package name from outside.

const (
	CmdPictures = cmdPictures
)

type (
	ComparePictures = comparePictures
	ShowPlace       = showPlace
)

var (
	ChangedPlace     = changedPlace
	CoverClosed      = coverClosed
	NewCoverStrip    = newCoverStrip
	PicturesCompared = picturesCompared
	PicturesMoved    = picturesMoved
)
