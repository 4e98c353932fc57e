// Package markup has the formats that are HTML: skeleton (skeleton.go), hybrid, which is a
// skeleton that goes with a picture, and full, the whole document (full.go). The first
// comment of these files is the format's grammar. How page text is escaped, and which tags
// can be written where, is the same for all: html.go and nest.go.
//
// The files call each other one way: html and nest know no format; attrs and pattern work
// on full's tree; skeleton and full select and write.
package markup

// Options are the options of full alone.
type Options struct {
	// NoTemplates writes repeated patterns out instead of once.
	NoTemplates bool
}
