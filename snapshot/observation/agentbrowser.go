package observation

import (
	"encoding/json"
	"regexp"
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

var deltaSign = regexp.MustCompile(`"treeChange"\s*:\s*\{`)

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
	out := &delta{hunks: make([]hunk, 1)}
	h := &out.hunks[0]
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
		switch value := token.(type) {
		case float64:
			switch {
			case depth == 1 && key == "startLine":
				h.from = int(value)
			case depth == 1 && key == "deleteCount":
				h.deleted = int(value)
			}
		case string:
			switch {
			case depth == 1:
				key = value
			case depth == 2 && key == "lines":
				from, to := before+strings.IndexByte(s[before:], '"')+1, at+int(d.InputOffset())-1
				var one []Line
				if utf8.ValidString(s[from:to]) {
					one = readAria(value)
				}
				for i := range one {
					one[i].Bytes, one[i].First = [2]int{from, to}, count.of(from)
					one[i].Last = one[i].First
					one[i].States = append(one[i].States, changed)
				}
				out.take(h, value, one)
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
