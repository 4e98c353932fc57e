package observation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// agent-browser's snapshot is of the grammar of an aria snapshot (aria.go). With --delta it says of a page that it has
// listed before only what has changed, as JSON; alone, as the value of a longer document, or in one line:
//
//	{"kind": "delta", "baseRevision": n, "revision": n, "changes": [ change ], "treeChange": splice}
//	change = {"op": "add" | "replace" | "remove", "ref": "@e12", …}
//	splice = {"startLine": n, "deleteCount": n, "lines": [ line ]}     lines of the list before, from 0
//
// "unchanged (revision n)" is what it says of a page that has not changed: the list before stands.

// delta is such a text.
type delta struct {
	from, deleted int    // lines of the list before that are not any more
	lines         []Line // in their place, those with a ref
	rows          []int  // all that are in their place: indices in lines, -1 for one without a ref
	// said are the refs of elements that were in the list before, and are said again or not any more.
	said []string
}

var (
	deltaSign = regexp.MustCompile(`"treeChange"\s*:\s*\{`)
	deltaRow  = regexp.MustCompile(`^\s*- `)
)

// readDelta reads the lines of a delta, as far as it goes.
func readDelta(s string) []Line {
	sign := deltaSign.FindStringIndex(s)
	if sign == nil {
		return nil
	}
	return spliceAt(s, sign[1]-1).lines
}

// spliceAt reads the splice that begins at a byte of a text, as far as it goes.
func spliceAt(s string, at int) *delta {
	out := &delta{}
	count := lineCounter{s: s}
	d := json.NewDecoder(strings.NewReader(s[at:]))
	token, err := d.Token()
	for depth, key := 0, ""; err == nil; {
		before := at + int(d.InputOffset()) // of what comes next
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			if depth--; depth == 0 {
				return out
			}
		}
		if token, err = d.Token(); err != nil {
			break
		}
		if n, is := token.(float64); is && depth == 1 {
			switch key {
			case "startLine":
				out.from = int(n)
			case "deleteCount":
				out.deleted = int(n)
			}
		}
		line, is := token.(string)
		switch {
		case !is:
		case depth == 1:
			key = line
		case depth == 2 && key == "lines":
			from, to := before+strings.IndexByte(s[before:], '"')+1, at+int(d.InputOffset())-1
			out.rows = append(out.rows, -1)
			for _, one := range readAria(line) {
				if !utf8.ValidString(s[from:to]) {
					continue
				}
				one.Bytes, one.First = [2]int{from, to}, count.of(from)
				one.Last = one.First
				one.States = append(one.States, changed)
				out.rows[len(out.rows)-1] = len(out.lines)
				out.lines = append(out.lines, one)
			}
		}
	}
	return out
}

// mostObjects bounds the objects of a delta that are looked at.
const mostObjects = 5000

// deltaIn reads the first delta in a text; nil for none that is whole.
func deltaIn(s string) *delta {
	sign := deltaSign.FindStringIndex(s)
	if sign == nil {
		return nil
	}
	for at, tries := sign[0], 0; tries < mostObjects; tries++ { // that is in the object, and behind others in it
		if at = strings.LastIndexByte(s[:at], '{'); at < 0 {
			return nil
		}
		var is struct {
			Changes []struct{ Op, Ref string }
			Tree    json.RawMessage `json:"treeChange"`
		}
		if json.NewDecoder(strings.NewReader(s[at:])).Decode(&is) != nil || is.Tree == nil {
			continue
		}
		out := spliceAt(s, sign[1]-1)
		for _, c := range is.Changes {
			if c.Op != "add" {
				out.said = append(out.said, strings.TrimPrefix(c.Ref, "@"))
			}
		}
		return out
	}
	return nil
}

// rowsOf are the lines of a list, from its first: indices in t.Lines, -1 for one without a ref.
func rowsOf(t *Text) []int {
	byLine := map[int]int{}
	for i := range t.Lines {
		byLine[t.Lines[i].First] = i
	}
	var out []int
	ended := false
	eachLine(t.body, func(i, _, _ int, line string) {
		if ended = ended || len(out) > 0 && strings.TrimSpace(line) == ""; ended || len(out) == 0 &&
			!deltaRow.MatchString(line) {
			return
		}
		at, has := byLine[i]
		if !has {
			at = -1
		}
		out = append(out, at)
	})
	return out
}

// splice puts a delta into the list that is known, line by line. It reports whether the delta is of that list: the
// elements that it says anew or takes out are where it puts its lines.
func (k *knowledge) splice(lines []Line, from []origin, d *delta) bool {
	rows := k.rows
	if rows == nil && len(k.texts) == 1 && !k.texts[0].Changes() {
		rows = rowsOf(k.texts[0])
	}
	if d == nil || d.from < 0 || d.deleted < 0 || d.from+d.deleted > len(rows) || len(d.lines) != len(lines) {
		return false
	}
	replaced := map[string]bool{}
	for _, at := range rows[d.from : d.from+d.deleted] {
		if at >= 0 {
			replaced[k.known[at].Ref] = true
		}
	}
	if slices.ContainsFunc(d.said, func(ref string) bool { return !replaced[ref] }) {
		return false
	}
	k.keepSince(lines)
	var known []Line
	var was []origin
	var now []int
	take := func(at int, lines []Line, from []origin) {
		if at >= 0 {
			known, was = append(known, lines[at]), append(was, from[at])
			at = len(known) - 1
		}
		now = append(now, at)
	}
	for _, at := range rows[:d.from] {
		take(at, k.known, k.from)
	}
	for _, at := range d.rows {
		take(at, lines, from)
	}
	for _, at := range rows[d.from+d.deleted:] {
		take(at, k.known, k.from)
	}
	k.known, k.from, k.rows = known, was, now
	return true
}
