package collect

// Overlays is findOverlays, for tests of captures that are read again.
var Overlays = findOverlays
