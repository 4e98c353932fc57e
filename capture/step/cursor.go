package step

import (
	"encoding/json"
	"slices"
	"strings"
)

// level is an object or a list that the caret is in.
type level struct {
	array bool
	keys  []string // of an object, in order; the last is that of the value being written
	key   bool     // a key is expected next
}

func (l *level) last() string {
	if len(l.keys) == 0 {
		return ""
	}
	return l.keys[len(l.keys)-1]
}

// cursor is where in a draft the caret is.
type cursor struct {
	levels  []level
	partial string // what is written of the token at the caret
	from    int    // where that begins, bytes
	quoted  bool   // it is a string
	key     bool   // it is a key
	done    bool   // a value is complete; nothing fits before a comma
}

// cursorAt reads a text that may end anywhere.
func cursorAt(text string) cursor {
	c := cursor{from: len(text)}
	top := func() *level {
		if len(c.levels) == 0 {
			return nil
		}
		return &c.levels[len(c.levels)-1]
	}
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case ch == '"':
			end := closing(text, i)
			l := top()
			key := l != nil && !l.array && l.key
			if end < 0 {
				c.partial, c.from, c.quoted, c.key, c.done = text[i+1:], i, true, key, false
				return c
			}
			if key {
				var name string
				if json.Unmarshal([]byte(text[i:end]), &name) != nil {
					name = text[i+1 : end-1]
				}
				l.keys = append(l.keys, name)
			}
			c.done = true
			i = end
			continue
		case ch == '{' || ch == '[':
			c.levels = append(c.levels, level{array: ch == '[', key: ch == '{'})
			c.done = false
		case ch == '}' || ch == ']':
			if len(c.levels) > 0 {
				c.levels = c.levels[:len(c.levels)-1]
			}
			c.done = true
		case ch == ':':
			if l := top(); l != nil {
				l.key = false
			}
			c.done = false
		case ch == ',':
			if l := top(); l != nil {
				l.key = !l.array
			}
			c.done = false
		case ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n':
		default: // a bare word: a number, true, or a name whose quote was left out
			end := i
			for end < len(text) && !strings.ContainsRune("{}[]:,\" \t\r\n", rune(text[end])) {
				end++
			}
			if end == len(text) {
				l := top()
				c.partial, c.from, c.key, c.done = text[i:], i, l != nil && !l.array && l.key, false
				return c
			}
			c.done = true
			i = end
			continue
		}
		i++
	}
	if l := top(); l != nil && !l.array {
		c.key = l.key
	}
	return c
}

// closing is the place after a string that begins at i, -1 where it does not end.
func closing(text string, i int) int {
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case '"':
			return k + 1
		case '\n': // a string has no line break: its quote was left out
			return -1
		}
	}
	return -1
}

// inStep returns the levels from the step on; list reports that a step may begin here.
func (c *cursor) inStep() (levels []level, list bool) {
	l := c.levels
	switch {
	case len(l) == 0:
		return nil, true
	case l[0].array:
		return l[1:], len(l) == 1
	case l[0].last() == "steps" && !l[0].key:
		if len(l) == 1 || !l[1].array {
			return nil, false
		}
		return l[2:], len(l) == 2
	case slices.Contains(l[0].keys, "steps"):
		return nil, false
	}
	return l, false
}
