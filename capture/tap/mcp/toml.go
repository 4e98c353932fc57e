package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The servers of a client's file in TOML, such as Codex's, each value with its place: a file is changed where a server
// has its command, and stays byte for byte elsewhere. Of TOML (toml.io, 1.0) keys, tables and the extents of values are
// read; the values themselves only where they are texts and lists of texts.

// entriesOfTOML are the servers of a file in TOML: [mcp_servers.NAME], and the other ways to write the same.
func (c Client) entriesOfTOML(file []byte) ([]entryOf, error) {
	var out []entryOf
	s := tomlScanner{in: file}
	err := s.document(func(path []string, at place, beside string) {
		if len(path) < 3 || path[0] != c.member {
			return
		}
		i := slices.IndexFunc(out, func(e entryOf) bool { return e.name == path[1] })
		if i < 0 {
			i = len(out)
			out = append(out, entryOf{name: path[1]})
		}
		if len(path) > 3 {
			return // of env and the like
		}
		e, raw := &out[i], file[at.from:at.to]
		switch path[2] {
		case "command":
			e.commandAt, e.addArgs = at, beside+"args = "
			var ok bool
			e.command, ok = tomlText(raw)
			e.readOtherwise = e.readOtherwise || !ok
		case "args":
			e.argsAt = at
			var ok bool
			e.args, e.argAt, ok = tomlTexts(raw)
			for i := range e.argAt {
				e.argAt[i].from, e.argAt[i].to = e.argAt[i].from+at.from, e.argAt[i].to+at.from
			}
			e.readOtherwise = e.readOtherwise || !ok
		case "url":
			e.overHTTP = true
		}
	})
	if err != nil {
		return nil, fmt.Errorf("the list of servers of %s cannot be read: it is not TOML: %w", c.Title, err)
	}
	for i := range out {
		out[i].readOtherwise = out[i].readOtherwise || out[i].command == ""
	}
	return out, nil
}

// tomlScanner walks through a document.
type tomlScanner struct {
	in []byte
	at int
}

// errTOML is the reason that a scanner has, with the line.
func (s *tomlScanner) errTOML(what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(s.in[:min(s.at, len(s.in))], []byte("\n")), what)
}

// eachValue is called with a value: the path of its key, tables included, where it lies, and what stands between it and
// the last part of another key, were that written behind it.
type eachValue = func(path []string, at place, beside string)

// document calls with each value.
func (s *tomlScanner) document(each eachValue) error {
	var table []string
	for {
		s.blank(true)
		if s.at >= len(s.in) {
			return nil
		}
		if s.in[s.at] == '[' {
			brackets := 1
			if bytes.HasPrefix(s.in[s.at:], []byte("[[")) {
				brackets = 2
			}
			s.at += brackets
			path, _, err := s.key()
			if err != nil {
				return err
			}
			if !bytes.HasPrefix(s.in[s.at:], []byte("]]"[:brackets])) {
				return s.errTOML("a table's name is not closed")
			}
			s.at += brackets
			table = path
		} else if err := s.pair(table, "\n", each); err != nil {
			return err
		}
		s.blank(false)
		if s.at < len(s.in) && s.in[s.at] != '\n' {
			return s.errTOML("something stands behind a value")
		}
	}
}

// pair reads KEY = VALUE; between stands between two of them.
func (s *tomlScanner) pair(table []string, between string, each eachValue) error {
	key, lead, err := s.key()
	if err != nil {
		return err
	}
	if s.at >= len(s.in) || s.in[s.at] != '=' {
		return s.errTOML("a key has no value")
	}
	s.at++
	s.blank(false)
	path, from := slices.Concat(table, key), s.at
	if err := s.value(path, each); err != nil {
		return err
	}
	each(path, place{from, s.at}, between+lead)
	return nil
}

// blank goes on behind spaces and comments, and behind ends of lines where they count for nothing.
func (s *tomlScanner) blank(lines bool) {
	for ; s.at < len(s.in); s.at++ {
		switch b := s.in[s.at]; {
		case b == ' ' || b == '\t' || b == '\r' || lines && b == '\n':
		case b == '#':
			for s.at+1 < len(s.in) && s.in[s.at+1] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

// key reads a key, with dots between its parts, and the blanks behind it. lead is what stands before its last part.
func (s *tomlScanner) key() (parts []string, lead string, err error) {
	begin := s.at
	for {
		s.blank(false)
		from := s.at
		lead = string(s.in[begin:from])
		if s.at < len(s.in) && (s.in[s.at] == '"' || s.in[s.at] == '\'') {
			if err := s.text(); err != nil {
				return nil, "", err
			}
			part, ok := tomlText(s.in[from:s.at])
			if !ok {
				return nil, "", s.errTOML("a key cannot be read")
			}
			parts = append(parts, part)
		} else {
			for s.at < len(s.in) && isBareKey(s.in[s.at]) {
				s.at++
			}
			if s.at == from {
				return nil, "", s.errTOML("a key is missing")
			}
			parts = append(parts, string(s.in[from:s.at]))
		}
		s.blank(false)
		if s.at >= len(s.in) || s.in[s.at] != '.' {
			return parts, lead, nil
		}
		s.at++
	}
}

func isBareKey(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
}

// value goes on behind a value; of a table in braces it calls with the values in it.
func (s *tomlScanner) value(path []string, each eachValue) error {
	if s.at >= len(s.in) {
		return s.errTOML("a value is missing")
	}
	switch s.in[s.at] {
	case '"', '\'':
		return s.text()
	case '[':
		return s.list(']', true, func() error { return s.value(nil, func([]string, place, string) {}) })
	case '{':
		return s.list('}', false, func() error { return s.pair(path, ", ", each) })
	}
	from := s.at
	for s.at < len(s.in) && !strings.ContainsRune(",]}#\r\n", rune(s.in[s.at])) {
		s.at++
	}
	if len(bytes.TrimSpace(s.in[from:s.at])) == 0 {
		return s.errTOML("a value is missing")
	}
	for s.in[s.at-1] == ' ' || s.in[s.at-1] == '\t' {
		s.at--
	}
	return nil
}

// list reads what lies in brackets, with commas between; lines: it may go over several lines.
func (s *tomlScanner) list(end byte, lines bool, one func() error) error {
	s.at++
	for {
		s.blank(lines)
		if s.at < len(s.in) && s.in[s.at] == end {
			s.at++
			return nil
		}
		if err := one(); err != nil {
			return err
		}
		s.blank(lines)
		switch {
		case s.at < len(s.in) && s.in[s.at] == ',':
			s.at++
		case s.at >= len(s.in) || s.in[s.at] != end:
			return s.errTOML("a bracket is not closed")
		}
	}
}

// text goes on behind a text in quotes.
func (s *tomlScanner) text() error {
	quote := s.in[s.at : s.at+1]
	if long := bytes.Repeat(quote, 3); bytes.HasPrefix(s.in[s.at:], long) {
		quote = long
	}
	for s.at += len(quote); s.at < len(s.in); s.at++ {
		switch {
		case s.in[s.at] == '\\' && quote[0] == '"':
			s.at++
		case s.in[s.at] == '\n' && len(quote) == 1:
			return s.errTOML("a text is not closed")
		case bytes.HasPrefix(s.in[s.at:], quote):
			s.at += len(quote)
			for i := 0; len(quote) == 3 && i < 2 && s.at < len(s.in) && s.in[s.at] == quote[0]; i++ {
				s.at++ // a quote before the closing ones
			}
			return nil
		}
	}
	return s.errTOML("a text is not closed")
}

// tomlText is a text on one line in quotes of either kind; false for any other value.
func tomlText(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != raw[len(raw)-1] || bytes.HasPrefix(raw, []byte(`"""`)) ||
		bytes.HasPrefix(raw, []byte(`'''`)) {
		return "", false
	}
	switch raw[0] {
	case '\'':
		return string(raw[1 : len(raw)-1]), true
	case '"':
		out, err := strconv.Unquote(string(raw)) // Go's escapes are those of TOML, and a few more
		return out, err == nil
	}
	return "", false
}

// tomlTexts are the texts of a list, and where they lie in it; false where one is none.
func tomlTexts(raw []byte) (out []string, at []place, all bool) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, nil, false
	}
	s := tomlScanner{in: raw}
	all = true
	err := s.list(']', true, func() error {
		from := s.at
		err := s.value(nil, func([]string, place, string) {})
		one, ok := tomlText(raw[from:s.at])
		out, at, all = append(out, one), append(at, place{from, s.at}), all && ok
		return err
	})
	return out, at, all && err == nil && json.Valid(written(out))
}
