package step

// Chrome is the browser of this package's tests.
var Chrome = &chrome
