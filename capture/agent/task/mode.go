package task

import (
	"slices"
	"strings"
	"unicode"
)

// visualWords are the words of a task that is about looks and places (seed 14).
var visualWords = []string{
	"icon", "image", "logo", "picture", "photo", "avatar",
	"looks like", "appears", "color", "shape", "blue", "red", "green",
	"top", "bottom", "left", "right", "corner", "side", "edge",
	"next to", "above", "below", "beside", "near", "between",
	"first", "second", "third", "last", "middle",
	"what is", "what does", "how much", "price", "see", "show",
	"chart", "graph", "table", "grid", "card", "thumbnail",
}

// fallbackMode is the mode for a task where the semantic tree is of no use, or the
// endpoint asks for context without naming a mode: hybrid where the task's words are about
// looks or places (the seed's list), else skeleton. Words are compared whole, without
// case. The seed's second list, of plain actions, prefers skeleton, which is what is left;
// its example "Click the gear icon in the top right corner" is hybrid, so looks win.
func fallbackMode(query string) string {
	words := strings.FieldsFunc(
		strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	)
	for _, v := range visualWords {
		parts := strings.Fields(v)
		for i := 0; i+len(parts) <= len(words); i++ {
			if slices.Equal(words[i:i+len(parts)], parts) {
				return "hybrid"
			}
		}
	}
	return "skeleton"
}

// view is the part of the page in one request.
type view struct {
	mode        string // semantic, skeleton, hybrid, full
	pictureOnly bool   // of hybrid
}

// wanted is what an answer requests; see the package comment.
func (a *agentAnswer) wanted(query string) view {
	mode := a.Mode
	if a.Status == statusFullDOM {
		mode = "full"
	}
	switch {
	case mode == "full" || mode == "hybrid":
		return view{mode: mode}
	case a.NeedsScreenshot && (a.NeedsSkeleton || mode == "skeleton"):
		return view{mode: "hybrid"}
	case a.NeedsScreenshot:
		return view{mode: "hybrid", pictureOnly: true}
	case a.NeedsSkeleton || mode == "skeleton":
		return view{mode: "skeleton"}
	}
	return view{mode: fallbackMode(query)}
}

// String is the name for people, one or two words.
func (c view) String() string {
	if c.pictureOnly {
		return "a picture"
	}
	return c.mode
}
