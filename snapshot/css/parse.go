package css

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
)

// parser reads one selector list from left to right. The first fault stays.
type parser struct {
	s      string
	at     int
	err    string
	failed int
	live   bool // for a page, which answers more than a capture: see Check
	inHas  bool
	own    Own // nil for none
}

func (p *parser) fail(format string, args ...any) {
	if p.err == "" {
		p.err, p.failed = fmt.Sprintf(format, args...), p.at
	}
	p.at = len(p.s)
}

// next is the byte at the cursor, 0 at the end.
func (p *parser) next() byte {
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

// space skips white space and comments and reports whether there was white space: a
// comment alone separates nothing.
func (p *parser) space() (white bool) {
	for {
		switch c := p.next(); {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			white = true
			p.at++
		case strings.HasPrefix(p.s[p.at:], "/*"):
			end := strings.Index(p.s[p.at+2:], "*/")
			if end < 0 {
				p.fail("a comment is not closed")
				return true
			}
			p.at += end + 4
		default:
			return white
		}
	}
}

func (p *parser) list(depth int) []complexSelector {
	var out []complexSelector
	for {
		p.space()
		out = append(out, p.complex(depth))
		if p.next() != ',' {
			return out
		}
		p.at++
	}
}

func (p *parser) complex(depth int) complexSelector {
	c := complexSelector{compounds: []compound{p.compound(depth)}}
	for p.err == "" {
		spaced := p.space()
		switch b := p.next(); {
		case b == '>' || b == '+' || b == '~':
			p.at++
			p.space()
			c.combinators = append(c.combinators, b)
		case spaced && b != 0 && b != ',' && b != ')':
			c.combinators = append(c.combinators, ' ')
		default:
			return c
		}
		c.compounds = append(c.compounds, p.compound(depth))
	}
	return c
}

func (p *parser) compound(depth int) compound {
	var c compound
	from := p.at
	if p.live {
		p.namespace()
	}
	switch {
	case p.next() == '*':
		p.at++
	case p.nameStarts():
		c.tag = p.name()
	}
	if p.next() == '|' {
		p.fail("namespaces are not known here")
	}
	for p.err == "" {
		switch p.next() {
		case '&':
			if !p.live {
				p.fail("a capture cannot answer &")
			}
			p.at = min(p.at+1, len(p.s))
		case '#':
			p.at++
			id := p.identifier("an id")
			c.tests = append(c.tests, func(_ *Tree, n *snapshot.Node) bool { return id != "" && n.Attr("id") == id })
		case '.':
			p.at++
			class := p.identifier("a class")
			c.tests = append(c.tests, func(_ *Tree, n *snapshot.Node) bool { return hasWord(n.Attr("class"), class) })
		case '[':
			p.at++
			c.tests = append(c.tests, p.attribute())
		case ':':
			p.at++
			c.tests = append(c.tests, p.pseudo(depth))
		default:
			if p.at == from {
				p.fail("a selector is missing")
			}
			return c
		}
	}
	return c
}

// identifier is a name that must be there.
func (p *parser) identifier(what string) string {
	if !p.nameStarts() {
		p.fail("%s must follow", what)
		return ""
	}
	return p.name()
}

// nameStarts reports whether an identifier begins at the cursor (CSS Syntax 4.3.9).
func (p *parser) nameStarts() bool {
	rest := p.s[p.at:]
	if strings.HasPrefix(rest, "--") {
		return true
	}
	rest = strings.TrimPrefix(rest, "-")
	if rest == "" {
		return false
	}
	if rest[0] == '\\' {
		return len(rest) > 1 && rest[1] != '\n'
	}
	return nameByte(rest[0]) && (rest[0] < '0' || rest[0] > '9') && rest[0] != '-'
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

// name reads an identifier with its escapes.
func (p *parser) name() string {
	var b strings.Builder
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case nameByte(c):
			b.WriteByte(c)
			p.at++
		case c == '\\' && p.at+1 < len(p.s) && p.s[p.at+1] != '\n':
			p.at++
			b.WriteRune(p.escaped())
		default:
			return b.String()
		}
	}
	return b.String()
}

// escaped reads what follows a backslash: up to six hexadecimal digits and one
// white space, or one character.
func (p *parser) escaped() rune {
	end := p.at
	for end < len(p.s) && end < p.at+6 && strings.IndexByte("0123456789abcdefABCDEF", p.s[end]) >= 0 {
		end++
	}
	if end == p.at {
		r, size := utf8.DecodeRuneInString(p.s[p.at:])
		p.at += size
		return r
	}
	v, _ := strconv.ParseUint(p.s[p.at:end], 16, 32)
	p.at = end
	if strings.HasPrefix(p.s[p.at:], "\r\n") {
		p.at += 2
	} else if c := p.next(); c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' {
		p.at++
	}
	if v == 0 || v > utf8.MaxRune || v >= 0xd800 && v <= 0xdfff {
		return utf8.RuneError
	}
	return rune(v)
}

// attribute reads the rest of [name op "value" i].
func (p *parser) attribute() test {
	p.space()
	if p.live {
		p.namespace()
	}
	name := strings.ToLower(p.identifier("an attribute's name"))
	p.space()
	op := byte(0)
	switch c := p.next(); c {
	case ']':
		p.at++
		return func(_ *Tree, n *snapshot.Node) bool { return n.HasAttr(name) }
	case '=':
		op = c
		p.at++
	case '~', '|', '^', '$', '*':
		op = c
		if p.at++; p.next() != '=' {
			p.fail("= must follow %c", c)
		}
		p.at = min(p.at+1, len(p.s))
	default:
		p.fail("an attribute needs = or ]")
	}
	p.space()
	value := p.value()
	p.space()
	fold := foldedAttribute(name)
	switch p.next() {
	case 'i', 'I':
		fold = true
		p.at++
	}
	p.space()
	if p.next() != ']' {
		p.fail("a [ is not closed")
	}
	p.at = min(p.at+1, len(p.s))
	if fold {
		value = strings.ToLower(value)
	}
	return func(_ *Tree, n *snapshot.Node) bool {
		v, ok := n.Attrs[name]
		if !ok {
			return false
		}
		if fold {
			v = strings.ToLower(v)
		}
		switch op {
		case '=':
			return v == value
		case '~':
			return hasWord(v, value)
		case '|':
			return v == value || strings.HasPrefix(v, value+"-")
		case '^':
			return value != "" && strings.HasPrefix(v, value)
		case '$':
			return value != "" && strings.HasSuffix(v, value)
		}
		return value != "" && strings.Contains(v, value)
	}
}

// value reads a string or an identifier.
func (p *parser) value() string {
	quote := p.next()
	if quote != '"' && quote != '\'' {
		return p.identifier("a value")
	}
	p.at++
	var b strings.Builder
	for {
		switch c := p.next(); {
		case p.at >= len(p.s):
			p.fail("a %c is not closed", quote)
			return ""
		case c == quote:
			p.at++
			return b.String()
		case c == '\n' || c == '\r' || c == '\f':
			p.fail("a line break in a string")
			return ""
		case c == '\\' && strings.HasPrefix(p.s[p.at:], "\\\n"):
			p.at += 2
		case c == '\\' && p.at+1 < len(p.s):
			p.at++
			b.WriteRune(p.escaped())
		default:
			b.WriteByte(c)
			p.at++
		}
	}
}

// hasWord reports whether one of the words of s, split at white space, is w.
func hasWord(s, w string) bool {
	if w == "" {
		return false
	}
	for f := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r' ||
			r == '\f'
	}) {
		if f == w {
			return true
		}
	}
	return false
}

// foldedAttribute reports whether HTML compares the attribute's values without case
// (HTML, 4.16.2 "Case-sensitivity of selectors").
func foldedAttribute(name string) bool {
	switch name {
	case "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear", "codetype",
		"color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang",
		"http-equiv", "lang", "language", "link", "media", "method", "multiple", "nohref", "noresize",
		"noshade", "nowrap",
		"readonly", "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target",
		"text", "type", "valign",
		"valuetype", "vlink":
		return true
	}
	return false
}
