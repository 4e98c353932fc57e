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

// Zoom is the zoom in device px for an image px.
func (v *View) Zoom() float64 { return v.cam.Scale }
