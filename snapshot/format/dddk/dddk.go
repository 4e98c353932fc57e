// Package dddk is the format of dotdotduck's indented tree.
package dddk

// Options are the options of the format alone.
type Options struct {
	// HashIDs prints elements as [eti4l] instead of [12]: ids of the shipped reader's
	// kind (D-12).
	HashIDs bool
}
