package collect

// OwnNames are the properties that a page cannot hide.
const OwnNames = ownNames
