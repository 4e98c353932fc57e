package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
)

// Body is the door of wire bytes to the disk (P-3): the bytes of a request or an answer
// as they crossed the wire, without the secrets, and where these were.
//
// Taken out are the given secrets, which are the values that were withheld from the
// capture; what the rules find by its looks, card numbers with their Luhn digit among them
// (nil for no rules); and the values of fields that hold secrets by their name or kind (see
// fields.go). Each is found as it is and in the spellings of layers.go, also one in
// another. Outside of the spans every byte is as it was. A body that is JSON stays JSON: a
// number with a secret in it becomes a string, and its span has the quotes in it. Marks
// that was there before are in the list too. Redacting twice changes nothing more.
//
// The error of too little is worse than that of too much: a secret of one or two
// characters is taken out wherever it is a word. The body is not changed; it must be
// smaller than 2 GiB. The cost is that of a few passes for each layer, at most 16.
func Body(body []byte, rules *Redactor, secrets ...Secret) ([]byte, []Span) {
	q := search{secrets: secrets, fields: true}
	if rules != nil {
		q.rules = [][]compiled{rules.builtin, rules.custom}
		q.secrets = slices.Concat(rules.secrets, secrets)
	}
	return q.body(body)
}

// body is the bytes without what the search finds in any spelling, and where that was.
func (q search) body(body []byte) ([]byte, []Span) {
	var spans []Span
	for pass := range passes {
		found, marks := q.findInLayers(body), Marks(body)
		for i := range marks {
			marks[i].Before = pass == 0
		}
		stay := union(spans, genuine(marks, found))
		if len(found) > 0 && isJSON(body) {
			found = intoLiterals(body, join(found))
		}
		found = join(spare(join(found), stay))
		if len(found) == 0 {
			return body, stay
		}
		body, spans = replace(body, found, stay)
	}
	return body, spans
}

// isJSON reports whether a body is JSON: one document, or objects one after the other, as of a
// WebSocket.
func isJSON(body []byte) bool {
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return json.Valid(body)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	for {
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// findInLayers lists the stretches of a body that must go.
func (q search) findInLayers(body []byte) []stretch {
	var out []stretch
	for _, s := range q.secrets { // in what is taken for a picture too
		mark := Mark(s.Why)
		whole := string(body)
		s.each(blank(whole, Marks(body)),
			func(from, to int) { out = append(out, stretch{start: from, end: to, put: mark}) })
	}
	var layers []layer
	eachLayer(body, func(l layer) { layers = append(layers, l) })
	found := make([][]stretch, len(layers))
	var work sync.WaitGroup
	for i, l := range layers {
		in := q
		in.document = i == 0 && isJSON(body)
		work.Go(func() { found[i] = in.findIn(l) })
	}
	work.Wait()
	return append(out, slices.Concat(found...)...)
}

// findIn lists the stretches of a body that must go, as one of its layers shows them.
func (q search) findIn(l layer) []stretch {
	var out []stretch
	if bare, ok := l.untagged(); ok && l.parts == nil {
		text := blank(bare.text, Marks([]byte(bare.text)))
		for _, s := range q.secrets {
			if len(s.Value) < splitSecret {
				continue
			}
			s.each(text, func(from, to int) {
				out = append(out, stretch{start: int(bare.at[from]), end: int(bare.at[to-1]) + 1, put: Mark(s.Why)})
			})
		}
	}
	for _, f := range q.find(l.text) {
		for _, f := range l.stretches(f) {
			if f.end > f.start {
				out = append(out, f)
			}
		}
	}
	return out
}

// replace puts the marks of the stretches in their places. Its spans are these and what
// stays, in order.
func replace(body []byte, found []stretch, stay []Span) ([]byte, []Span) {
	out := make([]byte, 0, len(body)+16*len(found))
	spans := make([]Span, 0, len(found)+len(stay))
	done := 0
	keep := func(to int) {
		for len(stay) > 0 && stay[0].End <= to {
			moved := len(out) - done
			s := stay[0]
			s.Start, s.End = s.Start+moved, s.End+moved
			spans, stay = append(spans, s), stay[1:]
		}
		out = append(out, body[done:to]...)
	}
	for _, f := range found {
		keep(f.start)
		spans = append(spans, Span{Start: len(out), End: len(out) + len(f.put), Why: reason(f.put)})
		out = append(out, f.put...)
		done = f.end
	}
	keep(len(body))
	return out, spans
}

// union are the spans and the marks that lie in none of them, in order.
func union(spans, marks []Span) []Span {
	out := slices.Clone(spans)
	for _, m := range marks {
		at, _ := slices.BinarySearchFunc(out, m.Start, func(s Span, start int) int { return s.End - 1 - start })
		if at == len(out) || m.End <= out[at].Start {
			out = slices.Insert(out, at, m)
		}
	}
	return out
}

// valueEnd is the end of a match in a body, before what only the spelling of the body makes part of it: the backslashes
// before a quote; in a JSON document an escaped line break or tab; a quote, ampersand or angle bracket as JSON escapes
// them in HTML; and behind a mark, whatever begins an escape. What the value has beyond that is found in the layer in
// which the escape is undone.
func valueEnd(s string, from, to int, document bool) int {
	marked := false
	for i := from; i < to; i++ {
		switch c := s[i]; {
		case c == blankMark[0]:
			marked = true
		case marked && (c == '\\' || c == '&' || c == '%'):
			return i
		case c == '\\':
			next := i
			for next < len(s) && s[next] == '\\' {
				next++
			}
			if escapesEnd(s[next:]) || document && next == i+1 && next < len(s) &&
				strings.IndexByte("nrtf", s[next]) >= 0 {
				return i
			}
			i = next - 1
		}
	}
	return to
}

// escapesEnd reports whether what follows a backslash stands for a quote, an ampersand or an angle bracket.
func escapesEnd(s string) bool {
	if s == "" || s[0] == '"' || s[0] == '\'' {
		return s != ""
	}
	r, ok := hexRune("\\" + s[:min(len(s), 5)])
	return ok && strings.ContainsRune("\"'&<>", r)
}

// intoLiterals fits stretches of a JSON text into its strings and numbers: of one that
// goes beyond a string, the part in each; a number as a whole, as a string. What is in
// neither is no secret.
func intoLiterals(body []byte, all []stretch) []stretch {
	var out []stretch
	i := 0
	for at := 0; at < len(body) && i < len(all); {
		start, end, number := at, 0, false
		switch c := body[at]; {
		case c == '"':
			end = stringEnd(body, at)
			start, at = at+1, end
			end--
		case c == '-' || c >= '0' && c <= '9':
			end = numberEnd(body, at)
			at, number = end, true
		default:
			at++
			continue
		}
		for i < len(all) && all[i].end <= start {
			i++
		}
		walk := start // where a character of the string begins
		for k := i; k < len(all) && all[k].start < end; k++ {
			f := all[k]
			if number {
				out = append(out, stretch{start: start, end: end, put: `"` + f.put + `"`})
				break
			}
			from := nextChar(body, walk, max(f.start, start))
			walk = from
			to := from
			for limit := min(f.end, end); walk < limit; {
				if walk = nextChar(body, walk, walk+1); walk <= limit {
					to = walk
				}
			}
			if to > from {
				out = append(out, stretch{start: from, end: to, put: f.put})
			}
		}
	}
	return out
}

// nextChar is where the first character of a JSON string begins at or after at; walk is
// where one begins before. Half an escape is no character, and what is found in half of
// one is found whole in another layer.
func nextChar(body []byte, walk, at int) int {
	for walk < at {
		switch {
		case body[walk] == '\\' && walk+1 < len(body) && body[walk+1] == 'u':
			walk += 6
		case body[walk] == '\\':
			walk += 2
		default:
			walk++
		}
	}
	return walk
}
