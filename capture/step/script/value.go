package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
)

// tell is the redacted value of a script, with long texts truncated. What was removed is a
// warning of the step.
func tell(ctx context.Context, e *stepdef.Env, before *stepdef.Guard, v *action.Value) (json.RawMessage, error) {
	list := leaves(v.JSON)
	if len(list) == 0 {
		return v.JSON, nil
	}
	places := make([]redact.Leaf, len(list))
	texts := make([]string, len(list))
	for i, l := range list {
		places[i], texts[i] = l.Leaf, l.Text
	}
	clean, err := e.Secrets.Clean(ctx, before, texts...)
	if err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for i, l := range list {
		if clean[i] != l.Text {
			taken[markOf(clean[i])]++
		}
		if l.limit >= 0 {
			clean[i], _ = text.Cut16(clean[i], l.limit+1)
			places[i].Text = "" // the JSON there is not the text alone
		}
	}
	tookOut(e, taken)
	return redact.Put(v.JSON, places, clean)
}

// tookOut warns of what was taken out.
func tookOut(e *stepdef.Env, taken map[string]int) {
	var words []string
	for _, mark := range slices.Sorted(maps.Keys(taken)) {
		words = append(words, fmt.Sprintf("%s %d×", mark, taken[mark]))
	}
	if len(words) > 0 {
		e.Warn("taken out of the answer: %s", strings.Join(words, ", "))
	}
}

// markOf is the first mark in a text.
func markOf(s string) string {
	for _, m := range redact.Marks([]byte(s)) {
		return s[m.Start:m.End]
	}
	return "[redacted]"
}

// leaf is a text, a key or a number in a value.
type leaf struct {
	redact.Leaf
	limit int // UTF-16 units that may stay; -1 where it was not cut
}

// cutMark is the key that begins a text that js/write.js could not write whole.
const cutMark = "\x01"

// leaves lists the texts of a value that come from the page, in order. A truncated text is
// replaced by the whole object {"\u0001":limit,"text":"…"}. The JSON has no white space.
func leaves(raw []byte) []leaf {
	var out []leaf
	done := 0
	for _, l := range redact.Leaves(raw) {
		switch {
		case l.Start < done:
		case l.Key && l.Text == cutMark:
			if cut, ok := cutLeaf(raw, l); ok {
				out = append(out, cut)
				done = cut.End
			}
		case !ours(raw, l):
			out = append(out, leaf{l, -1})
		}
	}
	return out
}

// ours reports whether a text is a word of js/write.js and not of the page.
func ours(raw []byte, l redact.Leaf) bool {
	switch {
	case l.Key:
		switch l.Text {
		case "type", "value", "length", "size", "truncated", "timestamp", "depth", "tagName", "id",
			"className", "attributes",
			"textContent", "isConnected", "childElementCount",
			"op", "ok", "completed", "steps", "results", "failedAt", "error":
			return true
		}
	case bytes.HasSuffix(raw[:l.Start], []byte(`"type":`)), bytes.HasSuffix(raw[:l.Start], []byte(`"op":`)):
		switch l.Text {
		case "string", "number", "boolean", "undefined", "null", "object", "array", "function",
			"symbol", "bigint", "Date",
			"Map", "Set", "RegExp", "Error", "Promise",
			"Element", "Node", "NodeList", "HTMLCollection", "Document", "Window", "TypedArray",
			"circular", "unreadable",
			"fill", "click", "type", "check", "select", "waitFor", "sleep", "return":
			return true
		}
	}
	return false
}

// cutLeaf reads the object of a text that was cut, whose first key is given.
func cutLeaf(raw []byte, key redact.Leaf) (leaf, bool) {
	from := key.Start - 1
	d := json.NewDecoder(bytes.NewReader(raw[from:]))
	var members map[string]json.RawMessage
	var limit int
	var whole string
	if d.Decode(&members) != nil || len(members) != 2 || json.Unmarshal(members[cutMark], &limit) != nil || limit < 0 ||
		json.Unmarshal(members["text"], &whole) != nil || whole == "" {
		return leaf{}, false
	}
	return leaf{redact.Leaf{Start: from, End: from + int(d.InputOffset()), Text: whole}, limit}, true
}
