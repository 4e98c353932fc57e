package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/capture/action"
	"github.com/refscope/refscope/capture/step/chapter"
	"github.com/refscope/refscope/snapshot/text"
)

// tell is a script's value as it may leave, with the cuts of long texts made. What was
// taken out is a warning of the step.
func tell(ctx context.Context, e *chapter.Env, before *chapter.Guard, v *action.Value) (json.RawMessage, error) {
	spans := leaves(v.JSON)
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = s.text
	}
	if len(texts) == 0 {
		return v.JSON, nil
	}
	clean, err := e.Secrets.Clean(ctx, before, texts...)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	taken := map[string]int{}
	at := 0
	for i, s := range spans {
		short := clean[i]
		changed := short != s.text
		if changed {
			taken[markOf(short)]++
		}
		if s.limit >= 0 {
			short, _ = text.Cut16(short, s.limit+1)
		} else if !changed {
			continue // byte for byte as it was written
		}
		out.Write(v.JSON[at:s.from])
		b, err := quoted(short)
		if err != nil {
			return nil, err
		}
		out.Write(b)
		at = s.to
	}
	out.Write(v.JSON[at:])
	tookOut(e, taken)
	return out.Bytes(), nil
}

// tookOut warns of what was taken out.
func tookOut(e *chapter.Env, taken map[string]int) {
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
	_, rest, ok := strings.Cut(s, "[redacted")
	if !ok {
		return "[redacted]"
	}
	kind, _, ok := strings.Cut(rest, "]")
	if !ok || len(kind) > 40 {
		return "[redacted]"
	}
	return "[redacted" + kind + "]"
}

// leaf is a text or number in a value, at byte offsets of its JSON.
type leaf struct {
	from, to int
	text     string
	limit    int // UTF-16 units that may stay; -1 where it was not cut
}

// cutMark begins a text that js/write.js could not write whole.
const cutMark = `{"\u0001":`

// leaves lists the texts, keys and numbers of JSON without white space, in order.
func leaves(raw []byte) []leaf {
	var out []leaf
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '{' && bytes.HasPrefix(raw[i:], []byte(cutMark)):
			if l, ok := cutLeaf(raw, i); ok {
				out = append(out, l)
				i = l.to
				continue
			}
			i++
		case c == '"':
			end := stringEnd(raw, i)
			var s string
			if json.Unmarshal(raw[i:end], &s) == nil && s != "" && !ours(raw, i, end, s) {
				out = append(out, leaf{i, end, s, -1})
			}
			i = end
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(raw) && strings.IndexByte("0123456789.eE+-", raw[end]) >= 0 {
				end++
			}
			if end-i >= 3 {
				out = append(out, leaf{i, end, string(raw[i:end]), -1})
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// ours reports whether a text is a word of js/write.js and not of the page.
func ours(raw []byte, from, to int, s string) bool {
	switch {
	case to < len(raw) && raw[to] == ':':
		switch s {
		case "type", "value", "length", "size", "truncated", "timestamp", "depth", "tagName", "id", "className", "attributes", "textContent", "isConnected", "childElementCount",
			"op", "ok", "completed", "steps", "results", "failedAt", "error":
			return true
		}
	case bytes.HasSuffix(raw[:from], []byte(`"type":`)), bytes.HasSuffix(raw[:from], []byte(`"op":`)):
		switch s {
		case "string", "number", "boolean", "undefined", "null", "object", "array", "function", "symbol", "bigint", "Date", "Map", "Set", "RegExp", "Error", "Promise",
			"Element", "Node", "NodeList", "HTMLCollection", "Document", "Window", "TypedArray", "circular", "unreadable",
			"fill", "click", "type", "check", "select", "waitFor", "sleep", "return":
			return true
		}
	}
	return false
}

// cutLeaf reads {"\u0001":limit,"text":"…"}.
func cutLeaf(raw []byte, at int) (leaf, bool) {
	i := at + len(cutMark)
	digits, rest, ok := bytes.Cut(raw[i:min(len(raw), i+30)], []byte(`,"text":`))
	if !ok || len(rest) == 0 || rest[0] != '"' {
		return leaf{}, false
	}
	limit, err := strconv.Atoi(string(digits))
	if err != nil || limit < 0 {
		return leaf{}, false
	}
	from := i + len(digits) + len(`,"text":`)
	end := stringEnd(raw, from)
	var s string
	if json.Unmarshal(raw[from:end], &s) != nil || end >= len(raw) || raw[end] != '}' {
		return leaf{}, false
	}
	return leaf{at, end + 1, s, limit}, true
}

// stringEnd is the offset behind the JSON string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// quoted is a text as JSON, with < > & as they are.
func quoted(s string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
