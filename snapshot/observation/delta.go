package observation

import (
	"regexp"
	"slices"
	"strings"
)

// delta is a text that says what has changed in a list, line by line: agent-browser's (agentbrowser.go) and
// Playwriter's (playwriter.go).
type delta struct {
	hunks []hunk // in the order of the list
	lines []Line // of all hunks, those that name an element
	// said are the refs of elements that were in the list before, and are said again or not any more.
	said []string
}

// hunk is what stands in the place of some lines of the list before.
type hunk struct {
	from, deleted int      // lines of the list before, from 0
	was           []string // what these are; nil where the text does not say that
	rows          []row
}

// row is a line of a list: the place of its element among the lines of the text, -1 for none, and its words.
type row struct {
	at    int
	words string
}

// take adds a line to what a hunk puts into the list.
func (d *delta) take(h *hunk, words string, lines []Line) {
	h.rows = append(h.rows, row{-1, words})
	if len(lines) == 1 {
		h.rows[len(h.rows)-1].at = len(d.lines)
		d.lines = append(d.lines, lines[0])
	}
}

// delta is what a text says that has changed; nil for a text of another kind.
func (t *Text) delta() *delta {
	switch t.Format {
	case AgentBrowser:
		return deltaIn(t.body)
	case Playwriter:
		if playwriterDiff.MatchString(t.body) {
			return diffIn(t.body)
		}
	}
	return nil
}

// listRow is a line of a list of elements, a level a step to the right.
var listRow = regexp.MustCompile(`^\s*- `)

// rowsOf are the lines of a list, from its first up to an empty one.
func rowsOf(t *Text) []row {
	byLine := map[int]int{}
	for i := range t.Lines {
		byLine[t.Lines[i].First] = i
	}
	var out []row
	ended := false
	eachLine(t.body, func(i, _, _ int, line string) {
		if ended = ended || len(out) > 0 && strings.TrimSpace(line) == ""; ended || len(out) == 0 &&
			!listRow.MatchString(line) {
			return
		}
		at, has := byLine[i]
		if !has {
			at = -1
		}
		out = append(out, row{at, line})
	})
	return out
}

// fits reports whether a delta is of a list: what it says of the lines that it takes out is so.
func (d *delta) fits(rows []row, known []Line) bool {
	at := 0
	taken := map[string]bool{}
	for _, h := range d.hunks {
		if h.from < at || h.deleted < 0 || h.from+h.deleted > len(rows) {
			return false
		}
		at = h.from + h.deleted
		for i, r := range rows[h.from:at] {
			if h.was != nil && h.was[i] != r.words {
				return false
			}
			if r.at >= 0 {
				taken[known[r.at].Ref] = true
			}
		}
	}
	return !slices.ContainsFunc(d.said, func(ref string) bool { return !taken[ref] })
}

// splice puts a delta into the list that is known, line by line. It reports whether the delta is of that list.
func (k *knowledge) splice(lines []Line, from []origin, d *delta) bool {
	rows := k.rows
	if rows == nil && len(k.texts) == 1 && !k.texts[0].Changes() {
		rows = rowsOf(k.texts[0])
	}
	if d == nil || len(d.lines) != len(lines) || !d.fits(rows, k.known) {
		return false
	}
	k.keepSince(lines)
	var known []Line
	var was []origin
	var now []row
	take := func(list []row, lines []Line, from []origin) {
		for _, r := range list {
			if r.at >= 0 {
				known, was = append(known, lines[r.at]), append(was, from[r.at])
				r.at = len(known) - 1
			}
			now = append(now, r)
		}
	}
	at := 0
	for _, h := range d.hunks {
		take(rows[at:h.from], k.known, k.from)
		take(h.rows, lines, from)
		at = h.from + h.deleted
	}
	take(rows[at:], k.known, k.from)
	k.known, k.from, k.rows = known, was, now
	return true
}
