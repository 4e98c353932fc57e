package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Section is one piece of a request as it lies in the body.
type Section struct {
	// Name is its path in the body, such as "messages[3].content[1]".
	Name string
	Role string // of its message; "system" for instructions, "tools" for definitions of tools
	// Message is the index of its message in [Request.Messages], -1 for tools.
	Message    int
	Start, End int // bytes of the body
	// Parts are what is in it. A tool's result is one section, with its pictures.
	Parts []Part
}

// Text is the text of the section, parts separated by a line feed.
func (s Section) Text() string {
	var all []string
	for _, p := range s.Parts {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// Sections lists the sections of a request in the order in which the vendor puts them before the
// model: tools, instructions, messages. A prompt cache holds a beginning of this order, whatever
// the order of members in the body is.
func Sections(dialect string, body []byte) ([]Section, error) {
	if _, err := ReadRequest(dialect, body); err != nil {
		return nil, err
	}
	if dialect == MCP {
		return mcpSections(body)
	}
	s := &sectioner{dialect: dialect, body: body}
	top, err := membersOf(dialect, body)
	if err != nil {
		return nil, err
	}
	for _, m := range top {
		if m.key == "tools" || m.key == "functions" {
			for i, t := range children(body, m) {
				if !deferred(body, t) {
					s.add(Section{Name: fmt.Sprintf("%s[%d]", m.key, i), Role: "tools", Message: -1,
						Start: t.start, End: t.end})
				}
			}
		}
	}
	for _, m := range top {
		switch m.key {
		case "system", "systemInstruction", "system_instruction", "instructions":
			s.message(m.key, m, func(raw []byte) []byte { return wrap(m.key, raw) })
		}
	}
	count := 0 // of the conversation's entries
	for _, m := range top {
		switch m.key {
		case "messages", "contents", "input":
			entries := []span{m}
			if !m.entry {
				if body[m.start] != '[' {
					s.message(m.key, m, func(raw []byte) []byte { return wrap(m.key, raw) })
					continue
				}
				entries = children(body, m)
			}
			for _, one := range entries {
				if count++; bytes.Contains(body[one.start:one.end], []byte(`"additional_tools"`)) {
					s.tools(fmt.Sprintf("%s[%d]", m.key, count-1), one)
				}
				s.message(fmt.Sprintf("%s[%d]", m.key, count-1), one, func(raw []byte) []byte {
					return wrap(m.key, slices.Concat([]byte("["), raw, []byte("]")))
				})
			}
		}
	}
	return s.out, nil
}

// deferred reports whether the model is not told of a tool until a search for tools has found it: Anthropic leaves it
// out of the prompt, so that its coming and going breaks no cache.
func deferred(body []byte, tool span) bool {
	return slices.ContainsFunc(children(body, tool), func(m span) bool {
		return m.key == "defer_loading" && string(body[m.start:m.end]) == "true"
	})
}

// wrap is a body with one member.
func wrap(key string, raw []byte) []byte {
	return slices.Concat([]byte(`{"`+key+`":`), raw, []byte("}"))
}

type sectioner struct {
	dialect string
	body    []byte
	out     []Section
	next    int // index of the next message in Request.Messages
}

func (s *sectioner) add(one Section) { s.out = append(s.out, one) }

// message adds the sections of one message: one for each block of its content, or one for all
// where it has no blocks. whole makes a body that holds nothing but that message.
func (s *sectioner) message(name string, at span, whole func(raw []byte) []byte) {
	read, err := ReadRequest(s.dialect, whole(s.body[at.start:at.end]))
	if err != nil || len(read.Messages) == 0 {
		return
	}
	role, index := read.Messages[0].Role, s.next
	s.next++
	content := at
	if s.body[at.start] == '{' {
		content = span{}
		for _, m := range children(s.body, at) {
			if m.key == "content" || m.key == "parts" {
				content = m
			}
		}
	}
	var blocks []Section
	if content.end > 0 && s.body[content.start] == '[' {
		path := name
		if content.key != "" && content != at {
			path += "." + content.key
		}
		for i, b := range children(s.body, content) {
			raw := s.body[b.start:b.end]
			one, err := ReadRequest(s.dialect, whole(slices.Concat(s.body[at.start:content.start], []byte("["),
				raw, []byte("]"),
				s.body[content.end:at.end])))
			if err != nil || len(one.Messages) == 0 {
				continue
			}
			parts := one.Messages[0].Parts
			if i > 0 { // calls beside the content are counted with the first block
				parts = slices.DeleteFunc(parts,
					func(p Part) bool { return p.Kind == Call && !bytes.Contains(raw, []byte(p.ID)) })
			}
			blocks = append(blocks, Section{Name: fmt.Sprintf("%s[%d]", path, i), Role: role, Message: index,
				Start: b.start,
				End:   b.end, Parts: parts})
		}
	}
	if len(blocks) == 0 {
		s.add(Section{Name: name, Role: role, Message: index, Start: at.start, End: at.end,
			Parts: read.Messages[0].Parts})
		return
	}
	s.out = append(s.out, blocks...)
}

// tools adds the tools that an entry of a conversation names, each of a namespace by itself. Of a message it adds none.
func (s *sectioner) tools(name string, at span) {
	for _, m := range children(s.body, at) {
		if m.key != "tools" || s.body[m.start] != '[' {
			continue
		}
		for i, t := range children(s.body, m) {
			name := fmt.Sprintf("%s.tools[%d]", name, i)
			before := len(s.out)
			if s.tools(name, t); len(s.out) == before {
				s.add(Section{Name: name, Role: "tools", Message: -1, Start: t.start, End: t.end})
			}
		}
	}
}

// span is a value in a body; key is its name in an object. entry marks what is one entry of the list
// with that name.
type span struct {
	key        string
	start, end int
	entry      bool
}

// children are the members of an object or the entries of an array; none of another value.
func children(body []byte, at span) []span {
	d := json.NewDecoder(bytes.NewReader(body[at.start:at.end]))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return nil
	}
	var out []span
	for d.More() {
		var one span
		if open == json.Delim('{') {
			key, err := d.Token()
			if err != nil {
				return out
			}
			one.key, _ = key.(string)
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return out
		}
		one.end = at.start + int(d.InputOffset())
		one.start = one.end - len(raw)
		out = append(out, one)
	}
	return out
}

// Break is where two requests of a conversation begin to differ.
type Break struct {
	// Section is the index of the first section that differs; the number of sections where one
	// of the requests is the beginning of the other.
	Section int
	// Before and Now are the bytes of the bodies at which it differs.
	Before, Now int
}

// cacheMark is what moves from message to message and is not part of a prompt.
var cacheMark = regexp.MustCompile(`,?\s*"(?:cache_control|cacheControl)"\s*:\s*\{[^{}]*\}`)

// FirstBreak finds where the prompt of a request stops being that of the request before, section by
// section. Marks for the cache (cache_control) do not count.
func FirstBreak(before []byte, was []Section, now []byte, is []Section) Break {
	n := min(len(was), len(is))
	for i := range n {
		a, b := before[was[i].Start:was[i].End], now[is[i].Start:is[i].End]
		if bytes.Equal(a, b) && was[i].Role == is[i].Role {
			continue
		}
		atA, atB, differ := firstDifference(a, b)
		if differ || was[i].Role != is[i].Role {
			return Break{i, was[i].Start + atA, is[i].Start + atB}
		}
	}
	out := Break{Section: n, Before: len(before), Now: len(now)}
	if n < len(was) {
		out.Before = was[n].Start
	}
	if n < len(is) {
		out.Now = is[n].Start
	}
	return out
}

// firstDifference is where two values begin to differ, their marks for the cache left out.
func firstDifference(a, b []byte) (atA, atB int, differ bool) {
	skip := func(marks [][]int, at int) int {
		for _, m := range marks {
			if at == m[0] {
				return m[1]
			}
		}
		return at
	}
	marksA, marksB := cacheMark.FindAllIndex(a, -1), cacheMark.FindAllIndex(b, -1)
	i, j := 0, 0
	for {
		i, j = skip(marksA, i), skip(marksB, j)
		switch {
		case i >= len(a) && j >= len(b):
			return i, j, false
		case i >= len(a) || j >= len(b) || a[i] != b[j]:
			return i, j, true
		}
		i, j = i+1, j+1
	}
}
