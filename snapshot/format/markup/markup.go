// Package markup has the HTML formats: skeleton, hybrid and full.
package markup

// Options are the options of the formats alone.
type Options struct {
	// NoTemplates writes repeated patterns of full out instead of once.
	NoTemplates bool
}
