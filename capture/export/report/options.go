package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/tokens"
)

// DefaultMaxTurns is how many turns a report shows by default: at some 300 KB a
// turn a browser still opens the file at once.
const DefaultMaxTurns = 200

// dumpLimit is how many characters of one dump a report shows where the format has no
// limit of its own. The format cuts, and describes what it cut.
const dumpLimit = 200_000

// Options configure the content of a report. The zero value is a good default.
type Options struct {
	// Name is the session's name in the report.
	Name string
	// Turns are the turns to show, nil for all.
	Turns []Range
	// MaxTurns is how many of them are shown, from the first on. 0 is
	// [DefaultMaxTurns], below 0 no limit. The report describes what it left out.
	MaxTurns int
	// Formats are the dumps of each turn, nil for [DefaultFormats]; of these a turn that shows the page's text as it
	// was sent has the first alone. The first one is open where there is no such text.
	Formats []dump.Format
	// Dialects are those in which a payload is made where a turn did not keep what
	// crossed the wire, nil for [DefaultDialects].
	Dialects []string
	// Model is the model that those payloads are for: its rules describe how large the picture
	// is and what it costs. Without one the picture's tokens are unknown.
	Model string
	// Counter counts tokens; nil estimates them.
	Counter *tokens.Counter

	usual bool // they are the default formats
}

// DefaultFormats are the dumps that a report shows by default.
func DefaultFormats() []dump.Format { return []dump.Format{format.DDDK, format.Aria, format.Semantic} }

// DefaultDialects are the payloads that a report measures by default.
func DefaultDialects() []string { return []string{"openai-chat"} }

// check reports whether the options can be met at all, before a file is begun.
func (o *Options) check() error {
	if o.Formats == nil {
		o.Formats = DefaultFormats()
	}
	o.usual = slices.Equal(o.Formats, DefaultFormats())
	if o.Dialects == nil {
		o.Dialects = DefaultDialects()
	}
	for _, f := range o.Formats {
		if !slices.Contains(format.Plain(), f) {
			return fmt.Errorf("report: %q is not a format that needs no query: choose from %v", f, format.Plain())
		}
	}
	for _, d := range o.Dialects {
		if !slices.Contains(payload.Dialects(), d) {
			return fmt.Errorf("report: unknown dialect %q: choose from %s", d, strings.Join(payload.Dialects(), ", "))
		}
	}
	return nil
}

// Range is a run of turn numbers; a Last of 0 has no end.
type Range struct{ First, Last int }

func (r Range) has(n int) bool { return n >= r.First && (r.Last == 0 || n <= r.Last) }

// ParseTurns reads a list of turn numbers: "3", "3-9", "3-", or several with commas.
func ParseTurns(s string) ([]Range, error) {
	var out []Range
	for item := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(item), "-")
		var r Range
		var err1, err2 error
		r.First, err1 = strconv.Atoi(first)
		switch {
		case !isRange:
			r.Last = r.First
		case last != "":
			r.Last, err2 = strconv.Atoi(last)
		}
		if err1 != nil || err2 != nil || r.First < 1 || last != "" && r.Last < r.First {
			return nil, fmt.Errorf("%q is not a list of turns: write it as 3, 3-9, 3- or 1,4-6", s)
		}
		out = append(out, r)
	}
	return out, nil
}

// choose splits the numbers of a session's turns into those to show and those that the
// limit leaves out.
func (o *Options) choose(numbers []int) (shown, left []int) {
	for _, n := range numbers {
		if o.Turns == nil || slices.ContainsFunc(o.Turns, func(r Range) bool { return r.has(n) }) {
			shown = append(shown, n)
		}
	}
	limit := o.MaxTurns
	if limit == 0 {
		limit = DefaultMaxTurns
	}
	if limit > 0 && len(shown) > limit {
		shown, left = shown[:limit], shown[limit:]
	}
	return shown, left
}
