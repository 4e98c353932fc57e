package redact

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// A stream says a text in pieces, one in each event, and a secret may lie in several of them. The pieces put together
// are a layer of the body, in which a secret is found as it is in a whole answer; each piece loses its part.

// pieceNames are the members in which the vendors' streams have pieces of texts and of the arguments of calls.
var pieceNames = []string{"content", "text", "delta", "arguments", "partial_json", "input", "thinking", "reasoning",
	"reasoning_content", "refusal", "transcript"}

// pieces is the layer of what a stream says in pieces; false for a body that is no stream, or says nothing in two.
func pieces(body []byte) (layer, bool) {
	if !isStream(body) {
		return layer{}, false
	}
	said := map[string][][2]int{} // by the member and the number that stands before it: of a block, or a call
	var order []string
	many := false
	from := 0
	for line := range bytes.Lines(body) {
		number := ""
		for i := 0; i < len(line); {
			if line[i] != '"' {
				i++
				continue
			}
			end := stringEnd(line, i)
			name := string(line[i+1 : max(i+1, end-1)])
			at := end
			for at < len(line) && (line[at] == ':' || line[at] == ' ') {
				at++
			}
			switch {
			case at == end || at == len(line): // no name
			case strings.HasSuffix(strings.ToLower(name), "index"):
				number = string(line[at:numberEnd(line, at)])
			case line[at] == '"' && slices.Contains(pieceNames, name):
				end = stringEnd(line, at)
				if key := name + " " + number; end-at-2 > 0 && end-at < longRun {
					if said[key] == nil {
						order = append(order, key)
					}
					many = many || said[key] != nil
					said[key] = append(said[key], [2]int{from + at + 1, from + end - 1})
				}
			}
			i = end
		}
		from += len(line)
	}
	if !many {
		return layer{}, false
	}
	var l layer
	var out strings.Builder
	for _, key := range order {
		for _, p := range said[key] {
			out.Write(body[p[0]:p[1]])
			for i := p[0]; i < p[1]; i++ {
				l.at = append(l.at, int32(i))
			}
			l.parts = append(l.parts, [2]int32{int32(p[0]), int32(p[1])})
		}
		end := l.at[len(l.at)-1] + 1
		out.WriteString("\n\n")
		l.at = append(l.at, end, end)
	}
	l.text, l.at = out.String(), append(l.at, int32(len(body)))
	slices.SortFunc(l.parts, func(a, b [2]int32) int { return int(a[0] - b[0]) })
	return l, true
}

// isStream reports whether a body is events: those of the web's event streams, lines of JSON objects, or a list of
// them. A single object is none.
func isStream(body []byte) bool {
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 || trimmed[0] == '{' {
		_, rest, _ := bytes.Cut(trimmed, []byte("\n"))
		return bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{"))
	}
	return trimmed[0] == '[' || bytes.HasPrefix(trimmed, []byte("data:")) || bytes.Contains(trimmed, []byte("\ndata:"))
}

// stretches are where a stretch of the layer came from: one, or one for each piece that it goes over.
func (l layer) stretches(f stretch) []stretch {
	from, to := f.start, f.end
	if l.parts == nil {
		f.start, f.end = int(l.at[from]), int(l.at[to])
		return []stretch{f}
	}
	var out []stretch
	for from < to {
		k := sort.Search(len(l.parts), func(i int) bool { return l.parts[i][1] > l.at[from] })
		if k == len(l.parts) || l.at[from] < l.parts[k][0] { // between two texts
			from++
			continue
		}
		f.start, f.end = int(l.at[from]), int(l.parts[k][1])
		for from++; from < to && l.at[from] >= int32(f.start) && l.at[from] < l.parts[k][1]; from++ {
		}
		if next := int(l.at[from]); next > f.start && next < f.end {
			f.end = next
		}
		out = append(out, f)
	}
	return out
}
