package runs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // sizes of pictures in payloads
	_ "image/png"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// section is a part of a payload that has a name of its own.
type section struct {
	label  string // "messages[2] user text", or the path of a JSON value
	text   string // as it is
	order  string // of a call the text with its members in the order of their names; "" for the text
	kind   string // whose it is, "user text": what one API has in a message another has in several; "" for the label
	result bool   // what a tool answered since the model's last answer
	asked  bool   // a text of the user's
}

// sections are the parts of a payload that count, in order.
func sections(p *turn.Payload) []section {
	if slices.Contains(wire.Models(), p.Dialect) {
		if r, err := wire.ReadRequest(p.Dialect, p.Bytes); err == nil {
			return requestSections(r)
		}
	}
	var doc any
	if json.Unmarshal(p.Bytes, &doc) != nil {
		return []section{{label: "text", text: string(p.Bytes)}}
	}
	var out []section
	walk(doc, "", "", func(path, key string, v any) {
		if !unsteadyMembers[key] {
			out = append(out, section{label: path, text: fmt.Sprint(v)})
		}
	})
	return out
}

func requestSections(r *wire.Request) []section {
	out := []section{{label: "model", text: r.Model}, {label: "tools", text: strings.Join(r.Tools, "\n")}}
	answered := -1 // the model's last answer
	for i, m := range r.Messages {
		if m.Role == "assistant" {
			answered = i
		}
	}
	for i, m := range r.Messages {
		for j, part := range m.Parts {
			label := fmt.Sprintf("messages[%d] %s %s", i, m.Role, part.Kind)
			if len(m.Parts) > 1 {
				label += fmt.Sprintf(" %d", j)
			}
			content, order := part.Text, ""
			switch part.Kind {
			case wire.Image:
				content = part.Media
				if c, form, err := image.DecodeConfig(bytes.NewReader(part.Data)); err == nil {
					content = fmt.Sprintf("%s %dx%d", form, c.Width, c.Height)
				}
			case wire.Call:
				content = part.Name + " " + string(part.Arguments)
				var args any
				if json.Unmarshal(part.Arguments, &args) == nil {
					sorted, _ := json.Marshal(args)
					order = part.Name + " " + string(sorted)
				}
			}
			out = append(out, section{label, content, order, m.Role + " " + string(part.Kind),
				part.Kind == wire.Result && i > answered, m.Role == "user" && part.Kind == wire.Text})
		}
	}
	return out
}

// failure is a line with which tools begin to say that an action failed: Playwright's "TimeoutError: …" below
// "### Error" or "### Result", "Error: …", "Failed to …".
var failure = regexp.MustCompile(`^(?:#+ *)?(?:\w*(?:Error|Exception)\b|error:|[Ff]ailed to )`)

// failedLines is how many lines of a result say how it went; a page follows.
const failedLines = 6

// failed is the line in which a tool's result says that its action failed, "" where it does not.
func (s section) failed() string {
	found, n := "", 0
	for line := range strings.Lines(s.text) {
		if line = numberless(line); line == "" {
			continue
		}
		if n++; n > failedLines {
			break
		}
		if failure.MatchString(line) && (found == "" || strings.HasPrefix(found, "#")) {
			found = line
		}
	}
	return text.Cut(found, 300)
}

// unsteadyMembers are members of JSON payloads that differ between equal runs: identities,
// files, times and geometry. Results of actions are compared on their own.
var unsteadyMembers = map[string]bool{
	"id": true, "tab": true, "targetId": true, "snapshotId": true, "taskId": true, "sessionId": true, "session": true,
	"screenshot": true, "fullSnapshot": true, "path": true, "file": true, "launched": true, "timestamp": true,
	"time": true, "took": true, "ms": true, "duration": true, "durationMs": true, "elapsed": true, "x": true, "y": true,
	"width": true, "height": true, "image": true, "data": true, "percent": true, "port": true, "summary": true,
}

// walk calls visit for each value of a JSON document that is no object and no array, members
// in the order of their names. key is the name of the nearest member.
func walk(v any, path, key string, visit func(path, key string, v any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			under := k
			if path != "" {
				under = path + "." + k
			}
			walk(v[k], under, k, visit)
		}
	case []any:
		for i := range v {
			walk(v[i], fmt.Sprintf("%s[%d]", path, i), key, visit)
		}
	default:
		visit(path, key, v)
	}
}

// lines are the lines of a section without what does not count: numbers of elements, volatile
// texts, advertisements.
func (s section) lines(adverts []string) []string {
	var out []string
	for line := range strings.Lines(cmp.Or(s.order, s.text)) {
		if line = numberless(line); line != "" && !advertises(line, adverts) {
			out = append(out, line)
		}
	}
	return out
}

func advertises(line string, adverts []string) bool {
	return slices.ContainsFunc(adverts, func(ad string) bool { return strings.Contains(line, ad) })
}

// goalOf is the task that a run is given: the query of a task endpoint, or the first short
// text of a user. known is what it is so far.
func goalOf(known string, s section) string {
	const longest = 2000
	if known != "" || len(s.text) > longest {
		return known
	}
	if s.label == "query" || s.asked {
		return steady(s.text)
	}
	return ""
}

// payloadDifference are the differences of two lists of payloads that count: section, byte
// and both texts from there.
func payloadDifference(a, b *turn.Record, advertsA, advertsB []string) []string {
	x, y := givenSections(a), givenSections(b)
	var out []string
	for i := range max(len(x), len(y)) {
		switch {
		case len(out) >= mostLines:
			return append(out, "and more")
		case i >= len(x):
			out = append(out, fmt.Sprintf("only in the second: %s %s", y[i].label,
				text.Quote(text.Cut(y[i].text, 120))))
		case i >= len(y):
			out = append(out, fmt.Sprintf("only in the first: %s %s", x[i].label, text.Quote(text.Cut(x[i].text, 120))))
		case cmp.Or(x[i].kind, x[i].label) != cmp.Or(y[i].kind, y[i].label):
			return append(out, fmt.Sprintf("%s is followed by other sections: %s and %s", before(x, i),
				x[i].label, y[i].label))
		case !slices.Equal(x[i].lines(advertsA), y[i].lines(advertsB)):
			at := firstByte(x[i], y[i], advertsA, advertsB)
			out = append(out, fmt.Sprintf("%s, from byte %d: %s → %s", x[i].label, at[0],
				text.Quote(text.Cut(x[i].text[at[0]:], 120)), text.Quote(text.Cut(y[i].text[at[1]:], 120))))
		}
	}
	return out
}

func before(list []section, i int) string {
	if i == 0 {
		return "the start"
	}
	return list[i-1].label
}

func givenSections(rec *turn.Record) []section {
	var out []section
	for i := range rec.Payloads {
		if isGiven(&rec.Payloads[i]) {
			out = append(out, sections(&rec.Payloads[i])...)
		}
	}
	return out
}

// firstByte is where the first line that counts and differs begins, in either text.
func firstByte(a, b section, advertsA, advertsB []string) [2]int {
	type placed struct {
		line string
		at   int
	}
	read := func(s section, adverts []string) (out []placed) {
		at := 0
		for raw := range strings.Lines(s.text) {
			if line := numberless(raw); line != "" && !advertises(line, adverts) {
				out = append(out, placed{line, at})
			}
			at += len(raw)
		}
		return append(out, placed{"", len(s.text)})
	}
	x, y := read(a, advertsA), read(b, advertsB)
	for i := range min(len(x), len(y)) {
		if x[i].line != y[i].line || i == min(len(x), len(y))-1 {
			return [2]int{x[i].at, y[i].at}
		}
	}
	return [2]int{}
}
