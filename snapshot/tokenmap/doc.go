// Package tokenmap describes what a page costs and where (N-11): one dump of a capture,
// cut up by the regions of the page, by tags, and by rows that repeat, and what a
// limit or a filter has saved.
//
// Every table adds up to the whole exactly. Tokens respect no bounds of elements, so
// they are counted once for the whole text, and each belongs where it begins; a part
// counted alone may differ by a token or so. Regions are those of
// [dump.Regions]: landmarks, sections, dialogs, frames and repeated lists, as a tree,
// here with the place that each has on the page.
//
// Start with [Build] for the map of one dump, and [Compare] for what a limit or a filter
// left out of it beside the [Unlimited] dump.
package tokenmap

import (
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/tokens"
)

// Schema names the shape of a map's JSON. Changes are additive only.
const Schema = "refscope.tokens/1"

// Map is the cost of one dump of a page.
type Map struct {
	Schema string      `json:"schema"`
	Format dump.Format `json:"format"`
	// Encoding is the encoding that tokens were counted with, "chars/4" where they are estimated.
	Encoding string      `json:"encoding"`
	Whole    dump.Amount `json:"whole"`
	// Truncated: the dump was cut at a limit; see [Lost].
	Truncated bool `json:"truncated"`
	// Regions are a tree, the page first and each after the one around it.
	Regions []Region `json:"regions"`
	// Tags are the elements by their tag, the costly ones first; the text about no
	// element, such as a header, has the tag "".
	Tags []Tag `json:"tags"`
	// Repeats are rows with the same content several times, the costly ones first.
	Repeats []Repeat `json:"repeats,omitempty"`
}

// Region is a part of the page with its place.
type Region struct {
	dump.Region
	Depth int `json:"depth"` // 0 for the page
	// Box is where it is, in CSS px of the top frame's viewport: of an element what
	// clipping ancestors leave, of a list the box around its items, of the page the
	// viewport. Empty where it has no place.
	Box snapshot.Box `json:"box"`
	// Share and OwnShare are its part of all tokens, 0 to 1: with the regions inside it
	// and without them.
	Share    float64 `json:"share"`
	OwnShare float64 `json:"ownShare"`
}

// Tag is the cost of the elements of one tag, each without the elements inside it.
type Tag struct {
	Tag    string `json:"tag"`    // the tag, lower case
	Nodes  int    `json:"nodes"`  // elements that have text of their own
	Chars  int    `json:"chars"`  // characters of its lines
	Tokens int    `json:"tokens"` // tokens of its lines
}

// Repeat is a row that is in the dump several times: a line, or in a format
// without lines the entry of an element, that is equal but for its numbers.
type Repeat struct {
	// Text is the first one, as it is in the dump, without indent, cut at 160
	// characters.
	Text  string `json:"text"`
	Count int    `json:"count"` // how often it stands there
	// Distinct is how many different texts they are when ref numbers do not count: 1
	// where all are the same, more where other numbers in them differ.
	Distinct int `json:"distinct"`
	Tokens   int `json:"tokens"` // of all of them
	// Nodes are the elements that they are about, in order.
	Nodes []int `json:"nodes"`
}

// Build maps the document, which must be rendered from c. counter may be nil: then
// tokens are characters / 4. It takes time in proportion to the text and the elements.
func Build(c *snapshot.Capture, d *dump.Document, counter *tokens.Counter) *Map {
	m := &Map{Schema: Schema, Format: d.Format, Encoding: "chars/4", Truncated: d.Truncated}
	var spread func(string, []int) []int
	if counter != nil {
		spread, m.Encoding = counter.Spread, tokens.Encoding
	}
	regions := dump.Regions(c, d, spread)
	m.Whole = regions[0].All
	m.place(c, regions)
	rows := rowsOf(d)
	atoms := measure(d, rows, spread)
	m.Tags = tagsOf(c, atoms)
	m.Repeats = repeatsOf(c, d, rows)
	return m
}
