package wire

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a program wants done that a model wrote as the argument of a call: Codex gives its model one tool, exec, whose
// programs in JavaScript call the tools of the servers:
//
//	const r = await tools.mcp__playwright__browser_click({ element: 'Sign in', target: "e17" });
//
// The calls are read where they stand, and their arguments where these are literals. Nothing is run: a value that the
// program makes is not known, and a call in a branch counts as one that is wanted.

// toolCall is a call of a tool up to its arguments.
var toolCall = regexp.MustCompile(`\btools\s*\.\s*(\w+)\s*\(`)

// ToolsInCode are the tools that a program calls, in its order.
func ToolsInCode(code string) []string {
	var out []string
	for _, m := range toolCall.FindAllStringSubmatch(code, maxActions) {
		out = append(out, m[1])
	}
	return out
}

// code reads the actions of a program.
func (r *actionReader) code(code string) {
	for _, m := range toolCall.FindAllStringSubmatchIndex(code, maxActions) {
		p := literals{in: code, at: m[1]}
		if v, ok := p.value(0); ok {
			r.call(code[m[2]:m[3]], v, 0)
		}
	}
}

// literals reads values of JavaScript that are written out.
type literals struct {
	in string
	at int
}

// blank goes on behind spaces and comments.
func (p *literals) blank() {
	for p.at < len(p.in) {
		rest := p.in[p.at:]
		switch {
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			p.at++
		case strings.HasPrefix(rest, "//"):
			n, _, _ := strings.Cut(rest, "\n")
			p.at += len(n)
		case strings.HasPrefix(rest, "/*"):
			n, _, _ := strings.Cut(rest[2:], "*/")
			p.at = min(p.at+len(n)+4, len(p.in))
		default:
			return
		}
	}
}

// next goes on behind a character where that comes next.
func (p *literals) next(c byte) bool {
	p.blank()
	if p.at < len(p.in) && p.in[p.at] == c {
		p.at++
		return true
	}
	return false
}

// value reads a value as [decode] does. One that is no literal is nil, up to the comma or bracket behind it.
func (p *literals) value(depth int) (any, bool) {
	p.blank()
	if depth > maxNesting || p.at >= len(p.in) {
		return nil, false
	}
	var out any
	switch c := p.in[p.at]; c {
	case '{':
		p.at++
		list := object{}
		for !p.next('}') {
			key, ok := p.key()
			if !ok || !p.next(':') {
				return nil, false
			}
			v, ok := p.value(depth + 1)
			if !ok {
				return nil, false
			}
			if list = append(list, member{key, v}); !p.next(',') && !p.ends('}') {
				return nil, false
			}
		}
		return list, true
	case '[':
		p.at++
		list := []any{}
		for !p.next(']') {
			v, ok := p.value(depth + 1)
			if !ok {
				return nil, false
			}
			if list = append(list, v); !p.next(',') && !p.ends(']') {
				return nil, false
			}
		}
		return list, true
	case '"', '\'', '`':
		s, ok := p.text()
		if !ok {
			return nil, false
		}
		out = s
	case '/':
		if m := patternLiteral.FindString(p.in[p.at:]); m != "" {
			p.at += len(m)
			out = pattern(m)
		}
	default:
		word := p.word()
		if n, err := strconv.ParseFloat(word, 64); err == nil {
			out = n
		} else if b, err := strconv.ParseBool(word); err == nil && len(word) > 3 { // Python begins them large
			out = b
		}
	}
	if p.blank(); p.at < len(p.in) && strings.IndexByte(",}])", p.in[p.at]) < 0 { // a part of something longer
		p.skip()
		return nil, true
	}
	return out, true
}

// patternLiteral is a regular expression that is written out.
var patternLiteral = regexp.MustCompile(`^/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*`)

// ends reports whether a bracket comes next.
func (p *literals) ends(c byte) bool {
	p.blank()
	return p.at < len(p.in) && p.in[p.at] == c
}

// key reads the name of a member.
func (p *literals) key() (string, bool) {
	if p.blank(); p.at < len(p.in) && (p.in[p.at] == '"' || p.in[p.at] == '\'') {
		return p.text()
	}
	word := p.word()
	return word, word != ""
}

// word reads a name or a number.
func (p *literals) word() string {
	from := p.at
	for p.at < len(p.in) {
		c, n := utf8.DecodeRuneInString(p.in[p.at:])
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_$.-+", c) {
			break
		}
		p.at += n
	}
	return p.in[from:p.at]
}

// text reads a text in quotes of any kind; false where it ends nowhere, or has a value in it that the program makes.
func (p *literals) text() (string, bool) {
	quote := p.in[p.at]
	var out strings.Builder
	for p.at++; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; {
		case c == quote:
			p.at++
			return out.String(), true
		case c == '\\' && p.at+1 < len(p.in):
			if c, _, rest, err := strconv.UnquoteChar(p.in[p.at:], '"'); err == nil {
				out.WriteRune(c)
				p.at = len(p.in) - len(rest) - 1
				continue
			}
			p.at++
			out.WriteByte(p.in[p.at])
		case quote == '`' && strings.HasPrefix(p.in[p.at:], "${"):
			return "", false
		default:
			out.WriteByte(c)
		}
	}
	return "", false
}

// skip goes on to the comma or bracket behind an expression.
func (p *literals) skip() {
	for open := 0; p.at < len(p.in); p.at++ {
		switch c := p.in[p.at]; c {
		case '"', '\'', '`':
			if _, ok := p.text(); !ok {
				p.at = len(p.in)
				return
			}
			p.at--
		case '(', '[', '{':
			open++
		case ')', ']', '}', ',':
			if open == 0 {
				return
			}
			if c != ',' {
				open--
			}
		}
	}
}
